/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Averages in the words of mails to lists. A percent of averages is arithmetic; whether there is a
 * difference is the verdict's to say, so without one the word gets a question mark.
 */
#include "analysis/describe.h"
#include <math.h>
#include <string.h>

/* Below 1, too, with as many digits: the deviation of a time of 2.98 us. */
static const char *deviation(double sd, char text[DESCRIBE_NUMBER_MAX])
{
	if (sd >= 1e-4 && sd < 1)
		snprintf(text, DESCRIBE_NUMBER_MAX, "%.3g", sd);
	else
		describe_number(sd, 3, text);
	return text;
}

const char *describe_average(const struct table *table, const struct measure *measure,
			     const struct cell *cell)
{
	struct moments m = stats_moments(cell->value, cell->n);
	char mean[DESCRIBE_NUMBER_MAX], sd[DESCRIBE_NUMBER_MAX];
	const char *spread = "";

	if (!cell->n)
		return "no value"; /* no complete run, or none that has this measure */
	if (!isnan(m.sd))
		spread = pool_text(table->pool, "sd %s, ", deviation(m.sd, sd));
	return pool_text(table->pool, "%s%s%s (%sn %zu)", describe_number(m.mean, 6, mean),
			 *measure->unit ? " " : "", measure->unit, spread, cell->n);
}

double describe_average_pct(const struct table *table, const struct cell *cells, size_t column)
{
	size_t reference = table->column[column].reference;
	const struct cell *own = &cells[column], *other;

	if (reference == NO_COLUMN)
		return NAN;
	other = &cells[reference];
	return stats_percent(stats_moments(other->value, other->n).mean,
			     stats_moments(own->value, own->n).mean);
}

/* What the averages alone say; NULL = nothing. */
static const char *direction(const struct measure *m, double pct)
{
	if (m->better == BETTER_IS_NONE || !(fabs(pct) >= 0.005)) /* prints as 0.00 */
		return NULL;
	return (pct < 0) == (m->better == BETTER_IS_LOWER) ? "better" : "worse";
}

const char *describe_against(const struct table *table, const struct measure *measure,
			     const struct cell *cells, size_t column)
{
	const struct difference *d = &cells[column].difference;
	const char *verdict = section_verdict_text(d->verdict), *word;
	const char *versus = describe_versus(table, column), *blank = *versus ? " " : "";
	double pct = describe_average_pct(table, cells, column);
	char text[DESCRIBE_NUMBER_MAX];

	if (table->column[column].is_reference)
		return "reference";
	if (table->column[column].reference == NO_COLUMN)
		return "no reference";
	if (!cells[column].n)
		return "";
	if (d->reference_is_0 && !d->tested)
		return "the reference is 0";
	if (d->reference_is_0)
		return pool_text(table->pool, "%s%s%s%s%s, the reference is 0",
				 describe_shift(table->pool, measure, d), blank, versus,
				 *verdict ? " " : "", verdict);
	if (isnan(pct))
		return "nothing to compare with";
	word = direction(measure, pct);
	describe_percent(pct, text);
	if (d->verdict == VERDICT_EQUIVALENT)
		word = NULL;
	if (d->verdict == VERDICT_BETTER || d->verdict == VERDICT_WORSE)
		return pool_text(table->pool, "%s %%%s%s %s%s", text, blank, versus,
				 word && !strcmp(word, verdict) ? "" : "by average, but ", verdict);
	return pool_text(table->pool, "%s %%%s%s%s%s%s%s%s", text, blank, versus, word ? " (" : "",
			 word ? word : "", word ? "?)" : "", *verdict ? " " : "", verdict);
}

const char *describe_direction(enum better better)
{
	static const char *const text[] = { "none", "lower", "higher" };

	return text[better];
}

const char *describe_averages(void)
{
	return "Averages are of the runs, and their percents of the averages; \"better?\" and "
	       "\"worse?\" is what these say where there is no verdict. Judge by medians and "
	       "intervals. Idle misses of every run: report/data/misses.tsv.";
}
