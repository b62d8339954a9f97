/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wraps. The order of the terms matters: range - first cannot underflow, and the sum is below the
 * range again.
 */
#include "lib/wrap.h"

#include <errno.h>

int wrap_delta(uint64_t first, uint64_t last, uint64_t range, uint64_t *ret)
{
	if (range && (first > range || last > range))
		return -ERANGE;
	if (last >= first) {
		*ret = last - first;
		return 0;
	}
	if (!range)
		return -ERANGE;
	*ret = last + (range - first);
	return 0;
}
