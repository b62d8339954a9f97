/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * P-51, P-52: sequential campaigns with known truth: how often they are wrong, how often they are
 * decided, and after how many blocks, against a fixed number of them.
 *
 * 100 campaigns a case of at most 24 blocks; with IDLE_TEST_LONG 2,000 of at most 40, whose figures
 * are those of docs/statistics.md. Seeds are fixed. The levels alone are tested in spending.c.
 */
#include "analysis/compare.h"
#include "analysis/sequential.h"
#include "analysis/spending.h"
#include "tests/unit/analysis/made.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>

#define FIRST 6
#define LAST 40

/* How campaigns are drawn: loop time 100 us, run-to-run deviation @sd_pct. */
struct truth {
	double sd_pct, drift, effect_pct; /* drift: sd between blocks, in run-to-run sds */
	double grid_us; /* values are rounded to multiples: ties; 0 = none */
};

struct score {
	size_t campaigns, shown, equivalent, open; /* how they ended */
	size_t wrong; /* "better" where there is nothing or the contrary */
	size_t missed; /* the interval at the end did not hold the effect */
	size_t ever_missed; /* at some look */
	size_t naive; /* p < 0.05 at some look, as if it were the only one */
	double blocks, pct; /* means: blocks at the end; estimate of those shown */
	size_t fixed[LAST + 1]; /* decided with so many blocks in all, looked at once */
};

static bool long_form(void)
{
	return getenv("IDLE_TEST_LONG") != NULL;
}

static size_t campaigns(void)
{
	return long_form() ? 2000 : 100;
}

static size_t last_look(void)
{
	return long_form() ? LAST : 24;
}

struct side {
	struct cell cell;
	double value[LAST];
	int block[LAST];
};

static void draw(struct side *side, gsl_rng *rng, const struct truth *t, double drift,
		 double effect_pct)
{
	size_t at = side->cell.n++;
	double us = 100 * exp((drift + gsl_ran_gaussian(rng, 1)) * t->sd_pct / 100) *
		    (1 + effect_pct / 100);

	side->value[at] = t->grid_us > 0 ? t->grid_us * round(us / t->grid_us) : us;
	side->block[at] = (int)at + 1;
	side->cell.value = side->value;
	side->cell.block = side->block;
}

/* The difference at this look; the verdict along with it. */
static struct difference look(const struct measure *m, const struct side *menu, struct side *teo,
			      const struct spending *spending)
{
	const struct compare_rules rules = { .in_blocks = true,
					     .spending = spending,
					     .threshold_pct = m->threshold_pct };
	struct cell reference = menu->cell, *cell = &teo->cell;

	reference.estimate = stats_estimate(reference.value, reference.n);
	cell->estimate = stats_estimate(cell->value, cell->n);
	cell->difference = (struct difference){ 0 };
	assert_int_equal(compare_cells(&reference, cell, &rules), 0);
	cell->difference.verdict = compare_judge(m, &cell->difference);
	return cell->difference;
}

static bool is_shown(const struct difference *d)
{
	return d->verdict == VERDICT_BETTER || d->verdict == VERDICT_WORSE;
}

static bool holds(const struct difference *d, double pct)
{
	return !d->interval || (d->lo_pct <= pct && pct <= d->hi_pct);
}

static bool is_within(const struct difference *d, double threshold_pct)
{
	return d->interval && d->lo_pct > -threshold_pct && d->hi_pct < threshold_pct;
}

static void count_end(struct score *s, const struct truth *t, const struct measure *m,
		      const struct difference *d, size_t blocks)
{
	s->shown += is_shown(d);
	s->equivalent += d->verdict == VERDICT_EQUIVALENT;
	s->open += d->verdict == VERDICT_SAME;
	s->wrong += is_shown(d) && !(d->pct * t->effect_pct > 0);
	s->wrong += d->verdict == VERDICT_EQUIVALENT && fabs(t->effect_pct) >= m->threshold_pct;
	s->missed += !holds(d, t->effect_pct);
	s->pct += is_shown(d) ? d->pct : 0;
	s->blocks += (double)blocks;
}

