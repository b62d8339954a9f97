/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a window. They share nothing that is written but a stop descriptor: each has its
 * own slot.
 */
#include "run/window.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE (128u << 10)

struct edge_thread {
	struct window *window;
	size_t position;
	pthread_t thread;
	bool started;
};

struct window {
	struct window_order order;
	int stop_fd;
	struct edge_thread *thread;
	struct window_edge *edge;
	pthread_t sampler;
	bool sampling;
	struct event_reading *event; /* [(position * event_count + event) * 2 + last] */
	struct samples *samples;
	struct window_energy *energy;
	struct window_ticks ticks;
};

/* Sleeps until the time or the stop; true = the time came. */
static bool sleep_until(const struct window *window, uint64_t t_ns)
{
	struct pollfd stop = { window->stop_fd, POLLIN, 0 };
	uint64_t now = clock_now_ns(), left = t_ns > now ? t_ns - now : 0;
	struct timespec timeout = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };
	int n;

	do
		n = ppoll(&stop, 1, t_ns == UINT64_MAX ? NULL : &timeout, NULL);
	while (n < 0 && errno == EINTR);
	return n == 0;
}

/*
 * An edge has to be read at its time even on a CPU with a hundred runnable tasks. Where the right
 * to it is missing the read may come late, which voids the run.
 */
static void take_precedence(void)
{
	struct sched_param param = { .sched_priority = 1 };

	pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
	prctl(PR_SET_TIMERSLACK, 1);
}

/* On the CPU itself: from any other one, reading a counter interrupts this one (P-17). */
static void read_events(struct window *w, size_t position, int last)
{
	size_t n = w->order.event_count;

	for (size_t e = 0; e < n; e++)
		events_read(w->order.events, e, position, &w->event[(position * n + e) * 2 + last]);
}

static void *edge_main(void *argument)
{
	struct edge_thread *self = argument;
	struct window *w = self->window;
	struct window_edge *edge = &w->edge[self->position];
	uint64_t t1 = w->order.t1_ns ? w->order.t1_ns : UINT64_MAX;

	take_precedence();
	edge->err = topology_bind_thread(w->order.topology, w->order.idle->cpu[self->position].cpu);
	if (edge->err || !sleep_until(w, w->order.t0_ns))
		return NULL;
	edge->err = cpuidle_read(w->order.idle, self->position, &edge->first);
	read_events(w, self->position, 0);
	sleep_until(w, t1);
	read_events(w, self->position, 1);
	if (!edge->err)
		edge->err = cpuidle_read(w->order.idle, self->position, &edge->last);
	return NULL;
}

static void read_energy(struct window *w, bool last)
{
	size_t zones = w->order.energy ? energy_zones(w->order.energy) : 0;

	for (size_t z = 0; z < zones; z++)
		energy_read_zone(w->order.energy, z,
				 last ? &w->energy[z].last : &w->energy[z].first);
}

static void read_ticks(struct window *w, bool last)
{
	struct window_ticks *t = &w->ticks;

	/* Too late for a place outside of the window: rather none. */
	if (!last && clock_now_ns() + w->order.ticks_lead_ns / 5 > w->order.t0_ns)
		return;
	if (w->order.ticks && (!last || t->first.t_after_ns))
		ticks_read(w->order.ticks, last ? t->count1 : t->count0,
			   last ? &t->last : &t->first);
}

/*
 * Energy at both edges and the passive samples between them. The samples also keep the counters
 * guarded: one that wraps more than once a window is followed from sample to sample (P-02).
 */
static void *sampler_main(void *argument)
{
	struct window *w = argument;
	uint64_t t1 = w->order.t1_ns ? w->order.t1_ns : UINT64_MAX, t = w->order.t0_ns;

	take_precedence();
	if (topology_bind_thread(w->order.topology, w->order.housekeeping) ||
	    !sleep_until(w, t - w->order.ticks_lead_ns))
		return NULL;
	read_ticks(w, false);
	if (!sleep_until(w, t))
		return NULL;
	read_energy(w, false);
	for (t += w->order.interval_ns; t < t1; t += w->order.interval_ns)
		if (!sleep_until(w, t) || samples_take(w->samples))
			break;
	sleep_until(w, t1);
	read_energy(w, true);
	read_ticks(w, true);
	return NULL;
}

