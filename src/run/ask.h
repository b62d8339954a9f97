/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question to the analysis program in the middle of a campaign: what to measure next is a matter
 * of statistics, and those live there (GSL is never linked into the runner).
 */
#ifndef RUN_ASK_H
#define RUN_ASK_H

#include <stddef.h>

/*
 * Runs "analysis ARGUMENTS" (NULL-terminated, without its own name) and returns what it prints,
 * malloc'ed and NUL terminated behind its *ret_size bytes. What it complains about goes to our
 * stderr. -EINTR when a signal came, -EIO when it ends with another status than 0, -EMSGSIZE above
 * ASK_SIZE_MAX.
 */
int ask_analysis(char *const *arguments, char **ret_text, size_t *ret_size);

#define ASK_SIZE_MAX (16u << 20) /* bytes: a table of some lines for each point and governor */

#endif
