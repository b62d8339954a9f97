/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of what a workload asks of placement: settings as a suite has them, over the defaults.
 */
#ifndef TESTS_UNIT_WORKLOADS_ASK_H
#define TESTS_UNIT_WORKLOADS_ASK_H

#include "lib/error.h"
#include "workloads/workload.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Parses "key=value key=value" over the defaults into @values, of 64. */
static inline const struct workload *ask_values(const char *name, const char *settings,
						struct param_value *values)
{
	const struct workload *workload = workload_find(name);
	char copy[256], *save = NULL;

	assert_non_null(workload);
	assert_int_equal(param_defaults(workload->params, values), 0);
	snprintf(copy, sizeof(copy), "%s", settings);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		int row;

		assert_non_null(value);
		*value++ = 0;
		row = param_find(workload->params, word);
		assert_true(row >= 0);
		assert_int_equal(param_parse(&workload->params[row], value, &values[row]), 0);
	}
	error_clear();
	return workload;
}

/* The same, and asks for the needs. */
static inline int ask(const char *name, const char *settings, struct workload_needs *ret)
{
	struct param_value values[64];

	return ask_values(name, settings, values)->needs(values, ret);
}

#endif
