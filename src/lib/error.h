/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentence that goes with a negative errno.
 *
 * Functions return 0 or -errno. The one that knows the path, key or line makes the text with
 * error_set(); callers pass the code up untouched (or prefix a place with error_prefix()); main()
 * prints error_text() once. One text per thread, of one line: control bytes become '?'.
 */
#ifndef LIB_ERROR_H
#define LIB_ERROR_H

#include <stdbool.h>

/* Stores the text and returns @code, so that "return error_set(-EIO, ...)" reads well. @code is a
 * negative errno. */
int error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* error_set(-ENOMEM, "out of memory"): what is said where an allocation fails. */
int error_no_memory(void);

/* As error_set(-EINVAL, ...), and marks the failure as the caller's bad input: main() exits 2 for
 * it. */
int error_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Puts "prefix: " in front of the stored text, keeps the usage mark, returns @code. A prefix that
 * ends with a blank brings its own separator. */
int error_prefix(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last text of this thread, "" when there is none. Valid until the next error_*() call. */
const char *error_text(void);

/* True when the last failure was bad input (exit status 2), false when it was the world's fault
 * (exit status 1). */
bool error_is_usage(void);

void error_clear(void);

/* Room for a quoted text: 40 bytes of it, "..." and NUL. */
#define ERROR_QUOTE_SIZE 44

/*
 * @text made fit to stand in a message: control bytes become '?', what is longer than 40 bytes is
 * cut and ends with "...". Adds no quote marks. Returns @quoted.
 */
const char *error_quote(const char *text, char quoted[ERROR_QUOTE_SIZE]);

#endif
