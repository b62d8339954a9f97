/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdicts: in words, a sentence a section, and as a table. A percent is of the time taken or
 * of the rate, and is called so: 80 % less time is not 80 % faster, but five times as fast. Less of
 * anything else is lower, and then better or worse.
 */
#include "analysis/describe.h"
#include "analysis/figure_put.h"
#include "analysis/html.h"
#include <fnmatch.h>
#include <math.h>
#include <string.h>

/* What it takes 2 % of; NULL for what is no time of a loop or run. */
static const char *speed_text(const struct measure *m, bool less)
{
	static const struct {
		const char *pattern, *less, *more;
	} words[] = {
		{ "*loop_us", "less time a loop", "more time a loop" },
		{ "*hop_us", "less time a hop", "more time a hop" },
		{ "*run_time_s", "less time", "more time" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!fnmatch(words[i].pattern, m->name, 0))
			return less ? words[i].less : words[i].more;
	return NULL;
}

/* A governor's name behind a dot of its colour. */
static void governor(const struct table *table, size_t column, FILE *out)
{
	fprintf(out, "<i class=dot style=\"background:%s\"></i>",
		figure_colour(table->column[column].colour));
	html_put(out, table->column[column].name);
}

/* Of a size in words there is no sign. */
static const char *size_text(const struct table *t, double pct)
{
	return pool_text(t->pool, "%.*f", fabs(pct) < 10 ? 2 : fabs(pct) < 1000 ? 1 : 0, fabs(pct));
}

/* " (95 %: 1.2 to 3.0)", in the direction that the sentence speaks of. */
static const char *interval_text(const struct table *t, const struct difference *d)
{
	double sign = d->pct < 0 ? -1 : 1, a = sign * d->lo_pct, b = sign * d->hi_pct;

	if (!d->interval)
		return "";
	return pool_text(t->pool, " (95 %%: %.2f to %.2f)", fmin(a, b), fmax(a, b));
}

/* "400 us (the reference is 0)"; of a size in words there is no sign. */
static const char *shift_text(const struct table *t, const struct measure *m,
			      const struct difference *d)
{
	return pool_text(t->pool, "%s (the reference is 0)", describe_shift(t->pool, m, d) + 1);
}

/* ": +0.12 % (95 %: -0.30 to 0.55)" */
static const char *signed_text(const struct table *t, const struct measure *m,
			       const struct difference *d)
{
	if (!d->known)
		return pool_text(t->pool, "%s, the reference is 0", describe_shift(t->pool, m, d));
	if (!d->interval)
		return pool_text(t->pool, "%+.2f %%", d->pct);
	return pool_text(t->pool, "%+.2f %%, 95 %%: %+.2f to %+.2f", d->pct, d->lo_pct, d->hi_pct);
}

/* The whole interval is too small to matter: more than "no difference was seen". */
static bool surely_same(const struct measure *m, const struct difference *d)
{
	return d->known && d->interval && d->lo_pct >= -m->threshold_pct &&
	       d->hi_pct <= m->threshold_pct;
}

/* Shown, by test and interval, and too small for a verdict: neither the same nor unknown. */
static bool is_small(const struct difference *d)
{
	return d->known && d->interval && d->p < STATS_ALPHA && (d->lo_pct > 0 || d->hi_pct < 0);
}

/* Of a verdict "~". */
static const char *same_text(const struct table *t, const struct measure *m,
			     const struct difference *d, const char *reference)
{
	if (is_small(d))
		return pool_text(t->pool,
				 " differs from %s in %s by less than the threshold of %g %% (%s)",
				 reference, m->name, m->threshold_pct, signed_text(t, m, d));
	if (surely_same(m, d))
		return pool_text(t->pool, " and %s are the same in %s (%s)", reference, m->name,
				 signed_text(t, m, d));
	return pool_text(t->pool, " is not told from %s in %s (%s)", reference, m->name,
			 signed_text(t, m, d));
}

static bool is_told(enum verdict verdict)
{
	return verdict == VERDICT_BETTER || verdict == VERDICT_WORSE;
}

/* The headline measure says one thing and power the other: no governor is simply better then. */
static bool is_trade(const struct section *s, const struct measure *m, size_t c)
{
	const struct measure *power = section_measure(s, "package_w");

	return power && m != power && is_told(m->overall[c].difference.verdict) &&
	       is_told(power->overall[c].difference.verdict) &&
	       m->overall[c].difference.verdict != power->overall[c].difference.verdict;
}

/* " is better than menu", or " is better than menu in loop_us and worse in power" */
static const char *word_text(const struct table *t, const struct section *s,
			     const struct measure *m, size_t c)
{
	bool better = m->overall[c].difference.verdict == VERDICT_BETTER;
	const char *than = pool_text(t->pool, " is %s than %s", better ? "better" : "worse",
				     t->column[t->column[c].reference].name);

	return is_trade(s, m, c) ? pool_text(t->pool, "%s in %s and %s in power", than, m->name,
					     better ? "worse" : "better")
				 : than;
}

/* Behind the governor's name: " is better than menu: it takes 2.10 % less time a loop (95 %: 1.20
 * to 3.00)". */
static const char *headline_text(const struct table *t, const struct section *s,
				 const struct measure *m, size_t c)
{
	const struct difference *d = &m->overall[c].difference;
	const char *reference = t->column[t->column[c].reference].name;
	const char *word;

	if (!d->tested)
		return pool_text(t->pool, " cannot be compared with %s in %s: %s", reference,
				 m->name,
				 m->overall_reason  ? m->overall_reason
				 : !m->overall[c].n ? "no value of it"
						    : "no value of the reference");
	switch (d->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		word = word_text(t, s, m, c);
		if (!d->known)
			return pool_text(t->pool, "%s: %s %s %s", word, m->name,
					 d->shift < 0 ? "lower by" : "higher by",
					 shift_text(t, m, d));
		if (speed_text(m, d->pct < 0) && m->better == BETTER_IS_LOWER)
			return pool_text(t->pool, "%s: it takes %s %% %s%s", word,
					 size_text(t, d->pct), speed_text(m, d->pct < 0),
					 interval_text(t, d));
		if (!fnmatch("*_per_s", m->name, 0) && m->better == BETTER_IS_HIGHER)
			return pool_text(t->pool, "%s: it does %s %% %s a second%s", word,
					 size_text(t, d->pct), d->pct < 0 ? "less" : "more",
					 interval_text(t, d));
		return pool_text(t->pool, "%s: %s %s %% %s%s", word, m->name, size_text(t, d->pct),
				 d->pct < 0 ? "lower" : "higher", interval_text(t, d));
	case VERDICT_SAME:
	case VERDICT_EQUIVALENT:
		return same_text(t, m, d, reference);
	case VERDICT_SMALL:
		return pool_text(t->pool, " has too few runs for a verdict against %s in %s (%s)",
				 reference, m->name, signed_text(t, m, d));
	default:
		return pool_text(t->pool, " against %s: %s %s; neither direction is better",
				 reference, m->name, signed_text(t, m, d));
	}
}

static const char *power_text(const struct table *t, const struct section *s, size_t c)
{
	const struct measure *m = section_measure(s, "package_w");
	const struct difference *d = m ? &m->overall[c].difference : NULL;

	if (!d || !d->known)
		return "";
	switch (d->verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		return pool_text(t->pool, ", package power %s %% %s%s", size_text(t, d->pct),
				 d->pct < 0 ? "lower" : "higher", interval_text(t, d));
	case VERDICT_SAME:
	case VERDICT_EQUIVALENT:
		if (is_small(d))
			return pool_text(t->pool, ", package power %s %% %s, less than matters%s",
					 size_text(t, d->pct), d->pct < 0 ? "lower" : "higher",
					 interval_text(t, d));
		return surely_same(m, d) ? ", power the same"
					 : pool_text(t->pool, ", no difference in power shown (%s)",
						     signed_text(t, m, d));
	default:
		return pool_text(t->pool, ", package power %s", signed_text(t, m, d));
	}
}

static const char *verdict_class(enum verdict verdict)
{
	return verdict == VERDICT_BETTER ? "better" : verdict == VERDICT_WORSE ? "worse" : "";
}

/* What the sentence is about first: of an idle machine, whose metric has no better direction,
 * power. */
static const struct measure *subject(const struct table *t, const struct section *s)
{
	const struct measure *m = s->metrics ? &s->measure[0] : NULL;
	const struct measure *power = section_measure(s, "package_w");

	return m && m->better == BETTER_IS_NONE && power && section_has_values(t, s, power) ? power
											    : m;
}

static void section_sentence(const struct table *t, const struct section *s, FILE *out)
{
	const struct measure *m = subject(t, s);
	const char *between = "";
	size_t c;

	fputs("<li>", out);
	html_section_link(s, true, out);
	fputc(' ', out);
	html_put(out,
		 pool_text(t->pool, "(%s%s): ", s->workload, s->points > 1 ? ", whole curve" : ""));
	for (c = 0; m && c < t->columns; c++) {
		if (!s->column_present[c] || t->column[c].reference == NO_COLUMN)
			continue;
		fputs(between, out);
		fprintf(out, "<span class=\"%s\">",
			is_trade(s, m, c) ? "" : verdict_class(m->overall[c].difference.verdict));
		governor(t, c, out);
		fputs("</span>", out);
		html_put(out, headline_text(t, s, m, c));
		if (m == &s->measure[0])
			html_put(out, power_text(t, s, c));
		between = "; ";
	}
	if (!*between)
		fputs(m ? "nothing to compare: one governor, or no reference" : "no complete run",
		      out);
	fputs(".</li>\n", out);
}

void html_sentences(const struct table *table, FILE *out)
{
	size_t i;

	fputs("<ul class=verdict>\n", out);
	for (i = 0; i < table->sections; i++)
		section_sentence(table, &table->section[i], out);
	fputs("</ul>\n", out);
	if (load_no_power(table->result)) {
		fputs("<p class=soft>Package power: not available (", out);
		html_put(out, load_no_power(table->result));
		fputs(").</p>\n", out);
	}
}

static void verdict_cell(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char text[DESCRIBE_NUMBER_MAX];

	fprintf(out, "<td class=\"%s\">", verdict_class(d->verdict));
	if (!cell->n) {
		fputs("-</td>", out);
		return;
	}
	if (t->column[c].is_reference || !d->tested) {
		fprintf(out, "%s</td>", describe_number(cell->estimate.median, 5, text));
		return;
	}
	if (d->known)
		fprintf(out, "%s&nbsp;%%", describe_percent(d->pct, text));
	else
		html_put(out, describe_shift(t->pool, m, d));
	fprintf(out, " %s", section_verdict_text(d->verdict));
	fprintf(out, "<br><small>%s</small></td>", describe_number(cell->estimate.median, 5, text));
}

static void verdict_row(const struct table *t, const struct section *s, const struct measure *m,
			FILE *out)
{
	size_t c;

	fputs("<tr><td>", out);
	html_section_link(s, false, out);
	fputs(": ", out);
	html_put(out, m->name);
	if (*m->unit) {
		fputs(", ", out);
		html_put(out, m->unit);
	}
	fprintf(out, "<br><small>%s%s</small></td>", describe_better(m->better),
		s->points > 1 ? ", whole curve" : "");
	for (c = 0; c < t->columns; c++)
		verdict_cell(t, m, c, out);
	fputs("</tr>\n", out);
}

void html_verdicts(const struct table *table, FILE *out)
{
	const struct measure *m;
	size_t i, c;

	fputs("<div class=wide><table>\n<tr><th>section: measure</th>", out);
	for (c = 0; c < table->columns; c++) {
		fputs("<th>", out);
		governor(table, c, out);
		fputs("<br><small>", out);
		html_put(out,
			 table->column[c].is_reference ? "reference" : describe_versus(table, c));
		fputs("</small></th>", out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		if (s->metrics)
			verdict_row(table, s, &s->measure[0], out);
		m = section_measure(s, "package_w");
		if (m && section_has_values(table, s, m))
			verdict_row(table, s, m, out);
	}
	fputs("</table></div>\n", out);
}
