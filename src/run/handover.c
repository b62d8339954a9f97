/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A seed is made of the campaign's, the repeat and the point's name, so that it does not depend on
 * what else is in the suite or is done already.
 */
#include "run/handover.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/random.h"
#include "lib/tsv.h"
#include "run/cell.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stir(uint64_t *state, const char *text)
{
	for (; *text; text++)
		*state = random_next(state) ^ (unsigned char)*text;
}

static uint64_t seed_of(const struct session *s, const struct plan_cell *cell)
{
	const struct plan_point *point = &s->plan.point[cell->point];
	const char *again = strchr(s->plan.governor[cell->governor].label, ':');
	uint64_t state = s->campaign.seed;

	stir(&state, s->suite.section[point->section].name);
	stir(&state, "/");
	stir(&state, point->text);
	stir(&state, again ? again : "");
	state ^= (uint64_t)cell->repeat << 32;
	return random_next(&state);
}

static int put_row(const struct session *s, const struct plan_cell *cell, FILE *out)
{
	const struct plan_governor *governor = &s->plan.governor[cell->governor];
	double window = s->campaign.window_ns > 0 ? s->campaign.window_ns : -1;
	int disable = plan_disable(&s->plan, cell->point);
	char *name = plan_cell_name(&s->plan, cell);

	if (!name)
		return error_no_memory();
	tsv_put(out, name);
	free(name);
	fprintf(out, "\t%zu\t%d\t%d\t%s\t%s\t%s\t%" PRIu64 "\t%.0f\t%.0f\t", cell->point,
		cell->number, cell->repeat, governor->name, governor->label,
		s->plan.cpufreq ? s->plan.cpufreq[cell->cpufreq] : "", seed_of(s, cell),
		plan_window_ns(&s->plan, cell->point, window),
		plan_warmup_ns(&s->plan, cell->point, s->campaign.warmup_ns));
	if (disable >= 0)
		fprintf(out, "%d", disable);
	fputc('\n', out);
	return 0;
}

static int put_point(struct session *s, const struct plan_cell *cell, const char *dir)
{
	const struct plan_point *point = &s->plan.point[cell->point];
	struct cell whole = { .session = s,
			      .plan = cell,
			      .point = point,
			      .section = &s->suite.section[point->section],
			      .placement = &s->placement[cell->point] };
	char folder[PATH_MAX];
	int err;

	snprintf(folder, sizeof(folder), "%s/" HANDOVER_POINTS "/%zu", dir, cell->point);
	err = file_make_dirs(folder);
	if (!err)
		err = cell_describe(&whole);
	if (!err)
		err = store_run_write(folder, &whole.run);
	store_run_free(&whole.run);
	return err;
}

static int write_cells(struct session *s, const struct cells *cells, const char *dir, bool *known,
		       FILE *out)
{
	int err = 0;

	fputs(HANDOVER_CELLS_COLUMNS, out);
	for (size_t i = 0; i < s->plan.cells && !err; i++) {
		const struct plan_cell *cell = &s->plan.cell[i];

		if (!cells->todo[i])
			continue;
		if (!known[cell->point])
			err = put_point(s, cell, dir);
		known[cell->point] = true;
		if (!err)
			err = put_row(s, cell, out);
	}
	return err;
}

int handover_write(struct session *s, const struct cells *cells, const char *dir)
{
	bool *known = calloc(s->plan.points + 1, sizeof(*known));
	char path[PATH_MAX];
	FILE *out;
	int err;

	if (!known)
		return error_no_memory();
	snprintf(path, sizeof(path), "%s/" HANDOVER_CELLS, dir);
	out = fopen(path, "we");
	err = out ? write_cells(s, cells, dir, known, out) : error_set(-errno, "%s: %m", path);
	if (out && (ferror(out) | fclose(out)) && !err)
		err = error_set(-EIO, "%s: cannot be written", path);
	free(known);
	return err;
}
