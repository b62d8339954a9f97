/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * P-49: a governor against itself is known as a control, counted, and said; P-50 and P-51: what a
 * "~" leaves possible; outliers by hand. Results are made in memory.
 */
#include "analysis/bootstrap.h"
#include "analysis/control.h"
#include "analysis/describe.h"
#include "analysis/outlier.h"
#include "tests/unit/analysis/made.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

/* Repeats of menu and of menu:2, which differs by @by in repeat r of point w. */
static struct made *controlled(size_t points, double (*by)(int r, size_t point))
{
	static const char *const work[] = { "0us", "1us", "2us", "3us" };
	struct made *m = make("menu,menu");

	for (int r = 1; r <= 8; r++) {
		for (size_t w = 0; w < points; w++) {
			add(m, "menu", work[w], r, 100 + r);
			add(m, "menu:2", work[w], r, 100 + r + by(r, w))->info.governor =
				(char *)"menu";
		}
	}
	return m;
}

static double to_and_fro(int r, size_t point)
{
	return (r % 2 ? 0.5 : -0.5) * (1 + (double)r / 16) + (double)point / 100;
}

static void control_is_known(void **state)
{
	struct made *m = controlled(2, to_and_fro);
	const struct table *t = &m->table;
	const struct section *s;
	struct control c;

	(void)state;
	add(m, "teo", "0us", 1, 50);
	s = build(m);
	assert_int_equal(t->columns, 3);
	assert_false(control_is(t, 0));
	assert_true(control_is(t, 1));
	assert_false(control_is(t, 2));
	control_count(t, s, 1, &c);
	assert_int_equal(c.compared, 2);
	assert_int_equal(c.flagged, 0);
	assert_int_equal(c.verdicts, 0);
	assert_non_null(strstr(describe_columns(t), "menu (reference), menu:2 (A/A control), teo"));
	assert_null(strstr(describe_columns(t), "teo (A/A"));
	assert_non_null(strstr(describe_control(t, s), "A/A control menu:2 against menu: 0 of 2"));
	assert_null(strstr(describe_control(t, s), "FAILED"));
	done(m);
}

static double always_more(int r, size_t point)
{
	return point ? to_and_fro(r, point) : 5 + r / 10.0;
}

/* Something is wrong with the machine or with the tool: said in so many words. */
static void control_that_fails(void **state)
{
	struct made *m = controlled(4, always_more);
	const struct section *s = build(m);
	struct control c;

	(void)state;
	control_count(&m->table, s, 1, &c);
	assert_int_equal(c.compared, 4);
	assert_int_equal(c.flagged, 1);
	assert_int_equal(c.verdicts, 1);
	close_to(c.largest_pct, 5.2, 0.2);
	assert_non_null(strstr(describe_control(&m->table, s), "THE CONTROL FAILED: 1 verdict"));
	done(m);
}

static void control_with_few_runs(void **state)
{
	struct made *m = make("menu,menu");
	const struct section *s;

	(void)state;
	for (int r = 1; r <= 5; r++) {
		add(m, "menu", NULL, r, 100 + r);
		add(m, "menu:2", NULL, r, 110 + r)->info.governor = (char *)"menu";
	}
	s = build(m);
	assert_int_equal(s->measure[0].overall[1].difference.verdict, VERDICT_SMALL);
	assert_true(isnan(s->measure[0].overall[1].difference.detectable_pct));
	assert_non_null(strstr(describe_control(&m->table, s), "n too small"));
	done(m);
}

/*
 * Eight repeats, log ratios alternately 1 % above and below 0: their sd is 1.069 %, the error 0.378
 * %, by 1 / sqrt(0.955) and 1 + 1 / 28 0.4006 %. The test's level is 0.0391: t(7) of half of it
 * is 2.531, of 0.8 it is 0.896. 3.427 times 0.4006 % is 1.373 %, as a ratio 1.382 %.
 */
