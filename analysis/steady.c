/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block means of one run are neither independent nor normal (a scheduler's bad second spoils many).
 * Twenty medians over time are nearly both, so that a rank test on them keeps its word.
 */
#include "analysis/steady.h"
#include "analysis/robust.h"
#include "lib/tsv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *room(size_t n)
{
	double *value = calloc(n + 1, sizeof(*value));

	if (!value)
		abort(); /* as all of a report, see analysis/pool.h */
	return value;
}

/* Medians of the parts of the time, and the middles of the parts in runs from 0 to 1. */
static size_t bin_medians(const double *t_ns, const double *value, size_t n, double *ret_at,
			  double *ret_median)
{
	size_t bins = n < STEADY_BINS ? n : STEADY_BINS, filled = 0, i = 0, b;
	double first = n ? t_ns[0] : 0, span = n ? t_ns[n - 1] - first : 0;

	for (b = 0; span > 0 && b < bins; b++) {
		double end = first + span * (double)(b + 1) / (double)bins;
		size_t from = i;

		while (i < n && (t_ns[i] < end || b + 1 == bins))
			i++;
		if (i == from)
			continue;
		ret_at[filled] = ((double)b + 0.5) / (double)bins;
		ret_median[filled++] = robust_median(value + from, i - from);
	}
	return filled;
}

struct steady steady_judge(const double *t_ns, const double *value, size_t n, double limit_pct)
{
	struct steady s = { .first = NAN, .second = NAN, .drift_pct = NAN, .p = NAN };
	double at[STEADY_BINS], median[STEADY_BINS], base;
	size_t bins = bin_medians(t_ns, value, n, at, median);

	if (bins < ROBUST_TREND_MIN)
		return s;
	s.known = true;
	s.first = robust_median(median, bins / 2);
	s.second = robust_median(median + (bins + 1) / 2, bins / 2);
	base = fabs(robust_median(median, bins));
	s.drift_pct = base > 0 ? robust_line(at, median, bins, 0).slope / base * 100 : NAN;
	s.p = robust_trend_p(median, bins);
	s.drifts = s.p < STEADY_ALPHA && fabs(s.drift_pct) > limit_pct;
	return s;
}

/* Temperature at a run's end, NAN where there was no sensor. */
static double end_temperature(const struct loaded_run *run)
{
	const char *text = run->info.temperature_end_c;
	char *end;
	double value;

	if (!text || !*text)
		return NAN;
	value = strtod(text, &end);
	return *end || !isfinite(value) ? NAN : value;
}

static void judge_cell(struct result *result, const struct cell *cell)
{
	double *warm = room(cell->n), median;
	size_t n = 0;

	for (size_t i = 0; i < cell->n; i++)
		if (!isnan(end_temperature(&result->run[cell->run[i]])))
			warm[n++] = end_temperature(&result->run[cell->run[i]]);
	median = robust_median(warm, n);
	for (size_t i = 0; n >= STATS_N_MIN && i < cell->n; i++) {
		struct loaded_run *run = &result->run[cell->run[i]];

		if (!(end_temperature(run) < median - STEADY_COLDER_C))
			continue;
		run->unsettled = true;
		load_note(result, run,
			  "not settled: the package ended colder than in the other repeats");
	}
	free(warm);
}

void steady_temperatures(struct result *result, const struct table *table,
			 const struct section *section)
{
	for (size_t i = 0; section->metrics && i < section->points * table->columns; i++)
		judge_cell(result, &section->measure[0].cell[i]);
}

static void put_row(const struct table *t, const struct section *s, const struct loaded_run *run,
		    const char *series, const struct steady *steady, FILE *out)
{
	const char *const text[] = { s->name, run->info.point,
				     t->column[section_column_of(t, run)].name };

	if (!steady->known)
		return;
	tsv_put_cells(out, text, 3);
	fprintf(out, "\t%d\t", run->info.repeat);
	tsv_put(out, series);
	fprintf(out, "\t%.10g\t%.10g\t%.4g\t%.3g\t%s\n", steady->first, steady->second,
		steady->drift_pct, steady->p, steady->drifts ? "no" : "yes");
}

void steady_write(const struct table *table, FILE *out)
{
	const struct result *r = table->result;

	fputs("section\tpoint\tgovernor\trepeat\tseries\tfirst_half\tsecond_half\tdrift_pct\tp\t"
	      "settled\n",
	      out);
	for (size_t i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (size_t j = 0; j < r->runs; j++) {
			if (r->run[j].info.state != STORE_COMPLETE ||
			    strcmp(r->run[j].info.section, s->name))
				continue;
			put_row(table, s, &r->run[j], r->run[j].series_name, &r->run[j].series,
				out);
			put_row(table, s, &r->run[j], "package_w", &r->run[j].watts, out);
		}
	}
}
