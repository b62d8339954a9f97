/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is this machine fit to compare idle governors on? One fact a row of facts.def, each with a
 * verdict and the way out. The verb "check" prints them all; the preflight of a run looks at some.
 * Nothing is changed. What cannot be told is said so, and is never taken for good.
 */
#ifndef RUN_FACTS_H
#define RUN_FACTS_H

#include "hw/cpuidle.h"
#include "hw/topology.h"
#include "lib/cpulist.h"
#include "lib/ini.h"
#include "lib/root.h"
#include <stddef.h>
#include <stdint.h>

enum facts_verdict {
	FACTS_OK,
	FACTS_MISSING, /* something useful is not here; what is measured stays true without it */
	FACTS_DOUBT, /* figures of this machine, as it is now, can mislead */
	FACTS_UNFIT, /* governors cannot be compared here */
	FACTS_VERDICTS
};
extern const char *const facts_verdict_name[FACTS_VERDICTS]; /* "ok", "missing", "doubt", "unfit" */

struct fact {
	const char *title; /* short, for people: "idle driver" */
	char *key; /* stable: "idle_driver"; several facts of one row: "governor.teo" */
	char *value;
	enum facts_verdict verdict;
	char *action; /* what to do, or what would bring it; NULL = nothing */
	const struct cpuidle_group *group; /* its state table belongs below this fact; or NULL */
};

struct facts {
	const struct root *root;
	struct fact *fact;
	size_t n;
	struct ini host; /* [host] as of hw/host.h */
	struct topology *topology; /* NULL: cannot be told */
	struct cpulist cpus; /* those of the topology, or the kernel's online CPUs */
	struct cpuidle *idle; /* NULL: no_idle says why */
	char *no_idle;
	struct cpuidle_group *group;
	size_t groups;
};

/* Reads what several facts rest on; no fact yet. @root must outlive it. -ENOMEM, or damage. */
int facts_open(const struct root *root, struct facts *ret);
void facts_close(struct facts *facts);

/* Adds all facts, in the order of facts.def. Takes 0.3 s; where there is an energy counter, 1.4 s.
 */
int facts_all(struct facts *facts);

/* The worst verdict there is; FACTS_MISSING counts as nothing worse than FACTS_OK. */
enum facts_verdict facts_worst(const struct facts *facts);

/* Appends a fact; @action NULL or "" = none. -ENOMEM. */
int facts_add(struct facts *facts, const char *key, const char *title, enum facts_verdict verdict,
	      const char *action, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Declares facts_NAME(): adds the facts of that row. 0 or -ENOMEM. */
#define FACT(name) int facts_##name(struct facts *facts);
#include "run/facts.def"
#undef FACT

/* Free room in the file system where @dir is or will be made. */
#define FACTS_DISK_MIN_MIB 50
int facts_disk_of(struct facts *facts, const char *dir);

#endif
