/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork-chain: needs and refusals, and what becomes of children that end in all possible ways. */
#include "workloads/fork-chain.h"
#include "tests/unit/workloads/ask.h"
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct fork_chain_trace *trace; /* shared with the children */

static void test_needs(void **state)
{
	static const struct {
		const char *settings;
		int cpus;
		bool pinned;
	} cases[] = {
		{ "", 0, false },
		{ "affinity=one", 1, true },
		{ "program=none work=20us", 0, false },
		{ "program=helper start=vfork work=100", 0, false },
		{ "program=true start=vfork affinity=one loops=7", 1, true },
		{ "program=sh", 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("fork-chain", cases[i].settings, &got), 0);
		assert_int_equal(got.tasks, 1);
		assert_int_equal(got.cpus, cases[i].cpus);
		assert_int_equal(got.pinned, cases[i].pinned);
		assert_false(got.timer_based);
	}
}

/* */
static void test_refusals(void **state)
{
	static const char *const cases[][2] = {
		{ "program=true work=0", "work has no effect with program true" },
		{ "program=sh work=20us", "work has no effect with program sh" },
		{ "program=none start=vfork", "vfork needs a program" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("fork-chain", cases[i][0], &got), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i][1]));
	}
}

static void assert_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* Every way to start one; afterwards it is reaped. */
static void test_good(void **state)
{
	static const char *const good[] = { "/bin/true", NULL };
	static const char *const shell[] = { "/bin/sh", "-c", ":", NULL };
	static const struct fork_chain_kind kinds[] = {
		{ .units = 0 },	   { .units = 100000 },
		{ .argv = good },  { .argv = good, .vfork = true },
		{ .argv = shell }, { .argv = shell, .vfork = true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		assert_int_equal(fork_chain_child(&kinds[i], trace), 0);
		assert_true(trace->cpu >= 0);
		assert_no_child();
	}
}

static void test_bad(void **state)
{
	static const char *const bad[] = { "/bin/false", NULL };
	static const char *const seven[] = { "/bin/sh", "-c", "exit 7", NULL };
	static const char *const killed[] = { "/bin/sh", "-c", "kill -9 $$", NULL };
	static const char *const missing[] = { "/nonexistent/program", NULL };
	static const struct {
		const char *const *argv;
		const char *says;
	} cases[] = {
		{ bad, "/bin/false ended with status 1" },
		{ seven, "/bin/sh ended with status 7" },
		{ killed, "/bin/sh was killed by signal 9" },
		{ missing, "cannot start /nonexistent/program: No such file" },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fork_chain_kind kind = { .argv = cases[i / 2].argv, .vfork = i % 2 };

		assert_int_equal(fork_chain_child(&kind, trace), -ECHILD);
		assert_false(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i / 2].says));
		assert_no_child();
	}
	/* what one left behind is not taken for the next one's */
	assert_int_equal(fork_chain_child(&(struct fork_chain_kind){ 0 }, trace), 0);
}

/* where the parent is bound to, there the child begins, and says so. */
static void test_cpu(void **state)
{
	static const char *const good[] = { "/bin/true", NULL };
	cpu_set_t before, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		for (int vforked = 0; vforked < 2; vforked++) {
			const struct fork_chain_kind kind = { .argv = good, .vfork = vforked };

			assert_int_equal(fork_chain_child(&kind, trace), 0);
			assert_int_equal(trace->cpu, cpu);
		}
	}
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

/* a child that sleeps for long goes when its parent is killed. */
static void test_parent_killed(void **state)
{
	static const char *const sleeper[] = { "/bin/sh", "-c", "exec sleep 30", NULL };
	int end[2];

	(void)state;
	for (int vforked = 0; vforked < 2; vforked++) {
		const struct fork_chain_kind kind = { .argv = sleeper, .vfork = vforked };
		char byte;
		pid_t pid;

		/* The sleeper inherits the pipe: its end of file is the sleeper's end. */
		assert_int_equal(pipe(end), 0);
		trace->cpu = -1;
		pid = fork();
		if (!pid)
			_exit(fork_chain_child(&kind, trace) != 0);
		close(end[1]);
		while (*(volatile int *)&trace->cpu < 0)
			usleep(1000);
		usleep(50000); /* most often it sleeps by now; it has to go at any moment */
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_int_equal(poll(&(struct pollfd){ end[0], POLLIN, 0 }, 1, 10000), 1);
		assert_int_equal(read(end[0], &byte, 1), 0);
		close(end[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_good),  cmocka_unit_test(test_bad),
		cmocka_unit_test(test_cpu),   cmocka_unit_test(test_parent_killed),
	};

	trace = mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (trace == MAP_FAILED)
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
