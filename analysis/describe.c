/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One place for every sentence that appears in more than one output. */
#include "analysis/describe.h"
#include "analysis/control.h"
#include "analysis/sequential.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *describe_number(double value, int digits, char text[DESCRIBE_NUMBER_MAX])
{
	double size = fabs(value);
	int decimals;

	if (isnan(value)) {
		snprintf(text, DESCRIBE_NUMBER_MAX, "-");
	} else if (size != 0 && (size < 1e-4 || size >= 1e15)) {
		snprintf(text, DESCRIBE_NUMBER_MAX, "%.*g", digits, value);
	} else if (size != 0 && size < 0.5 * pow(10, 1 - digits)) {
		snprintf(text, DESCRIBE_NUMBER_MAX, "%.2g",
			 value); /* what is not 0 is not "0.00" */
	} else {
		decimals = size < 1 ? digits - 1 : digits - 1 - (int)floor(log10(size));
		snprintf(text, DESCRIBE_NUMBER_MAX, "%.*f", decimals > 0 ? decimals : 0, value);
	}
	return text;
}

const char *describe_count(double value, char text[DESCRIBE_NUMBER_MAX])
{
	if (isnan(value))
		snprintf(text, DESCRIBE_NUMBER_MAX, "-");
	else
		snprintf(text, DESCRIBE_NUMBER_MAX, "%.15g", value);
	return text;
}

const char *describe_percent(double pct, char text[DESCRIBE_NUMBER_MAX])
{
	if (isnan(pct))
		snprintf(text, DESCRIBE_NUMBER_MAX, "-");
	else if (fabs(pct) >= 1e9) /* with all its digits it would be cut, and so another number */
		snprintf(text, DESCRIBE_NUMBER_MAX, "%+.3g", pct);
	else
		snprintf(text, DESCRIBE_NUMBER_MAX, "%+.*f", fabs(pct) >= 1000 ? 0 : 2,
			 fabs(pct) < 0.005 ? 0 : pct); /* "-0.00" says nothing more */
	return text;
}

static const char *signed_number(struct pool *pool, double value)
{
	char text[DESCRIBE_NUMBER_MAX];

	return pool_text(pool, "%s%s", value >= 0 ? "+" : "", describe_number(value, 4, text));
}

const char *describe_shift(struct pool *pool, const struct measure *measure,
			   const struct difference *difference)
{
	return pool_text(pool, "%s%s%s", signed_number(pool, difference->shift),
			 *measure->unit ? " " : "", measure->unit);
}

const char *describe_shift_range(struct pool *pool, const struct difference *difference)
{
	if (!difference->interval)
		return "";
	return pool_text(pool, "%s..%s", signed_number(pool, difference->shift_lo),
			 signed_number(pool, difference->shift_hi));
}

const char *describe_overall(const struct table *table, const struct section *section,
			     const struct measure *measure)
{
	bool arithmetic = measure->overall_arithmetic;

	return pool_text(table->pool, "%s over %zu of %zu points%s%s",
			 arithmetic ? "mean" : "geometric mean", measure->overall_points,
			 section->points, section->weight ? " by their part of the scale" : "",
			 arithmetic ? ", some values not above 0" : "");
}

const char *describe_range(struct pool *pool, double lo, double hi, int digits)
{
	char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];

	if (isnan(lo) || isnan(hi))
		return "-";
	return pool_text(pool, "%s..%s", describe_number(lo, digits, a),
			 describe_number(hi, digits, b));
}

const char *describe_kernels(const struct table *table)
{
	const struct result *r = table->result;
	const char *text = "";
	size_t i, j;

	for (i = 0; i < r->boots; i++) {
		for (j = 0; j < i && strcmp(r->boot[j].release, r->boot[i].release); j++)
			;
		if (j == i)
			text = pool_text(table->pool, "%s%s%s", text, i ? ", " : "",
					 r->boot[i].release);
	}
	return *text ? text : "unknown kernel";
}

const char *describe_machine(const struct table *table)
{
	const struct result *r = table->result;
	const char *text = "";
	size_t i, j;

	for (i = 0; i < r->boots; i++) {
		for (j = 0; j < i && strcmp(r->boot[j].machine, r->boot[i].machine); j++)
			;
		if (j == i && *r->boot[i].machine)
			text = pool_text(table->pool, "%s%s%s", text, *text ? " and " : "",
					 r->boot[i].machine);
	}
	return text;
}

const char *describe_date(const struct table *table)
{
	return pool_text(table->pool, "%.10s", table->result->campaign.created);
}

