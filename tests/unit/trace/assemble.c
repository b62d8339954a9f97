/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods out of events: causes before and behind the exit, misses, losses, and timers, which are
 * cancelled and run on any CPU.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/random.h"
#include "trace/assemble.h"

#define EXIT UINT32_MAX
#define TICK_FUNCTION 0x1000
#define OTHER_FUNCTION 0x2000

#define TICK_NS 4000000u

static struct assembler_setting setting;
static struct assembler cpu, other;
static struct trace_period period;

static int setup(void **state)
{
	(void)state;
	setting = (struct assembler_setting){ .kinds = TRACE_HAS_MISSES | TRACE_HAS_TIMERS |
						       TRACE_HAS_IRQS,
					      .tick_function = { TICK_FUNCTION },
					      .tick_ns = TICK_NS };
	assert_false(
		timers_make(&(struct cpulist){ (int[]){ 4, 5 }, 2 }, TICK_NS, &setting.timers));
	cpu = (struct assembler){ .setting = &setting, .polling = 1 };
	other = (struct assembler){ .setting = &setting, .i = 1 };
	period = (struct trace_period){ 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	timers_free(setting.timers);
	return 0;
}

static bool feed(enum event event, uint64_t t, uint64_t a, uint64_t b, uint64_t c)
{
	struct assembler_input in = { event, t, { a, b, c } };

	return assembler_take(&cpu, &in, &period);
}

static void feed_other(enum event event, uint64_t t, uint64_t a, uint64_t b, uint64_t c)
{
	struct assembler_input in = { event, t, { a, b, c } };

	assembler_take(&other, &in, &period);
}

/* A wheel timer of @ticks, on the CPU of that number, with flags. */
static void start_wheel(uint64_t t, uint64_t timer, uint64_t jiffies, uint64_t ticks,
			uint32_t flags)
{
	struct assembler_input in = { EVENT_TIMER_START,
				      t,
				      { timer, jiffies + ticks, jiffies, flags } };

	assembler_take(&cpu, &in, &period);
}

/* The period from @t on, @length long. */
static void rest(uint64_t t, uint64_t length)
{
	feed(EVENT_IDLE, t, 1, 0, 0);
	feed(EVENT_IDLE, t + length, EXIT, 0, 0);
	assert_true(assembler_flush(&cpu, UINT64_MAX, &period));
}

static void a_period_is_handed_on_at_the_next_entry(void **state)
{
	(void)state;
	assert_false(feed(EVENT_IDLE, 100, 1, 0, 0));
	assert_false(feed(EVENT_IDLE, 250, EXIT, 0, 0));
	assert_true(feed(EVENT_IDLE, 400, 2, 0, 0));
	assert_int_equal(period.entry_ns, 100);
	assert_int_equal(period.exit_ns, 250);
	assert_int_equal(period.state, 1);
	assert_int_equal(period.cause, TRACE_NO_INTERRUPT);
	assert_false(period.next_known);
	assert_int_equal(cpu.count[TRACE_NO_ENTRY] + cpu.count[TRACE_NO_EXIT], 0);
}

static void the_first_interrupt_behind_the_exit_is_the_cause(void **state)
{
	(void)state;
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 1000, EXIT, 0, 0);
	feed(EVENT_IRQ_RESCHEDULE, 1100, 0, 0, 0);
	feed(EVENT_IRQ_TIMER, 1200, 0, 0, 0);
	feed(EVENT_HRTIMER_EXPIRE, 1210, 7, TICK_FUNCTION, 0);
	assert_true(feed(EVENT_IDLE, 2000, 1, 0, 0));
	assert_int_equal(period.cause, TRACE_RESCHEDULE);
}

static void an_interrupt_long_after_is_none(void **state)
{
	(void)state;
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 1000, EXIT, 0, 0);
	feed(EVENT_IRQ_TIMER, 1001 + ASSEMBLER_NEAR_NS, 0, 0, 0);
	feed(EVENT_IDLE, 9000000, 1, 0, 0);
	assert_int_equal(period.cause, TRACE_NO_INTERRUPT);
}

