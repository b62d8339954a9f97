/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only what is judged first is looked at; of a dozen metrics one would stray in every campaign. */
#include "analysis/outlier.h"
#include "analysis/describe.h"
#include "analysis/robust.h"
#include <math.h>

void outlier_scores(const double *value, size_t n, double *ret_z)
{
	double median = robust_median(value, n), sigma = robust_sigma(value, n), mean = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += fabs(value[i] - median) / (double)n;
	if (!(sigma > 0))
		sigma = mean / 0.7979;
	for (i = 0; i < n; i++)
		ret_z[i] = sigma > 0 ? (value[i] - median) / sigma : 0;
}

static void note_cell(struct result *r, const struct measure *m, const struct cell *cell)
{
	struct pool scratch = { 0 };
	double *z, median = cell->estimate.median;
	char value[DESCRIBE_NUMBER_MAX], middle[DESCRIBE_NUMBER_MAX];
	size_t i;

	if (cell->n < STATS_N_MIN)
		return;
	z = pool_alloc(&scratch, cell->n, sizeof(*z));
	outlier_scores(cell->value, cell->n, z);
	for (i = 0; i < cell->n; i++) {
		if (fabs(z[i]) <= OUTLIER_LIMIT(cell->n) ||
		    fabs(cell->value[i] - median) <= fabs(median) * m->threshold_pct / 100)
			continue;
		load_note(r, &r->run[cell->run[i]],
			  pool_text(&r->pool,
				    "outlier: %s %s among %zu runs with median %s (modified z "
				    "%.1f); it is in the summary",
				    m->name, describe_number(cell->value[i], 5, value), cell->n,
				    describe_number(median, 5, middle), z[i]));
	}
	pool_free(&scratch);
}

void outlier_note(struct result *result, const struct table *table)
{
	size_t i, m, k;

	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (m = 0; m < s->measures; m++)
			for (k = 0; section_is_scored(s, m) && k < s->points * table->columns; k++)
				note_cell(result, &s->measure[m], &s->measure[m].cell[k]);
	}
}
