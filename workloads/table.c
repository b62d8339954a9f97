/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all workloads, made from workloads.def, and the look-up by name. */
#include "workloads/workload.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <string.h>

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads/workloads.def"
#undef WORKLOAD

#define WORKLOAD(name) &workload_##name,
const struct workload *const workload_table[] = {
#include "workloads/workloads.def"
	NULL,
};
#undef WORKLOAD

#define TABLE_ROWS (sizeof(workload_table) / sizeof(workload_table[0]) - 1)

const struct workload *workload_find(const char *name)
{
	const char *known[TABLE_ROWS];
	char hint[128];

	for (size_t i = 0; i < TABLE_ROWS; i++) {
		if (!strcmp(workload_table[i]->name, name))
			return workload_table[i];
		known[i] = workload_table[i]->name;
	}
	error_usage("unknown workload '%s'%s", name,
		    suggest_text(name, known, TABLE_ROWS, hint, sizeof(hint)));
	return NULL;
}
