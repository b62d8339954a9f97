/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and columns of the result directory, in one place for writer and reader.
 * docs/result-format.md explains them. */
#ifndef STORE_FORMAT_H
#define STORE_FORMAT_H

#define STORE_FORMAT 1 /* a higher number is refused by name */

#define STORE_CAMPAIGN "campaign.ini"
#define STORE_BOOTS "boots"
#define STORE_HOST "host.ini"
#define STORE_TOPOLOGY "topology.xml"
#define STORE_STATES "states.tsv"
#define STORE_RUNS "runs"
#define STORE_RUN "run.ini"
#define STORE_IDLE "idle.tsv"
#define STORE_ENERGY "energy.tsv"
#define STORE_EVENTS "events.tsv"
#define STORE_SAMPLES "samples.tsv"
#define STORE_TICKS "ticks.tsv"
#define STORE_TRACE "trace.idle"
#define STORE_METRICS "metrics.tsv"
#define STORE_LATENCY "latency.tsv"
#define STORE_TASKS "tasks.tsv"
#define STORE_SERIES "series.tsv"
#define STORE_STDERR "stderr.txt"
#define STORE_LOG "log.txt"
#define STORE_LOOKS "looks.tsv"
#define STORE_POINTS "points.tsv"
#define STORE_REPORT "report"
#define STORE_TMP_PREFIX ".tmp-"

#define STORE_STATES_COLUMNS                                                                       \
	"cpu\tstate\tname\tdesc\tlatency_us\tresidency_us\tdisabled\tdefault_status\tpolling\n"
#define STORE_IDLE_COLUMNS                                                                         \
	"cpu\tstate\tt0_ns\tt1_ns\tusage0\tusage1\ttime0_us\ttime1_us\tabove0\tabove1\tbelow0\tbelow1\trejected0\trejected1\n"
#define STORE_EVENTS_COLUMNS "cpu\tevent\tvalue\tenabled_ns\trunning_ns\n"
#define STORE_TICKS_COLUMNS                                                                        \
	"cpu\tt0_ns\tt1_ns\tidle_calls0\tidle_calls1\tidle_sleeps0\tidle_sleeps1\n"
#define STORE_POINTS_COLUMNS                                                                       \
	"section\tsweep\tat\tpoint\twanted\tround\twhy\tcurve\tfrom\tto\tby_pct\n"
#define STORE_DECISION_COLUMNS                                                                     \
	"section\tscope\tpoint\tgovernor\tcpufreq_governor\tkernel\tmetric\tblocks\tdiff_pct\tlo_pct\thi_pct\tp\tp_equal\tlevel\tverdict\tdecided\n"
#define STORE_LOOKS_COLUMNS "look\tboot\trepeat\truns\t" STORE_DECISION_COLUMNS
#define STORE_ENERGY_COLUMNS "zone\tlabel\tt0_ns\tt1_ns\tuj0\tuj1\trange_uj\n"

#endif
