/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle state tables and counters on fake machines: missing files, garbage, replaced folders, a
 * spent descriptor budget, and the invariants of a window.
 */
#include "machine.h"
#include "hw/cpuidle.h"
#include <dirent.h>
#include <sys/resource.h>

#define CPU0 "sys/devices/system/cpu/cpu0/cpuidle/"
#define CPU1 "sys/devices/system/cpu/cpu1/cpuidle/"

static struct cpuidle *open_all(const struct machine *machine, const char *cpus)
{
	struct cpulist list = list_of(cpus);
	struct cpuidle *cpuidle;

	if (cpuidle_open(&machine->root, &list, &cpuidle))
		fail_msg("cpuidle_open: %s", error_text());
	cpulist_free(&list);
	return cpuidle;
}

static int open_code(const struct machine *machine, const char *cpus)
{
	struct cpulist list = list_of(cpus);
	struct cpuidle *cpuidle = NULL;
	int code = cpuidle_open(&machine->root, &list, &cpuidle);

	cpulist_free(&list);
	assert_null(cpuidle);
	return code;
}

static void test_table(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpuidle *cpuidle = open_all(&machine, "0-1");
	const struct cpuidle_state *s = cpuidle->cpu[1].state;

	(void)state;
	assert_int_equal(cpuidle->n, 2);
	assert_int_equal(cpuidle->cpu[1].cpu, 1);
	assert_int_equal(cpuidle->cpu[1].states, 4);
	assert_string_equal(s[0].name, "POLL");
	assert_true(s[0].polling);
	assert_false(s[1].polling);
	assert_string_equal(s[3].name, "C3_ACPI");
	assert_int_equal(s[3].latency_us.value, 1034);
	assert_int_equal(s[3].residency_us.value, 3102);
	assert_true(s[3].disabled.known);
	assert_string_equal(s[3].default_status, "enabled");
	cpuidle_close(cpuidle);
	machine_free(&machine);
}

/* "driver" on ARM, and names that only begin like a state; order is by number, gaps are kept. */
static void test_state_names(void **state)
{
	struct machine machine = machine_make("--cpus 1 --states 'WFI:1:1 haltpoll~idle:1:1'");
	struct cpuidle *cpuidle;

	(void)state;
	machine_put(&machine, CPU0 "driver/name", "psci_idle\n");
	machine_put(&machine, CPU0 "state/name", "x\n");
	machine_put(&machine, CPU0 "state1x/name", "x\n");
	machine_put(&machine, CPU0 "state10/name", "<null>\n");
	machine_put(&machine, CPU0 "state2/name", "snooze\n");
	cpuidle = open_all(&machine, "0");
	assert_int_equal(cpuidle->cpu[0].states, 4);
	assert_string_equal(cpuidle->cpu[0].state[0].name, "WFI");
	assert_false(cpuidle->cpu[0].state[0].polling);
	assert_string_equal(cpuidle->cpu[0].state[1].name, "haltpoll idle");
	assert_true(cpuidle->cpu[0].state[2].polling);
	assert_string_equal(cpuidle->cpu[0].state[3].name, "<null>");
	assert_int_equal(cpuidle->cpu[0].state[3].index, 10);
	cpuidle_close(cpuidle);
	machine_free(&machine);
}

static void test_missing_files_are_unknown(void **state)
{
	struct machine machine = machine_make("--cpus 1 --states 'POLL:0:0 C1:2:2'");
	struct cpuidle_reading reading;
	struct cpuidle *cpuidle;

	(void)state;
	machine_remove(&machine, CPU0 "state1/disable");
	machine_remove(&machine, CPU0 "state1/default_status");
	machine_remove(&machine, CPU0 "state1/desc");
	machine_remove(&machine, CPU0 "state1/residency");
	machine_remove(&machine, CPU0 "state1/rejected");
	machine_put(&machine, CPU0 "state1/usage", "18446744073709551615\n");
	cpuidle = open_all(&machine, "0");
	assert_false(cpuidle->cpu[0].state[1].disabled.known);
	assert_string_equal(cpuidle->cpu[0].state[1].default_status, "");
	assert_string_equal(cpuidle->cpu[0].state[1].desc, "");
	assert_false(cpuidle->cpu[0].state[1].residency_us.known);
	assert_int_equal(cpuidle_read(cpuidle, 0, &reading), 0);
	assert_false(reading.counter[1][CPUIDLE_REJECTED].known);
	assert_true(reading.counter[0][CPUIDLE_REJECTED].known);
	assert_true(reading.counter[1][CPUIDLE_USAGE].value == UINT64_MAX);
	assert_true(reading.t_before_ns && reading.t_after_ns >= reading.t_before_ns);
	cpuidle_close(cpuidle);
	machine_free(&machine);
}

