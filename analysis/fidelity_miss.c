/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each class is tried on copies of the model: with that input changed, does it choose what the
 * kernel chose? What brings it about need not be what it was, but without such an input a miss is
 * the model's own fault, and that is what "not explained" counts.
 */
#include "analysis/fidelity_miss.h"
#include "governors/walk.h"
#include <errno.h>
#include <stdarg.h>

#define CLOCK_NS 1000 /* between the tracepoint's clock and the kernel's around it */

const char *const miss_class_name[MISS_CLASSES] = {
	[MISS_START] = "start-up",
	[MISS_STATE] = "state",
	[MISS_TIMER] = "unknown timer",
	[MISS_TICK] = "tick state unknown",
	[MISS_HELD] = "tick held",
	[MISS_UTILISATION] = "utilisation unknown",
	[MISS_IOWAIT] = "iowait unknown",
	[MISS_POLL] = "POLL absorbed",
	[MISS_CLOCK] = "clock",
	[MISS_CAUSE] = "wake cause unknown",
	[MISS_PENDING] = "not entered",
	[MISS_OLDER_TIMER] = "unknown timer before",
	[MISS_MEMORY] = "memory",
	[MISS_LATE] = "late interrupt",
	[MISS_LIMIT] = "latency limit unknown",
	[MISS_WRAP] = "32-bit wrap",
	[MISS_OPEN] = "not explained",
};

const char *const miss_class_text[MISS_CLASSES] = {
	[MISS_START] = "one of the first 100 decisions, or of the first behind lost events",
	[MISS_STATE] = "the kernel's state is disabled or missing in the state table",
	[MISS_TIMER] = "the sleep length is not in the trace; another one gives the kernel's state",
	[MISS_TICK] = "with the tick stopped before (or not) it is the kernel's state",
	[MISS_HELD] =
		"with nothing but the next clock event to sleep for: RCU or a softirq needs the tick",
	[MISS_UTILISATION] = "with another utilisation, which is estimated from idle times",
	[MISS_IOWAIT] = "with tasks in iowait, which the trace does not have",
	[MISS_POLL] = "the period before polled: what it absorbed is not in the trace",
	[MISS_CLOCK] = "the residency before was within 1 us of a border",
	[MISS_CAUSE] = "whether the tick fired in the period before is not in the trace",
	[MISS_PENDING] = "with a period between that was not entered, which no trace has",
	[MISS_OLDER_TIMER] = "an earlier sleep length is not in the trace and was learnt from",
	[MISS_MEMORY] = "a model that began later agrees: learnt before the recording, or long ago",
	[MISS_LATE] = "a timer is overdue; with nothing left to sleep for it is the kernel's state",
	[MISS_LIMIT] = "with a latency limit, or polling without the governor: in no trace",
	[MISS_WRAP] = "a counter of 32 bits has wrapped; when depends on what was before",
	[MISS_OPEN] = "none of these gives the kernel's state",
};

/* @cpu stays as it is. */
static bool gives(const struct miss_place *at, const struct governor_cpu *cpu,
		  const struct governor_input *in, int want)
{
	struct governor_cpu copy = *cpu;

	return governor_select(at->governor, &copy, in).state == want;
}

/* Sleep lengths on both sides of every border that a governor may have. */
static bool other_timer(const struct miss_place *at, int want)
{
	const struct governor_table *table = &at->machine->table;
	struct governor_input in = at->in;
	int64_t truth = (int64_t)(at->period->exit_ns - at->period->entry_ns);

	for (int i = 0; i < table->states; i++) {
		in.sleep_ns = table->residency_ns[i];
		if (in.sleep_ns >= at->in.event_ns && gives(at, &at->asleep, &in, want))
			return true;
		in.sleep_ns = 2 * table->residency_ns[i];
		if (in.sleep_ns >= at->in.event_ns && gives(at, &at->asleep, &in, want))
			return true;
	}
	for (int64_t ns = at->in.event_ns; ns > 0 && ns < GOVERNOR_TIME_MAX_NS; ns *= 2) {
		in.sleep_ns = ns;
		if (gives(at, &at->asleep, &in, want))
			return true;
	}
	in.sleep_ns = truth;
	return truth >= at->in.event_ns && gives(at, &at->asleep, &in, want);
}

static bool other_tick(const struct miss_place *at, int want)
{
	struct governor_input in = at->in;

	in.tick_stopped = !in.tick_stopped;
	return gives(at, &at->asleep, &in, want);
}

struct governor_input miss_held_tick(const struct miss_place *at)
{
	struct governor_input in = at->in;

	in.sleep_ns = in.event_ns;
	return in;
}

static bool held_tick(const struct miss_place *at, int want)
{
	struct governor_input in = miss_held_tick(at);

	return !in.tick_stopped && gives(at, &at->asleep, &in, want);
}

