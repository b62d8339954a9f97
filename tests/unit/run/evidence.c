/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Doubts that come from what the workloads wrote: speed and places, of one workload
 * and of several. A figure that is not there raises none.
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/evidence.h"
#include "run/session.h"
#include <stdio.h>
#include <stdlib.h>

#define METRICS "name\tunit\tbetter\tvalue\n"
#define TASKS "task\trole\ttid\tcpu_asked\taffinity\tcpu_start\tcpu_end\tmigrations\n"

static const struct metric metrics[] = {
	{ "unit_start_ns", "ns", BETTER_NONE, "" },
	{ "unit_end_ns", "ns", BETTER_NONE, "" },
	{ 0 },
};
static const struct workload first = { .name = "first", .metrics = metrics };
static const struct workload second = { .name = "second", .metrics = metrics };

struct made {
	struct session session;
	struct placement placement;
	struct cell cell;
	char dir[2][64];
};

static void put(const char *dir, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(file_write_atomic(path, text, strlen(text)), 0);
}

static void make(struct made *m, size_t parts)
{
	static const struct workload *const workload[] = { &first, &second };

	memset(m, 0, sizeof(*m));
	m->session.root.live = true;
	m->cell.session = &m->session;
	m->cell.placement = &m->placement;
	m->cell.parts = m->placement.parts = parts;
	for (size_t k = 0; k < parts; k++) {
		strcpy(m->dir[k], "/tmp/evidence-XXXXXX");
		assert_non_null(mkdtemp(m->dir[k]));
		m->cell.part[k] = (struct cell_part){ .workload = workload[k], .dir = m->dir[k] };
		m->placement.part[k].pinned = true;
		put(m->dir[k], "metrics.tsv", METRICS);
		put(m->dir[k], "tasks.tsv", TASKS);
	}
}

/* The doubts must be just these, in this order. */
static void expect(struct made *m, const char *const *says, size_t n)
{
	assert_int_equal(evidence_doubts(&m->cell), 0);
	assert_int_equal(m->cell.run.doubts, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(m->cell.run.doubt[i], says[i]);
	for (size_t k = 0; k < m->cell.parts; k++)
		assert_int_equal(file_remove_tree(m->dir[k]), 0);
	store_run_free(&m->cell.run);
}

static void expect_units(const char *start, const char *end, const char *doubt)
{
	struct made m;
	char text[256];

	make(&m, 1);
	snprintf(text, sizeof(text),
		 METRICS "unit_start_ns\tns\tnone\t%s\nunit_end_ns\tns\tnone\t%s\n", start, end);
	put(m.dir[0], "metrics.tsv", text);
	expect(&m, &doubt, doubt ? 1 : 0);
}

static void a_04_speed(void **state)
{
	(void)state;
	expect_units("1.300", "1.300", NULL);
	expect_units("1.300", "1.338", NULL); /* 2.9 % */
	expect_units(
		"1.300", "1.340",
		"speed changed: a unit of work took 1.300 ns before and 1.340 ns after the window");
	expect_units(
		"1.340", "1.290",
		"speed changed: a unit of work took 1.340 ns before and 1.290 ns after the window");
	expect_units("1.300", "", NULL);
	expect_units("", "1.300", NULL);
}

static void a_02_places(void **state)
{
	static const char *const says[] = {
		"task 1 was asked onto CPU 2 and ran on CPU 2, then 3",
	};
	struct made m;

	(void)state;
	make(&m, 1);
	put(m.dir[0], "tasks.tsv",
	    TASKS
	    "0\tring0\t7\t0\t0\t0\t0\t0\n1\tring0\t8\t2\t2\t2\t3\t0\n2\tring0\t9\t\t0-3\t1\t2\t\n");
	expect(&m, says, 1);
	make(&m, 1);
	m.placement.part[0].pinned = false;
	put(m.dir[0], "tasks.tsv", TASKS "0\tring0\t7\t0\t0\t1\t1\t0\n");
	expect(&m, NULL, 0);
}

/* Of several the doubt says whose it is, at its end: reports count doubts by how they begin. */
static void several_workloads(void **state)
{
	static const char *const says[] = {
		"the workload left no readable tasks.tsv (first)",
		"speed changed: a unit of work took 1.000 ns before and 2.000 ns after the window (second)",
		"task 0 was asked onto CPU 0 and ran on CPU 1, then 0 (second)",
	};
	struct made m;
	char path[128];

	(void)state;
	make(&m, 2);
	snprintf(path, sizeof(path), "%s/tasks.tsv", m.dir[0]);
	assert_int_equal(remove(path), 0);
	put(m.dir[1], "metrics.tsv",
	    METRICS "unit_start_ns\tns\tnone\t1\nunit_end_ns\tns\tnone\t2\n");
	put(m.dir[1], "tasks.tsv", TASKS "0\tr\t7\t0\t0\t1\t0\t0\n");
	expect(&m, says, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_04_speed),
		cmocka_unit_test(a_02_places),
		cmocka_unit_test(several_workloads),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
