/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the interrupt that ends a period is seen depends on the state: behind the exit when the CPU
 * sleeps with interrupts off (mwait), before it when it polls or halts with interrupts on.
 */
#include "trace/assemble.h"
#include <string.h>

#define EXIT_STATE UINT32_MAX /* of power:cpu_idle */
#define FAR_NS 1000000000000000u /* 11 days: an expiry beyond is of another clock */

static uint8_t cause_of_irq(enum event event)
{
	switch (event) {
	case EVENT_IRQ_TIMER:
		return TRACE_TIMER;
	case EVENT_IRQ_RESCHEDULE:
	case EVENT_IRQ_IPI:
		return TRACE_RESCHEDULE;
	case EVENT_IRQ_CALL:
	case EVENT_IRQ_CALL_SINGLE:
	case EVENT_IRQ_WORK:
		return TRACE_CALL;
	default:
		return TRACE_DEVICE;
	}
}

/* Behind the exit the first interrupt counts, within the period the last. */
static void take_irq(struct assembler *cpu, uint64_t t_ns, uint8_t cause)
{
	cpu->irq_open = false;
	if (cpu->pending && (cpu->irq_ns || t_ns - cpu->period.exit_ns > ASSEMBLER_NEAR_NS))
		return;
	if (!cpu->pending && !cpu->idle)
		return;
	cpu->irq_ns = t_ns;
	cpu->irq_cause = cause;
	cpu->irq_open = true;
}

/*
 * A timer's function runs: the interrupt was the timer's. Without interrupt events this is the
 * first that is heard of it.
 */
static void take_expiry(struct assembler *cpu, uint64_t t_ns, uint8_t cause)
{
	uint8_t was = cpu->irq_cause;

	if (!cpu->irq_open && !(cpu->setting->kinds & TRACE_HAS_IRQS))
		take_irq(cpu, t_ns, TRACE_TIMER);
	if (!cpu->irq_open || was == TRACE_RESCHEDULE || was == TRACE_CALL)
		return;
	/* More telling than the tick is what was asked for. */
	if (cpu->irq_cause == TRACE_TIMER || cpu->irq_cause == TRACE_DEVICE ||
	    cpu->irq_cause == TRACE_TICK)
		cpu->irq_cause = cause;
}

static bool is_tick(const struct assembler *cpu, uint64_t function)
{
	return function && (function == cpu->setting->tick_function[0] ||
			    function == cpu->setting->tick_function[1]);
}

static void forget_timer(struct assembler *cpu, uint64_t timer)
{
	for (size_t i = 0; i < cpu->timers; i++) {
		if (cpu->timer[i].timer == timer) {
			cpu->timer[i] = cpu->timer[--cpu->timers];
			return;
		}
	}
}

/* Where there is no room the latest of all goes. */
static struct assembler_timer *room_for(struct assembler *cpu, uint64_t expires)
{
	struct assembler_timer *latest = cpu->timer;

	if (cpu->timers < ASSEMBLER_TIMERS_MAX)
		return &cpu->timer[cpu->timers++];
	for (size_t i = 1; i < cpu->timers; i++)
		if (cpu->timer[i].expires_ns > latest->expires_ns)
			latest = &cpu->timer[i];
	return latest->expires_ns > expires ? latest : NULL;
}

static void start_timer(struct assembler *cpu, const struct assembler_input *in)
{
	uint64_t expires = in->value[2];
	bool tick = is_tick(cpu, in->value[1]);
	struct assembler_timer *timer;

	cpu->count[TRACE_HRTIMER_STARTS]++;
	forget_timer(cpu, in->value[0]);
	if (expires > in->t_ns + FAR_NS)
		return;
	/* Stopped, it stands at the next timer of the wheel, more than a tick away. */
	if (tick && cpu->setting->tick_ns && expires <= in->t_ns + cpu->setting->tick_ns)
		cpu->tick_stopped = false;
	timer = room_for(cpu, expires);
	if (timer)
		*timer = (struct assembler_timer){ in->value[0], expires, tick };
}

static void note_next(struct assembler *cpu, struct trace_period *p)
{
	for (size_t i = 0; i < cpu->timers; i++) {
		const struct assembler_timer *t = &cpu->timer[i];

		if (p->next_known && t->expires_ns >= p->next_ns)
			continue;
		p->next_known = true;
		p->next_ns = t->expires_ns;
		p->next_is_tick = t->tick;
	}
}

