/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two writes a switch, both through the undo journal.
 */
#include "run/switch.h"
#include "lib/error.h"
#include "run/privilege.h"
#include <string.h>

/* Any other governor will do: it is active for some milliseconds. */
static const char *other_than(const struct session *s, const char *name)
{
	for (int i = s->offered.n; i-- > 0;)
		if (strcmp(s->offered.name[i], name))
			return s->offered.name[i];
	return NULL;
}

int switch_governor(struct session *s, const char *name, bool *ret_fresh)
{
	const char *path, *other = other_than(s, name);
	int err;

	privilege_root();
	err = governor_writable(&s->root, &path);
	if (!err && other)
		err = undo_write(s->undo, path, other);
	if (!err)
		err = undo_write(s->undo, path, name);
	privilege_user();
	if (!err)
		err = cpuidle_reopen(s->idle);
	if (!err)
		*ret_fresh = other != NULL;
	return err;
}

int switch_cpufreq(struct session *s, const char *name)
{
	int err;

	privilege_root();
	err = cpufreq_set_governor(s->undo, &s->root, &s->cpufreq, name);
	privilege_user();
	return err;
}
