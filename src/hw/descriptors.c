/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The soft limit of descriptors made large enough, as far as the hard one goes.
 */
#include "hw/descriptors.h"
#include "lib/error.h"
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

int descriptors_make_room(size_t more)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return error_set(-errno, "descriptor limit: %s", strerror(errno));
	more += DESCRIPTORS_LEFT_TO_OTHERS;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= more)
		return 0;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < more)
		return error_set(-EMFILE,
				 "the events need %zu descriptors, and the hard limit is %llu: "
				 "count on fewer CPUs, count fewer events, or raise ulimit -Hn",
				 more, (unsigned long long)limit.rlim_max);
	/* perf does the same; whoever has more open than is left for it meets EMFILE below. */
	limit.rlim_cur = more > limit.rlim_cur * 2 ? more : limit.rlim_cur * 2;
	if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return error_set(-errno, "descriptor limit: %s", strerror(errno));
	return 0;
}
