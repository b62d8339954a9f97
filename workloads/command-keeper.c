/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper: starts the command at T0, takes in what it prints, sees it end (or ends it at T1),
 * and leaves no process of it behind.
 *
 * It sleeps except for output and ended children. A SIGTERM, which also comes when the program
 * itself is killed, means: clear up and go.
 */
#include "workloads/command-keeper.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/command-kin.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSTEM_SLACK_NS 50000u
#define STUBBORN_NS 2000000000u /* from SIGTERM to SIGKILL */
#define CLOSE_ON_EXEC 4 /* of close_range(2) */
#define CHUNK 65536
#define CHUNKS_MAX 64 /* read at once from a command that prints faster than we read */

struct keeper {
	struct driver *driver;
	struct command_run *run;
	int signal_fd, pipe[2]; /* what it prints on stdout and stderr; -1 = closed */
	pid_t pid;
	bool ended, asked_to_go;
	char chunk[CHUNK];
};

static int take_office(struct keeper *k)
{
	pid_t parent = getppid();
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	k->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (k->signal_fd < 0)
		return error_set(-errno, "signalfd: %s", strerror(errno));
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return error_set(-errno, "cannot become the command's subreaper: %s",
				 strerror(errno));
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return error_set(-EINTR, "the program was killed");
	/* A command is to see the system's default and not our readiness to be woken at once. */
	if (!k->driver->options.slack_given)
		prctl(PR_SET_TIMERSLACK, SYSTEM_SLACK_NS);
	k->run->slack_ns = (uint64_t)prctl(PR_GET_TIMERSLACK);
	return 0;
}

static void child_main(const struct command *command, const int out[2], int report, pid_t parent)
	__attribute__((noreturn));

static void child_main(const struct command *command, const int out[2], int report, pid_t parent)
{
	static const unsigned long default_action[16]; /* SIG_DFL is 0 */
	sigset_t none;
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC), code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setpgid(0, 0);
	/* Not by signal(): that refuses 32 and 33, which a caller such as make leaves ignored. */
	for (int signal_number = 1; signal_number < NSIG; signal_number++)
		syscall(SYS_rt_sigaction, signal_number, default_action, NULL, NSIG / 8);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Since 5.11; ours are marked anyhow, a caller's may not be. */
	syscall(SYS_close_range, 3u, ~0u, CLOSE_ON_EXEC);
	if (in >= 0 && dup2(in, 0) == 0 && dup2(out[0], 1) == 1 && dup2(out[1], 2) == 2)
		execvp(command->argv[0], command->argv);
	code = errno;
	while (write(report, &code, sizeof(code)) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Waits for the exec; @code of a failed one comes through the pipe, which else just closes. */
static int await_exec(const struct command *command, int report)
{
	int code = 0;
	ssize_t n;

	do
		n = read(report, &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return 0;
	return error_set(-code, "cannot run '%s': %s", command->argv[0], strerror(code));
}

static int open_pipes(int out[2][2], int report[2])
{
	for (int i = 0; i < 2; i++) {
		if (pipe2(out[i], O_CLOEXEC))
			return error_set(-errno, "pipe: %s", strerror(errno));
		fcntl(out[i][0], F_SETFL, O_NONBLOCK);
	}
	return pipe2(report, O_CLOEXEC) ? error_set(-errno, "pipe: %s", strerror(errno)) : 0;
}

static int start(struct keeper *k)
{
	const struct command *command = k->driver->data;
	int out[2][2], report[2], rc = open_pipes(out, report);
	pid_t self = getpid();

	if (rc)
		return rc;
	k->run->begin_ns = clock_now_ns();
	k->pid = fork();
	if (k->pid < 0)
		return error_set(-errno, "fork: %s", strerror(errno));
	if (!k->pid)
		child_main(command, (const int[]){ out[0][1], out[1][1] }, report[1], self);
	setpgid(k->pid, k->pid);
	close(out[0][1]);
	close(out[1][1]);
	close(report[1]);
	k->pipe[0] = out[0][0];
	k->pipe[1] = out[1][0];
	rc = await_exec(command, report[0]);
	close(report[0]);
	return rc;
}

/* What is there now. False at the end of the stream. */
static bool drain(struct keeper *k, int stream)
{
	for (int i = 0; i < CHUNKS_MAX; i++) {
		ssize_t n = read(k->pipe[stream], k->chunk, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n <= 0)
			return false;
		command_output_add(&k->run->output, stream, k->chunk, (size_t)n);
	}
	return true;
}

static void drain_all(struct keeper *k)
{
	for (int i = 0; i < 2; i++) {
		if (k->pipe[i] < 0 || drain(k, i))
			continue;
		close(k->pipe[i]);
		k->pipe[i] = -1;
	}
}

/* CPU time so far: of all that was reaped, and of what still lives. */
static void take_usage(struct keeper *k, bool others)
{
	struct command_run *run = k->run;
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	run->user_ns = (uint64_t)usage.ru_utime.tv_sec * 1000000000u +
		       (uint64_t)usage.ru_utime.tv_usec * 1000u;
	run->system_ns = (uint64_t)usage.ru_stime.tv_sec * 1000000000u +
			 (uint64_t)usage.ru_stime.tv_usec * 1000u;
	if (others)
		command_kin_usage(&run->user_ns, &run->system_ns);
}

/* The command's first process, and orphans of it that became our children. */
static void reap(struct keeper *k)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != k->pid)
			continue;
		k->ended = true;
		if (k->run->by_window)
			continue;
		k->run->end_ns = clock_now_ns();
		k->run->status = status;
	}
}

