/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State tables of the tests: a desktop's ACPI states, a server's, a guest's. Times in us. */
#ifndef TESTS_UNIT_GOVERNORS_TABLES_H
#define TESTS_UNIT_GOVERNORS_TABLES_H

#include "governors/governor.h"

static const struct governor_table table_acpi = {
	.states = 4,
	.residency_ns = { 0, 1000, 360000, 3102000 },
	.latency_ns = { 0, 1000, 120000, 1034000 },
	.polling = 1,
	.tick_ns = 1000000,
	.capacity = 1024,
};

static const struct governor_table table_server = {
	.states = 4,
	.residency_ns = { 0, 2000, 20000, 600000 },
	.latency_ns = { 0, 2000, 10000, 133000 },
	.polling = 1,
	.tick_ns = 1000000,
	.capacity = 1024,
};

static const struct governor_table table_guest = {
	.states = 2,
	.residency_ns = { 0, 1000 },
	.latency_ns = { 0, 1000 },
	.polling = 1,
	.tick_ns = 1000000,
	.capacity = 1024,
};

/* A select's input when nothing is special about it. */
static inline struct governor_input plain_input(int64_t sleep_ns, int64_t event_ns)
{
	return (struct governor_input){ .sleep_ns = sleep_ns,
					.event_ns = event_ns,
					.latency_ns = GOVERNOR_NO_LIMIT_NS };
}

/* Selects, is idle for @residency_ns in what was chosen, reflects; returns the state. */
static inline int one_period(const struct governor *governor, struct governor_cpu *cpu,
			     const struct governor_input *in, int64_t residency_ns)
{
	struct governor_choice choice = governor_select(governor, cpu, in);
	struct governor_outcome out = { .entered = choice.state, .residency_ns = residency_ns };

	governor_reflect(governor, cpu, &out);
	return choice.state;
}

#endif
