/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steady state before a run (P-54): the same load runs, unmeasured, until package power and
 * temperature have stopped drifting. The run itself follows at once with its own warm-up.
 */
#ifndef RUN_SETTLE_H
#define RUN_SETTLE_H

#include "run/cell.h"

#define SETTLE_SAMPLES_MAX 256

/* Degrees Celsius a minute; sensors count whole degrees or halves. */
#define SETTLE_CELSIUS_PER_MIN 1.0

/* One look at the machine; NAN = not available. */
struct settle_sample {
	double t_s, watts, celsius;
};

/* The last samples, oldest first. */
struct settle_track {
	struct settle_sample sample[SETTLE_SAMPLES_MAX];
	size_t n;
};

/* Forgets what is older than @span_s before @sample, and appends it. */
void settle_add(struct settle_track *track, const struct settle_sample *sample, double span_s);

/* Least-squares slopes over the track; NAN with fewer than three values. */
struct settle_slope {
	double watts_pct; /* percent of the mean a minute */
	double celsius; /* degrees a minute */
};
struct settle_slope settle_slope(const struct settle_track *track);

/*
 * True when the track covers @span_s (but for one sampling period) and each slope that is available
 * is below its limit; false when none is available.
 */
bool settle_done(const struct settle_track *track, double span_s, double limit_pct);

/*
 * Loads the machine with the cell's workload until it has settled or the suite's settle_timeout is
 * over; sets run.settled and the doubt "not settled". Nothing to do where the suite does not ask.
 * -EINTR for a signal.
 */
int settle_cell(struct cell *cell);

#endif
