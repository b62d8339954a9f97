/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of all rings in the order of time. A loss has no time of its own: it comes as soon as
 * it is the first of its ring.
 */
#ifndef HW_RING_MERGE_H
#define HW_RING_MERGE_H

#include "hw/ring.h"

struct ring_merge;

int ring_merge_make(size_t rings, struct ring_merge **ret); /* -ENOMEM */
void ring_merge_free(struct ring_merge *merge); /* NULL is fine */

/* After rings_look(). -EBADMSG like ring_peek(). */
int ring_merge_begin(struct ring_merge *merge, struct rings *rings);

/* The first record and its ring; false when there is none up to @until_ns. */
bool ring_merge_first(const struct ring_merge *merge, uint64_t until_ns, size_t *ret_i,
		      const struct ring_record **ret);

/* The first record is done with: ring_take(). -EBADMSG like ring_peek(). */
int ring_merge_take(struct ring_merge *merge, struct rings *rings);

#endif
