/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suite files: what is read from a good one, and every refusal with its place and its words.
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/section.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BOTH "[run a]\nworkload = periodic ping-pong\n"
#define NAME_48 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv"

static void defaults(void **state)
{
	struct suite suite = suite_of(HEAD RING);

	(void)state;
	assert_string_equal(suite.name, "x");
	assert_string_equal(suite.path, "x.ini");
	assert_string_equal(suite.text, HEAD RING);
	assert_string_equal(suite.about, "");
	assert_string_equal(suite.governors, "available");
	assert_null(suite.reference);
	assert_string_equal(suite.order, "shuffled");
	assert_int_equal(suite.repeat, 6);
	assert_true(suite.window_ns == 10e9 && suite.warmup_ns == 2e9 && suite.interval_ns == 1e9);
	assert_int_equal(suite.sections, 1);
	assert_string_equal(suite.section[0].name, "a");
	assert_int_equal(suite.section[0].line, 3);
	assert_string_equal(suite.section[0].workload->name, "ping-pong");
	assert_true(suite.section[0].window_ns == -1 && suite.section[0].warmup_ns == -1);
	suite_free(&suite);
	assert_null(suite.section);
}

static void all_keys(void **state)
{
	struct suite suite = suite_of("[suite]\n"
				      "format = 1\n"
				      "about = Two words\n"
				      "governors = menu,teo-ng\n"
				      "reference = teo-ng\n"
				      "repeat = 3\n"
				      "warmup = 0s\n"
				      "window = 1m\n"
				      "interval = 500ms\n"
				      "order = abba\n"
				      "[run a]\n"
				      "cores = 2 3\n"
				      "window = 1s\n"
				      "warmup = 100ms\n"
				      "workload = ping-pong\n"
				      "[run b+1]\n"
				      "workload = idle\n");

	(void)state;
	assert_string_equal(suite.about, "Two words");
	assert_string_equal(suite.governors, "menu,teo-ng");
	assert_string_equal(suite.reference, "teo-ng");
	assert_string_equal(suite.order, "abba");
	assert_int_equal(suite.repeat, 3);
	assert_true(suite.warmup_ns == 0 && suite.window_ns == 60e9 && suite.interval_ns == 500e6);
	assert_int_equal(suite.sections, 2);
	assert_true(suite.section[0].window_ns == 1e9 && suite.section[0].warmup_ns == 100e6);
	assert_int_equal(suite.section[0].sweep[0].n, 2);
	assert_string_equal(suite.section[1].name, "b+1");
	assert_string_equal(suite.section[1].workload->name, "idle");
	suite_free(&suite);
}

static size_t values_of(const struct suite *suite, const char *key)
{
	int row = section_find(&suite->section[0], key);

	assert_true(row >= 0);
	return suite->section[0].sweep[row].n;
}

/* A bare key is that of the only workload that has it; with its workload's name it always works. */
static void several_workloads(void **state)
{
	struct suite suite = suite_of(HEAD BOTH "load = 3% 6% 9%\nping-pong.work = 1 2\n"
						"cores = 2 3 4 5\ndisable = none each\n");

	(void)state;
	assert_int_equal(suite.section[0].parts, 2);
	assert_string_equal(suite.section[0].workload->name, "periodic");
	assert_string_equal(suite.section[0].part[1].workload->name, "ping-pong");
	assert_int_equal(values_of(&suite, "periodic.load"), 3);
	assert_int_equal(values_of(&suite, "load"), 3);
	assert_int_equal(values_of(&suite, "ping-pong.work"), 2);
	assert_int_equal(values_of(&suite, "periodic.work"), 0);
	assert_int_equal(values_of(&suite, "cores"), 4);
	assert_int_equal(values_of(&suite, "disable"), 2);
	suite_free(&suite);
	suite = suite_of(HEAD RING "ping-pong.cores = 3 4\n");
	assert_int_equal(values_of(&suite, "cores"), 2);
	suite_free(&suite);
}

