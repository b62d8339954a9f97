/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * P-48, P-49: simulated campaigns with known truth, through the whole way from runs to verdicts.
 *
 * A/A campaigns must hardly ever get a verdict, effects must be found as often as promised. 500
 * campaigns a case; with IDLE_TEST_LONG 10,000, and the power curve of docs/statistics.md is
 * printed. Seeds are fixed: the same campaigns every time.
 */
#include "tests/unit/analysis/made.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>

#define FALSE_MAX 0.05

/* How campaigns are drawn: loop time 100 us, run-to-run deviation @sd_pct. */
struct truth {
	int repeats;
	size_t points;
	double sd_pct, drift, effect_pct; /* drift: sd between repeats, in run-to-run sds */
	double grid_us; /* values are rounded to multiples: ties; 0 = none */
	bool walk; /* drift is a random walk over the runs, as measured: A then B */
};

struct score {
	double verdicts; /* share of campaigns with some verdict */
	double covered; /* share of intervals that hold the effect */
	double detectable_pct; /* mean */
};

static bool long_form(void)
{
	return getenv("IDLE_TEST_LONG") != NULL;
}

static size_t campaigns(void)
{
	return long_form() ? 10000 : 500;
}

static double draw(gsl_rng *rng, const struct truth *t, double drift, double effect_pct)
{
	double us = 100 * exp((drift + gsl_ran_gaussian(rng, 1)) * t->sd_pct / 100) *
		    (1 + effect_pct / 100);

	return t->grid_us > 0 ? t->grid_us * round(us / t->grid_us) : us;
}

/* All of menu, then all of teo, the machine wandering all the time. */
static void one_after_the_other(struct made *m, gsl_rng *rng, const struct truth *t)
{
	double drift = 0;

	m->result.campaign.order = (char *)"blocked";
	for (int side = 0; side < 2; side++)
		for (int r = 1; r <= t->repeats; r++) {
			drift += gsl_ran_gaussian(rng, t->drift);
			add(m, side ? "teo" : "menu", NULL, r, draw(rng, t, drift, 0));
		}
}

static void in_turns(struct made *m, gsl_rng *rng, const struct truth *t)
{
	static const char *const work[] = { "0us", "1us", "2us", "3us", "4us", "5us" };

	for (int r = 1; r <= t->repeats; r++) {
		for (size_t w = 0; w < t->points; w++) {
			const char *point = t->points > 1 ? work[w] : NULL;
			double drift = gsl_ran_gaussian(rng, 1) * t->drift;

			add(m, "menu", point, r, draw(rng, t, drift, 0));
			add(m, "teo", point, r, draw(rng, t, drift, t->effect_pct));
		}
	}
}

static bool is_verdict(const struct cell *cell)
{
	return cell->difference.verdict == VERDICT_BETTER ||
	       cell->difference.verdict == VERDICT_WORSE;
}

static struct score simulate(const struct truth *t, size_t n, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct score s = { 0 };

	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < n; i++) {
		struct made *m = make("menu,teo");
		const struct difference *d;
		const struct measure *loop;
		bool found = false;

		if (t->walk)
			one_after_the_other(m, rng, t);
		else
			in_turns(m, rng, t);
		loop = &build(m)->measure[0];
		d = &section_cell(&m->table, loop, 0, 1)->difference;
		for (size_t p = 0; p < t->points; p++)
			found |= is_verdict(section_cell(&m->table, loop, p, 1));
		s.verdicts += found / (double)n;
		s.covered += (d->lo_pct <= t->effect_pct && t->effect_pct <= d->hi_pct) / (double)n;
		s.detectable_pct += d->detectable_pct / (double)n;
		done(m);
	}
	gsl_rng_free(rng);
	return s;
}

/* The share that may be seen when FALSE_MAX is true, at 3 deviations in the short form. */
static double limit(double share)
{
	return share + (long_form() ? 0 : 3 * sqrt(share * (1 - share) / (double)campaigns()));
}

