/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which sleeper each wake is for. Wakes are numbered (slots); n of them are a cycle, in which every
 * sleeper has its turn once. The order is known from both sides: who has a slot, which slot a
 * sleeper has.
 */
#ifndef WORKLOADS_WAKEUP_ORDER_H
#define WORKLOADS_WAKEUP_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define WAKEUP_ORDERS 64 /* random orders that are made; they take turns */

struct wakeup_order {
	int n; /* sleepers, 1 to 65535 */
	uint16_t *who; /* [order * n + place in the cycle]; NULL: sequential */
	uint16_t *place; /* [order * n + sleeper] */
};

/* Makes the orders from @seed when they are to be random. -ENOMEM with text. */
int wakeup_order_open(int n, bool random, uint64_t seed, struct wakeup_order *ret);
void wakeup_order_close(struct wakeup_order *order);

/* The cycle that a slot is in; slots before 0 (the warm-up) are in cycles before 0. */
int64_t wakeup_order_cycle(const struct wakeup_order *order, int64_t slot);

/* The sleeper that is woken at @slot, 0 to n - 1. */
int wakeup_order_who(const struct wakeup_order *order, int64_t slot);

/* The slot of @sleeper in @cycle. */
int64_t wakeup_order_slot(const struct wakeup_order *order, int64_t cycle, int sleeper);

#endif
