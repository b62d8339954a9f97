/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every way back: the runner's own, the guardian's after a SIGKILL, and from a journal that both
 * left behind. The runner that is killed is a child of the test.
 */
#include "machine.h"
#include "hw/lock.h"
#include "hw/undo.h"
#include "hw/undo_journal.h"
#include "lib/clock.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#define GOVERNOR "sys/devices/system/cpu/cpuidle/current_governor"
#define DISABLE "sys/devices/system/cpu/cpu0/cpuidle/state1/disable"
#define JOURNAL JOURNAL_DIR "/journal"

static void test_write_and_finish(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_true(root_exists(&machine.root, JOURNAL));
	assert_int_equal(undo_write(undo, GOVERNOR, "teo"), 0);
	assert_int_equal(undo_write(undo, DISABLE, "1\n"), 0);
	assert_int_equal(undo_write(undo, GOVERNOR, "ladder"), 0);
	assert_file(&machine, GOVERNOR, "ladder");
	assert_file(&machine, DISABLE, "1");
	/* the first value only, once */
	assert_file(&machine, JOURNAL, "idle-runner undo 1\n" GOVERNOR "\tmenu\n" DISABLE "\t0");
	assert_int_equal(undo_finish(undo), 0);
	assert_file(&machine, GOVERNOR, "menu");
	assert_file(&machine, DISABLE, "0");
	assert_false(root_exists(&machine.root, JOURNAL));
	machine_free(&machine);
}

static void test_write_errors(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, "sys/nothing", "1"), -ENOENT);
	assert_int_equal(undo_write(undo, "sys/../sys/devices/system/cpu/online", "1"), -EINVAL);
	assert_int_equal(undo_write(undo, "proc/cpuinfo", "1"), -EINVAL);
	assert_error_has("cannot be kept for putting it back");
	assert_file(&machine, JOURNAL, "idle-runner undo 1");
	assert_int_equal(undo_finish(undo), 0);
	machine_free(&machine);
}

/* Blanks and newlines at the end of what is asked are no difference. */
static void test_trailing_blanks(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;

	(void)state;
	machine_put(&machine, "sys/empty", "\n");
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, GOVERNOR, "teo \n"), 0);
	assert_int_equal(undo_write(undo, "sys/empty", "full"), 0);
	assert_int_equal(undo_finish(undo), 0);
	assert_file(&machine, GOVERNOR, "menu");
	assert_file(&machine, "sys/empty", "");
	machine_free(&machine);
}

static void test_file_gone_at_finish(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, GOVERNOR, "teo"), 0);
	assert_int_equal(undo_write(undo, DISABLE, "1"), 0);
	machine_remove(&machine, "sys/devices/system/cpu/cpu0/cpuidle");
	assert_int_equal(undo_finish(undo), -ENOENT);
	assert_error_has("not put back: ");
	assert_error_has(DISABLE);
	assert_file(&machine, GOVERNOR, "menu");
	assert_false(root_exists(&machine.root, JOURNAL));
	machine_free(&machine);
}

/* A file that cannot be written keeps the journal, for "restore". */
static void test_failed_restore_keeps_journal(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	char path[256];
	int count;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, GOVERNOR, "teo"), 0);
	assert_int_equal(undo_write(undo, DISABLE, "1"), 0);
	machine_remove(&machine, DISABLE);
	snprintf(path, sizeof(path), "%s/" DISABLE, machine.dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(undo_finish(undo), -EISDIR);
	assert_file(&machine, GOVERNOR, "menu");
	assert_int_equal(undo_start(&machine.root, &undo), -EEXIST);
	assert_error_has("./runner restore");
	assert_int_equal(undo_restore_stale(&machine.root, &count), -EISDIR);
	assert_true(root_exists(&machine.root, JOURNAL));
	assert_int_equal(rmdir(path), 0);
	machine_put(&machine, DISABLE, "1\n");
	assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
	assert_int_equal(count, 1);
	assert_file(&machine, DISABLE, "0");
	assert_false(root_exists(&machine.root, JOURNAL));
	machine_free(&machine);
}

/*
 * A runner in a process of its own that changes two files and dies by @signal_number, with stderr
 * in the machine's file "stderr". @take_lock: holds the lock as well.
 */
static pid_t run_and_die(const struct machine *machine, int signal_number, bool take_lock)
{
	char path[256];
	struct undo *undo;
	int fd, status;
	pid_t pid;

	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		snprintf(path, sizeof(path), "%s/stderr", machine->dir);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
			_exit(1);
		if (take_lock && lock_take(&machine->root, &fd))
			_exit(1);
		if (undo_start(&machine->root, &undo) || undo_write(undo, GOVERNOR, "teo") ||
		    undo_write(undo, DISABLE, "1"))
			_exit(1);
		kill(getpid(), signal_number);
		_exit(2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), signal_number);
	return pid;
}

