/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line into words as a shell has them, and where a word's program is. */
#ifndef WORKLOADS_COMMAND_WORDS_H
#define WORKLOADS_COMMAND_WORDS_H

#include <stdbool.h>

/*
 * Blanks (newlines, too) separate words; 'x', "x", \x and $'\n' quote as in a POSIX shell; nothing
 * is expanded. Usage error for a quote that is not closed, for a character that only a shell would
 * understand (| & ; < > ( ) $ `) outside of quotes, and for no word at all. *ret: NULL-terminated.
 */
int command_words_split(const char *line, char ***ret);
void command_words_free(char **words);

/* The program that a word names: the word itself when it has a slash, else looked for in PATH. */
bool command_words_found(const char *program);

#endif
