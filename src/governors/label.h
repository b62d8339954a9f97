/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cpuidle core's own rules around a governor: was a period too deep or too shallow for its
 * state (what sysfs counts as "above" and "below"), and how long a polling state polls.
 */
#ifndef GOVERNORS_LABEL_H
#define GOVERNORS_LABEL_H

#include "governors/governor.h"

enum governor_label { LABEL_FITS, LABEL_ABOVE, LABEL_BELOW };

/*
 * ABOVE ("too deep"): shorter than the state's target residency while a shallower one was enabled.
 * BELOW ("too shallow"): without the exit latency it would do for the next enabled deeper state.
 */
enum governor_label governor_label(const struct governor_table *table, uint32_t disabled,
				   int entered, int64_t residency_ns);

/* Time limit of the polling state by the core's rule, ns; a governor's own limit comes first. */
int64_t governor_poll_limit_ns(const struct governor_table *table, uint32_t disabled);

#endif
