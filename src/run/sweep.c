/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists and ranges. What a value is, its unit and its limits, param_parse() knows.
 */
#include "run/sweep.h"
#include "lib/error.h"
#include "lib/units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 4
/* First non-zero point of a logarithmic range from 0, as a fraction of its end. */
#define LOG_FROM_ZERO 1000

struct range {
	struct param_value lo, hi;
	bool log;
	size_t n;
	size_t wanted; /* adaptive: of them; else 0 */
};

static int append(struct sweep *sweep, const struct param_value *value)
{
	struct param_value *bigger = reallocarray(sweep->value, sweep->n + 1, sizeof(*bigger));

	if (!bigger)
		return error_no_memory();
	sweep->value = bigger;
	sweep->value[sweep->n++] = *value;
	return 0;
}

static bool same(const struct param_value *a, const struct param_value *b)
{
	return a->number == b->number && a->choice == b->choice && a->is_time == b->is_time;
}

static int parse_list(const struct param *param, char *text, struct sweep *ret)
{
	char *save, *word;
	int err = 0;

	for (word = strtok_r(text, " \t,", &save); word && !err;
	     word = strtok_r(NULL, " \t,", &save)) {
		struct param_value value;

		err = param_parse(param, word, &value);
		for (size_t i = 0; !err && i < ret->n; i++)
			if (same(&ret->value[i], &value))
				err = error_usage("%s: '%s' is given twice", param->name, word);
		if (!err && ret->n == SWEEP_POINTS_MAX)
			err = error_usage("%s: more than %d values", param->name, SWEEP_POINTS_MAX);
		if (!err)
			err = append(ret, &value);
	}
	if (!err && !ret->n)
		err = error_usage("%s: no value", param->name);
	return err;
}

/* A bound may leave its unit to the other one when it is 0: "0..40us". */
static int parse_bound(const struct param *param, const char *text, const char *other,
		       struct param_value *ret)
{
	const char *unit = other + strspn(other, "0123456789.eE+-");
	char with_unit[64];

	if (!strcmp(text, "0") && *unit && snprintf(with_unit, sizeof(with_unit), "0%s", unit) < 64)
		return param_parse(param, with_unit, ret);
	return param_parse(param, text, ret);
}

static int check_range(const struct param *param, const struct range *range, const char *text)
{
	if (range->lo.is_time != range->hi.is_time)
		return error_usage("%s: '%s' mixes a time and a count", param->name, text);
	if (range->lo.number < 0 || range->hi.number < 0)
		return error_usage("%s: 'all' cannot be an end of a range", param->name);
	if (range->lo.number > range->hi.number)
		return error_usage("%s: '%s' has lo above hi", param->name, text);
	if (range->lo.number == range->hi.number)
		return error_usage("%s: '%s' is an empty range (lo equals hi)", param->name, text);
	return 0;
}

static int parse_points(const struct param *param, const char *text, struct range *ret)
{
	size_t least = ret->wanted ? SWEEP_ADAPTIVE_MIN : 2;
	size_t most = SWEEP_POINTS_MAX / (ret->wanted ? SWEEP_ADAPTIVE_FULL : 1);
	uint64_t n;
	int err = units_parse_count(text, &n);

	if (err)
		return error_prefix(err, "%s: the number of points: ", param->name);
	if (n < least || n > most)
		return error_usage("%s: %s points; %s has %zu to %zu", param->name, text,
				   ret->wanted ? "an adaptive range" : "a range", least, most);
	ret->n = ret->wanted ? SWEEP_ADAPTIVE_FULL * (size_t)n : (size_t)n;
	ret->wanted = ret->wanted ? (size_t)n : 0;
	return 0;
}

static int parse_range(const struct param *param, char *text, struct range *ret)
{
	char *save, *bounds = strtok_r(text, " \t", &save), *scale = strtok_r(NULL, " \t", &save);
	char *points = strtok_r(NULL, " \t", &save), *rest, *hi = strstr(bounds, "..");
	bool linear = scale && !strcmp(scale, "linear"), adaptive;
	int err;

	ret->log = scale && !linear;
	adaptive = scale && !strcmp(scale, "adaptive");
	if (!adaptive && points && !strcmp(points, "adaptive")) {
		adaptive = linear || !strcmp(scale, "log");
		points = strtok_r(NULL, " \t", &save);
	}
	ret->wanted = adaptive;
	rest = strtok_r(NULL, " \t", &save);
	if (param->type == PARAM_CHOICE)
		return error_usage("%s: words have no range; list them", param->name);
	if (!hi || !points || rest || (!adaptive && !linear && strcmp(scale, "log")))
		return error_usage("%s: a range is written 'lo..hi linear N', 'lo..hi log N' or "
				   "'lo..hi adaptive N'",
				   param->name);
	*hi = '\0';
	hi += 2;
	if (!*bounds || !*hi)
		return error_usage("%s: an empty range: 'lo..hi' needs both ends", param->name);
	err = parse_bound(param, bounds, hi, &ret->lo);
	if (!err)
		err = parse_bound(param, hi, bounds, &ret->hi);
	if (err)
		return err;
	err = parse_points(param, points, ret);
	if (err)
		return err;
	hi[-2] = '.';
	return check_range(param, ret, bounds);
}

