/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that the cells of one start of the runner share.
 */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include "hw/cpufreq.h"
#include "hw/cpuidle.h"
#include "hw/energy.h"
#include "hw/events.h"
#include "hw/governor.h"
#include "hw/thermal.h"
#include "hw/ticks.h"
#include "hw/topology.h"
#include "hw/undo.h"
#include "run/options.h"
#include "run/placement.h"
#include "run/plan.h"
#include "store/campaign.h"

struct session {
	const struct options *options;
	struct root root;
	struct suite suite;
	struct store_campaign campaign;
	struct plan plan;
	struct topology *topology;
	struct cpulist cpus; /* all online: the measured ones */
	struct cpulist allowed; /* what the workload may use */
	struct placement *placement; /* of each point */
	struct cpuidle *idle;
	unsigned int
		*enabled; /* bits by index of each CPU's states, before the first disable_set() */
	struct energy *energy; /* NULL: --no-power, or no counter is there */
	bool *zone_known; /* of each energy zone: it could be read when the runner came */
	struct event_code *code; /* what --event asks to count */
	size_t codes;
	struct events *events; /* open on the measured CPUs; NULL = none asked */
	struct ticks *ticks; /* NULL: no_ticks says why */
	char *no_ticks;
	struct cpufreq_policies cpufreq; /* as the runner found it; read only where it is an axis */
	struct thermal thermal;
	char *power, *power_limits; /* for host.ini: what the source is, or "none: REASON" */
	struct governor_list offered;
	char governor[GOVERNOR_NAME_MAX]; /* in use when the runner came */
	bool switching; /* the idle governor; false: --governors current */
	struct undo *undo; /* NULL while nothing is to be changed */
	char *dir; /* of the campaign */
	char *boot; /* DIR/boots/NAME */
	char *runs; /* DIR/boots/NAME/runs */
};

/* True when the kernel offers the cell's governor. */
bool session_offers(const struct session *session, const struct plan_cell *cell);

/* Usage errors of the options alone; part of session_plan(). */
int session_check_options(const struct options *options);

/* Reads options, suite and machine; makes the plan and places every point. Changes nothing. */
int session_plan(struct session *session, const struct options *options);

/* Plans and places anew: points.tsv has more points than before. */
int session_replan(struct session *session);

void session_free(struct session *session);

#endif
