/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sequential campaign: from repeat_min repeats on the analysis program is asked after each one
 * which comparisons are decided, and their cells get no more blocks. The plan has the cells of all
 * repeats, so numbers and names do not depend on what was found.
 */
#ifndef RUN_LOOKS_H
#define RUN_LOOKS_H

#include "run/campaign.h"
#include "run/plan.h"
#include "store/campaign.h"
#include "store/looks.h"
#include <stdbool.h>

struct cells;
struct session;

/*
 * Fills campaign.repeat and repeat_min from what the command line and the suite say. A simulation
 * takes no looks: it has the most repeats. Usage errors.
 */
int looks_design(struct session *session);

/*
 * Spares the cells of what earlier looks have decided: todo becomes spared. Nothing where the
 * campaign is not sequential. A looks.tsv that is damaged is left out with a warning.
 */
int looks_resume(const struct session *session, struct cells *cells);

/*
 * The look after @repeat, which is over: asks, keeps the answer in looks.tsv, and spares or wants
 * the cells from number @first on. No second look at the same runs, nor (but at the end of the
 * plan) at the same repeat after an interruption. An answer that fails is a warning: more blocks
 * than needed do no harm. -EINTR.
 */
int looks_take(const struct session *session, struct cells *cells, int repeat, size_t first);

/* What looks_closed() needs. */
struct looks_of {
	const struct plan *plan;
	const char *reference; /* its label */
	int repeat_min;
	const struct store_looks *looks;
	const struct campaign_done *done; /* in all boots */
	const bool *offered; /* by governor of the plan; NULL = all */
};

/*
 * Which cells need no more repeats, by point * columns + column (column: cpufreq * governors +
 * governor): all comparisons of the cell are decided, and no whole curve that is open needs it. A
 * cell that was measured in @repeat_min repeats and has nothing to compare is closed as well. The
 * reference is when all other governors that are offered are. malloc'ed; NULL when out of memory.
 */
bool *looks_closed(const struct looks_of *of);

/*
 * For status: what the looks in @dir have found, what is still open, and (out-parameter, malloc'ed,
 * NULL where the campaign is not sequential) looks_closed().
 */
int looks_print(const char *dir, const struct store_campaign *campaign, const struct plan *plan,
		const struct campaign_done *done, bool **ret_closed);

#endif
