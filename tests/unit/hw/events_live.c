/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of this machine, counted per CPU: two tasks on one CPU that yield to each other, a task
 * that is sent from CPU to CPU, hardware events where there may be none, and what a user without
 * rights is told. The kernel's software events need root or a low perf_event_paranoid.
 */
#include "machine.h"
#include "hw/events.h"
#include "lib/clock.h"
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define YIELDS 2000

static struct root live;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static struct events *open_one(const char *name, const char *cpus)
{
	struct cpulist list = list_of(cpus);
	struct event_code code;
	struct events *events;

	assert_int_equal(events_resolve(name, &code), 0);
	if (events_open(&live, &code, 1, &list, &events))
		fail_msg("%s", error_text());
	cpulist_free(&list);
	return events;
}

static struct event_reading read_one(struct events *events, size_t c)
{
	struct event_reading reading;

	events_read(events, 0, c, &reading);
	return reading;
}

/* Two tasks pass a byte to and fro on this CPU: each turn is two switches at least. */
static void context_switches(void **state)
{
	struct events *events = open_one("context-switches", "0");
	struct event_reading first, last, window;
	int to[2], from[2];
	uint64_t t0, t1;
	char byte = 'x';
	pid_t pid;

	(void)state;
	pin(0);
	assert_int_equal(pipe(to) | pipe(from), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(to[1]);
		while (read(to[0], &byte, 1) == 1)
			if (write(from[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	t0 = clock_now_ns();
	first = read_one(events, 0);
	for (int i = 0; i < YIELDS; i++) {
		assert_int_equal(write(to[1], &byte, 1), 1);
		assert_int_equal(read(from[0], &byte, 1), 1);
	}
	last = read_one(events, 0);
	t1 = clock_now_ns();
	close(to[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	window = events_between(&first, &last);
	assert_true(window.known);
	assert_true(window.value >= 2 * YIELDS);
	/* others run here too, but not ten times as often */
	assert_true(window.value < 20 * YIELDS);
	/* the kernel's own events share nothing, and their clock is the window's */
	assert_true(window.running_ns == window.enabled_ns);
	assert_true(window.enabled_ns <= t1 - t0);
	assert_true(window.enabled_ns >= (t1 - t0) / 2);
	assert_true(events_scaled(&window) == (double)window.value);
	close(to[0]);
	close(from[0]);
	close(from[1]);
	events_close(events);
}

static void migrations(void **state)
{
	struct events *events = open_one("cpu-migrations", "0-1");
	struct event_reading first[2], last[2];
	uint64_t moves = 0;

	(void)state;
	pin(0);
	for (size_t c = 0; c < 2; c++)
		first[c] = read_one(events, c);
	for (int i = 0; i < 100; i++)
		pin(!(i & 1));
	for (size_t c = 0; c < 2; c++) {
		last[c] = read_one(events, c);
		moves += events_between(&first[c], &last[c]).value;
	}
	assert_true(first[0].known && first[1].known && last[0].known && last[1].known);
	assert_true(moves >= 99);
	events_close(events);
}

/* Where the hardware counts: cycles of a busy CPU. Where it does not: not known, never 0. */
static void hardware_or_nothing(void **state)
{
	struct events *events = open_one("cycles", "0");
	struct event_reading reading;
	char why[256];
	uint64_t end;

	(void)state;
	pin(0);
	for (end = clock_now_ns() + 2000000u; clock_now_ns() < end;)
		;
	reading = read_one(events, 0);
	events_reason(events, 0, 0, why, sizeof(why));
	if (reading.known) {
		assert_true(reading.value > 0);
		assert_string_equal(why, "");
	} else if (reading.err != -EAGAIN) {
		assert_non_null(strstr(why, "event cycles on cpu0: "));
		assert_true(isnan(events_scaled(&reading)));
	}
	print_message("# cycles: %s\n", reading.known ? "counted" : why);
	events_close(events);
}

/* A CPU that is not there does not take the others with it. */
static void absent_cpu(void **state)
{
	struct events *events = open_one("context-switches", "0,8191");
	struct event_reading here = read_one(events, 0), there = read_one(events, 1);
	char why[256];

	(void)state;
	assert_true(here.known);
	assert_false(there.known);
	assert_true(there.err < 0);
	assert_non_null(strstr(events_reason(events, 0, 1, why, sizeof(why)), "on cpu8191: "));
	assert_string_equal(events_reason(events, 0, 0, why, sizeof(why)), "");
	events_close(events);
}

/* Runs @child in a process of its own: its exit status. */
static int apart(int (*child)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int open_many(size_t n)
{
	struct cpulist cpus = list_of("0");
	struct event_code *codes = calloc(n, sizeof(*codes));
	struct events *events;
	int r = events_resolve("context-switches", &codes[0]);

	for (size_t i = 1; i < n; i++)
		codes[i] = codes[0];
	return r ? r : events_open(&live, codes, n, &cpus, &events);
}

static int with_low_soft_limit(void)
{
	struct rlimit limit = { 64, 1024 };

	return setrlimit(RLIMIT_NOFILE, &limit) || open_many(200);
}

static int with_low_hard_limit(void)
{
	struct rlimit limit = { 64, 200 };

	if (setrlimit(RLIMIT_NOFILE, &limit) || open_many(200) != -EMFILE)
		return 1;
	return !strstr(error_text(), "the events need 328 descriptors, and the hard limit is 200");
}

static int without_rights(void)
{
	struct cpulist cpus = list_of("0");
	struct event_code code;
	struct events *events;
	char paranoid[16];

	if (root_read(&live, "proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid)) <=
		    0 ||
	    atoi(paranoid) <= 0)
		return 0; /* anybody may */
	if (setresuid(65534, 65534, 65534) || events_resolve("context-switches", &code) ||
	    events_open(&live, &code, 1, &cpus, &events) != -EACCES)
		return 1;
	return !strstr(error_text(), "needs root (sudo) or CAP_PERFMON, or "
				     "kernel.perf_event_paranoid (now ") ||
	       !strstr(error_text(), paranoid);
}

static void descriptor_limits(void **state)
{
	(void)state;
	assert_int_equal(apart(with_low_soft_limit), 0);
	assert_int_equal(apart(with_low_hard_limit), 0);
}

static void rights(void **state)
{
	(void)state;
	if (!geteuid())
		assert_int_equal(apart(without_rights), 0);
}

/* Children do not get the counters. */
static void closed_on_exec(void **state)
{
	struct events *events = open_one("context-switches", "0");
	int found = 0;

	(void)state;
	for (int fd = 3; fd < 256; fd++) {
		char path[64], link[64];
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		length = readlink(path, link, sizeof(link) - 1);
		if (length <= 0)
			continue;
		link[length] = '\0';
		if (!strstr(link, "perf_event"))
			continue;
		found++;
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	assert_int_equal(found, 1);
	events_close(events);
}

/* NULL, or why this machine cannot count whole CPUs for us. */
static const char *unable(void)
{
	struct cpulist cpus = list_of("0-1");
	struct event_reading reading;
	struct event_code code;
	struct events *events;
	const char *why = NULL;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return "needs two CPUs";
	if (events_resolve("context-switches", &code) ||
	    events_open(&live, &code, 1, &cpus, &events))
		return error_text();
	events_read(events, 0, 0, &reading);
	if (!reading.known)
		why = "the kernel counts no context switches";
	events_close(events);
	cpulist_free(&cpus);
	return why;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(context_switches),    cmocka_unit_test(migrations),
		cmocka_unit_test(hardware_or_nothing), cmocka_unit_test(absent_cpu),
		cmocka_unit_test(descriptor_limits),   cmocka_unit_test(rights),
		cmocka_unit_test(closed_on_exec),
	};
	const char *why;

	if (root_open(NULL, &live)) {
		puts(error_text());
		return 1;
	}
	why = unable();
	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
