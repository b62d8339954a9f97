/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms by CPU: threads that add to the same one at the same time lose nothing. */
#include "workloads/cpu-hist.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define THREADS 4
#define ADDED 200000u

static struct cpu_hist all;

static void open_for(const int *cpu, size_t n, size_t sets)
{
	struct cpulist list = { 0 };

	for (size_t i = 0; i < n; i++)
		assert_int_equal(cpulist_add(&list, cpu[i]), 0);
	assert_int_equal(cpu_hist_open(&list, sets, &all), 0);
	cpulist_free(&list);
}

/* Thread i adds i, i + THREADS, ... below THREADS * ADDED: all numbers, each once. */
static void *add_many(void *argument)
{
	uint64_t first = (uint64_t)(uintptr_t)argument;

	for (uint64_t i = 0; i < ADDED; i++)
		cpu_hist_add(&all, 0, 1, first + i * THREADS);
	return NULL;
}

static void test_together(void **state)
{
	static const int cpu[] = { 0 };
	static struct hist want, got;
	pthread_t thread[THREADS];

	(void)state;
	open_for(cpu, 1, 3);
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, add_many, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (uint64_t ns = 0; ns < THREADS * ADDED; ns++)
		hist_add(&want, ns);
	cpu_hist_merge(&all, 1, &got);
	assert_memory_equal(&got, &want, sizeof(got));
	hist_clear(&got);
	cpu_hist_merge(&all, 0, &got);
	cpu_hist_merge(&all, 2, &got);
	assert_int_equal(got.count, 0);
	cpu_hist_close(&all);
}

/* CPUs have places in the order of the list; the ends of a merged one are those of both. */
static void test_places(void **state)
{
	static const int cpu[] = { 7, 0, 900 };
	static struct hist got;

	(void)state;
	open_for(cpu, 3, 1);
	assert_int_equal(all.cpus, 3);
	assert_int_equal(cpu_hist_place(&all, 7), 0);
	assert_int_equal(cpu_hist_place(&all, 0), 1);
	assert_int_equal(cpu_hist_place(&all, 900), 2);
	assert_int_equal(cpu_hist_place(&all, 901), 0);
	assert_int_equal(cpu_hist_place(&all, -1), 0);
	cpu_hist_add(&all, 2, 0, 500);
	cpu_hist_add(&all, 0, 0, 90);
	cpu_hist_add(&all, 0, 0, 120);
	cpu_hist_merge(&all, 0, &got);
	assert_int_equal(got.count, 3);
	assert_int_equal(got.sum_ns, 710);
	assert_int_equal(got.min_ns, 90);
	assert_int_equal(got.max_ns, 500);
	cpu_hist_add(&all, 1, 0, 0); /* a length of zero counts */
	hist_clear(&got);
	cpu_hist_merge(&all, 0, &got);
	assert_int_equal(got.count, 4);
	assert_int_equal(got.min_ns, 0);
	cpu_hist_close(&all);
}

static void test_no_cpu(void **state)
{
	(void)state;
	open_for(NULL, 0, 1);
	assert_int_equal(all.cpus, 1);
	assert_int_equal(cpu_hist_place(&all, 3), 0);
	cpu_hist_close(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_no_cpu),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
