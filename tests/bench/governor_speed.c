/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions a second of each modelled governor (one select and one reflect), on 4 states, and how
 * long 500,000 idle periods take through all versions. The periods are a seeded mix of short
 * interrupts, known timers and long idles; built and run by tests/bench/governor-speed.
 */
#include "governors/governor.h"
#include "lib/random.h"
#include "tests/unit/governors/tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PERIODS 500000
#define RING 4096 /* periods that stay in a core's own cache */
#define ROUNDS 5

struct period {
	int64_t idle_ns, sleep_ns;
};

/* CPU time of this thread: what others do on the machine is not the governor's. */
static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void make(struct period *period, size_t n)
{
	uint64_t state = 1;

	for (size_t i = 0; i < n; i++) {
		uint64_t r = random_next(&state);
		int64_t idle = r % 4 ? 2000 + (int64_t)(r >> 8) % 60000
				     : 100000 + (int64_t)(r >> 8) % 4000000;

		period[i].idle_ns = idle;
		period[i].sleep_ns = r >> 4 & 1 ? idle : 10000000;
	}
}

/* @n decisions over @periods of them, again and again; the sum keeps the compiler honest. */
static uint64_t run(const struct governor *governor, const struct period *period, size_t periods,
		    size_t n)
{
	struct governor_cpu cpu;
	uint64_t sum = 0, now = 0;

	governor_enable(governor, &table_server, &cpu);
	for (size_t done = 0; done < n; done += periods) {
		for (size_t i = 0; i < periods; i++) {
			struct governor_input in = { .now_ns = now,
						     .sleep_ns = period[i].sleep_ns,
						     .event_ns = 400000,
						     .latency_ns = GOVERNOR_NO_LIMIT_NS,
						     .utilisation = 20,
						     .truth_ns = period[i].idle_ns };
			struct governor_choice c = governor_select(governor, &cpu, &in);
			struct governor_outcome out = { .entered = c.state,
							.residency_ns = period[i].idle_ns };

			now += (uint64_t)period[i].idle_ns;
			out.now_ns = now;
			governor_reflect(governor, &cpu, &out);
			sum += (uint64_t)c.state;
		}
	}
	return sum;
}

static double best_rate(const struct governor *governor, const struct period *period, uint64_t *sum)
{
	const size_t n = 128 * RING;
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t t0 = cpu_ns();
		double rate;

		*sum += run(governor, period, RING, n);
		rate = (double)n / (double)(cpu_ns() - t0) * 1e3;
		best = rate > best ? rate : best;
	}
	return best;
}

int main(void)
{
	struct period *period = calloc(PERIODS, sizeof(*period));
	uint64_t sum = 0, all_ns = UINT64_MAX;

	if (!period)
		return EXIT_FAILURE;
	make(period, PERIODS);
	for (size_t i = 0; governor_list[i]; i++)
		printf("%-14s %7.1f million decisions/s\n", governor_list[i]->name,
		       best_rate(governor_list[i], period, &sum));
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t t0 = cpu_ns();

		for (size_t i = 0; governor_list[i]; i++) {
			if (governor_list[i]->family[0] != 'o')
				sum += run(governor_list[i], period, PERIODS, PERIODS);
		}
		if (cpu_ns() - t0 < all_ns)
			all_ns = cpu_ns() - t0;
	}
	printf("%-14s %7.3f s for %d periods (sum %llu)\n", "all-versions", (double)all_ns / 1e9,
	       PERIODS, (unsigned long long)sum);
	free(period);
	return EXIT_SUCCESS;
}
