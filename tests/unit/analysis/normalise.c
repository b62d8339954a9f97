/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods by hand into gaps: what cuts one and what does not, when it ends, which timer was known,
 * who woke whom, and how busy the CPU was.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/normalise.h"

#define US 1000

/* POLL, C1 2/2 us, C6 100/600 us; an exit takes half of the latency. */
static const struct machine machine = {
	.table = { .states = 3,
		   .residency_ns = { 0, 2 * US, 600 * US },
		   .latency_ns = { 0, 2 * US, 100 * US },
		   .polling = 1,
		   .tick_ns = 1000 * US,
		   .capacity = 1024 },
	.limit_ns = GOVERNOR_NO_LIMIT_NS,
	.exit_share = 0.5,
};
static const struct machine *const machines[] = { &machine, &machine };

static struct trace_info info;

static struct trace_period period(uint64_t from_us, uint64_t to_us, uint8_t state, uint8_t cause)
{
	return (struct trace_period){
		.entry_ns = from_us * US, .exit_ns = to_us * US, .state = state, .cause = cause
	};
}

static struct normal normalised(struct periods_cpu *cpu, size_t n, unsigned int kinds)
{
	struct periods periods = { .info = &info, .cpu = cpu, .n = n };
	struct normal normal;

	info.kinds = kinds;
	assert_int_equal(normalise(&periods, machines, &normal), 0);
	return normal;
}

static int64_t end_of(const struct idle_gap *gap)
{
	return gap->start_ns + gap->length_ns;
}

/* G 11.1: ticks merge; the cause of the last segment is the gap's, its exit latency is taken off.
 */
static void merges_ticks(void **state)
{
	struct trace_period p[] = { period(0, 1000, 1, TRACE_TICK),
				    period(1010, 2000, 1, TRACE_TICK),
				    period(2005, 2500, 2, TRACE_CALL),
				    /* 200 us of work behind a tick: somebody ran */
				    period(2600, 3000, 1, TRACE_TICK),
				    period(3200, 3300, 1, TRACE_DEVICE) };
	struct periods_cpu cpu = { .period = p, .n = 5 };
	struct normal n = normalised(&cpu, 1, TRACE_HAS_TIMERS | TRACE_HAS_IRQS);
	const struct idle_gap *gap = n.cpu[0].gaps.gap;

	(void)state;
	assert_int_equal(n.cpu[0].gaps.n, 3);
	assert_int_equal(n.counts.merged_ticks, 2);
	assert_int_equal(gap[0].start_ns, 0);
	assert_int_equal(end_of(&gap[0]), 2450 * US); /* half of 100 us before the exit */
	assert_int_equal(gap[0].exit_ns, 50 * US);
	assert_int_equal(gap[0].cause, GAP_IRQ); /* by another CPU, of which there is none */
	assert_int_equal(gap[1].start_ns, 2600 * US);
	assert_int_equal(end_of(&gap[1]), 2999 * US);
	assert_int_equal(gap[2].cause, GAP_IRQ);
	assert_int_equal(n.cpu[0].gap_of[2], 0);
	assert_int_equal(n.cpu[0].gap_of[4], 2);
	normal_free(&n);
}

