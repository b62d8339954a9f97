/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is doubtful, excluded or not there yet, counted by kind. */
#include "analysis/describe.h"
#include <ctype.h>
#include <string.h>

static void count(struct pool *pool, struct kind **kind, size_t *n, const char *text,
		  const char *run)
{
	size_t i;

	for (i = 0; i < *n; i++) {
		if (!strcmp((*kind)[i].text, text)) {
			(*kind)[i].n++;
			return;
		}
	}
	*kind = pool_room(pool, *kind, *n, sizeof(**kind));
	(*kind)[(*n)++] = (struct kind){ .text = text, .example = run, .n = 1 };
}

/* "cpu1: usage of state 0 went backwards: 7 < 9" is of the kind "usage of state 0 went backwards".
 */
static const char *kind_of(struct pool *pool, const char *doubt)
{
	const char *colon;

	if (!strncmp(doubt, "cpu", 3) && isdigit((unsigned char)doubt[3])) {
		colon = strstr(doubt, ": ");
		if (colon)
			doubt = colon + 2;
	}
	colon = strstr(doubt, ": ");
	return colon ? pool_text(pool, "%.*s", (int)(colon - doubt), doubt) : doubt;
}

size_t describe_doubts(const struct table *table, struct kind **ret)
{
	const struct result *r = table->result;
	struct kind *kind = NULL;
	size_t n = 0, i, j;

	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if (run->info.state != STORE_COMPLETE)
			continue;
		for (j = 0; j < run->info.doubts; j++)
			count(table->pool, &kind, &n, kind_of(table->pool, run->info.doubt[j]),
			      run->name);
		if (run->note)
			count(table->pool, &kind, &n, run->note, run->name);
		if (run->power_doubt)
			count(table->pool, &kind, &n, run->power_doubt, run->name);
	}
	*ret = kind;
	return n;
}

const char *describe_broken(const struct broken_run *broken)
{
	const char *at = strstr(broken->reason, broken->name);

	return at && at[strlen(broken->name)] == '/' ? at + strlen(broken->name) + 1
						     : broken->reason;
}

/* One run alone is said with its path. */
static void name_single(const struct table *t, struct kind *kind, size_t n)
{
	const struct result *r = t->result;
	size_t i, k;

	for (k = 0; k < n; k++)
		for (i = 0; kind[k].n == 1 && i < r->brokens; i++)
			if (r->broken[i].name == kind[k].example)
				kind[k].text = pool_text(t->pool, "%s: %s", r->broken[i].state,
							 r->broken[i].reason);
}

size_t describe_excluded(const struct table *table, struct kind **ret)
{
	const struct result *r = table->result;
	struct kind *kind = NULL;
	size_t n = 0, i;

	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;

		if (run->state == STORE_COMPLETE)
			continue;
		count(table->pool, &kind, &n,
		      pool_text(table->pool, "%s: %s", store_state_name[run->state],
				run->reason ? run->reason : "no reason given"),
		      r->run[i].name);
	}
	for (i = 0; i < r->brokens; i++)
		count(table->pool, &kind, &n,
		      pool_text(table->pool, "%s: %s", r->broken[i].state,
				describe_broken(&r->broken[i])),
		      r->broken[i].name);
	name_single(table, kind, n);
	*ret = kind;
	return n;
}

size_t describe_pending(const struct table *table)
{
	return table->result->pending;
}

bool describe_complete(const struct table *table)
{
	const struct result *r = table->result;
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].partial ||
		    (r->run[i].info.state != STORE_COMPLETE && !r->run[i].replaced))
			return false;
	return !r->gaps && !r->brokens && r->runs && !describe_pending(table);
}
