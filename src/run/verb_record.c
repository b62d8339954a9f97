/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: an idle trace of this machine, or one printed as text. The counters of sysfs are read at
 * both ends on each CPU and stored with the trace, so that it can be held to them.
 */
#include "hw/ticks.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/interrupt.h"
#include "run/privilege.h"
#include "run/record.h"
#include "run/record_edges.h"
#include "run/record_event.h"
#include "run/verb.h"
#include "run/window.h"
#include "trace/text.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEAD_NS                                                                                    \
	20000000u /* between the start of the recording and the first reading of counters          \
		   */
#define TERM_GRACE_NS 2000000000u

struct session {
	struct root root;
	struct topology *topology;
	struct cpulist cpus, workload;
	struct cpuidle *idle;
	struct record *record;
	struct window *window;
	struct ticks *ticks; /* NULL = cannot be read */
	struct trace_edge *edge;
	int housekeeping;
	pid_t pid; /* the command's; 0 = none */
	int pidfd;
};

static int verb_text(const struct options *options)
{
	size_t damaged;
	int err;

	if (options->output || options->command || options->rests || options->seconds_given ||
	    options->record_events || options->formats || options->cpus)
		return error_usage("--text prints a trace, and takes nothing else");
	err = trace_print(options->text, stdout, &damaged);
	return err ? err : damaged ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}

static int open_machine(struct session *s, const struct options *options)
{
	bool own_core;
	int err = root_open(NULL, &s->root);

	if (!err)
		err = topology_load(&s->root, &s->topology);
	if (!err)
		err = topology_cpus(s->topology, &s->cpus);
	if (!err && options->cpus)
		err = cpulist_parse(options->cpus, &s->workload);
	for (size_t i = 0; !err && i < s->workload.n; i++)
		if (!cpulist_has(&s->cpus, s->workload.cpu[i]))
			err = error_usage("--cpus: no CPU %d is online here", s->workload.cpu[i]);
	if (!err)
		err = topology_housekeeping(s->topology, s->workload.n ? &s->workload : &s->cpus,
					    &s->housekeeping, &own_core);
	return err ? err : cpuidle_open(&s->root, &s->cpus, &s->idle);
}

static int open_record(struct session *s, const struct options *options)
{
	struct record_order order = { .root = &s->root,
				      .topology = s->topology,
				      .idle = s->idle,
				      .workload = &s->workload,
				      .kinds = RECORD_DEFAULT_KINDS,
				      .formats = options->formats,
				      .path = options->output };
	int err = 0;

	if (options->record_events)
		err = record_kinds_parse(options->record_events, &order.kinds);
	return err ? err : record_open(&order, &s->record);
}

static void command_main(const struct session *s, char **argv, pid_t parent)
	__attribute__((noreturn));

static void command_main(const struct session *s, char **argv, pid_t parent)
{
	interrupt_child();
	if ((s->workload.n && topology_bind_process(s->topology, &s->workload)) ||
	    privilege_leave()) {
		dprintf(2, "%s\n", error_text());
		_exit(127);
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	execvp(argv[0], argv);
	dprintf(2, "%s: %m\n", argv[0]);
	_exit(127);
}

static int start_command(struct session *s, char **argv)
{
	pid_t parent = getpid();

	s->pid = fork();
	if (s->pid == 0)
		command_main(s, argv, parent);
	if (s->pid < 0) {
		s->pid = 0;
		return error_set(-errno, "fork: %m");
	}
	s->pidfd = (int)syscall(SYS_pidfd_open, s->pid, 0);
	return s->pidfd < 0 ? error_set(-errno, "pidfd_open: %m (a kernel before 5.3?)") : 0;
}

/* Its exit status, 128 + N for a signal; 0 where it was ended, here or by who interrupts both. */
static int end_command(struct session *s)
{
	uint64_t until = clock_now_ns() + TERM_GRACE_NS;
	int status = 0;
	pid_t pid = waitpid(s->pid, &status, WNOHANG);
	bool ended = pid;

	if (!ended)
		kill(s->pid, SIGTERM);
	while (!pid && clock_now_ns() < until) {
		usleep(10000);
		pid = waitpid(s->pid, &status, WNOHANG);
	}
	if (!pid) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, &status, 0);
	}
	s->pid = 0;
	close(s->pidfd);
	if (!ended || interrupt_pending())
		return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int start_window(struct session *s)
{
	struct window_order order = {
		.idle = s->idle,
		.topology = s->topology,
		.workload = &s->workload,
		.housekeeping = s->housekeeping,
		.ticks_lead_ns = LEAD_NS / 2,
		.t0_ns = clock_now_ns() + LEAD_NS,
		.interval_ns = UINT64_MAX / 4, /* no samples */
	};
	int err;

	privilege_root();
	if (!ticks_open(&s->root, &s->cpus, &s->ticks))
		order.ticks = s->ticks;
	err = window_start(&order, &s->window);
	privilege_user();

	return err ? err : record_until(s->record, NULL, 0, order.t0_ns + LEAD_NS);
}

