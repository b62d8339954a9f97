/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns, points, whole curves and verdicts, from results made in memory with known values. */
#include "tests/unit/analysis/made.h"

/* Six runs a governor: menu 100.0 to 100.5, the other @base + 0.0 to 0.5. */
static enum verdict verdict_of(double base, const char *better)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	enum verdict verdict;
	size_t i;
	int r;

	for (r = 1; r <= 6; r++) {
		add(m, "menu", NULL, r, 100 + (r - 1) / 10.0);
		add(m, "teo", NULL, r, base + (r - 1) / 10.0 + 0.001);
	}
	for (i = 0; i < m->result.runs; i++)
		m->metric[i].better = better;
	s = build(m);
	assert_string_equal(m->table.column[1].name, "teo");
	verdict = s->measure[0].overall[1].difference.verdict;
	done(m);
	return verdict;
}

static void verdicts(void **state)
{
	(void)state;
	assert_int_equal(verdict_of(95, "lower"), VERDICT_BETTER);
	assert_int_equal(verdict_of(105, "lower"), VERDICT_WORSE);
	assert_int_equal(verdict_of(95, "higher"), VERDICT_WORSE);
	assert_int_equal(verdict_of(105, "higher"), VERDICT_BETTER);
	assert_int_equal(verdict_of(105, "none"), VERDICT_NONE);
	assert_int_equal(verdict_of(100, "lower"), VERDICT_SAME);
	/* P-51: told apart without doubt (p 0.0022), but by 0.7 % only */
	assert_int_equal(verdict_of(100.7, "lower"), VERDICT_SAME);
}

static void five_runs_are_too_few(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	int r;

	(void)state;
	for (r = 1; r <= 6; r++) {
		add(m, "menu", NULL, r, 100 + r);
		if (r < 6)
			add(m, "teo", NULL, r, 50 + r);
	}
	s = build(m);
	assert_int_equal(s->measure[0].overall[1].difference.verdict, VERDICT_SMALL);
	assert_int_equal(s->complete_min, 5);
	done(m);
}

/* P-63: a void run has no value. */
static void void_runs_do_not_count(void **state)
{
	struct made *m = make("menu");
	const struct section *s;

	(void)state;
	add(m, "menu", NULL, 1, 1);
	add(m, "menu", NULL, 2, 1000)->info.state = STORE_VOID;
	s = build(m);
	assert_int_equal(s->measure[0].overall[0].n, 1);
	assert_true(s->measure[0].overall[0].estimate.median == 1);
	assert_int_equal(m->table.runs_void, 1);
	done(m);
}

static const char *const works[] = { "10us", "0us", "2.5us", "1ms" };

/* Points in the order of their values; geometric mean over all of them. */
static void whole_curve(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	const struct cell *teo;
	size_t i;
	int r;

	(void)state;
	for (r = 1; r <= 6; r++) {
		for (i = 0; i < 4; i++) {
			add(m, "menu", works[i], r, pow(10, (double)i) * (1 + r / 1000.0));
			add(m, "teo", works[i], r, pow(10, (double)i) * 1.1 * (1 + r / 1000.0));
		}
	}
	s = build(m);
	assert_int_equal(s->points, 4);
	assert_string_equal(s->point[0].text[0], "0us");
	assert_string_equal(s->point[3].text[0], "1ms");
	assert_string_equal(s->axis[0].unit, "us");
	assert_true(s->point[1].at[0] == 2.5 && s->point[3].at[0] == 1000);
	teo = &s->measure[0].overall[1];
	assert_int_equal(s->measure[0].overall_points, 4);
	assert_int_equal(teo->n, 6);
	close_to(teo->estimate.median, pow(10, 1.5) * 1.1 * 1.0035, 0.002);
	close_to(teo->difference.pct, 10, 0.2);
	assert_int_equal(teo->difference.verdict, VERDICT_WORSE);
	close_to(teo->difference.p, 2.0 / 64, 1e-12); /* six repeats, all for one side */
	assert_true(teo->difference.blocked);
	done(m);
}

/* P-57: a point that one column lacks is in nobody's mean. */
static void geometric_mean_over_common_points(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	size_t i;
	int r;

	(void)state;
	for (r = 1; r <= 6; r++) {
		for (i = 0; i < 4; i++) {
			add(m, "menu", works[i], r, i ? 2 : 1e6);
			if (i || r != 3)
				add(m, "teo", works[i], r, i ? 2 : 1e6);
		}
	}
	s = build(m);
	assert_int_equal(s->measure[0].overall_points, 3);
	close_to(s->measure[0].overall[0].estimate.median, 2, 1e-9);
	assert_int_equal(s->measure[0].overall[1].n, 6);
	done(m);
}

/* Six runs of menu and teo at two points; menu's value is @base. */
static struct made *against(double base, const char *second_point)
{
	struct made *m = make("menu,teo");

	for (int i = 1; i <= 6; i++) {
		add(m, "menu", "1us", i, base);
		add(m, "teo", "1us", i, 5 + i);
		if (second_point)
			add(m, "menu", second_point, i, base);
		if (second_point && i < 6)
			add(m, "teo", second_point, i, 5 + i);
	}
	return m;
}

