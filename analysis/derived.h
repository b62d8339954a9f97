/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures of a run that follow from others of it. They become metrics of the run, so that they are
 * compared and shown like those that the workload published. One without its inputs is not there.
 */
#ifndef ANALYSIS_DERIVED_H
#define ANALYSIS_DERIVED_H

#include "analysis/load.h"

/*
 * Adds to a complete run, where the inputs are there:
 *   package_uj_per_loop  uJ     lower  package power / loops a second
 *   energy_delay_uj_us   uJ us  lower  the same times the time per loop
 *   hop_excess_us        us     none   (loop - stops x units x ns per unit) / stops: what a hop
 * costs beside the work; ns per unit: mean of start and end exit_latency_pct     %      none
 * overhead_total_pct() of the workload's CPUs, else of all A loop is what the workload counts:
 * loops, records, children, operations, wakes. Part of load_result().
 */
void derived_load(struct result *result, struct loaded_run *run);

/* Microseconds a hop; NAN when an argument is, or there are no stops. */
double derived_hop_excess_us(double loop_us, double stops, double units, double unit_ns);

#endif
