/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One child after the other is started, works, ends and is reaped. Each start is a decision of the
 * scheduler, each end wakes the parent; no timer is involved.
 *
 * With affinity free a process of its own first does the same bound to one CPU, where nothing is
 * placed and nobody sleeps: what the chain gains or loses by having several CPUs is the ratio.
 */
#include "workloads/fork-chain.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/units.h"
#include "workloads/bind.h"
#include "workloads/work.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define REFERENCE_NS 500000000u /* at least so long, and so many children */
#define REFERENCE_CHILDREN 3u

static const struct param params[] = {
	[FORK_CHAIN_PROGRAM] = { "program", PARAM_CHOICE, "helper",
				 .choices = "helper|none|true|sh",
				 .help = "What a child executes: a helper that does the work, nothing "
					 "(it works itself), /bin/true, or /bin/sh -c :" },
	[FORK_CHAIN_START] = { "start", PARAM_CHOICE, "fork", .choices = "fork|vfork",
			       .help = "How a child begins; vfork is what posix_spawn() does" },
	[FORK_CHAIN_WORK] = { "work", PARAM_WORK, "0", 0, 1e9,
			      .help = "Work of each child; a time is turned into units by a "
				      "calibration" },
	[FORK_CHAIN_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e15,
			       .help = "Children to count, instead of --window" },
	[FORK_CHAIN_AFFINITY] = { "affinity", PARAM_CHOICE, "free", .choices = "free|one",
				  .help = "The scheduler's choice, or parent and children on one "
					  "CPU" },
	[FORK_CHAIN_PARAMS] = { 0 },
};

/* Start and end of a child, about. */
#define START_NS 300e3

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	int program = values[FORK_CHAIN_PROGRAM].choice;
	bool works = program == FORK_CHAIN_HELPER || program == FORK_CHAIN_NONE;
	bool pinned = values[FORK_CHAIN_AFFINITY].choice == FORK_CHAIN_ONE;

	if (!works && values[FORK_CHAIN_WORK].given)
		return error_usage("work has no effect with program %s, which does none",
				   program == FORK_CHAIN_TRUE ? "true" : "sh");
	if (program == FORK_CHAIN_NONE && values[FORK_CHAIN_START].choice == FORK_CHAIN_VFORK)
		return error_usage("start vfork needs a program: the child has its parent's "
				   "memory until it executes one");
	*ret = (struct workload_needs){
		.tasks = 1,
		.cpus = pinned ? 1 : 0,
		.pinned = pinned,
		.loop_ns =
			START_NS + values[FORK_CHAIN_WORK].number *
					   (values[FORK_CHAIN_WORK].is_time ? 1 : WORK_NOMINAL_NS),
	};
	return 0;
}

static void set_kind(struct fork_chain *all, const struct param_value *values)
{
	static const char *const commands[][4] = {
		[FORK_CHAIN_HELPER] = { "/proc/self/exe", WORKLOAD_CHILD, NULL },
		[FORK_CHAIN_NONE] = { NULL },
		[FORK_CHAIN_TRUE] = { "/bin/true", NULL },
		[FORK_CHAIN_SH] = { "/bin/sh", "-c", ":", NULL },
	};
	int program = values[FORK_CHAIN_PROGRAM].choice;

	for (size_t i = 0; i < 4; i++)
		all->argv[i] = commands[program][i];
	all->kind.units = (uint64_t)values[FORK_CHAIN_WORK].number;
	snprintf(all->number, sizeof(all->number), "%" PRIu64, all->kind.units);
	if (program == FORK_CHAIN_HELPER)
		all->argv[2] = all->number;
	all->kind.argv = program == FORK_CHAIN_NONE ? NULL : all->argv;
	all->kind.vfork = values[FORK_CHAIN_START].choice == FORK_CHAIN_VFORK;
}

/* Time per child bound to one CPU; the first child, which meets cold caches, is left out. */
static int measure_one_cpu(struct driver *driver, const struct fork_chain *all, double *ret_us)
{
	uint64_t begin, now, children = 0;
	int rc = bind_set(driver->binder, driver->options.cpus.cpu, 1);

	if (!rc)
		rc = fork_chain_child(&all->kind, all->trace);
	begin = clock_now_ns();
	do {
		if (!rc)
			rc = fork_chain_child(&all->kind, all->trace);
		if (rc)
			return rc;
		children++;
		now = clock_now_ns();
	} while (children < REFERENCE_CHILDREN || now - begin < REFERENCE_NS);
	*ret_us = (double)(now - begin) / 1e3 / (double)children;
	return 0;
}

/* What the process of the reference found; in shared memory. */
struct reference {
	int rc;
	bool usage;
	double us;
	char text[DRIVER_TEXT_SIZE];
};

static void reference_main(struct driver *driver, const struct fork_chain *all,
			   struct reference *reference, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(1);
	if (driver->options.sync_fd >= 0)
		close(driver->options.sync_fd);
	reference->rc = measure_one_cpu(driver, all, &reference->us);
	reference->usage = error_is_usage();
	snprintf(reference->text, sizeof(reference->text), "%s", error_text());
	_exit(0);
}

/*
 * Waits for the reference's process. A signal that ends the program ends it at once, and is left
 * for the driver to find.
 */
