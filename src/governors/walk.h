/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps over the state table that several families share. Only for the governors' own files. */
#ifndef GOVERNORS_WALK_H
#define GOVERNORS_WALK_H

#include "governors/governor.h"

#define GOVERNOR_INLINE static inline __attribute__((always_inline))

/*
 * select_@id() and explain_@id() out of one @decision, an expression of cpu, in and notes. They are
 * two so that in select, where notes is NULL, nothing is left of them.
 */
#define GOVERNOR_DECIDES(id, decision)                                                             \
	static struct governor_choice explain_##id(struct governor_cpu *cpu,                       \
						   const struct governor_input *in,                \
						   struct governor_notes *notes)                   \
	{                                                                                          \
		return decision;                                                                   \
	}                                                                                          \
	static struct governor_choice select_##id(struct governor_cpu *cpu,                        \
						  const struct governor_input *in)                 \
	{                                                                                          \
		struct governor_notes *const notes = NULL;                                         \
		return decision;                                                                   \
	}

GOVERNOR_INLINE bool walk_has(uint32_t mask, int state)
{
	return mask >> state & 1;
}

/*
 * From @state towards 0 to the first state of which @limit_ns is enough; the last one visited when
 * there is none, @state itself when nothing could be visited. @avoid: states to pass over.
 */
GOVERNOR_INLINE int walk_shallower(const struct governor_table *table, int state, int64_t limit_ns,
				   uint32_t avoid)
{
	int found = state;

	for (int i = state - 1; i >= 0; i--) {
		if (walk_has(avoid, i))
			continue;
		found = i;
		if (table->residency_ns[i] <= limit_ns)
			break;
	}
	return found;
}

/* The shallowest state that is not in @avoid; -1 = there is none. */
GOVERNOR_INLINE int walk_first(const struct governor_table *table, uint32_t avoid)
{
	for (int i = 0; i < table->states; i++) {
		if (!walk_has(avoid, i))
			return i;
	}
	return -1;
}

#endif
