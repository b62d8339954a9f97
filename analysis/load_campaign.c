/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * campaign.ini of each source. Runs can be read without it, so a damaged one is named and made up
 * for: the governors are then those of the runs, and nobody knows what else was asked.
 */
#include "analysis/load.h"
#include "lib/error.h"
#include "store/format.h"
#include "store/looks.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* malloc'ed, because that is what store_campaign_free() gives back. */
static char *own(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		abort();
	return copy;
}

static void make_up(struct source *source)
{
	store_campaign_free(&source->campaign);
	source->campaign = (struct store_campaign){
		.suite = own(source->shown),
		.governors_asked = own("not known"),
		.governors = own(""),
		.reference = own(""),
		.cpus = own(""),
		.set = own(""),
		.cpufreq_governors = own(""),
		.events = own(""),
		.order = own("not known"),
		.version = own("not known"),
		.created = own("unknown"),
		.suite_text = own(""),
		.warmup_ns = -1,
	};
	source->made_up = true;
}

static bool has_runs(const char *dir)
{
	char **list;
	size_t n;

	if (store_run_list(dir, &list, &n))
		return false;
	store_list_free(list, n);
	return n > 0;
}

/* looks.tsv is a record of what was decided; all else in a report comes from the runs. */
static void load_looks(struct result *result, size_t source)
{
	struct source *s = &result->source[source];
	struct store_looks looks;
	char **run;
	size_t runs;

	if (!s->campaign.repeat_min)
		return;
	if (store_looks_read(s->dir, &looks)) {
		load_break(result, source, STORE_LOOKS, "damaged",
			   load_without_path(result, source, error_text()));
		return;
	}
	s->looks = looks.looks;
	s->ended = looks.looks && (!looks.open || looks.repeat >= (uint64_t)s->campaign.repeat);
	if (!store_run_list(s->dir, &run, &runs)) {
		s->ended &= runs <= looks.runs; /* else somebody went on behind it */
		store_list_free(run, runs);
	}
	store_looks_free(&looks);
}

int load_campaign(struct result *result, size_t source)
{
	struct source *s = &result->source[source];
	const char *text;
	int err;

	error_clear();
	err = store_campaign_read(s->dir, &s->campaign);
	if (!err)
		load_looks(result, source);
	if (!err || err == -EPROTO || err == -ENOMEM)
		return err;
	text = pool_copy(&result->pool, error_text());
	if (!has_runs(s->dir))
		return error_set(err, "%s", text);
	load_break(result, source, STORE_CAMPAIGN, "damaged",
		   load_without_path(result, source, text));
	make_up(s);
	return 0;
}

/* Is the line at @at "[run SECTION]", blanks wherever INI takes them? */
static bool is_header_of(const char *at, const char *end, const char *section)
{
	size_t n = strlen(section);

	at += strspn(at, " \t");
	if (at >= end || *at++ != '[')
		return false;
	at += strspn(at, " \t");
	if (strncmp(at, "run", 3) || !strchr(" \t", at[3]))
		return false;
	at += 3;
	at += strspn(at, " \t");
	if (strncmp(at, section, n))
		return false;
	at += n;
	at += strspn(at, " \t");
	return *at == ']';
}

static bool suite_has(const char *text, const char *section)
{
	while (*text) {
		const char *end = strchrnul(text, '\n');

		if (is_header_of(text, end, section))
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The governors of the runs, by name. The reference is menu where it is among them, which the
 * kernel takes by default. */
static void take_governors(const struct result *r, size_t source)
{
	struct source *s = &r->source[source];
	struct pool scratch = { 0 };
	const char **name = pool_alloc(&scratch, r->runs + 1, sizeof(*name));
	const char *all = "", *reference = "";
	size_t i, n = 0;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].source == source)
			name[n++] = r->run[i].info.governor;
	qsort(name, n, sizeof(*name), by_text);
	for (i = 0; i < n; i++) {
		if (i && !strcmp(name[i], name[i - 1]))
			continue;
		all = pool_text(&scratch, "%s%s%s", all, *all ? "," : "", name[i]);
		if (!*reference || !strcmp(name[i], "menu"))
			reference = name[i];
	}
	free(s->campaign.governors);
	free(s->campaign.reference);
	s->campaign.governors = own(all);
	s->campaign.reference = own(reference);
	pool_free(&scratch);
}

/* Sections of the source's runs that its suite does not have; a run of such a section is a stray.
 */
static size_t count_strays(const struct result *r, size_t source, bool *stray, size_t *ret_runs)
{
	const char *text = r->source[source].campaign.suite_text, *last = NULL;
	size_t n = 0, runs = 0;
	bool has = false;

	for (size_t i = 0; i < r->runs; i++) {
		const char *section = r->run[i].info.section;

		if (r->run[i].source != source)
			continue;
		if (!last || strcmp(last, section))
			has = suite_has(text, section);
		last = section;
		stray[i] = !has;
		n += !has;
		runs++;
	}
	*ret_runs = runs;
	return n;
}

static void remove_strays(struct result *r, size_t source, const bool *stray)
{
	size_t i, n = 0;

	for (i = 0; i < r->runs; i++) {
		struct loaded_run *run = &r->run[i];

		if (!stray[i]) {
			r->run[n++] = *run;
			continue;
		}
		load_break(r, source, run->name, "damaged",
			   pool_text(&r->pool, "not of this campaign: its suite has no [run %s]",
				     run->info.section));
		store_run_free(&run->info);
	}
	r->runs = n;
}

void load_campaign_check(struct result *result, size_t source)
{
	struct source *s = &result->source[source];
	struct pool scratch = { 0 };
	bool *stray = pool_alloc(&scratch, result->runs + 1, sizeof(*stray));
	size_t runs, strays = 0;

	/* What was imported had no suite. */
	if (!s->made_up && strstr(s->campaign.suite_text, "[run "))
		strays = count_strays(result, source, stray, &runs);
	if (strays && strays == runs) {
		load_break(result, source, STORE_CAMPAIGN, "damaged",
			   "of another campaign: its suite has no section of any run here");
		make_up(s);
	} else if (strays) {
		remove_strays(result, source, stray);
	}
	if (s->made_up)
		take_governors(result, source);
	pool_free(&scratch);
}