/* Waits for the journal to go, for up to 1 s. */
static void await_guardian(const struct machine *machine)
{
	uint64_t give_up_ns = clock_now_ns() + 1000000000u;

	while (root_exists(&machine->root, JOURNAL) && clock_now_ns() < give_up_ns)
		clock_sleep_until(clock_now_ns() + 2000000u);
	assert_false(root_exists(&machine->root, JOURNAL));
}

static void test_guardian(void **state)
{
	static const int deadly[] = { SIGKILL, SIGTERM, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++) {
		struct machine machine = machine_make("--cpus 1");
		char text[512] = "";
		int count;

		run_and_die(&machine, deadly[i], false);
		await_guardian(&machine);
		assert_file(&machine, GOVERNOR, "menu");
		assert_file(&machine, DISABLE, "0");
		for (int wait = 0; !text[0] && wait < 200; wait++) {
			clock_sleep_until(clock_now_ns() + 5000000u);
			root_read(&machine.root, "stderr", text, sizeof(text));
		}
		assert_string_equal(text, "idle-runner: the runner died; put back 2 files "
					  "(" GOVERNOR "=menu, ...)");
		assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
		assert_int_equal(count, 0);
		machine_free(&machine);
	}
}

/* The next runner waits for the guardian, then finds the machine as it was. */
static void test_lock_outlives_runner(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	int fd;

	(void)state;
	run_and_die(&machine, SIGKILL, true);
	assert_int_equal(lock_take(&machine.root, &fd), 0);
	assert_false(root_exists(&machine.root, JOURNAL));
	assert_file(&machine, GOVERNOR, "menu");
	close(fd);
	machine_free(&machine);
}

/* The guardian is not in the job of the runner, so a Ctrl-C or a kill of the job passes it by. */
static void test_guardian_survives_its_group(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(STDERR_FILENO);
		if (setpgid(0, 0) || undo_start(&machine.root, &undo) ||
		    undo_write(undo, GOVERNOR, "teo"))
			_exit(1);
		/* The guardian leaves the group in its own time. */
		clock_sleep_until(clock_now_ns() + 100000000u);
		kill(0, SIGKILL);
		_exit(2);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	await_guardian(&machine);
	assert_file(&machine, GOVERNOR, "menu");
	machine_free(&machine);
}

/* A workload that was started by exec does not keep the dead runner's guardian waiting. */
static void test_exec_does_not_hold(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	int ready[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		pid_t workload;

		close(STDERR_FILENO);
		if (undo_start(&machine.root, &undo) || undo_write(undo, GOVERNOR, "teo"))
			_exit(1);
		workload = fork();
		if (!workload) {
			close(ready[0]);
			close(ready[1]);
			execlp("sleep", "sleep", "3", NULL);
			_exit(1);
		}
		clock_sleep_until(clock_now_ns() + 100000000u);
		if (write(ready[1], &workload, sizeof(workload)) != sizeof(workload))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(read(ready[0], &pid, sizeof(pid)), sizeof(pid));
	await_guardian(&machine);
	assert_file(&machine, GOVERNOR, "menu");
	assert_int_equal(kill(pid, 0), 0);
	kill(pid, SIGKILL);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	machine_free(&machine);
}

/* Makes the journal's folder as a runner does, and a journal of @text in it. */
static void leave_journal(const struct machine *machine, const char *text)
{
	int fd = journal_open_dir(&machine->root, true);

	assert_true(fd >= 0);
	close(fd);
	machine_put(machine, JOURNAL, text);
}

static void test_stale(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	int count = -1;

	(void)state;
	assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
	assert_int_equal(count, 0);
	machine_put(&machine, GOVERNOR, "teo\n");
	leave_journal(&machine, "idle-runner undo 1\n" GOVERNOR "\tmenu\n" DISABLE "\t0\n");
	assert_int_equal(undo_start(&machine.root, &undo), -EEXIST);
	assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
	assert_int_equal(count, 1); /* disable was as it should be: not written */
	assert_file(&machine, GOVERNOR, "menu");
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_finish(undo), 0);
	machine_free(&machine);
}

/* The crash came while a line was written: its change had not been made. */
/* What a living runner has journaled is not stale, whoever asks: not even from another namespace.
 */
static void test_journal_in_use(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	int count = -1;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, GOVERNOR, "teo"), 0);
	assert_int_equal(undo_restore_stale(&machine.root, &count), -EBUSY);
	assert_error_has("another runner, or its guardian, is at work");
	assert_file(&machine, GOVERNOR, "teo");
	assert_int_equal(undo_finish(undo), 0);
	assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
	machine_free(&machine);
}

