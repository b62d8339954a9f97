/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The orders are shuffled before the run (Fisher and Yates), so that a look-up costs the waker the
 * same in every order and a sleeper needs no other's numbers to know its own.
 */
#include "workloads/wakeup-order.h"
#include "lib/error.h"
#include "lib/random.h"
#include <stdlib.h>

static void shuffle(uint16_t *who, uint16_t *place, int n, uint64_t *state)
{
	for (int i = 0; i < n; i++) {
		int j = (int)random_below(state, (uint64_t)i + 1);

		who[i] = who[j];
		who[j] = (uint16_t)i;
	}
	for (int i = 0; i < n; i++)
		place[who[i]] = (uint16_t)i;
}

int wakeup_order_open(int n, bool random, uint64_t seed, struct wakeup_order *ret)
{
	struct wakeup_order order = { .n = n };
	size_t size = (size_t)n;

	if (random) {
		order.who = calloc(WAKEUP_ORDERS * size, sizeof(*order.who));
		order.place = calloc(WAKEUP_ORDERS * size, sizeof(*order.place));
		if (!order.who || !order.place) {
			wakeup_order_close(&order);
			return error_no_memory();
		}
		for (size_t o = 0; o < WAKEUP_ORDERS; o++)
			shuffle(order.who + o * size, order.place + o * size, n, &seed);
	}
	*ret = order;
	return 0;
}

void wakeup_order_close(struct wakeup_order *order)
{
	free(order->who);
	free(order->place);
	*order = (struct wakeup_order){ 0 };
}

int64_t wakeup_order_cycle(const struct wakeup_order *order, int64_t slot)
{
	return slot / order->n - (slot % order->n < 0);
}

/* Where the row of a cycle begins; cycles before 0 count backwards through the orders. */
static size_t row_of(const struct wakeup_order *order, int64_t cycle)
{
	return (size_t)((uint64_t)cycle % WAKEUP_ORDERS) * (size_t)order->n;
}

int wakeup_order_who(const struct wakeup_order *order, int64_t slot)
{
	int64_t cycle = wakeup_order_cycle(order, slot), place = slot - cycle * order->n;

	return order->who ? order->who[row_of(order, cycle) + (size_t)place] : (int)place;
}

int64_t wakeup_order_slot(const struct wakeup_order *order, int64_t cycle, int sleeper)
{
	int place = order->place ? order->place[row_of(order, cycle) + (size_t)sleeper] : sleeper;

	return cycle * order->n + place;
}
