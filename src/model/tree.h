/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The next event of each CPU, as a tournament: who is first is known, and a changed time costs one
 * comparison a level. Of equal times the lower CPU comes first, so the order is the same each time.
 */
#ifndef MODEL_TREE_H
#define MODEL_TREE_H

#include <stdint.h>

#define TREE_NEVER INT64_MAX

struct tree {
	uint32_t leaves; /* a power of 2 */
	uint32_t *first; /* [2 * leaves]: of the nodes below; [1] is the root's */
	int64_t *time; /* [leaves] */
};

/* All leaves at TREE_NEVER. @first and @time: room for 2 * and 1 * @leaves. */
static inline void tree_init(struct tree *tree, uint32_t leaves, uint32_t *first, int64_t *time)
{
	tree->leaves = leaves;
	tree->first = first;
	tree->time = time;
	for (uint32_t i = 0; i < leaves; i++) {
		time[i] = TREE_NEVER;
		first[leaves + i] = i;
	}
	for (uint32_t i = leaves - 1; i; i--)
		first[i] = first[2 * i];
}

static inline void tree_set(struct tree *tree, uint32_t leaf, int64_t time)
{
	tree->time[leaf] = time;
	for (uint32_t i = (tree->leaves + leaf) / 2; i; i /= 2) {
		uint32_t a = tree->first[2 * i], b = tree->first[2 * i + 1];

		tree->first[i] = tree->time[b] < tree->time[a] ? b : a;
	}
}

static inline uint32_t tree_first(const struct tree *tree)
{
	return tree->first[1];
}

#endif