static void test_no_cpuidle(void **state)
{
	struct machine machine = machine_make("--cpus 2 --no-cpuidle");

	(void)state;
	assert_int_equal(open_code(&machine, "0"), -ENODEV);
	assert_error_has("idle governors cannot matter here: /tmp/machine-");
	assert_error_has("/sys/devices/system/cpu/cpuidle does not exist");
	machine_put(&machine, "sys/devices/system/cpu/cpuidle/current_driver", "none\n");
	assert_int_equal(open_code(&machine, "0"), -ENODEV);
	assert_error_has("cpu0 has no idle states");
	assert_error_has("idle driver: none");
	machine_free(&machine);
}

static void test_offline_cpu(void **state)
{
	struct machine machine = machine_make("--cpus 4 --offline 2");

	(void)state;
	assert_int_equal(open_code(&machine, "0-3"), -ENODEV);
	assert_error_has("cpu2 is offline");
	machine_free(&machine);
}

static void test_too_many_states(void **state)
{
	struct machine machine = machine_make(
		"--cpus 1 --states 'a:1:1 b:1:1 c:1:1 d:1:1 e:1:1 f:1:1 g:1:1 h:1:1 i:1:1 j:1:1'");

	(void)state;
	cpuidle_close(open_all(&machine, "0"));
	machine_put(&machine, CPU0 "state10/name", "k\n");
	assert_int_equal(open_code(&machine, "0"), -EOVERFLOW);
	assert_error_has("more than 10 idle states");
	machine_free(&machine);
}

static void test_garbage(void **state)
{
	static const char *const bad[] = { "",
					   "\n",
					   "12a\n",
					   "-1\n",
					   "1 2\n",
					   "18446744073709551616\n",
					   "99999999999999999999999999\n" };
	struct machine machine = machine_make("--cpus 1 --states 'POLL:0:0 C1:2:2'");
	struct cpuidle *cpuidle = open_all(&machine, "0");
	struct cpuidle_reading reading;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		machine_put(&machine, CPU0 "state1/time", bad[i]);
		assert_int_equal(cpuidle_read(cpuidle, 0, &reading), -EINVAL);
		assert_error_has("cpu0/cpuidle/state1/time: not a number");
	}
	cpuidle_close(cpuidle);
	machine_put(&machine, CPU0 "state1/latency", "deep\n");
	assert_int_equal(open_code(&machine, "0"), -EINVAL);
	assert_error_has("state1/latency");
	machine_free(&machine);
}

/* What a switch does to sysfs: the folders go and come, the counts go on. */
static void test_reopen_after_switch(void **state)
{
	struct machine machine = machine_make("--cpus 2 --states 'POLL:0:0 C1:2:2'");
	struct cpuidle *cpuidle = open_all(&machine, "0-1");
	struct cpuidle_reading reading;

	(void)state;
	assert_true(cpuidle->cpu[1].fd[1][CPUIDLE_USAGE] >= 0);
	machine_remove(&machine, CPU1 "state1");
	assert_int_equal(cpuidle_reopen(cpuidle), -EBADMSG);
	assert_error_has("cpu1: the idle states changed: 2 before, 1 now");

	machine_put(&machine, CPU1 "state1/name", "C1\n");
	machine_put(&machine, CPU1 "state1/desc", "C1\n");
	machine_put(&machine, CPU1 "state1/latency", "2\n");
	machine_put(&machine, CPU1 "state1/residency", "2\n");
	machine_put(&machine, CPU1 "state1/disable", "1\n");
	for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
		char path[64];

		snprintf(path, sizeof(path), CPU1 "state1/%s", cpuidle_counter_file[c]);
		machine_put(&machine, path, "77\n");
	}
	assert_int_equal(cpuidle_reopen(cpuidle), 0);
	assert_int_equal(cpuidle->cpu[1].state[1].disabled.value, 1);
	assert_int_equal(cpuidle_read(cpuidle, 1, &reading), 0);
	assert_int_equal(reading.counter[1][CPUIDLE_USAGE].value, 77);

	machine_put(&machine, CPU1 "state1/residency", "20\n");
	assert_int_equal(cpuidle_reopen(cpuidle), -EBADMSG);
	assert_error_has("cpu1: idle state 1 changed: C1 2/2 us before, C1 2/20 us now");
	cpuidle_close(cpuidle);
	machine_free(&machine);
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

