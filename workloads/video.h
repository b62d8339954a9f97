/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * video's own structures: its three streams, what each records, and the screen, which decides when
 * a frame was dropped.
 *
 * All three begin at t0: frame, packet and tick 0 are due there, those of the warm-up have negative
 * numbers. The period of item k ends when item k + 1 is due.
 */
#ifndef WORKLOADS_VIDEO_H
#define WORKLOADS_VIDEO_H

#include "lib/hist.h"
#include "workloads/driver.h"
#include "workloads/schedule.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define VIDEO_GROUP 12 /* frames from one heavy frame to the next, which is the first of them */

/* Rows of the parameter table. */
enum {
	VIDEO_RATE,
	VIDEO_WORK,
	VIDEO_HEAVY,
	VIDEO_AUDIO,
	VIDEO_AUDIO_WORK,
	VIDEO_DISPLAY_WORK,
	VIDEO_AFFINITY,
	VIDEO_PARAMS,
};
enum { VIDEO_AUDIO_10MS, VIDEO_AUDIO_21MS }; /* choices of audio */
enum { VIDEO_FREE, VIDEO_PINNED }; /* choices of affinity */

enum { VIDEO_DECODER, VIDEO_SOUND, VIDEO_DISPLAY, VIDEO_ROLES }; /* tasks */

/* What one task does and how it went; planned = those whose period ends at or before t1. */
struct video_stream {
	struct schedule schedule;
	uint64_t units; /* of work for each item */
	uint64_t heavy; /* times as many for every VIDEO_GROUP-th */
	uint64_t planned;
	uint64_t ended; /* of the planned ones, before t1 */
	uint64_t late; /* ended after their period, or not at all before t1 */
	struct hist lateness; /* from due to begin; what had not begun at t1: its age then */
};

/* Work of item @k in units. */
uint64_t video_units(const struct video_stream *stream, int64_t k);

/* An item that was due at @due_ns; @limit_ns is the end of its period, @begin_ns and @end_ns are
 * when it was done. */
void video_record(struct video_stream *stream, uint64_t due_ns, uint64_t limit_ns,
		  uint64_t begin_ns, uint64_t end_ns, uint64_t t1_ns);

/* Items from @k on had not begun when t1 came. */
void video_record_rest(struct video_stream *stream, int64_t k, uint64_t t1_ns);

/*
 * What is shown. Frame k is due on the screen when its period is over, at the first tick from then
 * on; never sooner, and later if it is not there.
 */
struct video_screen {
	struct schedule frames, ticks;
	int64_t due; /* frames that should have been shown so far */
	int64_t shown; /* frames that were, those that were passed over too */
	int64_t shown_then; /* the same when one was last due */
	uint64_t dropped; /* ticks at which one was due and nothing new had come since the last such
			   */
};

/* Tick @k, when @decoded frames (from frame 0 on) were ready. */
void video_screen_tick(struct video_screen *screen, int64_t k, int64_t decoded);

struct video {
	struct video_stream stream[VIDEO_ROLES];
	struct video_screen screen;
	struct hist token; /* from decoder to display */
	/* From the decoder to the display: frames ready from frame 0 on and the time of the last,
	 * then the word that wakes. */
	_Alignas(64) _Atomic int64_t decoded;
	_Atomic uint64_t posted_ns;
	_Atomic uint32_t posted;
};

extern const struct metric video_metrics[];

int video_finish(struct driver *driver);

#endif
