/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cpuidle.c (counters) and cpuidle_table.c (state tables) share; for those two only. */
#ifndef HW_CPUIDLE_PRIVATE_H
#define HW_CPUIDLE_PRIVATE_H

#include "hw/cpuidle.h"

/* Holds "sys/devices/system/cpu/cpu65535/cpuidle/state9999/default_status" and some. */
#define CPUIDLE_PATH_MAX 128

void cpuidle_state_path(char path[CPUIDLE_PATH_MAX], int cpu, int index, const char *file);

/* Fills cpu, states and state[] of *ret, not its descriptors. -ENODEV with the reason when the CPU
 * has no state. */
int cpuidle_read_table(const struct root *root, int cpu, struct cpuidle_cpu *ret);

#endif
