/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two curves of a run over time. Rings and threads have a series each, "ring0.loop_us": what
 * has the same name behind the dot as the first is one curve.
 */
#include "analysis/steady.h"
#include "lib/wrap.h"
#include "lib/zone.h"
#include "store/format.h"
#include <errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#define ENERGY "energy:"

struct curve {
	double *t_ns, *value;
	size_t n;
};

static struct curve curve_of(struct pool *pool, size_t n)
{
	return (struct curve){ pool_alloc(pool, n + 1, sizeof(double)),
			       pool_alloc(pool, n + 1, sizeof(double)), 0 };
}

/* "loop_us" of "ring0.loop_us", also behind "ping-pong:ring0.". */
static const char *suffix(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

static int read_series(const struct tsv *tsv, struct curve *curve)
{
	int t = tsv_column(tsv, "t_ns"), name = tsv_column(tsv, "name");
	int value = tsv_column(tsv, "value"), known;
	uint64_t t_ns;

	if (t < 0 || name < 0 || value < 0)
		return -EBADMSG;
	for (size_t row = 0; row < tsv->rows; row++) {
		double *at = &curve->value[curve->n];

		if (strcmp(suffix(tsv_text(tsv, row, name)), suffix(tsv_text(tsv, 0, name))))
			continue;
		known = tsv_double(tsv, row, value, at);
		if (known < 0 || tsv_u64(tsv, row, t, &t_ns) < 0)
			return -EBADMSG;
		if (known != 1 || !isfinite(*at) || tsv_u64(tsv, row, t, &t_ns) != 1)
			continue;
		curve->t_ns[curve->n++] = (double)t_ns;
	}
	gsl_sort2(curve->t_ns, 1, curve->value, 1, curve->n);
	return 0;
}

static int load_series(struct result *r, const char *dir, struct pool *scratch,
		       struct loaded_run *run)
{
	struct curve curve;
	struct tsv tsv;
	int got = load_open_table(dir, STORE_SERIES, &tsv);

	if (got <= 0)
		return got;
	curve = curve_of(scratch, tsv.rows);
	got = read_series(&tsv, &curve);
	if (!got && tsv.rows) {
		run->series_name =
			pool_copy(&r->pool, suffix(tsv_text(&tsv, 0, tsv_column(&tsv, "name"))));
		run->series = steady_judge(curve.t_ns, curve.value, curve.n, STEADY_SERIES_PCT);
	}
	tsv_free(&tsv);
	return got;
}

/* Range of a zone's counter, 0 = unknown. */
static uint64_t range_of(const struct tsv *energy, const char *label)
{
	int name = tsv_column(energy, "label"), range = tsv_column(energy, "range_uj");
	uint64_t value;

	for (size_t row = 0; name >= 0 && range >= 0 && row < energy->rows; row++)
		if (!strcmp(tsv_text(energy, row, name), label) &&
		    tsv_u64(energy, row, range, &value) == 1)
			return value;
	return 0;
}

/* The columns of the zones that package power is the sum of; returns how many. */
static size_t package_columns(const struct tsv *samples, struct pool *scratch, int *ret)
{
	const char **label = pool_alloc(scratch, samples->columns + 1, sizeof(*label));
	int *column = pool_alloc(scratch, samples->columns + 1, sizeof(*column));
	size_t n = 0, used = 0;

	for (size_t c = 0; c < samples->columns; c++) {
		if (strncmp(samples->cell[c], ENERGY, strlen(ENERGY)))
			continue;
		column[n] = (int)c;
		label[n++] = samples->cell[c] + strlen(ENERGY);
	}
	for (size_t i = 0; i < n; i++)
		if (zone_in_package_sum(label, n, i))
			ret[used++] = column[i];
	return used;
}

/* W between the last complete row and this one; false when one of them is not. */
static bool step_watts(const struct tsv *samples, const int *column, const uint64_t *range,
		       size_t zones, size_t last, size_t row, double dt_ns, double *ret)
{
	double uj = 0;

	for (size_t z = 0; z < zones; z++) {
		uint64_t a, b, step;

		if (tsv_u64(samples, last, column[z], &a) != 1 ||
		    tsv_u64(samples, row, column[z], &b) != 1 || wrap_delta(a, b, range[z], &step))
			return false;
		uj += (double)step;
	}
	*ret = uj * 1000 / dt_ns;
	return true;
}

static void read_watts(const struct tsv *samples, const struct tsv *energy, struct pool *scratch,
		       struct curve *curve)
{
	int *column = pool_alloc(scratch, samples->columns + 1, sizeof(*column));
	uint64_t *range = pool_alloc(scratch, samples->columns + 1, sizeof(*range)), t0, t1;
	size_t zones = package_columns(samples, scratch, column), z;
	int t = tsv_column(samples, "t_ns");

	for (z = 0; z < zones; z++)
		range[z] = range_of(energy, samples->cell[column[z]] + strlen(ENERGY));
	for (size_t row = 1; zones && row < samples->rows; row++) {
		if (tsv_u64(samples, row - 1, t, &t0) != 1 || tsv_u64(samples, row, t, &t1) != 1 ||
		    t1 <= t0 ||
		    !step_watts(samples, column, range, zones, row - 1, row, (double)(t1 - t0),
				&curve->value[curve->n]))
			continue;
		curve->t_ns[curve->n++] = (double)t1;
	}
}

static int load_watts(const char *dir, struct pool *scratch, struct loaded_run *run)
{
	struct tsv energy, samples;
	struct curve curve;
	int got = load_open_table(dir, STORE_ENERGY, &energy);

	if (got <= 0)
		return got;
	got = load_open_table(dir, STORE_SAMPLES, &samples);
	if (got > 0) {
		curve = curve_of(scratch, samples.rows);
		read_watts(&samples, &energy, scratch, &curve);
		run->watts = steady_judge(curve.t_ns, curve.value, curve.n, STEADY_POWER_PCT);
		tsv_free(&samples);
		got = 0;
	}
	tsv_free(&energy);
	return got;
}

int steady_load(struct result *result, const char *dir, struct loaded_run *run)
{
	struct pool scratch = { 0 };
	int err = load_series(result, dir, &scratch, run);

	if (!err)
		err = load_watts(dir, &scratch, run);
	pool_free(&scratch);
	if (err)
		return err;
	if (run->series.drifts)
		load_note(result, run, "not settled: the headline drifted during the run");
	if (run->watts.drifts)
		load_note(result, run, "not settled: package power drifted during the run");
	run->unsettled = run->series.drifts || run->watts.drifts;
	return 0;
}
