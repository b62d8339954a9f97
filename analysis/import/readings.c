/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state's files, whatever wrote them down and in which order: keyed on CPU and state. Text of
 * sysfs is trusted no more than any other: a value that is no number is named, not used.
 */
#include "analysis/import/import.h"
#include "analysis/import/lines.h"
#include "lib/cpulist.h"
#include "lib/error.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const numbers[IMPORT_FILES] = {
	[IMPORT_LATENCY] = "latency", [IMPORT_RESIDENCY] = "residency",
	[IMPORT_DISABLE] = "disable", [IMPORT_USAGE] = "usage",
	[IMPORT_TIME] = "time",	      [IMPORT_ABOVE] = "above",
	[IMPORT_BELOW] = "below",     [IMPORT_REJECTED] = "rejected",
};

static size_t hash(int cpu, int state, size_t slots)
{
	return ((size_t)cpu * IMPORT_STATES_MAX + (size_t)state) * 2654435761u & (slots - 1);
}

static void place(struct import_source *s, uint32_t number)
{
	const struct import_reading *r = &s->reading[number - 1];
	size_t at = hash(r->cpu, r->state, s->slots);

	while (s->slot[at])
		at = (at + 1) & (s->slots - 1);
	s->slot[at] = number;
}

/* At most half of the slots are ever taken. */
static void grow(struct import_source *s)
{
	if (s->slots >= 2 * (s->readings + 1))
		return;
	s->slots = s->slots ? 4 * s->slots : 256;
	s->slot = pool_alloc(s->pool, s->slots, sizeof(*s->slot));
	for (size_t i = 0; i < s->readings; i++)
		place(s, (uint32_t)i + 1);
}

static struct import_reading *reading_at(struct import_source *s, size_t line, int cpu, int state)
{
	size_t at;

	grow(s);
	for (at = hash(cpu, state, s->slots); s->slot[at]; at = (at + 1) & (s->slots - 1)) {
		struct import_reading *r = &s->reading[s->slot[at] - 1];

		if (r->cpu == cpu && r->state == state)
			return r;
	}
	if (s->readings == IMPORT_READINGS_MAX)
		return NULL;
	s->reading = pool_room(s->pool, s->reading, s->readings, sizeof(*s->reading));
	s->reading[s->readings++] = (struct import_reading){ cpu, state, .line = line };
	s->slot[at] = (uint32_t)s->readings;
	return &s->reading[s->readings - 1];
}

/* NULL when the file is none of the texts. */
static const char **text_of(struct import_reading *r, const char *file)
{
	if (!strcmp(file, "name"))
		return &r->name;
	if (!strcmp(file, "desc"))
		return &r->desc;
	return !strcmp(file, "default_status") ? &r->default_status : NULL;
}

static void put_number(struct import_source *s, size_t line, struct import_reading *r,
		       enum import_file file, const char *text)
{
	char quoted[ERROR_QUOTE_SIZE];
	uint64_t value;

	if (!lines_u64(text, &value)) {
		import_fault(s, line, "cpu%d state%d: %s is '%s', not a number below 2^64", r->cpu,
			     r->state, numbers[file], error_quote(text, quoted));
		return;
	}
	if (r->have[file] && r->value[file] != value) {
		import_fault(s, line, "cpu%d state%d: %s for the second time, %" PRIu64 " first",
			     r->cpu, r->state, numbers[file], r->value[file]);
		return;
	}
	r->value[file] = value;
	r->have[file] = true;
	if (file == IMPORT_USAGE)
		r->line = line;
}

bool import_put(struct import_source *source, size_t line, int cpu, int state, const char *file,
		const char *text)
{
	char quoted[ERROR_QUOTE_SIZE];
	struct import_reading *r;
	const char **to;
	size_t i;

	if (cpu < 0 || cpu > CPULIST_MAX_CPU || state < 0 || state >= IMPORT_STATES_MAX) {
		import_fault(source, line, "cpu%d state%d: no such state can be", cpu, state);
		return true;
	}
	if (!strcmp(file, "power") || !strncmp(file, "s2idle", 6))
		return true; /* P-33: useless; P-26: not part of runtime idle */
	r = reading_at(source, line, cpu, state);
	if (!r)
		return false;
	to = text_of(r, file);
	for (i = 0; !to && i < IMPORT_FILES; i++)
		if (!strcmp(numbers[i], file))
			break;
	if (to && *to && strcmp(*to, text))
		import_fault(source, line, "cpu%d state%d: %s for the second time, '%s' first", cpu,
			     state, file, error_quote(*to, quoted));
	else if (to)
		*to = *to ? *to : pool_copy(source->pool, text);
	else if (i < IMPORT_FILES)
		put_number(source, line, r, (enum import_file)i, text);
	else
		import_fault(source, line, "cpu%d state%d: unknown file '%s'", cpu, state,
			     error_quote(file, quoted));
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct import_reading *x = a, *y = b;

	return x->cpu != y->cpu ? (x->cpu > y->cpu) - (x->cpu < y->cpu)
				: (x->state > y->state) - (x->state < y->state);
}

/* P-25: misses are entries. */
static void check_one(struct import_source *s, struct import_reading *r)
{
	const uint64_t *v = r->value;

	if (!r->have[IMPORT_USAGE] || !r->have[IMPORT_ABOVE] || !r->have[IMPORT_BELOW])
		return;
	if (v[IMPORT_ABOVE] <= v[IMPORT_USAGE] &&
	    v[IMPORT_BELOW] <= v[IMPORT_USAGE] - v[IMPORT_ABOVE])
		return;
	r->bad = true;
	import_fault(s, r->line,
		     "cpu%d state%d: above %" PRIu64 " + below %" PRIu64
		     " are more than usage %" PRIu64 ": left out",
		     r->cpu, r->state, v[IMPORT_ABOVE], v[IMPORT_BELOW], v[IMPORT_USAGE]);
}

void import_check(struct import_source *source)
{
	struct import_reading *r = source->reading;
	size_t odd = 0;

	if (source->readings)
		qsort(r, source->readings, sizeof(*r), by_place);
	source->slot = NULL; /* its indices are those before sorting */
	source->slots = 0;
	for (size_t i = 0; i < source->readings; i++) {
		bool first = !i || r[i - 1].cpu != r[i].cpu;
		bool last = i + 1 == source->readings || r[i + 1].cpu != r[i].cpu;

		check_one(source, &r[i]);
		odd += (first && r[i].have[IMPORT_ABOVE] && r[i].value[IMPORT_ABOVE]) ||
		       (last && r[i].have[IMPORT_BELOW] && r[i].value[IMPORT_BELOW]);
	}
	if (odd)
		import_doubt(source,
			     "counter semantics unknown: above of the first or below of the "
			     "deepest state is not 0 (%zu states)",
			     odd);
}