/* The runner's only child is its guardian. */
static void kill_the_guardian(void)
{
	char path[64], text[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	file = fopen(path, "re");
	if (!file || !fgets(text, sizeof(text), file))
		_exit(3);
	fclose(file);
	kill((pid_t)atoi(text), SIGKILL);
	clock_sleep_until(clock_now_ns() + 50000000u);
}

/* A guardian that was killed is replaced before the next change, so that SIGKILL still restores. */
static void test_guardian_is_replaced(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct undo *undo;

		if (undo_start(&machine.root, &undo) || undo_write(undo, GOVERNOR, "teo"))
			_exit(1);
		kill_the_guardian();
		if (undo_write(undo, DISABLE, "1"))
			_exit(2);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	await_guardian(&machine);
	assert_file(&machine, GOVERNOR, "menu");
	assert_file(&machine, DISABLE, "0");
	machine_free(&machine);
}

static void test_torn(void **state)
{
	static const char *const torn[] = {
		"",
		"idle-run",
		"idle-runner undo 1\n",
		"idle-runner undo 1\n" DISABLE,
		"idle-runner undo 1\n" DISABLE "\t",
		"idle-runner undo 1\n" DISABLE "\t1",
	};
	struct machine machine = machine_make("--cpus 1");
	int count;

	(void)state;
	for (size_t i = 0; i < sizeof(torn) / sizeof(torn[0]); i++) {
		leave_journal(&machine, torn[i]);
		assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
		assert_int_equal(count, 0);
		assert_file(&machine, DISABLE, "0");
		assert_false(root_exists(&machine.root, JOURNAL));
	}
	machine_put(&machine, GOVERNOR, "teo\n");
	leave_journal(&machine, "idle-runner undo 1\n" GOVERNOR "\tmenu\n" DISABLE "\t1");
	assert_int_equal(undo_restore_stale(&machine.root, &count), 0);
	assert_int_equal(count, 1);
	assert_file(&machine, GOVERNOR, "menu");
	assert_file(&machine, DISABLE, "0");
	machine_free(&machine);
}

static void test_foreign_journal(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	int count;

	(void)state;
	leave_journal(&machine, "idle-runner undo 2\n" DISABLE "\t1\n");
	assert_int_equal(undo_restore_stale(&machine.root, &count), -EPROTO);
	assert_file(&machine, DISABLE, "0");
	assert_true(root_exists(&machine.root, JOURNAL));
	leave_journal(&machine, "idle-runner undo 1\nno tab\n" DISABLE "\t1\n../etc/x\t1\n");
	assert_int_equal(undo_restore_stale(&machine.root, &count), -EBADMSG);
	assert_file(&machine, DISABLE, "1"); /* the good line counts */
	machine_free(&machine);
}

static void test_folder_must_be_private(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	char path[256], other[256];
	int count;

	(void)state;
	snprintf(path, sizeof(path), "%s/run/idle-runner", machine.dir);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(undo_start(&machine.root, &undo), -EPERM);
	assert_error_has("run/idle-runner must be owned by this user and have mode 0700");
	assert_int_equal(undo_restore_stale(&machine.root, &count), -EPERM);
	assert_int_equal(rmdir(path), 0);
	snprintf(other, sizeof(other), "%s/elsewhere", machine.dir);
	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_true(undo_start(&machine.root, &undo) < 0);
	machine_free(&machine);
}

/* The journal is a symlink: neither followed nor taken for ours. */
static void test_journal_symlink(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;
	char path[256];
	int count, fd = journal_open_dir(&machine.root, true);

	(void)state;
	close(fd);
	machine_put(&machine, "trap", "idle-runner undo 1\n" DISABLE "\t1\n");
	snprintf(path, sizeof(path), "%s/" JOURNAL, machine.dir);
	assert_int_equal(symlink("../../../trap", path), 0);
	assert_int_equal(undo_start(&machine.root, &undo), -EEXIST);
	assert_int_equal(undo_restore_stale(&machine.root, &count), -ELOOP);
	assert_file(&machine, DISABLE, "0");
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write_and_finish),
		cmocka_unit_test(test_write_errors),
		cmocka_unit_test(test_trailing_blanks),
		cmocka_unit_test(test_file_gone_at_finish),
		cmocka_unit_test(test_failed_restore_keeps_journal),
		cmocka_unit_test(test_guardian),
		cmocka_unit_test(test_lock_outlives_runner),
		cmocka_unit_test(test_guardian_survives_its_group),
		cmocka_unit_test(test_exec_does_not_hold),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_journal_in_use),
		cmocka_unit_test(test_guardian_is_replaced),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_foreign_journal),
		cmocka_unit_test(test_folder_must_be_private),
		cmocka_unit_test(test_journal_symlink),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
