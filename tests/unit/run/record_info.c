/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clusters out of a made topology: two of four CPUs in a package of ten, beside cores of their own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/file.h"
#include "run/record_info.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char dir[64];

static void put(int cpu, const char *of, const char *list)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%d/topology", dir, cpu);
	assert_false(file_make_dirs(path));
	snprintf(path + strlen(path), 32, "/%s_cpus_list", of);
	assert_false(file_write_atomic(path, list, strlen(list)));
}

static void clusters_are_neither_cores_nor_packages(void **state)
{
	struct trace_info info = { 0 };
	struct root root;

	(void)state;
	strcpy(dir, "/tmp/record-info-XXXXXX");
	assert_non_null(mkdtemp(dir));
	for (int cpu = 0; cpu < 10; cpu++) {
		char core[8];

		snprintf(core, sizeof(core), cpu < 2 ? "0-1\n" : "%d\n", cpu);
		put(cpu, "core", core);
		put(cpu, "package", "0-9\n");
		put(cpu, "cluster", cpu < 2 ? "0-1\n" : cpu < 6 ? "2-5\n" : "6-9\n");
		if (cpu != 9) /* was not recorded */
			assert_false(cpulist_add(&info.cpus, cpu));
	}
	put(5, "cluster", "rubbish\n");
	assert_false(root_open(dir, &root));
	assert_false(record_clusters(&root, &info));
	assert_int_equal(info.packages, 2);
	assert_true(info.package[0].cluster && info.package[1].cluster);
	assert_int_equal(info.package[0].cpus.n, 4);
	assert_int_equal(info.package[0].cpus.cpu[0], 2);
	assert_int_equal(info.package[1].cpus.n, 3);
	assert_int_equal(info.package[1].cpus.cpu[2], 8);
	root_close(&root);
	trace_info_free(&info);
	assert_false(file_remove_tree(dir));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clusters_are_neither_cores_nor_packages),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
