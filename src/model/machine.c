/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The constants' keys, each a row: where it lies, what its text is, its range and its default.
 * Defaults of the kernel's paths are those that fit the i5-10600K's published token passing
 * (docs/model.md); a machine that is much slower or faster should have its own.
 */
#include "model/machine.h"
#include "lib/error.h"
#include "lib/units.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>

enum kind { WHOLE, NUMBER, SHARE /* in percent, stored as 0 to 1 */, TIME, PRECISE_TIME, RATE };

struct row {
	const char *key;
	enum kind kind;
	size_t offset;
	double min, max, normal; /* in the unit that is stored */
};

#define AT(field) offsetof(struct model_machine, field)

static const struct row rows[] = {
	{ "packages", WHOLE, AT(packages), 1, MODEL_PACKAGES_MAX, 1 },
	{ "cores", WHOLE, AT(cores), 1, MODEL_CPUS_MAX, 4 },
	{ "threads", WHOLE, AT(threads), 1, 8, 1 },
	{ "unit", PRECISE_TIME, AT(unit_ns), 0.01, 1e6, 1.3 },
	{ "smt_speed", SHARE, AT(smt_speed), 0.1, 1, 0.6 },
	{ "smt_work", SHARE, AT(smt_work), 0.1, 1, 0.95 },
	{ "frequency_min", SHARE, AT(frequency_min), 0.01, 1, 0.2 },
	{ "voltage_min", SHARE, AT(voltage_min), 0.1, 1, 0.55 },
	{ "exit_spread", SHARE, AT(exit_spread), 0, 1, 0.2 },
	{ "demotion", TIME, AT(demotion_ns), 0, 1e9, 0 },
	{ "package_exit", TIME, AT(package_exit_ns), 0, 1e9, 0 },
	{ "jitter", SHARE, AT(jitter), 0, 1, 0.1 },
	{ "send", TIME, AT(send_ns), 0, 1e9, 780 },
	{ "sleep", TIME, AT(sleep_ns), 0, 1e9, 350 },
	{ "wake", TIME, AT(wake_ns), 0, 1e9, 800 },
	{ "poll_wake", TIME, AT(poll_wake_ns), 0, 1e9, 690 },
	{ "idle", TIME, AT(idle_ns), 0, 1e9, 150 },
	{ "ask", TIME, AT(ask_ns), 0, 1e9, 50 },
	{ "tick_stop", TIME, AT(stop_ns), 0, 1e9, 250 },
	{ "tick_start", TIME, AT(start_ns), 0, 1e9, 270 },
	{ "tick", TIME, AT(tick_ns), 0, 1e9, 2000 },
	{ "background", TIME, AT(background_ns), 0, 1e9, 20000 },
	{ "background_rate", RATE, AT(background_hz), 0, 1e4, 1 },
	{ "poll_step", TIME, AT(poll_step_ns), 1, 1e9, 1000 },
	{ "fork", TIME, AT(fork_ns), 0, 1e9, 60000 },
	{ "exec", TIME, AT(exec_ns), 0, 1e9, 200000 },
	{ "reap", TIME, AT(reap_ns), 0, 1e9, 20000 },
	{ "message", TIME, AT(message_ns), 0, 1e9, 4000 },
	{ "byte", PRECISE_TIME, AT(byte_ns), 0, 1e6, 0.15 },
	{ "record_byte", PRECISE_TIME, AT(record_byte_ns), 0, 1e6, 0.15 },
	{ "floor_w", NUMBER, AT(floor_w), 0, 1e6, 0 },
	{ "package_on_w", NUMBER, AT(package_on_w), 0, 1e6, 0 },
	{ "active_w", NUMBER, AT(active_w), 0, 1e6, NAN },
	{ "smt_w", NUMBER, AT(smt_w), 0, 1e6, 0 },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void store(struct model_machine *machine, const struct row *row, double value)
{
	void *at = (char *)machine + row->offset;

	if (row->kind == WHOLE)
		*(int *)at = (int)value;
	else if (row->kind == TIME)
		*(int64_t *)at = llrint(value);
	else
		*(double *)at = value;
}

void model_machine_default(struct model_machine *machine)
{
	memset(machine, 0, sizeof(*machine));
	machine->limit_ns = GOVERNOR_NO_LIMIT_NS;
	for (size_t i = 0; i < ROWS; i++)
		store(machine, &rows[i], rows[i].normal);
	for (int i = 0; i < GOVERNOR_STATES_MAX; i++)
		machine->exit_ns[i] = machine->entry_ns[i] = -1;
}

int model_machine_keys(void)
{
	return ROWS;
}

static int parse(const struct row *row, const char *text, double *ret)
{
	int err;

	switch (row->kind) {
	case TIME:
	case PRECISE_TIME:
		return units_parse_time(text, ret);
	case SHARE:
		err = units_parse_percent(text, ret);
		if (!err)
			*ret /= 100;
		return err;
	case RATE:
		/* 0 is no frequency, but here it means: none. */
		return strcmp(text, "0Hz") ? units_parse_frequency(text, ret) : (*ret = 0, 0);
	default:
		return units_parse_number(text, ret);
	}
}

int model_machine_set(struct model_machine *machine, const char *key, const char *value)
{
	for (size_t i = 0; i < ROWS; i++) {
		double number = 0;
		int err;

		if (strcmp(rows[i].key, key))
			continue;
		err = parse(&rows[i], value, &number);
		if (err)
			return err;
		if (number < rows[i].min || number > rows[i].max)
			return error_usage("'%s' is out of range", value);
		if (rows[i].kind == WHOLE && number != floor(number))
			return error_usage("'%s' is no whole number", value);
		store(machine, &rows[i], number);
		return 0;
	}
	return -ENOENT;
}

int model_machine_set_state(struct model_machine *machine, int state, const char *key,
			    const char *value)
{
	bool is_exit = !strcmp(key, "exit");
	double ns;
	int err;

	if (!strcmp(key, "deep")) {
		if (strcmp(value, "yes") && strcmp(value, "no"))
			return error_usage("'%s' is neither yes nor no", value);
		machine->deep &= ~(1u << state);
		machine->deep |= (uint32_t)(*value == 'y') << state;
		return 0;
	}
	if (!is_exit && strcmp(key, "entry"))
		return -ENOENT;
	err = units_parse_time(value, &ns);
	if (err)
		return err;
	if (ns > 1e9)
		return error_usage("'%s' is out of range", value);
	if (is_exit)
		machine->exit_ns[state] = llrint(ns);
	else
		machine->entry_ns[state] = llrint(ns);
	return 0;
}

int model_machine_complete(struct model_machine *machine, double exit_share)
{
	const struct governor_table *table = &machine->table;

	if (machine->cores % machine->packages)
		return error_usage("%d cores do not divide into %d packages", machine->cores,
				   machine->packages);
	if (machine->cores * machine->threads > MODEL_CPUS_MAX)
		return error_usage("more than %d CPUs", MODEL_CPUS_MAX);
	if (machine->deep & 1)
		return error_usage("state 0 cannot be deep: idle begins there");
	for (int i = 0; i < table->states; i++) {
		if (machine->exit_ns[i] < 0)
			machine->exit_ns[i] = llrint((double)table->latency_ns[i] * exit_share);
		if (machine->entry_ns[i] < 0)
			machine->entry_ns[i] = machine->exit_ns[i] / 2;
	}
	if (isnan(machine->active_w))
		machine->has_energy = false;
	return 0;
}

static double value_of(const struct model_machine *machine, const struct row *row)
{
	const void *at = (const char *)machine + row->offset;

	if (row->kind == WHOLE)
		return *(const int *)at;
	if (row->kind == TIME)
		return (double)*(const int64_t *)at;
	return *(const double *)at * (row->kind == SHARE ? 100 : 1);
}

void model_machine_each(const struct model_machine *machine,
			void (*put)(void *arg, const char *key, const char *value), void *arg)
{
	static const char *const unit[] = {
		[WHOLE] = "",  [NUMBER] = "",	      [SHARE] = "%",
		[TIME] = "ns", [PRECISE_TIME] = "ns", [RATE] = "Hz",
	};

	for (size_t i = 0; i < ROWS; i++) {
		double value = value_of(machine, &rows[i]);
		char text[64];

		if (isnan(value))
			continue;
		snprintf(text, sizeof(text), "%.12g%s", value, unit[rows[i].kind]);
		put(arg, rows[i].key, text);
	}
}