static size_t set_values(const char *set, const char *key)
{
	struct suite suite;
	size_t n;

	if (suite_parse("x.ini", HEAD BOTH "cores = 2\n", &set, 1, &suite))
		fail_msg("%s", error_text());
	n = values_of(&suite, key);
	suite_free(&suite);
	return n;
}

static void set_of_several_workloads(void **state)
{
	struct suite suite;
	const char *ambiguous = "work=5";

	(void)state;
	assert_int_equal(set_values("cores=2 3", "cores"), 2);
	assert_int_equal(set_values("ping-pong.cores=2 3", "cores"), 2);
	assert_int_equal(set_values("a.cores=2 3", "cores"), 2);
	assert_int_equal(set_values("a.periodic.work=5 6 7", "periodic.work"), 3);
	assert_true(suite_parse("x.ini", HEAD BOTH, &ambiguous, 1, &suite) < 0);
	assert_says("--set work=5: 'work' is a key of periodic and of ping-pong");
}

static void longest_name(void **state)
{
	struct suite suite = suite_of(HEAD "[run " NAME_48 "]\nworkload = idle\n");

	(void)state;
	assert_int_equal(strlen(suite.section[0].name), SUITE_NAME_MAX);
	suite_free(&suite);
}

static const struct refusal {
	const char *text, *says;
} refusals[] = {
	{ "", "x.ini: no 'format = 1' in [suite]" },
	{ "# only a comment\n", "x.ini: no 'format = 1' in [suite]" },
	{ "[suite]\nabout = x\n" RING, "x.ini: no 'format = 1' in [suite]" },
	{ RING, "x.ini: no 'format = 1' in [suite]" },
	{ HEAD, "x.ini: no [run NAME] section: nothing to run" },
	{ "[suite]\nformat = 2\n" RING, "x.ini:2: format: format 2 is newer than this program" },
	/* A later format may have keys that are unknown here: the number is the reason to give. */
	{ "[suite]\ncolour = red\nformat = 2\n" RING,
	  "x.ini:3: format: format 2 is newer than this program reads (1)" },
	{ "[suite]\nformat = 0\n" RING, "x.ini:2: format: formats are numbered from 1" },
	{ "[suite]\nformat = one\n" RING, "x.ini:2: format: 'one' is not a whole number" },
	{ "[suite]\nformat =\n" RING, "x.ini:2: 'format' has no value" },
	{ HEAD "[suit]\n" RING, "x.ini:3: unknown section [suit] (did you mean 'suite'?)" },
	{ HEAD "[rum a]\nworkload = idle\n", "x.ini:3: unknown section [rum a]" },
	{ HEAD "[run]\nworkload = idle\n", "x.ini:3: [run] needs a name" },
	{ HEAD "peroid = 1\n" RING, "x.ini:3: unknown key 'peroid' in [suite]" },
	{ HEAD "govenors = menu\n" RING,
	  "x.ini:3: unknown key 'govenors' in [suite] (did you mean 'governors'?)" },
	{ HEAD "repeat = 3\nrepeat = 4\n" RING,
	  "x.ini:4: key 'repeat' is there already, in line 3" },
	{ HEAD RING "work = 1\nwork = 2\n", "x.ini:6: key 'work' is there already, in line 5" },
	{ HEAD RING "wrok = 1\n",
	  "x.ini:5: [run a]: unknown parameter 'wrok' (did you mean 'work'?)" },
	{ HEAD RING "workload = idle\n", "x.ini:5: key 'workload' is there already, in line 4" },
	{ HEAD "[run a]\nworkload = ping-pogn\n",
	  "x.ini:3: [run a]: unknown workload 'ping-pogn'" },
	{ HEAD "[run a]\nworkload = ping-pogn\n", "did you mean 'ping-pong'?" },
	{ HEAD "[run a]\ncores = 2\n", "x.ini:3: no 'workload' in [run a]" },
	{ HEAD "[run a]\n", "x.ini:3: no 'workload' in [run a]" },
	{ HEAD "[run a]\nworkload = ,\n", "x.ini:3: [run a]: 'workload' has no value" },
	{ HEAD BOTH "work = 1\n",
	  "x.ini:5: [run a]: 'work' is a key of periodic and of ping-pong: write periodic.work or ping-pong.work" },
	{ HEAD BOTH "cores = 2\nping-pong.cores = 3\n",
	  "x.ini:6: [run a]: 'ping-pong.cores' is given as another key already" },
	{ HEAD BOTH "idle.cores = 2\n", "x.ini:5: [run a]: unknown parameter 'idle.cores'" },
	{ HEAD BOTH "ping-pong.loops = 5\n",
	  "x.ini:3: [run a]: ping-pong.loops: a section of several workloads ends with its window" },
	{ HEAD BOTH "cores = 2\npairs = 2\n",
	  "x.ini:3: [run a]: ping-pong: cores has no effect with pairs" },
	{ HEAD "[run a]\nworkload = idle ping-pong idle\n",
	  "x.ini:3: [run a]: workload 'idle' is named twice" },
	{ HEAD "[run a]\nworkload = idle ping-pogn\n",
	  "x.ini:3: [run a]: unknown workload 'ping-pogn'" },
	{ HEAD RING "disable = C1\n", "x.ini:5: [run a]: disable: unknown word 'C1'" },
	{ HEAD RING "disable = none none\n", "x.ini:5: [run a]: disable: 'none' is given twice" },
	{ HEAD RING "[run a]\nworkload = idle\n", "x.ini:5: section [run a] is there already" },
	{ HEAD RING "[run  a]\nworkload = idle\n", "x.ini:5: [run a] stands in line 3 already" },
	{ HEAD "[run " NAME_48 "w]\nworkload = idle\n",
	  "x.ini:3: the name of [run NAME] is 1 to 48 letters" },
	{ HEAD "[run a.b]\nworkload = idle\n", "x.ini:3: the name of [run NAME]" },
	{ HEAD "[run ../a]\nworkload = idle\n", "x.ini:3: the name of [run NAME]" },
	{ HEAD "[run a/b]\nworkload = idle\n", "x.ini:3: the name of [run NAME]" },
	{ HEAD "[run -a]\nworkload = idle\n", "x.ini:3: the name of [run NAME]" },
	{ HEAD "[run \xc3\xa4]\nworkload = idle\n", "x.ini:3: the name of [run NAME]" },
	{ HEAD RING "work = 5 parsecs\n", "x.ini:5: [run a]: work: 'parsecs'" },
	{ HEAD RING "work = 5fs\n", "x.ini:5: [run a]: work: '5fs' is not" },
	{ HEAD RING "work = 5..1 log 3\n", "x.ini:5: [run a]: work: '5..1' has lo above hi" },
	{ HEAD RING "work = 0..0 log 3\n", "empty range" },
	{ HEAD RING "work = 1us log ..\n", "x.ini:5: [run a]: work: a range is written" },
	{ HEAD RING "cores = 1\n", "x.ini:5: [run a]: cores: 1 is out of range (2 to 4096)" },
	{ HEAD RING "transport = fuetx\n", "x.ini:5: [run a]: transport:" },
	{ HEAD RING "transport = fuetx\n", "did you mean 'futex'?" },
	{ HEAD RING "transport =\n", "x.ini:5: [run a]: transport: no value" },
	{ HEAD RING "window = 1\n", "x.ini:5: [run a]: '1' has no unit" },
	{ HEAD RING "window = 1ms\n", "x.ini:5: [run a]: 1ms is outside 100ms to 86400s" },
	{ HEAD RING "cores = 2\npairs = 2\n", "x.ini:3: [run a]: cores has no effect with pairs" },
	{ HEAD "window = 10\n" RING, "x.ini:3: window: '10' has no unit" },
	{ HEAD "window = 99ms\n" RING, "x.ini:3: window: 99ms is outside 100ms to" },
	{ HEAD "window = 25h\n" RING, "x.ini:3: window: 25h is outside" },
	{ HEAD "warmup = 3h\n" RING, "x.ini:3: warmup: 3h is outside" },
	{ HEAD "warmup = -1s\n" RING, "x.ini:3: warmup: '-1s' is negative" },
	{ HEAD "interval = 1ms\n" RING, "x.ini:3: interval: 1ms is outside" },
	{ HEAD "repeat = 0\n" RING, "x.ini:3: repeat: repeat is 1 to 1000, not 0" },
	{ HEAD "repeat = 1001\n" RING, "x.ini:3: repeat: repeat is 1 to 1000" },
	{ HEAD "repeat = 2.5\n" RING, "x.ini:3: repeat: '2.5' is not a whole number" },
	{ HEAD "repeat =\n" RING, "x.ini:3: 'repeat' has no value" },
	{ HEAD "repeat = 40..6\n" RING, "x.ini:3: repeat: '40..6' is not a range" },
	{ HEAD "repeat = 6..2000\n" RING, "x.ini:3: repeat: repeat is 1 to 1000, not 6..2000" },
	{ HEAD "stop = soon\n" RING, "x.ini:3: stop: stop is decided or fixed, not 'soon'" },
	{ HEAD "order = suffled\n" RING,
	  "x.ini:3: order: order is shuffled, blocked or abba, not 'suffled' (did you mean 'shuffled'?)" },
	{ HEAD "governors = menu,\n" RING, "x.ini:3: governors: '' is not a governor's name" },
	{ HEAD "governors = menu, teo\n" RING, "x.ini:3: governors: ' teo' is not a governor's" },
	{ HEAD "governors = menu,a_name_of_sixteen\n" RING, "x.ini:3: governors:" },
	{ HEAD "governors = menu,available\n" RING,
	  "x.ini:3: governors: 'available' stands alone" },
	{ HEAD "governors = current,menu\n" RING, "x.ini:3: governors: 'current' stands alone" },
	{ HEAD RING "work\n", "x.ini:5: not 'key = value': 'work'" },
	{ "format = 1\n" RING, "x.ini:1: key 'format' stands before the first [section]" },
	{ HEAD "[run a\nworkload = idle\n", "x.ini:3: no ']'" },
	{ HEAD "about = a\x01 b\n" RING, "x.ini:3: control byte 0x01" },
};

