/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four short traces that were worked through by hand, under every version: a known timer (W1),
 * short interrupts (W2), tick wakes (W3), a latency limit (W4). "3S" is state 3 with the tick
 * stopped, "1r" state 1 with it kept, '*' = it did not ask.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tables.h"
#include <stdio.h>
#include <string.h>

#define WORK_NS 90000
#define BETWEEN_NS 800

struct step {
	struct governor_input in;
	int64_t residency_ns;
	bool tick_fired;
};

static struct step timer_step(int i)
{
	struct step s = { .in = plain_input(2795000, 400000 + 100000 * i),
			  .residency_ns = 2855000 };

	s.in.utilisation = 31;
	return s;
}

static struct step short_step(int i)
{
	bool last = i == 6;

	return (struct step){ .in = last ? plain_input(8000000, 300000)
					 : plain_input(9000000 - 95000 * i, 600000 - 95000 * i),
			      .residency_ns = last ? 3500000 : 5000 };
}

static struct step tick_step(int i)
{
	bool last = i == 5;
	struct step s = { .in = plain_input(20000000 - 1000000 * i, 999500),
			  .residency_ns = last ? 15001000 : 1000500,
			  .tick_fired = !last };

	s.in.tick_stopped = last;
	return s;
}

static struct step limit_step(int i)
{
	struct step s = { .in = plain_input(5000000, 800000), .residency_ns = 5001000 };

	(void)i;
	s.in.latency_ns = 2000;
	return s;
}

static const struct trace {
	int steps;
	struct step (*step)(int i);
} traces[] = { { 5, timer_step }, { 7, short_step }, { 6, tick_step }, { 3, limit_step } };

#define TRACES (sizeof(traces) / sizeof(traces[0]))

static void run(const struct governor *g, const struct governor_table *table,
		const struct trace *trace, char text[64])
{
	struct governor_cpu cpu;
	uint64_t now = 1000000000;
	bool tells = !strcmp(g->family, "teo") || !strcmp(g->family, "menu");

	governor_enable(g, table, &cpu);
	text[0] = '\0';
	for (int i = 0; i < trace->steps; i++) {
		struct step step = trace->step(i);
		struct governor_outcome out = { .residency_ns = step.residency_ns,
						.tick_fired = step.tick_fired };
		struct governor_choice c;

		step.in.now_ns = now;
		c = governor_select(g, &cpu, &step.in);
		now += (uint64_t)step.residency_ns + BETWEEN_NS;
		out.now_ns = now;
		out.entered = c.state;
		governor_reflect(g, &cpu, &out);
		now += WORK_NS;
		if (!tells)
			assert_false(c.asked);
		snprintf(text + strlen(text), 64 - strlen(text), "%s%d%c%s", i ? " " : "", c.state,
			 c.stop_tick ? 'S' : 'r', tells && !c.asked ? "*" : "");
	}
}

static const struct row {
	const char *governor, *want[TRACES];
} rows[] = {
	{ "teo-5.13",
	  { "2S 2S 2S 2S 2S", "3S 1r 1r 1r 1r 1r 1r", "3S 3S 3S 3S 3S 3S", "2S 2S 2S" } },
	{ "teo-6.1",
	  { "2S 2S 2S 2S 2S", "3S 1r 1r 1r 1r 1r 1r", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "teo-6.3",
	  { "1S 1S 1S 1S 1S", "3S 1r 1r 1r 1r 1r 1r", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "teo-6.6",
	  { "2S 2S 2S 2S 2S", "3S 1r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1r* 1r* 1r*" } },
	{ "teo-6.12",
	  { "2S 2S 2S 2S 2S", "3S 1r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1r* 1r* 1r*" } },
	{ "teo-6.14",
	  { "2S 2S 2S 2S 2S", "3S 1r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1r* 1r* 1r*" } },
	{ "teo-6.19",
	  { "2S 2S 2S 2S 2S", "3S 1r* 1r* 1r* 1r* 1r* 1r*", "3S 2S 3S 3S 3S 3S", "1r* 1r* 1r*" } },
	{ "teo-7.0",
	  { "0r* 2S 2S 2S 2S", "0r* 1r* 1r* 1r* 1r* 1r* 1r*", "0r* 2S 2S 3S 3S 3S",
	    "0r* 1r* 1r*" } },
	{ "menu-6.1",
	  { "0r 0r 0r 0r 0r", "0r 0r 1r 1r 1r 1r 1r", "0r 0r 0r 3S 3S 3S", "0r 0r 0r" } },
	{ "menu-6.6",
	  { "2r 2r 2r 2r 2r", "3S 0r* 0r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-6.13",
	  { "2r 2r 2r 2r 2r", "3S 0r* 0r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-6.15",
	  { "2r 2r 2r 2r 2r", "3S 0r* 0r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-6.17",
	  { "2r 2r 2r 2r 2r", "3S 1r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-6.18",
	  { "2r 2r 2r 2r 2r", "3S 0r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-6.19",
	  { "2r 2r 2r 2r 2r", "3S 0r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "menu-7.0",
	  { "2r 2r 2r 2r 2r", "3S 0r* 1r* 1r* 1r* 1r* 1r*", "3S 3S 3S 3S 3S 3S", "1S 1S 1S" } },
	{ "ladder", { "1S 1S 1S 2S 2S", "1S 1S 1S 2S 2S 2S 2S", "1S 1S 1S 2S 2S 2S", "1S 1S 1S" } },
	{ "ladder-rfc",
	  { "1S 1S 2S 2S 3S", "1S 1S 2S 2S 2S 2S 1S", "1S 1S 2S 2S 3S 3S", "1S 1S 1S" } },
	{ "haltpoll-6.1",
	  { "1S 1S 1S 1S 1S", "1S 0r 0r 0r 0r 0r 0r", "1S 1S 1S 1S 1S 1S", "1S 1S 1S" } },
	{ "haltpoll-6.12",
	  { "1S 1S 1S 1S 1S", "1S 0r 0r 0r 0r 0r 0r", "1S 1S 1S 1S 1S 1S", "1S 1S 1S" } },
};

static void worked_traces(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct governor *g = governor_find(rows[i].governor);
		bool guest;

		assert_non_null(g);
		guest = !strcmp(g->family, "haltpoll");
		for (size_t t = 0; t < TRACES; t++) {
			char got[64];

			run(g, guest ? &table_guest : &table_acpi, &traces[t], got);
			if (strcmp(got, rows[i].want[t]))
				print_message("# %s, W%zu\n", g->name, t + 1);
			assert_string_equal(got, rows[i].want[t]);
		}
	}
}

/* Every governor of a kernel has its row. */
static void none_is_left_out(void **state)
{
	(void)state;
	for (size_t i = 0; governor_list[i]; i++) {
		bool found = !strncmp(governor_list[i]->name, "oracle", 6);

		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
			found |= !strcmp(rows[k].governor, governor_list[i]->name);
		assert_true(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worked_traces),
		cmocka_unit_test(none_is_left_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
