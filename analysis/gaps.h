/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle gaps: from the end of the work to what ended the idleness. The ticks inside are not part of
 * one, they are the modelled governor's doing. From text (gaps_load()), one duration a line or
 * columns with a header; from a trace by normalise().
 */
#ifndef ANALYSIS_GAPS_H
#define ANALYSIS_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What ends a gap. */
enum gap_cause {
	GAP_IRQ, /* an interrupt that nobody could know of; no other CPU's doing */
	GAP_PEER, /* another CPU of the trace, unknown as well */
	GAP_TIMER, /* an hrtimer, known from the start */
	GAP_WHEEL, /* a timer of the timer wheel, known; it comes at a tick, by the tick's device */
	GAP_CAUSES
};
extern const char *const gap_cause_name[GAP_CAUSES];

#define GAP_NOT_KNOWN INT64_MAX
#define GAP_MAX_NS 3600000000000 /* an hour: no CPU is idle for longer, its kernel has timers */
#define GAP_TIME_MAX_NS 1000000000000000000 /* of starts, ends and timers */

/* An interrupt within a gap that made nobody run; no tick. */
struct gap_inner {
	int64_t at_ns;
	enum gap_cause cause;
};

struct idle_gap {
	int64_t start_ns, length_ns; /* both >= 0 and their sum below 10^18 */
	enum gap_cause cause;
	int64_t timer_ns; /* the next timer behind the gap that was known at its start; or
			     GAP_NOT_KNOWN: the kernel's own of each second is assumed */
	size_t first, inner; /* of gaps.inner */
	int64_t exit_ns; /* of a trace: from the end until the CPU was awake in the recording */
	int32_t utilisation; /* of the CPU at the start, 0 to 1024; -1 = the machine's */
	int32_t peer; /* GAP_PEER: position of the CPU that woke it; its own: a CPU without idle
			events, whose wake is an answer to this one's */
	bool timer_is_wheel; /* timer_ns comes by the tick's device */
	bool guessed; /* timer_ns is a guess from what was seen later */
};

/* Of one CPU, in their order. */
struct gaps {
	struct idle_gap *gap;
	size_t n;
	struct gap_inner *inner;
	size_t inners;
	int64_t tick_phase_ns; /* ticks are at phase + n * period */
};

/*
 * @path plain or .xz. @timer: the class where no column says it. @work_ns: between two gaps where
 * no column says when they start. Usage error "path:line: ...".
 */
int gaps_load(const char *path, bool timer, int64_t work_ns, struct gaps *ret);
void gaps_free(struct gaps *gaps);

#endif
