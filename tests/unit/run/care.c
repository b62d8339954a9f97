/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pause, settle, deadline: where they may stand, what a section makes of the suite's, and what has
 * no effect.
 */
#include "tests/unit/run/suites.h"

#include "run/care.h"

static struct plan plan_of(const struct suite *suite)
{
	struct plan plan;

	if (plan_make(suite, &(struct plan_request){ "menu", NULL, 1, "shuffled", 1, 0 }, &plan))
		fail_msg("refused: %s", error_text());
	return plan;
}

static void a_section_overrides_the_suite(void **state)
{
	struct suite suite = suite_of(HEAD "pause = 30s\nsettle = 2%\ndeadline = 10m\n" RING
					   "[run b]\nworkload = idle\npause = 1m\nsettle = none\n"
					   "settle_timeout = 90s\n");
	struct plan plan = plan_of(&suite);
	struct suite_care a = care_at(&plan, 0), b = care_at(&plan, 1);

	(void)state;
	assert_true(a.pause_ns == 30e9 && a.settle_pct == 2 && a.deadline_ns == 600e9);
	assert_true(a.settle_span_ns == 60e9 && a.settle_timeout_ns == 1800e9);
	assert_true(b.pause_ns == 60e9 && b.settle_pct == 0 && b.settle_timeout_ns == 90e9);
	plan_free(&plan);
	suite_free(&suite);
}

static void without_a_key_there_is_none(void **state)
{
	struct suite suite = suite_of(HEAD RING);
	struct plan plan = plan_of(&suite);
	struct suite_care care = care_at(&plan, 0);

	(void)state;
	assert_true(care.pause_ns == 0 && care.settle_pct == 0 && care.deadline_ns == 0);
	plan_free(&plan);
	suite_free(&suite);
}

static void refuse(const char *text, const char *why)
{
	struct suite suite;

	assert_true(suite_parse("x.ini", text, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	assert_says(why);
}

static void bad_values_are_refused_with_their_line(void **state)
{
	(void)state;
	refuse(HEAD "pause = 30\n" RING, "x.ini:3: pause: ");
	refuse(HEAD "pause = 2h\n" RING, "x.ini:3: pause: 2h is outside 0s to 1h");
	refuse(HEAD "settle = 10s\n" RING, "x.ini:3: settle: ");
	refuse(HEAD "settle = 60%\n" RING, "settle: 60% is outside 0.01% to 50%");
	refuse(HEAD "settle_span = none\n" RING, "settle_span: ");
	refuse(HEAD "setle = 1%\n" RING, "did you mean 'settle'?");
	refuse(HEAD RING "deadline = 10ms\n", "[run a]: deadline: 10ms is outside 1s to 24h");
}

static void expect_no_effect(const char *text, const char *why)
{
	struct suite suite = suite_of(text);
	struct plan plan = plan_of(&suite);

	assert_true(care_check(&plan, 0, -1) < 0);
	assert_says(why);
	plan_free(&plan);
	suite_free(&suite);
}

static void what_has_no_effect_is_refused(void **state)
{
	(void)state;
	expect_no_effect(HEAD RING "deadline = 1m\n", "deadline has no effect: the window ends");
	expect_no_effect(HEAD "[run a]\nworkload = command\ncommand = true\nsettle = 1%\n",
			 "settle has no effect: command has no warm-up");
	expect_no_effect(HEAD RING "settle = 1%\nsettle_span = 2m\nsettle_timeout = 1m\n",
			 "settle_timeout is shorter than settle_span");
}

/* A suite's deadline is for those of its sections that end by themselves. */
static void the_suites_deadline_may_concern_some_sections_only(void **state)
{
	struct suite suite = suite_of(HEAD "deadline = 1m\n" RING
					   "[run b]\nworkload = ping-pong\nloops = 1000\n");
	struct plan plan = plan_of(&suite);

	(void)state;
	assert_int_equal(care_check(&plan, 0, -1), 0);
	assert_int_equal(care_check(&plan, 1, -1), 0);
	plan_free(&plan);
	suite_free(&suite);
}

static void set_takes_them_too(void **state)
{
	const char *const set[] = { "pause=5s", "a.deadline=none" };
	struct suite suite;

	(void)state;
	assert_int_equal(
		suite_parse("x.ini", HEAD RING "[run b]\nworkload = idle\n", set, 2, &suite), 0);
	assert_true(suite.section[0].care.pause_ns == 5e9 && suite.section[1].care.pause_ns == 5e9);
	assert_true(suite.section[0].care.deadline_ns == 0 &&
		    suite.section[1].care.deadline_ns == -1);
	suite_free(&suite);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_overrides_the_suite),
		cmocka_unit_test(without_a_key_there_is_none),
		cmocka_unit_test(bad_values_are_refused_with_their_line),
		cmocka_unit_test(what_has_no_effect_is_refused),
		cmocka_unit_test(the_suites_deadline_may_concern_some_sections_only),
		cmocka_unit_test(set_takes_them_too),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