static uint8_t cause(const struct assembler *cpu)
{
	const struct trace_period *p = &cpu->period;
	bool polls = p->state < TRACE_STATES_MAX && cpu->polling & 1u << p->state;

	if (!(cpu->setting->kinds & (TRACE_HAS_IRQS | TRACE_HAS_TIMERS)))
		return TRACE_UNKNOWN;
	/* While polling interrupts are served and the CPU goes on; the last counts if it was at the
	 * end. */
	if (cpu->irq_ns && !(polls && cpu->irq_ns + ASSEMBLER_NEAR_NS < p->exit_ns))
		return cpu->irq_cause;
	return cpu->setting->kinds & TRACE_HAS_IRQS ? TRACE_NO_INTERRUPT : TRACE_UNKNOWN;
}

bool assembler_flush(struct assembler *cpu, uint64_t t_ns, struct trace_period *ret)
{
	if (!cpu->pending ||
	    (t_ns != UINT64_MAX && cpu->period.exit_ns + ASSEMBLER_NEAR_NS >= t_ns))
		return false;
	cpu->period.cause = cause(cpu);
	cpu->pending = cpu->irq_open = false;
	cpu->irq_ns = 0;
	*ret = cpu->period;
	return true;
}

static bool enter(struct assembler *cpu, uint64_t t_ns, uint64_t state, struct trace_period *ret)
{
	bool complete = assembler_flush(cpu, UINT64_MAX, ret);

	if (cpu->idle)
		cpu->count[TRACE_NO_EXIT]++;
	cpu->started = true;
	cpu->idle = true;
	cpu->irq_ns = 0;
	cpu->irq_open = false;
	cpu->period = (struct trace_period){
		.entry_ns = t_ns,
		.state = state < TRACE_STATES_MAX ? (uint8_t)state : TRACE_STATE_OTHER,
		.tick_stopped = cpu->tick_stopped,
		.after_loss = cpu->lost,
	};
	cpu->lost = false;
	if (cpu->timers)
		note_next(cpu, &cpu->period);
	return complete;
}

static void leave(struct assembler *cpu, uint64_t t_ns)
{
	if (!cpu->idle) {
		/* The first of all was on its way when recording began. */
		if (cpu->started)
			cpu->count[TRACE_NO_ENTRY]++;
		cpu->started = true;
		return;
	}
	cpu->idle = false;
	cpu->pending = t_ns >= cpu->period.entry_ns;
	if (!cpu->pending)
		cpu->count[TRACE_BACKWARDS]++;
	cpu->period.exit_ns = t_ns;
}

static void stop_tick(struct assembler *cpu, bool success)
{
	cpu->count[success ? TRACE_TICK_STOPS : TRACE_TICK_REFUSALS]++;
	if (success)
		cpu->tick_stopped = true;
}

bool assembler_take(struct assembler *cpu, const struct assembler_input *in,
		    struct trace_period *ret)
{
	switch (in->event) {
	case EVENT_IDLE:
		if (in->value[0] != EXIT_STATE)
			return enter(cpu, in->t_ns, in->value[0], ret);
		leave(cpu, in->t_ns);
		break;
	case EVENT_MISS:
		if (cpu->pending)
			cpu->period.miss = in->value[1] ? TRACE_BELOW : TRACE_ABOVE;
		break;
	case EVENT_TICK_STOP:
		stop_tick(cpu, in->value[0]);
		break;
	case EVENT_HRTIMER_START:
		start_timer(cpu, in);
		break;
	case EVENT_HRTIMER_CANCEL:
		forget_timer(cpu, in->value[0]);
		break;
	case EVENT_HRTIMER_EXPIRE:
		forget_timer(cpu, in->value[0]);
		take_expiry(cpu, in->t_ns,
			    is_tick(cpu, in->value[1])	     ? TRACE_TICK
			    : cpu->setting->tick_function[0] ? TRACE_HRTIMER
							     : TRACE_TIMER);
		break;
	case EVENT_TIMER_START:
		cpu->count[TRACE_TIMER_STARTS]++;
		break;
	case EVENT_TIMER_EXPIRE:
		take_expiry(cpu, in->t_ns, TRACE_WHEEL);
		break;
	case EVENT_WAKEUP:
	case EVENT_WAKEUP_NEW:
	case EVENT_SWITCH:
		break;
	default:
		take_irq(cpu, in->t_ns, cause_of_irq(in->event));
		break;
	}
	return false;
}

bool assembler_lose(struct assembler *cpu, uint64_t n, struct trace_period *ret)
{
	bool complete = assembler_flush(cpu, UINT64_MAX, ret);

	cpu->count[TRACE_LOST] += n;
	cpu->idle = cpu->started = cpu->irq_open = false;
	cpu->timers = 0;
	cpu->lost = true;
	return complete;
}
