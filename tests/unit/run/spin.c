/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * the spin probe on this very machine. Its figure is the machine's; what can be told is that
 * it is no system call's, that it ends in time, and that what cannot be bound is no figure.
 */
#include "tests/unit/run/suites.h"

#include "lib/clock.h"
#include "lib/root.h"
#include "run/spin.h"

#define ENDS_WITHIN_NS 5000000000u /* 20 ms of work; the rest is others' on a loaded machine */

static struct topology *topology;
static struct cpulist cpus;
static struct root root;

static int open_machine(void **state)
{
	(void)state;
	return root_open(NULL, &root) || topology_load(&root, &topology) ||
	       topology_cpus(topology, &cpus);
}

static int close_machine(void **state)
{
	(void)state;
	topology_free(topology);
	cpulist_free(&cpus);
	root_close(&root);
	return 0;
}

/* Light needs 3 ps a millimetre; a wake up of a CPU microseconds. */
static void between_two_cpus(void **state)
{
	uint64_t begin = clock_now_ns();
	double us = -1;
	int err;

	(void)state;
	if (cpus.n < 2)
		return;
	err = spin_probe(topology, cpus.cpu[0], cpus.cpu[1], &us);
	assert_true(clock_now_ns() - begin < ENDS_WITHIN_NS);
	if (err) { /* other work kept the CPUs: no figure, and a reason */
		assert_int_equal(err, -ENODATA);
		assert_says("CPU time");
		return;
	}
	assert_true(us > 0.001);
	assert_true(us < 1000);
}

static void what_cannot_be_bound_is_no_figure(void **state)
{
	double us = -1;

	(void)state;
	assert_int_equal(spin_probe(topology, cpus.cpu[0], 8000, &us), -ENODATA);
	assert_int_equal(spin_probe(topology, 8000, cpus.cpu[0], &us), -ENODATA);
	assert_says("cannot be bound");
	assert_true(us == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_two_cpus),
		cmocka_unit_test(what_cannot_be_bound_is_no_figure),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
