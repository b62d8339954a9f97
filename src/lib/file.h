/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files and directories, written so that a reader (or a power cut) never sees half of one.
 */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include <stddef.h>

#define FILE_READ_MAX (256u << 20) /* bytes; a larger file is refused with -EFBIG */

/* Reads all of @path, NUL terminated behind its @ret_size bytes. A directory gives -EISDIR;
 * a FIFO, socket or device -EINVAL, without waiting for it. */
int file_read(const char *path, char **ret_text, size_t *ret_size);

/* All of it, however often write(2) stops halfway. -errno without a text. */
int file_write_all(int fd, const char *text, size_t size);

/* Writes beside the target, fsync, rename, fsync of the folder. Mode 0666 before umask. */
int file_write_atomic(const char *path, const char *text, size_t size);

/* fsync of every regular file in @temporary and of itself, rename to @final (must not exist), fsync
 * of the parent. */
int file_publish_dir(const char *temporary, const char *final);

/* mkdir -p, mode 0775 before umask; existing folders are fine. */
int file_make_dirs(const char *path);

/* rm -rf that never follows a symlink; a missing path is fine. */
int file_remove_tree(const char *path);

#endif
