/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row a key; [suite] and the sections share it.
 */
#include "run/care.h"
#include "lib/error.h"
#include "lib/units.h"
#include <string.h>

const struct suite_care care_default = { .settle_span_ns = 60e9, .settle_timeout_ns = 1800e9 };
const struct suite_care care_of_suite = { -1, -1, -1, -1, -1 };

static const struct row {
	const char *key;
	size_t offset;
	bool percent, may_be_none;
	double min, max; /* ns, or percent a minute */
	const char *limits;
} rows[CARE_KEYS] = {
	{ "pause", offsetof(struct suite_care, pause_ns), false, true, 0, 3600e9, "0s to 1h" },
	{ "settle", offsetof(struct suite_care, settle_pct), true, true, 0.01, 50, "0.01% to 50%" },
	{ "settle_span", offsetof(struct suite_care, settle_span_ns), false, false, 1e9, 3600e9,
	  "1s to 1h" },
	{ "settle_timeout", offsetof(struct suite_care, settle_timeout_ns), false, false, 1e9,
	  7200e9, "1s to 2h" },
	{ "deadline", offsetof(struct suite_care, deadline_ns), false, true, 1e9, 86400e9,
	  "1s to 24h" },
};

static const struct row *find(const char *key)
{
	for (size_t i = 0; i < CARE_KEYS; i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	return NULL;
}

bool care_is_key(const char *key)
{
	return find(key) != NULL;
}

size_t care_keys(const char **names)
{
	for (size_t i = 0; i < CARE_KEYS; i++)
		names[i] = rows[i].key;
	return CARE_KEYS;
}

int care_set(struct suite_care *care, const char *key, const char *text)
{
	const struct row *row = find(key);
	double *to = (double *)((char *)care + row->offset), value;
	int err;

	if (row->may_be_none && !strcmp(text, "none")) {
		*to = 0;
		return 0;
	}
	err = row->percent ? units_parse_percent(text, &value) : units_parse_time(text, &value);
	if (err)
		return error_prefix(err, "%s: ", key);
	if (value < row->min || value > row->max)
		return error_usage("%s: %s is outside %s", key, text, row->limits);
	*to = value;
	return 0;
}

struct suite_care care_at(const struct plan *plan, size_t point)
{
	struct suite_care care = plan->suite->section[plan->point[point].section].care;

	for (size_t i = 0; i < CARE_KEYS; i++) {
		double *value = (double *)((char *)&care + rows[i].offset);

		if (*value < 0)
			*value = *(const double *)((const char *)&plan->suite->care +
						   rows[i].offset);
	}
	return care;
}

int care_check(const struct plan *plan, size_t point, double window_option_ns)
{
	const struct suite_section *section = &plan->suite->section[plan->point[point].section];
	struct suite_care care = care_at(plan, point);
	bool ends_itself =
		plan_window_ns(plan, point, window_option_ns) == 0 || plan_by_loops(plan, point);

	if (section->care.settle_pct > 0 && plan_ends_itself(plan, point))
		return error_usage("settle has no effect: %s has no warm-up",
				   section->workload->name);
	if (section->care.deadline_ns > 0 && !ends_itself)
		return error_usage("deadline has no effect: the window ends the run");
	if (care.settle_pct > 0 && care.settle_timeout_ns < care.settle_span_ns)
		return error_usage("settle_timeout is shorter than settle_span: it could never be "
				   "found settled");
	return 0;
}
