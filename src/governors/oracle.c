/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Governors that know the future: what a perfect choice would have been. They never ask and stop
 * the tick exactly when the idle period spans the next one, so no tick ever wakes them.
 */
#include "governors/governor.h"
#include "governors/walk.h"
#include <inttypes.h>

static bool allowed(const struct governor_table *table, const struct governor_input *in, int state)
{
	return !walk_has(in->disabled, state) && table->latency_ns[state] <= in->latency_ns;
}

static struct governor_choice answer(const struct governor_input *in, int state)
{
	return (struct governor_choice){
		.state = state < 0 ? 0 : state,
		.stop_tick = in->tick_stopped || in->truth_ns > in->event_ns,
	};
}

/* The deepest state that fits: by the core's rule never too deep and never too shallow. */
GOVERNOR_INLINE struct governor_choice label_by(struct governor_cpu *cpu,
						const struct governor_input *in,
						struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	int best = walk_first(table, in->disabled);

	for (int i = 0; i < table->states; i++) {
		if (allowed(table, in, i) && table->residency_ns[i] <= in->truth_ns)
			best = i;
	}
	GOVERNOR_NOTE(notes, "the true idle time is %" PRId64 " ns: the deepest that fits is %s",
		      in->truth_ns, notes->name[best < 0 ? 0 : best]);
	return answer(in, best);
}

static struct governor_choice label_select(struct governor_cpu *cpu,
					   const struct governor_input *in)
{
	return label_by(cpu, in, NULL);
}

static struct governor_choice label_explain(struct governor_cpu *cpu,
					    const struct governor_input *in,
					    struct governor_notes *notes)
{
	return label_by(cpu, in, notes);
}

static double energy_uj(const struct governor_table *table, int state, int64_t ns)
{
	return table->transition_uj[state] + table->power_w[state] * (double)ns / 1e3;
}

GOVERNOR_INLINE struct governor_choice energy_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	int best = walk_first(table, in->disabled);
	double least = 0;

	for (int i = 0, found = 0; i < table->states; i++) {
		double uj = energy_uj(table, i, in->truth_ns);

		GOVERNOR_NOTE(notes, "%s: %.6g uJ for the true %" PRId64 " ns%s", notes->name[i],
			      uj, in->truth_ns, allowed(table, in, i) ? "" : ", not allowed");
		if (!allowed(table, in, i) || (found && uj >= least))
			continue;
		found = 1;
		least = uj;
		best = i;
	}
	return answer(in, best);
}

static struct governor_choice energy_select(struct governor_cpu *cpu,
					    const struct governor_input *in)
{
	return energy_by(cpu, in, NULL);
}

static struct governor_choice energy_explain(struct governor_cpu *cpu,
					     const struct governor_input *in,
					     struct governor_notes *notes)
{
	return energy_by(cpu, in, notes);
}

static void oracle_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	cpu->last_state = out->entered;
}

const struct governor governor_oracle = {
	.name = "oracle",
	.family = "oracle",
	.about = "Knows the future: the deepest state that fits it",
	.select = label_select,
	.reflect = oracle_reflect,
	.explain = label_explain,
};

const struct governor governor_oracle_energy = {
	.name = "oracle-energy",
	.family = "oracle-energy",
	.about = "Knows the future: the state that costs least energy",
	.select = energy_select,
	.reflect = oracle_reflect,
	.explain = energy_explain,
};