/* Deviation 10 %, so that the threshold of 1 % keeps next to nothing back. */
static void aa_has_no_verdicts(void **state)
{
	static const int repeats[] = { 6, 8, 12 };
	static const double drifts[] = { 0, 1, 5 }, grids[] = { 0, 10 };
	double sum = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++) {
			for (size_t k = 0; k < 2; k++) {
				const struct truth t = { .repeats = repeats[i],
							 .points = 1,
							 .sd_pct = 10,
							 .drift = drifts[j],
							 .grid_us = grids[k] };
				struct score s =
					simulate(&t, campaigns(), 1 + i * 100 + j * 10 + k);

				printf("# A/A, %d repeats, drift %g sd%s: %.2f %% verdicts, interval "
				       "holds 0 in %.1f %%\n",
				       t.repeats, t.drift, t.grid_us > 0 ? ", ties" : "",
				       s.verdicts * 100, s.covered * 100);
				sum += s.verdicts / 18;
				assert_true(s.verdicts <= limit(FALSE_MAX));
				assert_true(1 - s.covered <= limit(FALSE_MAX));
			}
		}
	}
	assert_true(sum <= FALSE_MAX);
	assert_true(sum > 0.02); /* the simulation can find something */
}

/* P-52: some verdict among six points; six repeats go without blocks, twelve with them. */
static void aa_sweeps_have_no_verdicts(void **state)
{
	static const int repeats[] = { 6, 12 };
	static const double drifts[] = { 0, 5 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 2; j++) {
			const struct truth t = {
				.repeats = repeats[i], .points = 6, .sd_pct = 10, .drift = drifts[j]
			};
			struct score s = simulate(&t, campaigns() / 2, 1000 + i * 10 + j);

			printf("# A/A sweep of 6 points, %d repeats, drift %g sd: %.2f %% of "
			       "campaigns have a verdict\n",
			       t.repeats, t.drift, s.verdicts * 100);
			assert_true(s.verdicts <= limit(FALSE_MAX) + (long_form() ? 0 : 0.01));
		}
	}
}

/* P-48: what blocks are for, and that these simulations can fail. */
static void one_after_the_other_deceives(void **state)
{
	const struct truth t = { .repeats = 8, .points = 1, .sd_pct = 2, .drift = 1, .walk = true };
	struct score s = simulate(&t, campaigns(), 77);

	(void)state;
	printf("# P-48: A then B on a machine that wanders: %.1f %% false verdicts\n",
	       s.verdicts * 100);
	assert_true(s.verdicts > 0.3);
}

/* The smallest difference named with a "~" is found with 80 %, whatever the drift. */
static void promised_power(void **state)
{
	static const int repeats[] = { 6, 8, 12 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct truth t = {
			.repeats = repeats[i], .points = 1, .sd_pct = 3, .drift = i ? 5 : 0
		};
		struct score s = simulate(&t, campaigns(), 500 + i);

		t.effect_pct = s.detectable_pct;
		s = simulate(&t, campaigns(), 600 + i);
		printf("# %d repeats, drift %g sd: %.2f %% promised with 80 %%, found in %.1f %%\n",
		       t.repeats, t.drift, t.effect_pct, s.verdicts * 100);
		assert_true(s.verdicts > 0.72 && s.verdicts < 0.88);
		assert_true(s.covered > 0.92);
	}
}

static void power_curve(void **state)
{
	static const int repeats[] = { 6, 8, 12 };
	static const double drifts[] = { 0, 1, 5 }, effects[] = { 1, 2, 5 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++) {
			double before = 0;

			printf("# power, sd 1 %%, %d repeats, drift %g sd:", repeats[i], drifts[j]);
			for (size_t k = 0; k < 3; k++) {
				const struct truth t = { .repeats = repeats[i],
							 .points = 1,
							 .sd_pct = 1,
							 .drift = drifts[j],
							 .effect_pct = effects[k] };
				struct score s = simulate(&t, long_form() ? campaigns() : 100,
							  2000 + i * 100 + j * 10 + k);

				printf(" %g %%: %.1f %%", effects[k], s.verdicts * 100);
				assert_true(s.verdicts > before);
				before = s.verdicts;
			}
			printf("\n");
			assert_true(before > 0.95);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aa_has_no_verdicts),
		cmocka_unit_test(aa_sweeps_have_no_verdicts),
		cmocka_unit_test(one_after_the_other_deceives),
		cmocka_unit_test(promised_power),
		cmocka_unit_test(power_curve),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
