/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks as processes or threads. A task that has ended waits for its release, so that nothing of
 * its exit (SIGCHLD, unmapping) falls into another ring's window.
 */
#include "workloads/tasks.h"
#include "lib/error.h"
#include "workloads/bind.h"
#include "workloads/futex.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define STACK_SIZE (256u << 10)

struct thread_argument {
	struct driver *driver;
	int index;
};

/* Migrations of the calling thread since it began, -1 when the kernel does not tell. */
static int64_t read_migrations(void)
{
	static const char key[] = "nr_migrations";
	char text[4096], *place;
	int fd = open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	text[n] = 0;
	place = strstr(text, key);
	place = place ? strchr(place, ':') : NULL;
	return place ? strtoll(place + 1, NULL, 10) : -1;
}

static int set_slack(uint64_t want, uint64_t *ret)
{
	int got;

	if (prctl(PR_SET_TIMERSLACK, (unsigned long)want, 0, 0, 0))
		return error_set(-errno, "cannot set the timer slack: %s", strerror(errno));
	got = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	if (got < 0)
		return error_set(-errno, "cannot read the timer slack: %s", strerror(errno));
	*ret = (uint64_t)got;
	return 0;
}

/* Bound, slack set, both read back. */
static int prepare(struct driver *driver, int index)
{
	struct driver_task *task = &driver->task[index];
	const struct cpulist *cpus = &driver->options.cpus;
	char want[16];
	int rc = 0;

	task->tid = (int)gettid();
	task->start.cpu = task->end.cpu = -1;
	rc = set_slack(driver->options.slack_ns, &task->slack_ns);
	if (!rc && !driver->options.unbound && task->cpu_asked >= 0)
		rc = bind_set(driver->binder, &task->cpu_asked, 1);
	else if (!rc && !driver->options.unbound && driver->options.cpus_given)
		rc = bind_set(driver->binder, cpus->cpu, cpus->n);
	if (rc)
		return rc;
	rc = bind_read(driver->binder, task->affinity, sizeof(task->affinity));
	if (rc == -E2BIG) {
		task->affinity[0] = 0; /* NA */
		rc = 0;
	}
	snprintf(want, sizeof(want), "%d", task->cpu_asked);
	if (!rc && !driver->options.unbound && task->cpu_asked >= 0 && strcmp(task->affinity, want))
		return error_set(-EIO, "task %d: asked for CPU %s, has affinity '%s'", index, want,
				 task->affinity);
	return rc;
}

