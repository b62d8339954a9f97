/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeps of one length come in a row, so that a governor which learns from the last ones sees a
 * pattern.
 */
#include "run/sleepers.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define SETTLE_NS 60000000u
#define LENGTH_MIN_NS 300000000u
#define LENGTH_MAX_NS 1500000000u
#define ROW 8
#define ROUNDS_MIN 4
/* Shorter ones are over before the CPU could have become idle. */
#define POLL_NS 5000u
#define SLEEP_MIN_NS 50000u
#define SLEEP_MAX_NS 20000000u

struct sleeper {
	pthread_t thread;
	struct cpuidle *idle;
	const struct topology *topology;
	size_t place;
	uint64_t settled_ns, end_ns;
	struct cpuidle_reading first, last;
	int err;
	char text[256]; /* of the error: each thread has its own last text */
};

/* Half as long again as the target residency; the polling state gets a sleep too short for others.
 */
static uint64_t sleep_ns(const struct cpuidle_state *state)
{
	uint64_t us = state->residency_us.known ? state->residency_us.value : 0;
	uint64_t ns = us < SLEEP_MAX_NS / 1500 ? us * 1500 : SLEEP_MAX_NS;

	if (state->polling)
		return POLL_NS;
	return ns < SLEEP_MIN_NS ? SLEEP_MIN_NS : ns;
}

static uint64_t length_ns(const struct cpuidle *idle)
{
	uint64_t longest = LENGTH_MIN_NS;

	for (size_t i = 0; i < idle->n; i++) {
		uint64_t sum = 0;

		for (int s = 0; s < idle->cpu[i].states; s++)
			sum += sleep_ns(&idle->cpu[i].state[s]) * ROW * ROUNDS_MIN;
		longest = sum > longest ? sum : longest;
	}
	return longest < LENGTH_MAX_NS ? longest : LENGTH_MAX_NS;
}

/* The round may be cut short anywhere. */
static void sleep_until(const struct sleeper *s, uint64_t end_ns)
{
	const struct cpuidle_cpu *cpu = &s->idle->cpu[s->place];

	for (int step = 0; clock_now_ns() < end_ns; step++) {
		const struct cpuidle_state *state = &cpu->state[step / ROW % cpu->states];

		clock_sleep_until(clock_now_ns() + sleep_ns(state));
	}
}

static void *sleeper(void *argument)
{
	struct sleeper *s = argument;

	prctl(PR_SET_TIMERSLACK, 1);
	s->err = topology_bind_thread(s->topology, s->idle->cpu[s->place].cpu);
	if (!s->err) {
		sleep_until(s, s->settled_ns);
		s->err = cpuidle_read(s->idle, s->place, &s->first);
	}
	if (!s->err) {
		sleep_until(s, s->end_ns);
		s->err = cpuidle_read(s->idle, s->place, &s->last);
	}
	if (s->err)
		snprintf(s->text, sizeof(s->text), "%s", error_text());
	return NULL;
}

static int subtract(const struct sleeper *s, uint64_t entries[CPUIDLE_STATES_MAX])
{
	const struct cpuidle_cpu *cpu = &s->idle->cpu[s->place];

	if (s->err)
		return error_set(s->err, "%s", s->text);
	for (int k = 0; k < cpu->states; k++) {
		const struct cpuidle_value *first = &s->first.counter[k][CPUIDLE_USAGE];
		const struct cpuidle_value *last = &s->last.counter[k][CPUIDLE_USAGE];

		if (!first->known || !last->known || last->value < first->value)
			return error_set(-ENODATA, "cpu%d: usage of state %d (%s) cannot be told",
					 cpu->cpu, cpu->state[k].index, cpu->state[k].name);
		entries[k] = last->value - first->value;
	}
	return 0;
}

int sleepers_run(struct cpuidle *idle, const struct topology *topology,
		 uint64_t (*entries)[CPUIDLE_STATES_MAX])
{
	struct sleeper *s = calloc(idle->n, sizeof(*s));
	uint64_t settled = clock_now_ns() + SETTLE_NS;
	size_t started = 0;
	int err = 0;

	if (!s)
		return error_no_memory();
	for (; started < idle->n && !err; started++) {
		s[started] = (struct sleeper){
			.idle = idle,
			.topology = topology,
			.place = started,
			.settled_ns = settled,
			.end_ns = settled + length_ns(idle),
		};
		err = -pthread_create(&s[started].thread, NULL, sleeper, &s[started]);
		if (err) {
			err = error_set(err, "cannot start a thread: %s", strerror(-err));
			break;
		}
	}
	for (size_t i = 0; i < started; i++)
		pthread_join(s[i].thread, NULL);
	for (size_t i = 0; i < started && !err; i++)
		err = subtract(&s[i], entries[i]);
	free(s);
	return err;
}
