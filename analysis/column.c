/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs stand under one heading. Two boots of the same kernel on the same machine are one
 * column; another kernel or machine is another, with a reference of its own (P-36).
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
		    !strcmp(c->kernel, boot->release) && !strcmp(c->machine, boot->machine))
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

static int compare_columns(const struct table *table, const struct column *a,
			   const struct column *b)
{
	size_t x = asked_position(table, a->label), y = asked_position(table, b->label);
	int by_kernel = strcmp(a->kernel, b->kernel), by_freq = strcmp(a->cpufreq, b->cpufreq);

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

static bool same_side(const struct column *a, const struct column *b)
{
	return !strcmp(a->kernel, b->kernel) && !strcmp(a->machine, b->machine) &&
	       !strcmp(a->cpufreq, b->cpufreq);
}

static void name_columns(struct table *table)
{
	const struct column *first = table->column;
	bool cpufreq = false, kernel = false, machine = false;
	size_t i;

	for (i = 1; i < table->columns; i++) {
		cpufreq |= strcmp(first->cpufreq, table->column[i].cpufreq) != 0;
		kernel |= strcmp(first->kernel, table->column[i].kernel) != 0;
		machine |= strcmp(first->machine, table->column[i].machine) != 0;
	}
	for (i = 0; i < table->columns; i++) {
		struct column *c = &table->column[i];
		char *name, *at;

		name = pool_text(table->pool, "%s%s%s%s%s%s%s", c->label, cpufreq ? "/" : "",
				 cpufreq ? c->cpufreq : "", kernel ? "@" : "",
				 kernel ? c->kernel : "", machine ? "@" : "",
				 machine ? c->machine : "");
		for (at = name; *at; at++)
			if (strchr(" \t'\"", *at))
				*at = '_';
		c->name = name;
	}
}

static void find_references(struct table *table)
{
	const char *label = table->result->campaign.reference;
	size_t i, j, colour = 1;

	for (i = 0; i < table->columns; i++) {
		struct column *c = &table->column[i];

		c->is_reference = !strcmp(c->label, label);
		c->reference = NO_COLUMN;
		for (j = 0; j < table->columns && !c->is_reference; j++)
			if (!strcmp(table->column[j].label, label) &&
			    same_side(c, &table->column[j]))
				c->reference = j;
		c->colour = c->is_reference && same_side(c, &table->column[0]) ? 0 : colour++;
	}
}

int section_columns(struct table *table)
{
	const struct result *r = table->result;
	size_t i;

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
		};
	}
	sort_columns(table);
	name_columns(table);
	find_references(table);
	return 0;
}