/* With a limit of 64 none are kept, with 140 some; the readings are the same. */
static void test_descriptor_budget(void **state)
{
	struct machine machine = machine_make("--cpus 8");
	int before = open_descriptors();
	struct rlimit old, limit;

	(void)state;
	machine_put(&machine, "sys/devices/system/cpu/cpu7/cpuidle/state3/usage", "4711\n");
	machine_remove(&machine, "sys/devices/system/cpu/cpu7/cpuidle/state3/rejected");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	for (int i = 0; i < 2; i++) {
		struct cpuidle_reading reading;
		struct cpuidle *cpuidle;

		limit = old;
		limit.rlim_cur = i ? 140 : 64;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		cpuidle = open_all(&machine, "0-7");
		assert_int_equal(open_descriptors() - before, i ? 12 : 0);
		assert_int_equal(cpuidle->cpu[7].fd[3][CPUIDLE_USAGE], CPUIDLE_FD_PER_READ);
		assert_int_equal(cpuidle->cpu[7].fd[3][CPUIDLE_REJECTED], CPUIDLE_FD_MISSING);
		assert_int_equal(cpuidle_read(cpuidle, 7, &reading), 0);
		assert_int_equal(reading.counter[3][CPUIDLE_USAGE].value, 4711);
		assert_false(reading.counter[3][CPUIDLE_REJECTED].known);
		cpuidle_close(cpuidle);
		assert_int_equal(open_descriptors(), before);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	machine_free(&machine);
}

/* A file that was there and is gone when it is opened for a read: the device was registered again.
 */
static void test_vanished_without_descriptor(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct rlimit old, limit;
	struct cpuidle_reading reading;
	struct cpuidle *cpuidle;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	limit = old;
	limit.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	cpuidle = open_all(&machine, "0");
	machine_remove(&machine, CPU0 "state2");
	assert_int_equal(cpuidle_read(cpuidle, 0, &reading), -ENODEV);
	assert_error_has("cpu0/cpuidle/state2/usage went away");
	cpuidle_close(cpuidle);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	machine_free(&machine);
}

/* Two readings of a CPU with two states, 1 s apart; the second grown by what is given. */
struct window {
	struct cpuidle_cpu cpu;
	struct cpuidle_reading first, last;
};

static struct window window_of_1s(void)
{
	struct window w = { .cpu = { .cpu = 1, .states = 2 } };

	snprintf(w.cpu.state[0].name, CPUIDLE_NAME_MAX, "POLL");
	snprintf(w.cpu.state[1].name, CPUIDLE_NAME_MAX, "C1");
	w.cpu.state[1].index = 1;
	for (int s = 0; s < 2; s++)
		for (int c = 0; c < CPUIDLE_COUNTERS; c++)
			w.first.counter[s][c] = (struct cpuidle_value){ 100, true };
	w.first.t_before_ns = 5000000000u;
	w.first.t_after_ns = 5000010000u;
	memcpy(w.last.counter, w.first.counter, sizeof(w.first.counter));
	w.last.t_before_ns = 6000000000u;
	w.last.t_after_ns = 6000010000u;
	return w;
}

static int check(const struct window *w)
{
	return cpuidle_check_window(&w->cpu, &w->first, &w->last);
}

static void test_window_accepts(void **state)
{
	struct window w = window_of_1s();

	(void)state;
	assert_int_equal(check(&w), 0);
	w.last.counter[0][CPUIDLE_USAGE].value += 50;
	w.last.counter[0][CPUIDLE_BELOW].value += 50;
	w.last.counter[1][CPUIDLE_USAGE].value += 500;
	w.last.counter[1][CPUIDLE_ABOVE].value += 499;
	w.last.counter[1][CPUIDLE_TIME_US].value += 1000000;
	assert_int_equal(check(&w), 0);
	/* a counter that the kernel does not have */
	w.first.counter[1][CPUIDLE_REJECTED].known = false;
	w.last.counter[1][CPUIDLE_REJECTED].known = false;
	assert_int_equal(check(&w), 0);
}

static void test_window_backwards(void **state)
{
	struct window w = window_of_1s();

	(void)state;
	w.last.counter[0][CPUIDLE_USAGE].value = 99;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("cpu1: usage of state 0 (POLL) went backwards: 100 -> 99");
	w = window_of_1s();
	w.last.counter[1][CPUIDLE_REJECTED].known = false;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("rejected of state 1 (C1) vanished");
	w = window_of_1s();
	w.last.t_after_ns = 4000000000u;
	assert_int_equal(check(&w), -EBADMSG);
}

static void test_window_misses(void **state)
{
	struct window w = window_of_1s();

	(void)state;
	w.last.counter[0][CPUIDLE_USAGE].value += 10;
	w.last.counter[0][CPUIDLE_BELOW].value += 13;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("state 0 (POLL)");
	w = window_of_1s();
	w.last.counter[0][CPUIDLE_USAGE].value += 10;
	w.last.counter[0][CPUIDLE_ABOVE].value += 1;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("above of the first state 0 (POLL) grew by 1");
	w = window_of_1s();
	w.last.counter[1][CPUIDLE_USAGE].value += 10;
	w.last.counter[1][CPUIDLE_BELOW].value += 1;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("below of the last state 1 (C1) grew by 1");
}

/* 1,000,010 us from the first to the last moment: 0.1 % and 2 us more may be, 1,001,012 us. */
static void test_window_time(void **state)
{
	struct window w = window_of_1s();

	(void)state;
	w.last.counter[0][CPUIDLE_TIME_US].value += 1000;
	w.last.counter[1][CPUIDLE_TIME_US].value += 1000012;
	assert_int_equal(check(&w), 0);
	w.last.counter[1][CPUIDLE_TIME_US].value += 1;
	assert_int_equal(check(&w), -EBADMSG);
	assert_error_has("1001013 us of idle time in a window of 1000010 us");
}

static uint64_t hash_now(const struct machine *machine)
{
	struct cpuidle *cpuidle = open_all(machine, "0-1");
	uint64_t hash = cpuidle_table_hash(cpuidle);

	cpuidle_close(cpuidle);
	return hash;
}

static void test_hash(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	uint64_t hash = hash_now(&machine);

	(void)state;
	machine_put(&machine, CPU1 "state1/usage", "12345\n");
	assert_true(hash_now(&machine) == hash);
	machine_put(&machine, CPU1 "state1/disable", "1\n");
	assert_true(hash_now(&machine) != hash);
	machine_put(&machine, CPU1 "state1/disable", "0\n");
	assert_true(hash_now(&machine) == hash);
	machine_put(&machine, CPU1 "state1/residency", "2\n");
	assert_true(hash_now(&machine) != hash);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_state_names),
		cmocka_unit_test(test_missing_files_are_unknown),
		cmocka_unit_test(test_no_cpuidle),
		cmocka_unit_test(test_offline_cpu),
		cmocka_unit_test(test_too_many_states),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_reopen_after_switch),
		cmocka_unit_test(test_descriptor_budget),
		cmocka_unit_test(test_vanished_without_descriptor),
		cmocka_unit_test(test_window_accepts),
		cmocka_unit_test(test_window_backwards),
		cmocka_unit_test(test_window_misses),
		cmocka_unit_test(test_window_time),
		cmocka_unit_test(test_hash),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
