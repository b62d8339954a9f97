/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What video is compared with: three periodic threads as anybody would write them in one sitting,
 * sharing no code with it. No token, no warm-up, no checks. Prints "late p50_us p99_us max_us" of
 * the frames.
 *
 *   video-loop SECONDS FRAME-UNITS AUDIO-UNITS DISPLAY-UNITS      (30 Hz, 1024/48000 s, 60 Hz)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define FRAMES_MAX 1000000

struct stream {
	double hz;
	unsigned long units;
	int heavy;
	long n, late;
	double *lateness_us; /* NULL = not wanted */
};

static double begin, seconds;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void work(unsigned long units)
{
	unsigned long x = 1;

	while (units--) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
}

static void *play(void *argument)
{
	struct stream *s = argument;

	prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
	for (long k = 0; (double)(k + 1) / s->hz <= seconds; k++) {
		double due = begin + (double)k / s->hz;
		struct timespec until = { .tv_sec = (time_t)due };

		until.tv_nsec = (long)((due - (double)until.tv_sec) * 1e9);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		if (s->lateness_us && s->n < FRAMES_MAX)
			s->lateness_us[s->n++] = (now() - due) * 1e6;
		work(k % 12 ? s->units : s->units * (unsigned long)s->heavy);
		s->late += now() > begin + (double)(k + 1) / s->hz;
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static double lateness_us[FRAMES_MAX];
	struct stream all[3] = { { .hz = 30, .heavy = 3, .lateness_us = lateness_us },
				 { .hz = 48000.0 / 1024, .heavy = 1 },
				 { .hz = 60, .heavy = 1 } };
	pthread_t thread[3];

	if (argc != 5)
		return 2;
	seconds = atof(argv[1]);
	begin = now() + 0.1;
	for (int i = 0; i < 3; i++) {
		all[i].units = strtoul(argv[2 + i], NULL, 10);
		if (pthread_create(&thread[i], NULL, play, &all[i]))
			return 1;
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	if (!all[0].n)
		return 1;
	qsort(lateness_us, (size_t)all[0].n, sizeof(*lateness_us), compare);
	printf("%ld %.1f %.1f %.1f\n", all[0].late, lateness_us[(all[0].n - 1) / 2],
	       lateness_us[(long)(0.99 * (double)(all[0].n - 1))], lateness_us[all[0].n - 1]);
	return 0;
}
