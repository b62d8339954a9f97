/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of latency.tsv, a panel each: of one point by role (record, overshoot), of a sweep
 * the first role at a few of its points. Runs of a governor are pooled here, because a tail is made
 * of few events; what is compared elsewhere is the run.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include "analysis/figure_timeline.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANELS_MAX 4
#define STEP_PCT 0.2 /* rows that say less than this and less than ... */
#define STEP_RATIO 1.1 /* ... this along x are left out */

struct bucket {
	double lo_ns, hi_ns, count;
};

struct curve {
	struct bucket *bucket;
	size_t n;
	double count;
};

/* What a panel shows. */
struct panel {
	size_t point;
	const char *role, *name;
};

/* "ring" of "ring0": the threads and rings of one kind are one distribution. */
static const char *role_kind(struct pool *pool, const char *role)
{
	size_t n = strlen(role);

	while (n && isdigit((unsigned char)role[n - 1]))
		n--;
	return pool_text(pool, "%.*s", (int)n, role);
}

static bool is_kind(const char *role, const char *kind)
{
	size_t n = strlen(kind);

	return !strncmp(role, kind, n) && strspn(role + n, "0123456789") == strlen(role + n);
}

static bool is_at(const struct table *t, const struct figure *f, const struct loaded_run *run,
		  size_t point, size_t column)
{
	return run->info.state == STORE_COMPLETE && !strcmp(run->info.section, f->section->name) &&
	       !strcmp(run->info.point, f->section->point[point].name) &&
	       section_column_of(t, run) == column;
}

static void add_run(const struct table *t, const struct loaded_run *run, const char *role,
		    struct curve *curve)
{
	struct tsv tsv;
	int name, lo, hi, count;
	size_t row;

	if (!figure_open_table(t, run, STORE_LATENCY, &tsv))
		return;
	name = tsv_column(&tsv, "role");
	lo = tsv_column(&tsv, "lo_ns");
	hi = tsv_column(&tsv, "hi_ns");
	count = tsv_column(&tsv, "count");
	for (row = 0; row < tsv.rows; row++) {
		struct bucket b;

		if (!is_kind(tsv_text(&tsv, row, name), role) ||
		    tsv_double(&tsv, row, lo, &b.lo_ns) != 1 ||
		    tsv_double(&tsv, row, hi, &b.hi_ns) != 1 ||
		    tsv_double(&tsv, row, count, &b.count) != 1)
			continue;
		curve->bucket = pool_room(t->pool, curve->bucket, curve->n, sizeof(*curve->bucket));
		curve->bucket[curve->n++] = b;
		curve->count += b.count;
	}
	error_clear();
	tsv_free(&tsv);
}

static int by_end(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	return x->hi_ns < y->hi_ns ? -1 : x->hi_ns > y->hi_ns;
}

static struct curve curve_of(const struct table *t, const struct figure *f, const struct panel *p,
			     size_t column)
{
	const struct result *r = t->result;
	struct curve curve = { 0 };
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (is_at(t, f, &r->run[i], p->point, column))
			add_run(t, &r->run[i], p->role, &curve);
	if (curve.n)
		qsort(curve.bucket, curve.n, sizeof(*curve.bucket), by_end);
	return curve;
}

/* Kinds of roles of the first run that has some, at most PANELS_MAX. */
static size_t roles(const struct table *t, const struct figure *f, const char *role[PANELS_MAX])
{
	const struct result *r = t->result;
	size_t n = 0, i, j, row;
	struct tsv tsv;

	for (i = 0; !n && i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if (run->info.state != STORE_COMPLETE ||
		    strcmp(run->info.section, f->section->name) ||
		    !figure_open_table(t, run, STORE_LATENCY, &tsv))
			continue;
		for (row = 0; row < tsv.rows && n < PANELS_MAX; row++) {
			const char *name = tsv_text(&tsv, row, tsv_column(&tsv, "role"));

			for (j = 0; j < n && !is_kind(name, role[j]); j++)
				;
			if (j == n && *name)
				role[n++] = role_kind(t->pool, name);
		}
		error_clear();
		tsv_free(&tsv);
	}
	return n;
}

