/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * INI files through inih, with what inih does not give: file:line in every message, and refusal of
 * what it would take silently (a line longer than its buffer, a NUL or control byte, a key outside
 * a section, a key twice in a section, a directory as file). Leading blanks are stripped, so that
 * an indented key is a key and not a continuation. Comments are whole lines beginning with '#' or
 * ';'; " ;" begins a comment behind a value (inih's rule).
 */
#ifndef LIB_INI_H
#define LIB_INI_H

#include <stdbool.h>
#include <stddef.h>

#define INI_LINE_MAX                                                                               \
	198 /* bytes a line may have; inih's default buffer of 200 less newline and NUL */

struct ini_entry {
	char *section;
	char *key; /* NULL marks the section's own header line, so that an empty section is seen */
	char *value;
	int line; /* 1-based */
};

struct ini {
	char *path; /* as given, for messages */
	struct ini_entry *entry; /* in file order */
	size_t n;
};

/* Reads a whole file. Refusals are usage errors "path:line: ...", an unreadable file -errno with
 * the path. */
int ini_load(const char *path, struct ini *ret);

/* The same from memory; @path is used in messages only. @size bytes, NUL bytes inside are refused.
 */
int ini_load_text(const char *path, const char *text, size_t size, struct ini *ret);

/* The same; keys that @may_repeat is true for may come again in a section, an entry each time. */
int ini_load_repeating(const char *path, const char *text, size_t size,
		       bool (*may_repeat)(const char *key), struct ini *ret);

/* The value, of several the first, or NULL when there is none. */
const char *ini_get(const struct ini *ini, const char *section, const char *key);

/* Usage error "path:line: text" at @entry; returns -EINVAL. */
int ini_error(const struct ini *ini, const struct ini_entry *entry, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void ini_free(struct ini *ini);

#endif
