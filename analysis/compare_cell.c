/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentages are ratios: values are compared by their logarithms, so that the interval holds the
 * uncertainty of both sides. Values that are not above 0 have no logarithm; their shift is divided
 * by the reference's median, and a bootstrap over blocks gives the interval of that ratio. Where
 * that median is 0 the shift itself stands for it: the test of ranks needs no ratio.
 */
#include "analysis/bootstrap.h"
#include "analysis/compare.h"
#include "analysis/spending.h"
#include "analysis/stratified.h"
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define REST INT_MAX /* the block of runs whose own block holds one side only */
#define POWER 0.8

static bool has_block(const struct cell *cell, int block)
{
	size_t i;

	for (i = 0; i < cell->n; i++)
		if (cell->block[i] == block)
			return true;
	return false;
}

/* Blocks in which both sides have a run. */
static size_t common_blocks(const struct cell *a, const struct cell *b)
{
	size_t i, j, n = 0;

	for (i = 0; i < a->n; i++) {
		for (j = 0; j < i && a->block[j] != a->block[i]; j++)
			;
		n += j == i && has_block(b, a->block[i]);
	}
	return n;
}

static bool have_logs(const struct cell *a, const struct cell *b)
{
	return a->estimate.min > 0 && b->estimate.min > 0;
}

/* How runs are put into blocks. */
enum blocking {
	ONE_BLOCK, /* all runs */
	OWN_BLOCKS, /* as measured; blocks with one side drop out */
	BLOCKS_AND_REST, /* as measured, and one more of the runs that would drop out */
};

static enum blocking blocking_of(const struct cell *reference, const struct cell *cell,
				 bool in_blocks)
{
	if (!in_blocks)
		return ONE_BLOCK;
	return common_blocks(reference, cell) < STATS_N_MIN ? BLOCKS_AND_REST : OWN_BLOCKS;
}

static void put_runs(struct stratified_run *run, const struct cell *cell, const struct cell *other,
		     enum blocking blocking, bool logs)
{
	size_t i;

	for (i = 0; i < cell->n; i++) {
		run[i].value = logs ? log(cell->value[i]) : cell->value[i];
		run[i].block = blocking == ONE_BLOCK ? 0 : cell->block[i];
		if (blocking == BLOCKS_AND_REST && !has_block(other, cell->block[i]))
			run[i].block = REST;
	}
}

/* malloc'ed; NULL when out of memory */
static struct stratified_run *runs_of(const struct cell *reference, const struct cell *cell,
				      enum blocking blocking, bool logs)
{
	struct stratified_run *run = calloc(reference->n + cell->n, sizeof(*run));
	size_t i;

	if (!run)
		return NULL;
	put_runs(run, reference, cell, blocking, logs);
	put_runs(run + reference->n, cell, reference, blocking, logs);
	for (i = 0; i < cell->n; i++)
		run[reference->n + i].test = true;
	return run;
}

/* Blocks that a sequential campaign had at this look. */
static size_t look_of(const struct cell *reference, const struct cell *cell, enum blocking blocking)
{
	if (blocking == OWN_BLOCKS)
		return common_blocks(reference, cell);
	return reference->n < cell->n ? reference->n : cell->n;
}

static void take_test(struct difference *d, const struct stratified *s, bool blocked)
{
	d->p = spending_p(d->spending, d->look, s->p);
	d->p_holm = d->p;
	d->p_min = s->p_min;
	d->level = s->level;
	d->error = s->error;
	d->freedom = s->freedom;
	d->interval = s->interval;
	d->runs = s->reference < s->test ? s->reference : s->test;
	d->blocked = blocked;
}

/* The runs of all blocks, for drawing blocks. */
struct drawing {
	const struct stratified_run *run; /* by block */
	size_t n;
	const size_t *first; /* of block i; first[blocks] = n */
	struct stratified_run *drawn;
	size_t room;
	double *reference; /* room for the reference's values */
};

/* Shift in percent of the reference's median, of the blocks drawn. */
static double shift_pct(const size_t *pick, size_t blocks, void *arg)
{
	const struct drawing *w = arg;
	struct stratified s;
	size_t n = 0, references = 0, i, j;
	double median;

	for (i = 0; i < blocks; i++) {
		for (j = w->first[pick[i]]; j < w->first[pick[i] + 1] && n < w->room; j++) {
			w->drawn[n] = w->run[j];
			w->drawn[n++].block = (int)i;
			if (!w->run[j].test)
				w->reference[references++] = w->run[j].value;
		}
	}
	if (!references || stratified_compare(w->drawn, n, STATS_ALPHA, &s))
		return NAN;
	gsl_sort(w->reference, 1, references);
	median = gsl_stats_median_from_sorted_data(w->reference, 1, references);
	return median == 0 ? NAN : s.shift / fabs(median) * 100;
}

