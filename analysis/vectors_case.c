/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers are integers of 64 bits; a real one, or one that does not fit its field, is an error. */
#include "analysis/vectors_case.h"
#include "lib/error.h"
#include <errno.h>
#include <string.h>

struct range {
	const char *key;
	int64_t min, max;
};

/* The integer of that key, or -ENOENT without a text when there is none. */
static int maybe(json_t *line, const struct range *range, int64_t *ret)
{
	json_t *value = json_object_get(line, range->key);
	int64_t n;

	if (!value)
		return -ENOENT;
	if (!json_is_integer(value))
		return error_usage("\"%s\" is no integer", range->key);
	n = json_integer_value(value);
	if (n < range->min || n > range->max)
		return error_usage("\"%s\" is %lld, which is out of range", range->key,
				   (long long)n);
	*ret = n;
	return 0;
}

static int need(json_t *line, const char *key, int64_t min, int64_t max, int64_t *ret)
{
	struct range range = { key, min, max };
	int err = maybe(line, &range, ret);

	return err == -ENOENT ? error_usage("\"%s\" is missing", key) : err;
}

static int may(json_t *line, const char *key, int64_t min, int64_t max, int64_t fallback,
	       int64_t *ret)
{
	struct range range = { key, min, max };
	int err = maybe(line, &range, ret);

	if (err != -ENOENT)
		return err;
	*ret = fallback;
	return 0;
}

int vectors_kind(json_t *line, enum vectors_kind *ret)
{
	const char *kind = json_string_value(json_object_get(line, "k"));

	if (kind && !strcmp(kind, "meta"))
		*ret = VECTORS_META;
	else if (kind && !strcmp(kind, "d"))
		*ret = VECTORS_DECISION;
	else if (kind && !strcmp(kind, "sum"))
		*ret = VECTORS_SUM;
	else
		return error_usage("\"k\" is none of \"meta\", \"d\" and \"sum\"");
	return 0;
}

static int read_state(json_t *state, int i, struct governor_table *table)
{
	int64_t poll;
	int err = need(state, "lat_ns", 0, GOVERNOR_TIME_MAX_NS, &table->latency_ns[i]);

	if (!err)
		err = need(state, "res_ns", 0, GOVERNOR_TIME_MAX_NS, &table->residency_ns[i]);
	if (!err)
		err = may(state, "poll", 0, 1, 0, &poll);
	if (!err && poll)
		table->polling |= 1u << i;
	return err;
}

int vectors_meta(json_t *line, struct vectors_meta *ret)
{
	const char *governor = json_string_value(json_object_get(line, "gov"));
	const char *table = json_string_value(json_object_get(line, "table"));
	const char *trace = json_string_value(json_object_get(line, "trace"));
	json_t *states = json_object_get(line, "states");
	size_t n = json_array_size(states);
	struct vectors_meta m = { 0 };
	int64_t capacity, last;
	int err;

	if (n < 1 || n > GOVERNOR_STATES_MAX)
		return error_usage("\"states\" is no array of 1 to %d", GOVERNOR_STATES_MAX);
	snprintf(m.governor, sizeof(m.governor), "%s", governor ? governor : "");
	snprintf(m.place, sizeof(m.place), "table %s, trace %s", table ? table : "?",
		 trace ? trace : "?");
	m.table.states = (int)n;
	for (int i = 0; i < m.table.states; i++) {
		err = read_state(json_array_get(states, (size_t)i), i, &m.table);
		if (err)
			return error_prefix(err, "state %d", i);
	}
	err = need(line, "tick_ns", 1, GOVERNOR_TIME_MAX_NS, &m.table.tick_ns);
	if (!err)
		err = may(line, "capacity", 0, UINT32_MAX, 1024, &capacity);
	if (!err)
		err = may(line, "last_state_idx0", 0, m.table.states - 1, -1, &last);
	if (err)
		return err;
	m.table.capacity = (uint32_t)capacity;
	m.last_state = (int)last;
	*ret = m;
	return 0;
}

static int read_input(json_t *line, struct governor_input *in)
{
	int64_t now, stopped, disabled, utilisation, iowait;
	int err = may(line, "now", INT64_MIN, INT64_MAX, 0, &now);

	if (!err)
		err = need(line, "sl", INT64_MIN, INT64_MAX, &in->sleep_ns);
	if (!err)
		err = need(line, "dt", INT64_MIN, INT64_MAX, &in->event_ns);
	if (!err)
		err = may(line, "ts", 0, 1, 0, &stopped);
	if (!err)
		err = may(line, "lat", 0, INT64_MAX, GOVERNOR_NO_LIMIT_NS, &in->latency_ns);
	if (!err)
		err = may(line, "dis", 0, UINT32_MAX, 0, &disabled);
	if (!err)
		err = may(line, "util", 0, UINT32_MAX, 0, &utilisation);
	if (!err)
		err = may(line, "iow", 0, UINT32_MAX, 0, &iowait);
	if (err)
		return err;
	in->now_ns = (uint64_t)now;
	in->tick_stopped = stopped;
	in->disabled = (uint32_t)disabled;
	in->utilisation = (uint32_t)utilisation;
	in->iowait = (uint32_t)iowait;
	return 0;
}

static int read_outcome(json_t *line, int states, struct governor_outcome *out)
{
	int64_t entered, tick, poll, now;
	int err = need(line, "ent", -4095, states - 1, &entered);

	if (!err)
		err = need(line, "res", INT64_MIN, INT64_MAX, &out->residency_ns);
	if (!err)
		err = may(line, "gt", 0, 1, 0, &tick);
	if (!err)
		err = may(line, "pl", 0, 1, 0, &poll);
	if (!err)
		err = may(line, "t1", INT64_MIN, INT64_MAX, 0, &now);
	if (err)
		return err;
	out->entered = (int)entered;
	out->tick_fired = tick;
	out->poll_limit = poll;
	out->now_ns = (uint64_t)now;
	return 0;
}

int vectors_decision(json_t *line, const struct governor_table *table, struct vectors_decision *ret)
{
	struct vectors_decision d = { 0 };
	int64_t state, stop, asked, limit;
	int err = may(line, "i", INT64_MIN, INT64_MAX, -1, &d.i);

	if (!err)
		err = read_input(line, &d.in);
	if (!err)
		err = read_outcome(line, table->states, &d.out);
	if (!err)
		err = need(line, "idx", INT32_MIN, INT32_MAX, &state);
	if (!err)
		err = need(line, "stop", 0, 1, &stop);
	if (!err)
		err = need(line, "asked", 0, 1, &asked);
	if (!err)
		err = may(line, "plim", 0, INT64_MAX, -1, &limit);
	if (err)
		return err;
	d.want = (struct governor_choice){ (int)state, stop, asked };
	d.has_poll_limit = limit >= 0;
	d.want_poll_limit_ns = (uint64_t)limit;
	*ret = d;
	return 0;
}

int vectors_sum(json_t *line, const char *key, int states, uint64_t *ret)
{
	json_t *array = json_object_get(line, key);

	if (json_array_size(array) != (size_t)states)
		return error_usage("\"%s\" is no array of %d", key, states);
	for (int i = 0; i < states; i++) {
		json_t *value = json_array_get(array, (size_t)i);

		if (!json_is_integer(value) || json_integer_value(value) < 0)
			return error_usage("\"%s\" has what is no count", key);
		ret[i] = (uint64_t)json_integer_value(value);
	}
	return 0;
}