/* Goes on behind the end, to see what another rule would have done. */
static void campaign(struct score *s, gsl_rng *rng, const struct truth *t,
		     const struct spending *spending)
{
	const struct measure m = { .better = BETTER_IS_LOWER, .threshold_pct = 1 };
	struct side menu = { 0 }, teo = { 0 };
	bool ended = false, naive = false, missed = false;

	for (size_t n = 1; n <= last_look(); n++) {
		double drift = gsl_ran_gaussian(rng, 1) * t->drift;
		struct difference d;

		draw(&menu, rng, t, drift, 0);
		draw(&teo, rng, t, drift, t->effect_pct);
		if (n < FIRST)
			continue;
		d = look(&m, &menu, &teo, NULL);
		naive |= is_shown(&d);
		s->fixed[n] += is_shown(&d) || is_within(&d, m.threshold_pct);
		if (ended && missed)
			continue;
		d = look(&m, &menu, &teo, spending);
		missed |= !holds(&d, t->effect_pct);
		if (!ended && (d.verdict != VERDICT_SAME || n == last_look())) {
			count_end(s, t, &m, &d, n);
			ended = true;
		}
	}
	s->naive += naive;
	s->ever_missed += missed;
	s->campaigns++;
}

static struct score simulate(const struct truth *t, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct pool pool = { 0 };
	const struct spending *spending = spending_make(&pool, FIRST, last_look());
	struct score s = { 0 };

	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < campaigns(); i++)
		campaign(&s, rng, t, spending);
	gsl_rng_free(rng);
	pool_free(&pool);
	return s;
}

static double pct(size_t n, const struct score *s)
{
	return 100 * (double)n / (double)s->campaigns;
}

/* Binomial standard error of a share, percent. */
static double error_pct(double share_pct, const struct score *s)
{
	return sqrt(share_pct * (100 - share_pct) / (double)s->campaigns);
}

/* What may be seen where 5 % are true: three errors more. */
static double limit_pct(const struct score *s)
{
	return 5 + 3 * error_pct(5, s);
}

/* How many campaigns of a fixed number of blocks, looked at once, are decided. */
static void print_fixed(const struct score *s)
{
	static const size_t blocks[] = { 6, 8, 12, 20, 30, 40 };

	printf("#   fixed design decided with");
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]) && blocks[i] <= last_look(); i++)
		printf("%s %zu blocks: %.1f %%", i ? "," : "", blocks[i],
		       pct(s->fixed[blocks[i]], s));
	printf("\n");
}

/* Deviation 10 %: the threshold of 1 % holds next to nothing back, and nothing is equivalent, so
 * that all looks are taken. */
static void null_campaigns(void **state)
{
	static const double drifts[] = { 0, 1, 5 }, grids[] = { 0, 10 };
	size_t wrong = 0, naive = 0, all = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < 2; k++) {
			const struct truth t = { .sd_pct = 10,
						 .drift = drifts[i],
						 .grid_us = grids[k] };
			struct score s = simulate(&t, 1 + 10 * i + k);

			printf("# null, drift %g sd%s: %.2f %% (+- %.2f) verdicts, 0 outside of "
			       "some interval in %.2f %%; looked at every time with p < 0.05: "
			       "%.1f %%\n",
			       t.drift, t.grid_us > 0 ? ", ties" : "", pct(s.wrong, &s),
			       error_pct(pct(s.wrong, &s), &s), pct(s.ever_missed, &s),
			       pct(s.naive, &s));
			assert_true(pct(s.wrong, &s) <= limit_pct(&s));
			assert_true(pct(s.ever_missed, &s) <= limit_pct(&s));
			naive += s.naive;
			wrong += s.wrong;
			all += s.campaigns;
		}
	}
	printf("# null, all: %.2f %% of %zu\n", 100 * (double)wrong / (double)all, all);
	assert_true((double)wrong <= 0.05 * (double)all * (long_form() ? 1 : 1.5));
	/* The simulation can find something, and looking does matter. */
	assert_true(wrong > 0 && (double)naive > 0.12 * (double)all);
}

