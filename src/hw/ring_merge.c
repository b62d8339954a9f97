/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A heap of the rings by the time of their first record, each of which is read once.
 */
#include "hw/ring_merge.h"
#include <errno.h>
#include <stdlib.h>

struct ring_merge {
	struct ring_record *first; /* one a ring */
	size_t *heap, n, rings; /* rings that have a record */
};

int ring_merge_make(size_t rings, struct ring_merge **ret)
{
	struct ring_merge *m = calloc(1, sizeof(*m));

	if (m) {
		m->rings = rings;
		m->first = calloc(rings + 1, sizeof(*m->first));
		m->heap = calloc(rings + 1, sizeof(*m->heap));
	}
	if (!m || !m->first || !m->heap) {
		ring_merge_free(m);
		return -ENOMEM;
	}
	*ret = m;
	return 0;
}

void ring_merge_free(struct ring_merge *m)
{
	if (!m)
		return;
	free(m->first);
	free(m->heap);
	free(m);
}

static uint64_t time_at(const struct ring_merge *m, size_t at)
{
	return m->first[m->heap[at]].t_ns;
}

static void swap(struct ring_merge *m, size_t a, size_t b)
{
	size_t ring = m->heap[a];

	m->heap[a] = m->heap[b];
	m->heap[b] = ring;
}

static void sink(struct ring_merge *m, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < m->n && time_at(m, child + 1) < time_at(m, child))
			child++;
		if (child >= m->n || time_at(m, child) >= time_at(m, at))
			return;
		swap(m, at, child);
		at = child;
	}
}

int ring_merge_begin(struct ring_merge *m, struct rings *rings)
{
	m->n = 0;
	for (size_t i = 0; i < m->rings; i++) {
		int got = ring_peek(rings, i, &m->first[i]);

		if (got < 0)
			return got;
		if (got)
			m->heap[m->n++] = i;
	}
	for (size_t at = m->n / 2; at--;)
		sink(m, at);
	return 0;
}

bool ring_merge_first(const struct ring_merge *m, uint64_t until_ns, size_t *ret_i,
		      const struct ring_record **ret)
{
	if (!m->n || time_at(m, 0) > until_ns)
		return false;
	*ret_i = m->heap[0];
	*ret = &m->first[m->heap[0]];
	return true;
}

int ring_merge_take(struct ring_merge *m, struct rings *rings)
{
	size_t i = m->heap[0];
	int got;

	ring_take(rings, i);
	got = ring_peek(rings, i, &m->first[i]);
	if (got < 0)
		return got;
	if (!got)
		m->heap[0] = m->heap[--m->n];
	sink(m, 0);
	return 0;
}
