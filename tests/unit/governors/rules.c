/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small cases by hand: ladder's steps and its defect, haltpoll's poll limit, the oracles, and the
 * core's labels at their borders.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "governors/label.h"
#include "tables.h"

static void ladder_defect(void **state)
{
	const struct governor *g = governor_find("ladder"), *rfc = governor_find("ladder-rfc");
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_cpu cpu;
	int deepest = 0, at = 0;

	(void)state;
	/* Each 3 us idle is shorter than the exit latency from C1E on, and still promotes. */
	governor_enable(g, &table_server, &cpu);
	for (int i = 0; i < 1000; i++)
		deepest += one_period(g, &cpu, &in, 3000) == 3;
	assert_int_equal(deepest, 0); /* 3 us less 2 us is above nothing: it stays in C1 */
	governor_enable(g, &table_server, &cpu);
	for (int i = 0; i < 1000; i++)
		deepest += one_period(g, &cpu, &in, 1000) == 3;
	assert_true(deepest > 900);
	governor_enable(rfc, &table_server, &cpu);
	for (int i = 0; i < 1000; i++)
		at = one_period(rfc, &cpu, &in, 1000) > at ? 3 : at;
	assert_true(cpu.last_state < 2);
}

static void ladder_steps(void **state)
{
	static const int want[] = { 1, 1, 1, 2, 2, 2, 2, 3, 3 };
	const struct governor *g = governor_find("ladder");
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_cpu cpu;

	(void)state;
	governor_enable(g, &table_server, &cpu);
	assert_int_equal(cpu.last_state, 1);
	/* The first residency is 0: less than the latency, which counts as long. */
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(one_period(g, &cpu, &in, 5000000), want[i]);
	/* 10 us less the latency is negative: no step down; 200 us less 133 is less than 133. */
	assert_int_equal(one_period(g, &cpu, &in, 200000), 3);
	assert_int_equal(one_period(g, &cpu, &in, 10000), 2);
	in.latency_ns = 5000;
	assert_int_equal(one_period(g, &cpu, &in, 0), 1);
	in.latency_ns = 0;
	assert_int_equal(one_period(g, &cpu, &in, 0), 0);
}

static void ladder_one_state(void **state)
{
	struct governor_table one = { .states = 1, .polling = 1, .tick_ns = 1000000 };
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_cpu cpu;

	(void)state;
	for (size_t i = 0; governor_list[i]; i++) {
		governor_enable(governor_list[i], &one, &cpu);
		for (int k = 0; k < 9; k++)
			assert_int_equal(one_period(governor_list[i], &cpu, &in, 1000000), 0);
	}
}

/*
 * A polling state and one of 100 us: idles of 50 us, a timer far away. Up to 6.16 the limit is cut
 * to the prediction, 6.18 takes the deep state as its exit is shorter than that, 6.19 only below 15
 * us.
 */
static void menu_instead_of_polling(void **state)
{
	static const struct {
		const char *name;
		int want;
	} row[] = { { "menu-6.6", 1 },	{ "menu-6.15", 1 }, { "menu-6.17", 1 },
		    { "menu-6.18", 1 }, { "menu-6.19", 0 }, { "menu-7.0", 0 } };
	struct governor_table table = { .states = 2,
					.residency_ns = { 0, 100000 },
					.latency_ns = { 0, 10000 },
					.polling = 1,
					.tick_ns = 1000000 };
	struct governor_input in = plain_input(9000000, 500000);
	struct governor_cpu cpu;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct governor *g = governor_find(row[i].name);
		int got = -1;

		governor_enable(g, &table, &cpu);
		for (int k = 0; k < 20; k++)
			got = one_period(g, &cpu, &in, 60000);
		assert_int_equal(got, row[i].want);
		/* An exit that takes longer than the prediction: polls from 6.18 on. */
		table.latency_ns[1] = 70000;
		governor_enable(g, &table, &cpu);
		for (int k = 0; k < 20; k++)
			got = one_period(g, &cpu, &in, 60000);
		assert_int_equal(got, i == 2);
		table.latency_ns[1] = 10000;
	}
}

/* A halt of so many us; the limit after it. */
static uint64_t halt(const struct governor *g, struct governor_cpu *cpu, int64_t us)
{
	struct governor_outcome out = { .entered = 1, .residency_ns = us * 1000 };

	governor_reflect(g, cpu, &out);
	return cpu->poll_limit_ns;
}

static void haltpoll_limit(void **state)
{
	const struct governor *old = governor_find("haltpoll-6.1");
	const struct governor *new = governor_find("haltpoll-6.12");
	struct governor_cpu cpu;

	(void)state;
	governor_enable(old, &table_guest, &cpu);
	assert_int_equal(halt(old, &cpu, 10), 50000);
	assert_int_equal(halt(old, &cpu, 50), 50000); /* not longer than the limit */
	assert_int_equal(halt(old, &cpu, 60), 100000);
	assert_int_equal(halt(old, &cpu, 150), 200000);
	assert_int_equal(halt(old, &cpu, 200), 200000);
	assert_int_equal(halt(old, &cpu, 201), 100000);
	assert_int_equal(halt(old, &cpu, 9000), 50000);
	assert_int_equal(halt(old, &cpu, 9000), 25000);
	governor_enable(new, &table_guest, &cpu);
	assert_int_equal(halt(new, &cpu, 10), 50000);
	assert_int_equal(halt(new, &cpu, 9000), 0);
}

