/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of old values: ROOT/run/idle-runner/undo/journal. A header line, then one line
 * "path<TAB>old text" a changed file, each on disk before the change is made. A line without its
 * newline was torn by a crash, and the change that it was for never happened.
 */
#ifndef HW_UNDO_JOURNAL_H
#define HW_UNDO_JOURNAL_H

#include "lib/root.h"
#include <stddef.h>

#define JOURNAL_DIR "run/idle-runner/undo"
#define JOURNAL_TEXT_MAX 4096 /* bytes of an old value, with the NUL */

/*
 * Opens the folder, made if missing: no symlink on the way, mode 0700, owned by this user. The
 * descriptor, or -EACCES / -EPERM / -ELOOP with a text. @make false: -ENOENT when it is missing.
 */
int journal_open_dir(const struct root *root, bool make);

/* Makes an empty journal in it: a descriptor to append to. -EEXIST with a text when there is one.
 */
int journal_create(const struct root *root, int dir_fd);

/*
 * -EBUSY when a living runner or guardian holds the journal: lock_take() keeps runners apart within
 * a network namespace, this keeps one from undoing another's changes across them. 0 when nobody
 * does.
 */
int journal_in_use(const struct root *root, int dir_fd);

/* Appends a line and fsyncs it. -EINVAL when path or text cannot be a line of a journal. */
int journal_append(int fd, const char *path, const char *text);

/*
 * Puts back what the journal names, last line first, and removes it. Values equal to the present
 * ones are not written. *ret_count = files written; *ret_last (may be NULL, JOURNAL_TEXT_MAX
 * bytes): "path = text" of the first change, for a message. Goes on after a failure and reports the
 * first; a file that is gone (-ENOENT) does not keep the journal, any other failure does. 0 and
 * count 0 when there is no journal.
 */
int journal_restore(const struct root *root, int dir_fd, int *ret_count, char *ret_last);

/* Writes @text to @path unless it is there already. 1 = written, 0 = was there, or -errno. */
int journal_put_back(const struct root *root, const char *path, const char *text);

/* Removes the journal from the folder, durably. */
int journal_remove(const struct root *root, int dir_fd);

#endif
