/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a model misses: a governor that looks at one thing only, once for each class. It takes state
 * 1 when that thing is so and state 0 when not; the kernel is said to have taken state 1.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/fidelity_miss.h"

static enum miss_class looks_at;

/* What the period before left behind. */
struct past {
	int64_t residency_ns;
	bool tick_fired;
	int refused; /* selects since the last reflect */
};

static struct past *past_of(struct governor_cpu *cpu)
{
	return (struct past *)cpu->memory;
}

static bool is_so(struct governor_cpu *cpu, const struct governor_input *in)
{
	struct past *past = past_of(cpu);

	switch (looks_at) {
	case MISS_TIMER:
		return in->sleep_ns >= 600000;
	case MISS_TICK:
		return in->tick_stopped;
	case MISS_HELD:
		return in->sleep_ns == in->event_ns;
	case MISS_UTILISATION:
		return in->utilisation > 500;
	case MISS_IOWAIT:
		return in->iowait;
	case MISS_POLL:
	case MISS_CAUSE:
		return past->tick_fired;
	case MISS_CLOCK:
		return past->residency_ns >= 10000;
	case MISS_PENDING:
		return past->refused++ > 1;
	case MISS_LATE:
		return in->sleep_ns == -1000 && in->event_ns == -1000;
	case MISS_LIMIT:
		return in->latency_ns < 1000000;
	default:
		return false;
	}
}

static struct governor_choice toy_select(struct governor_cpu *cpu, const struct governor_input *in)
{
	return (struct governor_choice){ .state = is_so(cpu, in) };
}

static void toy_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	*past_of(cpu) = (struct past){ out->residency_ns, out->tick_fired, 0 };
}

static struct governor_choice toy_explain(struct governor_cpu *cpu, const struct governor_input *in,
					  struct governor_notes *notes)
{
	notes->wrapped = looks_at == MISS_WRAP;
	return toy_select(cpu, in);
}

static const struct governor toy = { .name = "toy",
				     .family = "toy",
				     .select = toy_select,
				     .reflect = toy_reflect,
				     .explain = toy_explain };

static const struct machine machine = {
	.state = { "POLL", "C1", "C2" },
	.table = { .states = 3,
		   .residency_ns = { 0, 2000, 600000 },
		   .latency_ns = { 0, 2000, 100000 },
		   .polling = 1,
		   .tick_ns = 1000000,
		   .capacity = 1024 },
	.disabled = 4,
	.limit_ns = GOVERNOR_NO_LIMIT_NS,
	.exit_share = 0.5,
};

/* A period of 5 us in state 1; before it one of 9.9 us, in @state, ended by @cause. */
static enum miss_class classify(enum miss_class at, int state, uint8_t cause, bool timer_known,
				int want, size_t since)
{
	static const struct trace_period period = { .entry_ns = 20000,
						    .exit_ns = 25000,
						    .timer_known = true,
						    .timer_ns = 19000, /* overdue */
						    .state = 1 };
	struct miss_place place = { .governor = &toy,
				    .machine = &machine,
				    .period = &period,
				    .in = { .now_ns = 20000,
					    .sleep_ns = 200000,
					    .event_ns = 100000,
					    .latency_ns = GOVERNOR_NO_LIMIT_NS,
					    .disabled = 4 },
				    .timer_known = timer_known,
				    .before_out = { .entered = state, .residency_ns = 9900 },
				    .before_cause = cause,
				    .has_before = true,
				    .fresh_age = FIDELITY_WARM,
				    .other_got = at == MISS_OLDER_TIMER,
				    .fresh_got = at == MISS_MEMORY };

	looks_at = at;
	governor_enable(&toy, &machine.table, &place.before);
	place.asleep = place.before;
	governor_reflect(&toy, &place.asleep, &place.before_out);
	place.cpu = place.asleep;
	assert_int_equal(governor_select(&toy, &place.cpu, &place.in).state, 0);
	return miss_classify(&place, want, since);
}

static void each_class(void **state)
{
	static const enum miss_class any[] = { MISS_TICK,	 MISS_HELD,   MISS_UTILISATION,
					       MISS_IOWAIT,	 MISS_CLOCK,  MISS_PENDING,
					       MISS_OLDER_TIMER, MISS_MEMORY, MISS_LATE,
					       MISS_LIMIT,	 MISS_WRAP,   MISS_OPEN };

	(void)state;
	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
		assert_int_equal(classify(any[i], 1, TRACE_CALL, true, 1, 1000), any[i]);
	assert_int_equal(classify(MISS_TIMER, 1, TRACE_CALL, false, 1, 1000), MISS_TIMER);
	assert_int_equal(classify(MISS_POLL, 0, TRACE_NO_INTERRUPT, true, 1, 1000), MISS_POLL);
	assert_int_equal(classify(MISS_CAUSE, 1, TRACE_TIMER, true, 1, 1000), MISS_CAUSE);
}

static void what_is_known_is_no_reason(void **state)
{
	(void)state;
	/* The sleep length is in the trace; the cause was an IPI. */
	assert_int_equal(classify(MISS_TIMER, 1, TRACE_CALL, true, 1, 1000), MISS_OPEN);
	assert_int_equal(classify(MISS_CAUSE, 1, TRACE_CALL, true, 1, 1000), MISS_OPEN);
}

static void before_any_reason(void **state)
{
	(void)state;
	assert_int_equal(classify(MISS_TICK, 1, TRACE_CALL, true, 1, FIDELITY_WARM - 1),
			 MISS_START);
	assert_int_equal(classify(MISS_TICK, 1, TRACE_CALL, true, 2, 1000), MISS_STATE);
	assert_int_equal(classify(MISS_TICK, 1, TRACE_CALL, true, 9, 0), MISS_STATE);
}

static void names_of_all(void **state)
{
	(void)state;
	for (int i = 0; i < MISS_CLASSES; i++) {
		assert_non_null(miss_class_name[i]);
		assert_non_null(miss_class_text[i]);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(miss_class_name[i], miss_class_name[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_class),
		cmocka_unit_test(what_is_known_is_no_reason),
		cmocka_unit_test(before_any_reason),
		cmocka_unit_test(names_of_all),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
