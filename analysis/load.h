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
#include "lib/tsv.h"
#include "store/campaign.h"
#include "store/points.h"
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
	size_t source; /* the result directory it is of */
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

/* A curve over one run's time; how it is judged: analysis/steady.h. */
struct steady {
	bool known; /* false: too few readings, all else is NAN or false */
	bool drifts;
	double first, second; /* medians of the halves */
	double drift_pct; /* from the run's begin to its end */
	double p; /* of Kendall's test against time */
};

struct loaded_run {
	struct store_run info;
	const char *name; /* of its directory; of several results behind "SOURCE/" */
	int boot;
	size_t source; /* its boot's */
	struct metric_value *metric;
	size_t metrics;
	struct energy_power power;
	struct idle_sum *idle; /* [set * result.states + state]; NULL = no idle.tsv */
	const char *note; /* what the reading of it showed; NULL */
	const char *power_doubt; /* why it has no package power where others have; NULL */
	const char *series_name; /* of the block means behind series; NULL */
	struct steady series, watts; /* the headline and package power over the run */
	bool unsettled; /* not in a steady state: a note says why */
	bool replaced; /* not complete, but its cell has a complete run as well */
	bool partial; /* readings of it were left out, see note */
};

/* A run directory without a place among the runs. */
struct broken_run {
	size_t source;
	const char *name, *reason;
	const char *state; /* "damaged", "duplicate"; in a damaged boot also "failed", "void" */
};

struct gap {
	size_t source;
	const char *governor, *reason;
};

/* One of the result directories that a report is made of. */
struct source {
	const char *dir; /* absolute */
	const char *given; /* as the user wrote it */
	const char *shown; /* its last part; as given where two have the same one */
	const char *label; /* of the user; sources of one label are pooled. NULL */
	struct store_campaign campaign;
	bool made_up; /* campaign.ini could not be used */
	struct store_points points; /* where its sweeps' points lie; none: at equal steps */
	size_t cells_met; /* cells of its plan that have a run of any kind */
	size_t pending; /* cells of its plan without, those of missing governors not counted */
	size_t looks; /* of a sequential campaign, so far; 0 = none, or nobody noted them */
	bool ended; /* its last look decided everything, or there is none behind it */
};

/* Runs that stand in one result only: a point, or a whole section. They are not compared. */
struct uncommon {
	const char *section;
	const char *points; /* "work=1us, work=2us"; "" = the whole section */
	const char *sources; /* that have it */
	size_t runs;
};

/* What the user says about several results. */
struct load_label {
	const char *text; /* "DIR=TEXT" or "DIR:GOVERNOR=TEXT", as given */
	size_t source;
	const char *governor; /* label of a governor; NULL = the whole source */
	const char *name;
};

struct load_request {
	const char *const *dir;
	size_t dirs;
	const char *const *label; /* of --label */
	size_t labels;
	const char *reference; /* of --reference; NULL */
};

/* Something that makes a comparison of two results doubtful. */
struct issue {
	bool refused; /* it makes figures false: only with --force */
	const char *text; /* a sentence */
};

struct result {
	struct pool pool;
	const char *dir, *name; /* of the first source: path, and its last part */
	/* The source's own; of several, what they have together: a text for the reader. */
	struct store_campaign campaign;
	struct source *source;
	size_t sources;
	struct load_label *label; /* of governors */
	size_t labels;
	const char *reference; /* as asked; NULL */
	struct uncommon *uncommon;
	size_t uncommons;
	struct issue *issue; /* see load_conditions() */
	size_t issues;
	struct boot *boot;
	size_t boots;
	struct state_table *table;
	size_t tables, states; /* states: over all tables */
	struct loaded_run *run;
	size_t runs;
	struct broken_run *broken;
	size_t brokens;
	size_t pending; /* over all sources */
	struct gap *gap; /* governors asked of which there is no run */
	size_t gaps;
#define MARK(flag, words, warning) bool flag; /* some run is */
#include "analysis/marks.def"
#undef MARK
};

/* -errno with a text when @dir holds no readable campaign. A damaged run is not an error: see
 * broken. */
int load_result(const char *dir, struct result *ret);
/* The same of several directories: usage error for one given twice, for a label of none of them,
 * and for two that hold one and the same run. */
int load_results(const struct load_request *request, struct result *ret);
void load_free(struct result *result);

/* Table and state of state number @state (0 to result->states - 1). */
const struct state_table *load_table_of(const struct result *result, size_t state);
const struct idle_state *load_state(const struct result *result, size_t state);

/* Value of a key of the first boot's host.ini, section [host]; NULL when not there. */
const char *load_host(const struct result *result, const char *key);

/* Why there is no package power in any complete run: a sentence. NULL when there is some. */
const char *load_no_power(const struct result *result);

/* Sets power_doubt of runs (P-10); part of load_results(). */
void load_power_doubts(struct result *result);

/* Both are one source, or the user gave them one label. */
bool load_same_side(const struct result *result, size_t a, size_t b);

/* An error's text without the source's own path, which means nothing to a reader elsewhere. */
const char *load_without_path(const struct result *result, size_t source, const char *text);

/* A table that may be missing: 1 = there, 0 = no such file, -errno with a text otherwise. */
int load_open_table(const char *dir, const char *name, struct tsv *ret);

/* Adds a sentence to the run's note. */
void load_note(struct result *result, struct loaded_run *run, const char *sentence);

/* Reads states.tsv and host.ini of every boot directory; part of load_result(). */
int load_boots(struct result *result, size_t source);

/* Reads campaign.ini. One that is damaged, or of another campaign than all runs, is named and made
 * up for: what was asked is not known then. load_campaign_check() needs the runs. Part of
 * load_result(). */
int load_campaign(struct result *result, size_t source);
void load_campaign_check(struct result *result, size_t source);

/* Sources from the request's directories, and their labels; part of load_results(). */
int load_sources(struct result *result, const struct load_request *request);
/* Of several: names of runs that say which result, repeats of pooled ones, the campaign of all. */
int load_merge(struct result *result);
/* Takes what only one result has out of the runs; part of load_results(). */
void load_common(struct result *result);

/* Moves the run directory @name to the broken ones. */
void load_break(struct result *result, size_t source, const char *name, const char *state,
		const char *reason);

/*
 * A cell is a section, point, label, cpufreq governor and repeat. Of complete runs of a cell in one
 * boot the first stays and the others become broken; sets replaced. Counts the sources' cells_met.
 * Part of load_result().
 */
void load_cells(struct result *result);
/* The sources' pending cells; needs gaps. */
void load_pending(struct result *result);

/*
 * The metric tick_stops_per_entry of a complete run from @dir/ticks.tsv and its idle figures, and
 * notes of runs whose spin probe is far from the others'; part of load_result().
 */
int load_ticks(struct result *result, const char *dir, struct loaded_run *run);
/* Metrics of a complete run from @dir/trace.idle, where there is one; a note where it is no use. */
void load_trace(struct result *result, const char *dir, struct loaded_run *run);
void load_spin(struct result *result);

/* Read the tables of a complete run in @dir into @run; -errno with a text for a damaged one. Events
 * are added to the metrics. Part of load_result(). */
int load_metrics(struct result *result, const char *dir, struct loaded_run *run);
int load_events(struct result *result, const char *dir, struct loaded_run *run);
int load_power(struct result *result, const char *dir, struct loaded_run *run);

/* Reads @dir/idle.tsv of a complete run into @run; part of load_result(). */
int load_idle(struct result *result, const char *dir, struct loaded_run *run);

#endif
