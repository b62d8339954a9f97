/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Choice of CPUs on machines that hwloc makes up (its synthetic descriptions, exported to
 * DIR/topology.xml) and on make-machine's folders. The expected lists were drawn up by hand.
 */
#include "machine.h"
#include "hw/topology.h"
#include <hwloc.h>
#include <sched.h>

/* A machine from hwloc's synthetic @description, as topology.xml. */
static struct topology *synthetic(struct machine *machine, const char *description)
{
	struct topology *topology;
	hwloc_topology_t hwloc;
	char path[256];

	*machine = machine_make(NULL);
	snprintf(path, sizeof(path), "%s/topology.xml", machine->dir);
	assert_int_equal(hwloc_topology_init(&hwloc), 0);
	assert_int_equal(hwloc_topology_set_synthetic(hwloc, description), 0);
	assert_int_equal(hwloc_topology_load(hwloc), 0);
	assert_int_equal(hwloc_topology_export_xml(hwloc, path, 0), 0);
	hwloc_topology_destroy(hwloc);
	if (topology_load(&machine->root, &topology))
		fail_msg("topology_load: %s", error_text());
	return topology;
}

struct choice {
	const char *allowed; /* NULL = all */
	int n, group;
	enum topology_distance distance;
	const char *expected; /* a list, or a part of the refusal behind '!' */
};

static void check_choice(const struct topology *topology, const struct choice *choice)
{
	struct cpulist allowed, got = { .n = 0 };
	char *text;
	int code;

	if (choice->allowed)
		allowed = list_of(choice->allowed);
	else
		assert_int_equal(topology_cpus(topology, &allowed), 0);
	code = topology_choose(topology, &allowed, choice->n, choice->group, choice->distance,
			       &got);
	if (choice->expected[0] == '!') {
		assert_int_equal(code, -EINVAL);
		assert_true(error_is_usage());
		assert_error_has(choice->expected + 1);
	} else {
		if (code)
			fail_msg("%d/%d %s: %s", choice->n, choice->group,
				 topology_distance_name[choice->distance], error_text());
		text = cpulist_format(&got);
		if (strcmp(text, choice->expected))
			fail_msg("%d/%d %s: expected %s, got %s", choice->n, choice->group,
				 topology_distance_name[choice->distance], choice->expected, text);
		free(text);
	}
	cpulist_free(&got);
	cpulist_free(&allowed);
}

static void check_choices(const char *description, const struct choice *choice, size_t n)
{
	struct machine machine;
	struct topology *topology = synthetic(&machine, description);

	for (size_t i = 0; i < n; i++)
		check_choice(topology, &choice[i]);
	topology_free(topology);
	machine_free(&machine);
}

#define CHECK(description, choices)                                                                \
	check_choices(description, choices, sizeof(choices) / sizeof((choices)[0]))

/*
 * Two packages of two caches of four cores of two CPUs: core c has the CPUs 2c and 2c + 1, cache k
 * the CPUs 8k to 8k + 7, package p the CPUs 16p to 16p + 15.
 */
