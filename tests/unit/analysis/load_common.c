/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several results have in common, and what one of them has alone. */
#include "analysis/load.h"
#include "lib/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RUNS_MAX 16

struct made {
	struct result result;
	struct loaded_run run[RUNS_MAX];
	struct source source[3];
};

static struct made *make(size_t sources)
{
	static const char *const name[] = { "A", "B", "C" };
	static struct made made;

	memset(&made, 0, sizeof(made));
	made.result.run = made.run;
	made.result.source = made.source;
	made.result.sources = sources;
	for (size_t i = 0; i < sources; i++)
		made.source[i].dir = made.source[i].given = made.source[i].shown = name[i];
	return &made;
}

/* Texts are the run's own, as load_common() frees those that it takes out. */
static void add(struct made *m, size_t source, const char *section, const char *point)
{
	struct loaded_run *run = &m->run[m->result.runs++];

	run->source = source;
	run->info.section = strdup(section);
	run->info.point = strdup(point);
}

/* "s x=1 0": section, point and source of each run that is left. */
static void assert_left(struct made *m, const char *want)
{
	const char *got = "";

	load_common(&m->result);
	for (size_t i = 0; i < m->result.runs; i++)
		got = pool_text(&m->result.pool, "%s%s%s %s %zu", got, i ? ", " : "",
				m->run[i].info.section, m->run[i].info.point, m->run[i].source);
	assert_string_equal(got, want);
}

static void done(struct made *m)
{
	for (size_t i = 0; i < m->result.runs; i++)
		store_run_free(&m->run[i].info);
	pool_free(&m->result.pool);
}

static void one_result_is_left_alone(void **state)
{
	struct made *m = make(1);

	(void)state;
	add(m, 0, "s", "x=1");
	add(m, 0, "t", "");
	assert_left(m, "s x=1 0, t  0");
	assert_int_equal(m->result.uncommons, 0);
	done(m);
}

static void points_of_one_result_are_listed(void **state)
{
	struct made *m = make(2);

	(void)state;
	add(m, 0, "s", "x=1");
	add(m, 0, "s", "x=2");
	add(m, 0, "s", "x=2");
	add(m, 0, "s", "x=4");
	add(m, 1, "s", "x=3");
	add(m, 1, "s", "x=1");
	assert_left(m, "s x=1 0, s x=1 1");
	assert_int_equal(m->result.uncommons, 2);
	assert_string_equal(m->result.uncommon[0].points, "x=2, x=4");
	assert_string_equal(m->result.uncommon[0].sources, "A");
	assert_int_equal(m->result.uncommon[0].runs, 3);
	assert_string_equal(m->result.uncommon[1].points, "x=3");
	assert_string_equal(m->result.uncommon[1].sources, "B");
	done(m);
}

/* A section that two of three have is compared between these two. */
static void sections_are_common_to_those_that_have_them(void **state)
{
	struct made *m = make(3);

	(void)state;
	add(m, 0, "s", "x=1");
	add(m, 0, "t", "");
	add(m, 1, "s", "x=1");
	add(m, 1, "u", "y=1");
	add(m, 1, "u", "y=2");
	add(m, 2, "t", "");
	assert_left(m, "s x=1 0, t  0, s x=1 1, t  2");
	assert_int_equal(m->result.uncommons, 1);
	assert_string_equal(m->result.uncommon[0].section, "u");
	assert_string_equal(m->result.uncommon[0].points, "");
	assert_int_equal(m->result.uncommon[0].runs, 2);
	done(m);
}

static void labels_are_of_directories(void **state)
{
	static const char *const dir[] = { "/usr", "/usr/bin/" };
	static const struct {
		const char *label, *refused;
	} cases[] = {
		{ "bin=v 3", NULL },
		{ "/usr/bin=v", NULL },
		{ "/usr/bin/:teo=v", NULL },
		{ "/usr=v", NULL },
		{ "lib=v", "begins with none of the result directories" },
		{ "bin=", "is not DIR=TEXT" },
		{ "bin:=v", "is not DIR=TEXT" },
		{ "bin:teo", "is not DIR=TEXT" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct load_request request = {
			.dir = dir, .dirs = 2, .label = &cases[i].label, .labels = 1
		};
		struct result r = { 0 };
		int err = load_sources(&r, &request);

		if (cases[i].refused) {
			assert_true(err < 0 && error_is_usage());
			assert_non_null(strstr(error_text(), cases[i].refused));
		} else {
			assert_int_equal(err, 0);
			assert_true(r.labels == 1 || r.source[0].label || r.source[1].label);
		}
		if (!i)
			assert_string_equal(r.source[1].label, "v_3");
		if (i == 2)
			assert_string_equal(r.label[0].governor, "teo");
		error_clear();
		pool_free(&r.pool);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_result_is_left_alone),
		cmocka_unit_test(points_of_one_result_are_listed),
		cmocka_unit_test(sections_are_common_to_those_that_have_them),
		cmocka_unit_test(labels_are_of_directories),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
