/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When looks are taken, and what is said about them. What is decided, and at which level, is the
 * analysis program's: statistics are not linked into the runner.
 */
#include "run/looks.h"
#include "hw/host.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/ask.h"
#include "run/cells.h"
#include "run/session.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SAID_MAX 6 /* lines on stderr for one look; the log has all */

static int check_design(const struct store_campaign *c)
{
	char program[PATH_MAX];

	if (c->repeat_min < SUITE_LOOK_MIN || c->repeat_min >= c->repeat ||
	    c->repeat > STORE_LOOKS_MAX)
		return error_usage("until decided: a first look after %d blocks and the last after "
				   "%d; give a range within %d..%d, as --repeat %d..%d",
				   c->repeat_min, c->repeat, SUITE_LOOK_MIN, STORE_LOOKS_MAX,
				   SUITE_LOOK_MIN, SUITE_LOOK_DEFAULT_MAX);
	if (strcmp(c->governors_asked, "available") && !strchr(c->governors, ','))
		return error_usage("until decided: '%s' alone has nothing to be compared with",
				   c->governors);
	if (!strcmp(c->order, "blocked"))
		return error_usage("until decided: not with the order 'blocked', which has no "
				   "blocks to look at before the end");
	return where_analysis(program);
}

int looks_design(struct session *s)
{
	const struct options *o = s->options;
	struct store_campaign *c = &s->campaign;
	int first = o->repeat_given ? (int)o->repeat : s->suite.repeat;
	int last = o->repeat_given ? (int)o->repeat_max : s->suite.repeat_max;

	c->repeat = first;
	if (!o->until_decided && !s->suite.until_decided)
		return last ? error_usage(
				      "repeat = %d..%d is for campaigns that end when all is "
				      "decided: 'stop = decided' in [suite], or --until-decided",
				      first, last)
			    : 0;
	c->repeat = last ? last : SUITE_LOOK_DEFAULT_MAX;
	if (o->model) {
		/* All of its blocks are computed at once. */
		if (!last && o->repeat_given)
			c->repeat = first;
		log_info("a simulation takes no looks: it has all %d repeats", c->repeat);
		return 0;
	}
	c->repeat_min = first;
	return check_design(c);
}

/* By governor of the plan; malloc'ed. */
static bool *offered_here(const struct session *s)
{
	bool *offered = calloc(s->plan.governors + 1, sizeof(*offered));

	for (size_t g = 0; offered && g < s->plan.governors; g++)
		offered[g] = session_offers(s, &(struct plan_cell){ .governor = g });
	return offered;
}

/* A cell that waits for another kernel waits no more when it is spared, from there or from here. */
static void apply_elsewhere(struct cells *cells, size_t i, bool spare)
{
	if (cells->done_here[i] || cells->spared[i] == spare)
		return;
	cells->spared[i] = spare;
	cells->pending = spare ? cells->pending - 1 : cells->pending + 1;
}

/* Cells from number @first on that are to do or spared become one or the other, and all of those
 * of governors that this kernel lacks. */
static int apply(const struct session *s, const struct store_looks *looks,
		 const struct campaign_done *done, struct cells *cells, size_t first)
{
	size_t columns = s->plan.governors * s->plan.cpufreqs;
	bool *offered = offered_here(s), *closed = NULL;

	if (offered)
		closed = looks_closed(&(struct looks_of){ &s->plan, s->campaign.reference,
							  s->campaign.repeat_min, looks, done,
							  offered });
	for (size_t i = 0; closed && i < s->plan.cells; i++) {
		const struct plan_cell *cell = &s->plan.cell[i];
		size_t column = cell->cpufreq * s->plan.governors + cell->governor;
		/* Up to repeat_min nothing is spared: nobody has looked. */
		bool spare = closed[cell->point * columns + column] &&
			     cell->repeat > s->campaign.repeat_min;

		if (!offered[cell->governor]) {
			apply_elsewhere(cells, i, spare);
		} else if (i >= first && (cells->todo[i] || cells->spared[i])) {
			cells->spared[i] = spare;
			cells->todo[i] = !spare;
		}
	}
	free(offered);
	if (!closed)
		return error_no_memory();
	free(closed);
	return 0;
}

/* A damaged one is as none. */
static void read_looks(const struct session *s, bool warn, struct store_looks *looks)
{
	*looks = (struct store_looks){ 0 };
	if (store_looks_read(s->dir, looks) && warn)
		log_warn("%s; looked at anew", error_text());
}

