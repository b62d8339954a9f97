/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from the first fork to the written files. The main process sleeps in poll() while the
 * tasks work; whatever wakes it early (a signal, the runner's end, a task's death) ends the run.
 */
#include "workloads/driver.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "workloads/bind.h"
#include "workloads/futex.h"
#include "workloads/output.h"
#include "workloads/sync.h"
#include "workloads/tasks.h"
#include "workloads/work.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define GRACE_NS 10000000000u
#define EDGE_NS 20000000u /* the runner reads its counters on the workload's CPUs after t1 */

int driver_alloc(size_t size, void **ret)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		return error_set(-errno, "cannot get %zu bytes of shared memory: %s", size,
				 strerror(errno));
	*ret = memory;
	return 0;
}

/* Signals come through a descriptor; the tasks inherit the mask, so only the driver answers. */
static int open_descriptors(struct driver *driver)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGCHLD);
	signal(SIGCHLD,
	       SIG_DFL); /* ignored, as some parents leave it, there is nothing to wait for */
	sigprocmask(SIG_BLOCK, &set, NULL);
	driver->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	driver->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	driver->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (driver->signal_fd < 0 || driver->event_fd < 0 || driver->timer_fd < 0)
		return error_set(-errno, "cannot open signalfd, eventfd or timerfd: %s",
				 strerror(errno));
	return 0;
}

