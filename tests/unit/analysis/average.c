/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of averages: percent of the averages, "?" where there is no verdict. */
#include "analysis/describe.h"
#include "tests/unit/analysis/made.h"

static struct made *pair(const double *menu, const double *teo, size_t n, const char *better)
{
	struct made *m = make("menu,teo");
	size_t i;

	for (i = 0; i < n; i++) {
		add(m, "menu", NULL, (int)i + 1, menu[i]);
		add(m, "teo", NULL, (int)i + 1, teo[i]);
	}
	for (i = 0; i < m->result.runs; i++)
		m->metric[i].better = better;
	build(m);
	return m;
}

static void expect(struct made *m, const char *average, const char *against)
{
	const struct measure *measure = &m->table.section[0].measure[0];

	if (average)
		assert_string_equal(describe_average(&m->table, measure, &measure->overall[1]),
				    average);
	assert_string_equal(describe_against(&m->table, measure, measure->overall, 1), against);
	assert_string_equal(describe_against(&m->table, measure, measure->overall, 0), "reference");
	done(m);
}

/* The digits of a published table; one run has no deviation. */
static void one_run(void **state)
{
	static const double menu[] = { 11.2971 }, teo[] = { 11.355 };

	(void)state;
	expect(pair(menu, teo, 1, "lower"), "11.3550 us (n 1)", "+0.51 % (worse?) n too small");
	expect(pair(menu, teo, 1, "higher"), NULL, "+0.51 % (better?) n too small");
	expect(pair(menu, teo, 1, "none"), NULL, "+0.51 %");
	expect(pair(menu, menu, 1, "lower"), NULL, "+0.00 % n too small");
}

static void six_runs(void **state)
{
	static const double menu[] = { 10, 11, 10, 11, 10, 11 }, teo[] = { 20, 22, 20, 22, 20, 22 };
	static const double same[] = { 10.01, 11.01, 10.01, 11.01, 10.01, 11.01 };

	(void)state;
	expect(pair(menu, teo, 6, "lower"), "21.0000 us (sd 1.10, n 6)", "+100.00 % worse");
	expect(pair(menu, teo, 6, "higher"), NULL, "+100.00 % better");
	expect(pair(menu, same, 6, "lower"), "10.5100 us (sd 0.548, n 6)", "+0.10 % (worse?) ~");
}

/* One run makes the average; the verdict is the medians' and no word of the average's stands alone.
 */
static void average_against_verdict(void **state)
{
	static const double menu[] = { 100, 101, 100, 101, 100, 101, 100, 101, 100, 101, 100, 101 };
	static const double teo[] = { 90, 91, 90, 91, 90, 91, 90, 91, 90, 91, 90, 900 };

	(void)state;
	expect(pair(menu, teo, 12, "lower"), NULL, "+57.13 % by average, but better");
}

static void nothing_to_compare(void **state)
{
	static const double none[] = { 0 }, teo[] = { 3 };

	(void)state;
	expect(pair(none, teo, 1, "lower"), "3.00000 us (n 1)",
	       "+3.000 us n too small, the reference is 0");
}

/* teo's only run is void. */
static void no_run(void **state)
{
	struct made *m = make("menu,teo");

	(void)state;
	add(m, "menu", NULL, 1, 5);
	add(m, "teo", NULL, 1, 5)->info.state = STORE_VOID;
	build(m);
	expect(m, "no value", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_run),
		cmocka_unit_test(six_runs),
		cmocka_unit_test(average_against_verdict),
		cmocka_unit_test(nothing_to_compare),
		cmocka_unit_test(no_run),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
