/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine without sensors or throttle counts leaves everything NA.
 */
#include "run/heat.h"
#include "lib/error.h"
#include "run/verify.h"
#include <stdio.h>
#include <stdlib.h>

/* "47.5", NULL where no sensor can be read. */
static char *temperature(const struct session *s)
{
	char *text;
	int mc;

	if (!thermal_hottest(&s->root, &s->thermal, &mc))
		return NULL;
	return asprintf(&text, "%.1f", mc / 1000.0) < 0 ? NULL : text;
}

static struct thermal_throttle *throttle(const struct session *s)
{
	struct thermal_throttle *count = calloc(s->cpus.n + 1, sizeof(*count));

	if (count)
		thermal_read_throttle(&s->root, &s->cpus, count);
	return count;
}

int heat_begin(struct cell *cell)
{
	cell->run.temperature_start_c = temperature(cell->session);
	cell->throttle = throttle(cell->session);
	return cell->throttle ? 0 : error_no_memory();
}

int heat_end(struct cell *cell)
{
	struct thermal_throttle *now = throttle(cell->session);
	char text[256];
	int err = 0;

	cell->run.temperature_end_c = temperature(cell->session);
	if (!now)
		return error_no_memory();
	if (thermal_throttled(&cell->session->cpus, cell->throttle, now, text, sizeof(text)))
		err = verify_doubt(&cell->run, "throttled: %s", text);
	free(now);
	return err;
}
