/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * looks.tsv there and back, and which cells a look closes: blocks stay balanced, an open curve
 * holds its section, the reference goes on for whoever is open.
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/looks.h"
#include "run/plan.h"
#include "store/format.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define TWO                                                                                        \
	HEAD "[run a]\nworkload = ping-pong\nwork = 0us 2us\n"                                     \
	     "[run quiet]\nworkload = idle\n"
#define GOVERNORS "menu,teo,teo-ng"
#define COLUMNS 3

static char dir[] = "/tmp/run-looks-XXXXXX";

/* A row of decisions: kernel k1 or k2, 9 blocks. */
#define ROW(section, scope, point, governor, kernel, verdict, decided)                             \
	section "\t" scope "\t" point "\t" governor "\t\t" kernel                                  \
		"\tloop_us\t9\t1\t0.5\t1.5\t0.01\t1\t0.006\t" verdict "\t" decided "\n"

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return file_remove_tree(dir);
}

static int remove_file(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/" STORE_LOOKS, dir);
	return remove(path) && errno != ENOENT ? -1 : 0;
}

static void add_look(const char *rows, int repeat, size_t runs)
{
	struct store_looks have;
	char text[4096];

	snprintf(text, sizeof(text), STORE_DECISION_COLUMNS "%s", rows);
	assert_int_equal(store_looks_read(dir, &have), 0);
	assert_int_equal(store_looks_add(dir, &have, "k1+12345678", repeat, runs, text), 0);
	store_looks_free(&have);
}

/* "mtg mt. ..." by point: a letter for each governor that is open. */
static void expect_open(const char *want, const char *const *done_names, size_t n,
			const bool *offered)
{
	struct suite suite = suite_of(TWO);
	struct plan plan;
	struct campaign_done done = { (char **)(uintptr_t)done_names, n };
	struct store_looks looks;
	char got[64] = "", *at = got;
	bool *closed;

	assert_int_equal(plan_make(&suite,
				   &(struct plan_request){ .governors = GOVERNORS,
							   .repeat = 12,
							   .order = "shuffled",
							   .seed = 1 },
				   &plan),
			 0);
	assert_int_equal(store_looks_read(dir, &looks), 0);
	closed = looks_closed(&(struct looks_of){ .plan = &plan,
						  .reference = "menu",
						  .repeat_min = 6,
						  .looks = &looks,
						  .done = &done,
						  .offered = offered });
	assert_non_null(closed);
	for (size_t p = 0; p < plan.points; p++) {
		for (size_t c = 0; c < COLUMNS; c++)
			*at++ = closed[p * COLUMNS + c] ? '.' : "mtg"[c];
		*at++ = ' ';
	}
	at[-1] = '\0';
	assert_string_equal(got, want);
	free(closed);
	store_looks_free(&looks);
	plan_free(&plan);
	suite_free(&suite);
}

static void nothing_is_closed_before_a_look(void **state)
{
	(void)state;
	expect_open("mtg mtg mtg", NULL, 0, NULL);
}

#define POINTS_OF(governor, at0, at2, quiet)                                                       \
	ROW("a", "point", "work=0us", governor, "k1", "~", at0)                                    \
	ROW("a", "point", "work=2us", governor, "k1", "~", at2)                                    \
	ROW("quiet", "point", "", governor, "k1", "~", quiet)
#define CURVE_OF(governor, decided) ROW("a", "curve", "", governor, "k1", "~", decided)

static void each_governor_by_itself(void **state)
{
	(void)state;
	add_look(CURVE_OF("teo", "yes") CURVE_OF("teo-ng", "yes")
			 POINTS_OF("teo", "yes", "no", "yes")
				 POINTS_OF("teo-ng", "no", "no", "yes"),
		 9, 81);
	expect_open("m.g mtg ...", NULL, 0, NULL);
}

static void an_open_curve_holds_its_section(void **state)
{
	(void)state;
	add_look(CURVE_OF("teo", "yes") CURVE_OF("teo-ng", "no")
			 POINTS_OF("teo", "yes", "yes", "no")
				 POINTS_OF("teo-ng", "yes", "yes", "yes"),
		 9, 81);
	expect_open("mtg mtg mt.", NULL, 0, NULL);
}

