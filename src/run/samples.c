/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cell a counter is added to is decided once, when the table is laid out: a sample is reads
 * and sums only.
 */
#include "run/samples.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SET_WORKLOAD, SET_ALL, SETS };
static const char *const set_name[SETS] = { "workload", "all" };

#define STATE_NAMES_MAX 64

struct samples {
	struct samples_source source;
	size_t zones, names;
	char name[STATE_NAMES_MAX][CPUIDLE_NAME_MAX];
	unsigned char
		*name_of; /* [position of the CPU * CPUIDLE_STATES_MAX + state]: index into name */
	bool *in_workload; /* [position of the CPU] */
	size_t columns; /* without t_ns */
	size_t rows, room;
	uint64_t *t_ns;
	struct cpuidle_value *cell; /* rows x columns */
};

/* Index of the name, added when it is new; the last one stands for all beyond STATE_NAMES_MAX. */
static size_t name_index(struct samples *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->names; i++)
		if (!strcmp(s->name[i], name))
			return i;
	if (s->names == STATE_NAMES_MAX)
		return STATE_NAMES_MAX - 1;
	memcpy(s->name[s->names++], name, CPUIDLE_NAME_MAX);
	return i;
}

static void lay_out(struct samples *s)
{
	const struct cpuidle *idle = s->source.idle;

	for (size_t i = 0; i < idle->n; i++) {
		s->in_workload[i] = cpulist_has(s->source.workload, idle->cpu[i].cpu);
		for (int k = 0; k < idle->cpu[i].states; k++)
			s->name_of[i * CPUIDLE_STATES_MAX + (size_t)k] =
				(unsigned char)name_index(s, idle->cpu[i].state[k].name);
	}
	s->columns = s->zones + (size_t)SETS * s->names * 2;
}

static int grow(struct samples *s, size_t room)
{
	uint64_t *t = reallocarray(s->t_ns, room, sizeof(*t));
	struct cpuidle_value *cell;

	if (!t)
		return error_no_memory();
	s->t_ns = t;
	cell = reallocarray(s->cell, room, s->columns * sizeof(*cell));
	if (!cell)
		return error_no_memory();
	s->cell = cell;
	s->room = room;
	return 0;
}

int samples_open(const struct samples_source *source, size_t rows, struct samples **ret)
{
	struct samples *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return error_no_memory();
	s->source = *source;
	s->zones = source->energy ? energy_zones(source->energy) : 0;
	s->name_of = calloc(source->idle->n + 1, CPUIDLE_STATES_MAX);
	s->in_workload = calloc(source->idle->n + 1, sizeof(*s->in_workload));
	if (!s->name_of || !s->in_workload) {
		samples_free(s);
		return error_no_memory();
	}
	lay_out(s);
	err = grow(s, rows ? rows : 1);
	if (err)
		samples_free(s);
	else
		*ret = s;
	return err;
}

static void add(struct cpuidle_value *cell, const struct cpuidle_value *value)
{
	cell->known = cell->known && value->known;
	cell->value += value->value;
}

static void add_cpu(struct samples *s, struct cpuidle_value *row, size_t i,
		    const struct cpuidle_reading *reading)
{
	for (int k = 0; k < s->source.idle->cpu[i].states; k++) {
		size_t name = s->name_of[i * CPUIDLE_STATES_MAX + (size_t)k];

		for (int set = s->in_workload[i] ? SET_WORKLOAD : SET_ALL; set < SETS; set++) {
			struct cpuidle_value *pair =
				row + s->zones + ((size_t)set * s->names + name) * 2;

			add(&pair[0], &reading->counter[k][CPUIDLE_USAGE]);
			add(&pair[1], &reading->counter[k][CPUIDLE_TIME_US]);
		}
	}
}

static void add_energy(struct samples *s, struct cpuidle_value *row)
{
	for (size_t z = 0; z < s->zones; z++) {
		struct energy_reading reading;

		energy_read_zone(s->source.energy, z, &reading);
		row[z] = (struct cpuidle_value){ .value = reading.uj, .known = reading.known };
	}
}

int samples_take(struct samples *s)
{
	struct cpuidle_value *row;
	int err = s->rows == s->room ? grow(s, 2 * s->room) : 0;

	if (err)
		return err;
	row = s->cell + s->rows * s->columns;
	for (size_t c = 0; c < s->columns; c++)
		row[c] = (struct cpuidle_value){ .known = true };
	s->t_ns[s->rows] = clock_now_ns();
	add_energy(s, row);
	for (size_t i = 0; i < s->source.idle->n; i++) {
		struct cpuidle_reading reading;

		err = cpuidle_read(s->source.idle, i, &reading);
		if (err)
			return err;
		add_cpu(s, row, i, &reading);
	}
	s->rows++;
	return 0;
}

static void write_header(const struct samples *s, FILE *out)
{
	fputs("t_ns", out);
	for (size_t z = 0; z < s->zones; z++) {
		fputs("\tenergy:", out);
		tsv_put(out, energy_zone(s->source.energy, z)->label);
	}
	for (int set = 0; set < SETS; set++) {
		for (size_t n = 0; n < s->names; n++) {
			for (int c = 0; c < 2; c++) {
				fprintf(out, "\t%s:", set_name[set]);
				tsv_put(out, s->name[n]);
				fputs(c ? ":time_us" : ":usage", out);
			}
		}
	}
	fputc('\n', out);
}

void samples_write(const struct samples *s, FILE *out)
{
	write_header(s, out);
	for (size_t r = 0; r < s->rows; r++) {
		fprintf(out, "%" PRIu64, s->t_ns[r]);
		for (size_t c = 0; c < s->columns; c++) {
			const struct cpuidle_value *cell = &s->cell[r * s->columns + c];

			fputc('\t', out);
			if (cell->known)
				fprintf(out, "%" PRIu64, cell->value);
		}
		fputc('\n', out);
	}
}

void samples_free(struct samples *s)
{
	if (!s)
		return;
	free(s->name_of);
	free(s->in_workload);
	free(s->t_ns);
	free(s->cell);
	free(s);
}
