/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A film is played: a decoder, the sound and the display, each by its own timer; the decoder wakes
 * the display when a frame is ready. Light and regular: 5 to 10 % of one CPU, in many short pieces.
 *
 * The display waits for two things at once, the next tick and a frame: a futex with the tick as
 * its time-out.
 */
#include "workloads/video.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/futex.h"
#include "workloads/timed-sleep.h"
#include "workloads/work.h"
#include <errno.h>
#include <stdio.h>

#define DISPLAY_HZ 60

static const struct param params[] = {
	[VIDEO_RATE] = { "rate", PARAM_FREQUENCY, "30Hz", 1, DISPLAY_HZ,
			 .help = "Frames per second, to the thousandth: 24Hz, 29.97Hz" },
	[VIDEO_WORK] = { "work", PARAM_WORK, "2ms", 0, 1e10,
			 .help = "Work to decode a frame; a time is turned into units by a "
				 "calibration" },
	[VIDEO_HEAVY] = { "heavy", PARAM_COUNT, "3", 1, 1000,
			  .help = "Every 12th frame is so many times the work" },
	[VIDEO_AUDIO] = { "audio", PARAM_CHOICE, "21.33ms", .choices = "10ms|21.33ms",
			  .help = "Length of a packet of sound; 21.33ms are 1024 samples at 48 "
				  "kHz, exactly 64/3 ms" },
	[VIDEO_AUDIO_WORK] = { "audio-work", PARAM_WORK, "100us", 0, 1e10,
			       .help = "Work for a packet of sound" },
	[VIDEO_DISPLAY_WORK] = { "display-work", PARAM_WORK, "300us", 0, 1e10,
				 .help = "Work at each tick of the display, 60 a second" },
	[VIDEO_AFFINITY] = { "affinity", PARAM_CHOICE, "free", .choices = "free|pinned",
			     .help = "The scheduler's choice, or a CPU each for decoder, sound "
				     "and display" },
	[VIDEO_PARAMS] = { 0 },
};

static const char *const roles[] = {
	[VIDEO_DECODER] = "decoder",
	[VIDEO_SOUND] = "audio",
	[VIDEO_DISPLAY] = "display",
};

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	bool pinned = values[VIDEO_AFFINITY].choice == VIDEO_PINNED;
	struct schedule schedule;
	int rc = schedule_set_rate(&schedule, values[VIDEO_RATE].number);

	if (rc)
		return error_prefix(rc, "rate: ");
	*ret = (struct workload_needs){
		.tasks = VIDEO_ROLES,
		.cpus = pinned ? VIDEO_ROLES : 0,
		.group = VIDEO_ROLES,
		.pinned = pinned,
		.timer_based = true,
	};
	return 0;
}

static int set_streams(struct driver *driver, struct video *video)
{
	static const int work[] = { VIDEO_WORK, VIDEO_AUDIO_WORK, VIDEO_DISPLAY_WORK };
	const struct param_value *values = driver->values;
	bool short_packets = values[VIDEO_AUDIO].choice == VIDEO_AUDIO_10MS;
	int rc;

	video->stream[VIDEO_SOUND].schedule.num = short_packets ? 100 : 48000;
	video->stream[VIDEO_SOUND].schedule.den = short_packets ? 1 : 1024;
	video->stream[VIDEO_DISPLAY].schedule.num = DISPLAY_HZ;
	video->stream[VIDEO_DISPLAY].schedule.den = 1;
	for (int i = 0; i < VIDEO_ROLES; i++) {
		struct video_stream *stream = &video->stream[i];

		stream->units = (uint64_t)values[work[i]].number;
		stream->heavy = 1;
		snprintf(driver->task[i].role, sizeof(driver->task[i].role), "%s", roles[i]);
	}
	video->stream[VIDEO_DECODER].heavy = (uint64_t)values[VIDEO_HEAVY].number;
	for (int i = 0; i < VIDEO_ROLES; i++)
		driver->grace_ns += (uint64_t)(4 * driver->unit_start_ns *
					       (double)video_units(&video->stream[i], 0));
	video->screen.ticks = video->stream[VIDEO_DISPLAY].schedule;
	rc = schedule_set_rate(&video->screen.frames, values[VIDEO_RATE].number);
	video->stream[VIDEO_DECODER].schedule = video->screen.frames;
	return rc;
}

