/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timer of the wheel is due when its bucket is; older kernels tell the timer's own time only.
 */
#include "run/record_event.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "trace/trace.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct row {
	const char *system, *name;
	unsigned int kind; /* 0 = always */
	const char *field[EVENT_FIELDS_MAX];
} table[EVENTS] = {
	[EVENT_IDLE] = { "power", "cpu_idle", 0, { "state", "cpu_id" } },
	[EVENT_MISS] = { "power", "cpu_idle_miss", TRACE_HAS_MISSES, { "state", "below" } },
	[EVENT_TICK_STOP] = { "timer", "tick_stop", TRACE_HAS_TIMERS, { "success" } },
	[EVENT_HRTIMER_START] = { "timer",
				  "hrtimer_start",
				  TRACE_HAS_TIMERS,
				  { "hrtimer", "function", "expires" } },
	[EVENT_HRTIMER_CANCEL] = { "timer", "hrtimer_cancel", TRACE_HAS_TIMERS, { "hrtimer" } },
	[EVENT_HRTIMER_EXPIRE] = { "timer",
				   "hrtimer_expire_entry",
				   TRACE_HAS_TIMERS,
				   { "hrtimer", "function" } },
	[EVENT_TIMER_START] = { "timer",
				"timer_start",
				TRACE_HAS_TIMERS,
				{ "timer", "bucket_expiry", "now", "flags" } },
	[EVENT_TIMER_CANCEL] = { "timer", "timer_cancel", TRACE_HAS_TIMERS, { "timer" } },
	[EVENT_TIMER_EXPIRE] = { "timer", "timer_expire_entry", TRACE_HAS_TIMERS, { "timer" } },
	[EVENT_IRQ_TIMER] = { "irq_vectors", "local_timer_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_RESCHEDULE] = { "irq_vectors", "reschedule_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_CALL] = { "irq_vectors", "call_function_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_CALL_SINGLE] = { "irq_vectors",
				    "call_function_single_entry",
				    TRACE_HAS_IRQS,
				    { NULL } },
	[EVENT_IRQ_WORK] = { "irq_vectors", "irq_work_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_IPI] = { "ipi", "ipi_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_PLATFORM] = { "irq_vectors",
				 "x86_platform_ipi_entry",
				 TRACE_HAS_IRQS,
				 { NULL } },
	[EVENT_IRQ_THERMAL] = { "irq_vectors", "thermal_apic_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_THRESHOLD] = { "irq_vectors", "threshold_apic_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_DEFERRED] = { "irq_vectors",
				 "deferred_error_apic_entry",
				 TRACE_HAS_IRQS,
				 { NULL } },
	[EVENT_IRQ_ERROR] = { "irq_vectors", "error_apic_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_SPURIOUS] = { "irq_vectors", "spurious_apic_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_IRQ_DEVICE] = { "irq", "irq_handler_entry", TRACE_HAS_IRQS, { NULL } },
	[EVENT_WAKING] = { "sched", "sched_waking", TRACE_HAS_SCHED, { "pid" } },
	[EVENT_WAKEUP] = { "sched", "sched_wakeup", TRACE_HAS_SCHED, { "pid" } },
	[EVENT_WAKEUP_NEW] = { "sched", "sched_wakeup_new", TRACE_HAS_SCHED, { "pid" } },
	[EVENT_SWITCH] = { "sched",
			   "sched_switch",
			   TRACE_HAS_SCHED,
			   { "next_pid", "next_comm", "prev_pid" } },
};

static bool has(const struct record_events *events, enum event event)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->event[i] == event)
			return true;
	return false;
}

/* A kind without an event that it needs is none. */
static unsigned int kinds_of(const struct record_events *e, unsigned int asked)
{
	unsigned int kinds = 0;

	if (has(e, EVENT_MISS))
		kinds |= TRACE_HAS_MISSES;
	if (has(e, EVENT_TICK_STOP) && has(e, EVENT_HRTIMER_START) && has(e, EVENT_HRTIMER_EXPIRE))
		kinds |= TRACE_HAS_TIMERS;
	if (has(e, EVENT_IRQ_DEVICE) && (has(e, EVENT_IRQ_RESCHEDULE) || has(e, EVENT_IRQ_IPI)))
		kinds |= TRACE_HAS_IRQS;
	if (has(e, EVENT_WAKEUP) && has(e, EVENT_SWITCH))
		kinds |= TRACE_HAS_SCHED;
	return kinds & asked;
}

static int find_event(struct tracefs *tracefs, enum event event, struct record_events *e,
		      uint64_t *ret_id)
{
	const struct row *row = &table[event];
	struct tracefs_field *field = e->field[event];
	size_t n = 0;
	int err;

	for (; n < EVENT_FIELDS_MAX && row->field[n]; n++)
		field[n].name = row->field[n];
	err = tracefs_event(tracefs, row->system, row->name, ret_id, field, n);
	if (err != -ENOENT || event != EVENT_TIMER_START)
		return err;
	field[1].name = "expires";
	e->own_time = true;
	return tracefs_event(tracefs, row->system, row->name, ret_id, field, n);
}

int record_events_find(struct tracefs *tracefs, unsigned int kinds, struct record_events *ret)
{
	struct record_events *e = ret;

	memset(e, 0, sizeof(*e));
	for (int event = 0; event < EVENTS; event++) {
		uint64_t id;
		int err;

		if (table[event].kind && !(kinds & table[event].kind))
			continue;
		err = find_event(tracefs, (enum event)event, e, &id);
		if (err && (err != -ENOENT || event == EVENT_IDLE))
			return err;
		if (err || id > UINT16_MAX)
			continue;
		e->of_id[id] = (uint8_t)(event + 1);
		e->id[e->n] = id;
		e->event[e->n++] = (enum event)event;
	}
	e->kinds = kinds_of(e, kinds);
	return 0;
}

/* Every record begins with common_type, two bytes. */
int record_event_of(const struct record_events *events, const uint8_t *raw, size_t size)
{
	uint16_t id;

	if (size < sizeof(id))
		return -1;
	memcpy(&id, raw, sizeof(id));
	return events->of_id[id] - 1;
}

int record_kinds_parse(const char *text, unsigned int *ret)
{
	static const char *const word[] = { "idle", "timers", "irqs", "sched" };
	static const unsigned int kind[] = { TRACE_HAS_MISSES, TRACE_HAS_TIMERS, TRACE_HAS_IRQS,
					     TRACE_HAS_SCHED };
	unsigned int kinds = TRACE_HAS_MISSES;
	char hint[64], one[32];

	while (*text) {
		size_t n = strcspn(text, ","), i;

		snprintf(one, sizeof(one), "%.*s", (int)(n < 31 ? n : 31), text);
		for (i = 0; i < 4 && strcmp(one, word[i]); i++)
			;
		if (i == 4)
			return error_usage(
				"--events: unknown word '%s' (there are: idle, timers, irqs, "
				"sched)%s",
				one, suggest_text(one, word, 4, hint, sizeof(hint)));
		kinds |= kind[i];
		text += n + (text[n] == ',');
	}
	*ret = kinds;
	return 0;
}