static size_t largest_block(const size_t *first, size_t blocks)
{
	size_t largest = 0, i;

	for (i = 0; i < blocks; i++)
		largest = first[i + 1] - first[i] > largest ? first[i + 1] - first[i] : largest;
	return largest;
}

/* @run as stratified_compare() leaves it: the runs that count in front, sorted by block. */
static int bootstrap_pct(const struct stratified_run *run, size_t n, double alpha, uint64_t seed,
			 struct difference *d)
{
	size_t *first = calloc(n + 1, sizeof(*first)), blocks = 0, i;
	struct drawing w = { .run = run, .n = n, .first = first };
	struct bootstrap b = { 0 };
	int err = -ENOMEM;

	for (i = 0; first && i < n; i++)
		if (!i || run[i].block != run[i - 1].block)
			first[blocks++] = i;
	if (first) {
		first[blocks] = n;
		w.room = blocks * largest_block(first, blocks);
		w.drawn = calloc(w.room + 1, sizeof(*w.drawn));
		w.reference = calloc(w.room + 1, sizeof(*w.reference));
	}
	if (w.drawn && w.reference)
		err = bootstrap_interval(shift_pct, &w, blocks, alpha, seed, &b);
	d->interval = !err && b.interval;
	d->lo_pct = b.lo;
	d->hi_pct = b.hi;
	free(w.drawn);
	free(w.reference);
	free(first);
	return err;
}

