/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run that cannot be read is left out: status must not fail because one run is damaged, and the
 * report will name it.
 */
#include "run/standing.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include "store/run.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 64
#define LINE_WIDTH 80

/* One complete run's headline. */
struct headline {
	size_t point; /* of the plan */
	int column;
	double value;
};

struct standing {
	const struct plan *plan;
	struct headline *run;
	size_t n;
	struct column {
		char *name; /* "menu", "menu+schedutil@6.18.1" */
		char release[128];
		size_t governor; /* in the plan */
	} column[COLUMNS_MAX];
	int columns;
	int order[COLUMNS_MAX]; /* kernel by kernel, in the plan's order of governors */
	char **metric; /* by section: "us_per_loop (us)" */
};

/* "6.18.44" of ".../boots/6.18.44+3f2a9c1e/runs/0001..." */
static void release_of(const char *run, char *text, size_t size)
{
	const char *at = strstr(run, "/" STORE_BOOTS "/"), *next;

	for (; at && (next = strstr(at + 1, "/" STORE_BOOTS "/")); at = next)
		;
	at = at ? at + strlen("/" STORE_BOOTS "/") : "";
	snprintf(text, size, "%.*s", (int)strcspn(at, "/"), at);
	if (strrchr(text, '+'))
		*strrchr(text, '+') = '\0';
}

static bool several_releases(char *const *path, size_t n)
{
	char first[128], other[128];

	for (size_t i = 0; i < n; i++) {
		release_of(path[i], i ? other : first, sizeof(other));
		if (i && strcmp(first, other))
			return true;
	}
	return false;
}

static int column_of(struct standing *s, const char *name, const char *release, const char *label)
{
	struct column *new = &s->column[s->columns];

	for (int i = 0; i < s->columns; i++)
		if (!strcmp(s->column[i].name, name))
			return i;
	if (s->columns == COLUMNS_MAX || !(new->name = strdup(name)))
		return -1;
	snprintf(new->release, sizeof(new->release), "%s", release);
	while (new->governor < s->plan->governors &&
	       strcmp(s->plan->governor[new->governor].label, label))
		new->governor++;
	return s->columns++;
}

static bool comes_before(const struct column *a, const struct column *b)
{
	int releases = strcmp(a->release, b->release), names = strcmp(a->name, b->name);

	if (releases)
		return releases < 0;
	return a->governor != b->governor ? a->governor < b->governor : names < 0;
}

static void sort_columns(struct standing *s)
{
	for (int i = 0; i < s->columns; i++) {
		int at = i;

		for (; at > 0 && comes_before(&s->column[i], &s->column[s->order[at - 1]]); at--)
			s->order[at] = s->order[at - 1];
		s->order[at] = i;
	}
}

static bool find_point(const struct plan *plan, const struct store_run *run, size_t *ret)
{
	for (size_t p = 0; p < plan->points; p++) {
		const struct plan_point *point = &plan->point[p];

		if (strcmp(plan->suite->section[point->section].name, run->section) ||
		    strcmp(point->text, run->point))
			continue;
		*ret = p;
		return true;
	}
	return false;
}

/* The first metric: the headline. Empty is NA. */
static bool read_headline(const char *dir, char metric[96], double *ret)
{
	char path[PATH_MAX];
	struct tsv tsv;
	bool known;

	snprintf(path, sizeof(path), "%s/" STORE_METRICS, dir);
	if (tsv_load(path, &tsv))
		return false;
	known = tsv.rows && tsv_double(&tsv, 0, tsv_column(&tsv, "value"), ret) == 1;
	if (known)
		snprintf(metric, 96, "%.60s, %.24s", tsv_text(&tsv, 0, tsv_column(&tsv, "name")),
			 tsv_text(&tsv, 0, tsv_column(&tsv, "unit")));
	tsv_free(&tsv);
	return known;
}