static void test_two_packages(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 0, 0, TOPOLOGY_ANY, "" },
		{ NULL, 3, 0, TOPOLOGY_ANY, "0,2,4" },
		{ NULL, 18, 0, TOPOLOGY_ANY, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,1,3" },
		{ NULL, -1, 0, TOPOLOGY_ANY, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30" },
		{ NULL, -1, 2, TOPOLOGY_ANY, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30" },
		{ NULL, 33, 0, TOPOLOGY_ANY, "!33 CPUs asked, this machine has 32" },
		{ "0-3", 5, 0, TOPOLOGY_ANY, "!5 CPUs asked, this machine has 4 that are allowed" },
		{ "3-6", 3, 0, TOPOLOGY_ANY, "3-4,6" },
		{ "31,5,4", 3, 0, TOPOLOGY_ANY, "4,31,5" },
		{ "40", 1, 0, TOPOLOGY_ANY, "!CPU 40 is not online here" },
		{ NULL, 2, 0, TOPOLOGY_SMT_SIBLING, "0-1" },
		{ NULL, 4, 2, TOPOLOGY_SMT_SIBLING, "0-3" },
		{ NULL, -1, 2, TOPOLOGY_SMT_SIBLING, "0-31" },
		{ NULL, 4, 4, TOPOLOGY_SMT_SIBLING,
		  "!distance smt-sibling: 4 CPUs in groups of 4 asked, 0 such groups" },
		{ "0,2,4", 2, 2, TOPOLOGY_SMT_SIBLING, "!no core of this machine has two CPUs" },
		{ NULL, 2, 0, TOPOLOGY_SAME_CACHE, "0,2" },
		{ NULL, 4, 0, TOPOLOGY_SAME_CACHE, "0,2,4,6" },
		{ NULL, 6, 2, TOPOLOGY_SAME_CACHE, "0,2,4,6,8,10" },
		{ NULL, 8, 0, TOPOLOGY_SAME_CACHE, "0,2,4,6,1,3,5,7" },
		{ NULL, 9, 0, TOPOLOGY_SAME_CACHE, "!0 such groups can be had" },
		{ NULL, -1, 3, TOPOLOGY_SAME_CACHE, "0,2,4,8,10,12,16,18,20,24,26,28" },
		{ NULL, 18, 2, TOPOLOGY_SAME_CACHE,
		  "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,1,3" },
		/* the first cache has two allowed cores only: four whole cores are in the next */
		{ "0-3,8-15", 4, 0, TOPOLOGY_SAME_CACHE, "8,10,12,14" },
		{ "0-1,8", 2, 0, TOPOLOGY_SAME_CACHE, "!0 such groups" },
		{ NULL, 6, 0, TOPOLOGY_SAME_PACKAGE, "0,2,4,6,8,10" },
		{ NULL, 10, 0, TOPOLOGY_SAME_PACKAGE, "0,2,4,6,8,10,12,14,1,3" },
		{ NULL, -1, 0, TOPOLOGY_SAME_PACKAGE, "!groups of 16 cores asked, none can" },
		{ NULL, 16, 0, TOPOLOGY_SAME_PACKAGE, "0,2,4,6,8,10,12,14,1,3,5,7,9,11,13,15" },
		{ NULL, -1, 0, TOPOLOGY_OTHER_PACKAGE,
		  "0,16,2,18,4,20,6,22,8,24,10,26,12,28,14,30" },
		{ NULL, -1, 0, TOPOLOGY_SMT_SIBLING, "!on 16 different cores cannot be siblings" },
		{ NULL, 2, 0, TOPOLOGY_OTHER_PACKAGE, "0,16" },
		{ NULL, 4, 2, TOPOLOGY_OTHER_PACKAGE, "0,16,2,18" },
		{ NULL, 4, 0, TOPOLOGY_OTHER_PACKAGE, "0,16,2,18" },
		{ NULL, 3, 0, TOPOLOGY_OTHER_PACKAGE, "!3 CPUs in groups of 3 asked, 0 such" },
		{ NULL, -1, 2, TOPOLOGY_OTHER_PACKAGE,
		  "0,16,2,18,4,20,6,22,8,24,10,26,12,28,14,30" },
		{ NULL, 18, 2, TOPOLOGY_OTHER_PACKAGE,
		  "0,16,2,18,4,20,6,22,8,24,10,26,12,28,14,30,1,17" },
		{ "0-15", 2, 0, TOPOLOGY_OTHER_PACKAGE, "!the CPUs are all of one package" },
	};

	(void)state;
	CHECK("package:2 l3:2 core:4 pu:2", choices);
}

/* No cache is told, no core has a sibling. */
static void test_one_package_without_smt(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 4, 0, TOPOLOGY_ANY, "0-3" },
		{ NULL, 3, 2, TOPOLOGY_SAME_PACKAGE, "0-2" },
		{ NULL, -1, 0, TOPOLOGY_SAME_PACKAGE, "0-3" },
		{ NULL, -1, 3, TOPOLOGY_SAME_PACKAGE, "0-2" },
		{ NULL, 2, 2, TOPOLOGY_SMT_SIBLING,
		  "!distance smt-sibling: no core of this machine has two CPUs online" },
		{ NULL, -1, 2, TOPOLOGY_SMT_SIBLING, "!no core of this machine has two CPUs" },
		{ NULL, 2, 2, TOPOLOGY_SAME_CACHE,
		  "!distance same-cache: no cache of this machine is known" },
		{ NULL, 2, 2, TOPOLOGY_OTHER_PACKAGE, "!the CPUs are all of one package" },
		{ NULL, 12, 0, TOPOLOGY_ANY, "!12 CPUs asked, this machine has 4" },
		{ "3,1", -1, 0, TOPOLOGY_ANY, "1,3" },
	};

	(void)state;
	CHECK("core:4 pu:1", choices);
}