static void an_interrupt_within_counts_unless_the_state_polls(void **state)
{
	(void)state;
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IRQ_DEVICE, 900, 0, 0, 0);
	feed(EVENT_IDLE, 900000, EXIT, 0, 0);
	feed(EVENT_IDLE, 1000000, 0, 0, 0);
	assert_int_equal(period.cause, TRACE_DEVICE);
	feed(EVENT_IRQ_DEVICE, 1000100, 0, 0, 0); /* state 0 polls on */
	feed(EVENT_IDLE, 2000000, EXIT, 0, 0);
	feed(EVENT_IDLE, 3000000, 0, 0, 0);
	assert_int_equal(period.cause, TRACE_NO_INTERRUPT);
	feed(EVENT_IRQ_CALL, 3999000, 0, 0, 0); /* and this one ended it */
	feed(EVENT_IDLE, 4000000, EXIT, 0, 0);
	feed(EVENT_IDLE, 5000000, 0, 0, 0);
	assert_int_equal(period.cause, TRACE_CALL);
}

static void each_vector_has_its_cause(void **state)
{
	static const struct {
		enum event event;
		enum trace_cause cause;
	} table[] = {
		{ EVENT_IRQ_TIMER, TRACE_TIMER },    { EVENT_IRQ_RESCHEDULE, TRACE_RESCHEDULE },
		{ EVENT_IRQ_IPI, TRACE_RESCHEDULE }, { EVENT_IRQ_CALL, TRACE_CALL },
		{ EVENT_IRQ_WORK, TRACE_CALL },	     { EVENT_IRQ_CALL_SINGLE, TRACE_CALL },
		{ EVENT_IRQ_DEVICE, TRACE_DEVICE },  { EVENT_IRQ_PLATFORM, TRACE_OTHER },
		{ EVENT_IRQ_THERMAL, TRACE_OTHER },  { EVENT_IRQ_THRESHOLD, TRACE_OTHER },
		{ EVENT_IRQ_DEFERRED, TRACE_OTHER }, { EVENT_IRQ_ERROR, TRACE_OTHER },
		{ EVENT_IRQ_SPURIOUS, TRACE_OTHER }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		feed(EVENT_IDLE, i * 1000 + 100, 1, 0, 0);
		feed(EVENT_IDLE, i * 1000 + 200, EXIT, 0, 0);
		feed(table[i].event, i * 1000 + 300, 0, 0, 0);
		assert_true(assembler_flush(&cpu, UINT64_MAX, &period));
		assert_int_equal(period.cause, table[i].cause);
		assert_non_null(trace_cause_name[period.cause]);
	}
}

static void timers_tell_the_timer_interrupts_apart(void **state)
{
	static const struct {
		enum event event;
		uint64_t function;
		enum trace_cause cause;
	} table[] = { { EVENT_HRTIMER_EXPIRE, TICK_FUNCTION, TRACE_TICK },
		      { EVENT_HRTIMER_EXPIRE, OTHER_FUNCTION, TRACE_HRTIMER },
		      { EVENT_TIMER_EXPIRE, 0, TRACE_WHEEL } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		feed(EVENT_IDLE, i * 10000 + 100, 1, 0, 0);
		feed(EVENT_IDLE, i * 10000 + 200, EXIT, 0, 0);
		feed(EVENT_IRQ_TIMER, i * 10000 + 300, 0, 0, 0);
		feed(EVENT_HRTIMER_EXPIRE, i * 10000 + 305, 9, TICK_FUNCTION, 0);
		feed(table[i].event, i * 10000 + 310, 5, table[i].function, 0);
		assert_true(assembler_flush(&cpu, UINT64_MAX, &period));
		assert_int_equal(period.cause, table[i].cause);
	}
}

