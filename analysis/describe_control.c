/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a campaign could have seen: its A/A control, and what each "~" leaves possible. */
#include "analysis/control.h"
#include "analysis/describe.h"
#include "analysis/sequential.h"
#include <math.h>

static const char *control_text(const struct table *t, const struct section *s, size_t column)
{
	const char *name = t->column[column].name;
	const char *other = t->column[t->column[column].reference].name;
	char median[DESCRIBE_NUMBER_MAX], largest[DESCRIBE_NUMBER_MAX];
	struct control c;

	control_count(t, s, column, &c);
	if (!c.compared)
		return pool_text(t->pool, "A/A control %s against %s: n too small. ", name, other);
	return pool_text(
		t->pool,
		"A/A control %s against %s: %zu of %zu comparisons (%.1f %%) have p below %g before "
		"Holm's correction, %s 5 %% would by chance; differences up to %s %%, half of "
		"them below %s %%. %s",
		name, other, c.flagged, c.compared, (double)c.flagged / (double)c.compared * 100,
		STATS_ALPHA, sequential_is(t) ? "at most" : "about",
		describe_number(c.largest_pct, 3, largest),
		describe_number(c.median_pct, 2, median),
		c.verdicts ? pool_text(t->pool,
				       "THE CONTROL FAILED: %zu verdict%s between a governor and "
				       "itself; do not trust this section's verdicts. ",
				       c.verdicts, c.verdicts == 1 ? "" : "s")
			   : "");
}

/* "loop_us: teo 1.3 %, menu:2 1.2 %; package_w: ..." of all comparisons that came out as "~". */
static const char *seen(const struct table *t, const struct section *s)
{
	const char *text = "";
	size_t m, c, measures = 0, n;

	for (m = 0; m < s->measures; m++) {
		for (c = 0, n = 0; section_is_scored(s, m) && c < t->columns; c++) {
			const struct difference *d = &s->measure[m].overall[c].difference;
			char pct[DESCRIBE_NUMBER_MAX];

			if (d->verdict != VERDICT_SAME || isnan(d->detectable_pct))
				continue;
			if (!n)
				text = pool_text(t->pool, "%s%s%s:", text, measures++ ? "; " : "",
						 s->measure[m].name);
			text = pool_text(t->pool, "%s%s %s %s %%", text, n++ ? "," : "",
					 t->column[c].name,
					 describe_number(d->detectable_pct, 2, pct));
		}
	}
	return text;
}

const char *describe_control(const struct table *table, const struct section *section)
{
	const char *text = "", *smallest = seen(table, section);
	size_t c;

	for (c = 0; c < table->columns; c++)
		if (section->column_present[c] && control_is(table, c))
			text = pool_text(table->pool, "%s%s", text,
					 control_text(table, section, c));
	if (*smallest)
		text = pool_text(
			table->pool,
			"%s~ is not \"equal\": the smallest difference that would have got "
			"a verdict with 80 %% probability is about %s.",
			text, smallest);
	return text;
}
