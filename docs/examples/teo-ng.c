/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An example for docs/writing-a-governor.md: the timer, unless half of the last 8 idle periods were
 * shorter than the state that it asks for. Small enough to read in a minute; no good governor.
 */
#include "governors/governor.h"

#define PERIODS 8

struct ng {
	int64_t idle_ns[PERIODS]; /* what was measured, less half of the exit latency */
	uint32_t position, known;
};
_Static_assert(sizeof(struct ng) <= sizeof(((struct governor_cpu *)0)->memory), "teo-ng");

static struct ng *ng_of(struct governor_cpu *cpu)
{
	return (struct ng *)cpu->memory;
}

/* Were most of the known periods shorter than that? */
static bool is_interrupted(const struct ng *ng, int64_t ns)
{
	uint32_t shorter = 0;

	for (uint32_t i = 0; i < ng->known; i++)
		shorter += ng->idle_ns[i] < ns;
	return 2 * shorter > ng->known;
}

/* Both entries below are this one; what it notes is what "explain" prints. */
static inline struct governor_choice ng_choose(struct governor_cpu *cpu,
					       const struct governor_input *in,
					       struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	struct governor_choice choice = { .asked = true };

	for (int i = 0; i < table->states; i++) {
		if (in->disabled >> i & 1 || table->latency_ns[i] > in->latency_ns)
			continue;
		if (table->residency_ns[i] > in->sleep_ns) {
			GOVERNOR_NOTE(notes,
				      "%s: target residency %lld ns is above the sleep length",
				      notes->name[i], (long long)table->residency_ns[i]);
			break;
		}
		if (is_interrupted(ng_of(cpu), table->residency_ns[i])) {
			GOVERNOR_NOTE(notes, "%s: most of the last periods were shorter",
				      notes->name[i]);
			break;
		}
		choice.state = i;
	}
	choice.stop_tick = in->tick_stopped || (in->sleep_ns > in->event_ns &&
						!is_interrupted(ng_of(cpu), in->event_ns));
	return choice;
}

static struct governor_choice ng_select(struct governor_cpu *cpu, const struct governor_input *in)
{
	return ng_choose(cpu, in, NULL);
}

static struct governor_choice ng_explain(struct governor_cpu *cpu, const struct governor_input *in,
					 struct governor_notes *notes)
{
	return ng_choose(cpu, in, notes);
}

static void ng_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	struct ng *ng = ng_of(cpu);

	cpu->last_state = out->entered;
	if (out->tick_fired)
		return; /* no news of the workload */
	ng->idle_ns[ng->position] = out->residency_ns - cpu->table->latency_ns[out->entered] / 2;
	ng->position = (ng->position + 1) % PERIODS;
	if (ng->known < PERIODS)
		ng->known++;
}

const struct governor idle_governor = {
	.abi = GOVERNOR_ABI,
	.name = "teo-ng",
	.family = "teo-ng",
	.about = "The timer, or what most of the last 8 periods were",
	.select = ng_select,
	.reflect = ng_reflect,
	.explain = ng_explain,
};