static void a_miss_belongs_to_the_period_before(void **state)
{
	(void)state;
	feed(EVENT_MISS, 50, 1, 1, 0); /* of a period before the recording */
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, EXIT, 0, 0);
	feed(EVENT_MISS, 210, 1, 0, 0);
	feed(EVENT_IDLE, 300, 1, 0, 0);
	assert_int_equal(period.miss, TRACE_ABOVE);
	feed(EVENT_IDLE, 400, EXIT, 0, 0);
	feed(EVENT_MISS, 410, 1, 1, 0);
	feed(EVENT_IDLE, 500, 1, 0, 0);
	assert_int_equal(period.miss, TRACE_BELOW);
	feed(EVENT_IDLE, 600, EXIT, 0, 0);
	feed(EVENT_IDLE, 700, 1, 0, 0);
	assert_int_equal(period.miss, TRACE_FIT);
}

static void the_next_timer_is_the_earliest_that_is_armed(void **state)
{
	(void)state;
	feed(EVENT_HRTIMER_START, 10, 1, OTHER_FUNCTION, 90000);
	feed(EVENT_HRTIMER_START, 20, 2, TICK_FUNCTION, 50000);
	feed(EVENT_HRTIMER_START, 30, 3, OTHER_FUNCTION, 40000);
	feed(EVENT_HRTIMER_CANCEL, 40, 3, 0, 0);
	feed(EVENT_HRTIMER_START, 50, 4, OTHER_FUNCTION, UINT64_MAX / 2); /* another clock's */
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 50001, EXIT, 0, 0);
	feed(EVENT_HRTIMER_EXPIRE, 50002, 2, TICK_FUNCTION, 0);
	feed(EVENT_IDLE, 60000, 1, 0, 0);
	assert_true(period.next_known && period.next_is_tick);
	assert_int_equal(period.next_ns, 50000);
	feed(EVENT_IDLE, 70000, EXIT, 0, 0);
	feed(EVENT_IDLE, 80000, 1, 0, 0);
	assert_true(period.next_known && !period.next_is_tick);
	assert_int_equal(period.next_ns, 90000);
	assert_int_equal(cpu.count[TRACE_HRTIMER_STARTS], 4);
}

static void a_timer_goes_by_its_address_on_whatever_cpu(void **state)
{
	(void)state;
	feed(EVENT_HRTIMER_START, 10, 1, OTHER_FUNCTION, 300000);
	feed(EVENT_HRTIMER_START, 20, 2, OTHER_FUNCTION, 400000);
	feed(EVENT_HRTIMER_START, 30, 3, OTHER_FUNCTION, 500000);
	feed(EVENT_HRTIMER_START, 40, 4, OTHER_FUNCTION, 600000);
	rest(100, 10);
	assert_int_equal(period.next_ns, 300000);
	feed_other(EVENT_HRTIMER_CANCEL, 200, 1, 0, 0); /* cancelled there */
	rest(300, 10);
	assert_int_equal(period.next_ns, 400000);
	feed_other(EVENT_HRTIMER_EXPIRE, 400, 2, OTHER_FUNCTION, 0); /* it had moved */
	rest(500, 10);
	assert_int_equal(period.next_ns, 500000);
	feed_other(EVENT_HRTIMER_START, 600, 3, OTHER_FUNCTION, 200000); /* started anew there */
	rest(700, 10);
	assert_int_equal(period.next_ns, 600000);
	feed(EVENT_HRTIMER_START, 800, 4, OTHER_FUNCTION, 900000); /* later than before */
	rest(900, 10);
	assert_int_equal(period.next_ns, 900000);
	rest(900000 + TIMERS_STALE_NS, 10);
	assert_true(period.next_known);
	rest(900011 + TIMERS_STALE_NS, 10); /* so late it is not there */
	assert_false(period.next_known || period.timer_known);
}

static void what_is_overdue_when_another_one_runs_is_gone(void **state)
{
	uint64_t late = 100000 + 300000000; /* an interrupt that is 300 ms late */

	(void)state;
	feed(EVENT_HRTIMER_START, 10, 1, OTHER_FUNCTION, 100000);
	feed(EVENT_HRTIMER_START, 20, 2, OTHER_FUNCTION, late + 500);
	rest(late - 1000, 10);
	assert_int_equal(period.next_ns, 100000); /* nothing ran since: it may still come */
	feed_other(EVENT_HRTIMER_EXPIRE, late, 7, OTHER_FUNCTION, 0);
	rest(late + 10, 10);
	assert_int_equal(period.next_ns, 100000); /* another CPU's */
	feed(EVENT_HRTIMER_EXPIRE, late + 100, 9, TICK_FUNCTION, 0);
	rest(late + 200, 10);
	assert_int_equal(period.next_ns, late + 500);
	feed(EVENT_HRTIMER_EXPIRE, late + 600, 9, TICK_FUNCTION, 0);
	rest(late + 700, 10);
	assert_int_equal(period.next_ns, late + 500); /* its own turn may come within 1 ms */
}

