/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What wakeup's tasks do. A sleeper says that it goes to sleep, the waker takes that word before it
 * sends: there is one wake under way to each, and a wake whose turn finds its sleeper awake is
 * counted instead of sent.
 */
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/timed-sleep.h"
#include "workloads/wakeup.h"
#include <errno.h>
#include <sched.h>
#include <string.h>

#define RETRY_NS 50000u

enum wakeup_gap wakeup_gap_of(uint64_t left_ns, uint64_t sent_ns)
{
	uint64_t gap_ns = sent_ns - left_ns, limit_ns = 1000;
	enum wakeup_gap gap = WAKEUP_GAP_0US;

	if (sent_ns < left_ns)
		return WAKEUP_GAP_BUSY;
	for (; gap < WAKEUP_GAP_1S && gap_ns >= limit_ns; gap++)
		limit_ns *= 10;
	return gap;
}

int64_t wakeup_planned(const struct driver *driver)
{
	const struct wakeup *all = driver->data;
	struct schedule schedule = all->schedule;

	if (driver->loops)
		return (int64_t)driver->loops;
	schedule.t0_ns = driver->gate->t0_ns;
	return schedule_first(&schedule, driver->gate->t1_ns);
}

/* The calling sleeper is about to leave its CPU. */
static void leave(struct wakeup *all, uint64_t now)
{
	size_t place = cpu_hist_place(&all->latency, sched_getcpu());

	atomic_store_explicit(&all->left[place].ns, now, memory_order_relaxed);
}

/* A wake that was sent (or due) at @sent_ns has come @late_ns later. */
static void record(struct wakeup *all, uint64_t sent_ns, uint64_t late_ns)
{
	size_t place = cpu_hist_place(&all->latency, sched_getcpu());
	uint64_t left = atomic_load_explicit(&all->left[place].ns, memory_order_relaxed);
	enum wakeup_gap gap = wakeup_gap_of(left, sent_ns);

	cpu_hist_add(&all->latency, place, gap, late_ns);
	if (gap != WAKEUP_GAP_BUSY)
		cpu_hist_add(&all->latency, place, WAKEUP_GAPS, sent_ns - left);
}

static int token_error(int token)
{
	if (token < 0 && token != -EPROTO)
		return error_set(token, "a wake went wrong: %s", strerror(-token));
	return error_set(-EPROTO, "a wake was lost or doubled");
}

int wakeup_run_sleeper(struct driver *driver, int sleeper, struct driver_task *task)
{
	struct wakeup *all = driver->data;
	struct wakeup_sleeper *self = &all->sleeper[sleeper];
	struct channel in = all->channel[sleeper];
	uint64_t now;
	int token;

	driver_mark(&task->start);
	for (;;) {
		leave(all, clock_now_ns());
		atomic_store(&self->asleep, 1);
		token = all->transport->wait(&in);
		now = clock_now_ns();
		if (token != TOKEN_GO)
			break;
		if (self->counted) {
			record(all, self->sent_ns, now - self->sent_ns);
			self->woken++;
			task->done_ns = now;
		} else {
			driver_mark(&task->start);
		}
	}
	driver_mark(&task->end);
	return token == TOKEN_STOP ? 0 : token_error(token);
}

/* Waits until @due_ns is over. */
static uint64_t pace(const struct wakeup *all, uint64_t due_ns)
{
	uint64_t now;

	if (!all->spins)
		timed_sleep(due_ns);
	while ((now = clock_now_ns()) < due_ns)
		transport_relax();
	return now;
}

/* The wake of @slot is due; sent unless its sleeper is awake. */
static int send_wake(struct wakeup *all, int64_t slot, uint64_t due_ns, bool counted)
{
	int who = wakeup_order_who(&all->order, slot), rc;
	struct wakeup_sleeper *sleeper = &all->sleeper[who];
	uint64_t now;

	if (!atomic_exchange(&sleeper->asleep, 0)) {
		all->not_asleep += counted;
		return 0;
	}
	sleeper->counted = counted;
	sleeper->sent_ns = now = clock_now_ns();
	rc = all->transport->pass(&all->channel[who], TOKEN_GO);
	if (counted)
		hist_add(&all->late, now - due_ns);
	return rc ? token_error(rc) : 0;
}

/* Every sleeper is told to end as soon as it sleeps. */
static int stop_sleepers(struct wakeup *all)
{
	int rc = 0;

	for (int i = 0; i < all->sleepers && !rc; i++) {
		while (!atomic_exchange(&all->sleeper[i].asleep, 0))
			clock_sleep_until(clock_now_ns() + RETRY_NS);
		rc = all->transport->pass(&all->channel[i], TOKEN_STOP);
	}
	return rc ? token_error(rc) : 0;
}

int wakeup_run_waker(struct driver *driver, struct driver_task *task)
{
	struct wakeup *all = driver->data;
	struct schedule schedule = all->schedule;
	uint64_t t0 = driver->gate->t0_ns, t1 = driver->gate->t1_ns, due;
	int64_t slot, planned = wakeup_planned(driver);
	int rc = 0;

	schedule.t0_ns = t0;
	for (slot = schedule_first(&schedule, clock_now_ns()); slot < 0 && !rc; slot++) {
		due = schedule_due_ns(&schedule, slot);
		if (pace(all, due) >= t0)
			break;
		rc = send_wake(all, slot, due, false);
	}
	driver_mark(&task->start);
	for (slot = 0; slot < planned && !rc; slot++) {
		due = schedule_due_ns(&schedule, slot);
		if (pace(all, due) >= t1)
			break;
		rc = send_wake(all, slot, due, true);
	}
	all->not_sent = (uint64_t)(planned - slot);
	if (!driver->loops && !rc)
		pace(all, t1);
	driver_mark(&task->end);
	task->done_ns = task->end.t_ns;
	return rc ? rc : stop_sleepers(all);
}

/* One turn by timer: a wake, or missed when it is due before the sleep begins. */
static void timed_turn(struct wakeup *all, struct wakeup_sleeper *self, uint64_t due_ns,
		       struct driver_task *task)
{
	uint64_t now = clock_now_ns(), late_ns;

	if (now > due_ns) {
		self->not_asleep += self->counted;
		return;
	}
	leave(all, now);
	late_ns = timed_sleep(due_ns);
	if (!self->counted)
		return;
	record(all, due_ns, late_ns);
	self->woken++;
	task->done_ns = due_ns + late_ns;
}

int wakeup_run_timed(struct driver *driver, int sleeper, struct driver_task *task)
{
	struct wakeup *all = driver->data;
	struct wakeup_sleeper *self = &all->sleeper[sleeper];
	struct schedule schedule = all->schedule;
	int64_t planned = wakeup_planned(driver), slot, first, cycle;

	schedule.t0_ns = driver->gate->t0_ns;
	first = schedule_first(&schedule, clock_now_ns());
	if (first > 0)
		first = 0; /* t0 is over: what was due since then is missed */
	cycle = wakeup_order_cycle(&all->order, first);
	if (wakeup_order_slot(&all->order, cycle, sleeper) < first)
		cycle++;
	for (;; cycle++) {
		slot = wakeup_order_slot(&all->order, cycle, sleeper);
		if (slot >= 0 && !self->counted) {
			self->counted = true;
			driver_mark(&task->start);
		}
		if (slot >= planned)
			break;
		timed_turn(all, self, schedule_due_ns(&schedule, slot), task);
	}
	driver_mark(&task->end);
	if (!driver->loops)
		timed_sleep_beyond(driver->gate->t1_ns, schedule_due_ns(&schedule, slot));
	return 0;
}
