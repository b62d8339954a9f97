/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The payload of a block into an item. Private to the layer. */
#ifndef TRACE_DECODE_H
#define TRACE_DECODE_H

#include "trace/read.h"

/* Arrays that items point into, as large as the largest block asks for. */
struct decoder {
	size_t cpus;
	uint32_t format; /* of the trace */
	struct trace_period *period; /* FORMAT_PERIODS_MAX */
	uint8_t *timer; /* enum format_timer of each */
	uint8_t *raw; /* FORMAT_PAYLOAD_MAX: what was packed */
	struct trace_wake *wake;
	size_t wakes_max;
	uint64_t *last_ns; /* a CPU's last exit; a later block begins no sooner */
	size_t lasts;
};

int decoder_make(struct decoder *decoder);
void decoder_free(struct decoder *decoder);

/* *@ret of type TRACE_END for a type that is not known. -EBADMSG when the block contradicts
 * itself, without a text. */
int decoder_block(struct decoder *decoder, uint32_t type, const uint8_t *payload, size_t size,
		  struct trace_item *ret);

#endif