static void the_next_timer_leaves_the_tick_out(void **state)
{
	uint64_t t = 100 * TICK_NS;

	(void)state;
	feed(EVENT_HRTIMER_START, t, 2, TICK_FUNCTION, t + TICK_NS);
	rest(t + 10, 10);
	assert_true(period.next_is_tick && !period.timer_known);
	/* 90 is the counter at t; this event read it late, the next one not. */
	start_wheel(t + 30, 11, 89, 6, 4);
	start_wheel(t + 40, 12, 90, 7, 4);
	rest(t + 50, 10);
	assert_true(period.next_is_tick && period.timer_known && period.timer_is_wheel);
	assert_int_equal(period.next_ns, t + TICK_NS);
	assert_int_equal(period.timer_ns, t + 6 * TICK_NS); /* as it was understood then */
	start_wheel(t + 60, 11, 90, 5, 4);
	start_wheel(t + 61, 13, 90, 3, 5); /* of another CPU, */
	start_wheel(t + 62, 14, 90, 2, 4 | 0x00080000); /* and one that wakes nobody */
	rest(t + 70, 10);
	assert_int_equal(period.timer_ns, t + 5 * TICK_NS);
	feed(EVENT_HRTIMER_START, t + 90, 3, OTHER_FUNCTION, t + 1000);
	rest(t + 100, 10);
	assert_false(period.next_is_tick || period.timer_is_wheel);
	assert_int_equal(period.next_ns, t + 1000);
	assert_int_equal(period.timer_ns, t + 1000);
	feed(EVENT_HRTIMER_CANCEL, t + 120, 3, 0, 0);
	feed(EVENT_TIMER_CANCEL, t + 121, 11, 0, 0);
	rest(t + 130, 10);
	assert_int_equal(period.timer_ns, t + 7 * TICK_NS);
	feed(EVENT_TIMER_EXPIRE, t + 150, 12, 0, 0);
	rest(t + 160, 10);
	assert_false(period.timer_known);
	setting.tick_function[0] = 0; /* the tick is an hrtimer like any other */
	feed(EVENT_HRTIMER_START, t + 170, 3, OTHER_FUNCTION, t + 1000);
	rest(t + 180, 10);
	assert_true(period.next_known && !period.timer_known);
}

static void counters_of_32_bits_wrap(void **state)
{
	uint64_t t = 100 * TICK_NS;

	(void)state;
	feed(EVENT_HRTIMER_START, t, 2, TICK_FUNCTION, t + TICK_NS);
	start_wheel(t + 10, 11, UINT32_MAX, 0, 4);
	{
		struct assembler_input in = { EVENT_TIMER_START, t + 20, { 11, 4, UINT32_MAX, 4 } };

		assembler_take(&cpu, &in, &period);
	}
	rest(t + 30, 10);
	assert_int_equal(period.timer_ns, t + 5 * TICK_NS);
}

static void many_timers_keep_their_order(void **state)
{
	uint64_t least = UINT64_MAX, seed = 7;
	static uint64_t expires[2000];

	(void)state;
	for (uint64_t i = 0; i < 20000; i++) {
		uint64_t n = random_below(&seed, 2000);

		if (random_below(&seed, 3)) {
			expires[n] = 1000000 + random_below(&seed, 1000000);
			feed(EVENT_HRTIMER_START, i, 0xffff888000000000u + 64 * n, OTHER_FUNCTION,
			     expires[n]);
		} else {
			expires[n] = 0;
			feed(EVENT_HRTIMER_CANCEL, i, 0xffff888000000000u + 64 * n, 0, 0);
		}
		if (i % 50)
			continue;
		rest(i, 0);
		least = UINT64_MAX;
		for (size_t k = 0; k < 2000; k++)
			least = expires[k] && expires[k] < least ? expires[k] : least;
		assert_int_equal(period.next_known, least != UINT64_MAX);
		assert_true(!period.next_known || period.next_ns == least);
	}
	assembler_lose(&cpu, 1, &period);
	rest(30000, 0);
	assert_false(period.next_known);
}

