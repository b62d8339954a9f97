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
	case EVENT_IRQ_DEVICE:
		return TRACE_DEVICE;
	default:
		return TRACE_OTHER;
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

static void start_timer(struct assembler *cpu, const struct assembler_input *in)
{
	uint64_t expires = in->value[2];
	bool tick = is_tick(cpu, in->value[1]);

	cpu->count[TRACE_HRTIMER_STARTS]++;
	/* Stopped, it stands at the next timer of the wheel, more than a tick away. */
	if (tick && cpu->setting->tick_ns && expires <= in->t_ns + cpu->setting->tick_ns)
		cpu->tick_stopped = false;
	if (!cpu->setting->timers)
		return;
	if (expires > in->t_ns + FAR_NS)
		timers_forget(cpu->setting->timers, in->value[0]);
	else if (tick)
		timers_start_tick(cpu->setting->timers, cpu->i, in->value[0], expires);
	else
		timers_start(cpu->setting->timers, cpu->i, in->value[0], expires);
}

static void start_wheel(struct assembler *cpu, const struct assembler_input *in)
{
	const struct timers_wheel start = { .timer = in->value[0],
					    .expires = in->value[1],
					    .jiffies = in->value[2],
					    .flags = (uint32_t)in->value[3] };

	cpu->count[TRACE_TIMER_STARTS]++;
	if (cpu->setting->timers)
		timers_start_wheel(cpu->setting->timers, in->t_ns, &start);
}

static void forget_timer(struct assembler *cpu, const struct assembler_input *in)
{
	if (cpu->setting->timers)
		timers_forget(cpu->setting->timers, in->value[0]);
}

/*
 * The next clock event is the tick's or an hrtimer's. The next timer is what the CPU would sleep to
 * without its tick; that can be told only where the tick is known from the other hrtimers.
 */
static void note_next(const struct assembler *cpu, struct trace_period *p)
{
	struct timers_next next = timers_next(cpu->setting->timers, cpu->i, p->entry_ns);

	p->next_is_tick = next.tick_ns && (!next.hrtimer_ns || next.tick_ns < next.hrtimer_ns);
	p->next_ns = p->next_is_tick ? next.tick_ns : next.hrtimer_ns;
	p->next_known = p->next_ns;
	if (!cpu->setting->tick_function[0])
		return;
	p->timer_is_wheel = next.wheel_ns && (!next.hrtimer_ns || next.wheel_ns < next.hrtimer_ns);
	p->timer_ns = p->timer_is_wheel ? next.wheel_ns : next.hrtimer_ns;
	p->timer_known = p->timer_ns;
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
	cpu->started = cpu->heard = true;
	cpu->idle = true;
	cpu->irq_ns = 0;
	cpu->irq_open = false;
	cpu->period = (struct trace_period){
		.entry_ns = t_ns,
		.state = state < TRACE_STATES_MAX ? (uint8_t)state : TRACE_STATE_OTHER,
		.tick_stopped = cpu->tick_stopped,
		.was_stopped = cpu->tick_stopped && !cpu->stopped_now,
		.ran = cpu->ran,
		.after_loss = cpu->lost,
	};
	cpu->lost = cpu->stopped_now = cpu->ran = false;
	if (cpu->setting->timers)
		note_next(cpu, &cpu->period);
	return complete;
}

static void leave(struct assembler *cpu, uint64_t t_ns)
{
	cpu->heard = true;
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
		cpu->tick_stopped = cpu->stopped_now = true;
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
	case EVENT_TIMER_CANCEL:
		forget_timer(cpu, in);
		break;
	case EVENT_HRTIMER_EXPIRE:
		forget_timer(cpu, in);
		if (cpu->setting->timers)
			timers_run(cpu->setting->timers, cpu->i, in->t_ns);
		take_expiry(cpu, in->t_ns,
			    is_tick(cpu, in->value[1])	     ? TRACE_TICK
			    : cpu->setting->tick_function[0] ? TRACE_HRTIMER
							     : TRACE_TIMER);
		break;
	case EVENT_TIMER_START:
		start_wheel(cpu, in);
		break;
	case EVENT_TIMER_EXPIRE:
		forget_timer(cpu, in);
		take_expiry(cpu, in->t_ns, TRACE_WHEEL);
		break;
	case EVENT_SWITCH:
		cpu->ran = cpu->ran || in->value[0];
		break;
	case EVENT_WAKING:
	case EVENT_WAKEUP:
	case EVENT_WAKEUP_NEW:
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
	if (cpu->setting->timers)
		timers_forget_all(cpu->setting->timers, cpu->i);
	cpu->lost = cpu->heard = true;
	return complete;
}
