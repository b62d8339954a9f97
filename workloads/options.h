/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload program's command line: its parameter table and the options that all share. */
#ifndef WORKLOADS_OPTIONS_H
#define WORKLOADS_OPTIONS_H

#include "workloads/driver.h"

/* The common options that are values, as a table: window, warmup, timer-slack. */
extern const struct param options_common[];

/*
 * Fills in options, values, needs and loops of @driver, whose workload is set. Usage errors name
 * the option. With --help given, only options.help is set and nothing is checked.
 */
int options_parse(struct driver *driver, int argc, char **argv);

/* Prints the help of a workload's program in 80 columns on stdout. */
void options_help(const struct workload *workload);

#endif