/* With tasks recorded every interrupt that made nobody run merges, and stays inside. */
static void asks_tasks(void **state)
{
	struct trace_period p[] = { period(0, 100, 1, TRACE_DEVICE),
				    period(105, 300, 1, TRACE_HRTIMER),
				    period(310, 400, 1, TRACE_CALL),
				    period(410, 500, 1, TRACE_CALL) };
	struct periods_run runs[] = { { 250 * US, 305 * US, -1 } };
	struct periods_cpu cpu = { .period = p, .n = 4, .run = runs, .runs = 1 };
	struct normal n;
	const struct gaps *gaps;

	(void)state;
	p[1].next_known = true;
	p[1].next_ns = 250 * US;
	n = normalised(&cpu, 1, TRACE_HAS_TIMERS | TRACE_HAS_IRQS | TRACE_HAS_SCHED);
	gaps = &n.cpu[0].gaps;
	assert_int_equal(gaps->n, 2);
	assert_int_equal(n.counts.merged_others, 2);
	assert_int_equal(gaps->gap[0].inner, 1);
	assert_int_equal(gaps->inner[0].at_ns, 99 * US);
	assert_int_equal(gaps->inner[0].cause, GAP_IRQ);
	/* The timer's time is known to the ns. */
	assert_int_equal(gaps->gap[0].cause, GAP_TIMER);
	assert_int_equal(end_of(&gaps->gap[0]), 250 * US);
	assert_int_equal(gaps->gap[0].exit_ns, 50 * US);
	assert_int_equal(gaps->gap[1].inner, 1);
	assert_int_equal(gaps->inner[gaps->gap[1].first].cause, GAP_PEER);
	normal_free(&n);
	/* From format 2 on each period says it itself. */
	info.format = 2;
	cpu.runs = 0;
	p[3].ran = true;
	n = normalised(&cpu, 1, TRACE_HAS_TIMERS | TRACE_HAS_IRQS | TRACE_HAS_SCHED);
	assert_int_equal(n.cpu[0].gaps.n, 2);
	assert_int_equal(n.cpu[0].gap_of[2], 0);
	assert_int_equal(n.cpu[0].gap_of[3], 1);
	normal_free(&n);
	info.format = 0;
}

/* The end of polling by its time limit (TICK / 16 here, 62.5 us) wakes nobody; polling in between
 * does. */
static void merges_polls(void **state)
{
	struct trace_period p[] = { period(0, 63, 0, TRACE_NO_INTERRUPT),
				    period(64, 400, 1, TRACE_RESCHEDULE),
				    period(410, 430, 0, TRACE_NO_INTERRUPT),
				    period(433, 500, 1, TRACE_RESCHEDULE) };
	struct periods_cpu cpu = { .period = p, .n = 4 };
	struct normal n = normalised(&cpu, 1, TRACE_HAS_IRQS);

	(void)state;
	assert_int_equal(n.cpu[0].gaps.n, 3);
	assert_int_equal(n.counts.merged_polls, 1);
	assert_int_equal(n.cpu[0].gaps.gap[0].start_ns, 0);
	assert_int_equal(end_of(&n.cpu[0].gaps.gap[1]), 430 * US); /* polling has no exit */
	normal_free(&n);
}

static void knows_timers(void **state)
{
	struct trace_period p[] = {
		period(0, 100, 1, TRACE_CALL), /* the tick is next: nothing beyond is known */
		period(200, 300, 1, TRACE_CALL), /* tick stopped: its timer is the wheel's */
		period(400, 500, 1, TRACE_CALL), /* an hrtimer before the tick */
		period(600, 700, 1, TRACE_CALL), /* the file has it */
		period(800, 900, 1, TRACE_CALL), /* stale: over at entry */
		period(1000, 1100, 1, TRACE_CALL),
	};
	struct periods_cpu cpu = { .period = p, .n = 6 };
	const struct idle_gap *gap;
	struct normal n;

	(void)state;
	for (int i = 0; i < 5; i++)
		p[i].next_known = true;
	p[0].next_ns = p[3].next_ns = 777 * US;
	p[0].next_is_tick = p[1].next_is_tick = p[3].next_is_tick = true;
	p[1].tick_stopped = true;
	p[1].next_ns = 5000 * US;
	p[2].next_ns = 650 * US;
	p[3].timer_known = true;
	p[3].timer_ns = 3000 * US;
	p[4].next_ns = 799 * US;
	n = normalised(&cpu, 1, TRACE_HAS_TIMERS | TRACE_HAS_IRQS);
	gap = n.cpu[0].gaps.gap;
	assert_int_equal(gap[0].timer_ns, 5000 * US);
	assert_true(gap[0].guessed && gap[0].timer_is_wheel);
	assert_int_equal(gap[1].timer_ns, 5000 * US);
	assert_true(gap[1].timer_is_wheel && !gap[1].guessed);
	assert_int_equal(gap[2].timer_ns, 650 * US);
	assert_true(!gap[2].timer_is_wheel && !gap[2].guessed);
	assert_int_equal(gap[3].timer_ns, 3000 * US);
	assert_true(gap[4].timer_ns == GAP_NOT_KNOWN && gap[5].timer_ns == GAP_NOT_KNOWN);
	assert_int_equal(n.counts.timer_known, 3);
	assert_int_equal(n.counts.timer_guessed, 1);
	assert_int_equal(n.counts.timer_unknown, 2);
	/* Ticks are where the first running one was. */
	assert_int_equal(n.cpu[0].gaps.tick_phase_ns, 777 * US);
	normal_free(&n);
}

