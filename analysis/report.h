/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DIR/report: built beside, swapped in when whole. A reader sees the old report or the new one.
 */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <stdbool.h>

struct report_options {
	bool quiet; /* print neither the summary nor the report's path */
	bool png; /* figures as PNG, too */
	bool open; /* show the page with xdg-open */
};

/* 0, 3 when something asked is missing from the result (the report is there), or -errno with a
 * text. */
int report_build(const char *dir, const struct report_options *options);

#endif