static void a_full_table_leaves_the_rest_out(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < TIMERS_MAX + 100; n++)
		feed(EVENT_HRTIMER_START, 10, 0x1000 + 8 * n, OTHER_FUNCTION, 900000 - n);
	rest(100, 0);
	assert_int_equal(period.next_ns, 900000 - TIMERS_MAX + 1);
	feed(EVENT_HRTIMER_CANCEL, 110, 0x1000 + 8 * (TIMERS_MAX - 1), 0, 0);
	feed(EVENT_HRTIMER_START, 120, 8, OTHER_FUNCTION, 500);
	rest(130, 0);
	assert_int_equal(period.next_ns, 500);
}

static void a_tick_is_stopped_until_it_is_near_again(void **state)
{
	(void)state;
	feed(EVENT_TICK_STOP, 10, 1, 0, 0);
	feed(EVENT_HRTIMER_START, 20, 2, TICK_FUNCTION, 400000000); /* the wheel's next timer */
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, EXIT, 0, 0);
	feed(EVENT_HRTIMER_START, 210, 2, TICK_FUNCTION, 4000000);
	feed(EVENT_TICK_STOP, 220, 0, 0, 0);
	feed(EVENT_IDLE, 300, 1, 0, 0);
	assert_true(period.tick_stopped);
	feed(EVENT_IDLE, 400, EXIT, 0, 0);
	feed(EVENT_IDLE, 500, 1, 0, 0);
	assert_false(period.tick_stopped);
	assert_int_equal(cpu.count[TRACE_TICK_STOPS], 1);
	assert_int_equal(cpu.count[TRACE_TICK_REFUSALS], 1);
}

static void what_happened_since_the_period_before_is_told(void **state)
{
	(void)state;
	feed(EVENT_SWITCH, 5, 0, 0, 0); /* to the idle task */
	feed(EVENT_TICK_STOP, 10, 1, 0, 0);
	rest(100, 10);
	assert_true(period.tick_stopped && !period.was_stopped && !period.ran);
	rest(200, 10);
	assert_true(period.tick_stopped && period.was_stopped && !period.ran);
	feed(EVENT_SWITCH, 250, 4242, 0, 0);
	feed(EVENT_HRTIMER_START, 260, 2, TICK_FUNCTION, 4000000); /* the tick starts anew */
	feed(EVENT_SWITCH, 270, 0, 0, 0);
	rest(300, 10);
	assert_true(!period.tick_stopped && !period.was_stopped && period.ran);
	rest(400, 10);
	assert_false(period.tick_stopped || period.was_stopped || period.ran);
}

static void what_has_no_partner_is_counted(void **state)
{
	(void)state;
	feed(EVENT_IDLE, 90, EXIT, 0, 0); /* was under way when recording began: not counted */
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, 1, 0, 0);
	feed(EVENT_IDLE, 300, EXIT, 0, 0);
	feed(EVENT_IDLE, 310, EXIT, 0, 0);
	assert_true(feed(EVENT_IDLE, 400, 1, 0, 0));
	assert_int_equal(period.entry_ns, 200);
	assert_false(feed(EVENT_IDLE, 350, EXIT, 0, 0));
	assert_false(feed(EVENT_IDLE, 500, 1, 0, 0));
	assert_int_equal(cpu.count[TRACE_NO_EXIT], 1);
	assert_int_equal(cpu.count[TRACE_NO_ENTRY], 1);
	assert_int_equal(cpu.count[TRACE_BACKWARDS], 1);
}

