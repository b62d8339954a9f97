/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mean of a whole sweep is one over its scale, however dense the points lie; with equal steps
 * it is the plain one.
 */
#include "tests/unit/analysis/made.h"

#include "analysis/scale.h"
#include <stdio.h>

static struct source sources[2];

static void place(size_t source, const char *point, size_t at)
{
	const struct store_point p = { .section = (char *)"s",
				       .point = (char *)point,
				       .sweep = (char *)"",
				       .at = at,
				       .by_pct = NAN };

	assert_int_equal(store_points_add(&sources[source].points, &p), 0);
}

static struct made *sweep(void)
{
	struct made *m = make("menu,teo");

	memset(sources, 0, sizeof(sources));
	m->result.source = sources;
	m->result.sources = 1;
	sources[0].campaign.reference = (char *)"menu";
	return m;
}

static void finish(struct made *m)
{
	store_points_free(&sources[0].points);
	store_points_free(&sources[1].points);
	done(m);
}

/* teo takes twice as long at 2us and 3us only, where five of the eight points lie. */
static void add_runs(struct made *m)
{
	static const char *const work[] = { "0us",   "1us",    "2us", "2.25us",
					    "2.5us", "2.75us", "3us", "4us" };

	for (int repeat = 1; repeat <= 6; repeat++) {
		for (size_t i = 0; i < 8; i++) {
			double x = strtod(work[i], NULL);

			add(m, "menu", work[i], repeat, 10 + repeat);
			add(m, "teo", work[i], repeat, (10 + repeat) * (x >= 2 && x <= 3 ? 2 : 1));
		}
	}
}

static void add_places(size_t source)
{
	static const struct {
		const char *point;
		size_t at;
	} places[] = { { "0us", 0 },	 { "1us", 40 },	   { "2us", 80 },
		       { "2.25us", 90 }, { "2.5us", 100 }, { "2.75us", 110 },
		       { "3us", 120 },	 { "4us", 160 },   { "1.5us", 60 } };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		place(source, places[i].point, places[i].at);
}

static void dense_points_weigh_little(void **state)
{
	struct made *m = sweep();
	const struct section *s;
	double weights = 0, share = 0;

	(void)state;
	add_runs(m);
	add_places(0);
	s = build(m);
	assert_non_null(s->weight);
	for (size_t i = 0; i < s->points; i++) {
		weights += s->weight[i];
		share += s->point[i].at[0] >= 2 && s->point[i].at[0] <= 3 ? s->weight[i] : 0;
	}
	/* As long as the scale is, and half a step at each end: the full sweep's 161 points. */
	close_to(weights, 161, 1e-9);
	close_to(share, 25 + 10 + 10 + 10 + 25, 1e-9);
	close_to(s->measure[0].overall[1].difference.pct, (pow(2, 80.0 / 161) - 1) * 100, 1e-6);
	assert_int_equal(s->measure[0].overall_points, 8);
	finish(m);
}

/* Without places five of eight points count five eighths. */
static void equal_steps_count_points(void **state)
{
	struct made *m = sweep();
	const struct section *s;

	(void)state;
	add_runs(m);
	s = build(m);
	assert_null(s->weight);
	assert_null(scale_of_facet(&m->table, s, &s->facet[0]));
	close_to(s->measure[0].overall[1].difference.pct, (pow(2, 5.0 / 8) - 1) * 100, 1e-6);
	finish(m);
}

/* All points of the full sweep weigh the same: 1. */
static void full_sweep_is_unweighted(void **state)
{
	struct made *m = sweep();
	static char name[6][8];
	const struct section *s;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		snprintf(name[i], sizeof(name[i]), "%zuus", i);
		place(0, name[i], i);
		add(m, "menu", name[i], 1, 1);
		add(m, "teo", name[i], 1, 1);
	}
	s = build(m);
	assert_non_null(s->weight);
	for (size_t i = 0; i < 6; i++)
		close_to(s->weight[i], 1, 1e-12);
	finish(m);
}

/* A point that nobody placed, and two results that do not agree about one: equal steps. */
static void unknown_places(void **state)
{
	struct made *m = sweep();

	(void)state;
	add_runs(m);
	add_places(0);
	add(m, "menu", "5us", 1, 1);
	assert_null(build(m)->weight);
	finish(m);

	m = sweep();
	m->result.sources = 2;
	sources[1].campaign.reference = (char *)"menu";
	add_runs(m);
	add_places(0);
	place(1, "2us", 81);
	assert_null(build(m)->weight);
	finish(m);
}

/* A zero makes it the arithmetic mean, by the same weights. */
static void arithmetic_mean(void **state)
{
	struct made *m = sweep();
	const struct section *s;

	(void)state;
	place(0, "0us", 0);
	place(0, "1us", 9);
	place(0, "2us", 10);
	for (int repeat = 1; repeat <= 6; repeat++) {
		add(m, "menu", "0us", repeat, 0);
		add(m, "menu", "1us", repeat, 10);
		add(m, "menu", "2us", repeat, 20);
	}
	s = build(m);
	assert_true(s->measure[0].overall_arithmetic);
	close_to(s->measure[0].overall[0].estimate.median, (0 * 5 + 10 * 5 + 20 * 1) / 11.0, 1e-9);
	finish(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dense_points_weigh_little),
		cmocka_unit_test(equal_steps_count_points),
		cmocka_unit_test(full_sweep_is_unweighted),
		cmocka_unit_test(unknown_places),
		cmocka_unit_test(arithmetic_mean),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
