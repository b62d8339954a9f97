/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published figures and what the model makes of them, side by side: computes the table of
 * docs/model.md and holds that file to it, so that it cannot become stale. With IDLE_MODEL_TABLE=1
 * the rows are printed as they should stand there. Then the directions: who is faster or needs
 * less.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "modelled.h"

#define ROWS_MAX 4
#define DOC_OFF 0.02 /* a compiler's rounding may send a run another way */

struct figure {
	const char *test, *workload, *params, *metric, *unit;
	double window_s;
	int seeds; /* 0 = 1; else the mean over so many */
	const char *machine; /* NULL = i5-10600k */
	struct {
		const char *governor;
		double published; /* NAN: none, for a comparison only */
	} row[ROWS_MAX];
};

#define RUN(w, p) .workload = w, .params = p
#define PAIRS(work) RUN("ping-pong", "pairs=2 affinity=free work=" work)
#define SIX_PAIRS RUN("ping-pong", "pairs=6 affinity=free work=0")
#define RING(p) RUN("ping-pong", p)
#define LOADS(p) RUN("periodic", "frequency=347Hz load=3% " p)
#define LOOP .metric = "loop_us", .unit = "us/loop"
#define POWER .metric = "W", .unit = "W"

/* The order is the document's. */
static const struct figure figures[] = {
	{ .test = "8A, 1 load",
	  LOADS("threads=1"),
	  POWER,
	  .window_s = 20,
	  .row = { { "teo-6.3", 16.38 }, { "teo-6.6", 4.29 } } },
	{ .test = "8B, 2 loads",
	  LOADS("threads=2 phase=random"),
	  POWER,
	  .window_s = 10,
	  .seeds = 40,
	  .row = { { "teo-6.3", 18.35 }, { "teo-6.6", 6.67 } } },
	{ .test = "idle", RUN("idle", ""), POWER, .window_s = 60, .row = { { "teo-6.3", 1.42 } } },
	{ .test = "2 pairs fast, 2023",
	  PAIRS("0"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "menu-6.1", 2.97845 },
		   { "teo-6.3", 2.9917 },
		   { "teo-6.6", 3.0723 },
		   { "ladder", 4.077375 } } },
	{ .test = "2 pairs medium, 2023",
	  PAIRS("3000"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "menu-6.1", 11.41905 },
		   { "teo-6.3", 11.36765 },
		   { "teo-6.6", 11.3406 },
		   { "ladder", 11.9535 } } },
	{ .test = "2 pairs slow, 2023",
	  PAIRS("1000000"),
	  LOOP,
	  .window_s = 20,
	  .row = { { "menu-6.1", 2585 },
		   { "teo-6.3", 2566.34 },
		   { "teo-6.6", 2591.7 },
		   { "ladder", 2635.36 } } },
	{ .test = "2 pairs fast, 2022",
	  PAIRS("0"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "ladder", 4.009 },
		   { "ladder-rfc", 3.844 },
		   { "menu-6.1", 2.891 },
		   { "teo-6.1", 3.053 } } },
	{ .test = "2 pairs medium, 2022",
	  PAIRS("3000"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "ladder", 11.8214 },
		   { "ladder-rfc", 11.773 },
		   { "menu-6.1", 11.2971 },
		   { "teo-6.1", 11.355 } } },
	{ .test = "2 pairs slow, 2022",
	  PAIRS("1000000"),
	  LOOP,
	  .window_s = 20,
	  .row = { { "ladder", 2583 },
		   { "ladder-rfc", 2617 },
		   { "menu-6.1", 2596 },
		   { "teo-6.1", 2689 } } },
	{ .test = "ring of 6, 147097",
	  RING("cores=6 work=147097"),
	  LOOP,
	  .window_s = 5,
	  .row = { { "teo-6.3", 1162.13 }, { "teo-6.6", 1266.45 } } },
	{ .test = "ring of 6, 147097",
	  RING("cores=6 work=147097"),
	  POWER,
	  .window_s = 5,
	  .row = { { "teo-6.3", 29.98 }, { "teo-6.6", 30.30 } } },
	{ .test = "ring of 6, 0",
	  RING("cores=6 work=0"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "teo-6.3", 11.918 }, { "ladder", 13.935 } } },
	{ .test = "6 pairs fast, 2025",
	  SIX_PAIRS,
	  LOOP,
	  .window_s = 0.2,
	  .row = { { "menu-6.18", 5.285 }, { "teo-6.14", 5.53 }, { "teo-6.19", 5.54 } } },
	{ .test = "6 pairs fast, 2025",
	  SIX_PAIRS,
	  POWER,
	  .window_s = 0.2,
	  .row = { { "teo-6.14", 100 } } },
	{ .test = "6 pairs fast, 2021",
	  SIX_PAIRS,
	  POWER,
	  .window_s = 0.2,
	  .row = { { "teo-5.13", 97 }, { "menu-6.1", 102 } } },
	{ .test = "2 cores fast, 2025",
	  RING("cores=2 work=0"),
	  LOOP,
	  .window_s = 0.3,
	  .row = { { "teo-6.12", 3.826 }, { "menu-6.13", 4.159 } } },
	{ .test = "500 waiters",
	  RUN("waiters", "affinity=free"),
	  POWER,
	  .window_s = 10,
	  .row = { { "teo-6.3", NAN }, { "teo-6.6", NAN } } },
	{ .test = "pipe on a guest",
	  RING("cores=2 work=0"),
	  LOOP,
	  .window_s = 2,
	  .machine = "haltpoll-guest",
	  .row = { { "menu-6.18", 78.8 }, { "ladder", 89 } } },
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static double modelled_value[FIGURES][ROWS_MAX];