/* The marks of marks.def, and where their flags are. */
static const struct mark {
	size_t flag, of_run;
	const char *words, *warning;
} mark_table[] = {
#define MARK(flag, words, warning)                                                                 \
	{ offsetof(struct result, flag), offsetof(struct store_run, flag), words, warning },
#include "analysis/marks.def"
#undef MARK
};
#define MARKS (sizeof(mark_table) / sizeof(mark_table[0]))

static bool is_marked(const struct table *table, const struct mark *mark, size_t column)
{
	const struct result *r = table->result;
	bool marked = *((const bool *)((const char *)r + mark->flag));

	if (!marked || column == NO_COLUMN)
		return marked;
	marked = false;
	for (size_t k = 0; k < r->runs && !marked; k++)
		marked = *((const bool *)((const char *)&r->run[k].info + mark->of_run)) &&
			 section_column_of(table, &r->run[k]) == column;
	return marked;
}

/* The words of a result's marks, or of one column's runs. Few have more than one. */
static const char *marks(const struct table *table, size_t column)
{
	const char *text = "";

	for (size_t i = 0; i < MARKS; i++)
		if (is_marked(table, &mark_table[i], column))
			text = pool_text(table->pool, "%s%s%s", text, *text ? ", " : "",
					 mark_table[i].words);
	return text;
}

/* "only teo, menu: " where other columns do not have the mark. */
static const char *only(const struct table *table, const struct mark *mark)
{
	const char *text = "";
	size_t n = 0;

	for (size_t c = 0; c < table->columns; c++)
		if (is_marked(table, mark, c))
			text = pool_text(table->pool, "%s%s%s", text, n++ ? ", " : "",
					 table->column[c].name);
	return n && n < table->columns ? pool_text(table->pool, "only %s: ", text) : "";
}

const char *describe_column_flags(const struct table *table, size_t column)
{
	return marks(table, column);
}

/* " (MODELLED)" where not all columns are. */
static const char *column_mark(const struct table *table, size_t column)
{
	const char *flags = describe_column_flags(table, column);

	for (size_t i = 0; *flags && i < table->columns; i++)
		if (strcmp(flags, describe_column_flags(table, i)))
			return pool_text(table->pool, " (%s)", flags);
	return "";
}

const char *describe_columns(const struct table *table)
{
	const char *text = "";
	size_t i;

	for (i = 0; i < table->columns; i++)
		text = pool_text(table->pool, "%s%s%s%s%s", text, i ? ", " : "",
				 table->column[i].name, column_mark(table, i),
				 table->column[i].is_reference ? " (reference)"
				 : control_is(table, i)	       ? " (A/A control)"
							       : "");
	return text;
}

/* "; model: i5-10600k, constants 3f2a9c1e": whose figures these are. */
static const char *models(const struct table *table)
{
	const struct result *r = table->result;
	const char *text = "";

	for (size_t i = 0; i < r->boots; i++) {
		const char *model = ini_get(&r->boot[i].host, "host", "modelled");

		if (model && !strstr(text, model))
			text = pool_text(table->pool, "%s; model: %s", text, model);
	}
	return text;
}

const char *describe_flags(const struct table *table)
{
	return marks(table, NO_COLUMN);
}

const char *describe_warning(const struct table *table)
{
	const char *flags = describe_flags(table), *text = "";

	for (size_t i = 0; i < MARKS; i++)
		if (is_marked(table, &mark_table[i], NO_COLUMN))
			text = pool_text(table->pool, "%s%s%s%s", text, *text ? "; " : "",
					 only(table, &mark_table[i]), mark_table[i].warning);
	return *flags ? pool_text(table->pool, "%s: %s%s", flags, text, models(table)) : "";
}

const char *describe_versus(const struct table *table, size_t column)
{
	size_t reference = table->column[column].reference, references = 0, i;

	for (i = 0; i < table->columns; i++)
		references += table->column[i].reference == NO_COLUMN;
	if (references < 2 || reference == NO_COLUMN)
		return "";
	return pool_text(table->pool, "vs %s", table->column[reference].name);
}

static const char *axis_span(const struct table *t, const struct section *s, size_t a)
{
	const struct point *lo = &s->point[0], *hi = &s->point[0];
	const char *list = "";
	size_t i, j, n = 0;

	for (i = 0; i < s->points; i++) {
		lo = s->point[i].at[a] < lo->at[a] ? &s->point[i] : lo;
		hi = s->point[i].at[a] > hi->at[a] ? &s->point[i] : hi;
		for (j = 0; j < i && strcmp(s->point[j].text[a], s->point[i].text[a]); j++)
			;
		if (j < i)
			continue;
		list = pool_text(t->pool, "%s%s%s", list, n++ ? " " : "", s->point[i].text[a]);
	}
	if (s->axis[a].numeric && n > 4)
		list = pool_text(t->pool, "%s..%s", lo->text[a], hi->text[a]);
	return pool_text(t->pool, "%s %s", s->axis[a].key, list);
}