static void test_two_cores(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 2, 2, TOPOLOGY_ANY, "0-1" },
		{ NULL, 12, 12, TOPOLOGY_ANY, "!12 CPUs asked, this machine has 2" },
		{ NULL, 2, 2, TOPOLOGY_SAME_PACKAGE, "0-1" },
		{ "1", -1, 2, TOPOLOGY_SAME_PACKAGE, "1" },
	};

	(void)state;
	CHECK("package:1 core:2 pu:1", choices);
}

/* One core only: its two CPUs cannot be on different cores. */
static void test_one_core(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 2, 0, TOPOLOGY_ANY, "0-1" },
		{ NULL, 2, 0, TOPOLOGY_SMT_SIBLING, "0-1" },
		{ NULL, 2, 0, TOPOLOGY_SAME_PACKAGE, "!0 such groups" },
		{ NULL, -1, 0, TOPOLOGY_ANY, "0" },
	};

	(void)state;
	CHECK("package:1 l3:1 core:1 pu:2", choices);
}

/* Three packages: pairs have to use all of them, no package stays over alone. Package p has the
 * CPUs 2p and 2p + 1. */
static void test_three_packages(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 6, 2, TOPOLOGY_OTHER_PACKAGE, "0,2,4,1,3,5" },
		{ NULL, 3, 0, TOPOLOGY_OTHER_PACKAGE, "0,2,4" },
		{ NULL, 4, 0, TOPOLOGY_OTHER_PACKAGE, "0,2,4,3" },
	};

	(void)state;
	CHECK("package:3 core:2 pu:1", choices);
}

/* Four CPUs a core: a second pair on a core comes after the first pairs of all cores. */
static void test_four_threads(void **state)
{
	static const struct choice choices[] = {
		{ NULL, 8, 2, TOPOLOGY_SMT_SIBLING, "0-1,4-5,2-3,6-7" },
		{ NULL, 4, 0, TOPOLOGY_SMT_SIBLING, "0-3" },
		{ NULL, -1, 2, TOPOLOGY_SMT_SIBLING, "0-1,4-5" },
		{ NULL, 6, 0, TOPOLOGY_ANY, "0,4,1,5,2,6" },
	};

	(void)state;
	CHECK("package:1 core:2 pu:4", choices);
}

