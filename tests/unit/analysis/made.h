/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results made in memory, with known values, for tests of what is built from a result. load_free()
 * is not to see them: their texts are constants.
 */
#ifndef TESTS_UNIT_ANALYSIS_MADE_H
#define TESTS_UNIT_ANALYSIS_MADE_H

#include "analysis/section.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))
#define RUNS_MAX 512

struct made {
	struct result result;
	struct loaded_run run[RUNS_MAX];
	struct metric_value metric[RUNS_MAX];
	struct store_pair axis[RUNS_MAX][2];
	struct boot boot[2];
	struct table table;
};

static inline struct made *make(const char *governors)
{
	static struct made made;

	memset(&made, 0, sizeof(made));
	made.result.run = made.run;
	made.result.boot = made.boot;
	made.result.boots = 1;
	made.boot[0].release = "6.18";
	made.boot[0].machine = "";
	made.boot[1].release = "6.19";
	made.boot[1].machine = "";
	made.result.campaign.governors = (char *)governors;
	made.result.campaign.reference = (char *)"menu";
	return &made;
}

/* A complete run of section "s" with one metric; @work NULL = no axis. */
static inline struct loaded_run *add(struct made *m, const char *label, const char *work,
				     int repeat, double value)
{
	size_t i = m->result.runs++;
	struct loaded_run *run = &m->run[i];

	assert_true(i < RUNS_MAX);
	run->info.section = (char *)"s";
	run->info.point = (char *)(work ? work : "");
	run->info.label = run->info.governor = (char *)label;
	run->info.workload = (char *)"w";
	run->info.repeat = repeat;
	run->info.axis = m->axis[i];
	run->info.axes = work ? 1 : 0;
	m->axis[i][0] = (struct store_pair){ (char *)"work", (char *)work };
	m->metric[i] = (struct metric_value){ "loop_us", "us", "lower", value };
	run->metric = &m->metric[i];
	run->metrics = 1;
	run->power = (struct energy_power){ NAN, NAN, NAN, "none", "" };
	return run;
}

static inline const struct section *build(struct made *m)
{
	assert_int_equal(section_build(&m->result, &m->table), 0);
	assert_int_equal(m->table.sections, 1);
	return &m->table.section[0];
}

static inline void done(struct made *m)
{
	pool_free(&m->result.pool);
}

#endif
