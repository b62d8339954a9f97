/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs are of the same cell: spoilt ones that were measured again, copies, and two boots. */
#include "analysis/load.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RUNS_MAX 16

struct made {
	struct result result;
	struct loaded_run run[RUNS_MAX];
	struct source source[2];
};

static struct made made;

static struct made *make(void)
{
	memset(&made, 0, sizeof(made));
	made.result.run = made.run;
	made.result.source = made.source;
	made.result.sources = 2;
	return &made;
}

/* A run of section "s"; its texts are its own, as load_cells() frees those of a copy. */
static struct loaded_run *add(struct made *m, const char *name, const char *label, int boot,
			      enum store_state state)
{
	struct loaded_run *run = &m->run[m->result.runs++];

	run->name = name;
	run->boot = boot;
	run->info.number = (int)strtol(name, NULL, 10);
	run->info.section = strdup("s");
	run->info.point = strdup("");
	run->info.label = strdup(label);
	run->info.repeat = 1;
	run->info.state = state;
	return run;
}

static void done(struct made *m)
{
	for (size_t i = 0; i < m->result.runs; i++)
		store_run_free(&m->run[i].info);
	pool_free(&m->result.pool);
}

static void spoilt_runs_are_replaced_by_a_complete_one(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "0001.s.menu.r1.void-1", "menu", 0, STORE_VOID);
	add(m, "0001.s.menu.r1", "menu", 1, STORE_COMPLETE); /* after a reboot */
	add(m, "0002.s.teo.r1.failed-1", "teo", 0, STORE_FAILED);
	add(m, "0002.s.teo.r1.failed-2", "teo", 0, STORE_FAILED);
	add(m, "0003.s.menu.r2.void-1", "menu", 0, STORE_VOID)->info.repeat = 2;
	load_cells(&m->result);
	assert_int_equal(m->result.runs, 5);
	assert_true(m->run[0].replaced);
	assert_false(m->run[1].replaced);
	assert_false(m->run[2].replaced);
	assert_false(m->run[3].replaced);
	assert_false(m->run[4].replaced);
	assert_int_equal(m->source[0].cells_met, 3);
	assert_int_equal(m->result.brokens, 0);
	done(m);
}

static void the_second_of_two_complete_runs_is_a_duplicate(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "0009.s.menu.r1", "menu", 0, STORE_COMPLETE);
	add(m, "0002.s.teo.r1", "teo", 0, STORE_COMPLETE);
	add(m, "0001.s.menu.r1", "menu", 0, STORE_COMPLETE);
	add(m, "0001.s.menu.r1", "menu", 1, STORE_COMPLETE); /* another boot's is none */
	add(m, "0003.s.menu.r1", "menu", 0, STORE_COMPLETE)->info.cpufreq_governor = strdup("x");
	load_cells(&m->result);
	assert_int_equal(m->result.runs, 4);
	assert_string_equal(m->run[0].name, "0002.s.teo.r1");
	assert_string_equal(m->run[1].name, "0001.s.menu.r1");
	assert_int_equal(m->result.brokens, 1);
	assert_string_equal(m->result.broken[0].name, "0009.s.menu.r1");
	assert_string_equal(m->result.broken[0].state, "duplicate");
	assert_string_equal(m->result.broken[0].reason, "the same cell as 0001.s.menu.r1");
	assert_int_equal(m->source[0].cells_met, 3);
	done(m);
}

static void damaged_runs_fill_a_cell_once(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "0001.s.menu.r1", "menu", 0, STORE_COMPLETE);
	load_break(&m->result, 0, "0001.s.menu.r1.void-1", "damaged", "cut");
	load_break(&m->result, 0, "0002.s.teo.r1.failed-1", "damaged", "cut");
	load_break(&m->result, 0, "0002.s.teo.r1", "damaged", "cut");
	load_break(&m->result, 0, "0003.s.teo.r10", "damaged", "cut");
	load_cells(&m->result);
	assert_int_equal(m->source[0].cells_met, 3);
	assert_int_equal(m->result.brokens, 4);
	done(m);
}

static void results_have_cells_of_their_own(void **state)
{
	struct made *m = make();

	(void)state;
	add(m, "0001.s.menu.r1", "menu", 0, STORE_COMPLETE);
	add(m, "0001.s.menu.r1", "menu", 1, STORE_COMPLETE)->source = 1;
	add(m, "0002.s.menu.r1.void-1", "menu", 1, STORE_VOID)->source = 1;
	load_break(&m->result, 0, "0002.s.teo.r1", "damaged", "cut");
	load_break(&m->result, 1, "0002.s.teo.r1", "damaged", "cut");
	load_break(&m->result, 1, "campaign.ini", "damaged", "cut"); /* is no cell */
	load_cells(&m->result);
	assert_int_equal(m->result.runs, 3);
	assert_false(m->run[0].replaced);
	assert_true(m->run[2].replaced);
	assert_int_equal(m->source[0].cells_met, 2);
	assert_int_equal(m->source[1].cells_met, 2);
	done(m);
}

static void pending_cells_are_those_of_governors_that_are_there(void **state)
{
	struct made *m = make();
	struct gap gap = { .source = 1, .governor = "ladder" };

	(void)state;
	m->source[0].campaign.governors = (char *)"menu,teo";
	m->source[0].campaign.cells = 10;
	m->source[0].cells_met = 7;
	m->source[1].campaign.governors = (char *)"menu,teo,ladder";
	m->source[1].campaign.cells = 30;
	m->source[1].cells_met = 20;
	m->result.gap = &gap;
	m->result.gaps = 1;
	load_pending(&m->result);
	assert_int_equal(m->source[0].pending, 3);
	assert_int_equal(m->source[1].pending, 0);
	assert_int_equal(m->result.pending, 3);
	done(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spoilt_runs_are_replaced_by_a_complete_one),
		cmocka_unit_test(the_second_of_two_complete_runs_is_a_duplicate),
		cmocka_unit_test(damaged_runs_fill_a_cell_once),
		cmocka_unit_test(results_have_cells_of_their_own),
		cmocka_unit_test(pending_cells_are_those_of_governors_that_are_there),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
