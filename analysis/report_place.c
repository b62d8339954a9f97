/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a report goes. A folder that the user names, or that a name made of the results' names hits
 * by chance, may be full of something else: it is replaced only when it is a report.
 */
#include "analysis/report_place.h"
#include "lib/error.h"
#include "store/format.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "./report-A-B", at most NAME_MAX bytes. */
static const char *default_name(const struct table *t)
{
	const struct result *r = t->result;
	const char *name = "./" STORE_REPORT;
	size_t i;

	for (i = 0; i < r->sources; i++) {
		const char *slash = strrchr(r->source[i].dir, '/');

		if (strlen(name) + strlen(slash) + 24 > NAME_MAX)
			return pool_text(t->pool, "%s-and-%zu-more", name, r->sources - i);
		name = pool_text(t->pool, "%s-%s", name, slash + 1);
	}
	return name;
}

/* Where the report goes: always with a '/' in it. */
int report_place(const struct table *t, const struct report_options *options, const char **ret)
{
	const char *place = options->output, *page;
	struct dirent **entry;
	size_t length;
	int n;

	if (!place && t->result->sources == 1) {
		*ret = pool_text(t->pool, "%s/" STORE_REPORT, t->result->dir);
		return 0;
	}
	if (!place)
		place = default_name(t);
	for (length = strlen(place); length > 1 && place[length - 1] == '/'; length--)
		;
	place = pool_text(t->pool, "%s%.*s", memchr(place, '/', length) ? "" : "./", (int)length,
			  place);
	*ret = place;
	/* An older report is replaced; anything else of the user's is not. */
	page = pool_text(t->pool, "%s/summary.json", place);
	n = scandir(place, &entry, NULL, NULL);
	if (n < 0)
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", place);
	for (int i = 0; i < n; i++)
		free(entry[i]);
	free(entry);
	if (n <= 2 || !access(page, F_OK))
		return 0;
	return error_usage("%s is there already, and is no report", place);
}
