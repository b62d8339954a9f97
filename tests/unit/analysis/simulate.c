/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: a machine's text is that machine again, its /sys says what it is, and a run's tables
 * have what the model counted and nothing that it does not know. Run from the project's root.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/simulate.h"
#include "analysis/simulate_write.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct machine loaded(const char *name, const char *const *set, size_t sets)
{
	struct machine machine;

	if (machine_load(name, set, sets, &machine))
		fail_msg("%s: %s", name, error_text());
	return machine;
}

static void assert_same(const struct machine *a, const struct machine *b)
{
	char *x = simulate_constants(a, NULL), *y = simulate_constants(b, NULL);

	assert_non_null(x);
	assert_string_equal(x, y);
	free(x);
	free(y);
	assert_memory_equal(a->table.latency_ns, b->table.latency_ns, sizeof(a->table.latency_ns));
	assert_memory_equal(a->table.residency_ns, b->table.residency_ns,
			    sizeof(a->table.residency_ns));
	assert_int_equal(a->table.tick_ns, b->table.tick_ns);
	assert_int_equal(a->has_energy, b->has_energy);
	assert_int_equal(a->disabled, b->disabled);
	assert_int_equal(a->model.deep, b->model.deep);
	assert_int_equal(a->model.send_ns, b->model.send_ns);
	assert_true(a->model.unit_ns == b->model.unit_ns);
}

static void text_is_machine(void **state)
{
	DIR *folder = opendir("configs/machines");
	struct dirent *entry;
	int n = 0;

	(void)state;
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		char path[PATH_MAX], *text;
		struct machine machine, again;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "configs/machines/%s", entry->d_name);
		machine = loaded(path, NULL, 0);
		text = simulate_constants(&machine, NULL);
		if (machine_load_text(path, text, NULL, 0, &again))
			fail_msg("%s: %s\n%s", path, error_text(), text);
		assert_same(&machine, &again);
		free(text);
		n++;
	}
	closedir(folder);
	assert_true(n >= 10);
}

static void settings_are_in_it(void **state)
{
	const char *set[] = { "wake=1234ns", "smt_speed=61.5%", "C6.disabled=yes", "hz=250" };
	struct machine machine = loaded("configs/machines/skx.ini", set, 4),
		       plain = loaded("configs/machines/skx.ini", NULL, 0);
	char *text = simulate_constants(&machine, NULL),
	     *flat = simulate_constants(&machine, "model");
	char *before = simulate_constants(&plain, NULL);

	(void)state;
	assert_non_null(strstr(text, "\nwake = 1234ns\n"));
	assert_non_null(strstr(text, "\nsmt_speed = 61.5%\n"));
	assert_non_null(strstr(text, "\nhz = 250\n"));
	assert_non_null(strstr(flat, "\nC6.disabled = yes\n"));
	assert_non_null(strstr(flat, "\n[model]\n"));
	assert_string_not_equal(text, before);
	free(text);
	free(flat);
	free(before);
}

/* What is laid out for the runner reads like a dump of that machine. */
static void laid_out(void **state)
{
	const char *set[] = { "packages=2", "cores=6", "threads=2", "hz=300" };
	struct machine machine = loaded("configs/machines/skx.ini", set, 4), again;
	struct governor_set governors = { .governor = { governor_find("menu-6.18") }, .n = 1 };
	char dir[] = "/tmp/simulate-unit-XXXXXX", *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(simulate_lay_out(&machine, &governors, 0x1234abcd, dir), 0);
	if (simulate_dump(dir, &text))
		fail_msg("%s", error_text());
	if (machine_load_text("skx", text, NULL, 0, &again))
		fail_msg("%s\n%s", error_text(), text);
	free(text);
	assert_int_equal(again.model.packages, 2);
	assert_int_equal(again.model.cores, 6);
	assert_int_equal(again.model.threads, 2);
	assert_int_equal(again.table.states, machine.table.states);
	assert_int_equal(again.table.polling, machine.table.polling);
	assert_memory_equal(again.table.latency_ns, machine.table.latency_ns,
			    sizeof(machine.table.latency_ns));
	assert_memory_equal(again.table.residency_ns, machine.table.residency_ns,
			    sizeof(machine.table.residency_ns));
	assert_int_equal(again.table.tick_ns, machine.table.tick_ns);
	assert_false(again.has_energy); /* no dump knows powers */
	assert_int_equal(file_remove_tree(dir), 0);
}

static void no_cpuidle(void **state)
{
	char dir[] = "/tmp/simulate-unit-XXXXXX", *text;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_true(simulate_dump(dir, &text) < 0);
	assert_int_equal(file_remove_tree(dir), 0);
}

static struct tsv table_of(const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct tsv tsv;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (tsv_load(path, &tsv))
		fail_msg("%s", error_text());
	return tsv;
}

static void assert_cell(const struct tsv *tsv, size_t row, const char *column, const char *want)
{
	assert_string_equal(tsv_text(tsv, row, tsv_column(tsv, column)), want);
}

/* Two CPUs, of which the second is the workload's. */
static struct model_cpu_count counts[2] = {
	{ .state[1] = { .usage = 5, .above = 1, .below = 2, .rejected = 3, .time_ns = 4999 } },
	{ .state[1] = { .usage = 70, .time_ns = 9000 }, .idle_calls = 11, .idle_sleeps = 7 },
};

