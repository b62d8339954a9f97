/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs stand under one heading. Two boots of the same kernel on the same machine are one
 * column; another kernel, machine or result directory is another, unless the user gave two
 * directories one label.
 */
#include "analysis/section.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *cpufreq_of(const struct loaded_run *run)
{
	return run->info.cpufreq_governor ? run->info.cpufreq_governor : "";
}

size_t section_column_of(const struct table *table, const struct loaded_run *run)
{
	const struct boot *boot = &table->result->boot[run->boot];
	size_t i;

	for (i = 0; i < table->columns; i++) {
		const struct column *c = &table->column[i];

		if (!strcmp(c->label, run->info.label) && !strcmp(c->cpufreq, cpufreq_of(run)) &&
		    !strcmp(c->kernel, boot->release) && !strcmp(c->machine, boot->machine) &&
		    load_same_side(table->result, c->source, run->source))
			return i;
	}
	return NO_COLUMN;
}

/* Position of a label in "menu,teo,menu": the second menu is "menu:2". Unknown labels go last. */
static size_t asked_position(const struct table *table, const char *label)
{
	char *rest = pool_copy(table->pool, table->result->campaign.governors), *word;
	const char *colon = strrchr(label, ':');
	size_t n = colon ? (size_t)(colon - label) : strlen(label), position = 0;
	long nth = colon ? strtol(colon + 1, NULL, 10) : 1;

	while ((word = strsep(&rest, ", "))) {
		if (!*word)
			continue;
		position++;
		if (strlen(word) == n && !strncmp(word, label, n) && --nth <= 0)
			return position;
	}
	return SIZE_MAX;
}

/* Sides in the order that the user gave them, kernels of one directory by name. */
static int compare_columns(const struct table *table, const struct column *a,
			   const struct column *b)
{
	size_t x = asked_position(table, a->label), y = asked_position(table, b->label);
	int by_kernel = strcmp(a->kernel, b->kernel), by_freq = strcmp(a->cpufreq, b->cpufreq);

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (by_kernel)
		return by_kernel;
	if (by_freq)
		return by_freq;
	return x < y ? -1 : x > y;
}

static void sort_columns(struct table *table)
{
	size_t i, j;

	for (i = 1; i < table->columns; i++) {
		struct column c = table->column[i];

		for (j = i; j && compare_columns(table, &c, &table->column[j - 1]) < 0; j--)
			table->column[j] = table->column[j - 1];
		table->column[j] = c;
	}
}

int section_columns(struct table *table)
{
	const struct result *r = table->result;
	size_t i;
	int err;

	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if (section_column_of(table, run) != NO_COLUMN)
			continue;
		table->column = pool_room(table->pool, table->column, table->columns,
					  sizeof(*table->column));
		table->column[table->columns++] = (struct column){
			.label = run->info.label,
			.governor = run->info.governor,
			.cpufreq = cpufreq_of(run),
			.kernel = r->boot[run->boot].release,
			.machine = r->boot[run->boot].machine,
			.source = run->source,
		};
	}
	sort_columns(table);
	err = section_name_columns(table);
	return err ? err : section_references(table);
}
