/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From two readings of an energy zone to joules, or to the reason why not. Pure functions: nothing
 * here touches the machine.
 */
#ifndef HW_ENERGY_MATH_H
#define HW_ENERGY_MATH_H

#include "hw/energy.h"

/* W below which a package's counter is taken for a guest's dummy (P-10). */
#define ENERGY_FLOOR_W 0.05
/* Counters move every ms without a stamp: at 1 s the edges cost 0.2 %, at 50 ms 4 % (P-12). */
#define ENERGY_WINDOW_MIN_NS UINT64_C(1000000000)
/* What the guarding reader uses unless a zone needs a shorter one (P-02). */
#define ENERGY_PERIOD_DEFAULT_NS UINT64_C(60000000000)

/* Usage error for a window below 1 s. */
int energy_check_window(uint64_t window_ns);

/*
 * Energy of @zone from @first to @last, by its own range (P-01). Else an error with a text that
 * names the zone: -ENODATA a reading is not known, or no time has passed; -ERANGE it went backwards
 * and the range is unknown (P-03), or a reading lies above the range; -EOVERFLOW a whole turn of
 * the counter could be hidden between them (P-02); -EBADMSG more power than the zone's ceiling
 * after going backwards (P-04), or than ENERGY_CEILING_W.
 */
int energy_delta(const struct energy_zone *zone, const struct energy_reading *first,
		 const struct energy_reading *last, uint64_t *ret_uj);

/* Mean power of that energy over the time between the two stamps (P-13); errors likewise. */
int energy_watts(const struct energy_zone *zone, const struct energy_reading *first,
		 const struct energy_reading *last, double *ret_w);

/*
 * 0 when two readings look like a counter (P-10). -EAGAIN: less than 1 s apart, cannot be told.
 * -ENODEV with a text: does not advance, below ENERGY_FLOOR_W (packages, dies and psys only: a
 * graphics unit may sleep), or above the ceiling. Other errors as of energy_delta().
 */
int energy_plausible(const struct energy_zone *zone, const struct energy_reading *first,
		     const struct energy_reading *last);

/*
 * Longest period in ns at which a reader of a counter with @range_uj sees every wrap at up to
 * @watts > 0: range / (2 x watts). UINT64_MAX when range_uj is 0: there is no limit to compute.
 */
uint64_t energy_max_period_ns(uint64_t range_uj, double watts);

/* The same for a zone at its ceiling; an unknown range counts as the shortest one in use (AMD). */
uint64_t energy_zone_period_ns(const struct energy_zone *zone);

/* Usage error that names zone, watts and limit when @period_ns is too long (P-02). */
int energy_check_period(const struct energy_zone *zone, double watts, uint64_t period_ns);

/*
 * A zone's energy over many readings, so that a counter may wrap any number of times (P-02). One
 * bad interval makes the whole unknown. Start from all zero.
 */
struct energy_meter {
	struct energy_reading first, last;
	uint64_t uj; /* from first to last; valid while err is 0 */
	unsigned int wraps;
	size_t readings;
	int err; /* of the first bad interval */
};

/* Adds the next reading; 0, or the meter's error with a text when it is this reading's. */
int energy_meter_add(struct energy_meter *meter, const struct energy_zone *zone,
		     const struct energy_reading *reading);

/* Package power of a window: totals first, so that a table can print all three (P-15). */
struct energy_power {
	double joules;
	double seconds; /* mean over the zones */
	double watts; /* sum of each zone's joules over its own time */
};

/*
 * Over the zones with in_package. -ENODATA with energy_reason()'s text when there is none; one
 * zone's error is the sum's error.
 */
int energy_package(const struct energy *energy, const struct energy_reading *first,
		   const struct energy_reading *last, struct energy_power *ret);

#endif
