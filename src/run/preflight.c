/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each check says what is wrong and the way out.
 */
#include "run/preflight.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/session.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool offered(const struct session *s, const char *name)
{
	for (int i = 0; i < s->offered.n; i++)
		if (!strcmp(s->offered.name[i], name))
			return true;
	return false;
}

static void offered_text(const struct session *s, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < s->offered.n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "",
				      s->offered.name[i]);
}

int preflight_governors(const struct session *s)
{
	char reason[512], list[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 2)];
	size_t known = 0;

	for (size_t g = 0; g < s->plan.governors; g++) {
		const char *name = s->plan.governor[g].name;
		int err;

		if (offered(s, name)) {
			known++;
			continue;
		}
		err = governor_check_typo(&s->offered, name);
		if (err)
			return err;
	}
	offered_text(s, list, sizeof(list));
	for (size_t g = 0; g < s->plan.governors; g++) {
		const char *name = s->plan.governor[g].name;

		if (offered(s, name))
			continue;
		governor_missing_reason(&s->root, name, reason, sizeof(reason));
		if (!known && g + 1 == s->plan.governors)
			return error_set(
				-ENODEV,
				"none of the governors asked for is offered by this kernel (it has: %s); "
				"%s: %s",
				list, name, reason);
		log_warn("governor '%s' is not offered by this kernel (it has: %s): %s", name, list,
			 reason);
	}
	return 0;
}

int preflight_rights(const struct session *s)
{
	const char *path;

	return s->switching ? governor_writable(&s->root, &path) : 0;
}