/* Run-to-run deviation and threshold 1 %. */
static void effects(void **state)
{
	static const double effect[] = { 0, 0.5, 1, 2, 5 };

	(void)state;
	for (size_t i = 0; i < sizeof(effect) / sizeof(effect[0]); i++) {
		const struct truth t = { .sd_pct = 1, .drift = 5, .effect_pct = effect[i] };
		struct score s = simulate(&t, 100 + i);

		printf("# effect %g %%: verdict %.1f %%, equivalent %.1f %%, open %.1f %%, wrong "
		       "%.2f %%; %.1f blocks; estimate of the shown %.2f %%; effect outside of the "
		       "last interval %.1f %%, of some %.1f %%\n",
		       t.effect_pct, pct(s.shown, &s), pct(s.equivalent, &s), pct(s.open, &s),
		       pct(s.wrong, &s), s.blocks / (double)s.campaigns,
		       s.shown ? s.pct / (double)s.shown : NAN, pct(s.missed, &s),
		       pct(s.ever_missed, &s));
		print_fixed(&s);
		assert_true(pct(s.wrong, &s) <= limit_pct(&s));
		assert_true(pct(s.ever_missed, &s) <= limit_pct(&s));
		if (!i)
			assert_true(pct(s.equivalent, &s) > (long_form() ? 85 : 40));
		if (effect[i] >= 2)
			assert_true(pct(s.shown, &s) > 98);
		if (effect[i] >= 5)
			assert_true(s.blocks / (double)s.campaigns < 9.5);
	}
}

/* A sweep as the runner makes it: while the whole curve is open every point gets blocks, then those
 * points that are. Returns the repeats of the longest point. */
static int sweep(struct made *m, gsl_rng *rng, double effect_pct, struct table *ret)
{
	static const char *const work[] = { "0us", "1us", "2us", "3us", "4us", "5us" };
	bool closed[6] = { false };
	int r = 1;

	for (; r <= m->result.campaign.repeat; r++) {
		struct comparison *list;
		bool curve = false, open[6] = { false };
		size_t n;

		for (size_t p = 0; p < 6; p++) {
			double drift = gsl_ran_gaussian(rng, 1) * 5;

			if (closed[p])
				continue;
			add(m, "menu", work[p], r,
			    100 * exp((drift + gsl_ran_gaussian(rng, 1)) / 100));
			/* An effect at the last point only. */
			add(m, "teo", work[p], r,
			    100 * exp((drift + gsl_ran_gaussian(rng, 1)) / 100) *
				    (1 + (p == 5 ? effect_pct : 0) / 100));
		}
		if (r < m->result.campaign.repeat_min)
			continue;
		build(m);
		n = sequential_comparisons(&m->table, &list);
		assert_int_equal(n, 7);
		for (size_t i = 0; i < n; i++) {
			curve |= list[i].point == NO_POINT && !list[i].decided;
			if (list[i].point != NO_POINT)
				open[list[i].point] = !list[i].decided;
		}
		for (size_t p = 0; p < 6; p++)
			closed[p] = !curve && !open[p];
		if (!memchr(closed, false, sizeof(closed)))
			break;
	}
	*ret = m->table;
	return r;
}

/* Holm over points of which some have fewer blocks than others, and curves of whole blocks only. */
static void sweeps(void **state)
{
	size_t n = long_form() ? 400 : 12, wrong = 0, found = 0, curves = 0, spared = 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(rng, 4711);
	for (size_t i = 0; i < n; i++) {
		struct made *m = make("menu,teo");
		const struct measure *loop;
		struct table t;
		size_t bistable = 0;
		bool error = false;
		int repeats;

		m->result.campaign.repeat_min = FIRST;
		m->result.campaign.repeat = 20;
		repeats = sweep(m, rng, 4, &t);
		loop = &t.section[0].measure[0];
		for (size_t p = 0; p < 6; p++) {
			const struct cell *cell = section_cell(&t, loop, p, 1);

			error |= p < 5 && is_shown(&cell->difference);
			found += p == 5 && cell->difference.verdict == VERDICT_WORSE;
			spared += (size_t)repeats - cell->n;
			bistable += t.section[0].bistable[p];
			/* No block of the curve is without a point. */
			assert_true(loop->overall[1].n <= cell->n);
		}
		/* All points but those that seem to have two modes. */
		assert_int_equal(loop->overall_points + bistable, 6);
		wrong += error;
		curves += is_shown(&loop->overall[1].difference);
		done(m);
	}
	printf("# sweeps of 6 points, 4 %% at one of them: found in %zu of %zu, false verdicts at "
	       "others in %zu, whole curve worse in %zu, %.1f blocks spared each\n",
	       found, n, wrong, curves, (double)spared / (double)n);
	assert_true((double)wrong <= 0.05 * (double)n + 3 * sqrt(0.05 * 0.95 * (double)n));
	assert_true(found == n && spared > 0);
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_campaigns),
		cmocka_unit_test(effects),
		cmocka_unit_test(sweeps),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
