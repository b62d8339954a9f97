/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command prints, in a fixed room: its beginning and its end. It lies in memory until the
 * command has ended; nothing is written meanwhile.
 */
#ifndef WORKLOADS_COMMAND_OUTPUT_H
#define WORKLOADS_COMMAND_OUTPUT_H

#include "workloads/command-pick.h"
#include <stdint.h>

#define COMMAND_KEPT (512u << 10) /* bytes of the beginning, and of the end, that are kept */

/* Where a stream's last line that is not empty can be found. */
struct command_line {
	char text[160]; /* cut there */
	size_t n;
	bool ended;
};

/* In shared memory: written by the keeper, read by both. */
struct command_output {
	uint64_t total; /* bytes that were printed */
	struct command_line last[2]; /* stdout, stderr */
	char kept[2 * COMMAND_KEPT]; /* the first half fills once, the second is a ring */
};

/* @stream: 0 = stdout, 1 = stderr. */
void command_output_add(struct command_output *output, int stream, const char *text, size_t n);

/* The last line of stderr, or of stdout when stderr has none; "" without output. */
const char *command_output_last(const struct command_output *output);

/* The end of the output in one piece: all of it when nothing was cut, else its last COMMAND_KEPT
 * bytes. malloc'ed, *ret_size bytes and a NUL. */
int command_output_tail(const struct command_output *output, char **ret, size_t *ret_size);

/* To output.txt in @folder, or to stderr for NULL; what was cut is marked by a line. */
int command_output_write(const struct command_output *output, const char *folder);

/* Values of the picks. What was cut away may hold a later match than the beginning: then a pick
 * counts only when it is found in the end. */
int command_output_pick(const struct command_output *output, struct command_picks *picks);

#endif