static int start_threads(struct window *w)
{
	pthread_attr_t attr;
	int err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (size_t i = 0; i < w->order.idle->n && !err; i++) {
		w->thread[i] = (struct edge_thread){ .window = w, .position = i };
		err = pthread_create(&w->thread[i].thread, &attr, edge_main, &w->thread[i]);
		w->thread[i].started = !err;
	}
	if (!err) {
		err = pthread_create(&w->sampler, &attr, sampler_main, w);
		w->sampling = !err;
	}
	pthread_attr_destroy(&attr);
	return err ? error_set(-err, "cannot start a reader thread: %s", strerror(err)) : 0;
}

static int open_samples(struct window *w)
{
	const struct window_order *order = &w->order;
	struct samples_source source = { order->idle, order->energy, order->workload };
	uint64_t length = order->t1_ns ? order->t1_ns - order->t0_ns : 0;

	return samples_open(&source, (size_t)(length / order->interval_ns) + 16, &w->samples);
}

int window_start(const struct window_order *order, struct window **ret)
{
	struct window *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return error_no_memory();
	w->order = *order;
	w->stop_fd = eventfd(0, EFD_CLOEXEC);
	w->thread = calloc(order->idle->n, sizeof(*w->thread));
	w->edge = calloc(order->idle->n, sizeof(*w->edge));
	w->energy = calloc(order->energy ? energy_zones(order->energy) + 1 : 1, sizeof(*w->energy));
	w->event = calloc(2 * order->idle->n * order->event_count + 1, sizeof(*w->event));
	w->ticks.count0 = calloc(order->idle->n + 1, sizeof(*w->ticks.count0));
	w->ticks.count1 = calloc(order->idle->n + 1, sizeof(*w->ticks.count1));
	err = w->stop_fd < 0 || !w->thread || !w->edge || !w->energy || !w->event ||
			      !w->ticks.count0 || !w->ticks.count1
		      ? error_set(-ENOMEM, "out of memory or descriptors")
		      : open_samples(w);
	if (!err)
		err = start_threads(w);
	if (err) {
		window_finish(w, true);
		window_free(w);
		return err;
	}
	*ret = w;
	return 0;
}

void window_finish(struct window *w, bool now)
{
	if (now && w->stop_fd >= 0)
		eventfd_write(w->stop_fd, 1);
	for (size_t i = 0; w->thread && i < w->order.idle->n; i++)
		if (w->thread[i].started)
			pthread_join(w->thread[i].thread, NULL);
	if (w->sampling)
		pthread_join(w->sampler, NULL);
	w->sampling = false;
	for (size_t i = 0; w->thread && i < w->order.idle->n; i++)
		w->thread[i].started = false;
}

const struct window_edge *window_edges(const struct window *w)
{
	return w->edge;
}

const struct samples *window_samples(const struct window *w)
{
	return w->samples;
}

const struct window_energy *window_energy(const struct window *w)
{
	return w->order.energy ? w->energy : NULL;
}

const struct window_ticks *window_ticks(const struct window *w)
{
	return w->ticks.first.t_after_ns && w->ticks.last.t_after_ns ? &w->ticks : NULL;
}

struct event_reading window_event(const struct window *w, size_t i, size_t e)
{
	const struct event_reading *pair = &w->event[(i * w->order.event_count + e) * 2];

	return events_between(&pair[0], &pair[1]);
}

void window_free(struct window *w)
{
	if (!w)
		return;
	if (w->stop_fd >= 0)
		close(w->stop_fd);
	free(w->thread);
	free(w->edge);
	free(w->energy);
	free(w->event);
	free(w->ticks.count0);
	free(w->ticks.count1);
	samples_free(w->samples);
	free(w);
}