/* Threads, as in a player: the token is between tasks that share their memory. */
static int setup(struct driver *driver)
{
	struct video *video;
	void *memory;
	int rc = driver_alloc(sizeof(*video), &memory);

	if (rc)
		return rc;
	video = memory;
	driver->data = video;
	driver->threads = true;
	return set_streams(driver, video);
}

/* A frame is ready; @k is its number, negative in the warm-up. */
static void post_frame(struct video *video, int64_t k)
{
	if (k >= 0)
		atomic_store(&video->decoded, k + 1);
	atomic_store(&video->posted_ns, clock_now_ns());
	atomic_fetch_add(&video->posted, 1);
	futex_call(&video->posted, FUTEX_WAKE_PRIVATE, 1);
}

/* The display sleeps until its tick and is woken for each frame before. */
static void wait_for_tick(struct driver *driver, struct video *video, uint32_t *taken,
			  uint64_t due_ns)
{
	uint64_t now;

	while ((now = clock_now_ns()) < due_ns) {
		uint32_t posted = atomic_load(&video->posted);
		uint64_t then = atomic_load(&video->posted_ns);

		if (posted == *taken) {
			futex_wait_until(&video->posted, FUTEX_PRIVATE_FLAG, posted, due_ns);
			continue;
		}
		*taken = posted;
		if (then >= driver->gate->t0_ns && now >= then && now <= driver->gate->t1_ns)
			hist_add(&video->token, now - then);
	}
}

/* One item: its work, and what it leads to. Returns when it began. */
static uint64_t do_item(struct video *video, int role, int64_t k)
{
	struct video_stream *stream = &video->stream[role];
	uint64_t begin = clock_now_ns();

	if (role == VIDEO_DISPLAY && k >= 0)
		video_screen_tick(&video->screen, k, atomic_load(&video->decoded));
	work_do(video_units(stream, k));
	return begin;
}

/* Items of one task until those planned are done, or t1 comes. Returns the first not begun. */
static int64_t run_items(struct driver *driver, struct video *video, int role)
{
	struct video_stream *stream = &video->stream[role];
	const struct schedule *schedule = &stream->schedule;
	uint64_t now = clock_now_ns(), begin, end, due, t1 = driver->gate->t1_ns;
	int64_t k = now < schedule->t0_ns ? schedule_first(schedule, now) : 0;
	uint32_t taken = 0;

	for (; k < (int64_t)stream->planned; k++) {
		due = schedule_due_ns(schedule, k);
		if (role == VIDEO_DISPLAY)
			wait_for_tick(driver, video, &taken, due);
		else
			timed_sleep(due);
		if (k == 0)
			driver_mark(&driver->task[role].start);
		if (k >= 0 && clock_now_ns() >= t1)
			break;
		begin = do_item(video, role, k);
		end = clock_now_ns();
		if (role == VIDEO_DECODER)
			post_frame(video, k);
		if (k >= 0)
			video_record(stream, due, schedule_due_ns(schedule, k + 1), begin, end, t1);
	}
	return k;
}

/* Each task sets what it alone reads. */
static int begin_stream(struct driver *driver, struct video *video, int role)
{
	struct video_stream *stream = &video->stream[role];
	uint64_t t0 = driver->gate->t0_ns;

	if (role == VIDEO_DISPLAY)
		video->screen.frames.t0_ns = video->screen.ticks.t0_ns = t0;
	stream->schedule.t0_ns = t0;
	stream->planned = (uint64_t)schedule_last(&stream->schedule, driver->gate->t1_ns);
	if (!stream->planned)
		return error_set(-ETIME, "%s: not one whole period in the window", roles[role]);
	return 0;
}

static int task(struct driver *driver, int role)
{
	struct video *video = driver->data;
	struct video_stream *stream = &video->stream[role];
	uint64_t t1 = driver->gate->t1_ns;
	int64_t k;
	int rc = begin_stream(driver, video, role);

	if (rc)
		return rc;
	k = run_items(driver, video, role);
	video_record_rest(stream, k, t1);
	if (role == VIDEO_DISPLAY) {
		for (; k < (int64_t)stream->planned; k++)
			video_screen_tick(&video->screen, k, 0);
	}
	timed_sleep(t1);
	driver_mark(&driver->task[role].end);
	return 0;
}

const struct workload workload_video = {
	.name = "video",
	.about =
		"A film is played: decoder, sound and display work by timers; the decoder wakes the "
		"display for each frame.",
	.timer_note = "but for one wake a frame, which comes from another task",
	.params = params,
	.metrics = video_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = video_finish,
};
