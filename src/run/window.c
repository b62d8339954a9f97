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
	struct window_sample *sample;
	size_t samples, room;
	char name[WINDOW_NAMES_MAX][CPUIDLE_NAME_MAX];
	size_t names;
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

static void *edge_main(void *argument)
{
	struct edge_thread *self = argument;
	struct window *w = self->window;
	struct window_edge *edge = &w->edge[self->position];
	uint64_t t1 = w->order.t1_ns ? w->order.t1_ns : UINT64_MAX;

	prctl(PR_SET_TIMERSLACK, 1);
	edge->err = topology_bind_thread(w->order.topology, w->order.idle->cpu[self->position].cpu);
	if (edge->err || !sleep_until(w, w->order.t0_ns))
		return NULL;
	edge->err = cpuidle_read(w->order.idle, self->position, &edge->first);
	sleep_until(w, t1);
	if (!edge->err)
		edge->err = cpuidle_read(w->order.idle, self->position, &edge->last);
	return NULL;
}

static size_t name_index(struct window *w, const char *name)
{
	size_t i;

	for (i = 0; i < w->names; i++)
		if (!strcmp(w->name[i], name))
			return i;
	if (w->names == WINDOW_NAMES_MAX)
		return WINDOW_NAMES_MAX - 1;
	memcpy(w->name[w->names++], name, CPUIDLE_NAME_MAX);
	return i;
}

static void add_reading(struct window *w, struct window_sample *sample, size_t position,
			const struct cpuidle_reading *reading)
{
	const struct cpuidle_cpu *cpu = &w->order.idle->cpu[position];
	bool in_workload = cpulist_has(w->order.workload, cpu->cpu);

	for (int s = 0; s < cpu->states; s++) {
		size_t i = name_index(w, cpu->state[s].name);
		uint64_t usage = reading->counter[s][CPUIDLE_USAGE].value;
		uint64_t time_us = reading->counter[s][CPUIDLE_TIME_US].value;

		for (int set = in_workload ? WINDOW_WORKLOAD : WINDOW_ALL; set < WINDOW_SETS;
		     set++) {
			sample->sum[set][i].usage += usage;
			sample->sum[set][i].time_us += time_us;
		}
	}
}

/* False when the counters cannot be read any more (the edges will say why) or memory is out. */
static bool take_sample(struct window *w)
{
	struct cpuidle_reading reading;
	struct window_sample *sample;

	if (w->samples == w->room) {
		struct window_sample *bigger =
			reallocarray(w->sample, 2 * w->room + 16, sizeof(*bigger));

		if (!bigger)
			return false;
		w->sample = bigger;
		w->room = 2 * w->room + 16;
	}
	sample = &w->sample[w->samples];
	memset(sample, 0, sizeof(*sample));
	sample->t_ns = clock_now_ns();
	for (size_t i = 0; i < w->order.idle->n; i++) {
		if (cpuidle_read(w->order.idle, i, &reading))
			return false;
		add_reading(w, sample, i, &reading);
	}
	w->samples++;
	return true;
}

static void *sampler_main(void *argument)
{
	struct window *w = argument;
	uint64_t t = w->order.t0_ns + w->order.interval_ns;

	if (topology_bind_thread(w->order.topology, w->order.housekeeping))
		return NULL;
	while ((!w->order.t1_ns || t < w->order.t1_ns) && sleep_until(w, t) && take_sample(w))
		t += w->order.interval_ns;
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

int window_start(const struct window_order *order, struct window **ret)
{
	struct window *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return error_set(-ENOMEM, "out of memory");
	w->order = *order;
	w->stop_fd = eventfd(0, EFD_CLOEXEC);
	w->thread = calloc(order->idle->n, sizeof(*w->thread));
	w->edge = calloc(order->idle->n, sizeof(*w->edge));
	for (size_t i = 0; i < order->idle->n; i++)
		for (int s = 0; s < order->idle->cpu[i].states; s++)
			name_index(w, order->idle->cpu[i].state[s].name);
	err = w->stop_fd < 0 || !w->thread || !w->edge
		      ? error_set(-ENOMEM, "out of memory or descriptors")
		      : start_threads(w);
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

const struct window_sample *window_samples(const struct window *w, size_t *ret_n)
{
	*ret_n = w->samples;
	return w->sample;
}

const char *window_state_name(const struct window *w, size_t i)
{
	return i < w->names ? w->name[i] : NULL;
}

void window_free(struct window *w)
{
	if (!w)
		return;
	if (w->stop_fd >= 0)
		close(w->stop_fd);
	free(w->thread);
	free(w->edge);
	free(w->sample);
	free(w);
}