static void a_loss_ends_what_is_known(void **state)
{
	(void)state;
	feed(EVENT_HRTIMER_START, 10, 1, OTHER_FUNCTION, 90000);
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, EXIT, 0, 0);
	assert_true(assembler_lose(&cpu, 7, &period));
	assert_false(period.after_loss);
	feed(EVENT_IDLE, 300, EXIT, 0, 0); /* its entry was lost */
	feed(EVENT_IDLE, 400, 1, 0, 0);
	feed(EVENT_IDLE, 500, EXIT, 0, 0);
	assert_true(feed(EVENT_IDLE, 600, 1, 0, 0));
	assert_true(period.after_loss && !period.next_known);
	assert_int_equal(cpu.count[TRACE_LOST], 7);
	assert_int_equal(cpu.count[TRACE_NO_ENTRY], 0);
}

static void without_interrupts_the_cause_is_not_known(void **state)
{
	(void)state;
	setting.kinds = TRACE_HAS_MISSES;
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, EXIT, 0, 0);
	feed(EVENT_IDLE, 300, 14, 0, 0);
	assert_int_equal(period.cause, TRACE_UNKNOWN);
	feed(EVENT_IDLE, 300, EXIT, 0, 0); /* of no length, in a state that no table has */
	assert_true(assembler_flush(&cpu, UINT64_MAX, &period));
	assert_int_equal(period.exit_ns, period.entry_ns);
	assert_int_equal(period.state, TRACE_STATE_OTHER);
}

static void a_young_period_waits(void **state)
{
	(void)state;
	feed(EVENT_IDLE, 100, 1, 0, 0);
	feed(EVENT_IDLE, 200, EXIT, 0, 0);
	assert_false(assembler_flush(&cpu, 200 + ASSEMBLER_NEAR_NS, &period));
	assert_true(assembler_flush(&cpu, 201 + ASSEMBLER_NEAR_NS, &period));
	assert_false(assembler_flush(&cpu, UINT64_MAX, &period));
}

/* As kernel 6.1 ran them: expires, now, idx of timer_start, and now of timer_expire_entry. */
static void the_wheel_runs_a_timer_with_its_bucket(void **state)
{
	static const struct {
		uint64_t expires, now, index, runs;
	} seen[] = {
		{ 4294892560, 4294892560, 17, 4294892561 },
		{ 4294892781, 4294892656, 94, 4294892784 },
		{ 4294892999, 4294893000, 8, 4294893000 }, /* late already: at once */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++)
		assert_int_equal(
			timers_bucket(seen[i].expires, seen[i].now, (unsigned int)seen[i].index),
			seen[i].runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_period_is_handed_on_at_the_next_entry, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_first_interrupt_behind_the_exit_is_the_cause,
						setup, teardown),
		cmocka_unit_test_setup_teardown(an_interrupt_long_after_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(an_interrupt_within_counts_unless_the_state_polls,
						setup, teardown),
		cmocka_unit_test_setup_teardown(each_vector_has_its_cause, setup, teardown),
		cmocka_unit_test_setup_teardown(timers_tell_the_timer_interrupts_apart, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_miss_belongs_to_the_period_before, setup,
						teardown),
		cmocka_unit_test_setup_teardown(the_next_timer_is_the_earliest_that_is_armed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_timer_goes_by_its_address_on_whatever_cpu, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_overdue_when_another_one_runs_is_gone,
						setup, teardown),
		cmocka_unit_test_setup_teardown(the_next_timer_leaves_the_tick_out, setup,
						teardown),
		cmocka_unit_test_setup_teardown(counters_of_32_bits_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(many_timers_keep_their_order, setup, teardown),
		cmocka_unit_test_setup_teardown(a_full_table_leaves_the_rest_out, setup, teardown),
		cmocka_unit_test_setup_teardown(a_tick_is_stopped_until_it_is_near_again, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_happened_since_the_period_before_is_told,
						setup, teardown),
		cmocka_unit_test_setup_teardown(what_has_no_partner_is_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(a_loss_ends_what_is_known, setup, teardown),
		cmocka_unit_test_setup_teardown(without_interrupts_the_cause_is_not_known, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_young_period_waits, setup, teardown),
		cmocka_unit_test(the_wheel_runs_a_timer_with_its_bucket),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
