/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latency limits that others have set, and the idle states that they forbid (P-42): governors never
 * choose a state whose exit latency is above the limit. The devices' files are opened to read and
 * closed at once, never written: whoever holds one with a value in it sets a limit.
 */
#ifndef HW_QOS_H
#define HW_QOS_H

#include "hw/cpuidle.h"
#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QOS_WHERE_MAX 64

struct qos_limit {
	bool known; /* false = no such file, or it cannot be read */
	bool unreadable; /* not known, but the file is there: it may hold a limit */
	bool none; /* nobody set one */
	uint32_t us; /* otherwise; 0 = no latency at all */
};

struct qos {
	struct qos_limit dma; /* /dev/cpu_dma_latency: of all CPUs */
	struct qos_limit wakeup; /* /dev/cpu_wakeup_latency, since 6.19: likewise */
	struct qos_limit *resume; /* cpuN/power/pm_qos_resume_latency_us, by place in cpus */
	struct cpulist cpus;
};

/* A missing file is no error: -ENOMEM only. */
int qos_read(const struct root *root, const struct cpulist *cpus, struct qos *ret);
void qos_free(struct qos *qos);

/*
 * The smallest limit for the CPU at place @i of cpus; @where (QOS_WHERE_MAX bytes) names its file,
 * "" when there is none. "None" is known only when every file that is there could be read, and
 * /dev/cpu_dma_latency is one of them: as a user, or in a container, it often is not.
 */
struct qos_limit qos_smallest(const struct qos *qos, size_t i, char *where);

/* The smallest over all CPUs of the list, and the first place that has it. */
struct qos_limit qos_smallest_of_all(const struct qos *qos, char *where);

/*
 * Bits (by position) of the enabled states that @limit forbids. Never the first: a CPU that may
 * not wait at all still has to idle somewhere. A state of unknown latency is forbidden by 0 only.
 */
unsigned int qos_forbids(const struct qos_limit *limit, const struct cpuidle_state *state,
			 int states);

/*
 * True with a sentence for the first CPU of @cpuidle that has a forbidden state: "cpu0: C6 (133 us)
 * is forbidden by a limit of 100 us in /dev/cpu_dma_latency, which pid 812 (tuned) has open". A
 * CPU that @qos does not have is judged by the limits of all CPUs.
 */
bool qos_explain(const struct root *root, const struct qos *qos, const struct cpuidle *cpuidle,
		 char *text, size_t size);

/* "pid 812 (tuned), pid 900 (pipewire)": who has that file open, as far as this user may look. ""
 * when nobody is seen. Walks /proc: only when there is a limit. @path as "dev/cpu_dma_latency". */
void qos_holders(const struct root *root, const char *path, char *text, size_t size);

/* "none", "20", or "" when not known: for host.ini. */
const char *qos_limit_text(const struct qos_limit *limit, char text[16]);

#endif