static double ratio_pct(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

/* Adds @shift to the test's values. */
static void move(struct stratified_run *run, size_t n, double shift)
{
	for (size_t i = 0; i < n; i++)
		run[i].value += run[i].test ? shift : 0;
}

/*
 * Two one-sided tests, each at half the level (Schuirmann 1987; sequentially Jennison, Turnbull,
 * Biometrics 49 (1993) 31): the difference is below the threshold when neither end of it is within
 * the interval. @run as stratified_compare() leaves it.
 */
static int test_equal(struct stratified_run *run, size_t n, const struct compare_rules *rules,
		      struct difference *d)
{
	double largest = 0, matters = rules->threshold_pct / 100, at;
	struct stratified s;
	int err = 0;

	d->p_equal = d->spending && d->known ? 1 : NAN;
	if (d->p_equal == 1 && fabs(d->pct) < rules->threshold_pct) {
		for (int side = -1; side <= 1 && !err; side += 2) {
			at = d->scale > 0 ? side * matters * d->scale : log1p(side * matters);
			move(run, n, -at);
			err = stratified_compare(run, n, STATS_ALPHA, &s);
			move(run, n, at);
			largest = err ? largest : fmax(largest, s.p);
		}
		d->p_equal = spending_p(d->spending, d->look, largest);
	}
	d->p_equal_holm = d->p_equal;
	return err;
}

static int fill(struct stratified_run *run, const struct stratified *s, double base, bool logs,
		const struct compare_rules *rules, struct difference *d)
{
	double alpha = spending_level(d->spending, d->look, STATS_ALPHA);
	size_t n = s->reference + s->test;
	int err = 0;

	if (!d->known) {
		d->pct = d->lo_pct = d->hi_pct = NAN;
		d->shift = s->shift;
		d->shift_lo = s->lo;
		d->shift_hi = s->hi;
		return test_equal(run, n, rules, d);
	}
	d->scale = logs ? 0 : fabs(base);
	d->pct = logs ? ratio_pct(s->shift) : s->shift / d->scale * 100;
	d->lo_pct = ratio_pct(s->lo);
	d->hi_pct = ratio_pct(s->hi);
	if (!logs)
		err = bootstrap_pct(run, n, alpha, rules->seed, d);
	return err ? err : test_equal(run, n, rules, d);
}

int compare_cells(const struct cell *reference, struct cell *cell,
		  const struct compare_rules *rules)
{
	enum blocking blocking = blocking_of(reference, cell, rules->in_blocks);
	struct difference *d = &cell->difference;
	bool logs = have_logs(reference, cell);
	double base = reference->estimate.median;
	struct stratified_run *run;
	struct stratified s;
	int err;

	d->reference_is_0 = reference->n && cell->n && base == 0;
	if (!reference->n || !cell->n)
		return 0;
	run = runs_of(reference, cell, blocking, logs);
	if (!run)
		return -ENOMEM;
	d->spending = rules->spending;
	d->look = look_of(reference, cell, blocking);
	err = stratified_compare(run, reference->n + cell->n,
				 spending_level(d->spending, d->look, STATS_ALPHA), &s);
	d->tested = !err && s.blocks;
	d->known = d->tested && !d->reference_is_0;
	if (d->tested) {
		take_test(d, &s, rules->in_blocks && s.blocks > 1);
		err = fill(run, &s, base, logs, rules, d);
	}
	free(run);
	return err;
}

/* One run a side in each block of a sequential campaign's last look. */
static bool out_of_reach(const struct difference *d, size_t family)
{
	size_t last = spending_last(d->spending);
	double p = last ? spending_p(d->spending, last, ldexp(1, 1 - (int)last)) : d->p_min;

	return p * (double)family >= STATS_ALPHA;
}

int compare_in_family(const struct cell *reference, struct cell *cell, size_t family,
		      const struct compare_rules *rules)
{
	struct difference *d = &cell->difference;
	bool interval = d->interval; /* that of the blocks, which stays */
	struct stratified_run *run;
	struct stratified s;
	int err;

	if (!d->tested || !d->blocked || !out_of_reach(d, family))
		return 0;
	run = runs_of(reference, cell, ONE_BLOCK, have_logs(reference, cell));
	if (!run)
		return -ENOMEM;
	err = stratified_compare(run, reference->n + cell->n,
				 spending_level(d->spending, d->look, STATS_ALPHA), &s);
	if (!err) {
		take_test(d, &s, false);
		d->interval = interval;
		err = test_equal(run, s.reference + s.test, rules, d);
	}
	free(run);
	return err;
}

int compare_medians(const struct cell *reference, struct cell *cell, uint64_t seed)
{
	double *value = calloc(2 * cell->n + 1, sizeof(*value)), *other = value + cell->n;
	struct difference *d = &cell->difference;
	struct bootstrap b = { .value = NAN, .lo = NAN, .hi = NAN };
	size_t i, j, n = 0;
	int err = 0;

	if (!value)
		return -ENOMEM;
	for (i = 0; i < cell->n; i++) {
		for (j = 0; j < reference->n && reference->block[j] != cell->block[i]; j++)
			;
		if (j == reference->n)
			continue;
		value[n] = cell->value[i];
		other[n++] = reference->value[j];
	}
	if (n)
		err = bootstrap_ratio(value, other, n,
				      spending_level(d->spending, d->look, STATS_ALPHA), seed, &b);
	free(value);
	d->median_ratio = b.value;
	d->median_ratio_lo = b.interval ? b.lo : NAN;
	d->median_ratio_hi = b.interval ? b.hi : NAN;
	return err;
}

/*
 * t(1 - level / 2) + t(0.8) standard errors; ranks need 1 / 0.955 of the runs (Hodges, Lehmann
 * 1956), and a tenth more where only one arrangement is extreme enough. docs/statistics.md has the
 * powers that were simulated at what comes of this.
 */
double compare_detectable_pct(const struct difference *d, size_t family, double threshold_pct)
{
	double level = d->level, reach, beyond, unit;

	if (!d->known || isnan(d->error) || isnan(level) || !family ||
	    spending_p(d->spending, d->look, d->p_min) * (double)family >= STATS_ALPHA)
		return NAN;
	if (family > 1)
		level = fmax(spending_level(d->spending, d->look, STATS_ALPHA / (double)family),
			     d->p_min);
	unit = d->error / sqrt(0.955) * (d->blocked && level < 2 * d->p_min ? 1.1 : 1);
	unit *= 1 + 0.25 / (double)d->freedom; /* few runs show less than their deviation */
	beyond = gsl_cdf_tdist_Pinv(POWER, (double)d->freedom) * unit;
	reach = gsl_cdf_tdist_Qinv(level / 2, (double)d->freedom) * unit + beyond;
	if (d->scale > 0)
		return fmax(reach / d->scale * 100, threshold_pct + beyond / d->scale * 100);
	return fmax(ratio_pct(reach), threshold_pct + ratio_pct(beyond));
}
