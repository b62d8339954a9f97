/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast the CPUs may run, and who decides it: cpufreq's policies (P-43).
 *
 * The live machine is read through libcpupower; a dumped one from its files, which the library,
 * with its fixed paths, cannot see. Setting goes through hw/undo.h and never through libcpupower:
 * its setter writes at once, so a SIGKILL behind it would leave the machine changed with nothing
 * in the journal.
 */
#ifndef HW_CPUFREQ_H
#define HW_CPUFREQ_H

#include "hw/governor.h"
#include "hw/undo.h"
#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPUFREQ_TEXT_MAX 32 /* drivers, EPP words, status words, with the NUL */

struct cpufreq_khz {
	uint64_t khz; /* > 0 when known */
	bool known;
};

/* One policy; "" in a text and known = false are "not available". */
struct cpufreq_settings {
	int cpu; /* the one that was asked */
	int policy; /* N of policyN, -1 = the kernel shows no such folder */
	struct cpulist cpus; /* online CPUs that the policy governs */
	char driver[CPUFREQ_TEXT_MAX]; /* "intel_pstate", "acpi-cpufreq" */
	char governor[GOVERNOR_NAME_MAX];
	struct governor_list available;
	struct cpufreq_khz min, max; /* limits in force */
	struct cpufreq_khz hardware_min, hardware_max;
	struct cpufreq_khz now; /* what the kernel believes at this moment: no measurement */
	char epp[CPUFREQ_TEXT_MAX]; /* energy_performance_preference: a word or 0 to 255 */
	char turbo[4]; /* "on", "off": no_turbo and both boost switches taken together */
	char pstate_status[CPUFREQ_TEXT_MAX]; /* "active", "passive", "guided", "off" */
	char hwp[4]; /* Intel: "on", "off" */
};

struct cpufreq_policies {
	struct cpufreq_settings *policy; /* by ascending first CPU */
	size_t n;
};

/*
 * The policy of @cpu; free it with cpufreq_settings_free(). -ENODEV with the reason when this CPU
 * has no cpufreq.
 */
int cpufreq_read(const struct root *root, int cpu, struct cpufreq_settings *ret);
void cpufreq_settings_free(struct cpufreq_settings *settings);

/* Each policy of the online CPUs once. -ENODEV with the reason when there is none. */
int cpufreq_policies(const struct root *root, struct cpufreq_policies *ret);
void cpufreq_policies_free(struct cpufreq_policies *policies);

/*
 * One line for people: "cpu0-3: acpi-cpufreq schedutil 800000..4100000 kHz turbo on; cpu4: ...",
 * policies that are set alike joined. malloc'ed, NULL when out of memory.
 */
char *cpufreq_describe(const struct cpufreq_policies *policies);

/*
 * True with a sentence when frequency scaling can stand between idle governors and a figure
 * (P-43): a governor other than performance, or policies that are set differently.
 */
bool cpufreq_confounds(const struct cpufreq_policies *policies, char *text, size_t size);

/*
 * 0 when every policy offers @name; a usage error with "did you mean", or with what would bring it,
 * when one does not.
 */
int cpufreq_check_governor(const struct root *root, const struct cpufreq_policies *policies,
			   const char *name);

/*
 * Sets the governor of all policies, journaled, read back each, and at the end read back as
 * cpufreq_read() reads. @before is the machine as it was before the first change: the drivers of
 * both Intel and AMD move the energy performance preference to "performance" with that governor,
 * and not all move it back, so the old preference is journaled as well, and written again with any
 * other governor. Names are checked before anything is written. After an error some policies may
 * be changed; undo_finish() has them all. Errors of cpufreq_check_governor() and undo_write().
 */
int cpufreq_set_governor(struct undo *undo, const struct root *root,
			 const struct cpufreq_policies *before, const char *name);

/* 0 while every policy has that governor; -EBADMSG with the first that has not: a doubt. */
int cpufreq_holds_governor(const struct root *root, const char *name);

#endif
