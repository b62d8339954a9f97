/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result directory in memory: what was asked, the machines, every run that can be read, and the
 * names of those that cannot. Raw readings are turned into per-run values here; nothing is compared
 * yet.
 */
#ifndef ANALYSIS_LOAD_H
#define ANALYSIS_LOAD_H

#include "analysis/energy.h"
#include "analysis/pool.h"
#include "lib/ini.h"
#include "store/campaign.h"
#include "store/run.h"

enum cpu_set { SET_WORKLOAD, SET_ALL, SETS };

struct idle_state {
	int index; /* N of stateN */
	const char *name, *desc, *default_status; /* "" = not available */
	double latency_us, residency_us; /* NAN = not available */
	bool disabled, polling;
};

/* CPUs with one and the same state table and disable mask (P-24, P-29). */
struct state_table {
	int boot; /* the first boot that has it */
	struct cpulist cpus; /* of that boot */
	struct idle_state *state;
	size_t states;
	size_t first; /* its state s is number first + s of the result's states */
};

/* Counters of one state, summed over CPUs (and runs, when pooled). */
struct idle_sum {
	size_t readings; /* CPUs x runs; 0 = nothing there, all else is meaningless */
	double window_ns, time_us; /* sums; time_us NAN = not available */
	double per_s; /* entries a second, sum over the CPUs of one run */
	double usage, above, below; /* counts; NAN = not available */
};

struct boot {
	const char *name; /* "6.18.44+3f2a9c1e" */
	const char *release;
	const char *machine; /* "" when host.ini does not say */
	const char *damage; /* why host.ini or states.tsv cannot be read; its runs are left out */
	struct ini host; /* n = 0 when there is none */
	int *table_of_cpu; /* index into result.table, -1 = unknown */
	int cpus; /* entries of table_of_cpu */
};

struct metric_value {
	const char *name, *unit, *better; /* better: "lower", "higher", "none" */
	double value; /* NAN = not available */
};

struct loaded_run {
	struct store_run info;
	const char *name; /* of its directory */
	int boot;
	struct metric_value *metric;
	size_t metrics;
	struct energy_power power;
	struct idle_sum *idle; /* [set * result.states + state]; NULL = no idle.tsv */
	const char *note; /* what the reading of it showed; NULL */
	bool replaced; /* not complete, but its cell has a complete run as well */
};

/* A run directory without a place among the runs. */
struct broken_run {
	const char *name, *reason;
	const char *state; /* "damaged", "duplicate"; in a damaged boot also "failed", "void" */
};

struct gap {
	const char *governor, *reason;
};

struct result {
	struct pool pool;
	const char *dir, *name; /* path, and its last part */
	struct store_campaign campaign;
	struct boot *boot;
	size_t boots;
	struct state_table *table;
	size_t tables, states; /* states: over all tables */
	struct loaded_run *run;
	size_t runs;
	struct broken_run *broken;
	size_t brokens;
	size_t cells_met; /* cells of the plan that have a run of any kind */
	struct gap *gap; /* governors asked of which there is no run */
	size_t gaps;
	bool rehearsal, modelled; /* some run is */
};

/* -errno with a text when @dir holds no readable campaign. A damaged run is not an error: see
 * broken. */
int load_result(const char *dir, struct result *ret);
void load_free(struct result *result);

/* Table and state of state number @state (0 to result->states - 1). */
const struct state_table *load_table_of(const struct result *result, size_t state);
const struct idle_state *load_state(const struct result *result, size_t state);

/* Value of a key of the first boot's host.ini, section [host]; NULL when not there. */
const char *load_host(const struct result *result, const char *key);

/* Why there is no package power in any complete run: a sentence. NULL when there is some. */
const char *load_no_power(const struct result *result);

/* Adds a sentence to the run's note. */
void load_note(struct result *result, struct loaded_run *run, const char *sentence);

/* Reads states.tsv and host.ini of every boot directory; part of load_result(). */
int load_boots(struct result *result);

/* Moves the run directory @name to the broken ones. */
void load_break(struct result *result, const char *name, const char *state, const char *reason);

/*
 * A cell is a section, point, label, cpufreq governor and repeat. Of complete runs of a cell in one
 * boot the first stays and the others become broken; sets replaced and cells_met. Part of
 * load_result().
 */
void load_cells(struct result *result);

/* Reads @dir/idle.tsv of a complete run into @run; part of load_result(). */
int load_idle(struct result *result, const char *dir, struct loaded_run *run);

#endif
