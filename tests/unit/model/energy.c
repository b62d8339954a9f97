/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Energies by hand: what overlaps is united, what a transition costs is paid whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "made.h"
#include "model/energy.h"
#include <math.h>
#include <stdio.h>

#define US 1000

struct bench {
	struct model_machine machine;
	struct energy_core core[4];
	struct energy energy;
};

static void assert_uj(double uj, double want)
{
	if (!(fabs(uj - want) < 1e-6 * fmax(1, want)))
		fail_msg("%g uJ, not %g", uj, want);
}

/* All cores deep at 0, windows over at 1 ms, and what was used until then. */
static double begin_deep(struct bench *b)
{
	b->machine = made_machine();
	memset(b->core, 0, sizeof(b->core));
	energy_init(&b->energy, &b->machine, b->core);
	for (int c = 0; c < 4; c++)
		energy_core_now(&b->energy, c, 0, 2, 0);
	return energy_package_uj(&b->energy, 0, 1000 * US);
}

static void going_deep(void **state)
{
	struct bench b;

	(void)state;
	/* Floor 1 W x 1 ms; window 100 us: package 10 W once, each of two cores 2 W. */
	assert_uj(begin_deep(&b), 1000 + 1000 + 2 * 200);
	/* The other package the same, and nothing more until something happens. */
	assert_uj(energy_package_uj(&b.energy, 1, 1000 * US), 2400);
	assert_uj(energy_package_uj(&b.energy, 0, 2000 * US), 3400);
	assert_true(energy_is_off(&b.energy, 0, 2000 * US));
}

static void one_core_works(void **state)
{
	struct bench b;
	double uj = begin_deep(&b);

	(void)state;
	energy_core_now(&b.energy, 1, 1, 2, 1000 * US);
	assert_false(energy_is_off(&b.energy, 0, 1000 * US));
	energy_core_now(&b.energy, 1, 0, 2, 1300 * US);
	/* 300 us of work (20 + 10 W), then 100 us of window (2 + 10 W), all on a floor of 1 W. */
	assert_uj(energy_package_uj(&b.energy, 0, 2000 * US) - uj, 1000 + 300 * 30 + 1200);
	assert_uj(energy_package_uj(&b.energy, 1, 2000 * US), 3400);
}

static void windows_unite(void **state)
{
	struct bench b;
	double uj = begin_deep(&b);

	(void)state;
	energy_core_now(&b.energy, 0, 1, 2, 1000 * US);
	energy_core_now(&b.energy, 1, 1, 2, 1000 * US);
	energy_core_now(&b.energy, 0, 0, 2, 1100 * US);
	energy_core_now(&b.energy, 1, 0, 2, 1150 * US);
	/* On from 1000 to 1250: work, then core 1's window, in which core 0's ends. */
	assert_uj(energy_package_uj(&b.energy, 0, 2000 * US) - uj,
		  1000 + 250 * 10 + (100 + 150) * 20 + 2 * 200);
}

static void woken_within_window(void **state)
{
	struct bench b;
	double uj = begin_deep(&b);

	(void)state;
	energy_core_now(&b.energy, 0, 1, 2, 1000 * US);
	energy_core_now(&b.energy, 0, 0, 2, 1100 * US);
	energy_core_now(&b.energy, 0, 1, 2, 1140 * US);
	energy_core_now(&b.energy, 0, 0, 1, 1200 * US);
	/* The core pays both transitions whole, the package is on all the time; C1 from 1200. */
	assert_uj(energy_package_uj(&b.energy, 0, 1300 * US) - uj,
		  300 + 300 * 10 + 160 * 20 + 200 + 100 * 2);
}

static void shallow_states(void **state)
{
	struct bench b;
	double uj = begin_deep(&b);

	(void)state;
	energy_core_now(&b.energy, 0, 1, 2, 1000 * US);
	energy_core_now(&b.energy, 0, 0, 0, 1000 * US);
	assert_uj(energy_package_uj(&b.energy, 0, 1100 * US) - uj, 100 * (1 + 10 + 5));
	energy_core_now(&b.energy, 0, 0, 1, 1100 * US);
	assert_uj(energy_package_uj(&b.energy, 0, 1200 * US) - uj, 1600 + 100 * (1 + 10 + 2));
	/* 1 us of C1 was work; 1 us of work would have been an exit. */
	energy_worked(&b.energy, 0, 1, 1 * US);
	assert_uj(energy_package_uj(&b.energy, 0, 1200 * US) - uj, 2900 + 18);
	energy_left(&b.energy, 0, 1 * US);
	assert_uj(energy_package_uj(&b.energy, 0, 1200 * US) - uj, 2900);
}

static void second_thread(void **state)
{
	struct bench b;
	double uj;

	(void)state;
	begin_deep(&b);
	b.machine.smt_w = 3;
	uj = energy_package_uj(&b.energy, 0, 1000 * US);
	energy_core_now(&b.energy, 0, 2, 2, 1000 * US);
	assert_uj(energy_package_uj(&b.energy, 0, 1100 * US) - uj, 100 * (1 + 10 + 20 + 3));
}

static void lowest_frequency(void **state)
{
	struct bench b;
	double uj;

	(void)state;
	begin_deep(&b);
	b.machine.frequency_min = 0.2;
	b.machine.voltage_min = 0.5;
	energy_speed(&b.energy, 0.2, 1000 * US);
	uj = energy_package_uj(&b.energy, 0, 1000 * US);
	energy_core_now(&b.energy, 0, 1, 2, 1000 * US);
	/* A quarter by the voltage, work a fifth of that by the frequency; the floor stays. */
	assert_uj(energy_package_uj(&b.energy, 0, 1100 * US) - uj,
		  100 * (1 + 10 / 4.0 + 20 / 20.0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(going_deep),	    cmocka_unit_test(one_core_works),
		cmocka_unit_test(windows_unite),    cmocka_unit_test(woken_within_window),
		cmocka_unit_test(shallow_states),   cmocka_unit_test(second_thread),
		cmocka_unit_test(lowest_frequency),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