static int await_reference(pid_t pid, int *ret_status)
{
	sigset_t blocked; /* by the driver: what ends the program, and SIGCHLD */

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	while (!waitpid(pid, ret_status, WNOHANG)) {
		int signal = sigwaitinfo(&blocked, NULL);

		if (signal < 0 || signal == SIGCHLD)
			continue;
		kill(pid, SIGKILL);
		waitpid(pid, ret_status, 0);
		kill(getpid(), signal);
		return -EINTR;
	}
	return 0;
}

static int take_reference(struct driver *driver, struct fork_chain *all)
{
	struct reference *reference;
	pid_t parent = getpid(), pid;
	void *memory;
	int status, rc = driver_alloc(sizeof(*reference), &memory);

	if (rc)
		return rc;
	reference = memory;
	pid = fork();
	if (pid < 0)
		return error_set(-errno, "cannot make the reference's process: %s",
				 strerror(errno));
	if (!pid)
		reference_main(driver, all, reference, parent);
	if (await_reference(pid, &status))
		return 0;
	if (status)
		return error_set(-ECHILD,
				 "the reference's process (pid %d) did not end as it "
				 "should",
				 (int)pid);
	if (reference->rc && reference->usage)
		return error_usage("%s", reference->text);
	if (reference->rc)
		return error_set(reference->rc, "%s", reference->text);
	all->one_cpu_us = reference->us;
	return 0;
}

static int setup(struct driver *driver)
{
	struct fork_chain *all = calloc(1, sizeof(*all));
	void *memory;
	int rc;

	if (!all)
		return error_no_memory();
	driver->data = all;
	set_kind(all, driver->values);
	all->one_cpu_us = NAN;
	driver->grace_ns += (uint64_t)(4 * driver->unit_start_ns * (double)all->kind.units);
	snprintf(driver->task[0].role, sizeof(driver->task[0].role), "chain");
	rc = driver_alloc(sizeof(*all->count), &memory);
	if (rc)
		return rc;
	all->count = memory;
	rc = driver_alloc(sizeof(*all->trace), &memory);
	if (rc)
		return rc;
	all->trace = memory;
	return driver->needs.pinned || driver->options.unbound ? 0 : take_reference(driver, all);
}

/* a child inherits its parent's CPUs. */
static int check_cpu(const struct driver *driver, const struct fork_chain_trace *trace)
{
	const struct cpulist *cpus = &driver->options.cpus;

	if (driver->options.unbound || cpulist_has(cpus, trace->cpu))
		return 0;
	return error_set(-EIO, "a child was on CPU %d, which is none of those asked for",
			 trace->cpu);
}

static int one_child(const struct driver *driver, const struct fork_chain *all, bool *ret_other)
{
	int here = sched_getcpu(), rc = fork_chain_child(&all->kind, all->trace);

	if (!rc)
		rc = check_cpu(driver, all->trace);
	if (!rc)
		*ret_other = all->trace->cpu != here;
	return rc;
}

/* Counts children until t1 is over or @loops are done. */
static int count_children(const struct driver *driver, const struct fork_chain *all, uint64_t loops)
{
	struct fork_chain_count *count = all->count;
	uint64_t begin = count->begin_ns, now;
	bool other;
	int rc;

	do {
		rc = one_child(driver, all, &other);
		if (rc)
			return rc;
		now = clock_now_ns();
		count->started++;
		if (now > driver->gate->t1_ns)
			break;
		count->others += other;
		hist_add(&count->hist, now - begin);
		blocks_add(&count->blocks, now);
		begin = now;
	} while (count->hist.count != loops);
	count->end_ns = begin;
	blocks_end(&count->blocks, begin);
	return 0;
}

static uint64_t children_cpu_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return ((uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec) * 1000000000u +
	       ((uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec) * 1000u;
}

static int task(struct driver *driver, int index)
{
	struct fork_chain *all = driver->data;
	struct fork_chain_count *count = all->count;
	struct driver_task *own = &driver->task[index];
	uint64_t t0 = driver->gate->t0_ns, t1 = driver->gate->t1_ns, before;
	bool other;
	int rc;

	/* Page tables of shared memory are not inherited: fault them in now, not in the window. */
	memset(count, 0, sizeof(*count));
	do
		rc = one_child(driver, all, &other);
	while (!rc && clock_now_ns() < t0);
	if (rc)
		return rc;
	driver_mark(&own->start);
	before = children_cpu_ns();
	count->begin_ns = clock_now_ns();
	blocks_begin(&count->blocks, count->begin_ns, t1 - t0, driver->loops);
	rc = count_children(driver, all, driver->loops ? driver->loops : UINT64_MAX);
	if (rc)
		return rc;
	driver_mark(&own->end);
	count->children_cpu_ns = children_cpu_ns() - before;
	own->done_ns = count->end_ns;
	return 0;
}

/* The helper that a child executes: this same program, told how many units to do. */
static int child(int argc, char **argv)
{
	uint64_t units;

	if (argc != 3 || units_parse_count(argv[2], &units))
		return 2;
	work_do(units);
	return 0;
}

const struct workload workload_fork_chain = {
	.name = "fork-chain",
	.about = "One child process after the other is started, works, ends and is waited for.",
	.params = params,
	.metrics = fork_chain_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = fork_chain_finish,
	.child = child,
};