static void write_run(struct simulate_write *write, bool energy)
{
	static double uj[1] = { 1234.4 };
	struct model_series series[2] = { { "ring0.loop_us", 3.25 }, { "ring1.loop_us", NAN } };
	struct model_sample sample = { 0, 1, 2, energy ? uj : NULL, counts, 2, series };
	struct model_task task = { "ring0", 1, 1, 1, 0 };
	struct model_role *role = calloc(1, sizeof(*role));
	struct model_result result = { .window_ns = 1e9,
				       .packages = 1,
				       .package_uj = { energy ? 5000.6 : NAN },
				       .cpus = 2,
				       .cpu = counts,
				       .tasks = 1,
				       .task = &task,
				       .roles = 1,
				       .role = role,
				       .metrics = 2,
				       .metric = { { "loop_us", "us", "lower", 3.25 },
						   { "max_us", "us", "lower", NAN } } };

	assert_non_null(role);
	snprintf(role->name, sizeof(role->name), "ring0");
	hist_add(&role->hist, 3250);
	assert_int_equal(simulate_write_begin(write), 0);
	simulate_write_sample(write, &sample);
	sample.t_ns = 1000000000;
	simulate_write_sample(write, &sample);
	assert_int_equal(simulate_write_end(write, &result), 0);
	free(role);
}

static void tables(void **state)
{
	const bool in_workload[2] = { false, true };
	struct machine machine = loaded("configs/machines/i5-10600k.ini", NULL, 0);
	char dir[] = "/tmp/simulate-unit-XXXXXX";
	struct simulate_write write = { &machine, dir, 2000000000, in_workload, NULL, NULL };
	struct tsv tsv;

	(void)state;
	assert_non_null(mkdtemp(dir));
	machine.model.has_energy = true;
	write_run(&write, true);
	tsv = table_of(dir, "idle.tsv");
	assert_int_equal(tsv.rows, 2 * (size_t)machine.table.states);
	assert_cell(&tsv, 1, "cpu", "0");
	assert_cell(&tsv, 1, "t0_ns", "2000000000");
	assert_cell(&tsv, 1, "t1_ns", "3000000000");
	assert_cell(&tsv, 1, "usage1", "5");
	assert_cell(&tsv, 1, "time1_us", "4"); /* as sysfs, cut */
	assert_cell(&tsv, 1, "rejected1", "3");
	tsv_free(&tsv);
	tsv = table_of(dir, "energy.tsv");
	assert_cell(&tsv, 0, "label", "package-0");
	assert_cell(&tsv, 0, "uj1", "5001");
	assert_cell(&tsv, 0, "range_uj", "");
	tsv_free(&tsv);
	tsv = table_of(dir, "samples.tsv");
	assert_int_equal(tsv.rows, 2);
	assert_cell(&tsv, 1, "t_ns", "3000000000");
	assert_cell(&tsv, 1, "energy:package-0", "1234");
	assert_cell(&tsv, 1, "workload:C1_ACPI:usage", "70");
	assert_cell(&tsv, 1, "all:C1_ACPI:usage", "75");
	tsv_free(&tsv);
	tsv = table_of(dir, "series.tsv");
	assert_int_equal(tsv.rows, 1); /* nothing at 0, and nothing for NAN */
	assert_cell(&tsv, 0, "value", "3.2500");
	tsv_free(&tsv);
	tsv = table_of(dir, "metrics.tsv");
	assert_cell(&tsv, 0, "value", "3.25");
	assert_cell(&tsv, 1, "value", "");
	tsv_free(&tsv);
	tsv = table_of(dir, "ticks.tsv");
	assert_cell(&tsv, 1, "idle_calls1", "11");
	assert_cell(&tsv, 1, "idle_sleeps1", "7");
	tsv_free(&tsv);
	tsv = table_of(dir, "latency.tsv");
	assert_int_equal(tsv.rows, 1);
	assert_cell(&tsv, 0, "count", "1");
	tsv_free(&tsv);
	assert_int_equal(file_remove_tree(dir), 0);
}

static void no_energy(void **state)
{
	const bool in_workload[2] = { false, true };
	struct machine machine = loaded("configs/machines/i5-10600k.ini", NULL, 0);
	char dir[] = "/tmp/simulate-unit-XXXXXX", path[PATH_MAX];
	struct simulate_write write = { &machine, dir, 1, in_workload, NULL, NULL };
	struct tsv tsv;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	machine.model.has_energy = false;
	write_run(&write, false);
	snprintf(path, sizeof(path), "%s/energy.tsv", dir);
	file = fopen(path, "r");
	assert_null(file);
	tsv = table_of(dir, "samples.tsv");
	assert_true(tsv_column(&tsv, "energy:package-0") < 0);
	tsv_free(&tsv);
	assert_int_equal(file_remove_tree(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_machine), cmocka_unit_test(settings_are_in_it),
		cmocka_unit_test(laid_out),	   cmocka_unit_test(no_cpuidle),
		cmocka_unit_test(tables),	   cmocka_unit_test(no_energy),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
