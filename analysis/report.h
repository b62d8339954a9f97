/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DIR/report, or one report of several result directories: built beside, swapped in when whole. A
 * reader sees the old report or the new one.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct format;

struct report_options {
	bool quiet; /* print neither the summary nor the report's path */
	const struct format *format; /* print only the summary in this form; NULL = text and path */
	bool png; /* figures as PNG, too */
	bool standalone; /* index.html has figures and tables inside */
	bool open; /* show the page with xdg-open */
	bool force; /* compare what load_conditions() refuses; the report says so */
	const char *output; /* the report's folder; NULL = DIR/report, or ./report-A-B of several */
	const char *reference; /* what is compared with; NULL = see section_references() */
	const char **label; /* "DIR=TEXT", "DIR:GOVERNOR=TEXT" */
	size_t labels;
};

/* 0, 3 when something asked is missing from the result (the report is there), or -errno with a
 * text. Usage error when results may not be compared. */
int report_build(const char *const *dir, size_t dirs, const struct report_options *options);

#endif
