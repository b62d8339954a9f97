/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What counts as late and as dropped. No clock is read here: times come from the caller, so that a
 * test can go through a whole film by hand.
 *
 * No item is left out to catch up (frames are made from the ones before): one that begins late
 * makes those behind it late until the decoder has caught up.
 */
#include "workloads/video.h"

uint64_t video_units(const struct video_stream *stream, int64_t k)
{
	return k % VIDEO_GROUP ? stream->units : stream->units * stream->heavy;
}

void video_record(struct video_stream *stream, uint64_t due_ns, uint64_t limit_ns,
		  uint64_t begin_ns, uint64_t end_ns, uint64_t t1_ns)
{
	hist_add(&stream->lateness, begin_ns - due_ns);
	if (end_ns > limit_ns)
		stream->late++;
	if (end_ns <= t1_ns)
		stream->ended++;
}

void video_record_rest(struct video_stream *stream, int64_t k, uint64_t t1_ns)
{
	for (; k < (int64_t)stream->planned; k++) {
		hist_add(&stream->lateness, t1_ns - schedule_due_ns(&stream->schedule, k));
		stream->late++;
	}
}

void video_screen_tick(struct video_screen *screen, int64_t k, int64_t decoded)
{
	int64_t due = schedule_last(&screen->frames, schedule_due_ns(&screen->ticks, k));
	int64_t shown = decoded < due ? decoded : due;

	if (shown > screen->shown)
		screen->shown = shown;
	if (due == screen->due)
		return;
	if (screen->shown == screen->shown_then)
		screen->dropped++;
	screen->due = due;
	screen->shown_then = screen->shown;
}