static double mean_of(const struct figure *f, const char *governor)
{
	int seeds = f->seeds ? f->seeds : 1;
	double sum = 0;

	for (int s = 1; s <= seeds; s++) {
		struct model_result *r =
			modelled(f->machine ? f->machine : "i5-10600k", governor, f->workload,
				 f->params, f->window_s, f->window_s >= 10 ? 20 : 0.3, (uint64_t)s);

		sum += metric_of(r, f->metric);
		model_result_free(r);
	}
	return sum / seeds;
}

/* Calls @visit for each row that there is. */
static void for_rows(void (*visit)(const struct figure *f, int row, double *modelled, void *arg),
		     void *arg)
{
	for (size_t i = 0; i < FIGURES; i++) {
		for (int r = 0; r < ROWS_MAX && figures[i].row[r].governor; r++)
			visit(&figures[i], r, &modelled_value[i][r], arg);
	}
}

static void compute_row(const struct figure *f, int row, double *modelled, void *arg)
{
	(void)arg;
	*modelled = mean_of(f, f->row[row].governor);
}

static int compute(void **state)
{
	(void)state;
	for_rows(compute_row, NULL);
	return 0;
}

static void row_head(const struct figure *f, int row, char *text, size_t size)
{
	snprintf(text, size, "| %s | %s | %s |", f->test, f->row[row].governor, f->unit);
}

static void print_row(const struct figure *f, int row, double *modelled, void *arg)
{
	double published = f->row[row].published;
	char head[100];

	(void)arg;
	row_head(f, row, head, sizeof(head));
	if (isnan(published))
		print_message("%s - | %.4g | - |\n", head, *modelled);
	else
		print_message("%s %.7g | %.4g | %+.1f |\n", head, published, *modelled,
			      100 * (*modelled / published - 1));
}

static void print_rows(void **state)
{
	(void)state;
	if (!getenv("IDLE_MODEL_TABLE"))
		return;
	print_message("| test | governor | unit | published | MODELLED | off %% |\n");
	for_rows(print_row, NULL);
}

/* The document's row that begins so. */
static bool find_row(FILE *doc, const char *head, char *line, int size)
{
	rewind(doc);
	while (fgets(line, size, doc)) {
		if (!strncmp(line, head, strlen(head)))
			return true;
	}
	return false;
}

static void check_row(const struct figure *f, int row, double *modelled, void *doc)
{
	double published = f->row[row].published, said = NAN, computed = NAN;
	char head[100], line[400];

	row_head(f, row, head, sizeof(head));
	if (!find_row(doc, head, line, sizeof(line)))
		fail_msg("docs/model.md has no row '%s'", head);
	if (isnan(published)) {
		assert_int_equal(sscanf(line + strlen(head), " - | %lf", &computed), 1);
	} else {
		assert_int_equal(sscanf(line + strlen(head), "%lf | %lf", &said, &computed), 2);
		if (fabs(said / published - 1) > 1e-6)
			fail_msg("%s published is %g, not %g", head, published, said);
	}
	if (fabs(computed / *modelled - 1) > DOC_OFF)
		fail_msg("%s is %g now, not %g: IDLE_MODEL_TABLE=1 prints the rows", head,
			 *modelled, computed);
}

