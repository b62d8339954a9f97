/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread of periodic. It sleeps until a release by absolute time, so nothing that happens in
 * one period moves the next.
 *
 * A release that was over before the packet in front of it had ended is not waited for, so it gives
 * no lateness at all: a missed deadline is an overrun, never a wake of 0 us.
 */
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/periodic.h"
#include "workloads/work.h"
#include <errno.h>
#include <string.h>
#include <time.h>

static uint64_t real_cpu_ns(void)
{
	struct timespec cpu;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	return (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
}

static void real_work(uint64_t units)
{
	work_do(units);
}

const struct periodic_time periodic_real_time = {
	.now_ns = clock_now_ns,
	.cpu_ns = real_cpu_ns,
	.sleep_until = clock_sleep_until,
	.work = real_work,
};

double periodic_level(const struct periodic_plan *plan, uint64_t span)
{
	uint64_t step = span <= plan->steps ? span : 2 * plan->steps - span;

	return plan->steps ? (double)step / (double)plan->steps : 1;
}

uint64_t periodic_units(const struct periodic_plan *plan, uint64_t span)
{
	return (uint64_t)((double)plan->units * periodic_level(plan, span) + 0.5);
}

static uint64_t span_of(const struct periodic_plan *plan, int64_t k)
{
	uint64_t span = (uint64_t)k / plan->span_periods;

	return span < plan->spans ? span : plan->spans - 1;
}

static int sleep_until(const struct periodic_time *time, uint64_t t_ns)
{
	int rc;

	do
		rc = time->sleep_until(t_ns);
	while (rc == -EINTR);
	return rc ? error_set(rc, "cannot sleep: %s", strerror(-rc)) : 0;
}

static void read_twice(const struct periodic_time *time, struct hist *readings)
{
	uint64_t before = time->cpu_ns();

	hist_add(readings, time->cpu_ns() - before);
}

/*
 * The same packets as in the window, on the same schedule; what is late is skipped. Gives what a
 * reading of the CPU clock takes behind a wake, where caches are cold: twice as long as in a row.
 */
static int warm_up(const struct periodic_plan *plan, const struct periodic_time *time,
		   uint64_t *ret_reading_ns)
{
	uint64_t units = periodic_units(plan, 0);
	struct hist readings = { 0 };
	int64_t k;

	while ((k = schedule_first(&plan->schedule, time->now_ns() + 1)) < 0) {
		int rc = sleep_until(time, schedule_due_ns(&plan->schedule, k));

		if (rc)
			return rc;
		read_twice(time, &readings);
		time->work(units);
	}
	if (!readings.count)
		read_twice(time, &readings);
	*ret_reading_ns = (uint64_t)hist_quantile_ns(&readings, 0.5);
	return 0;
}

static int await(struct periodic_thread *thread, const struct periodic_time *time,
		 struct periodic_span *span, uint64_t due, uint64_t *ret_now)
{
	uint64_t now, late;
	int rc = sleep_until(time, due);

	if (rc)
		return rc;
	now = time->now_ns();
	late = now > due ? now - due : 0;
	hist_add(&thread->lateness, late);
	span->wakes++;
	span->late_ns += late;
	*ret_now = now;
	return 0;
}

/* Packet @k ended at @end: judged by its deadline. Returns the packet that comes next. */
static int64_t judge(struct periodic_thread *thread, struct periodic_span *span, int64_t k,
		     uint64_t end)
{
	const struct schedule *schedule = &thread->plan.schedule;
	uint64_t deadline = schedule_due_ns(schedule, k + 1);

	span->done++;
	if (end <= deadline)
		return k + 1;
	span->overruns++;
	if (end - deadline > thread->max_overrun_ns)
		thread->max_overrun_ns = end - deadline;
	return thread->plan.skip ? schedule_first(schedule, end) : k + 1;
}

/* What a thread carries from one packet to the next. */
struct carry {
	uint64_t end_ns; /* of the last packet */
	uint64_t cpu_ns; /* read behind it */
	uint64_t reading_ns; /* what a reading of the CPU clock takes */
};

static void do_packet(struct periodic_thread *thread, struct periodic_span *span,
		      const struct periodic_time *time, uint64_t units, struct carry *carry)
{
	uint64_t before = time->cpu_ns(), after, packet;

	time->work(units);
	carry->end_ns = time->now_ns();
	after = time->cpu_ns();
	packet = after - before > carry->reading_ns ? after - before - carry->reading_ns : 0;
	hist_add(&thread->packet, packet);
	span->packet_ns += packet;
	span->cpu_ns += after - carry->cpu_ns;
	carry->cpu_ns = after;
}

int periodic_run(struct periodic_thread *thread, const struct periodic_time *time,
		 struct driver_task *task)
{
	const struct periodic_plan *plan = &thread->plan;
	struct carry carry = { 0 };
	int rc = warm_up(plan, time, &carry.reading_ns);

	if (rc)
		return rc;
	carry.end_ns = time->now_ns();
	for (int64_t k = 0; (uint64_t)k < plan->planned;) {
		uint64_t due = schedule_due_ns(&plan->schedule, k), which = span_of(plan, k);
		struct periodic_span *span = &thread->span[which];
		uint64_t begin = carry.end_ns;

		if (begin <= due)
			rc = await(thread, time, span, due, &begin);
		else if (begin >= plan->t1_ns)
			break;
		if (rc)
			return rc;
		thread->last_ns = begin;
		if (!thread->first_ns) {
			thread->first_ns = begin;
			driver_mark(&task->start);
			carry.cpu_ns = time->cpu_ns();
		}
		do_packet(thread, span, time, periodic_units(plan, which), &carry);
		k = judge(thread, span, k, carry.end_ns);
	}
	driver_mark(&task->end);
	task->done_ns = carry.end_ns;
	return 0;
}
