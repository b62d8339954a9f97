/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all workloads, made from workloads.def, the look-up by name, and questions that each
 * answers. */
#include "workloads/workload.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include "workloads/work.h"
#include <stdlib.h>
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

bool workload_needs_calibration(const struct workload *workload, const struct param_value *values)
{
	const struct param *params = workload->params;

	for (size_t i = 0; params[i].name; i++) {
		if (values[i].set &&
		    (params[i].calibrated || (params[i].type == PARAM_WORK && values[i].is_time)))
			return true;
	}
	return false;
}

int workload_resolve(const struct workload *workload, struct param_value *values,
		     double ns_per_unit, size_t cpus)
{
	const struct param *params = workload->params;

	for (size_t i = 0; params[i].name; i++) {
		if (params[i].type != PARAM_WORK || !values[i].set || !values[i].is_time)
			continue;
		values[i].number = (double)work_units(values[i].number, ns_per_unit);
		values[i].is_time = false;
		values[i].given = true; /* a default too is the same count in every run */
	}
	return workload->resolve ? workload->resolve(values, ns_per_unit, cpus) : 0;
}

int workload_check_window(double needed_ns, double window_ns)
{
	char has[32], wants[32];

	if (window_ns >= needed_ns)
		return 0;
	units_format_time(window_ns, 6, has, sizeof(has));
	units_format_time(needed_ns, 6, wants, sizeof(wants));
	return error_usage("a window of %s is too short, with these parameters it takes %s", has,
			   wants);
}

int workload_default_needs(const struct workload *workload, struct workload_needs *ret)
{
	struct param_value *values = calloc(param_count(workload->params) + 1, sizeof(*values));
	int rc = values ? param_defaults(workload->params, values) : error_no_memory();

	if (!rc)
		rc = workload->needs(values, ret);
	free(values);
	return rc;
}
