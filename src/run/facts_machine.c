/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine is, how its kernel was built and booted, and whether another runner is at work.
 */
#include "run/facts.h"
#include "hw/lock.h"
#include "hw/tracefs.h"
#include "hw/undo_journal.h"
#include "lib/error.h"
#include "run/load.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL JOURNAL_DIR "/journal"
#define TRACING "sys/kernel/tracing"

static const char *host(const struct facts *f, const char *key)
{
	const char *value = ini_get(&f->host, "host", key);

	return value ? value : "";
}

int facts_machine(struct facts *f)
{
	const char *model = host(f, "model"), *product = host(f, "product");
	const char *hypervisor = host(f, "hypervisor"), *emulated = host(f, "emulated");
	char guest[96] = "";

	if (*emulated)
		return facts_add(f, "machine", "machine", FACTS_DOUBT,
				 "governors, counters and the tools can be tried here; times and "
				 "power need a real machine",
				 "%s, emulated by %s", *model ? model : "model not known",
				 emulated);
	if (!strcmp(hypervisor, "yes"))
		snprintf(guest, sizeof(guest), ", guest of a hypervisor");
	else if (*hypervisor && strcmp(hypervisor, "no"))
		snprintf(guest, sizeof(guest), ", guest of %.64s", hypervisor);
	return facts_add(f, "machine", "machine", *guest ? FACTS_DOUBT : FACTS_OK,
			 *guest ? "idle states and their times are what the hypervisor makes of "
				  "them; measure power on the host"
				: NULL,
			 "%s%s%s%s%s", *model ? model : "model not known", *product ? " (" : "",
			 product, *product ? ")" : "", guest);
}

int facts_kernel(struct facts *f)
{
	const char *hz = host(f, "hz"), *tick = host(f, "tick");
	bool periodic = !strcmp(tick, "periodic");

	return facts_add(f, "kernel", "kernel", periodic ? FACTS_DOUBT : FACTS_OK,
			 periodic ? "the tick ends every sleep: build the kernel with "
				    "CONFIG_NO_HZ_IDLE=y"
				  : NULL,
			 "%s, HZ %s, tick %s", *host(f, "kernel") ? host(f, "kernel") : "not known",
			 *hz ? hz : "not known", *tick ? tick : "not known");
}

int facts_cpus(struct facts *f)
{
	const char *online = host(f, "cpus_online"), *present = host(f, "cpus_present");
	const char *isolated = host(f, "cpus_isolated");
	char cores[96] = "";

	if (f->topology)
		snprintf(cores, sizeof(cores), ", %d core%s, %d package%s, %s SMT",
			 topology_core_count(f->topology),
			 topology_core_count(f->topology) == 1 ? "" : "s",
			 topology_package_count(f->topology),
			 topology_package_count(f->topology) == 1 ? "" : "s",
			 topology_has_smt(f->topology) ? "with" : "no");
	return facts_add(f, "cpus", "CPUs", FACTS_OK, NULL, "%zu (online %s, present %s)%s%s%s",
			 f->cpus.n, *online ? online : "not known",
			 *present ? present : "not known", cores, *isolated ? ", isolated " : "",
			 isolated);
}

/* Words of the command line that change what idle is. A word matches with its value. */
static const struct {
	const char *word;
	const char *doubt; /* NULL = worth knowing, no more */
} option[] = {
	{ "idle=", "idle= takes idle states away: boot without it" },
	{ "intel_idle.max_cstate=", "a driver's idle states are cut off: boot without max_cstate" },
	{ "processor.max_cstate=", "a driver's idle states are cut off: boot without max_cstate" },
	{ "intel_idle.states_off=", "some idle states are off: boot without states_off" },
	{ "nohz=off", "the tick ends every sleep: boot without nohz=off" },
	{ "highres=off", "timers are only as fine as the tick: boot without highres=off" },
	{ "cpuidle.off=", NULL },
	{ "cpuidle.governor=", NULL },
	{ "cpuidle_haltpoll.force=", NULL },
	{ "haltpoll.guest_halt_poll_ns=", NULL },
	{ "isolcpus=", NULL },
	{ "nohz=", NULL },
	{ "nohz_full=", NULL },
	{ "rcu_nocbs=", NULL },
};

/* The row that @word is, or -1. */
static int option_of(const char *word)
{
	for (size_t i = 0; i < sizeof(option) / sizeof(option[0]); i++)
		if (!strncmp(word, option[i].word, strlen(option[i].word)))
			return (int)i;
	return -1;
}

