/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run's run.ini: what was asked, what happened, what is doubtful about it. Written by run, read
 * by analysis.
 */
#ifndef STORE_RUN_H
#define STORE_RUN_H

#include "lib/cpulist.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum store_state {
	STORE_COMPLETE, /* a measurement */
	STORE_FAILED, /* the workload failed; kept, excluded from summaries, listed with the reason
		       */
	STORE_VOID, /* somebody or something spoilt the window; likewise */
};
extern const char *const store_state_name[]; /* "complete", "failed", "void" */

/* key = value as text, in file order. Text is canonical: "12.5us", "2", "pipe". */
struct store_pair {
	char *key, *value;
};

struct store_run {
	char *dir; /* path of the run directory; set by the reader */
	int number; /* position in the plan, 1-based: the 4-digit prefix of the directory */
	char *section; /* "two-cores": [run two-cores] */
	char *point; /* "work=12.5us", several axes joined by ','; "" without an axis */
	char *governor; /* as the kernel names it */
	char *label; /* what tables print: the governor, or "menu:2" when one is asked twice (A/A)
		      */
	char *cpufreq_governor; /* NULL = not an axis */
	int repeat; /* 1-based; also the block's number */
	char *workload;
	bool timer_based;
	bool rehearsal; /* measured against a fake or dumped machine (--root) */
	bool modelled; /* simulate */
	bool emulated; /* measured in a guest whose CPUs software emulates */
	bool pinned; /* false: affinity free */
	bool oversubscribed; /* more runnable tasks than CPUs */
	struct cpulist cpus; /* the workload's CPUs, in the order of the stops */
	int housekeeping; /* CPU of the runner itself */
	bool housekeeping_shared; /* the workload uses that CPU too */
	char *distance_asked, *distance_got;
	uint64_t t0_ns, t1_ns; /* the window asked; each reading has its own stamps */
	char *temperature_start_c, *temperature_end_c; /* hottest package, "47.5"; NULL = NA */
	char *spin_us; /* between two of the workload's CPUs before it starts, "0.13"; NULL = NA */
	char *warmup_done; /* "2.02s": between the last go and t0; NULL = NA */
	char *settled; /* "yes, after 95s", "no: ..." (P-54); NULL = not asked */
	char *started; /* wall clock, for people */
	char *argv; /* the workload's command line, quoted for a shell */
	int exit_status; /* of the workload; 128+N for a signal */
	enum store_state state;
	char *reason; /* why not complete; NULL */
	struct store_pair *axis; /* the swept parameters of this section: key, value as text */
	size_t axes;
	struct store_pair *param; /* every parameter of the workload, swept or not */
	size_t params;
	char **doubt; /* sentences; a doubtful run stays in the summary and is listed */
	size_t doubts;
};

/* Writes DIR/run.ini (not atomic: DIR is a temporary folder until it is published). */
int store_run_write(const char *dir, const struct store_run *run);

/* Reads DIR/run.ini. -EBADMSG with path:line for damage, -EPROTO for a higher format number. */
int store_run_read(const char *dir, struct store_run *ret);

void store_run_free(struct store_run *run);

/*
 * Paths of all published run directories of a campaign, DIR/boots/B/runs/R, sorted; temporary ones
 * are not listed. malloc'ed array of malloc'ed strings.
 */
int store_run_list(const char *campaign_dir, char ***ret, size_t *ret_n);
void store_list_free(char **list, size_t n);

#endif
