/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods out of events: causes before and behind the exit, misses, timers, losses.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace/assemble.h"

#define EXIT UINT32_MAX
#define TICK_FUNCTION 0x1000
#define OTHER_FUNCTION 0x2000

static struct assembler_setting setting;
static struct assembler cpu;
static struct trace_period period;

static int setup(void **state)
{
	(void)state;
	setting = (struct assembler_setting){ .kinds = TRACE_HAS_MISSES | TRACE_HAS_TIMERS |
						       TRACE_HAS_IRQS,
					      .tick_function = { TICK_FUNCTION },
					      .tick_ns = 4000000 };
	cpu = (struct assembler){ .setting = &setting, .polling = 1 };
	period = (struct trace_period){ 0 };
	return 0;
}

static bool feed(enum event event, uint64_t t, uint64_t a, uint64_t b, uint64_t c)
{
	struct assembler_input in = { event, t, { a, b, c } };

	return assembler_take(&cpu, &in, &period);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_period_is_handed_on_at_the_next_entry, setup),
		cmocka_unit_test_setup(the_first_interrupt_behind_the_exit_is_the_cause, setup),
		cmocka_unit_test_setup(an_interrupt_long_after_is_none, setup),
		cmocka_unit_test_setup(an_interrupt_within_counts_unless_the_state_polls, setup),
		cmocka_unit_test_setup(timers_tell_the_timer_interrupts_apart, setup),
		cmocka_unit_test_setup(a_miss_belongs_to_the_period_before, setup),
		cmocka_unit_test_setup(the_next_timer_is_the_earliest_that_is_armed, setup),
		cmocka_unit_test_setup(a_tick_is_stopped_until_it_is_near_again, setup),
		cmocka_unit_test_setup(what_has_no_partner_is_counted, setup),
		cmocka_unit_test_setup(a_loss_ends_what_is_known, setup),
		cmocka_unit_test_setup(without_interrupts_the_cause_is_not_known, setup),
		cmocka_unit_test_setup(a_young_period_waits, setup),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
