/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idle periods of one CPU out of its events, in their order. A period is handed on when the
 * next one begins, because what woke the CPU is seen only behind its exit.
 */
#ifndef TRACE_ASSEMBLE_H
#define TRACE_ASSEMBLE_H

#include "trace/timers.h"
#include "trace/trace.h"

/* An interrupt so long after an exit has nothing to do with it. */
#define ASSEMBLER_NEAR_NS 100000

enum event {
	EVENT_IDLE,
	EVENT_MISS,
	EVENT_TICK_STOP,
	EVENT_HRTIMER_START,
	EVENT_HRTIMER_CANCEL,
	EVENT_HRTIMER_EXPIRE,
	EVENT_TIMER_START,
	EVENT_TIMER_CANCEL,
	EVENT_TIMER_EXPIRE,
	EVENT_IRQ_TIMER, /* x86: the local timer's vector */
	EVENT_IRQ_RESCHEDULE,
	EVENT_IRQ_CALL,
	EVENT_IRQ_CALL_SINGLE,
	EVENT_IRQ_WORK,
	EVENT_IRQ_IPI, /* Arm: any IPI */
	EVENT_IRQ_PLATFORM, /* x86's other vectors, from here to */
	EVENT_IRQ_THERMAL,
	EVENT_IRQ_THRESHOLD,
	EVENT_IRQ_DEFERRED,
	EVENT_IRQ_ERROR,
	EVENT_IRQ_SPURIOUS, /* here */
	EVENT_IRQ_DEVICE,
	EVENT_WAKING,
	EVENT_WAKEUP,
	EVENT_WAKEUP_NEW,
	EVENT_SWITCH,
	EVENTS
};

#define EVENT_FIELDS_MAX 4

/* What does not change while recording. */
struct assembler_setting {
	unsigned int kinds; /* of enum trace_kind */
	uint64_t tick_function[2]; /* addresses of the tick's hrtimer function; 0 = none */
	uint64_t tick_ns; /* 0 = not known */
	struct timers *timers; /* of all CPUs, whose events come in the order of time; NULL = not
				  followed */
};

struct assembler {
	const struct assembler_setting *setting;
	size_t i; /* the CPU's position among the timers' CPUs */
	uint16_t polling; /* bit s: state s polls, with interrupts on */
	struct trace_period period;
	bool idle, pending; /* within the period; behind it, and not handed on yet */
	bool started; /* an entry or exit has been seen since events were lost */
	bool heard; /* or at all, or its loss */
	bool irq_open; /* the cause of the latest interrupt may still become more exact */
	bool tick_stopped, lost;
	bool stopped_now; /* the tick, since the period before */
	bool ran; /* a task, likewise */
	uint64_t irq_ns; /* the interrupt that the cause is of; 0 = none */
	uint8_t irq_cause;
	uint64_t count[TRACE_COUNTS]; /* since they were last taken */
};

/*
 * An event with its fields:
 *   cpu_idle state cpu; cpu_idle_miss state below; tick_stop success; hrtimer_start timer function
 *   expires; hrtimer_cancel timer; hrtimer_expire_entry timer function; timer_start timer expires
 *   jiffies flags; timer_cancel timer; timer_expire_entry timer; sched_waking, sched_wakeup pid;
 *   sched_switch next_pid
 */
struct assembler_input {
	enum event event;
	uint64_t t_ns;
	uint64_t value[EVENT_FIELDS_MAX];
};

/* Takes an event. True: *@ret is a period that is complete. */
bool assembler_take(struct assembler *cpu, const struct assembler_input *in,
		    struct trace_period *ret);

/* @n events before the next one are lost: what is known of a period under way is not. True: *@ret
 * is a period that was complete before. */
bool assembler_lose(struct assembler *cpu, uint64_t n, struct trace_period *ret);

/* Hands on a period that ended before @t_ns by more than ASSEMBLER_NEAR_NS; UINT64_MAX: in any
 * case. */
bool assembler_flush(struct assembler *cpu, uint64_t t_ns, struct trace_period *ret);

#endif
