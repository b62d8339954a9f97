/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help of every workload: each row of its tables is there, nothing is wider than 80 columns. */
#include "workloads/options.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char text[65536];

/* What options_help() prints. */
static void capture(const struct workload *workload)
{
	FILE *file = tmpfile();
	int kept = dup(STDOUT_FILENO);
	size_t n;

	assert_non_null(file);
	fflush(stdout);
	assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0);
	options_help(workload);
	fflush(stdout);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = 0;
	fclose(file);
}

/* A line that begins with @name as a word of its own. */
static void assert_row(const char *prefix, const char *name)
{
	char row[128];

	snprintf(row, sizeof(row), "\n  %s%s", prefix, name);
	for (const char *at = strstr(text, row); at; at = strstr(at + 1, row)) {
		if (strchr(" ,\n", at[strlen(row)]))
			return;
	}
	fail_msg("no row '%s%s'", prefix, name);
}

static void check_params(const struct param *params)
{
	for (; params->name; params++) {
		assert_row(params->placement ? "" : "--", params->name);
		if (params->fallback)
			assert_non_null(strstr(text, params->fallback));
		if (params->choices)
			assert_non_null(strstr(text, params->choices));
	}
}

static void test_rows(void **state)
{
	static const char *const fixed[] = { "output", "sync-fd", "unbound", "help" };

	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *workload = workload_table[i];
		struct workload_needs needs;

		capture(workload);
		check_params(workload->params);
		for (const struct metric *m = workload->metrics; m->name; m++)
			assert_row("", m->name);
		for (size_t f = 0; f < sizeof(fixed) / sizeof(fixed[0]); f++)
			assert_row("--", fixed[f]);
		assert_row("--", "window");
		assert_int_equal(workload_default_needs(workload, &needs), 0);
		assert_non_null(
			strstr(text, needs.timer_based ? "Timer based: yes" : "Timer based: no"));
		assert_non_null(strstr(text, "Exit status: 0 "));
	}
}

static void test_width(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		size_t width;

		capture(workload_table[i]);
		for (const char *line = text; *line; line += width + 1) {
			width = strcspn(line, "\n");
			assert_true(width <= 80);
			assert_true(!width || line[width - 1] != ' ');
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_width),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
