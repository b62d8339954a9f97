/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks, and the median of them: where other work takes one of the CPUs for a while, only the
 * blocks that it hits are long.
 */
#include "run/spin.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/transport.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_LOOPS                                                                                \
	32 /* some 10 us, but a time slice for each loop when the CPUs are fought for              \
	    */
#define BLOCKS_MAX 2048
#define BLOCKS_MIN 3

struct spin {
	const struct topology *topology;
	const struct transport *transport;
	struct transport_flag flag[2];
	struct channel to, back; /* from the first CPU to the second, and back */
	int cpu_b, err_b;
};

static const struct transport *find_spin(void)
{
	const struct transport *t = transport_table;

	while (t->name && strcmp(t->name, "spin"))
		t++;
	return t->name ? t : NULL;
}

/* Passes back whatever comes, until the stop token. */
static void *echo(void *argument)
{
	struct spin *spin = argument;
	struct channel in = spin->to, out = spin->back;
	int token;

	spin->err_b = topology_bind_thread(spin->topology, spin->cpu_b);
	do {
		token = spin->transport->wait(&in);
		spin->transport->pass(&out, token < 0 ? TOKEN_STOP : (enum token)token);
	} while (token != TOKEN_STOP && token >= 0);
	return NULL;
}

static int round_trip(const struct spin *spin, struct channel *out, struct channel *in,
		      enum token token)
{
	spin->transport->pass(out, token);
	return spin->transport->wait(in) == (int)token ? 0 : -EPROTO;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure(struct spin *spin, double *ret_us)
{
	struct channel out = spin->to, in = spin->back;
	double block[BLOCKS_MAX];
	uint64_t begin, now, end;
	size_t n = 0;
	int err = round_trip(spin, &out, &in, TOKEN_MARK); /* the other thread runs now */

	begin = clock_now_ns();
	end = begin + SPIN_PROBE_NS;
	do {
		for (int i = 0; i < BLOCK_LOOPS && !err; i++)
			err = round_trip(spin, &out, &in, TOKEN_GO);
		now = clock_now_ns();
		block[n++] = (double)(now - begin) / (2 * BLOCK_LOOPS) / 1e3;
		begin = now;
	} while (!err && now < end && n < BLOCKS_MAX);
	spin->transport->pass(&out, TOKEN_STOP); /* whatever happened: the other one waits for it */
	if (err || n < BLOCKS_MIN)
		return -ENODATA;
	qsort(block, n, sizeof(*block), compare);
	*ret_us = n % 2 ? block[n / 2] : (block[n / 2 - 1] + block[n / 2]) / 2;
	return 0;
}

/* The first CPU's side, on a thread of its own: the runner's stays where it is. */
struct drive {
	struct spin *spin;
	int cpu, bind_err, err;
	double us;
};

static void *drive(void *argument)
{
	struct drive *d = argument;
	d->bind_err = topology_bind_thread(d->spin->topology, d->cpu);
	d->err = measure(d->spin, &d->us);
	return NULL;
}

static int open_channels(struct spin *spin)
{
	int err;

	spin->to.flag = &spin->flag[0];
	spin->back.flag = &spin->flag[1];
	err = spin->transport->open(&spin->to, true);
	return err ? err : spin->transport->open(&spin->back, true);
}

int spin_probe(const struct topology *topology, int cpu_a, int cpu_b, double *ret_us)
{
	struct spin spin = { .topology = topology, .transport = find_spin(), .cpu_b = cpu_b };
	struct drive d = { .spin = &spin, .cpu = cpu_a };
	pthread_t a, b;
	int err = spin.transport ? open_channels(&spin) : -ENODATA;

	if (err)
		return err;
	if (pthread_create(&b, NULL, echo, &spin))
		return error_set(-ENODATA, "the spin probe's threads cannot be started");
	if (pthread_create(&a, NULL, drive, &d)) {
		struct channel out = spin.to;

		spin.transport->pass(&out, TOKEN_STOP);
		pthread_join(b, NULL);
		return error_set(-ENODATA, "the spin probe's threads cannot be started");
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (d.bind_err || spin.err_b)
		return error_set(-ENODATA, "the spin probe's threads cannot be bound");
	if (d.err)
		return error_set(-ENODATA, "the spin probe got no CPU time");
	*ret_us = d.us;
	return 0;
}
