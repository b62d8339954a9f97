/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handle on the machine to be read: "/" or the folder of a dumped or fake machine. Paths are
 * relative to it
 * ("sys/devices/system/cpu/online"). Every reader of hw takes one.
 */
#ifndef LIB_ROOT_H
#define LIB_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct root {
	int fd; /* O_PATH folder */
	char *path; /* absolute, without trailing slash; "" for the live machine, so "%s/%s" prints
		       well */
	bool live; /* true for "/" */
};

/* @path NULL or "/" opens the live machine. */
int root_open(const char *path, struct root *ret);
void root_close(struct root *root);

/*
 * Reads a small text file, strips trailing blanks and newlines, NUL terminates. Returns the length
 * >= 0 or -errno
 * (-ENOENT is common and means "not available"; -EFBIG when it does not fit). Sets the error text
 * "path: strerror".
 */
int root_read(const struct root *root, const char *path, char *text, size_t size);

/* root_read() of a name, which is to be printed: control bytes inside become '?'. */
int root_read_name(const struct root *root, const char *path, char *text, size_t size);

/* A decimal number; -EINVAL with the path when it is something else. Negative numbers are refused.
 */
int root_read_u64(const struct root *root, const char *path, uint64_t *ret);

/* One write(2) to an existing file. */
int root_write(const struct root *root, const char *path, const char *text);

/*
 * Opens a file or folder to be read, with @flags of open(2) beside O_RDONLY or O_PATH: a
 * descriptor, or -errno without a text. Links stay below the root, as for all of these.
 */
int root_open_file(const struct root *root, const char *path, int flags);

bool root_exists(const struct root *root, const char *path);

#endif