static void document_is_current(void **state)
{
	FILE *doc = fopen("docs/model.md", "r");

	(void)state;
	assert_non_null(doc);
	for_rows(check_row, doc);
	fclose(doc);
}

static double value(const char *test, const char *governor, const char *unit)
{
	for (size_t i = 0; i < FIGURES; i++) {
		if (strcmp(figures[i].test, test) || strcmp(figures[i].unit, unit))
			continue;
		for (int r = 0; r < ROWS_MAX && figures[i].row[r].governor; r++) {
			if (!strcmp(figures[i].row[r].governor, governor))
				return modelled_value[i][r];
		}
	}
	fail_msg("no figure %s %s", test, governor);
	return NAN;
}

/*
 * Governors from the lowest to the highest figure, as published; published orders that the model
 * misses are told in the document instead.
 */
static const struct order {
	const char *test, *unit, *governor[4];
	double apart_pct; /* the least that a step is to be, in percent */
} orders[] = {
	{ "8A, 1 load", "W", { "teo-6.6", "teo-6.3" }, 100 },
	{ "8B, 2 loads", "W", { "teo-6.6", "teo-6.3" }, 100 },
	{ "2 pairs fast, 2023", "us/loop", { "menu-6.1", "teo-6.6", "ladder" }, 1 },
	{ "2 pairs fast, 2023", "us/loop", { "teo-6.3", "teo-6.6", "ladder" }, 1 },
	{ "2 pairs fast, 2022", "us/loop", { "menu-6.1", "ladder-rfc" }, 20 },
	{ "2 pairs fast, 2022", "us/loop", { "teo-6.1", "ladder" }, 20 },
	{ "2 pairs medium, 2023", "us/loop", { "teo-6.3", "menu-6.1", "ladder" }, 1 },
	{ "2 pairs medium, 2023", "us/loop", { "teo-6.6", "menu-6.1" }, 1 },
	{ "2 pairs medium, 2022", "us/loop", { "menu-6.1", "ladder-rfc" }, 1 },
	{ "2 pairs medium, 2022", "us/loop", { "teo-6.1", "ladder-rfc" }, 1 },
	{ "2 pairs slow, 2023", "us/loop", { "teo-6.3", "ladder" }, 0.5 },
	{ "2 pairs slow, 2023", "us/loop", { "teo-6.3", "menu-6.1" }, 0.5 },
	{ "2 pairs slow, 2023", "us/loop", { "teo-6.3", "teo-6.6" }, 0.5 },
	{ "2 pairs slow, 2022", "us/loop", { "ladder", "ladder-rfc" }, 0.5 },
	{ "ring of 6, 147097", "us/loop", { "teo-6.3", "teo-6.6" }, 7 },
	{ "ring of 6, 0", "us/loop", { "teo-6.3", "ladder" }, 10 },
	{ "6 pairs fast, 2025", "us/loop", { "menu-6.18", "teo-6.14" }, 3 },
	{ "6 pairs fast, 2021", "W", { "teo-5.13", "menu-6.1" }, 1 },
	{ "2 cores fast, 2025", "us/loop", { "teo-6.12", "menu-6.13" }, 5 },
	{ "500 waiters", "W", { "teo-6.6", "teo-6.3" }, 0 },
	{ "pipe on a guest", "us/loop", { "menu-6.18", "ladder" }, 1 },
};

static void directions(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		const struct order *o = &orders[i];

		for (int g = 0; g < 3 && o->governor[g + 1]; g++) {
			double a = value(o->test, o->governor[g], o->unit);
			double b = value(o->test, o->governor[g + 1], o->unit);

			if (!(b > a * (1 + o->apart_pct / 100)))
				fail_msg("%s: %s %g, %s %g", o->test, o->governor[g], a,
					 o->governor[g + 1], b);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(print_rows),
		cmocka_unit_test(document_is_current),
		cmocka_unit_test(directions),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, compute, NULL);
}