static void refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct suite suite = { 0 };

		error_clear();
		if (!suite_parse("x.ini", refusals[i].text, NULL, 0, &suite))
			fail_msg("taken: %s", refusals[i].text);
		assert_true(error_is_usage());
		assert_null(suite.section);
		assert_says(refusals[i].says);
	}
}

static void a_long_line_is_refused(void **state)
{
	char text[400] = HEAD "about = ";
	struct suite suite;

	(void)state;
	memset(text + strlen(text), 'x', 300);
	strcat(text, "\n" RING);
	assert_true(suite_parse("x.ini", text, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	assert_says("x.ini:3: line of 308 bytes (at most 198)");
}

static void names_of_files(void **state)
{
	static const char *const bad[] = { "a b.ini", ".ini", "a.b.ini", NAME_48 "w.ini" };
	struct suite suite;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_true(suite_parse(bad[i], HEAD RING, NULL, 0, &suite) < 0);
		assert_true(error_is_usage());
		assert_says("the suite's name");
		assert_says(bad[i]);
	}
	assert_int_equal(suite_parse("/a.b/c d/" NAME_48 ".ini", HEAD RING, NULL, 0, &suite), 0);
	assert_string_equal(suite.name, NAME_48);
	suite_free(&suite);
}

static void expect_set(const char *set, const char *says)
{
	static const char text[] = HEAD RING "work = 5\n[run b]\nworkload = idle\n[run c]\n"
					     "workload = ping-pong\n";
	struct suite suite;

	error_clear();
	if (!suite_parse("x.ini", text, &set, 1, &suite))
		fail_msg("taken: %s", set);
	assert_true(error_is_usage());
	assert_says(says);
	assert_says("--set");
}

static void set_replaces(void **state)
{
	static const char *const set[] = { "work=1us..5us linear 5", "c.cores=3", "window=1s" };
	struct suite suite;

	(void)state;
	assert_int_equal(suite_parse("x.ini",
				     HEAD RING "work = 5\n[run b]\nworkload = idle\n[run c]\n"
					       "workload = ping-pong\n",
				     set, 3, &suite),
			 0);
	for (size_t s = 0; s < 3; s++)
		assert_true(suite.section[s].window_ns == 1e9);
	assert_int_equal(param_find(suite.section[0].workload->params, "work"), 2);
	assert_int_equal(suite.section[0].sweep[2].n, 5);
	assert_int_equal(suite.section[2].sweep[2].n, 5);
	assert_int_equal(suite.section[0].sweep[0].n, 0);
	assert_int_equal(suite.section[2].sweep[0].n, 1);
	suite_free(&suite);
}

static void set_is_checked(void **state)
{
	(void)state;
	expect_set("wrok=5", "'wrok' (did you mean 'work'?)");
	expect_set("wimdow=5s", "did you mean 'window'?");
	expect_set("d.work=5", "is called 'd'");
	expect_set("b.work=5", "unknown parameter 'work'");
	expect_set("work=", "work: no value");
	expect_set("work=5parsecs", "'5parsecs' is not");
	expect_set("window=5", "'5' has no unit");
	expect_set("work", "not key=value");
	expect_set("c.=5", "unknown parameter ''");
}

static void put(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void files(void **state)
{
	static const char nul[] = HEAD "about = a\0b\n" RING;
	char dir[] = "/tmp/suite-XXXXXX", path[64], place[80];
	struct suite suite;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/my-own.ini", dir);
	assert_true(suite_load(path, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	assert_says("No such file");
	put(path, HEAD RING, strlen(HEAD RING));
	assert_int_equal(suite_load(path, NULL, 0, &suite), 0);
	assert_string_equal(suite.name, "my-own");
	suite_free(&suite);
	put(path, nul, sizeof(nul) - 1);
	assert_true(suite_load(path, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	snprintf(place, sizeof(place), "%s:3: NUL byte", path);
	assert_says(place);
	put(path, "", 0);
	assert_true(suite_load(path, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	assert_true(suite_load(dir, NULL, 0, &suite) < 0);
	assert_true(error_is_usage());
	assert_says("is a folder, not a suite file");
	assert_int_equal(file_remove_tree(dir), 0);
}

static void shipped_suites(void **state)
{
	struct suite suite;

	(void)state;
	if (suite_load("configs/smoke.ini", NULL, 0, &suite))
		fail_msg("%s", error_text());
	assert_string_equal(suite.name, "smoke");
	suite_free(&suite);
	if (suite_load("configs/ping-sweep.ini", NULL, 0, &suite))
		fail_msg("%s", error_text());
	assert_int_equal(suite.section[0].sweep[2].n, 24);
	assert_int_equal(suite.section[1].sweep[2].n, 40);
	suite_free(&suite);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(all_keys),
		cmocka_unit_test(several_workloads),
		cmocka_unit_test(set_of_several_workloads),
		cmocka_unit_test(longest_name),
		cmocka_unit_test(refused),
		cmocka_unit_test(a_long_line_is_refused),
		cmocka_unit_test(names_of_files),
		cmocka_unit_test(set_replaces),
		cmocka_unit_test(set_is_checked),
		cmocka_unit_test(files),
		cmocka_unit_test(shipped_suites),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
