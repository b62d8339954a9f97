/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a model chose another state than the kernel. Private to fidelity*.c. */
#ifndef ANALYSIS_FIDELITY_MISS_H
#define ANALYSIS_FIDELITY_MISS_H

#include "analysis/fidelity.h"

/* A period, what the model knew at it, and what was before. */
struct miss_place {
	const struct governor *governor;
	const struct machine *machine;
	const struct trace_period *period;
	struct governor_input in;
	bool timer_known, tick_known; /* the sleep length; whether the tick was stopped before */
	struct governor_cpu cpu; /* behind this select */
	struct governor_cpu asleep; /* right before it */
	struct governor_cpu before; /* before the reflect of the period before */
	struct governor_outcome before_out; /* which that got */
	uint8_t before_cause;
	bool has_before;
	struct governor_choice choice;
	int got; /* its state */
	struct governor_cpu other, fresh; /* models with other guesses, begun later */
	int other_got, fresh_got;
	size_t fresh_age;
};

/*
 * What the model would have been told had the tick been held: no more than the next clock event is
 * offered where RCU, irq work or a timer softirq that is pending needs the tick.
 */
struct governor_input miss_held_tick(const struct miss_place *at);

/* @want: the kernel's state. @since: periods since the begin or a loss. */
enum miss_class miss_classify(const struct miss_place *at, int want, size_t since);

#endif
