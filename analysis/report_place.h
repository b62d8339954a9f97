/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of a report: DIR/report of one result, ./report-A-B of several, or what the user says.
 */
#ifndef ANALYSIS_REPORT_PLACE_H
#define ANALYSIS_REPORT_PLACE_H

#include "analysis/report.h"
#include "analysis/section.h"

/* A path with a '/' in it, in the table's pool. Usage error when there is something else than a
 * report. */
int report_place(const struct table *table, const struct report_options *options, const char **ret);

#endif
