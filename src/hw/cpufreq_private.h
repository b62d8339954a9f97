/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cpufreq.c (reading) and cpufreq_set.c (setting) share; for those two only. */
#ifndef HW_CPUFREQ_PRIVATE_H
#define HW_CPUFREQ_PRIVATE_H

#include "hw/cpufreq.h"

/* Holds "sys/devices/system/cpu/cpu65535/cpufreq/energy_performance_preference" and some. */
#define CPUFREQ_PATH_MAX 128

/*
 * A file of the policy. By policyN where there is one: that folder stays when the CPU that was
 * asked goes offline, cpuN/cpufreq does not.
 */
void cpufreq_path(char path[CPUFREQ_PATH_MAX], const struct cpufreq_settings *settings,
		  const char *file);

/* -ENODEV with the reason. */
int cpufreq_none(const struct root *root, int cpu);

#endif