static void add_run(struct standing *s, const char *path, bool with_release)
{
	struct headline *at = &s->run[s->n];
	char metric[96], release[128], name[256];
	struct store_run run;
	size_t section;

	if (store_run_read(path, &run))
		return;
	release_of(path, release, sizeof(release));
	snprintf(name, sizeof(name), "%.40s%s%.40s%s%.60s", run.label,
		 run.cpufreq_governor ? "+" : "", run.cpufreq_governor ? run.cpufreq_governor : "",
		 with_release ? "@" : "", with_release ? release : "");
	if (run.state == STORE_COMPLETE && find_point(s->plan, &run, &at->point) &&
	    read_headline(path, metric, &at->value) &&
	    (at->column = column_of(s, name, with_release ? release : "", run.label)) >= 0) {
		section = s->plan->point[at->point].section;
		if (!s->metric[section])
			s->metric[section] = strdup(metric);
		s->n++;
	}
	store_run_free(&run);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* "78.81 (6)" over the points [first, end); "-" without a run. */
static int print_median(const struct standing *s, size_t first, size_t end, int column, int width)
{
	double *value = calloc(s->n + 1, sizeof(*value)), median;
	char text[48] = "-";
	size_t n = 0;

	if (!value)
		return error_no_memory();
	for (size_t i = 0; i < s->n; i++)
		if (s->run[i].column == column && s->run[i].point >= first && s->run[i].point < end)
			value[n++] = s->run[i].value;
	if (n) {
		qsort(value, n, sizeof(*value), by_value);
		median = n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
		snprintf(text, sizeof(text), "%.5g (%zu)", median, n);
	}
	free(value);
	printf(" %*s", width, text);
	return 0;
}

static int print_row(const struct standing *s, size_t first, size_t end, int from, int to,
		     int width)
{
	const struct plan_point *low = &s->plan->point[first], *high = &s->plan->point[end - 1];
	char name[160];
	int err = 0;

	snprintf(name, sizeof(name), "%s%s%s", low->text, end - first > 1 ? " .. " : "",
		 end - first > 1 ? high->text : "");
	printf("  %-26.26s", *name ? name : "all");
	for (int c = from; c < to && !err; c++)
		err = print_median(s, first, end, s->order[c], width);
	putchar('\n');
	return err;
}

/* The points of a section follow each other in the plan. */
static int print_section(const struct standing *s, size_t section, int from, int to, int width)
{
	size_t first = 0, points = 0, groups;
	int err = 0;

	while (first < s->plan->points && s->plan->point[first].section != section)
		first++;
	while (first + points < s->plan->points &&
	       s->plan->point[first + points].section == section)
		points++;
	if (!s->metric[section])
		return 0;
	printf("%s: %s\n", s->plan->suite->section[section].name, s->metric[section]);
	groups = points < STANDING_GROUPS ? points : STANDING_GROUPS;
	for (size_t g = 0; g < groups && !err; g++)
		err = print_row(s, first + g * points / groups, first + (g + 1) * points / groups,
				from, to, width);
	return err;
}

/* As many governors side by side as fit; the rest in tables below. */
static int print_tables(const struct standing *s)
{
	int width = 14, fit, err = 0;

	for (int c = 0; c < s->columns; c++)
		if ((int)strlen(s->column[c].name) > width)
			width = (int)strlen(s->column[c].name);
	fit = (LINE_WIDTH - 28) / (width + 1);
	fit = fit < 1 ? 1 : fit;
	for (int from = 0; from < s->columns && !err; from += fit) {
		int to = from + fit < s->columns ? from + fit : s->columns;

		printf("\n%-28s", "median so far (runs)");
		for (int c = from; c < to; c++)
			printf(" %*s", width, s->column[s->order[c]].name);
		putchar('\n');
		for (size_t i = 0; i < s->plan->suite->sections && !err; i++)
			err = print_section(s, i, from, to, width);
	}
	return err;
}

static void release(struct standing *s)
{
	for (int c = 0; c < s->columns; c++)
		free(s->column[c].name);
	for (size_t i = 0; s->metric && i < s->plan->suite->sections; i++)
		free(s->metric[i]);
	free(s->metric);
	free(s->run);
}

int standing_print(const char *dir, const struct plan *plan)
{
	struct standing s = { .plan = plan };
	bool releases;
	char **path;
	size_t n;
	int err = store_run_list(dir, &path, &n);

	if (err)
		return err;
	releases = several_releases(path, n);
	s.run = calloc(n + 1, sizeof(*s.run));
	s.metric = calloc(plan->suite->sections + 1, sizeof(*s.metric));
	if (!s.run || !s.metric)
		err = error_no_memory();
	for (size_t i = 0; i < n && !err; i++)
		add_run(&s, path[i], releases);
	sort_columns(&s);
	if (!err && s.n)
		err = print_tables(&s);
	release(&s);
	store_list_free(path, n);
	return err;
}