static bool other_utilisation(const struct miss_place *at, int want)
{
	struct governor_input none = at->in, full = at->in;

	none.utilisation = 0;
	full.utilisation = 1024;
	return gives(at, &at->asleep, &none, want) || gives(at, &at->asleep, &full, want);
}

static bool other_iowait(const struct miss_place *at, int want)
{
	struct governor_input in = at->in;

	in.iowait = 1;
	return gives(at, &at->asleep, &in, want);
}

/* The clock event may be as late as the timer that is overdue. */
static bool other_event(const struct miss_place *at, int want)
{
	struct governor_input in = at->in;

	if (!at->period->timer_known || at->period->timer_ns > at->period->entry_ns)
		return false;
	in.sleep_ns = in.event_ns = (int64_t)at->period->timer_ns - (int64_t)at->period->entry_ns;
	return gives(at, &at->asleep, &in, want);
}

static bool other_limit(const struct miss_place *at, int want)
{
	struct governor_input in = at->in;

	in.latency_ns = at->machine->table.latency_ns[want];
	return gives(at, &at->asleep, &in, want);
}

/* The same, had the period before ended as @out says. */
static bool after(const struct miss_place *at, const struct governor_outcome *out, int want)
{
	struct governor_cpu cpu = at->before;

	governor_reflect(at->governor, &cpu, out);
	return gives(at, &cpu, &at->in, want);
}

static bool polled_before(const struct miss_place *at)
{
	return at->has_before && walk_has(at->machine->table.polling, at->before_out.entered);
}

static bool other_poll(const struct miss_place *at, int want)
{
	if (!polled_before(at))
		return false;
	for (int i = 1; i < 4; i++) {
		struct governor_outcome out = at->before_out;

		out.tick_fired ^= i & 1;
		out.poll_limit ^= i >> 1;
		if (after(at, &out, want))
			return true;
	}
	return false;
}

static bool other_clock(const struct miss_place *at, int want)
{
	for (int64_t by = -CLOCK_NS; at->has_before && by <= CLOCK_NS; by += CLOCK_NS / 4) {
		struct governor_outcome out = at->before_out;

		out.residency_ns += by;
		out.now_ns += (uint64_t)by;
		if (out.residency_ns < 0)
			out.residency_ns = 0;
		if (after(at, &out, want))
			return true;
	}
	return false;
}

/* Interrupts that may have been the tick's. */
static bool other_cause(const struct miss_place *at, int want)
{
	struct governor_outcome out = at->before_out;

	if (!at->has_before ||
	    (at->before_cause != TRACE_UNKNOWN && at->before_cause != TRACE_TIMER))
		return false;
	out.tick_fired = !out.tick_fired;
	return after(at, &out, want);
}

static bool pending_between(const struct miss_place *at, int want)
{
	static const struct governor_outcome refused = { .entered = -EBUSY };
	struct governor_cpu cpu = at->asleep;

	for (int i = 0; i < 4; i++) {
		governor_select(at->governor, &cpu, &at->in);
		governor_reflect(at->governor, &cpu, &refused);
		if (gives(at, &cpu, &at->in, want))
			return true;
	}
	return false;
}

static void say_nothing(struct governor_notes *notes, const char *format, ...)
{
	(void)notes;
	(void)format;
}

static bool has_wrapped(const struct miss_place *at)
{
	const char *name[GOVERNOR_STATES_MAX];
	struct governor_notes notes = { .print = say_nothing, .name = name };
	struct governor_cpu cpu = at->asleep;

	if (!at->governor->explain)
		return false;
	for (int i = 0; i < GOVERNOR_STATES_MAX; i++)
		name[i] = at->machine->state[i];
	at->governor->explain(&cpu, &at->in, &notes);
	return notes.wrapped;
}

enum miss_class miss_classify(const struct miss_place *at, int want, size_t since)
{
	if (want >= at->machine->table.states || walk_has(at->machine->disabled, want))
		return MISS_STATE;
	if (since < FIDELITY_WARM)
		return MISS_START;
	if (!at->timer_known && other_timer(at, want))
		return MISS_TIMER;
	if (!at->tick_known && other_tick(at, want))
		return MISS_TICK;
	if (held_tick(at, want))
		return MISS_HELD;
	if (other_utilisation(at, want))
		return MISS_UTILISATION;
	if (other_iowait(at, want))
		return MISS_IOWAIT;
	if (other_poll(at, want))
		return MISS_POLL;
	if (other_clock(at, want))
		return MISS_CLOCK;
	if (other_cause(at, want))
		return MISS_CAUSE;
	if (pending_between(at, want))
		return MISS_PENDING;
	if (at->other_got == want)
		return MISS_OLDER_TIMER;
	if (at->fresh_age >= FIDELITY_WARM && at->fresh_got == want)
		return MISS_MEMORY;
	if (other_event(at, want))
		return MISS_LATE;
	if (other_limit(at, want))
		return MISS_LIMIT;
	return has_wrapped(at) ? MISS_WRAP : MISS_OPEN;
}
