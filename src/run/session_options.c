/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with the options of a run whatever the machine is: values out of range, and those
 * that would have no effect. It is said, not corrected.
 */
#include "lib/error.h"
#include "lib/suggest.h"
#include "run/session.h"
#include <string.h>

static int range(const char *option, double ns, double min, double max, const char *limits)
{
	if (ns >= 0 && (ns < min || ns > max))
		return error_usage("--%s is outside %s", option, limits);
	return 0;
}

/* "-- COMMAND" is a suite of its own. */
static int check_command(const struct options *o)
{
	if (!*o->command)
		return error_usage("no command behind '--'");
	if (o->suite)
		return error_usage("--suite has no effect: '-- %s' is what is measured",
				   o->command[0]);
	if (o->warmup_ns >= 0)
		return error_usage("--warmup has no effect: a command has none");
	return 0;
}

int session_check_options(const struct options *o)
{
	int err = range("window", o->window_ns, SUITE_WINDOW_MIN_NS, SUITE_WINDOW_MAX_NS,
			"100ms to 24h");

	if (!err)
		err = range("warmup", o->warmup_ns, 0, SUITE_WARMUP_MAX_NS, "0s to 2h");
	if (!err)
		err = range("interval", o->interval_ns, SUITE_INTERVAL_MIN_NS,
			    SUITE_INTERVAL_MAX_NS, "100ms to 1h");
	if (!err && o->repeat_given &&
	    (o->repeat < 1 || o->repeat > SUITE_REPEAT_MAX || o->repeat_max > SUITE_REPEAT_MAX))
		err = error_usage("--repeat is 1 to %d", SUITE_REPEAT_MAX);
	if (!err)
		err = range("for", o->budget_ns, 1e9, 30 * 86400e9, "1s to 720h");
	if (!err && o->command)
		err = check_command(o);
	if (!err && !o->suite && !o->command)
		err = error_usage("no --suite; ./runner list suites names them");
	if (!err && o->rests)
		err = error_usage("unexpected argument '%s'", o->rest[0]);
	if (!err && o->order) {
		char hint[64];

		for (int i = 0; suite_orders[i]; i++)
			if (!strcmp(o->order, suite_orders[i]))
				return 0;
		err = error_usage("--order is shuffled, blocked or abba, not '%s'%s", o->order,
				  suggest_text(o->order, suite_orders, 3, hint, sizeof(hint)));
	}
	return err;
}
