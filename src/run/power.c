/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A guest may have a counter that never moves: two readings a second apart tell, once a start.
 */
#include "run/power.h"
#include "hw/energy_math.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "run/session.h"
#include <stdlib.h>
#include <string.h>

#define VET_NS 1050000000u

int power_vet(struct energy *energy)
{
	size_t n = energy_zones(energy);
	struct energy_reading *reading = calloc(2 * n + 1, sizeof(*reading));

	if (!reading)
		return error_no_memory();
	energy_read(energy, reading);
	clock_sleep_until(clock_now_ns() + VET_NS);
	energy_read(energy, reading + n);
	energy_vet(energy, reading, reading + n);
	free(reading);
	return 0;
}

/* The sampling interval is also the guard that sees each wrap. */
static int check_times(const struct session *s)
{
	uint64_t interval = (uint64_t)s->campaign.interval_ns;
	int err = 0;

	if (energy_reason(s->energy))
		return 0; /* no package power: nothing that a short window could spoil */
	for (size_t i = 0; i < s->plan.points && !err; i++) {
		double window = plan_window_ns(
			&s->plan, i, s->campaign.window_ns > 0 ? s->campaign.window_ns : -1);

		if (window > 0 && !plan_by_loops(&s->plan, i))
			err = energy_check_window((uint64_t)window);
	}
	if (err)
		return error_prefix(err, "with power measured (--no-power leaves it out): ");
	for (size_t z = 0; z < energy_zones(s->energy) && !err; z++) {
		const struct energy_zone *zone = energy_zone(s->energy, z);

		if (interval > energy_zone_period_ns(zone))
			err = energy_check_period(zone, zone->ceiling_w, interval);
	}
	return err ? error_prefix(err, "--interval: ") : 0;
}

static int note_known(struct session *s)
{
	size_t n = energy_zones(s->energy);

	s->zone_known = calloc(n + 1, sizeof(*s->zone_known));
	if (!s->zone_known)
		return error_no_memory();
	for (size_t z = 0; z < n; z++) {
		struct energy_reading reading;

		energy_read_zone(s->energy, z, &reading);
		s->zone_known[z] = reading.known;
	}
	return 0;
}

static int open_source(struct session *s)
{
	enum energy_source source = ENERGY_AUTO;
	int err = 0;

	if (s->options->power_source)
		err = energy_source_parse(s->options->power_source, &source);
	if (err)
		return error_prefix(err, "--power-source: ");
	err = energy_open(&s->root, source, &s->energy);
	if (!err && energy_zones(s->energy) && s->root.live && !s->options->dry_run)
		err = power_vet(s->energy);
	if (!err)
		err = note_known(s);
	if (!err)
		err = check_times(s);
	if (err)
		return err;
	s->power = energy_describe(s->energy);
	return s->power ? energy_limits(&s->root, &s->power_limits) : error_no_memory();
}

int power_open(struct session *s)
{
	int err;

	if (s->options->no_power) {
		s->power = strdup("none: --no-power");
		return s->power ? 0 : error_no_memory();
	}
	err = open_source(s);
	if (!err && energy_reason(s->energy) && !energy_zones(s->energy)) {
		energy_close(s->energy);
		s->energy = NULL;
	}
	return err;
}

void power_close(struct session *s)
{
	if (s->energy)
		energy_close(s->energy);
	free(s->zone_known);
	free(s->power);
	free(s->power_limits);
}
