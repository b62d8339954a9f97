/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What menu remembers of a CPU, and its typical interval: the mean of the last 8 when they are
 * close together, outliers dropped one by one. Only for menu.c.
 */
#ifndef GOVERNORS_MENU_H
#define GOVERNORS_MENU_H

#include "governors/governor.h"
#include "governors/walk.h"
#include <inttypes.h>
#include <stdio.h>

#define MENU_INTERVALS 8
#define MENU_BUCKETS 12 /* the upper 6 for CPUs with tasks in iowait */
#define MENU_NONE UINT32_MAX /* no typical interval */

struct menu {
	int64_t next_timer_ns;
	uint32_t bucket, position;
	uint32_t factor[MENU_BUCKETS];
	uint32_t interval_us[MENU_INTERVALS];
	bool needs_update, tick_wake;
};
_Static_assert(sizeof(struct menu) <= sizeof(((struct governor_cpu *)0)->memory), "menu");

enum menu_typical {
	MENU_TYPICAL_BELOW, /* drops the largest; gives up at once when all are above the prediction
			     */
	MENU_TYPICAL_ANY, /* without that */
	MENU_TYPICAL_BOTH_MAX, /* drops outliers at both ends; the maximum as a last resort */
	MENU_TYPICAL_BOTH, /* without that resort */
};

struct menu_spread {
	uint32_t count, min, max, average;
	uint64_t variance;
};

GOVERNOR_INLINE struct menu_spread menu_spread_of(const uint32_t *value, int64_t above,
						  int64_t below)
{
	struct menu_spread s = { .min = UINT32_MAX };
	uint64_t sum = 0, squares = 0;

	for (int i = 0; i < MENU_INTERVALS; i++) {
		if (value[i] <= above || value[i] >= below)
			continue;
		s.count++;
		sum += value[i];
		squares += (uint64_t)value[i] * value[i];
		if (value[i] > s.max)
			s.max = value[i];
		if (value[i] < s.min)
			s.min = value[i];
	}
	if (!s.count)
		return s;
	s.average = (uint32_t)(sum / s.count);
	s.variance = squares / s.count - (uint64_t)s.average * s.average;
	return s;
}

/* The versions up to 6.14 sum the squares of the differences. */
GOVERNOR_INLINE uint64_t menu_mean_square(const uint32_t *value, int64_t below,
					  const struct menu_spread *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < MENU_INTERVALS; i++) {
		int64_t difference = (int64_t)value[i] - s->average;

		if (value[i] < below)
			sum += (uint64_t)(difference * difference);
	}
	return sum / s->count;
}

/* Close enough together, or together at all and enough of them. */
GOVERNOR_INLINE bool menu_is_typical(const struct menu_spread *s)
{
	return s->variance <= UINT64_MAX / 36 &&
	       (((uint64_t)s->average * s->average > 36 * s->variance &&
		 4 * s->count >= 3 * MENU_INTERVALS) ||
		s->variance <= 400);
}

GOVERNOR_INLINE void menu_note_intervals(const struct menu *menu, struct governor_notes *notes)
{
	char text[MENU_INTERVALS * 12], *at = text;

	if (!notes)
		return;
	for (uint32_t i = 0; i < MENU_INTERVALS; i++) {
		uint32_t us = menu->interval_us[(menu->position + i) % MENU_INTERVALS];

		at += us == MENU_NONE ? sprintf(at, " none") : sprintf(at, " %" PRIu32, us);
	}
	GOVERNOR_NOTE(notes, "intervals, us, oldest first:%s", text);
}

GOVERNOR_INLINE uint32_t menu_typical_us(const struct menu *menu, enum menu_typical how,
					 uint32_t predicted_us, struct governor_notes *notes)
{
	bool both = how == MENU_TYPICAL_BOTH || how == MENU_TYPICAL_BOTH_MAX;
	int64_t above = -1, below = both ? (int64_t)UINT32_MAX : (int64_t)INT32_MAX + 1;

	menu_note_intervals(menu, notes);
	for (;;) {
		struct menu_spread s = menu_spread_of(menu->interval_us, above, below);

		if (how == MENU_TYPICAL_BELOW ? s.min >= predicted_us : !s.max) {
			GOVERNOR_NOTE(notes, "no typical interval: %s",
				      how == MENU_TYPICAL_BELOW ? "none is below the prediction"
								: "all are 0");
			return MENU_NONE;
		}
		if (!both)
			s.variance = menu_mean_square(menu->interval_us, below, &s);
		GOVERNOR_NOTE(notes,
			      "%" PRIu32 " of them: mean %" PRIu32 ", variance %" PRIu64 ": %s",
			      s.count, s.average, s.variance,
			      menu_is_typical(&s) ? "typical" : "too far apart");
		if (menu_is_typical(&s))
			return s.average;
		if (4 * s.count <= 3 * MENU_INTERVALS) {
			bool most = how == MENU_TYPICAL_BOTH_MAX && s.count >= MENU_INTERVALS / 2;

			GOVERNOR_NOTE(notes, "no typical interval%s",
				      most ? ": the largest is taken" : "");
			return most ? s.max : MENU_NONE;
		}
		if (both && s.average - s.min > s.max - s.average)
			above = s.min;
		else
			below = s.max;
	}
}

#endif