static size_t panels_of(const struct table *t, const struct figure *f,
			struct panel panel[PANELS_MAX])
{
	const char *role[PANELS_MAX];
	size_t n = roles(t, f, role), points = f->facet->points, i, at;

	if (!n)
		return 0;
	if (points > 1)
		n = points < PANELS_MAX ? points : PANELS_MAX;
	for (i = 0; i < n; i++) {
		at = f->facet->point[points > 1 ? i * (points - 1) / (n - 1) : 0];
		panel[i].point = at;
		panel[i].role = role[points > 1 ? 0 : i];
		panel[i].name = points > 1 ? pool_text(t->pool, "%s, %s", panel[i].role,
						       f->section->point[at].name)
					   : panel[i].role;
	}
	return n;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	struct panel panel[PANELS_MAX];

	return panels_of(t, f, panel) ? NULL : "no latency.tsv with a bucket in any complete run";
}

static const char *what(const struct table *t, const struct figure *f)
{
	(void)t;
	return f->facet->points > 1 ? "Distribution at some points (us, lower is better)"
				    : "Distribution (us, lower is better)";
}

static const char *legend(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "share of the events that took at most x; %s, pooled",
			 describe_runs(t, f->section));
}

static int height(const struct table *t, const struct figure *f)
{
	struct panel panel[PANELS_MAX];
	size_t n = panels_of(t, f, panel);

	return n <= 1 ? 460 : 190 + 283 * (int)((n + 1) / 2);
}

/* Returns how many places of the curve there are; of no events there is none. */
static size_t put_curve(const struct table *t, const struct panel *p, size_t column,
			const struct curve *curve, FILE *out)
{
	double sum = 0, said_pct = 0, said_ns = 0;
	size_t i, n = 0;

	for (i = 0; curve->count > 0 && i < curve->n; i++) {
		const struct bucket *b = &curve->bucket[i];
		double pct;

		sum += b->count;
		if (i + 1 < curve->n && curve->bucket[i + 1].hi_ns == b->hi_ns)
			continue; /* the same bucket of another run */
		pct = 100 * sum / curve->count;
		if (!said_ns)
			fprintf(out, "%s\t%s\t%.10g\t0\t0\n", p->name, t->column[column].name,
				fmax(b->lo_ns, 1) / 1e3);
		else if (i + 1 < curve->n && pct < said_pct + STEP_PCT &&
			 b->hi_ns < said_ns * STEP_RATIO)
			continue;
		fprintf(out, "%s\t%s\t%.10g\t%.6g\t%.10g\n", p->name, t->column[column].name,
			b->hi_ns / 1e3, pct, sum);
		said_pct = pct;
		said_ns = b->hi_ns;
		n++;
	}
	return n;
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	struct panel panel[PANELS_MAX];
	size_t n = panels_of(t, f, panel), i, c, drawn = 0;

	fputs("panel\tgovernor\tus\tpct\tcount\n", out);
	for (i = 0; i < n; i++) {
		for (c = 0; c < t->columns; c++) {
			struct curve curve = curve_of(t, f, &panel[i], c);

			drawn += put_curve(t, &panel[i], c, &curve, out);
		}
	}
	return drawn;
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	struct panel panel[PANELS_MAX];
	const char *name[PANELS_MAX];
	size_t n = panels_of(t, f, panel), i;

	for (i = 0; i < n; i++)
		name[i] = panel[i].name;
	figure_put_list(out, "panel_name", name, n);
	figure_put_text(out, "x_label", "time (us)");
	figure_put_text(out, "y_label", "% of events at most x");
}

static const char *script(const struct figure *f)
{
	(void)f;
	return "distribution";
}

const struct figure_drawing figure_latency = {
	unfit, what, legend, height, data, variables, script
};
