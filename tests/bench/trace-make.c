/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of made-up idle periods, of any length: trace-make FILE PERIODS. Four CPUs, four states,
 * durations over six decades; the same in each run.
 */
#include "lib/error.h"
#include "lib/random.h"
#include "trace/write.h"
#include <stdio.h>
#include <stdlib.h>

#define CPUS 4
#define ROUND 8192 /* periods of a CPU between two rounds */

static struct trace_table table = { .states = 4,
				    .state = { { "POLL", 0, 0, false },
					       { "C1", 2, 2, false },
					       { "C1E", 10, 20, false },
					       { "C6", 133, 600, false } } };

static int make(struct trace_writer *w, uint64_t n)
{
	uint64_t seed = 1, t[CPUS] = { 0 };
	int err = 0;

	for (uint64_t i = 0; i < n && !err; i++) {
		size_t c = i % CPUS;
		struct trace_period p = { .entry_ns = t[c] + 1000 + random_below(&seed, 50000) };

		p.exit_ns = p.entry_ns + random_below(&seed, 1u << (10 + random_below(&seed, 14)));
		p.state = (uint8_t)random_below(&seed, 4);
		p.cause = (uint8_t)random_below(&seed, TRACE_CAUSES);
		p.next_known = true;
		p.next_ns = p.exit_ns + random_below(&seed, 100000);
		t[c] = p.exit_ns;
		err = trace_put_period(w, c, &p);
		if (!err && i % (CPUS * ROUND) == CPUS * ROUND - 1) {
			uint64_t least = t[0];

			for (size_t k = 1; k < CPUS; k++)
				least = t[k] < least ? t[k] : least;
			err = trace_round(w, least);
		}
	}
	return err;
}

int main(int argc, char **argv)
{
	struct trace_info info = { .kinds = TRACE_HAS_MISSES | TRACE_HAS_TIMERS | TRACE_HAS_IRQS,
				   .tables = 1,
				   .table = &table };
	struct trace_writer *w;
	uint64_t bytes;

	if (argc != 3)
		return 2;
	for (int i = 0; i < CPUS; i++)
		if (cpulist_add(&info.cpus, i) || cpulist_add(&table.cpus, i))
			return 1;
	if (trace_create(argv[1], &info, &w) || make(w, strtoull(argv[2], NULL, 10)) ||
	    trace_finish(w, NULL, &bytes)) {
		fprintf(stderr, "trace-make: %s\n", error_text());
		return 1;
	}
	printf("%llu bytes\n", (unsigned long long)bytes);
	return 0;
}
