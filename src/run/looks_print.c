/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What status says of a sequential campaign: read from looks.tsv, nothing is computed. */
#include "lib/error.h"
#include "lib/log.h"
#include "run/looks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_MAX 12 /* comparisons that are listed */

/* "  two-cores work=0us teo us_per_loop: ~ +0.40 % (-0.8 to +1.5), 9 blocks" */
static void print_open(const struct store_looks *l, size_t row)
{
	const char *cpufreq = store_looks_text(l, row, "cpufreq_governor");
	const char *point = store_looks_text(l, row, "point");
	const char *lo = store_looks_text(l, row, "lo_pct"),
		   *hi = store_looks_text(l, row, "hi_pct");
	double pct;

	if (!strcmp(store_looks_text(l, row, "scope"), "curve"))
		point = "whole curve";
	printf("  %s%s%s %s%s%s %s: %s", store_looks_text(l, row, "section"), *point ? " " : "",
	       point, store_looks_text(l, row, "governor"), *cpufreq ? "+" : "", cpufreq,
	       store_looks_text(l, row, "metric"), store_looks_text(l, row, "verdict"));
	if (tsv_double(&l->tsv, row, tsv_column(&l->tsv, "diff_pct"), &pct) == 1)
		printf(" %+.2f %%", pct);
	if (*lo && *hi)
		printf(" (%+.2f to %+.2f)", strtod(lo, NULL), strtod(hi, NULL));
	printf(", %s blocks\n", store_looks_text(l, row, "blocks"));
}

static void print(const struct store_looks *l, const struct store_campaign *c)
{
	size_t listed = 0;

	if (!l->looks) {
		printf("until decided: no look so far, the first is due after %d repeats of at "
		       "most %d\n",
		       c->repeat_min, c->repeat);
		return;
	}
	printf("until decided: look %zu, after %llu repeats of at most %d: %zu of %zu comparisons "
	       "decided%s\n",
	       l->looks, (unsigned long long)l->repeat, c->repeat, l->compared - l->open,
	       l->compared, l->open ? "; open:" : "");
	for (size_t row = l->first; row < l->tsv.rows && listed < OPEN_MAX; row++) {
		if (store_looks_decided(l, row))
			continue;
		print_open(l, row);
		listed++;
	}
	if (l->open > listed)
		printf("  and %zu more\n", l->open - listed);
}

int looks_print(const char *dir, const struct store_campaign *c, const struct plan *plan,
		const struct campaign_done *done, bool **ret_closed)
{
	struct store_looks looks = { 0 };
	bool *closed;

	*ret_closed = NULL;
	if (!c->repeat_min)
		return 0;
	if (store_looks_read(dir, &looks))
		log_warn("%s", error_text());
	print(&looks, c);
	closed = looks_closed(&(struct looks_of){ .plan = plan,
						  .reference = c->reference,
						  .repeat_min = c->repeat_min,
						  .looks = &looks,
						  .done = done });
	store_looks_free(&looks);
	if (!closed)
		return error_no_memory();
	*ret_closed = closed;
	return 0;
}
