/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Raw readings with both their times; nothing is derived here, so a wrong formula is mended by a
 * new report.
 */
#include "run/publish.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "lib/tsv.h"
#include "run/parts.h"
#include "store/format.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *create(const struct cell *cell, const char *name)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", cell->tmp, name);
	out = fopen(path, "wxe"); /* nothing that a workload has put there */
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

/* An edge that could not be read has no stamp. */
static void put_stamp(FILE *out, uint64_t t_ns)
{
	fputc('\t', out);
	if (t_ns)
		fprintf(out, "%" PRIu64, t_ns);
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
			fprintf(out, "%d\t%d", idle->cpu[i].cpu, idle->cpu[i].state[s].index);
			put_stamp(out, edge[i].first.t_after_ns);
			put_stamp(out, edge[i].last.t_after_ns);
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

static int write_events(const struct cell *cell)
{
	const struct session *s = cell->session;
	FILE *out = s->codes ? create(cell, STORE_EVENTS) : NULL;

	if (!s->codes)
		return 0;
	if (!out)
		return -EIO;
	fputs(STORE_EVENTS_COLUMNS, out);
	for (size_t i = 0; i < s->idle->n; i++) {
		for (size_t e = 0; e < s->codes; e++) {
			struct event_reading count = window_event(cell->window, i, e);

			fprintf(out, "%d\t", s->idle->cpu[i].cpu);
			tsv_put(out, s->code[e].name);
			if (count.known)
				fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
					count.value, count.enabled_ns, count.running_ns);
			else
				fputs("\t\t\t\n", out);
		}
	}
	return finish(out, cell, STORE_EVENTS);
}

static int write_ticks(const struct cell *cell)
{
	const struct cpuidle *idle = cell->session->idle;
	const struct window_ticks *ticks = window_ticks(cell->window);
	FILE *out = ticks ? create(cell, STORE_TICKS) : NULL;

	if (!ticks)
		return 0;
	if (!out)
		return -EIO;
	fputs(STORE_TICKS_COLUMNS, out);
	for (size_t i = 0; i < idle->n; i++) {
		const struct ticks_count *first = &ticks->count0[i], *last = &ticks->count1[i];

		fprintf(out, "%d\t%" PRIu64 "\t%" PRIu64, idle->cpu[i].cpu, ticks->first.t_after_ns,
			ticks->last.t_after_ns);
		if (first->known && last->known)
			fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
				first->calls, last->calls, first->sleeps, last->sleeps);
		else
			fputs("\t\t\t\t\n", out);
	}
	return finish(out, cell, STORE_TICKS);
}

int publish_readings(const struct cell *cell)
{
	int err = write_idle(cell);

	if (!err)
		err = write_samples(cell);
	if (!err)
		err = write_energy(cell);
	if (!err)
		err = write_ticks(cell);
	return err ? err : write_events(cell);
}

int publish_run(struct cell *cell, int attempt)
{
	char *final, suffix[32] = "";
	int err = parts_merge(cell);

	if (!err)
		err = store_run_write(cell->tmp, &cell->run);
	if (err)
		return err;
	if (cell->run.state != STORE_COMPLETE)
		snprintf(suffix, sizeof(suffix), ".%s-%d", store_state_name[cell->run.state],
			 attempt + 1);
	if (asprintf(&final, "%s/%04d.%s%s", cell->session->runs, cell->plan->number, cell->name,
		     suffix) < 0)
		return error_no_memory();
	err = file_publish_dir(cell->tmp, final);
	if (err && !access(final, F_OK) && access(cell->tmp, F_OK)) {
		/* It is there, for all to see; only a power cut now could take it away. */
		log_warn("%s, after the run was published", error_text());
		err = 0;
	}
	free(final);
	return err;
}
