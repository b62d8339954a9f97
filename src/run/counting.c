/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters run all the time that the session lasts; a window is the difference of two readings.
 */
#include "run/counting.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/session.h"
#include <stdlib.h>

int counting_resolve(struct session *s)
{
	const struct options *o = s->options;
	int err = 0;

	s->code = calloc((size_t)o->events + 1, sizeof(*s->code));
	if (!s->code)
		return error_no_memory();
	for (int i = 0; i < o->events && !err; i++) {
		err = events_resolve(o->event[i], &s->code[i]);
		s->codes += !err;
	}
	return err ? error_prefix(err, "--event: ") : 0;
}

int counting_open(struct session *s)
{
	char reason[256];
	int err;

	if (!s->codes)
		return 0;
	err = events_open(&s->root, s->code, s->codes, &s->cpus, &s->events);
	if (err)
		return error_prefix(err, "--event: ");
	for (size_t e = 0; e < s->codes; e++)
		if (*events_reason(s->events, e, 0, reason, sizeof(reason)))
			log_warn("not counted: %s", reason);
	return 0;
}

void counting_close(struct session *s)
{
	if (s->events)
		events_close(s->events);
	free(s->code);
}
