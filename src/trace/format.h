/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes that writer and reader agree on; docs/trace-format.md. Everything is little endian.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#define FORMAT_BLOCK_MAGIC 0x4b4c4249u /* "IBLK" */
#define FORMAT_HEAD 16 /* bytes: magic, type, payload size, CRC-32 */
#define FORMAT_PAYLOAD_MAX (1u << 20) /* bytes; a larger block is damage */
#define FORMAT_BLOCK_PERIODS 2048 /* at which the writer ends a block of them */
#define FORMAT_PERIODS_MAX 8192 /* that a reader takes; format 2 ended a block at 32 KiB */
#define FORMAT_PERIOD_BYTES 43 /* of the longest: 3 and 4 varints */

enum format_block {
	FORMAT_INFO = 1, /* the first block: text */
	FORMAT_PERIODS = 2,
	FORMAT_WAKES = 3,
	FORMAT_ROUND = 4,
	FORMAT_EDGES = 5, /* the last one */
};
/* Added to a block's type: the payload's size, and it deflated; since format 3. */
#define FORMAT_PACKED 0x100u

/* A period's first byte: state in bits 0-3, and */
#define FORMAT_MISS_SHIFT 4 /* 2 bits */
#define FORMAT_TICK_STOPPED 0x40
#define FORMAT_NEXT 0x80
/* Its second byte: cause in bits 0-3, and */
#define FORMAT_NEXT_IS_TICK 0x10
#define FORMAT_AFTER_LOSS 0x20
#define FORMAT_MORE 0x40 /* a third byte; since format 2 */
#define FORMAT_UNUSED 0x80
/* The third: enum format_timer in bits 0-1, and */
#define FORMAT_TIMER 0x03
#define FORMAT_WAS_STOPPED 0x04
#define FORMAT_RAN 0x08
#define FORMAT_MORE_UNUSED 0xf0

enum format_timer {
	FORMAT_TIMER_UNKNOWN,
	FORMAT_TIMER_HRTIMER, /* its time is there */
	FORMAT_TIMER_WHEEL, /* likewise */
	FORMAT_TIMER_NEXT, /* the hrtimer that is the next clock event */
};

/* LEB128: seven bits a byte, lowest first. Returns behind what was written (at most 10 bytes). */
static inline uint8_t *format_put(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

/* False when the number does not end before @end or has more than 64 bits. */
static inline bool format_get(const uint8_t **at, const uint8_t *end, uint64_t *ret)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; *at < end && shift < 64; shift += 7) {
		uint8_t byte = *(*at)++;

		if (shift == 63 && byte > 1)
			return false;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret = value;
			return true;
		}
	}
	return false;
}

static inline uint64_t format_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t format_unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

#endif
