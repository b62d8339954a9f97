/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How true a model is to the kernel that was recorded: over the periods as they were, not gaps, the
 * share whose state the model would have chosen, and of every miss why. The model learns from what
 * really happened, so one miss does not bring about the next.
 */
#ifndef ANALYSIS_FIDELITY_H
#define ANALYSIS_FIDELITY_H

#include "analysis/scene.h"
#include "governors/governor.h"
#include <stdio.h>

/* Why a state is another one than the kernel's: the first that brings about the kernel's. */
enum miss_class {
	MISS_START, /* one of the first FIDELITY_WARM decisions, or after a loss */
	MISS_STATE, /* not in the state table, or disabled there */
	MISS_TIMER, /* the sleep length is not in the trace */
	MISS_TICK, /* whether the tick was stopped before is not in the trace */
	MISS_HELD, /* something needed the tick, so that no more than the next clock event was told
		    */
	MISS_UTILISATION, /* it is an estimate from the idle times */
	MISS_IOWAIT, /* tasks in iowait are not in the trace */
	MISS_POLL, /* the period before polled: what interrupts it absorbed is not known */
	MISS_CLOCK, /* the residency before was near a border; the trace's clock is not the kernel's
		     */
	MISS_CAUSE, /* whether the tick fired in the period before is not known */
	MISS_PENDING, /* a period that was not entered lies between: the trace does not have it */
	MISS_OLDER_TIMER, /* a sleep length of an earlier period is not known */
	MISS_MEMORY, /* what was learnt before the recording */
	MISS_LATE, /* a timer is overdue in the trace: an interrupt that is late */
	MISS_LIMIT, /* a latency limit */
	MISS_WRAP, /* a 32-bit counter has wrapped, which depends on what was before */
	MISS_OPEN, /* none of these */
	MISS_CLASSES
};
extern const char *const miss_class_name[MISS_CLASSES];
extern const char *const miss_class_text[MISS_CLASSES];

#define FIDELITY_WARM 100
#define FIDELITY_VERSIONS_MAX 16

struct fidelity {
	const struct governor *governor; /* whose rules; NULL = not known who was recorded */
	const char *why_not; /* then: why */
	uint64_t periods, equal;
	uint64_t miss[MISS_CLASSES];
	uint64_t confusion[GOVERNOR_STATES_MAX][GOVERNOR_STATES_MAX]; /* kernel's, model's */
	uint64_t timer_known; /* of periods: the sleep length is in the trace */
	uint64_t commonest; /* periods of the state that the kernel chose most: what a model that
			       knows nothing would get */
	uint64_t ticks,
		ticks_equal; /* periods with a known tick; those where both stop or keep it */
	/* The other versions of the family, since a stable kernel may have later changes. */
	const struct governor *version[FIDELITY_VERSIONS_MAX];
	uint64_t version_equal[FIDELITY_VERSIONS_MAX];
	size_t versions;
};

/*
 * @recorded: whose rules; NULL = those of the trace's own governor and kernel. @misses: a TSV row a
 * miss; NULL = none.
 */
void fidelity_measure(const struct scene *scene, const struct governor *recorded, FILE *misses,
		      struct fidelity *ret);

/* What the model is told at period @p of the scene's CPU @c. *@ret_known: is the sleep length? */
struct governor_input fidelity_input(const struct scene *scene, size_t c, size_t p,
				     bool *ret_known);
/* How that period ended. @cpu: the governor, for its own poll limit. */
struct governor_outcome fidelity_outcome(const struct scene *scene, size_t c, size_t p,
					 const struct governor_cpu *cpu);

/* The governor that the trace's head names; NULL = none of ours: *@ret_why_not. */
const struct governor *fidelity_governor(const struct trace_info *info, const char **ret_why_not);

#endif
