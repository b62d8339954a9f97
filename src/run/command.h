/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload's command line, from the point's parameters and its placement. */
#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include "run/cell.h"

/*
 * Of the section's workload number @part, with its files in the folder @output. *ret:
 * NULL-terminated, malloc'ed. "@sync@" stands for the socket's number.
 */
int command_make(const struct cell *cell, size_t part, const char *output, char ***ret);
void command_free(char **argv);

/* As a shell would read it back; malloc'ed. */
char *command_text(char *const *argv);

#endif
