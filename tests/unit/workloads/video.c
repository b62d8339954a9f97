/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole films by hand: which frames are late, which are dropped, with times that a test can name.
 */
#include "workloads/video.h"
#include "lib/error.h"
#include "workloads/workload.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MS 1000000ull
#define T0 (1000 * MS)

static struct video_stream frames;
static struct video_screen screen;

static void begin(uint32_t rate)
{
	memset(&frames, 0, sizeof(frames));
	memset(&screen, 0, sizeof(screen));
	frames.schedule = (struct schedule){ .t0_ns = T0, .num = rate, .den = 1 };
	screen.frames = frames.schedule;
	screen.ticks = (struct schedule){ .t0_ns = T0, .num = 60, .den = 1 };
}

/*
 * Plays @ms of a film whose frames take @light, and @heavy ms each 12th, on a machine that is never
 * late: what the program does with clocks, done with sums.
 */
static void play(uint32_t rate, uint64_t ms, uint64_t light, uint64_t heavy)
{
	uint64_t ends[1024], free_ns = T0, t1 = T0 + ms * MS;
	int64_t k, decoded = 0, ticks;

	begin(rate);
	frames.planned = (uint64_t)schedule_last(&frames.schedule, t1);
	for (k = 0; k < (int64_t)frames.planned; k++) {
		uint64_t due = schedule_due_ns(&frames.schedule, k);
		uint64_t start = due > free_ns ? due : free_ns;

		if (start >= t1)
			break;
		free_ns = start + (k % VIDEO_GROUP ? light : heavy) * MS;
		video_record(&frames, due, schedule_due_ns(&frames.schedule, k + 1), start, free_ns,
			     t1);
		ends[k] = free_ns;
	}
	video_record_rest(&frames, k, t1);
	ticks = schedule_last(&screen.ticks, t1);
	for (int64_t tick = 0; tick < ticks; tick++) {
		while (decoded < k && ends[decoded] <= schedule_due_ns(&screen.ticks, tick))
			decoded++;
		video_screen_tick(&screen, tick, decoded);
	}
}

static void test_in_time(void **state)
{
	static const uint32_t rates[] = { 1, 24, 25, 30, 50, 60 };

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		play(rates[i], 10000, 2, 6);
		assert_int_equal(frames.planned, 10 * rates[i]);
		assert_int_equal(frames.ended, 10 * rates[i]);
		assert_int_equal(frames.late, 0);
		assert_int_equal(screen.dropped, 0);
		assert_int_equal(frames.lateness.count, 10 * rates[i]);
		assert_int_equal(frames.lateness.max_ns, 0); /* zeros are samples */
		/* the last frame becomes due at the very end, when there is no tick any more */
		assert_int_equal(screen.shown, 10 * rates[i] - 1);
	}
}

/* 24 frames at 60 ticks: by turns after three ticks and two. */
static void test_pulldown(void **state)
{
	static const int64_t due_at[] = { 3, 5, 8, 10, 13, 15, 18, 20, 23, 25 };
	int64_t before = 0;
	size_t n = 0;

	(void)state;
	begin(24);
	for (int64_t tick = 0; tick <= 25; tick++) {
		video_screen_tick(&screen, tick, 1000);
		if (screen.due > before)
			assert_int_equal(due_at[n++], tick);
		before = screen.due;
		assert_int_equal(screen.shown, screen.due); /* never sooner, though all are there */
	}
	assert_int_equal(n, 10);
	assert_int_equal(screen.dropped, 0);
}

/*
 * 5 Hz, 15 ms a frame, 300 ms each 12th: that one ends 100 ms after its period and is missing at
 * its tick; the next begins 100 ms late and is done in time. 25 frames in 5 s hold 0, 12 and 24;
 * the last is late, too, but its tick would be at the very end.
 */
static void test_heavy_frames(void **state)
{
	(void)state;
	play(5, 5000, 15, 300);
	assert_int_equal(frames.planned, 25);
	assert_int_equal(frames.ended, 24);
	assert_int_equal(frames.late, 3);
	assert_int_equal(screen.dropped, 2);
	assert_int_equal(frames.lateness.max_ns, 100 * MS);
	assert_int_equal(frames.lateness.sum_ns, 200 * MS);
}

/*
 * 10 Hz, 260 ms a frame, 2 s: ends at 260, 520, .. 1820, the 8th begins and ends after t1. Frames
 * are due on the screen at 100, 200, .. 1900 (19 ticks); of these 7 find a new one.
 */
static void test_overload(void **state)
{
	uint64_t sum = 0;

	(void)state;
	play(10, 2000, 260, 260);
	assert_int_equal(frames.planned, 20);
	assert_int_equal(frames.ended, 7);
	assert_int_equal(frames.late, 20);
	assert_int_equal(screen.dropped, 12);
	for (uint64_t k = 0; k < 8; k++) /* begun: 160 ms later each */
		sum += k * 160;
	for (uint64_t k = 8; k < 20; k++) /* not begun: their age at t1 */
		sum += 2000 - k * 100;
	assert_int_equal(frames.lateness.count, 20);
	assert_int_equal(frames.lateness.sum_ns, sum * MS);
}

/* A frame that comes one tick late is dropped at its tick, shown at the next, and nothing else is.
 */
static void test_late_shown(void **state)
{
	(void)state;
	begin(30);
	video_screen_tick(&screen, 0, 0);
	video_screen_tick(&screen, 1, 0);
	video_screen_tick(&screen, 2, 0); /* frame 0 due */
	assert_int_equal(screen.dropped, 1);
	video_screen_tick(&screen, 3, 1);
	assert_int_equal(screen.shown, 1);
	video_screen_tick(&screen, 4, 2); /* frame 1 due */
	assert_int_equal(screen.dropped, 1);
	video_screen_tick(&screen, 6, 2); /* the display itself missed tick 5 */
	assert_int_equal(screen.dropped, 2);
}

static void test_work(void **state)
{
	struct video_stream stream = { .units = 100, .heavy = 3 };

	(void)state;
	for (int64_t k = -24; k <= 24; k++)
		assert_int_equal(video_units(&stream, k), k % 12 ? 100 : 300);
}

static void test_rates(void **state)
{
	static const struct {
		const char *rate;
		int want;
	} cases[] = { { "24Hz", 0 },	    { "29.97Hz", 0 },	      { "23.976Hz", 0 },
		      { "60Hz", 0 },	    { "23.9761Hz", -EINVAL }, { "61Hz", -EINVAL },
		      { "0.5Hz", -EINVAL }, { "30", -EINVAL } };
	const struct workload *workload = workload_find("video");

	(void)state;
	assert_non_null(workload);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct param_value values[VIDEO_PARAMS + 1];
		struct workload_needs needs;
		int rc;

		assert_int_equal(param_defaults(workload->params, values), 0);
		rc = param_parse(&workload->params[VIDEO_RATE], cases[i].rate, &values[VIDEO_RATE]);
		if (!rc)
			rc = workload->needs(values, &needs);
		assert_int_equal(rc, cases[i].want);
		if (rc) {
			assert_non_null(strstr(error_text(), "rate: "));
			continue;
		}
		assert_int_equal(needs.tasks, 3);
		assert_int_equal(needs.cpus, 0);
		assert_true(needs.timer_based);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_time),	     cmocka_unit_test(test_pulldown),
		cmocka_unit_test(test_heavy_frames), cmocka_unit_test(test_overload),
		cmocka_unit_test(test_late_shown),   cmocka_unit_test(test_work),
		cmocka_unit_test(test_rates),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