static int run(struct session *s, const struct options *options, struct record_result *ret)
{
	int fd[2] = { interrupt_fd(), -1 }, err;

	err = record_start(s->record);
	if (!err)
		err = start_window(s);
	if (!err && options->command)
		err = start_command(s, options->command);
	fd[1] = s->pidfd;
	if (!err) {
		record_bind(s->topology, s->housekeeping);
		err = record_until(s->record, fd, 2,
				   options->seconds_given
					   ? clock_now_ns() + options->seconds * 1000000000u
					   : UINT64_MAX);
	}
	if (!err) {
		window_finish(s->window, true);
		err = record_edges(s->idle, s->window, &s->edge);
	}
	if (!err) {
		err = record_finish(s->record, s->edge, ret);
		s->record = NULL;
	}
	return err;
}

static void close_all(struct session *s)
{
	if (s->window)
		window_finish(s->window, true);
	window_free(s->window);
	ticks_close(s->ticks);
	record_abandon(s->record);
	cpuidle_close(s->idle);
	cpulist_free(&s->cpus);
	cpulist_free(&s->workload);
	topology_free(s->topology);
	root_close(&s->root);
	free(s->edge);
}

static int check_options(const struct options *options)
{
	if (!options->output)
		return error_usage(
			"record into which file? (-o FILE, or --text FILE to print one)");
	if (options->rests)
		return error_usage("record takes no '%s'; a command stands behind --",
				   options->rest[0]);
	if (options->seconds_given && (!options->seconds || options->seconds > 1000000))
		return error_usage("--seconds: 1 to 1000000");
	if (options->command && !options->command[0])
		return error_usage("no command behind --");
	return 0;
}

/* True when there are any. */
static bool warn_deaf(struct cpulist *deaf, const char *path)
{
	char *list = deaf->n ? cpulist_format(deaf) : NULL;
	bool any = deaf->n;

	if (any)
		log_warn(
			"%s: CPUs %s were idle by their counters and the kernel gave no idle event of them: "
			"their periods are missing",
			path, list ? list : "-");
	free(list);
	cpulist_free(deaf);
	return any;
}

int verb_record(const struct options *options)
{
	struct session s = { .pidfd = -1 };
	struct record_result result;
	int err, status = 0;
	bool deaf;

	if (options->text)
		return verb_text(options);
	err = check_options(options);
	if (!err)
		err = interrupt_start();
	if (!err)
		err = open_machine(&s, options);
	if (!err)
		err = open_record(&s, options);
	if (!err)
		err = run(&s, options, &result);
	if (s.pid)
		status = end_command(&s);
	close_all(&s);
	if (err)
		return err;
	deaf = warn_deaf(&result.deaf, options->output);
	log_info("%" PRIu64 " idle periods, %" PRIu64 " events lost, %" PRIu64 " bytes: %s",
		 result.periods, result.lost, result.bytes, options->output);
	if (options->command && status == 127)
		return error_set(-ENOENT, "the command could not be started");
	if (status)
		log_warn("the command ended with status %d", status);
	return result.lost || deaf || status ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}