static int on_signal(struct driver *driver)
{
	struct signalfd_siginfo info;

	while (read(driver->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		int rc = info.ssi_signo == SIGCHLD ? tasks_reap_early(driver) : 0;

		if (rc)
			return rc;
		if (info.ssi_signo != SIGCHLD) {
			driver->signal = (int)info.ssi_signo;
			return error_set(-EINTR, "stopped by signal %d (%s)", driver->signal,
					 strsignal(driver->signal));
		}
	}
	return 0;
}

static int on_timer(struct driver *driver)
{
	uint64_t times;

	if (read(driver->timer_fd, &times, sizeof(times)) < 0)
		return 0;
	driver->expired = true;
	if (!driver->needs.tasks)
		return 0;
	return error_set(-ETIMEDOUT, "only %u of %d tasks ended in time after t1",
			 atomic_load(&driver->gate->ended), driver->needs.tasks);
}

static int on_tasks(struct driver *driver)
{
	uint64_t count;

	if (read(driver->event_fd, &count, sizeof(count)) < 0)
		return 0;
	return tasks_error(driver);
}

/* Sleeps until something happens. @line_due: the runner may speak. */
static int wait_once(struct driver *driver, bool line_due)
{
	struct pollfd wait[] = {
		{ .fd = driver->signal_fd, .events = POLLIN },
		{ .fd = driver->event_fd, .events = POLLIN },
		{ .fd = driver->timer_fd, .events = POLLIN },
		{ .fd = driver->options.sync_fd, .events = POLLIN },
	};
	int rc = 0;

	if (poll(wait, sizeof(wait) / sizeof(wait[0]), -1) < 0)
		return errno == EINTR ? 0 : error_set(-errno, "poll: %s", strerror(errno));
	/* What a task says about its own end comes before the news that it is gone. */
	if (wait[1].revents)
		rc = on_tasks(driver);
	if (!rc && wait[0].revents)
		rc = on_signal(driver);
	if (!rc && wait[2].revents)
		rc = on_timer(driver);
	if (!rc && wait[3].revents && !line_due)
		rc = sync_unexpected(driver->options.sync_fd);
	if (!rc && wait[3].revents && line_due)
		rc = 1;
	return rc;
}

/* Fills in which CPU each task is to have. */
static int place(struct driver *driver)
{
	struct driver_options *options = &driver->options;
	int tasks = driver->needs.tasks;
	bool pinned = driver->needs.pinned;

	if (!tasks && (options->cpus_given || options->slack_given))
		return error_usage("--%s has no effect: %s has no tasks",
				   options->cpus_given ? "cpus" : "timer-slack",
				   driver->workload->name);
	if (!tasks)
		return 0;
	if (pinned && options->cpus_given && options->cpus.n > (size_t)tasks)
		return error_usage(
			"--cpus names %zu CPUs for %d tasks: the last would have no effect",
			options->cpus.n, tasks);
	if (!options->cpus_given) {
		int rc = bind_allowed(driver->binder, &options->cpus);

		if (rc)
			return rc;
		if (pinned && options->cpus.n > (size_t)tasks)
			options->cpus.n = (size_t)tasks;
	}
	for (int i = 0; i < tasks; i++)
		driver->task[i].cpu_asked =
			pinned ? options->cpus.cpu[(size_t)i % options->cpus.n] : -1;
	return 0;
}

/* ns per work unit where the first task runs; the binding is put back. */
static int calibrate(struct driver *driver, double *ret_ns)
{
	const struct driver_options *options = &driver->options;
	bool bind = !options->unbound && (driver->needs.pinned || options->cpus_given);
	struct cpulist before = { 0 };
	int rc = 0;

	if (!driver->needs.tasks)
		return 0;
	if (bind) {
		rc = bind_allowed(driver->binder, &before);
		if (!rc)
			rc = bind_set(driver->binder, options->cpus.cpu,
				      driver->needs.pinned ? 1 : options->cpus.n);
	}
	if (!rc)
		*ret_ns = work_calibrate_ns();
	if (!rc && bind)
		rc = bind_set(driver->binder, before.cpu, before.n);
	cpulist_free(&before);
	return rc;
}

static int set_up(struct driver *driver)
{
	size_t tasks = (size_t)driver->needs.tasks, metrics = 0;
	void *memory;
	int rc;

	if (driver->options.output) { /* now, not when an hour has been measured */
		rc = file_make_dirs(driver->options.output);
		if (rc)
			return rc;
	}
	while (driver->workload->metrics[metrics].name)
		metrics++;
	driver->metric = calloc(metrics, sizeof(*driver->metric));
	driver->metric_set = calloc(metrics, sizeof(*driver->metric_set));
	if (!driver->metric || !driver->metric_set)
		return error_no_memory();
	rc = driver_alloc(sizeof(*driver->gate), &memory);
	if (rc)
		return rc;
	driver->gate = memory;
	rc = driver_alloc((tasks ? tasks : 1) * sizeof(*driver->task), &memory);
	if (rc)
		return rc;
	driver->task = memory;
	rc = bind_open(&driver->binder);
	if (!rc)
		rc = place(driver);
	if (!rc)
		rc = calibrate(driver, &driver->unit_start_ns);
	if (!rc && driver->workload->present)
		rc = driver->workload->present(driver->values);
	if (rc)
		return rc;
	if (driver->needs.tasks)
		rc = workload_resolve(driver->workload, driver->values, driver->unit_start_ns,
				      driver->options.cpus.n);
	return rc ? rc : driver->workload->setup(driver);
}

/* Waits for the runner's go, or decides itself. */
static int get_times(struct driver *driver)
{
	struct driver_options *options = &driver->options;
	uint64_t t0, t1;
	bool open_end;
	int rc = 0;

	if (options->sync_fd < 0) {
		t0 = clock_now_ns() + (driver->needs.ends_itself ? 0 : options->warmup_ns);
		open_end = driver->loops || (driver->needs.ends_itself && !options->window_given);
		t1 = open_end ? 0 : t0 + options->window_ns;
	} else {
		rc = sync_send(options->sync_fd, "ready\n");
		while (!rc)
			rc = wait_once(driver, true);
		if (rc < 0)
			return rc;
		rc = sync_receive_go(options->sync_fd, &t0, &t1);
		if (rc)
			return rc;
		if (!t1 && !driver->loops && !driver->needs.ends_itself)
			return error_set(-EPROTO, "the runner sent T1 = 0 but there is no --loops");
		if (t1 && driver->loops)
			return error_set(-EPROTO, "the runner sent a T1 but there is --loops");
		if (clock_now_ns() >= t0 && !driver->needs.ends_itself)
			log_warn("no warm-up: T0 was over when the go came");
		if (t1)
			rc = workload_check_window(driver->needs.window_ns, (double)(t1 - t0));
		if (rc)
			return rc;
	}
	driver->gate->t0_ns = driver->t0_ns = t0;
	driver->gate->t1_ns = driver->t1_ns = t1 ? t1 : UINT64_MAX;
	return 0;
}

/* Without tasks the timer ends the window; with tasks it only catches those that do not end. */
static int arm_timer(struct driver *driver)
{
	uint64_t when = driver->t1_ns;
	struct itimerspec timer = { 0 };

	if (when == UINT64_MAX)
		return 0;
	if (driver->needs.tasks)
		when += driver->grace_ns;
	timer.it_value.tv_sec = (time_t)(when / 1000000000u);
	timer.it_value.tv_nsec = (long)(when % 1000000000u);
	if (timerfd_settime(driver->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL))
		return error_set(-errno, "cannot set the timer: %s", strerror(errno));
	return 0;
}

static bool all_in(const struct driver *driver, const _Atomic uint32_t *counter)
{
	return atomic_load(counter) >= (uint32_t)driver->needs.tasks;
}

/* When the tasks decide when it is over: the end of the last of them. */
static void find_end(struct driver *driver)
{
	uint64_t last = 0;

	if (driver->t1_ns != UINT64_MAX && !driver->needs.ends_itself)
		return;
	for (int i = 0; i < driver->needs.tasks; i++) {
		if (driver->task[i].done_ns > last)
			last = driver->task[i].done_ns;
	}
	if (last < driver->t1_ns)
		driver->t1_ns = last;
}

static int measure(struct driver *driver)
{
	char line[32];
	uint64_t begin = clock_now_ns();
	int rc = tasks_create(driver);

	while (!rc && !all_in(driver, &driver->gate->ready))
		rc = wait_once(driver, false);
	driver->ready_ns = clock_now_ns() - begin;
	if (!rc)
		rc = get_times(driver);
	if (!rc)
		rc = arm_timer(driver);
	if (rc)
		return rc;
	futex_set_level(&driver->gate->phase, DRIVER_RUN);
	while (!rc &&
	       !(driver->needs.tasks ? all_in(driver, &driver->gate->ended) : driver->expired))
		rc = wait_once(driver, false);
	if (rc)
		return rc;
	find_end(driver);
	if (driver->options.sync_fd < 0)
		return 0;
	snprintf(line, sizeof(line), "done %" PRIu64 "\n", driver->t1_ns);
	return sync_send(driver->options.sync_fd, line);
}

int driver_run(struct driver *driver)
{
	int rc;

	driver->unit_start_ns = driver->unit_end_ns = NAN;
	driver->grace_ns = GRACE_NS;
	driver->end_signal = SIGKILL;
	driver->signal_fd = driver->event_fd = driver->timer_fd = -1;
	if (driver->options.sync_fd >= 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); /* the race ends in EOF on the socket */
	rc = open_descriptors(driver);
	if (!rc)
		rc = set_up(driver);
	if (!rc)
		rc = measure(driver);
	if (!rc)
		rc = tasks_release(driver);
	if (rc) {
		tasks_kill(driver);
		return rc;
	}
	if (driver->options.sync_fd >= 0 && driver->needs.tasks)
		clock_sleep_until(clock_now_ns() + EDGE_NS);
	rc = calibrate(driver, &driver->unit_end_ns);
	if (!rc)
		rc = tasks_verify(driver);
	if (!rc)
		rc = driver->workload->finish(driver);
	if (!rc)
		rc = output_write(driver);
	bind_close(driver->binder);
	return rc;
}