static void haltpoll_choice(void **state)
{
	const struct governor *g = governor_find("haltpoll");
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_outcome window = { .entered = 0,
					   .residency_ns = 50000,
					   .poll_limit = true };
	struct governor_cpu cpu;

	(void)state;
	governor_enable(g, &table_guest, &cpu);
	assert_int_equal(governor_select(g, &cpu, &in).state, 1);
	halt(g, &cpu, 10);
	assert_int_equal(governor_select(g, &cpu, &in).state, 0);
	governor_reflect(g, &cpu, &window); /* it passed without an event */
	assert_int_equal(governor_select(g, &cpu, &in).state, 1);
	in.latency_ns = 0;
	assert_int_equal(governor_select(g, &cpu, &in).state, 0);
}

static int chosen(const char *name, const struct governor_table *table, uint32_t disabled,
		  int64_t truth_ns)
{
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_cpu cpu;

	in.disabled = disabled;
	in.truth_ns = truth_ns;
	governor_enable(governor_find(name), table, &cpu);
	return governor_select(governor_find(name), &cpu, &in).state;
}

static void label_oracle(void **state)
{
	(void)state;
	assert_int_equal(chosen("oracle", &table_server, 0, 1999), 0);
	assert_int_equal(chosen("oracle", &table_server, 0, 2000), 1);
	assert_int_equal(chosen("oracle", &table_server, 0, 599999), 2);
	assert_int_equal(chosen("oracle", &table_server, 0, 600000), 3);
	assert_int_equal(chosen("oracle", &table_server, 8, 600000), 2);
	assert_int_equal(chosen("oracle", &table_server, 1, 0), 1); /* none fits */
}

static void energy_oracle(void **state)
{
	struct governor_table table = table_server;

	(void)state;
	table.power_w[0] = 4;
	table.power_w[1] = 2;
	table.power_w[2] = 1;
	table.transition_uj[1] = 20; /* worth it from 10 us on */
	table.transition_uj[2] = 120; /* from 100 us on, whatever the table says */
	table.power_w[3] = 1;
	table.transition_uj[3] = 121;
	assert_int_equal(chosen("oracle-energy", &table, 0, 9000), 0);
	assert_int_equal(chosen("oracle-energy", &table, 0, 11000), 1);
	assert_int_equal(chosen("oracle-energy", &table, 0, 99000), 1);
	assert_int_equal(chosen("oracle-energy", &table, 0, 101000), 2);
	assert_int_equal(chosen("oracle-energy", &table, 0, 50000000), 2);
	assert_int_equal(chosen("oracle-energy", &table, 4, 50000000), 3);
}

static void oracle_and_tick(void **state)
{
	const struct governor *g = governor_find("oracle");
	struct governor_input in = plain_input(INT64_MAX, 500000);
	struct governor_cpu cpu;

	(void)state;
	governor_enable(g, &table_server, &cpu);
	in.truth_ns = 500000;
	assert_false(governor_select(g, &cpu, &in).stop_tick);
	in.truth_ns = 500001;
	assert_true(governor_select(g, &cpu, &in).stop_tick);
	assert_false(governor_select(g, &cpu, &in).asked);
}

static void labels(void **state)
{
	const struct governor_table *t = &table_server;

	(void)state;
	assert_int_equal(governor_label(t, 0, 0, 0), LABEL_FITS); /* nothing is shallower */
	assert_int_equal(governor_label(t, 0, 0, 1999), LABEL_FITS);
	assert_int_equal(governor_label(t, 0, 0, 2000), LABEL_BELOW);
	assert_int_equal(governor_label(t, 0, 1, 1999), LABEL_ABOVE);
	assert_int_equal(governor_label(t, 1, 1, 1999), LABEL_FITS); /* POLL is disabled */
	assert_int_equal(governor_label(t, 0, 1, 21999), LABEL_FITS); /* less 2 us of exit */
	assert_int_equal(governor_label(t, 0, 1, 22000), LABEL_BELOW);
	assert_int_equal(governor_label(t, 4, 1, 22000), LABEL_FITS); /* the next enabled is C6 */
	assert_int_equal(governor_label(t, 4, 1, 602000), LABEL_BELOW);
	assert_int_equal(governor_label(t, 0, 3, INT64_MAX), LABEL_FITS);
}

static void poll_limits(void **state)
{
	(void)state;
	assert_int_equal(governor_poll_limit_ns(&table_server, 0), 20000);
	assert_int_equal(governor_poll_limit_ns(&table_server, 4), 62500);
	assert_int_equal(governor_poll_limit_ns(&table_acpi, 0), 62500);
	assert_int_equal(governor_poll_limit_ns(&table_guest, 0), 62500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ladder_defect),
		cmocka_unit_test(ladder_steps),
		cmocka_unit_test(ladder_one_state),
		cmocka_unit_test(haltpoll_limit),
		cmocka_unit_test(menu_instead_of_polling),
		cmocka_unit_test(haltpoll_choice),
		cmocka_unit_test(label_oracle),
		cmocka_unit_test(energy_oracle),
		cmocka_unit_test(oracle_and_tick),
		cmocka_unit_test(labels),
		cmocka_unit_test(poll_limits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