static void on_signals(struct keeper *k)
{
	struct signalfd_siginfo info;

	while (read(k->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo == SIGTERM)
			k->asked_to_go = true;
	if (k->pid > 0)
		reap(k);
}

/* Takes in what happens until @until_ns, the command's end, or the word to go; true = the time. */
static bool watch(struct keeper *k, uint64_t until_ns)
{
	while (!k->ended && !k->asked_to_go) {
		struct pollfd wait[] = { { k->signal_fd, POLLIN, 0 },
					 { k->pipe[0], POLLIN, 0 },
					 { k->pipe[1], POLLIN, 0 } };
		uint64_t now = clock_now_ns(), left = until_ns > now ? until_ns - now : 0;
		struct timespec timeout = { (time_t)(left / 1000000000u),
					    (long)(left % 1000000000u) };

		if (!left)
			return true;
		if (ppoll(wait, 3, until_ns == UINT64_MAX ? NULL : &timeout, NULL) < 0)
			continue;
		if (wait[0].revents)
			on_signals(k);
		drain_all(k);
	}
	return false;
}

/* The window is over: that is the end of what counts, whatever the command does now. */
static void end_by_window(struct keeper *k, uint64_t t1_ns)
{
	k->run->by_window = true;
	k->run->end_ns = t1_ns;
	take_usage(k, true);
	kill(-k->pid, SIGTERM); /* our child, not reaped: the group is its own */
	command_kin_signal(SIGTERM);
	watch(k, clock_now_ns() + STUBBORN_NS);
}

static int judge(const struct command_run *run)
{
	const char *line = command_output_last(&run->output);
	int signal_number = WTERMSIG(run->status);

	if (run->by_window || !run->status)
		return 0;
	if (WIFSIGNALED(run->status))
		return error_set(-EIO, "the command was killed by signal %d (%s)%s%s",
				 signal_number, strsignal(signal_number), *line ? ": " : "", line);
	return error_set(-EIO, "the command ended with status %d%s%s", WEXITSTATUS(run->status),
			 *line ? ": " : "", line);
}

static int run_command(struct keeper *k)
{
	const struct driver_gate *gate = k->driver->gate;
	bool over = watch(k, gate->t0_ns); /* nothing to watch yet but the word to go */
	int rc = over ? start(k) : 0;

	if (over && !rc && watch(k, gate->t1_ns))
		end_by_window(k, gate->t1_ns);
	if (!rc && k->asked_to_go)
		rc = error_set(-EINTR, "the command was ended: the run is broken off");
	return rc;
}

/* Keeps @rc and its text: that is what the user has to read. */
static int clear_up(struct keeper *k, int rc)
{
	char kept[DRIVER_TEXT_SIZE];
	int left = command_kin_signal(SIGKILL), end;

	if (!rc && !k->run->by_window) {
		k->run->left = left;
		take_usage(k, left > 0);
	}
	snprintf(kept, sizeof(kept), "%s", error_text());
	end = command_kin_end();
	drain_all(k);
	return rc ? error_set(rc, "%s", kept) : end;
}

int command_keep(struct driver *driver)
{
	static struct keeper keeper;
	struct command *command = driver->data;
	struct driver_task *task = &driver->task[0];
	int rc, shown = 0;
	sigset_t set;

	keeper = (struct keeper){ .driver = driver, .run = command->run, .pipe = { -1, -1 } };
	snprintf(task->role, sizeof(task->role), "command");
	rc = take_office(&keeper);
	if (rc)
		return rc;
	driver_mark(&task->start);
	rc = run_command(&keeper);
	driver_mark(&task->end);
	rc = clear_up(&keeper, rc);
	task->done_ns = command->run->end_ns;
	if (!rc)
		rc = judge(command->run);
	if (keeper.asked_to_go)
		_exit(1); /* nobody waits for our word any more */
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* from now on the program may end us at once */
	/* The evidence of a failed run; that of a complete one is written when all is over. */
	if (rc)
		shown = command_output_write(&command->run->output, driver->options.output);
	return rc && shown ? shown : rc;
}
