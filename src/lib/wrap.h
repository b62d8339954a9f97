/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distance between two readings of a counter that starts again at 0 behind its range. One
 * function for the runner and for the report, so that both print the same joules (P-01).
 */
#ifndef LIB_WRAP_H
#define LIB_WRAP_H

#include <stdint.h>

/*
 * *@ret = @last - @first, or @last - @first + @range when the counter went backwards, in the
 * counter's own unit. At most one wrap is seen; the caller reads often enough (P-02). @range 0 =
 * unknown. -ERANGE, without a text, when it went backwards and the range is unknown (P-03), or when
 * a reading lies above a known range. Exact in 64 bits, no sum overflows.
 */
int wrap_delta(uint64_t first, uint64_t last, uint64_t range, uint64_t *ret);

#endif
