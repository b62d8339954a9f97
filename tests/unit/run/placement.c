/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From parameters to CPUs, on machines that hwloc makes up ("package:2 core:2 pu:2").
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/placement.h"
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

struct machine {
	char dir[32];
	struct root root;
	struct topology *topology;
	struct cpulist cpus;
};

static struct machine machine_of(const char *synthetic)
{
	struct machine m = { .dir = "/tmp/placement-XXXXXX" };
	hwloc_topology_t hwloc;
	char path[64];

	assert_non_null(mkdtemp(m.dir));
	snprintf(path, sizeof(path), "%s/topology.xml", m.dir);
	assert_int_equal(hwloc_topology_init(&hwloc), 0);
	assert_int_equal(hwloc_topology_set_synthetic(hwloc, synthetic), 0);
	assert_int_equal(hwloc_topology_load(hwloc), 0);
	assert_int_equal(hwloc_topology_export_xml(hwloc, path, 0), 0);
	hwloc_topology_destroy(hwloc);
	assert_int_equal(root_open(m.dir, &m.root), 0);
	if (topology_load(&m.root, &m.topology))
		fail_msg("%s", error_text());
	assert_int_equal(topology_cpus(m.topology, &m.cpus), 0);
	return m;
}

static void machine_free(struct machine *m)
{
	topology_free(m->topology);
	cpulist_free(&m->cpus);
	root_close(&m->root);
	assert_int_equal(file_remove_tree(m->dir), 0);
}

/* Places the first point of a section with these keys. */
static int place(const struct machine *m, const char *allowed, const char *keys,
		 struct placement *ret)
{
	struct cpulist list = { 0 };
	struct suite suite;
	struct plan plan;
	char text[256];
	int err;

	snprintf(text, sizeof(text), HEAD "[run a]\n%s", keys);
	suite = suite_of(text);
	assert_int_equal(plan_make(&suite,
				   &(struct plan_request){
					   .governors = "menu", .repeat = 1, .order = "blocked" },
				   &plan),
			 0);
	assert_int_equal(allowed ? cpulist_parse(allowed, &list) : cpulist_copy(&m->cpus, &list),
			 0);
	error_clear();
	err = placement_make(m->topology, &list, &plan, 0, ret);
	cpulist_free(&list);
	plan_free(&plan);
	suite_free(&suite);
	return err;
}

static struct placement placed(const struct machine *m, const char *allowed, const char *keys,
			       const char *cpus)
{
	struct placement placement;
	char *text;

	if (place(m, allowed, keys, &placement))
		fail_msg("%s: %s", keys, error_text());
	text = cpulist_format(&placement.cpus);
	assert_string_equal(text, cpus);
	free(text);
	return placement;
}

static void refused(const struct machine *m, const char *allowed, const char *keys,
		    const char *says)
{
	struct placement placement;

	if (!place(m, allowed, keys, &placement))
		fail_msg("%s: placed", keys);
	assert_true(error_is_usage());
	assert_says("[run a]");
	assert_says(says);
}

#define RING_KEYS "workload = ping-pong\n"
#define WAITERS "workload = waiters\nthreads = 500\naffinity = "

static void one_core_each_then_siblings(void **state)
{
	/* CPUs are numbered through: the siblings of a core are 2n and 2n+1. */
	struct machine m = machine_of("package:1 l3:1 core:4 pu:2");
	struct placement p = placed(&m, NULL, RING_KEYS "cores = 2\n", "0,2");

	(void)state;
	assert_int_equal(p.tasks, 2);
	assert_true(p.pinned);
	assert_false(p.oversubscribed);
	assert_int_equal(p.got, TOPOLOGY_SAME_CACHE);
	assert_int_equal(p.housekeeping, 6);
	assert_false(p.housekeeping_shared);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "cores = all\n", "0,2,4,6");
	assert_int_equal(p.tasks, 4);
	assert_int_equal(p.got, TOPOLOGY_SAME_CACHE);
	/* No core is left: the runner shares the last one. */
	assert_int_equal(p.housekeeping, 6);
	assert_true(p.housekeeping_shared);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "cores = 5\n", "0,2,4,6,1");
	/* The last stop is the sibling of the first: the neighbours differ. */
	assert_int_equal(p.got, -1);
	placement_free(&p);
	machine_free(&m);
}

