/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the clock of a trace differs by from the kernel's own: by what tracing adds to each period,
 * which counters at both ends tell, and by the way from a governor's look at the clock to the
 * entry.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/periods.h"
#include "trace/write.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PERIODS 1000u
#define LENGTH_NS 50000u
#define GAP_NS 20000u
#define SHORTEST_NS 2200u /* of the gaps */

static char path[] = "/tmp/periods-XXXXXX";

static int setup(void **state)
{
	int fd;

	(void)state;
	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	return fd < 0 || close(fd) ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

/* State 1, with these counters between both ends, or none. */
static void make(bool known, uint64_t usage, uint64_t us, uint64_t shortest_ns)
{
	struct trace_info info = { .kinds = TRACE_HAS_MISSES };
	struct trace_edge edge = { .t_ns = { 1000, 1000000000 }, .states = 2 };
	struct trace_period p = { .state = 1 };
	struct trace_writer *w;
	uint64_t t = 2000, bytes;

	edge.counter[1][TRACE_EDGE_USAGE].known = edge.counter[1][TRACE_EDGE_TIME_US].known = known;
	edge.counter[1][TRACE_EDGE_USAGE].value[0] = 7;
	edge.counter[1][TRACE_EDGE_USAGE].value[1] = 7 + usage;
	edge.counter[1][TRACE_EDGE_TIME_US].value[1] = us;
	assert_false(cpulist_add(&info.cpus, 0));
	assert_false(trace_create(path, &info, &w));
	for (unsigned int i = 0; i < PERIODS; i++) {
		p.entry_ns = t;
		p.exit_ns = t + LENGTH_NS;
		assert_false(trace_put_period(w, 0, &p));
		t = p.exit_ns + (i == PERIODS / 2 ? shortest_ns : GAP_NS);
	}
	assert_false(trace_round(w, t));
	assert_false(trace_finish(w, &edge, &bytes));
	trace_info_free(&info);
}

static void check(int64_t traced_ns, int64_t lead_ns)
{
	struct periods periods;

	assert_false(periods_load(path, &periods));
	assert_int_equal(periods.cpu[0].n, PERIODS);
	assert_true(periods.traced_ns == traced_ns);
	assert_true(periods.cpu[0].lead_ns == lead_ns);
	periods_free(&periods);
}

static void counters_tell_what_tracing_adds(void **state)
{
	(void)state;
	make(true, PERIODS, PERIODS * (LENGTH_NS - 1000) / 1000, SHORTEST_NS);
	check(1000, SHORTEST_NS);
}

static void without_them_nothing_is_taken_off(void **state)
{
	(void)state;
	make(false, PERIODS, PERIODS * (LENGTH_NS - 1000) / 1000, SHORTEST_NS);
	check(0, SHORTEST_NS);
	make(true, PERIODS + 1, PERIODS * (LENGTH_NS - 1000) / 1000,
	     SHORTEST_NS); /* other periods */
	check(0, SHORTEST_NS);
	make(true, PERIODS, PERIODS * (LENGTH_NS + 1000) / 1000, SHORTEST_NS); /* never less */
	check(0, SHORTEST_NS);
}

static void a_long_way_is_no_lead(void **state)
{
	(void)state;
	make(false, 0, 0, GAP_NS);
	check(0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(counters_tell_what_tracing_adds, setup, teardown),
		cmocka_unit_test_setup_teardown(without_them_nothing_is_taken_off, setup, teardown),
		cmocka_unit_test_setup_teardown(a_long_way_is_no_lead, setup, teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