static void smallest_difference_by_hand(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	const struct difference *d;

	(void)state;
	for (int r = 1; r <= 8; r++) {
		add(m, "menu", NULL, r, 100 * r);
		add(m, "teo", NULL, r, 100 * r * exp(r % 2 ? 0.01 : -0.01));
	}
	s = build(m);
	d = &s->measure[0].overall[1].difference;
	assert_int_equal(d->verdict, VERDICT_SAME);
	close_to(d->error, 0.0037796, 1e-6);
	close_to(d->detectable_pct, 1.382, 0.002);
	assert_non_null(strstr(describe_control(&m->table, s), "loop_us: teo 1.4 %"));
	done(m);
}

/* Medians 10.5 and 21, each pair 1 to 2: whatever is drawn, the ratio is 2. */
static void ratio_of_medians(void **state)
{
	struct made *m = make("menu,teo");
	const struct difference *d;

	(void)state;
	for (int r = 1; r <= 6; r++) {
		add(m, "menu", NULL, r, 7 + r);
		add(m, "teo", NULL, r, 2 * (7 + r));
	}
	d = &build(m)->measure[0].overall[1].difference;
	assert_true(d->median_ratio == 2 && d->median_ratio_lo == 2 && d->median_ratio_hi == 2);
	done(m);
}

/* @repeats of both, but for menu's 2nd and teo's 5th and 7th. */
static struct made *with_holes(int repeats, double drift)
{
	struct made *m = make("menu,teo");

	for (int r = 1; r <= repeats; r++) {
		if (r != 2)
			add(m, "menu", NULL, r, 1000 * (1 + r * drift));
		if (r != 5 && r != 7)
			add(m, "teo", NULL, r, (1100 + r) * (1 + r * drift));
	}
	return m;
}

/* Six whole blocks suffice whatever the rest did; with five the rest is one more block. */
static void incomplete_blocks(void **state)
{
	struct made *m = with_holes(9, 1);
	const struct difference *d = &build(m)->measure[0].overall[1].difference;

	(void)state;
	assert_int_equal(d->runs, 6);
	close_to(d->pct, 10.5, 0.1);
	close_to(d->p, 2.0 / 64, 1e-12);
	assert_true(d->blocked);
	assert_int_equal(d->verdict, VERDICT_WORSE);
	done(m);
	m = with_holes(8, 0);
	d = &build(m)->measure[0].overall[1].difference;
	assert_int_equal(d->runs, 6); /* of teo; menu has two in the last block */
	close_to(d->p, 2.0 / (32 * 3), 1e-12);
	assert_int_equal(d->verdict, VERDICT_WORSE);
	done(m);
	m = with_holes(6, 0);
	assert_int_equal(build(m)->measure[0].overall[1].difference.verdict, VERDICT_SMALL);
	done(m);
}

/* All-A-then-all-B: repeats of the same number have nothing in common. */
static void order_without_blocks(void **state)
{
	struct made *m = make("menu,teo");
	const struct difference *d;

	(void)state;
	m->result.campaign.order = (char *)"blocked";
	for (int r = 1; r <= 6; r++) {
		add(m, "menu", NULL, r, 100 + r / 10.0);
		add(m, "teo", NULL, r, 105 + r / 10.0);
	}
	d = &build(m)->measure[0].overall[1].difference;
	assert_false(d->blocked);
	close_to(d->p, 2.0 / 924, 1e-12);
	done(m);
}

/* Values around 0 have no logarithms: shift 2 of a median 13.5, the interval from a bootstrap. */
static void values_without_logarithms(void **state)
{
	struct made *m = make("menu,teo");
	const struct difference *d;
	double lo;

	(void)state;
	m->result.campaign.seed = 5;
	for (int r = 0; r < 8; r++) {
		add(m, "menu", NULL, r + 1, r ? 10 + r : -1);
		add(m, "teo", NULL, r + 1, (r ? 12 + r : 1) + (r % 2 ? 0.1 : -0.1));
	}
	d = &build(m)->measure[0].overall[1].difference;
	assert_true(d->known && d->interval);
	close_to(d->pct, 2 / 13.5 * 100, 1e-9);
	assert_true(d->lo_pct < d->pct && d->pct < d->hi_pct);
	lo = d->lo_pct;
	done(m);
	for (int again = 0; again < 2; again++) { /* the campaign's seed: the same bytes */
		m = make("menu,teo");
		m->result.campaign.seed = 5;
		for (int r = 0; r < 8; r++) {
			add(m, "menu", NULL, r + 1, r ? 10 + r : -1);
			add(m, "teo", NULL, r + 1, (r ? 12 + r : 1) + (r % 2 ? 0.1 : -0.1));
		}
		assert_true(build(m)->measure[0].overall[1].difference.lo_pct == lo);
		done(m);
	}
}

