/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be told of two readings without knowing the machine: counters obey their definitions,
 * and tables stay what they were. Pure functions over what cpuidle.c has read.
 */
#include "hw/cpuidle.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A stay may end between the reads of two counters of a state, once at either end of the window. */
#define STAYS_AT_THE_EDGES 2

typedef struct cpuidle_value counters_of_state[CPUIDLE_COUNTERS];

static int check_direction(const struct cpuidle_cpu *cpu, int s, const counters_of_state a,
			   const counters_of_state b)
{
	const struct cpuidle_state *state = &cpu->state[s];

	for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
		if (a[c].known != b[c].known)
			return error_set(-EBADMSG, "cpu%d: %s of state %d (%s) %s in the window",
					 cpu->cpu, cpuidle_counter_file[c], state->index,
					 state->name, b[c].known ? "appeared" : "vanished");
		if (b[c].known && b[c].value < a[c].value)
			return error_set(-EBADMSG,
					 "cpu%d: %s of state %d (%s) went backwards: %" PRIu64
					 " -> %" PRIu64 " (was the idle driver registered again?)",
					 cpu->cpu, cpuidle_counter_file[c], state->index,
					 state->name, a[c].value, b[c].value);
	}
	return 0;
}

/* Growth of a counter, 0 when it is not known. */
static uint64_t growth(const counters_of_state a, const counters_of_state b, int c)
{
	return b[c].known ? b[c].value - a[c].value : 0;
}

static int check_misses(const struct cpuidle_cpu *cpu, int s, const counters_of_state a,
			const counters_of_state b)
{
	const struct cpuidle_state *state = &cpu->state[s];
	uint64_t usage = growth(a, b, CPUIDLE_USAGE), above = growth(a, b, CPUIDLE_ABOVE),
		 below = growth(a, b, CPUIDLE_BELOW);

	if (b[CPUIDLE_USAGE].known && above + below > usage + STAYS_AT_THE_EDGES)
		return error_set(-EBADMSG,
				 "cpu%d: state %d (%s) was left %" PRIu64 " times too early or too "
				 "late but entered only %" PRIu64 " times: unknown counter meaning",
				 cpu->cpu, state->index, state->name, above + below, usage);
	if (s == 0 && above)
		return error_set(-EBADMSG,
				 "cpu%d: above of the first state %d (%s) grew by %" PRIu64
				 ", though nothing is shallower: unknown counter meaning",
				 cpu->cpu, state->index, state->name, above);
	if (s == cpu->states - 1 && below)
		return error_set(-EBADMSG,
				 "cpu%d: below of the last state %d (%s) grew by %" PRIu64
				 ", though nothing is deeper: unknown counter meaning",
				 cpu->cpu, state->index, state->name, below);
	return 0;
}

int cpuidle_check_window(const struct cpuidle_cpu *cpu, const struct cpuidle_reading *first,
			 const struct cpuidle_reading *last)
{
	uint64_t idle_us = 0, longest_ns, limit_ns;
	int code;

	if (last->t_after_ns < first->t_before_ns)
		return error_set(-EBADMSG, "cpu%d: the readings are in the wrong order", cpu->cpu);
	for (int s = 0; s < cpu->states; s++) {
		const struct cpuidle_value *a = first->counter[s], *b = last->counter[s];

		code = check_direction(cpu, s, a, b);
		if (!code)
			code = check_misses(cpu, s, a, b);
		if (code)
			return code;
		idle_us += growth(a, b, CPUIDLE_TIME_US);
	}
	/* From the earliest to the latest moment at which a counter can have been read. */
	longest_ns = last->t_after_ns - first->t_before_ns;
	limit_ns = longest_ns + longest_ns / 1000u + (uint64_t)cpu->states * 1000u;
	if (idle_us > limit_ns / 1000u)
		return error_set(-EBADMSG,
				 "cpu%d: %" PRIu64 " us of idle time in a window of %" PRIu64
				 " us: a stay from before it was counted in it",
				 cpu->cpu, idle_us, longest_ns / 1000u);
	return 0;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_value(uint64_t hash, const struct cpuidle_value *value)
{
	hash = hash_bytes(hash, &value->known, sizeof(value->known));
	return hash_bytes(hash, &value->value, sizeof(value->value));
}

uint64_t cpuidle_table_hash(const struct cpuidle *cpuidle)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < cpuidle->n; i++) {
		const struct cpuidle_cpu *cpu = &cpuidle->cpu[i];

		hash = hash_bytes(hash, &cpu->cpu, sizeof(cpu->cpu));
		for (int s = 0; s < cpu->states; s++) {
			const struct cpuidle_state *state = &cpu->state[s];

			hash = hash_bytes(hash, &state->index, sizeof(state->index));
			hash = hash_bytes(hash, state->name, strlen(state->name) + 1);
			hash = hash_bytes(hash, state->desc, strlen(state->desc) + 1);
			hash = hash_value(hash, &state->latency_us);
			hash = hash_value(hash, &state->residency_us);
			hash = hash_value(hash, &state->disabled);
		}
	}
	return hash;
}
