/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report program, which never touches the machine and is linked apart (GSL is GPL-3,
 * libcpupower GPL-2). */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include <stdbool.h>

/* Runs "analysis report DIR"; its exit status, or -errno. */
int report_make(const char *dir, bool quiet);

/* Runs the analysis program with these arguments (NULL-terminated, without its own name). */
int report_program(char *const *arguments);

/* The same with its standard output in @out, a descriptor. */
int report_program_to(char *const *arguments, int out);

/* The same; SIGTERM for the program once the descriptor @stop is readable. */
int report_program_until(char *const *arguments, int stop);

#endif
