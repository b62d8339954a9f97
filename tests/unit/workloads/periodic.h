/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of periodic share: its parameters from "key=value key=value", resolved or not. */
#ifndef TESTS_PERIODIC_H
#define TESTS_PERIODIC_H

#include "workloads/periodic.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Its own table, by its place in workloads.def. */
static inline const struct workload *periodic_workload(void)
{
	const struct workload *workload = workload_find("periodic");

	assert_non_null(workload);
	return workload;
}

static inline void periodic_parse(const char *settings, struct param_value *values)
{
	const struct param *params = periodic_workload()->params;
	char copy[256], *save = NULL;

	assert_int_equal(param_defaults(params, values), 0);
	snprintf(copy, sizeof(copy), "%s", settings);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		int row;

		assert_non_null(value);
		*value++ = 0;
		row = param_find(params, word);
		assert_true(row >= 0);
		assert_int_equal(param_parse(&params[row], value, &values[row]), 0);
	}
}

/* A driver as it is when tasks begin; a work unit takes @ns_per_unit. */
static inline void periodic_drive(struct driver *driver, struct param_value *values,
				  const char *settings, double ns_per_unit)
{
	periodic_parse(settings, values);
	*driver = (struct driver){ .workload = periodic_workload(), .values = values };
	assert_int_equal(driver->workload->needs(values, &driver->needs), 0);
	assert_int_equal(workload_resolve(driver->workload, values, ns_per_unit, 1), 0);
	if (values[PERIODIC_LOOPS].set)
		driver->loops = (uint64_t)values[PERIODIC_LOOPS].number;
}

#endif