static void test_queries(void **state)
{
	struct machine machine;
	struct topology *topology = synthetic(&machine, "package:2 l3:2 core:4 pu:2");

	(void)state;
	assert_int_equal(topology_core_count(topology), 16);
	assert_int_equal(topology_package_count(topology), 2);
	assert_true(topology_has_smt(topology));
	assert_int_equal(topology_core_of(topology, 9), 4);
	assert_int_equal(topology_package_of(topology, 16), 1);
	assert_int_equal(topology_core_of(topology, 32), -1);
	assert_int_equal(topology_package_of(topology, -1), -1);
	assert_int_equal(topology_distance_between(topology, 0, 1), TOPOLOGY_SMT_SIBLING);
	assert_int_equal(topology_distance_between(topology, 0, 7), TOPOLOGY_SAME_CACHE);
	assert_int_equal(topology_distance_between(topology, 7, 8), TOPOLOGY_SAME_PACKAGE);
	assert_int_equal(topology_distance_between(topology, 15, 16), TOPOLOGY_OTHER_PACKAGE);
	assert_int_equal(topology_distance_between(topology, 0, 99), TOPOLOGY_ANY);
	assert_string_equal(topology_distance_name[TOPOLOGY_OTHER_PACKAGE], "other-package");
	topology_free(topology);
	machine_free(&machine);
}

static void check_housekeeping(const struct topology *topology, const char *used, int expected,
			       bool own)
{
	struct cpulist list = list_of(used);
	bool got_own;
	int cpu;

	assert_int_equal(topology_housekeeping(topology, &list, &cpu, &got_own), 0);
	assert_int_equal(cpu, expected);
	assert_int_equal(got_own, own);
	cpulist_free(&list);
}

static void test_housekeeping(void **state)
{
	struct machine machine;
	struct topology *topology = synthetic(&machine, "package:1 core:4 pu:2");

	(void)state;
	check_housekeeping(topology, "0,2", 6, true);
	check_housekeeping(topology, "0,7", 4, true);
	check_housekeeping(topology, "2,4,6", 0, true);
	check_housekeeping(topology, "0,2,4,6", 6, false);
	check_housekeeping(topology, "6,4,3,1", 1, false);
	check_housekeeping(topology, "", 6, true);
	topology_free(topology);
	machine_free(&machine);
}

/* The folder that make-machine lays out, siblings numbered as Linux does on x86. */
static void test_folder(void **state)
{
	static const struct choice choices[] = {
		{ NULL, -1, 0, TOPOLOGY_ANY, "0-3" },
		{ NULL, 4, 2, TOPOLOGY_SMT_SIBLING, "0,4,1,5" },
		{ NULL, 4, 2, TOPOLOGY_SAME_CACHE, "0-3" },
		{ NULL, 4, 2, TOPOLOGY_OTHER_PACKAGE, "0,2,1,3" },
	};
	struct machine machine = machine_make("--cpus 8 --smt --packages 2");
	struct topology *topology;

	(void)state;
	if (topology_load(&machine.root, &topology))
		fail_msg("%s", error_text());
	assert_int_equal(topology_core_count(topology), 4);
	assert_int_equal(topology_package_count(topology), 2);
	assert_int_equal(topology_distance_between(topology, 1, 5), TOPOLOGY_SMT_SIBLING);
	assert_int_equal(topology_distance_between(topology, 0, 1), TOPOLOGY_SAME_CACHE);
	assert_int_equal(topology_distance_between(topology, 1, 2), TOPOLOGY_OTHER_PACKAGE);
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		check_choice(topology, &choices[i]);
	assert_null(getenv("HWLOC_FSROOT"));
	assert_null(getenv("HWLOC_COMPONENTS"));
	topology_free(topology);
	machine_free(&machine);
}

static void test_folder_with_offline_cpu(void **state)
{
	struct machine machine = machine_make("--cpus 40 --offline '3 33'");
	struct topology *topology;
	struct cpulist cpus;
	char *text;

	(void)state;
	if (topology_load(&machine.root, &topology))
		fail_msg("%s", error_text());
	assert_int_equal(topology_cpus(topology, &cpus), 0);
	text = cpulist_format(&cpus);
	assert_string_equal(text, "0-2,4-32,34-39");
	assert_int_equal(topology_core_count(topology), 38);
	assert_false(topology_has_smt(topology));
	free(text);
	cpulist_free(&cpus);
	topology_free(topology);
	machine_free(&machine);
}

