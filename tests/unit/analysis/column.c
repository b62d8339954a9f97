/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What columns are called and what each is compared with, from one and from several results. */
#include "analysis/section.h"
#include "lib/error.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define MAX 8

struct made {
	struct result result;
	struct loaded_run run[MAX];
	struct source source[MAX];
	struct boot boot[MAX];
	struct load_label label[MAX];
	struct table table;
};

/* The tables' texts are constants, which load_free() is not to see. */
static struct made *make(void)
{
	static struct made made;

	memset(&made, 0, sizeof(made));
	made.result.run = made.run;
	made.result.source = made.source;
	made.result.boot = made.boot;
	made.result.label = made.label;
	made.result.campaign.governors = (char *)"menu,teo";
	made.result.campaign.reference = (char *)"menu";
	made.table.result = &made.result;
	made.table.pool = &made.result.pool;
	return &made;
}

/* A result with one boot and a run of each governor. */
static void add(struct made *m, const char *shown, const char *kernel, const char *machine,
		const char *a, const char *b)
{
	size_t n = m->result.sources++;
	const char *const governor[] = { a, b };

	m->source[n] = (struct source){ .dir = shown, .given = shown, .shown = shown };
	m->source[n].campaign.reference = (char *)a;
	m->boot[m->result.boots++] =
		(struct boot){ .source = n, .release = kernel, .machine = machine };
	for (size_t i = 0; i < 2 && governor[i]; i++) {
		struct loaded_run *run = &m->run[m->result.runs++];

		run->source = n;
		run->boot = (int)n;
		run->info.label = run->info.governor = (char *)governor[i];
	}
}

/* "menu=- teo=menu": each column, and what it is compared with; "*" = is a reference. */
static void assert_columns(struct made *m, const char *want)
{
	const struct table *t = &m->table;
	const char *got = "";

	assert_int_equal(section_columns(&m->table), 0);
	for (size_t i = 0; i < t->columns; i++)
		got = pool_text(t->pool, "%s%s%s=%s", got, i ? " " : "", t->column[i].name,
				t->column[i].is_reference ? "*"
				: t->column[i].reference == NO_COLUMN
					? "-"
					: t->column[t->column[i].reference].name);
	assert_string_equal(got, want);
	pool_free(&m->result.pool);
}

static void assert_refused(struct made *m, const char *part)
{
	assert_true(section_columns(&m->table) < 0);
	assert_true(error_is_usage());
	assert_non_null(strstr(error_text(), part));
	error_clear();
	pool_free(&m->result.pool);
}

static void one_result_compares_with_its_reference(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "m", "menu", "teo");
	assert_columns(m, "menu=* teo=menu");
}

static void kernels_are_compared_governor_by_governor(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.18", "m", "menu", "teo"); /* the first is the reference, not the oldest */
	add(m, "B", "6.17", "m", "menu", "teo");
	assert_columns(m, "menu@6.18=* teo@6.18=* menu@6.17=menu@6.18 teo@6.17=teo@6.18");
	assert_string_equal(m->table.reference, "6.18");
}

static void a_governor_without_namesake_is_compared_with_the_reference_there(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "m", "menu", "teo");
	add(m, "B", "6.18", "m", "teo-ng", NULL);
	assert_columns(m, "menu@6.17=* teo@6.17=* teo-ng@6.18=menu@6.17");
}

static void directories_tell_apart_what_else_is_the_same(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "m", "menu", "teo");
	add(m, "B", "6.17", "m", "menu", "teo");
	add(m, "C", "6.18", "m", "teo", NULL);
	assert_columns(m, "A/menu=* A/teo=* B/menu=A/menu B/teo=A/teo teo@6.18=A/teo");
}

static void machines_stand_side_by_side(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz", "menu", "teo");
	add(m, "B", "6.18", "AMD EPYC 7543 32-Core Processor", "menu", "teo");
	assert_columns(m, "i5-8250U/menu=* i5-8250U/teo=i5-8250U/menu "
			  "EPYC_7543/menu=* EPYC_7543/teo=EPYC_7543/menu");
}

static void labels_name_and_pool(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "m", "menu", "teo");
	add(m, "B", "6.17", "m", "teo", NULL);
	add(m, "C", "6.17", "m", "teo", NULL);
	m->source[1].label = m->source[2].label = "v3";
	assert_columns(m, "A/menu=* A/teo=* v3=A/teo");
}

static void a_reference_can_be_many_things(void **state)
{
	static const struct {
		const char *asked, *want;
	} cases[] = {
		{ "teo", "menu@6.17=teo@6.17 teo@6.17=* menu@6.18=teo@6.18 teo@6.18=*" },
		{ "6.18", "menu@6.17=menu@6.18 teo@6.17=teo@6.18 menu@6.18=* teo@6.18=*" },
		{ "B", "menu@6.17=menu@6.18 teo@6.17=teo@6.18 menu@6.18=* teo@6.18=*" },
		{ "teo@6.17",
		  "menu@6.17=teo@6.17 teo@6.17=* menu@6.18=teo@6.17 teo@6.18=teo@6.17" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct made *m = make();

		add(m, "A", "6.17", "m", "menu", "teo");
		add(m, "B", "6.18", "m", "menu", "teo");
		m->result.reference = cases[i].asked;
		assert_columns(m, cases[i].want);
	}
}

static void what_is_not_there_is_refused(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "A", "6.17", "m", "menu", "teo");
	m->result.reference = "tea";
	assert_refused(m, "there is no 'tea'");
	m = make();
	add(m, "A", "6.17", "m", "menu", "teo");
	m->label[0] = (struct load_label){ "A:nap=x", 0, "nap", "x" };
	m->result.labels = 1;
	assert_refused(m, "no governor 'nap'");
	m = make();
	add(m, "A", "6.17", "m", "menu", "teo");
	m->label[0] = (struct load_label){ "A:teo=menu", 0, "teo", "menu" };
	m->result.labels = 1;
	assert_refused(m, "two columns would be called 'menu'");
}

static void names_of_processors_are_shortened(void **state)
{
	struct pool pool = { 0 };

	(void)state;
	assert_string_equal(
		section_short_machine(&pool, "Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz"),
		"Xeon_Platinum_8280");
	assert_string_equal(section_short_machine(&pool, "AMD Ryzen 7 5800X 8-Core Processor"),
			    "Ryzen_7_5800X");
	assert_string_equal(section_short_machine(&pool, "(R) ( x"), "(_x");
	assert_string_equal(section_short_machine(&pool, ""), "unknown_machine");
	pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_result_compares_with_its_reference),
		cmocka_unit_test(kernels_are_compared_governor_by_governor),
		cmocka_unit_test(a_governor_without_namesake_is_compared_with_the_reference_there),
		cmocka_unit_test(directories_tell_apart_what_else_is_the_same),
		cmocka_unit_test(machines_stand_side_by_side),
		cmocka_unit_test(labels_name_and_pool),
		cmocka_unit_test(a_reference_can_be_many_things),
		cmocka_unit_test(what_is_not_there_is_refused),
		cmocka_unit_test(names_of_processors_are_shortened),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
