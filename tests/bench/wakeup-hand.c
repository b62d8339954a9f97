/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plainest loop that measures a wake through a pipe, for tests/bench/wakeup-vs-hand: nothing of
 * the suite is in it. Prints the median, mean and 99th percentile of the latencies in us.
 *
 *   wakeup-hand WAKES INTERVAL_NS WAKER_CPU SLEEPER_CPU
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static long wakes, interval_ns, *sent_ns, *took_ns;
static int ends[2];

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		exit(1);
	}
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

static void *sleeper(void *cpu)
{
	char byte;

	bind_to(*(int *)cpu);
	for (long i = 0; i < wakes; i++) {
		if (read(ends[0], &byte, 1) != 1)
			exit(1);
		took_ns[i] = now_ns() - sent_ns[i];
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	double sum = 0;
	pthread_t thread;
	long due;
	int cpu;

	if (argc != 5)
		return 2;
	wakes = atol(argv[1]);
	interval_ns = atol(argv[2]);
	cpu = atoi(argv[4]);
	sent_ns = calloc((size_t)wakes, sizeof(*sent_ns));
	took_ns = calloc((size_t)wakes, sizeof(*took_ns));
	if (wakes < 1 || !sent_ns || !took_ns || pipe(ends) ||
	    pthread_create(&thread, NULL, sleeper, &cpu))
		return 1;
	bind_to(atoi(argv[3]));
	due = now_ns() + 100000000;
	for (long i = 0; i < wakes; i++, due += interval_ns) {
		while (now_ns() < due)
			;
		sent_ns[i] = now_ns();
		if (write(ends[1], "x", 1) != 1)
			return 1;
	}
	pthread_join(thread, NULL);
	for (long i = 0; i < wakes; i++)
		sum += (double)took_ns[i];
	qsort(took_ns, (size_t)wakes, sizeof(*took_ns), compare);
	printf("%.4f %.4f %.4f\n", (double)took_ns[wakes / 2] / 1e3, sum / (double)wakes / 1e3,
	       (double)took_ns[wakes * 99 / 100] / 1e3);
	return 0;
}
