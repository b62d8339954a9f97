/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * video's figures. Lateness is from the time when an item was due to its begin, so it holds the
 * wake-up and, when the item before took too long, the wait for that one.
 */
#include "workloads/video.h"
#include <math.h>

const struct metric video_metrics[] = {
	{ "frame_p99_us", "us", BETTER_LOWER,
	  "Lateness of a frame, from its time to the begin of its decoding: 99th percentile" },
	{ "late_frames", "", BETTER_LOWER,
	  "Frames not decoded before the next was due, or not before the end" },
	{ "dropped_frames", "", BETTER_LOWER,
	  "Times when a new frame was due on the screen and nothing new had come since the last time" },
	{ "frame_p50_us", "us", BETTER_LOWER, "Median lateness of a frame" },
	{ "frame_max_us", "us", BETTER_LOWER, "Largest" },
	{ "audio_p50_us", "us", BETTER_LOWER, "Median lateness of a packet of sound" },
	{ "audio_p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "audio_max_us", "us", BETTER_LOWER, "Largest" },
	{ "audio_underruns", "", BETTER_LOWER, "Packets not ready when the next was due" },
	{ "display_p50_us", "us", BETTER_LOWER, "Median lateness of a tick of the display" },
	{ "display_p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "display_max_us", "us", BETTER_LOWER, "Largest" },
	{ "late_ticks", "", BETTER_LOWER, "Ticks not done when the next was due" },
	{ "token_p50_us", "us", BETTER_LOWER,
	  "From the end of a frame's decoding to the display, which sleeps till then: median" },
	{ "token_p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "token_max_us", "us", BETTER_LOWER, "Largest" },
	{ "frames_planned", "", BETTER_NONE, "Frames whose whole period lies in the window" },
	{ "frames_decoded", "", BETTER_NONE, "Those decoded before its end" },
	{ "audio_packets", "", BETTER_NONE, "Packets of sound planned" },
	{ "display_ticks", "", BETTER_NONE, "Ticks planned" },
	{ "cpu_pct", "%", BETTER_NONE, "CPU time of the three tasks, of one CPU" },
	{ "work_units", "", BETTER_NONE, "Units of work for a frame, without the heavy ones" },
	{ "audio_work_units", "", BETTER_NONE, "Units of work for a packet" },
	{ "display_work_units", "", BETTER_NONE, "Units of work at a tick" },
	{ "unit_start_ns", "ns", BETTER_NONE, "Time per unit on the decoder's CPU before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the tasks" },
	{ 0 },
};

static void report_hist(struct driver *driver, const char *const names[3], const struct hist *hist)
{
	driver_metric(driver, names[0], hist_quantile_ns(hist, 0.5) / 1e3);
	driver_metric(driver, names[1], hist_quantile_ns(hist, 0.99) / 1e3);
	driver_metric(driver, names[2], hist->count ? (double)hist->max_ns / 1e3 : NAN);
}

static int report_lateness(struct driver *driver, const struct video *video)
{
	static const char *const names[VIDEO_ROLES + 1][3] = {
		[VIDEO_DECODER] = { "frame_p50_us", "frame_p99_us", "frame_max_us" },
		[VIDEO_SOUND] = { "audio_p50_us", "audio_p99_us", "audio_max_us" },
		[VIDEO_DISPLAY] = { "display_p50_us", "display_p99_us", "display_max_us" },
		[VIDEO_ROLES] = { "token_p50_us", "token_p99_us", "token_max_us" },
	};
	int rc = 0;

	for (int i = 0; i < VIDEO_ROLES && !rc; i++) {
		report_hist(driver, names[i], &video->stream[i].lateness);
		rc = driver_add_latency(driver, driver->task[i].role, &video->stream[i].lateness);
	}
	report_hist(driver, names[VIDEO_ROLES], &video->token);
	return rc ? rc : driver_add_latency(driver, "token", &video->token);
}

int video_finish(struct driver *driver)
{
	const struct video *video = driver->data;
	const struct video_stream *frames = &video->stream[VIDEO_DECODER];
	const struct video_stream *audio = &video->stream[VIDEO_SOUND];
	const struct video_stream *ticks = &video->stream[VIDEO_DISPLAY];

	driver_metric(driver, "late_frames", (double)frames->late);
	driver_metric(driver, "dropped_frames", (double)video->screen.dropped);
	driver_metric(driver, "audio_underruns", (double)audio->late);
	driver_metric(driver, "late_ticks", (double)ticks->late);
	driver_metric(driver, "frames_planned", (double)frames->planned);
	driver_metric(driver, "frames_decoded", (double)frames->ended);
	driver_metric(driver, "audio_packets", (double)audio->planned);
	driver_metric(driver, "display_ticks", (double)ticks->planned);
	driver_metric(driver, "cpu_pct", driver_cpu_share_pct(driver) * VIDEO_ROLES);
	driver_metric(driver, "work_units", (double)frames->units);
	driver_metric(driver, "audio_work_units", (double)audio->units);
	driver_metric(driver, "display_work_units", (double)ticks->units);
	driver_report_facts(driver);
	return report_lateness(driver, video);
}