/* 1 2 3 4 5 100: median 3.5, distances 0.5 0.5 1.5 1.5 2.5 96.5, MAD 1.5. */
static void outlier_scores_by_hand(void **state)
{
	const double value[] = { 1, 2, 3, 4, 5, 100 }, equal[] = { 7, 7, 7, 7, 9 };
	const double same[] = { 7, 7, 7 };
	double z[6];

	(void)state;
	outlier_scores(value, 6, z);
	close_to(z[5], 0.6745 * 96.5 / 1.5, 1e-3);
	close_to(z[0], 0.6745 * -2.5 / 1.5, 1e-3);
	outlier_scores(equal, 5, z); /* MAD 0; mean distance 0.4 */
	close_to(z[4], 0.7979 * 2 / 0.4, 1e-9);
	assert_true(z[0] == 0);
	outlier_scores(same, 3, z);
	assert_true(z[0] == 0 && z[2] == 0);
}

/* Of 1,000 points of 6, 8, 12 and 20 normal runs hardly more than one in a hundred has one. */
static void outliers_by_chance(void **state)
{
	static const size_t runs[] = { 6, 8, 12, 20 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double value[20], z[20];

	(void)state;
	for (size_t k = 0; k < 4; k++) {
		size_t n = runs[k], named = 0;

		for (int point = 0; point < 1000; point++) {
			double most = 0;

			for (size_t i = 0; i < n; i++)
				value[i] = gsl_ran_gaussian(rng, 1);
			outlier_scores(value, n, z);
			for (size_t i = 0; i < n; i++)
				most = fmax(most, fabs(z[i]));
			named += most > OUTLIER_LIMIT(n);
		}
		assert_in_range(named, 2, 20);
	}
	gsl_rng_free(rng);
}

/* The run is named with its figures and stays in; nothing is said of the others. */
static void outliers_are_noted(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	struct kind *kind;
	size_t i, noted = 0;

	(void)state;
	for (int r = 1; r <= 6; r++) {
		add(m, "menu", NULL, r, r == 4 ? 140 : 100 + r);
		add(m, "teo", NULL, r, r == 2 ? 100.5 : 100 + r / 100.0);
	}
	for (i = 0; i < m->result.runs; i++)
		m->run[i].name = i == 6 ? "0007.s.menu.r4" : "other";
	s = build(m);
	for (i = 0; i < m->result.runs; i++)
		noted += m->run[i].note != NULL;
	assert_int_equal(noted, 1); /* 100.5 is far out too, by less than the threshold of 1 % */
	assert_non_null(m->run[6].note);
	assert_non_null(strstr(m->run[6].note, "outlier: loop_us 140.00 among 6 runs"));
	assert_int_equal(s->measure[0].overall[0].n, 6);
	assert_int_equal(describe_doubts(&m->table, &kind), 1);
	assert_string_equal(kind[0].example, "0007.s.menu.r4");
	done(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_is_known),
		cmocka_unit_test(control_that_fails),
		cmocka_unit_test(control_with_few_runs),
		cmocka_unit_test(smallest_difference_by_hand),
		cmocka_unit_test(ratio_of_medians),
		cmocka_unit_test(incomplete_blocks),
		cmocka_unit_test(order_without_blocks),
		cmocka_unit_test(values_without_logarithms),
		cmocka_unit_test(outlier_scores_by_hand),
		cmocka_unit_test(outliers_by_chance),
		cmocka_unit_test(outliers_are_noted),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