/* Who was awake, and a CPU that says nothing. */
static void finds_peers(void **state)
{
	struct trace_period a[] = { period(0, 101, 1, TRACE_RESCHEDULE),
				    period(110, 201, 1, TRACE_RESCHEDULE) };
	struct trace_period b[] = { period(0, 50, 1, TRACE_DEVICE),
				    period(105, 300, 1, TRACE_RESCHEDULE) };
	struct periods_run run = { 199 * US, 203 * US, 1 };
	struct periods_cpu cpu[] = { { .period = a, .n = 2 }, { .period = b, .n = 2 } };
	struct normal n = normalised(cpu, 2, TRACE_HAS_IRQS);

	(void)state;
	assert_int_equal(n.cpu[0].gaps.gap[0].cause, GAP_PEER);
	assert_int_equal(n.cpu[0].gaps.gap[0].peer, 1);
	/* At 200 us both are idle. */
	assert_int_equal(n.cpu[0].gaps.gap[1].cause, GAP_IRQ);
	assert_int_equal(n.cpu[1].gaps.gap[1].cause, GAP_PEER);
	assert_int_equal(n.cpu[1].gaps.gap[1].peer, 0);
	normal_free(&n);
	/* The trace may say who it was; both were idle, but it was CPU 1's interrupt. */
	cpu[0].cpu = 0;
	cpu[1].cpu = 1;
	cpu[0].run = &run;
	cpu[0].runs = 1;
	n = normalised(cpu, 2, TRACE_HAS_IRQS);
	assert_int_equal(n.cpu[0].gaps.gap[1].cause, GAP_PEER);
	assert_int_equal(n.cpu[0].gaps.gap[1].peer, 1);
	normal_free(&n);
	cpu[1].n = 0;
	n = normalised(cpu, 2, TRACE_HAS_IRQS);
	assert_int_equal(n.cpu[0].gaps.gap[1].cause, GAP_PEER);
	assert_int_equal(n.cpu[0].gaps.gap[1].peer, 0);
	assert_int_equal(n.counts.answers, 2);
	normal_free(&n);
}

/* Half-life 32.768 ms: idle for it, a busy CPU's 512 is 256; busy for it, that is 640. */
static void follows_utilisation(void **state)
{
	struct trace_period p[] = { period(0, 0, 1, TRACE_CALL),
				    period(32768, 65536, 1, TRACE_CALL),
				    period(98304, 98305, 1, TRACE_CALL) };
	struct periods_cpu cpu = { .period = p, .n = 3 };
	struct normal n = normalised(&cpu, 1, TRACE_HAS_IRQS);

	(void)state;
	assert_int_equal(n.cpu[0].utilisation[0], 0);
	assert_int_equal(n.cpu[0].utilisation[1], 512);
	assert_int_equal(n.cpu[0].utilisation[2], 640);
	normal_free(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merges_ticks), cmocka_unit_test(asks_tasks),
		cmocka_unit_test(merges_polls), cmocka_unit_test(knows_timers),
		cmocka_unit_test(finds_peers),	cmocka_unit_test(follows_utilisation),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