static void beyond_the_machine(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:4 pu:1");

	(void)state;
	refused(&m, NULL, RING_KEYS "cores = 12\n", "12 CPUs asked, this machine has 4");
	refused(&m, "0-2", RING_KEYS "cores = 4\n",
		"4 CPUs asked, this machine has 3 that are allowed");
	refused(&m, NULL, RING_KEYS "pairs = 3\n", "6 CPUs asked, this machine has 4");
	refused(&m, NULL, RING_KEYS "cores = 12 13\n", "[run a] cores=12: 12 CPUs asked");
	machine_free(&m);
}

static void distances(void **state)
{
	struct machine m = machine_of("package:2 l3:2 core:2 pu:2");
	struct placement p;

	(void)state;
	p = placed(&m, NULL, RING_KEYS "distance = smt-sibling\n", "0-1");
	assert_int_equal(p.asked, TOPOLOGY_SMT_SIBLING);
	assert_int_equal(p.got, TOPOLOGY_SMT_SIBLING);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "distance = same-cache\n", "0,2");
	assert_int_equal(p.got, TOPOLOGY_SAME_CACHE);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "distance = other-package\n", "0,8");
	assert_int_equal(p.got, TOPOLOGY_OTHER_PACKAGE);
	placement_free(&p);
	/* Two pairs are two groups: nobody looks at the distance between them. */
	p = placed(&m, NULL, RING_KEYS "pairs = 2\ndistance = same-cache\n", "0,2,4,6");
	assert_int_equal(p.got, TOPOLOGY_SAME_CACHE);
	placement_free(&p);
	refused(&m, NULL, RING_KEYS "cores = 3\ndistance = smt-sibling\n", "distance smt-sibling");
	refused(&m, "0-7", RING_KEYS "distance = other-package\n", "all of one package");
	machine_free(&m);
}

/* 0 and 1 share a cache, 1 and 2 do not, and neither do 2 and 0. */
static void a_ring_is_closed(void **state)
{
	struct machine m = machine_of("package:3 l3:1 core:1 pu:1");
	struct placement p = placed(&m, NULL, RING_KEYS "cores = 3\n", "0-2");

	(void)state;
	assert_int_equal(p.got, TOPOLOGY_OTHER_PACKAGE);
	placement_free(&p);
	machine_free(&m);
	m = machine_of("package:2 l3:1 core:2 pu:1");
	p = placed(&m, NULL, RING_KEYS "cores = 3\n", "0-2");
	assert_int_equal(p.got, -1);
	placement_free(&p);
	machine_free(&m);
}

static void free_affinity(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:2 pu:1");
	struct placement p = placed(&m, NULL, RING_KEYS "affinity = free\ncores = 5\n", "0-1");

	(void)state;
	assert_false(p.pinned);
	assert_int_equal(p.tasks, 5);
	assert_true(p.oversubscribed);
	assert_int_equal(p.got, -1);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "affinity = free\ncores = all\n", "0-1");
	assert_int_equal(p.tasks, 2);
	assert_false(p.oversubscribed);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "affinity = free\npairs = all\n", "0-1");
	assert_int_equal(p.all, 2);
	assert_int_equal(p.tasks, 4);
	assert_true(p.oversubscribed);
	placement_free(&p);
	refused(&m, "0", RING_KEYS "cores = all\n", "cores = all is 1 here, ping-pong takes 2");
	refused(&m, "7", RING_KEYS, "CPU 7 is not online here");
	machine_free(&m);
}

/* As many pairs as cores, not as CPUs: six on a machine of 6 cores and 12 CPUs. */
static void all_means_cores(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:6 pu:2");
	struct placement p = placed(&m, NULL, RING_KEYS "affinity = free\npairs = all\n", "0-11");

	(void)state;
	assert_int_equal(p.all, 6);
	assert_int_equal(p.tasks, 12);
	assert_false(p.oversubscribed);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "affinity = free\ncores = all\n", "0-11");
	assert_int_equal(p.tasks, 6);
	placement_free(&p);
	p = placed(&m, NULL, RING_KEYS "cores = 4\n", "0,2,4,6");
	assert_int_equal(p.all, 0);
	placement_free(&p);
	machine_free(&m);
}

static void the_null_workload_has_no_cpu(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:2 pu:1");
	struct placement p = placed(&m, NULL, "workload = idle\n", "");

	(void)state;
	assert_int_equal(p.tasks, 0);
	assert_int_equal(p.got, -1);
	assert_false(p.oversubscribed);
	assert_int_equal(p.housekeeping, 1);
	assert_false(p.housekeeping_shared);
	placement_free(&p);
	machine_free(&m);
}

