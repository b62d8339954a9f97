/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suite files, and the plan that is made of one. Input: the file's text; behind a NUL byte each,
 * --set pairs. A refusal is a usage error that begins with the file's name or with --set.
 */
#include "fuzz.h"
#include "run/plan.h"
#include "run/suite.h"

#define PATH "fuzz.ini"
#define SETS_MAX 4
#define CELLS_MAX 512 /* larger plans only cost time */

static size_t points_of(const struct suite_section *s)
{
	size_t n = 1;

	for (size_t p = 0; p < param_count(s->params) && n <= CELLS_MAX; p++)
		n *= s->sweep[p].n ? s->sweep[p].n + 1 : 1; /* "each" is two */
	return n;
}

/* A point's text is part of its identity: two points of a section never have the same one. */
static void check_points(const struct plan *plan)
{
	for (size_t i = 0; i < plan->points; i++)
		for (size_t j = 0; j < i; j++)
			FUZZ_CHECK(plan->point[i].section != plan->point[j].section ||
				   strcmp(plan->point[i].text, plan->point[j].text));
}

static void make_plan(const struct suite *suite)
{
	bool named = strcmp(suite->governors, "available") && strcmp(suite->governors, "current");
	struct plan_request request = {
		.governors = named ? suite->governors : "menu,teo",
		.repeat = suite->repeat < 3 ? suite->repeat : 3,
		.order = suite->order,
		.seed = 1,
		.states = 6, /* state1 and state2 */
	};
	struct plan plan;
	size_t n = 0;
	int err;

	for (size_t i = 0; i < suite->sections; i++)
		n += points_of(&suite->section[i]);
	if (n > CELLS_MAX)
		return;
	err = plan_make(suite, &request, &plan);
	if (err) {
		fuzz_check_error(err);
		return;
	}
	check_points(&plan);
	for (size_t i = 0; i < plan.cells; i++) {
		char *name = plan_cell_name(&plan, &plan.cell[i]);

		FUZZ_CHECK(name && !strchr(name, '/') && name[0] != '.');
		free(name);
	}
	for (size_t i = 0; i < plan.points; i++) {
		FUZZ_CHECK(plan_window_ns(&plan, i, -1) > 0 || plan_by_loops(&plan, i));
		FUZZ_CHECK(plan_warmup_ns(&plan, i, -1) >= 0);
	}
	plan_free(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const char *set[SETS_MAX];
	struct suite suite;
	int sets = 0, err;

	for (char *at = text + strlen(text); at < text + size && sets < SETS_MAX;
	     at += strlen(at)) {
		at++;
		set[sets++] = at;
	}
	err = suite_parse(PATH, text, set, sets, &suite);
	if (err) {
		FUZZ_CHECK(err < 0 && error_is_usage());
		FUZZ_CHECK(!strncmp(error_text(), PATH ":", strlen(PATH) + 1) ||
			   !strncmp(error_text(), "--set ", 6));
	} else {
		FUZZ_CHECK(suite.sections > 0 && !strcmp(suite.text, text));
		make_plan(&suite);
		suite_free(&suite);
	}
	free(text);
	return 0;
}
