/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore: for the case that runner and guardian both died. Takes the lock, so that it never pulls
 * the rug from under a runner at work.
 */
#include "hw/lock.h"
#include "hw/undo.h"
#include "lib/error.h"
#include "run/verb.h"
#include <stdio.h>
#include <unistd.h>

int verb_restore(const struct options *options)
{
	struct root root;
	int lock, count, err;

	if (options->rests)
		return error_usage("unexpected argument '%s'", options->rest[0]);
	err = root_open(options->root, &root);
	if (err)
		return err;
	err = lock_take(&root, &lock);
	if (!err) {
		err = undo_restore_stale(&root, &count);
		close(lock);
	}
	if (!err && !options->quiet)
		printf(count ? "%d setting(s) put back\n"
			     : "nothing to put back: no interrupted run has left a journal\n",
		       count);
	root_close(&root);
	return err;
}