/* Measures of one cell: the one that is open counts. */
static void every_measure_counts(void **state)
{
	(void)state;
	add_look(ROW("quiet", "point", "", "teo", "k1", "worse", "yes")
			 ROW("quiet", "point", "", "teo", "k1", "~", "no")
				 ROW("quiet", "point", "", "teo-ng", "k1", "worse", "yes"),
		 9, 81);
	expect_open("mtg mtg mt.", NULL, 0, NULL);
}

/* A governor of another kernel's curve is not held by this one's. */
static void kernels_are_apart(void **state)
{
	(void)state;
	add_look(CURVE_OF("teo", "yes") ROW("a", "curve", "", "teo-ng", "k2", "~", "no")
			 POINTS_OF("teo", "yes", "yes", "yes")
				 ROW("a", "point", "work=0us", "teo-ng", "k2", "~", "yes")
					 ROW("a", "point", "work=2us", "teo-ng", "k2", "~", "yes"),
		 9, 81);
	expect_open("m.g m.g m.g", NULL, 0, NULL);
}

/* What was measured and has nothing to compare is closed; what was never measured is open; what
 * this kernel lacks does not keep the reference going. */
static void without_a_row(void **state)
{
	static const char *const done[] = { "quiet.teo.r6" };
	static const bool offered[] = { true, true, false };

	(void)state;
	add_look(POINTS_OF("teo", "yes", "yes", "no"), 6, 54);
	expect_open("m.g m.g mtg", done, 1, NULL);
	expect_open("..g ..g mtg", done, 1, offered);
	remove_file(NULL);
	add_look(ROW("a", "point", "work=0us", "teo", "k1", "~", "yes"), 6, 54);
	expect_open("..g mtg ..g", done, 1, offered);
}

static void the_last_look_counts(void **state)
{
	struct store_looks l;

	(void)state;
	add_look(POINTS_OF("teo", "yes", "no", "yes"), 6, 54);
	add_look(POINTS_OF("teo", "yes", "yes", "no"), 7, 63);
	assert_int_equal(store_looks_read(dir, &l), 0);
	assert_int_equal(l.looks, 2);
	assert_int_equal(l.before, 0);
	assert_int_equal(l.first, 3);
	assert_int_equal(l.open, 1);
	assert_int_equal(l.repeat, 7);
	assert_int_equal(l.runs, 63);
	assert_true(store_looks_same(&l, 0, 3) && !store_looks_same(&l, 0, 4));
	assert_string_equal(store_looks_text(&l, 4, "boot"), "k1+12345678");
	store_looks_free(&l);
	expect_open("m.g m.g mtg", NULL, 0, NULL);
}

/* A look that found no comparison is a look: nothing is left to do for what was measured. */
static void nothing_to_compare(void **state)
{
	static const char *const done[] = { "quiet.teo-ng.r6", "quiet.teo.r6" };
	struct store_looks l;

	(void)state;
	add_look("", 6, 54);
	assert_int_equal(store_looks_read(dir, &l), 0);
	assert_int_equal(l.looks, 1);
	assert_int_equal(l.compared, 0);
	assert_int_equal(l.open, 0);
	store_looks_free(&l);
	expect_open("mtg mtg ...", done, 2, NULL);
}

static void damage_is_named(void **state)
{
	struct store_looks l;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/" STORE_LOOKS, dir);
	assert_int_equal(file_write_atomic(path, "look\trepeat\n1\t2\n", 16), 0);
	assert_int_equal(store_looks_read(dir, &l), -EBADMSG);
	assert_non_null(strstr(error_text(), "looks.tsv: other columns"));
	assert_int_equal(file_write_atomic(path, STORE_LOOKS_COLUMNS "1\tb\t6",
					   strlen(STORE_LOOKS_COLUMNS) + 5),
			 0);
	assert_true(store_looks_read(dir, &l) < 0);
	assert_int_equal(store_looks_add(dir, &(struct store_looks){ 0 }, "b", 6, 1, "no table\n"),
			 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(nothing_is_closed_before_a_look, remove_file),
		cmocka_unit_test_teardown(each_governor_by_itself, remove_file),
		cmocka_unit_test_teardown(an_open_curve_holds_its_section, remove_file),
		cmocka_unit_test_teardown(every_measure_counts, remove_file),
		cmocka_unit_test_teardown(kernels_are_apart, remove_file),
		cmocka_unit_test_teardown(without_a_row, remove_file),
		cmocka_unit_test_teardown(the_last_look_counts, remove_file),
		cmocka_unit_test_teardown(nothing_to_compare, remove_file),
		cmocka_unit_test_teardown(damage_is_named, remove_file),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