static void notify(const struct driver *driver)
{
	uint64_t one = 1;

	while (write(driver->event_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/* Counts the task; the last one wakes the driver. */
static void count_in(const struct driver *driver, _Atomic uint32_t *counter)
{
	if (atomic_fetch_add(counter, 1) + 1 == (uint32_t)driver->needs.tasks)
		notify(driver);
}

static void task_body(struct driver *driver, int index)
{
	struct driver_task *task = &driver->task[index];
	int64_t before = -1, after;
	int rc = prepare(driver, index);

	if (!rc) {
		before = read_migrations();
		count_in(driver, &driver->gate->ready);
		futex_wait_level(&driver->gate->phase, DRIVER_RUN);
		rc = driver->workload->task(driver, index);
	}
	if (!rc) {
		after = read_migrations();
		task->migrations = before >= 0 && after >= 0 ? after - before : -1;
		count_in(driver, &driver->gate->ended);
	} else {
		snprintf(task->text, sizeof(task->text), "%s", error_text());
		task->usage = error_is_usage();
		task->error = rc;
		notify(driver);
	}
	futex_wait_level(&driver->gate->phase, DRIVER_RELEASE);
}

static void set_name(const struct driver *driver, int index)
{
	char name[32]; /* the kernel keeps 15 characters */

	snprintf(name, sizeof(name), "%.9s.%d", driver->workload->name, index);
	prctl(PR_SET_NAME, name, 0, 0, 0);
}

static void *thread_main(void *opaque)
{
	struct thread_argument argument = *(struct thread_argument *)opaque;

	free(opaque);
	set_name(argument.driver, argument.index);
	task_body(argument.driver, argument.index);
	return NULL;
}

static int create_thread(struct driver *driver, int index)
{
	struct thread_argument *argument = malloc(sizeof(*argument));
	pthread_attr_t attributes;
	int rc;

	if (!argument)
		return error_no_memory();
	argument->driver = driver;
	argument->index = index;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	rc = pthread_create((pthread_t *)driver->handles + index, &attributes, thread_main,
			    argument);
	pthread_attr_destroy(&attributes);
	if (!rc)
		return 0; /* the thread frees its argument */
	free(argument);
	return error_set(-rc, "cannot make thread %d of %d: %s", index + 1, driver->needs.tasks,
			 strerror(rc));
}

static void child_main(struct driver *driver, int index, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(1); /* it died before the line above */
	if (driver->options.sync_fd >= 0)
		close(driver->options.sync_fd); /* the runner shall see EOF when the driver dies */
	close(driver->signal_fd);
	set_name(driver, index);
	task_body(driver, index);
	_exit(0);
}

static int create_process(struct driver *driver, int index)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		return error_set(-errno, "cannot make process %d of %d: %s", index + 1,
				 driver->needs.tasks, strerror(errno));
	if (!pid)
		child_main(driver, index, parent);
	((pid_t *)driver->handles)[index] = pid;
	return 0;
}

int tasks_create(struct driver *driver)
{
	size_t n = (size_t)driver->needs.tasks;
	size_t size = driver->threads ? sizeof(pthread_t) : sizeof(pid_t);
	int rc = 0;

	driver->handles = calloc(n ? n : 1, size);
	if (!driver->handles)
		return error_no_memory();
	for (int i = 0; i < driver->needs.tasks && !rc; i++) {
		rc = driver->threads ? create_thread(driver, i) : create_process(driver, i);
		if (!rc)
			driver->created++;
	}
	return rc;
}

int tasks_error(const struct driver *driver)
{
	for (int i = 0; i < driver->created; i++) {
		const struct driver_task *task = &driver->task[i];

		if (task->error && task->usage)
			return error_usage("%s", task->text);
		if (task->error)
			return error_set(task->error, "%s", task->text);
	}
	return 0;
}

static int index_of(const struct driver *driver, pid_t pid)
{
	for (int i = 0; i < driver->created; i++) {
		if (((pid_t *)driver->handles)[i] == pid)
			return i;
	}
	return -1;
}

int tasks_reap_early(struct driver *driver)
{
	int status, index;
	pid_t pid;

	if (driver->threads)
		return 0;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		index = index_of(driver, pid);
		if (index < 0)
			continue;
		((pid_t *)driver->handles)[index] = 0;
		if (WIFSIGNALED(status))
			return error_set(-ECHILD, "task %d (pid %d) was killed by signal %d", index,
					 (int)pid, WTERMSIG(status));
		return error_set(-ECHILD, "task %d (pid %d) ended before its time", index,
				 (int)pid);
	}
	return 0;
}

static int reap_all(struct driver *driver)
{
	int rc = 0, status;

	for (int i = 0; i < driver->created; i++) {
		pid_t *pid = (pid_t *)driver->handles + i;

		if (*pid <= 0)
			continue;
		while (waitpid(*pid, &status, 0) < 0 && errno == EINTR)
			;
		if (!rc && (!WIFEXITED(status) || WEXITSTATUS(status)))
			rc = error_set(-ECHILD, "task %d (pid %d) did not end as it should", i,
				       (int)*pid);
		*pid = 0;
	}
	return rc;
}

int tasks_release(struct driver *driver)
{
	futex_set_level(&driver->gate->phase, DRIVER_RELEASE);
	if (!driver->threads)
		return reap_all(driver);
	for (int i = 0; i < driver->created; i++)
		pthread_join(((pthread_t *)driver->handles)[i], NULL);
	return 0;
}

void tasks_kill(struct driver *driver)
{
	char kept[DRIVER_TEXT_SIZE];
	bool usage = error_is_usage();
	int how;

	if (driver->threads || !driver->handles)
		return;
	/* A task that is held yet has nothing to clear up, and may have other signals blocked. */
	how = atomic_load(&driver->gate->phase) == DRIVER_HOLD ? SIGKILL : driver->end_signal;
	/* What went wrong first is what the user has to read. */
	snprintf(kept, sizeof(kept), "%s", error_text());
	for (int i = 0; i < driver->created; i++) {
		pid_t pid = ((pid_t *)driver->handles)[i];

		if (pid > 0)
			kill(pid, how);
	}
	reap_all(driver);
	if (usage)
		error_usage("%s", kept);
	else
		error_set(-EIO, "%s", kept);
}

int tasks_verify(const struct driver *driver)
{
	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct driver_task *task = &driver->task[i];

		if (task->cpu_asked < 0 || driver->options.unbound)
			continue;
		if (task->start.cpu != task->cpu_asked || task->end.cpu != task->cpu_asked)
			return error_set(
				-EIO,
				"task %d: asked for CPU %d, was on CPU %d at the start and %d "
				"at the end",
				i, task->cpu_asked, task->start.cpu, task->end.cpu);
		if (task->migrations > 0)
			return error_set(-EIO, "task %d: moved %lld times although bound to CPU %d",
					 i, (long long)task->migrations, task->cpu_asked);
	}
	return 0;
}
