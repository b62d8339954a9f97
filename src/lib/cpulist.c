/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPU numbers: parsing with the place of a mistake, and writing. Duplicates are found with
 * a bit per possible CPU number, because a list in the order of the stops is not sorted.
 */
#include "lib/cpulist.h"

#include "lib/error.h"
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEN_WORDS ((CPULIST_MAX_CPU + 64) / 64)

struct parser {
	const char *text;
	const char *at;
	uint64_t seen[SEEN_WORDS];
};

static int parse_error(const struct parser *p, const char *at, const char *what)
{
	char quoted[ERROR_QUOTE_SIZE];

	return error_usage("CPU list '%s', character %td: %s", error_quote(p->text, quoted),
			   at - p->text + 1, what);
}

static int parse_cpu(struct parser *p, int *ret)
{
	const char *begin = p->at;
	int cpu = 0;

	if (!isdigit((unsigned char)*p->at))
		return parse_error(p, p->at, "a CPU number is missing");
	for (; isdigit((unsigned char)*p->at); p->at++) {
		cpu = cpu * 10 + (*p->at - '0');
		if (cpu > CPULIST_MAX_CPU)
			return parse_error(p, begin, "the CPU number is above 65535");
	}
	*ret = cpu;
	return 0;
}

static int parse_range(struct parser *p, struct cpulist *list)
{
	const char *begin = p->at;
	int lo, hi, cpu, r = parse_cpu(p, &lo);

	if (r)
		return r;
	hi = lo;
	if (*p->at == '-') {
		p->at++;
		r = parse_cpu(p, &hi);
		if (r)
			return r;
	}
	if (lo > hi)
		return parse_error(p, begin, "lo above hi");
	if (*p->at == ':')
		return parse_error(p, p->at,
				   "the stride form lo-hi:used/group is not taken; name each CPU");
	for (cpu = lo; cpu <= hi; cpu++) {
		if (p->seen[cpu / 64] >> (cpu % 64) & 1)
			return parse_error(p, begin, "a CPU is named twice");
		p->seen[cpu / 64] |= UINT64_C(1) << (cpu % 64);
		r = cpulist_add(list, cpu);
		if (r)
			return r;
	}
	return 0;
}

int cpulist_parse(const char *text, struct cpulist *ret)
{
	struct parser p = { .text = text, .at = text };
	struct cpulist list = { 0 };
	int r = 0;

	if (*p.at && *p.at != '\n') {
		r = parse_range(&p, &list);
		while (!r && *p.at == ',') {
			p.at++;
			r = parse_range(&p, &list);
		}
	}
	if (!r && (*p.at == '\n' ? p.at[1] : *p.at))
		r = parse_error(&p, p.at, "not a list like 0-3,6");
	if (r) {
		cpulist_free(&list);
		return r;
	}
	*ret = list;
	return 0;
}

char *cpulist_format(const struct cpulist *list)
{
	char *text = NULL;
	size_t size, i, last;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (i = 0; i < list->n; i = last + 1) {
		for (last = i; last + 1 < list->n && list->cpu[last + 1] == list->cpu[last] + 1;)
			last++;
		fprintf(out, "%s%d", i ? "," : "", list->cpu[i]);
		if (last > i)
			fprintf(out, "-%d", list->cpu[last]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		if (list->cpu[i] == cpu)
			return true;
	}
	return false;
}

int cpulist_add(struct cpulist *list, int cpu)
{
	int *grown;

	/* Room is doubled when the count reaches a power of two, so it need not be stored. */
	if (!(list->n & (list->n - 1))) {
		grown = reallocarray(list->cpu, list->n ? 2 * list->n : 1, sizeof(*grown));
		if (!grown)
			return error_no_memory();
		list->cpu = grown;
	}
	list->cpu[list->n++] = cpu;
	return 0;
}

int cpulist_copy(const struct cpulist *from, struct cpulist *ret)
{
	struct cpulist copy = { 0 };
	size_t i;

	/* Added one by one: cpulist_add() relies on how the room grows. */
	for (i = 0; i < from->n; i++) {
		if (cpulist_add(&copy, from->cpu[i])) {
			cpulist_free(&copy);
			return -ENOMEM;
		}
	}
	*ret = copy;
	return 0;
}

static int compare_cpus(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

void cpulist_sort(struct cpulist *list)
{
	if (list->n > 1)
		qsort(list->cpu, list->n, sizeof(*list->cpu), compare_cpus);
}

void cpulist_free(struct cpulist *list)
{
	free(list->cpu);
	*list = (struct cpulist){ 0 };
}
