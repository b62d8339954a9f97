/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw readings with both their times; nothing is derived here, so a wrong formula is mended by a
 * new report.
 */
#include "run/publish.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *create(const struct cell *cell, const char *name)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", cell->tmp, name);
	out = fopen(path, "we");
	if (!out)
		error_set(-errno, "%s: %m", path);
	return out;
}

static int finish(FILE *out, const struct cell *cell, const char *name)
{
	int failed = ferror(out);

	if (fclose(out) || failed)
		return error_set(-EIO, "%s/%s: cannot write (disk full?)", cell->tmp, name);
	return 0;
}

static void put_pair(FILE *out, const struct cpuidle_value *first, const struct cpuidle_value *last)
{
	if (first->known && last->known)
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64, first->value, last->value);
	else
		fputs("\t\t", out);
}

static int write_idle(const struct cell *cell)
{
	const struct cpuidle *idle = cell->session->idle;
	const struct window_edge *edge = window_edges(cell->window);
	FILE *out = create(cell, STORE_IDLE);

	if (!out)
		return -EIO;
	fputs(STORE_IDLE_COLUMNS, out);
	for (size_t i = 0; i < idle->n; i++) {
		for (int s = 0; s < idle->cpu[i].states; s++) {
			fprintf(out, "%d\t%d\t%" PRIu64 "\t%" PRIu64, idle->cpu[i].cpu,
				idle->cpu[i].state[s].index, edge[i].first.t_after_ns,
				edge[i].last.t_after_ns);
			for (int c = 0; c < CPUIDLE_COUNTERS; c++)
				put_pair(out, &edge[i].first.counter[s][c],
					 &edge[i].last.counter[s][c]);
			fputc('\n', out);
		}
	}
	return finish(out, cell, STORE_IDLE);
}

static int write_samples(const struct cell *cell)
{
	FILE *out = create(cell, STORE_SAMPLES);

	if (!out)
		return -EIO;
	samples_write(window_samples(cell->window), out);
	return finish(out, cell, STORE_SAMPLES);
}

/* A range of 0 is unknown or none: NA. */
static int write_energy(const struct cell *cell)
{
	const struct energy *energy = cell->session->energy;
	const struct window_energy *reading = window_energy(cell->window);
	FILE *out = reading ? create(cell, STORE_ENERGY) : NULL;

	if (!reading)
		return 0;
	if (!out)
		return -EIO;
	fputs(STORE_ENERGY_COLUMNS, out);
	for (size_t z = 0; z < energy_zones(energy); z++) {
		const struct energy_zone *zone = energy_zone(energy, z);
		const struct energy_reading *first = &reading[z].first, *last = &reading[z].last;

		tsv_put(out, zone->place);
		fputc('\t', out);
		tsv_put(out, zone->label);
		fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t", first->t_ns, last->t_ns);
		if (first->known && last->known)
			fprintf(out, "%" PRIu64 "\t%" PRIu64, first->uj, last->uj);
		else
			fputc('\t', out);
		fputc('\t', out);
		if (zone->range_uj)
			fprintf(out, "%" PRIu64, zone->range_uj);
		fputc('\n', out);
	}
	return finish(out, cell, STORE_ENERGY);
}

int publish_readings(const struct cell *cell)
{
	int err = write_idle(cell);

	if (!err)
		err = write_samples(cell);
	return err ? err : write_energy(cell);
}

int publish_run(struct cell *cell, int attempt)
{
	char *final, suffix[32] = "";
	int err = store_run_write(cell->tmp, &cell->run);

	if (err)
		return err;
	if (cell->run.state != STORE_COMPLETE)
		snprintf(suffix, sizeof(suffix), ".%s-%d", store_state_name[cell->run.state],
			 attempt + 1);
	if (asprintf(&final, "%s/%04d.%s%s", cell->session->runs, cell->plan->number, cell->name,
		     suffix) < 0)
		return error_set(-ENOMEM, "out of memory");
	err = file_publish_dir(cell->tmp, final);
	free(final);
	return err;
}
