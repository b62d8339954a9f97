/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules and watts from readings. The time of an interval is that between the two stamps, never the
 * period somebody asked for; a doubtful interval has no energy rather than a wrong one.
 */
#include "hw/energy_math.h"

#include "hw/energy_private.h"
#include "lib/error.h"
#include "lib/wrap.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SHORTEST_RANGE_UJ UINT64_C(65532610987) /* AMD: 32 bits of 2^-16 J */
#define NS_PER_S 1e9

/* uJ over ns is kW: W of @uj over @ns. */
static double watts_of(uint64_t uj, uint64_t ns)
{
	return (double)uj * 1000.0 / (double)ns;
}

int energy_check_window(uint64_t window_ns)
{
	if (window_ns >= ENERGY_WINDOW_MIN_NS)
		return 0;
	return error_usage("a window of %g s is too short for energy counters: 1 s is the least, "
			   "10 s and more are good",
			   (double)window_ns / NS_PER_S);
}

static int backwards(const struct energy_zone *zone, const struct energy_reading *first,
		     const struct energy_reading *last)
{
	if (!zone->range_uj)
		return error_set(-ERANGE,
				 "%s: the counter went backwards (%" PRIu64 " to %" PRIu64
				 " uJ) and its range is not known (max_energy_range_uj)",
				 zone->label, first->uj, last->uj);
	return error_set(-ERANGE,
			 "%s: a reading lies above the counter's range (%" PRIu64 " and %" PRIu64
			 " uJ, range %" PRIu64 ")",
			 zone->label, first->uj, last->uj, zone->range_uj);
}

int energy_delta(const struct energy_zone *zone, const struct energy_reading *first,
		 const struct energy_reading *last, uint64_t *ret_uj)
{
	double ceiling_w = ENERGY_CEILING_W, w;
	uint64_t uj, ns;

	if (!first->known || !last->known)
		return error_set(-ENODATA, "%s: could not be read: %s", zone->label,
				 strerror(-(first->known ? last->err : first->err)));
	if (last->t_ns <= first->t_ns)
		return error_set(-ENODATA, "%s: no time between two readings", zone->label);
	ns = last->t_ns - first->t_ns;
	if (wrap_delta(first->uj, last->uj, zone->range_uj, &uj))
		return backwards(zone, first, last);
	/* Half a range may pass within the longest period, a whole one may hide a turn. */
	if (!zone->endless && ns / 2 > energy_zone_period_ns(zone))
		return error_set(-EOVERFLOW,
				 "%s: %g s between two readings can hide a turn of the counter",
				 zone->label, (double)ns / NS_PER_S);
	if (last->uj < first->uj)
		ceiling_w = zone->ceiling_w;
	w = watts_of(uj, ns);
	if (w > ceiling_w)
		return error_set(-EBADMSG, "%s: %.0f W is more than can be (%.0f W)%s", zone->label,
				 w, ceiling_w,
				 last->uj < first->uj
					 ? ": the counter went backwards other than by its range"
					 : "");
	*ret_uj = uj;
	return 0;
}

int energy_watts(const struct energy_zone *zone, const struct energy_reading *first,
		 const struct energy_reading *last, double *ret_w)
{
	uint64_t uj;
	int r = energy_delta(zone, first, last, &uj);

	if (!r)
		*ret_w = watts_of(uj, last->t_ns - first->t_ns);
	return r;
}

int energy_plausible(const struct energy_zone *zone, const struct energy_reading *first,
		     const struct energy_reading *last)
{
	bool whole =
		zone->kind == ZONE_PACKAGE || zone->kind == ZONE_DIE || zone->kind == ZONE_PSYS;
	double w;
	int r = energy_watts(zone, first, last, &w);

	if (r == -EBADMSG)
		return error_prefix(-ENODEV, "not an energy counter");
	if (r)
		return r;
	if (last->t_ns - first->t_ns < ENERGY_WINDOW_MIN_NS)
		return error_set(-EAGAIN, "%s: cannot be judged by less than 1 s", zone->label);
	if (first->uj == last->uj && zone->kind != ZONE_UNCORE && zone->kind != ZONE_OTHER)
		return error_set(-ENODEV,
				 "%s (%s): the counter does not advance (a guest's dummy?)",
				 zone->label, zone->place);
	if (whole && w < ENERGY_FLOOR_W)
		return error_set(-ENODEV, "%s (%s): %.3g W is less than can be (a guest's dummy?)",
				 zone->label, zone->place, w);
	if (w > zone->ceiling_w)
		return error_set(-ENODEV, "%s (%s): %.0f W is more than can be (%.0f W)",
				 zone->label, zone->place, w, zone->ceiling_w);
	return 0;
}

uint64_t energy_max_period_ns(uint64_t range_uj, double watts)
{
	double ns;

	if (!range_uj || !(watts > 0))
		return UINT64_MAX;
	ns = (double)range_uj * 1000.0 / (2.0 * watts); /* uJ / W = us */
	return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX;
}

uint64_t energy_zone_period_ns(const struct energy_zone *zone)
{
	if (zone->endless)
		return UINT64_MAX;
	return energy_max_period_ns(zone->range_uj ? zone->range_uj : SHORTEST_RANGE_UJ,
				    zone->ceiling_w);
}

int energy_check_period(const struct energy_zone *zone, double watts, uint64_t period_ns)
{
	struct energy_zone at = *zone;
	uint64_t limit;

	at.ceiling_w = watts;
	limit = energy_zone_period_ns(&at);
	if (period_ns <= limit)
		return 0;
	return error_usage("%s: read every %g s its counter wraps unseen at %g W: %.4g s is the "
			   "longest",
			   zone->label, (double)period_ns / NS_PER_S, watts,
			   (double)limit / NS_PER_S);
}

int energy_meter_add(struct energy_meter *meter, const struct energy_zone *zone,
		     const struct energy_reading *reading)
{
	uint64_t uj = 0;
	int r = 0;

	if (!meter->readings++) {
		meter->first = meter->last = *reading;
		if (!reading->known)
			meter->err = error_set(-ENODATA, "%s: could not be read: %s", zone->label,
					       strerror(-reading->err));
		return meter->err;
	}
	if (!meter->err)
		r = energy_delta(zone, &meter->last, reading, &uj);
	if (r)
		meter->err = r;
	meter->uj += uj;
	if (!meter->err && reading->uj < meter->last.uj)
		meter->wraps++;
	meter->last = *reading;
	return meter->err;
}

int energy_package(const struct energy *energy, const struct energy_reading *first,
		   const struct energy_reading *last, struct energy_power *ret)
{
	struct energy_power power = { 0 };
	uint64_t uj, ns;
	size_t zones = 0;
	int r;

	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_zone *zone = &energy->item[i].zone;

		if (!zone->in_package)
			continue;
		r = energy_delta(zone, &first[i], &last[i], &uj);
		if (r)
			return r;
		ns = last[i].t_ns - first[i].t_ns;
		power.joules += (double)uj / 1e6;
		power.seconds += (double)ns / NS_PER_S;
		power.watts += watts_of(uj, ns);
		zones++;
	}
	if (!zones)
		return error_set(-ENODATA, "%s",
				 energy->reason ? energy->reason : "no package zone");
	power.seconds /= (double)zones;
	*ret = power;
	return 0;
}