const char *describe_section(const struct table *table, const struct section *section)
{
	const char *text;
	size_t a;

	text = pool_text(table->pool, "%s, %s%s%s%s%s", section->workload,
			 section->timer_based ? "timer based" : "not timer based",
			 *section->cpus ? ", CPUs " : ", no CPUs of its own", section->cpus,
			 section->pinned || !*section->cpus ? "" : ", affinity free",
			 section->oversubscribed ? ", oversubscribed" : "");
	for (a = 0; a < section->axes; a++)
		text = pool_text(table->pool, "%s%s %s", text, a ? "," : ";",
				 axis_span(table, section, a));
	if (section->axes)
		text = pool_text(table->pool, "%s, %zu point%s%s", text, section->points,
				 section->points == 1 ? "" : "s",
				 section->weight ? " at unequal steps" : "");
	return text;
}

const char *describe_runs(const struct table *table, const struct section *section)
{
	if (section->complete_min == section->complete_max)
		return pool_text(table->pool, "%zu run%s each", section->complete_max,
				 section->complete_max == 1 ? "" : "s");
	return pool_text(table->pool, "%zu to %zu runs each", section->complete_min,
			 section->complete_max);
}

const char *describe_bars(const struct table *table, const struct section *section)
{
	if (section->complete_max == 1)
		return "none, of one run each";
	if (section->complete_max < STATS_N_MIN)
		return pool_text(table->pool, "range of %zu runs", section->complete_max);
	if (section->complete_min >= STATS_N_MIN)
		return pool_text(table->pool, "95 %% interval of the median of %s",
				 describe_runs(table, section));
	return pool_text(table->pool,
			 "95 %% interval of the median (range where fewer than %d runs)",
			 STATS_N_MIN);
}

const char *describe_better(enum better better)
{
	static const char *const text[] = { "", "lower is better", "higher is better" };

	return text[better];
}

const char *describe_table(const struct table *table, const struct state_table *of)
{
	const struct result *r = table->result;
	bool which = r->boots > 1 && r->tables > 1, source = which && r->sources > 1;
	char *cpus = cpulist_format(&of->cpus);
	const char *text;

	text = pool_text(table->pool, "%s %s%s%s%s%s", of->cpus.n == 1 ? "CPU" : "CPUs",
			 cpus ? cpus : "?", which ? " of Linux " : "",
			 which ? r->boot[of->boot].release : "", source ? ", " : "",
			 source ? r->source[r->boot[of->boot].source].shown : "");
	free(cpus);
	return text;
}

const char *describe_state(const struct table *table, size_t state)
{
	const char *name = load_state(table->result, state)->name;

	if (table->result->tables < 2)
		return name;
	return pool_text(table->pool, "%s (%s)", name,
			 describe_table(table, load_table_of(table->result, state)));
}

enum cpu_set describe_set(const struct table *table, const struct section *section)
{
	const size_t states = table->result->states;
	size_t c, i;

	for (c = 0; c < table->columns; c++)
		for (i = 0; i < states; i++)
			if (section->pooled[(c * SETS + SET_WORKLOAD) * states + i].readings)
				return SET_WORKLOAD;
	return SET_ALL;
}

const char *describe_set_text(enum cpu_set set)
{
	return set == SET_WORKLOAD ? "the workload's CPUs" : "all CPUs";
}

const char *describe_method(const struct table *table)
{
	return pool_text(
		table->pool,
		"The unit is the run. Values are medians over complete runs; failed, void, damaged "
		"and duplicate runs are left out and listed. A difference is the Hodges-Lehmann "
		"estimate of the ratio to the reference, in percent, with its 95 %% interval: runs "
		"of one repeat are compared with each other, so that drift between repeats does "
		"not count. \"better\" and \"worse\" need a two-sided p below %g (signed ranks "
		"over repeats; Mann-Whitney where runs were not made in turns, or where so few "
		"repeats could not tell so many points apart) and a difference above the practical threshold of "
		"the measure; else the verdict is ~. Points of a sweep are corrected by Holm over its "
		"points; a whole sweep is tested as one number a run, the geometric mean over the points "
		"that all governors have (the arithmetic one where some value is 0: \"mean over "
		"points\"). Against a reference whose median is 0 there is no percent: the shift "
		"is in the measure's own unit, and any that the test shows gets a verdict. Below %d runs there is no verdict. Idle states are those "
		"requested by the governor, not those the hardware reached. \"too deep\" is the "
		"kernel's counter above, \"too shallow\" its counter below, both in percent of that "
		"state's own usage.%s",
		STATS_ALPHA, STATS_N_MIN, sequential_method(table));
}