static double point_of(const struct range *range, size_t i)
{
	double lo = range->lo.number, hi = range->hi.number;
	size_t last = range->n - 1;

	if (i == 0)
		return lo;
	if (i == last)
		return hi;
	if (!range->log)
		return lo + (hi - lo) * (double)i / (double)last;
	if (lo > 0)
		return lo * pow(hi / lo, (double)i / (double)last);
	return hi / LOG_FROM_ZERO * pow(LOG_FROM_ZERO, (double)(i - 1) / (double)(last - 1));
}

/* Rounded, but for the ends: those are what the user wrote. */
static double rounded_point(const struct param *param, const struct range *range, size_t i)
{
	bool whole = param->type == PARAM_COUNT || param->type == PARAM_CPUS ||
		     param->type == PARAM_BYTES ||
		     (param->type == PARAM_WORK && !range->lo.is_time);
	double number = point_of(range, i);

	if (i == 0 || i + 1 == range->n)
		return number;
	number = units_round(number, DIGITS);
	return whole ? round(number) : number;
}

static int expand(const struct param *param, const struct range *range, struct sweep *ret)
{
	ret->at = calloc(range->n, sizeof(*ret->at));
	if (!ret->at)
		return error_no_memory();
	for (size_t i = 0; i < range->n; i++) {
		struct param_value value = range->hi;
		int err;

		value.number = rounded_point(param, range, i);
		/* Where lo and hi share four digits, rounding may fall on an end or beyond it. */
		if (ret->n && value.number <= ret->value[ret->n - 1].number)
			continue;
		if (i + 1 < range->n && value.number >= range->hi.number)
			continue;
		ret->at[ret->n] = i;
		err = append(ret, &value);
		if (err)
			return err;
	}
	if (ret->n == range->n && !range->wanted) {
		free(ret->at);
		ret->at = NULL;
	}
	ret->wanted = range->wanted;
	if (ret->n > range->wanted)
		return 0;
	return error_usage(
		"%s: the range has only %zu different values: 'log %zu' measures them all",
		param->name, ret->n, range->n);
}

/* A free text is one value, whatever stands in it. Takes @copy. */
static int parse_text(const struct param *param, char *copy, struct sweep *ret)
{
	struct sweep sweep = { .text = copy };
	struct param_value value;
	int err = copy ? param_parse(param, copy, &value) : error_no_memory();

	if (!err)
		err = append(&sweep, &value);
	if (err)
		sweep_free(&sweep);
	else
		*ret = sweep;
	return err;
}

int sweep_append(const struct param *param, const char *text, struct sweep *sweep)
{
	struct sweep longer;
	int err = parse_text(param, param_append(sweep->text, text), &longer);

	if (err)
		return err;
	longer.replaced = sweep->replaced;
	sweep_free(sweep);
	*sweep = longer;
	return 0;
}

int sweep_parse(const struct param *param, const char *text, struct sweep *ret)
{
	struct sweep sweep = { 0 };
	struct range range;
	char *copy = strdup(text);
	int err;

	if (param->type == PARAM_TEXT)
		return parse_text(param, copy, ret);
	if (!copy)
		return error_no_memory();
	if (strstr(copy, "..")) {
		err = parse_range(param, copy, &range);
		if (!err)
			err = expand(param, &range, &sweep);
	} else {
		err = parse_list(param, copy, &sweep);
	}
	free(copy);
	if (err)
		sweep_free(&sweep);
	else
		*ret = sweep;
	return err;
}

void sweep_free(struct sweep *sweep)
{
	free(sweep->value);
	free(sweep->text);
	free(sweep->at);
	sweep->value = NULL;
	sweep->text = NULL;
	sweep->at = NULL;
	sweep->n = sweep->wanted = 0;
}