static void expect_part(const struct placement *p, size_t part, const char *cpus)
{
	char *text = cpulist_format(&p->part[part].cpus);

	assert_string_equal(text, cpus);
	free(text);
}

#define TWO_KEYS "workload = periodic ping-pong\n"

/* Own cores for each, siblings left alone, and one core left for the runner. */
static void several_workloads_on_12_cpus(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:6 pu:2");
	struct placement p = placed(&m, NULL, TWO_KEYS "cores = 4\n", "0,2,4,6,8");

	(void)state;
	expect_part(&p, 0, "0");
	expect_part(&p, 1, "2,4,6,8");
	assert_int_equal(p.tasks, 5);
	assert_true(p.pinned);
	assert_false(p.oversubscribed);
	assert_false(p.timer_based);
	assert_int_equal(p.housekeeping, 10);
	assert_false(p.housekeeping_shared);
	placement_free(&p);
	/* "all" is all: it shares with the other. */
	p = placed(&m, NULL, TWO_KEYS "cores = all\n", "0,2,4,6,8,10");
	expect_part(&p, 1, "0,2,4,6,8,10");
	assert_true(p.oversubscribed);
	assert_true(p.housekeeping_shared);
	placement_free(&p);
	/* A free one may be anywhere, the pinned one's CPU included. */
	p = placed(&m, NULL, TWO_KEYS "affinity = free\n", "0-11");
	expect_part(&p, 0, "0");
	expect_part(&p, 1, "0-11");
	assert_false(p.pinned);
	assert_false(p.oversubscribed);
	placement_free(&p);
	p = placed(&m, NULL, "workload = idle periodic\n", "0");
	assert_true(p.pinned);
	assert_true(p.timer_based);
	placement_free(&p);
	machine_free(&m);
}

/* not enough cores for both is said. */
static void several_workloads_on_few_cpus(void **state)
{
	struct machine m = machine_of("package:1 l3:1 core:2 pu:1");
	struct placement p = placed(&m, NULL, TWO_KEYS, "0-1");

	(void)state;
	expect_part(&p, 0, "0");
	expect_part(&p, 1, "0-1");
	assert_true(p.oversubscribed);
	assert_true(p.housekeeping_shared);
	placement_free(&p);
	machine_free(&m);
	/* SMT, 2 cores: the siblings of the other core are no two cores; it shares instead. */
	m = machine_of("package:1 l3:1 core:2 pu:2");
	p = placed(&m, NULL, TWO_KEYS, "0,2");
	assert_true(p.oversubscribed);
	placement_free(&p);
	machine_free(&m);
	m = machine_of("package:1 l3:1 core:1 pu:1");
	p = placed(&m, NULL, "workload = periodic\n", "0");
	assert_false(p.oversubscribed);
	assert_true(p.housekeeping_shared);
	placement_free(&p);
	refused(&m, NULL, TWO_KEYS, "ping-pong: 2 CPUs asked, this machine has 1");
	machine_free(&m);
}

/* 500 threads have all CPUs, siblings too, wherever they are. */
static void more_tasks_than_cpus(void **state)
{
	static const char *const machine[] = { "package:1 l3:1 core:6 pu:2",
					       "package:1 l3:1 core:2 pu:1",
					       "package:1 l3:1 core:1 pu:1" };
	static const char *const pinned[] = { "0,2,4,6,8,10,1,3,5,7,9,11", "0-1", "0" };
	static const char *const scheduled[] = { "0-11", "0-1", "0" };

	(void)state;
	for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++) {
		struct machine m = machine_of(machine[i]);
		struct placement p = placed(&m, NULL, WAITERS "pinned\n", pinned[i]);

		assert_true(p.pinned);
		assert_true(p.oversubscribed);
		assert_int_equal(p.tasks, 500);
		placement_free(&p);
		p = placed(&m, NULL, WAITERS "free\n", scheduled[i]);
		assert_false(p.pinned);
		assert_true(p.oversubscribed);
		placement_free(&p);
		machine_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_core_each_then_siblings),
		cmocka_unit_test(beyond_the_machine),
		cmocka_unit_test(distances),
		cmocka_unit_test(a_ring_is_closed),
		cmocka_unit_test(free_affinity),
		cmocka_unit_test(all_means_cores),
		cmocka_unit_test(the_null_workload_has_no_cpu),
		cmocka_unit_test(several_workloads_on_12_cpus),
		cmocka_unit_test(several_workloads_on_few_cpus),
		cmocka_unit_test(more_tasks_than_cpus),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
