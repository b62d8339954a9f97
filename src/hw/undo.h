/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that a run changes on the machine, and its way back.
 *
 * undo_write() stores the old value in a journal (ROOT/run/idle-runner/undo/journal, folder 0700),
 * fsyncs it, and only then writes. A guardian child, in a session of its own, holds the read end of
 * a pipe; when the runner dies in any way, SIGKILL included, the pipe closes and the guardian puts
 * everything back and removes the journal. Where both died, undo_restore_stale() (the verb
 * "restore", and every new run) does it from the journal.
 */
#ifndef HW_UNDO_H
#define HW_UNDO_H

#include "lib/root.h"

struct undo;

/*
 * Makes the folder and forks the guardian. Call it before threads exist, and with the lock taken,
 * which the guardian inherits. If a journal is there already: -EEXIST (call undo_restore_stale()
 * first). -EACCES when not root.
 */
int undo_start(const struct root *root, struct undo **ret);

/*
 * Remembers the present text of @path (the first time only), writes @text, reads back. -EIO with a
 * sentence when the file does not hold @text afterwards.
 */
int undo_write(struct undo *undo, const char *path, const char *text);

/* Puts all back in reverse order, removes the journal, ends the guardian, frees. Every failure is
 * in the error text. */
int undo_finish(struct undo *undo);

/* Puts back what a journal names. *ret_count = files restored, 0 when there is no journal. A torn
 * last line is ignored. */
int undo_restore_stale(const struct root *root, int *ret_count);

#endif
