/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One runner a machine: a second one is told who the first is, and a dead one's guardian is waited
 * for.
 */
#include "machine.h"
#include "hw/lock.h"
#include "lib/clock.h"
#include <signal.h>
#include <sys/wait.h>

/* Lets the parent go on when the child has got so far. */
static void tell(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(1);
}

static void await(int fd)
{
	char byte;

	assert_int_equal(read(fd, &byte, 1), 1);
}

static void test_free_and_taken(void **state)
{
	struct machine machine = machine_make(NULL), other = machine_make(NULL);
	char mine[64];
	int fd, second, elsewhere;

	(void)state;
	assert_int_equal(lock_take(&machine.root, &fd), 0);
	assert_int_equal(lock_take(&machine.root, &second), -EBUSY);
	snprintf(mine, sizeof(mine), "pid %d (", (int)getpid());
	assert_error_has(mine);
	assert_error_has("lock.t");
	assert_int_equal(lock_take(&other.root, &elsewhere), 0);
	close(elsewhere);
	close(fd);
	assert_int_equal(lock_take(&machine.root, &fd), 0);
	close(fd);
	machine_free(&machine);
	machine_free(&other);
}

/* Two long paths that differ in their last byte only do not share a lock. */
static void test_long_path(void **state)
{
	struct machine machine = machine_make(NULL);
	struct root one, two;
	char path[256];
	int first, second, third;

	(void)state;
	snprintf(path, sizeof(path), "%s/%0120d", machine.dir, 1);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(root_open(path, &one), 0);
	snprintf(path, sizeof(path), "%s/%0120d", machine.dir, 2);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(root_open(path, &two), 0);
	assert_int_equal(lock_take(&one, &first), 0);
	assert_int_equal(lock_take(&two, &second), 0);
	assert_int_equal(lock_take(&one, &third), -EBUSY);
	close(first);
	close(second);
	root_close(&one);
	root_close(&two);
	machine_free(&machine);
}

static void test_other_process(void **state)
{
	struct machine machine = machine_make(NULL);
	char theirs[64];
	int ready[2], fd;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (lock_take(&machine.root, &fd))
			_exit(1);
		tell(ready[1]);
		pause();
		_exit(0);
	}
	await(ready[0]);
	assert_int_equal(lock_take(&machine.root, &fd), -EBUSY);
	snprintf(theirs, sizeof(theirs), "another runner works on this machine: pid %d (",
		 (int)pid);
	assert_error_has(theirs);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(lock_take(&machine.root, &fd), 0);
	close(fd);
	close(ready[0]);
	close(ready[1]);
	machine_free(&machine);
}

/*
 * The runner is dead (a zombie even), its child holds the lock on for @hold_ms. Returns
 * lock_take()'s code and how long it took.
 */
static int take_from_dead(const struct root *root, int hold_ms, uint64_t *ret_ms, pid_t *ret_pid)
{
	int ready[2], fd, code;
	uint64_t start_ns;
	siginfo_t info;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (lock_take(root, &fd))
			_exit(1);
		if (!fork()) {
			clock_sleep_until(clock_now_ns() + (uint64_t)hold_ms * 1000000u);
			_exit(0);
		}
		tell(ready[1]);
		_exit(0);
	}
	await(ready[0]);
	/* dead, but not reaped: a zombie */
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	start_ns = clock_now_ns();
	code = lock_take(root, &fd);
	*ret_ms = (clock_now_ns() - start_ns) / 1000000u;
	*ret_pid = pid;
	if (!code)
		close(fd);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	return code;
}

static void test_dead_holder(void **state)
{
	struct machine machine = machine_make(NULL);
	char who[64];
	uint64_t ms;
	pid_t pid;

	(void)state;
	assert_int_equal(take_from_dead(&machine.root, 400, &ms, &pid), 0);
	assert_in_range(ms, 200, 2000);
	assert_int_equal(take_from_dead(&machine.root, 4000, &ms, &pid), -EBUSY);
	assert_in_range(ms, 2900, 3900);
	snprintf(who, sizeof(who), "the runner with pid %d died", (int)pid);
	assert_error_has(who);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_and_taken),
		cmocka_unit_test(test_long_path),
		cmocka_unit_test(test_other_process),
		cmocka_unit_test(test_dead_holder),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
