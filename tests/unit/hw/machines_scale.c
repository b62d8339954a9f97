/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The price of a passive sample on a machine of 512 CPUs and 5 states (P-18): CPU time grows with
 * the number of CPUs and not faster, with descriptors kept and without, and a limit of 1024
 * descriptors is no obstacle.
 */
#include "layout.h"
#include <dirent.h>
#include <sys/resource.h>
#include <time.h>

#define CPUS 512
#define STATES 5
#define GROWTH_MAX 1.5 /* cost per CPU: largest over smallest machine */
#define ROUNDS 9
#define COLD_BYTES (128u << 20)
static const int size[] = { 8, 64, 512 };
#define SIZES (sizeof(size) / sizeof(size[0]))

static struct machine machine;

static uint64_t cpu_time_ns(void)
{
	struct timespec t;

	assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t), 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The soft limit of descriptors; false when the hard one is lower. */
static bool limit_descriptors(rlim_t soft)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (limit.rlim_max != RLIM_INFINITY && soft > limit.rlim_max)
		return false;
	limit.rlim_cur = soft;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	return true;
}

static struct cpuidle *open_first(int cpus)
{
	struct cpuidle *cpuidle;
	struct cpulist list;
	char text[32];

	snprintf(text, sizeof(text), "0-%d", cpus - 1);
	list = list_of(text);
	if (cpuidle_open(&machine.root, &list, &cpuidle))
		fail_msg("%s", error_text());
	cpulist_free(&list);
	return cpuidle;
}

static void sample(struct cpuidle *cpuidle)
{
	struct cpuidle_reading reading;

	for (size_t i = 0; i < cpuidle->n; i++)
		if (cpuidle_read(cpuidle, i, &reading))
			fail_msg("%s", error_text());
}

/* A sample a second finds nothing of the last one in the caches; nor does one behind this. */
static void cool_caches(void)
{
	static char other[COLD_BYTES];
	static char value;

	memset(other, ++value, sizeof(other));
	__asm__ volatile("" : : "r"(other) : "memory");
}

/* CPU time of one sample of all CPUs, ns: the best of some. */
static double cost_ns(struct cpuidle *cpuidle)
{
	uint64_t best = UINT64_MAX;

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t start, took;

		cool_caches();
		start = cpu_time_ns();
		sample(cpuidle);
		took = cpu_time_ns() - start;
		best = took < best ? took : best;
	}
	return (double)best;
}

static void check_growth(const char *how)
{
	double per_cpu[SIZES];

	for (size_t i = 0; i < SIZES; i++) {
		struct cpuidle *cpuidle = open_first(size[i]);
		double ns = cost_ns(cpuidle);

		per_cpu[i] = ns / size[i];
		printf("# %s: %3d CPUs x %d states: %9.1f us CPU time a sample, %.2f us a CPU, "
		       "%.3f us a counter\n",
		       how, size[i], STATES, ns / 1e3, per_cpu[i] / 1e3,
		       per_cpu[i] / 1e3 / (STATES * CPUIDLE_COUNTERS));
		cpuidle_close(cpuidle);
	}
	printf("# %s: growth per CPU from %d to %d CPUs: %.2f\n", how, size[0], size[SIZES - 1],
	       per_cpu[SIZES - 1] / per_cpu[0]);
	assert_true(per_cpu[SIZES - 1] / per_cpu[0] < GROWTH_MAX);
}

static void p18_linear_with_kept_descriptors(void **state)
{
	(void)state;
	if (limit_descriptors(CPUS * STATES * CPUIDLE_COUNTERS + 256))
		check_growth("descriptors kept");
	else
		printf("# this user may not keep 12,800 descriptors: only the other way is "
		       "measured\n");
}

static void p18_linear_without_descriptors(void **state)
{
	(void)state;
	assert_true(limit_descriptors(100));
	check_growth("opened for each read");
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* "ulimit -n 1024": some are kept, the rest is opened when read, and room is left for others. */
static void p18_limit_of_1024(void **state)
{
	struct cpuidle_reading reading;
	struct cpuidle *cpuidle;

	(void)state;
	machine_put(&machine, "sys/devices/system/cpu/cpu0/cpuidle/state4/usage", "11\n");
	machine_put(&machine, "sys/devices/system/cpu/cpu511/cpuidle/state4/usage", "4711\n");
	assert_true(limit_descriptors(1024));
	cpuidle = open_first(CPUS);
	assert_true(open_descriptors() < 1000);
	assert_true(cpuidle->cpu[0].fd[4][CPUIDLE_USAGE] >= 0);
	assert_int_equal(cpuidle->cpu[511].fd[4][CPUIDLE_USAGE], CPUIDLE_FD_PER_READ);
	assert_int_equal(cpuidle_read(cpuidle, 0, &reading), 0);
	assert_int_equal(reading.counter[4][CPUIDLE_USAGE].value, 11);
	assert_int_equal(cpuidle_read(cpuidle, 511, &reading), 0);
	assert_int_equal(reading.counter[4][CPUIDLE_USAGE].value, 4711);
	printf("# ulimit -n 1024: %.1f us CPU time a sample of %d CPUs\n", cost_ns(cpuidle) / 1e3,
	       CPUS);
	assert_int_equal(cpuidle_reopen(cpuidle), 0);
	assert_true(open_descriptors() < 1000);
	cpuidle_close(cpuidle);
}

/* Each CPU's set has stamps of its own, in order. */
static void p18_every_cpu_has_its_own_stamps(void **state)
{
	struct cpuidle *cpuidle = open_first(CPUS);
	struct cpuidle_reading before = { .t_after_ns = 0 }, now;

	(void)state;
	for (size_t i = 0; i < cpuidle->n; i++) {
		assert_int_equal(cpuidle_read(cpuidle, i, &now), 0);
		assert_true(now.t_before_ns >= before.t_after_ns);
		assert_true(now.t_after_ns > now.t_before_ns);
		before = now;
	}
	cpuidle_close(cpuidle);
}

static int make(void **state)
{
	(void)state;
	machine = layout_make("tests/machines/granite-rapids.ini");
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	machine_free(&machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p18_linear_with_kept_descriptors),
		cmocka_unit_test(p18_linear_without_descriptors),
		cmocka_unit_test(p18_limit_of_1024),
		cmocka_unit_test(p18_every_cpu_has_its_own_stamps),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make, unmake);
}
