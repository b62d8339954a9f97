/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that say what a file is replayed on: replay's and explain's.
 */
#include "analysis/scene.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include <stdio.h>

static int add_setting(struct scene_order *order, const char *setting)
{
	if (order->settings == SCENE_SETTINGS_MAX)
		return error_usage("more than %d times --set", SCENE_SETTINGS_MAX);
	order->setting[order->settings++] = setting;
	return 0;
}

int scene_option(struct scene_order *order, int c, const char *value)
{
	switch (c) {
	case 't':
		order->table = value;
		return 0;
	case 's':
		return add_setting(order, value);
	case 'z':
		if ((size_t)snprintf(order->hz, sizeof(order->hz), "hz=%s", value) >=
		    sizeof(order->hz))
			return error_usage("--hz %s is out of range", value);
		return add_setting(order, order->hz);
	default:
		return options_choice("--wake", value, "timer", "irq", &order->timer);
	}
}