/* Without data there is no topology: hwloc's fallback is not taken for one. */
static void test_nothing_is_invented(void **state)
{
	struct machine machine = machine_make("--cpus 4 --no-topology");
	struct topology *topology = NULL;

	(void)state;
	assert_int_equal(topology_load(&machine.root, &topology), -ENODATA);
	assert_error_has("has no topology");
	machine_put(&machine, "sys/devices/system/cpu/cpu0/topology/core_id", "0\n");
	assert_int_equal(topology_load(&machine.root, &topology), -EBADMSG);
	assert_error_has("hwloc finds other CPUs");
	machine_put(&machine, "topology.xml", "<topology>\n");
	assert_int_equal(topology_load(&machine.root, &topology), -EBADMSG);
	assert_error_has("/topology.xml: hwloc cannot read it");
	assert_null(topology);
	machine_free(&machine);
}

/* What was saved is the same machine when it is read again. */
static void test_save(void **state)
{
	static const struct choice again = { NULL, 4, 2, TOPOLOGY_OTHER_PACKAGE, "0,16,2,18" };
	struct machine machine, copy = machine_make(NULL);
	struct topology *topology = synthetic(&machine, "package:2 l3:2 core:4 pu:2"), *second;
	char path[256];

	(void)state;
	snprintf(path, sizeof(path), "%s/topology.xml", copy.dir);
	assert_int_equal(topology_save_xml(topology, path), 0);
	assert_int_equal(topology_load(&copy.root, &second), 0);
	check_choice(second, &again);
	topology_free(second);
	assert_true(topology_save_xml(topology, "/nonexistent/topology.xml") < 0);
	assert_error_has("/nonexistent/topology.xml");
	topology_free(topology);
	machine_free(&machine);
	machine_free(&copy);
}

/* Binding to another machine's CPUs does nothing and succeeds. */
static void test_no_binding_elsewhere(void **state)
{
	struct machine machine;
	struct topology *topology = synthetic(&machine, "core:64 pu:1");
	struct cpulist far = list_of("63");
	cpu_set_t before, after;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(topology_bind_process(topology, &far), 0);
	assert_int_equal(topology_bind_thread(topology, 63), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	cpulist_free(&far);
	topology_free(topology);
	machine_free(&machine);
}

/* This machine: the usable CPUs are the affinity that we have, and binding is real. */
static void test_live(void **state)
{
	struct topology *topology, *narrow;
	cpu_set_t before, after;
	struct cpulist cpus;
	struct root root;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(topology_load(&root, &topology), 0);
	assert_int_equal(topology_cpus(topology, &cpus), 0);
	assert_int_equal(cpus.n, CPU_COUNT(&before));
	assert_int_equal(topology_bind_thread(topology, cpus.cpu[0]), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_int_equal(CPU_COUNT(&after), 1);
	assert_true(CPU_ISSET(cpus.cpu[0], &after));
	/* loaded while bound: one CPU; the first one still knows all */
	assert_int_equal(topology_load(&root, &narrow), 0);
	assert_int_equal(topology_core_count(narrow), 1);
	topology_free(narrow);
	assert_int_equal(topology_bind_process(topology, &cpus), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	cpulist_free(&cpus);
	topology_free(topology);
	root_close(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_packages),
		cmocka_unit_test(test_one_package_without_smt),
		cmocka_unit_test(test_two_cores),
		cmocka_unit_test(test_one_core),
		cmocka_unit_test(test_three_packages),
		cmocka_unit_test(test_four_threads),
		cmocka_unit_test(test_queries),
		cmocka_unit_test(test_housekeeping),
		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_folder_with_offline_cpu),
		cmocka_unit_test(test_nothing_is_invented),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_no_binding_elsewhere),
		cmocka_unit_test(test_live),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