/* No percent of 0, but a test, a shift in the unit, and a verdict in both directions. */
static void a_reference_of_0_has_a_verdict(void **state)
{
	struct made *m = against(0, NULL);
	const struct section *s = build(m);
	const struct difference *d = &s->measure[0].overall[1].difference;
	size_t i;

	(void)state;
	assert_true(d->reference_is_0 && d->tested);
	assert_false(d->known);
	assert_true(isnan(d->pct));
	close_to(d->shift, 8.5, 1e-9);
	assert_true(d->interval && d->shift_lo >= 6 && d->shift_hi <= 11);
	assert_true(d->p < 0.05);
	assert_int_equal(d->verdict, VERDICT_WORSE);
	done(m);
	m = against(0, NULL);
	for (i = 0; i < m->result.runs; i++)
		m->metric[i].better = "higher";
	s = build(m);
	assert_int_equal(s->measure[0].overall[1].difference.verdict, VERDICT_BETTER);
	done(m);
	/* 0 against 0 is tested, and the same */
	m = against(0, NULL);
	for (i = 0; i < m->result.runs; i++)
		m->metric[i].value = 0;
	s = build(m);
	assert_int_equal(s->measure[0].overall[1].difference.verdict, VERDICT_SAME);
	done(m);
}

/* A 0 takes no point out of the whole curve: the mean is then the arithmetic one. */
static void zeros_do_not_choose_the_points(void **state)
{
	static const char *const at[] = { "1us", "2us" };
	struct made *m = make("menu,teo");
	const struct measure *headline;
	int r, i;

	(void)state;
	for (r = 1; r <= 6; r++) {
		for (i = 0; i < 2; i++) {
			add(m, "menu", at[i], r, i ? 10 : 0);
			add(m, "teo", at[i], r, i ? 9 : 400 + r);
		}
	}
	headline = &build(m)->measure[0];
	assert_int_equal(headline->overall_points, 2);
	assert_true(headline->overall_arithmetic);
	close_to(headline->overall[0].estimate.median, 5, 1e-9);
	close_to(headline->overall[1].estimate.median, (403.5 + 9) / 2, 1e-9);
	/* without the point, teo would be better */
	assert_int_equal(headline->overall[1].difference.verdict, VERDICT_WORSE);
	done(m);
}

static void a_curve_without_points_has_its_reason(void **state)
{
	struct made *m;
	const struct section *s;

	(void)state;
	m = against(1, "2us");
	s = build(m);
	assert_int_equal(s->measure[0].overall_points, 1);
	assert_null(s->measure[0].overall_reason);
	assert_false(section_cell(&m->table, &s->measure[0], 0, 1)->difference.reference_is_0);
	done(m);
	m = make("menu,teo");
	for (int i = 1; i <= 2; i++) {
		add(m, "menu", "1us", i, 0);
		add(m, "teo", "2us", i, 5);
	}
	s = build(m);
	assert_string_equal(s->measure[0].overall_reason,
			    "no point has complete runs of every governor");
	done(m);
}

/*
 * P-52: p 0.0022 at each of 4 points becomes 0.0087. Six signed ranks cannot get below 0.031, four
 * times that is no verdict, so that the points are compared without blocks.
 */
static void points_are_corrected(void **state)
{
	struct made *m = make("menu,teo");
	const struct section *s;
	const struct cell *teo;
	size_t i;
	int r;

	(void)state;
	for (r = 1; r <= 6; r++) {
		for (i = 0; i < 4; i++) {
			add(m, "menu", works[i], r, 100 + r / 10.0);
			add(m, "teo", works[i], r, 90 + r / 10.0);
		}
	}
	s = build(m);
	teo = section_cell(&m->table, &s->measure[0], 2, 1);
	close_to(teo->difference.p, 2.0 / 924, 1e-12);
	close_to(teo->difference.p_holm, 8.0 / 924, 1e-12);
	assert_false(teo->difference.blocked);
	assert_int_equal(teo->difference.verdict, VERDICT_BETTER);
	done(m);
}

/* As asked, with the second "menu" as "menu:2"; each kernel has its own reference (P-36). */
static void columns_and_references(void **state)
{
	struct made *m = make("teo,menu,menu");
	const struct table *t = &m->table;

	(void)state;
	m->result.boots = 2;
	add(m, "menu:2", NULL, 1, 1)->info.governor = (char *)"menu";
	add(m, "menu", NULL, 1, 1);
	add(m, "teo", NULL, 1, 1);
	add(m, "teo", NULL, 1, 1)->boot = 1;
	build(m);
	assert_int_equal(t->columns, 4);
	assert_string_equal(t->column[0].name, "teo@6.18");
	assert_string_equal(t->column[1].name, "menu@6.18");
	assert_string_equal(t->column[2].name, "menu:2@6.18");
	assert_string_equal(t->column[3].name, "teo@6.19");
	assert_int_equal(t->column[0].reference, 1);
	assert_int_equal(t->column[2].reference, 1);
	assert_true(t->column[1].is_reference);
	assert_true(t->column[3].reference == NO_COLUMN && !t->column[3].is_reference);
	assert_int_equal(t->column[1].colour, 0);
	done(m);
}

static void thresholds(void **state)
{
	(void)state;
	assert_true(section_threshold_pct("loop_us") == 1);
	assert_true(section_threshold_pct("package_w") == 2);
	assert_true(section_threshold_pct("p99_us") == 5);
	assert_true(section_threshold_pct("wake_max_us") == 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		cmocka_unit_test(five_runs_are_too_few),
		cmocka_unit_test(void_runs_do_not_count),
		cmocka_unit_test(whole_curve),
		cmocka_unit_test(geometric_mean_over_common_points),
		cmocka_unit_test(a_reference_of_0_has_a_verdict),
		cmocka_unit_test(zeros_do_not_choose_the_points),
		cmocka_unit_test(a_curve_without_points_has_its_reason),
		cmocka_unit_test(points_are_corrected),
		cmocka_unit_test(columns_and_references),
		cmocka_unit_test(thresholds),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
