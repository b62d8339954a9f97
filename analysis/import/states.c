/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of states that another tool has worked out: share of the window, mean stay in ms, number
 * of stays, too deep (over) and too shallow (under). It does not tell the window, but the state
 * with the largest share does: mean times count is its time. The other rows must agree with that.
 */
#include "analysis/import/table.h"
#include "lib/error.h"
#include <math.h>
#include <string.h>

struct state_row {
	double share_pct, share_doubt, mean_ms, mean_doubt;
	uint64_t count, over, under;
	bool misses;
	int state;
	size_t line;
};

struct variant {
	struct import_run *run;
	struct state_row row[IMPORT_STATES_MAX];
	size_t rows;
	int states; /* rows of the table, unfit ones as well */
};

bool import_states_detect(const struct import_head *head)
{
	static const char *const needed[] = { "variant", "state", "ratio_pct", "avg_ms", "count" };
	char line[4096], *name[LINES_CELLS_MAX + 1];
	size_t n;

	if (head->folder)
		return false;
	n = table_header(head->text, line, name);
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (lines_find(name, n, needed[i]) < 0)
			return false;
	return n <= LINES_CELLS_MAX;
}

/* Why the row is unfit; NULL when it is not. */
static const char *read_row(struct table_file *t, struct state_row *r)
{
	const char *over = table_text(t, "over_n"), *under = table_text(t, "under_n");
	const char *over_pct = table_text(t, "over_pct"), *under_pct = table_text(t, "under_pct");

	*r = (struct state_row){ .line = t->lines.number };
	if (!table_number(t, "ratio_pct", &r->share_pct) ||
	    !table_number(t, "avg_ms", &r->mean_ms) || r->share_pct < 0 || r->mean_ms < 0 ||
	    !lines_u64(table_text(t, "count"), &r->count))
		return "share, mean or count is not there";
	r->share_doubt = lines_rounding(table_text(t, "ratio_pct"));
	r->mean_doubt = lines_rounding(table_text(t, "avg_ms"));
	r->misses = lines_u64(over, &r->over) && lines_u64(under, &r->under);
	if (!r->misses)
		return NULL;
	if (r->over > r->count || r->under > r->count - r->over)
		return "over + under are more than count";
	if (r->count && *over_pct &&
	    !table_agrees(over_pct, 100.0 * (double)r->over / (double)r->count, 0))
		return "over_pct is not what the counts give";
	if (r->count && *under_pct &&
	    !table_agrees(under_pct, 100.0 * (double)r->under / (double)r->count, 0))
		return "under_pct is not what the counts give";
	return NULL;
}

static struct variant *variant_of(struct table_file *t, struct variant **variant, size_t *n)
{
	struct import_source *s = t->source;
	const char *label = import_word(s->pool, table_text(t, "variant"));
	struct import_run *run;

	for (size_t i = 0; i < *n; i++)
		if (!strcmp(s->run[i].label, label))
			return &(*variant)[i];
	run = import_run_add(s, t->lines.number);
	if (!run)
		return NULL;
	run->label = label;
	run->section = s->label;
	*variant = pool_room(s->pool, *variant, *n, sizeof(**variant));
	(*variant)[*n] = (struct variant){ 0 };
	return &(*variant)[(*n)++];
}

static double time_ms(const struct state_row *r)
{
	return r->mean_ms * (double)r->count;
}

/* The window in ms, by the state whose share is the largest; NAN when there is none. */
static double window_of(const struct variant *v)
{
	const struct state_row *most = NULL;

	for (size_t i = 0; i < v->rows; i++)
		if (v->row[i].count && (!most || v->row[i].share_pct > most->share_pct))
			most = &v->row[i];
	return most && most->share_pct > 0 && time_ms(most) > 0
		       ? time_ms(most) / (most->share_pct / 100)
		       : NAN;
}

static bool agrees(const struct state_row *r, double window_ms)
{
	double doubt = r->mean_doubt * (double)r->count / window_ms * 100;

	return isnan(window_ms) ||
	       fabs(time_ms(r) / window_ms * 100 - r->share_pct) <= 1.01 * (r->share_doubt + doubt);
}

static void add_state(struct import_source *s, struct import_run *run, const struct state_row *r,
		      double window_ms)
{
	if (!agrees(r, window_ms)) {
		import_fault(
			s, r->line,
			"mean times count is %.3f s, which is not %g %% of a window of %.1f s: "
			"left out",
			time_ms(r) / 1000, r->share_pct, window_ms / 1000);
		return;
	}
	import_idle_add(s->pool, run,
			&(struct import_idle){
				.state = r->state,
				.t1_ns = isnan(window_ms) ? 0 : (uint64_t)llround(window_ms * 1e6),
				.last = { r->count, (uint64_t)llround(time_ms(r) * 1000), r->over,
					  r->under },
				.have = { true, true, r->misses, r->misses },
			});
}

static void finish(struct import_source *s, const struct variant *variant, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double window_ms = window_of(&variant[i]);

		for (size_t j = 0; j < variant[i].rows; j++)
			add_state(s, &s->run[i], &variant[i].row[j], window_ms);
		import_metric_add(s->pool, &s->run[i], "window_s", "s", "none", window_ms / 1000);
	}
	import_doubt(s, "the table tells neither CPUs nor window: its states stand under CPU 0, "
			"the window follows from the state with the largest share");
	import_check(s);
}

int import_states_parse(struct import_source *source)
{
	struct variant *variant = NULL;
	struct table_file *t;
	int err = table_open(source, &t);
	size_t n = 0;

	if (err)
		return err;
	while (table_next(t)) {
		struct variant *v = variant_of(t, &variant, &n);
		const char *why;

		if (!v || v->states == IMPORT_STATES_MAX)
			continue;
		import_put(source, t->lines.number, 0, v->states, "name", table_text(t, "state"));
		why = read_row(t, &v->row[v->rows]);
		v->row[v->rows].state = v->states++;
		if (why)
			import_fault(source, t->lines.number, "%s: left out", why);
		else
			v->rows++;
	}
	table_close(t);
	finish(source, variant, n);
	return 0;
}
