/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts what came of comparing a governor with itself. Measures of one run hang together (loops a
 * second and loop time), so the share that is flagged may stray further from 5 % than the number of
 * comparisons suggests.
 */
#include "analysis/control.h"
#include "lib/tsv.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

bool control_is(const struct table *table, size_t column)
{
	const struct column *c = &table->column[column], *with;

	if (c->reference == NO_COLUMN || c->reference == column)
		return false;
	with = &table->column[c->reference];
	/* The same name on another kernel, or of another result, need not be the same governor. */
	return !strcmp(c->governor, with->governor) && !strcmp(c->kernel, with->kernel) &&
	       !strcmp(c->machine, with->machine) &&
	       load_same_side(table->result, c->source, with->source);
}

static bool counts(const struct measure *m, const struct difference *d)
{
	return (m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
	       m->better != BETTER_IS_NONE && d->tested && d->runs >= STATS_N_MIN;
}

void control_count(const struct table *table, const struct section *section, size_t column,
		   struct control *ret)
{
	struct control c = { .median_pct = NAN, .largest_pct = NAN };
	struct pool scratch = { 0 };
	double *pct = pool_alloc(&scratch, section->measures * section->points + 1, sizeof(*pct));
	size_t percents = 0, m, i;

	for (m = 0; m < section->measures; m++) {
		for (i = 0; i < section->points; i++) {
			const struct difference *d =
				&section_cell(table, &section->measure[m], i, column)->difference;

			if (!counts(&section->measure[m], d))
				continue;
			if (d->known) /* not against a reference of 0 */
				pct[percents++] = fabs(d->pct);
			c.compared++;
			c.flagged += d->p < STATS_ALPHA;
			c.verdicts += d->verdict == VERDICT_BETTER || d->verdict == VERDICT_WORSE;
		}
	}
	if (percents) {
		gsl_sort(pct, 1, percents);
		c.median_pct = gsl_stats_median_from_sorted_data(pct, 1, percents);
		c.largest_pct = pct[percents - 1];
	}
	pool_free(&scratch);
	*ret = c;
}

static void put_row(const struct table *t, const struct section *s, const struct measure *m,
		    size_t point, size_t column, FILE *out)
{
	const struct difference *d = &section_cell(t, m, point, column)->difference;
	const char *const text[] = { s->name, s->point[point].name, t->column[column].name,
				     m->name };

	if (!counts(m, d))
		return;
	tsv_put_cells(out, text, 4);
	fprintf(out, "\t%zu\t", d->runs);
	if (d->known)
		fprintf(out, "%.10g", d->pct);
	fprintf(out, "\t%.10g\t%.10g\t%s\n", d->p, d->p_holm, section_verdict_text(d->verdict));
}

void control_write(const struct table *table, FILE *out)
{
	size_t i, c, m, p;

	fputs("section\tpoint\tgovernor\tmetric\tn\tdiff_pct\tp\tp_holm\tverdict\n", out);
	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (c = 0; c < table->columns; c++)
			for (m = 0; control_is(table, c) && m < s->measures; m++)
				for (p = 0; p < s->points; p++)
					put_row(table, s, &s->measure[m], p, c, out);
	}
}