int facts_cmdline(struct facts *f)
{
	char text[4096], found[1024] = "", *save = NULL;
	const char *doubt = NULL;
	size_t n = 0;

	if (root_read(f->root, "proc/cmdline", text, sizeof(text)) < 0)
		return facts_add(f, "cmdline", "boot options", FACTS_MISSING, NULL, "not known");
	for (char *word = strtok_r(text, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		int row = option_of(word);

		if (row < 0 || n + strlen(word) + 2 > sizeof(found))
			continue;
		n += (size_t)sprintf(found + n, "%s%s", n ? " " : "", word);
		if (!doubt)
			doubt = option[row].doubt;
	}
	return facts_add(f, "cmdline", "boot options", doubt ? FACTS_DOUBT : FACTS_OK, doubt, "%s",
			 n ? found : "none that concerns idle");
}

int facts_rights(struct facts *f)
{
	if (!f->root->live)
		return facts_add(f, "rights", "rights", FACTS_OK, NULL,
				 "another machine's files: a rehearsal needs none");
	if (!geteuid())
		return facts_add(f, "rights", "rights", FACTS_OK, NULL, "root");
	return facts_add(f, "rights", "rights", FACTS_DOUBT,
			 "run as root (sudo), or measure the governor in use with --governors "
			 "current; energy and CPU counters may be closed as well",
			 "user %d: may not switch the governor", (int)geteuid());
}

/* Only root can look into the journal's folder. */
static bool may_look(const struct root *root)
{
	return !root_exists(root, JOURNAL_DIR) ||
	       !faccessat(root->fd, JOURNAL_DIR, X_OK, AT_EACCESS);
}

int facts_runner(struct facts *f)
{
	bool journal;
	int err = lock_probe(f->root);

	if (err == -EBUSY)
		return facts_add(f, "runner", "other runner", FACTS_DOUBT,
				 "wait for it: one runner measures at a time", "%s", error_text());
	journal = root_exists(f->root, JOURNAL);
	if (journal)
		return facts_add(f, "runner", "other runner", FACTS_DOUBT,
				 "./runner restore (a new run does the same first)",
				 "none at work, but an interrupted one left settings changed: "
				 "%s/" JOURNAL,
				 f->root->path);
	return facts_add(f, "runner", "other runner", FACTS_OK, NULL, "none at work%s",
			 may_look(f->root) ? ", nothing left to restore"
					   : "; only root sees whether one left a journal");
}

/* The same limit above which a run is marked. */
#define LOAD_DOUBT_CPUS 0.2
#define LOAD_LOOK_NS 300000000u

int facts_load(struct facts *f)
{
	struct load load;
	double cpus;

	if (load_look(f->root, LOAD_LOOK_NS, true, &load))
		return facts_add(f, "load", "other load", FACTS_MISSING, NULL, "not known: %s",
				 error_text());
	cpus = load.share * (double)f->cpus.n;
	return facts_add(f, "load", "other load", cpus > LOAD_DOUBT_CPUS ? FACTS_DOUBT : FACTS_OK,
			 cpus > LOAD_DOUBT_CPUS ? "stop it or wait: a run with that much beside it "
						  "is marked"
						: NULL,
			 "%.2f of %zu CPUs busy for 0.3 s%s%s", cpus, f->cpus.n,
			 load.busiest[0] ? ": " : "", load.busiest);
}

int facts_trace(struct facts *f)
{
	static const char *const folder[] = { TRACING, "sys/kernel/debug/tracing" };
	char path[64];

	for (size_t i = 0; i < sizeof(folder) / sizeof(folder[0]); i++) {
		snprintf(path, sizeof(path), "%s/events/power/cpu_idle", folder[i]);
		if (root_exists(f->root, path))
			return facts_add(f, "trace", "idle tracing", FACTS_OK, NULL,
					 "power:cpu_idle in %s/%s", f->root->path, folder[i]);
	}
	if (tracefs_is_locked(f->root))
		return facts_add(
			f, "trace", "idle tracing", FACTS_MISSING,
			"record --formats DIR: copies from a boot of this kernel that is not",
			"the kernel is locked down (confidentiality): no tracepoints are shown");
	if (f->root->live && geteuid())
		return facts_add(f, "trace", "idle tracing", FACTS_MISSING,
				 "as root: mount -t tracefs tracefs /" TRACING,
				 "power:cpu_idle is not seen by this user, or tracefs not mounted");
	snprintf(path, sizeof(path), "%s/trace", TRACING);
	if (root_exists(f->root, path))
		return facts_add(f, "trace", "idle tracing", FACTS_MISSING,
				 "a kernel with CONFIG_EVENT_TRACING=y has it",
				 "tracefs has no event power:cpu_idle");
	if (!root_exists(f->root, TRACING))
		return facts_add(f, "trace", "idle tracing", FACTS_MISSING,
				 "a kernel with CONFIG_FTRACE=y has it", "no %s/" TRACING,
				 f->root->path);
	return facts_add(f, "trace", "idle tracing", FACTS_MISSING,
			 "mount -t tracefs tracefs /" TRACING, "tracefs is not mounted");
}