int looks_resume(const struct session *s, struct cells *cells)
{
	struct store_looks looks;
	int err;

	if (!s->campaign.repeat_min || !s->dir)
		return 0;
	read_looks(s, true, &looks);
	err = apply(s, &looks, &cells->done, cells, 0);
	store_looks_free(&looks);
	return err;
}

/* "two-cores work=0us teo us_per_loop worse +2.1 % (+1.2 to +3.0)" */
static void say_row(const struct store_looks *l, size_t row, bool aloud)
{
	bool curve = !strcmp(store_looks_text(l, row, "scope"), "curve");
	const char *point = curve ? "whole curve" : store_looks_text(l, row, "point");
	const char *cpufreq = store_looks_text(l, row, "cpufreq_governor");
	double pct, lo, hi;
	char text[400], range[80] = "";

	if (tsv_double(&l->tsv, row, tsv_column(&l->tsv, "diff_pct"), &pct) == 1 &&
	    tsv_double(&l->tsv, row, tsv_column(&l->tsv, "lo_pct"), &lo) == 1 &&
	    tsv_double(&l->tsv, row, tsv_column(&l->tsv, "hi_pct"), &hi) == 1)
		snprintf(range, sizeof(range), ", %+.2f %% (%+.2f to %+.2f)", pct, lo, hi);
	snprintf(text, sizeof(text), "decided after %s blocks: %s%s%s %s%s%s %s: %s%s",
		 store_looks_text(l, row, "blocks"), store_looks_text(l, row, "section"),
		 *point ? " " : "", point, store_looks_text(l, row, "governor"),
		 *cpufreq ? "+" : "", cpufreq, store_looks_text(l, row, "metric"),
		 store_looks_text(l, row, "verdict"), range);
	if (aloud)
		log_info("%s", text);
	else
		log_note("%s", text);
}

static bool was_decided(const struct store_looks *l, size_t row)
{
	for (size_t i = l->before; i < l->first; i++)
		if (store_looks_same(l, i, row))
			return store_looks_decided(l, i);
	return false;
}

static void say(const struct store_looks *l)
{
	size_t news = 0;

	if (!l->compared) {
		log_warn("nothing can be compared: no run of another governor, or no value of a "
			 "headline metric or package power; what was measured is not repeated");
		return;
	}
	for (size_t row = l->first; row < l->tsv.rows; row++)
		if (store_looks_decided(l, row) && !was_decided(l, row))
			say_row(l, row, news++ < SAID_MAX);
	if (news > SAID_MAX)
		log_info("and %zu more, see the log", news - SAID_MAX);
	log_info("look %zu, after %llu repeats: %zu of %zu comparisons decided", l->looks,
		 (unsigned long long)l->repeat, l->compared - l->open, l->compared);
}

/* The campaign has not changed since the last look, or was interrupted behind it and is not at its
 * @end: the last look has all runs, of earlier repeats that were made late as well. */
static bool is_looked_at(const struct store_looks *l, const char *boot, int repeat, size_t runs,
			 bool end)
{
	if (!l->looks)
		return false;
	return l->runs == runs || (!end && !strcmp(store_looks_text(l, l->first, "boot"), boot) &&
				   l->repeat >= (uint64_t)repeat);
}

static int ask(const struct session *s, struct store_looks *looks, const char *boot, int repeat,
	       size_t runs)
{
	char *arguments[] = { (char[]){ "decide" }, s->dir, NULL }, *text;
	size_t size;
	int err = ask_analysis(arguments, &text, &size);

	if (err)
		return err;
	err = store_looks_add(s->dir, looks, boot, repeat, runs, text);
	free(text);
	if (err)
		return err;
	store_looks_free(looks);
	err = store_looks_read(s->dir, looks);
	if (!err && looks->looks)
		say(looks);
	return err;
}

int looks_take(const struct session *s, struct cells *cells, int repeat, size_t first)
{
	struct campaign_done done = { 0 };
	struct store_looks looks;
	char boot[256];
	int err = host_boot_name(&s->root, boot, sizeof(boot));

	if (!err)
		err = campaign_scan(s->dir, NULL, &done);
	if (err)
		return err;
	read_looks(s, false, &looks); /* looks_resume() has warned */
	if (!is_looked_at(&looks, boot, repeat, done.n, first == s->plan.cells)) {
		err = ask(s, &looks, boot, repeat, done.n);
		if (!err)
			err = apply(s, &looks, &done, cells, first);
	}
	if (err && err != -EINTR && err != -ENOMEM) {
		log_warn("the look after %d repeats failed: %s", repeat, error_text());
		err = 0;
	}
	store_looks_free(&looks);
	campaign_done_free(&done);
	return err;
}
