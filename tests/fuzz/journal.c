/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake machine with an undo journal of the input's making: "restore" puts back what it names,
 * below the root and nowhere else. The only target whose subject writes, so it does nothing where
 * the kernel cannot keep paths below a root.
 */
#include "fuzz.h"
#include "hw/undo.h"
#include "hw/undo_journal.h"
#include "tree.h"

/* Looks for a file that is surely outside, the way a journal would name it. */
static bool paths_are_kept(const struct root *root)
{
	return !root_exists(root, "../../../../proc/self/stat") &&
	       !root_exists(root, "/proc/self/stat");
}

static void restore(const struct root *root)
{
	int again, count = -1, err = undo_restore_stale(root, &count);

	FUZZ_CHECK(count >= 0);
	if (err)
		fuzz_check_error(err);
	else
		FUZZ_CHECK(!root_exists(root, JOURNAL_DIR "/journal"));
	/* Twice is as good as once: what is in place is not written. */
	err = undo_restore_stale(root, &again);
	FUZZ_CHECK(err <= 0 && again >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);

	if (paths_are_kept(&tree.root))
		restore(&tree.root);
	tree_end(&tree);
	return 0;
}
