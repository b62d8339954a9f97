/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds in REPORT.tmp-PID, then exchanges it with REPORT in one step (RENAME_EXCHANGE), so that
 * two reports at once leave one whole report. REPORT is DIR/report, or a folder of its own for
 * several directories.
 */
#include "analysis/report.h"
#include "analysis/control.h"
#include "analysis/describe.h"
#include "analysis/format.h"
#include "analysis/gnuplot.h"
#include "analysis/html.h"
#include "analysis/load_conditions.h"
#include "analysis/report_place.h"
#include "analysis/misses.h"
#include "analysis/shape.h"
#include "analysis/spread.h"
#include "analysis/steady.h"
#include "analysis/output.h"
#include "analysis/text.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "store/format.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY ".tmp-"

/* Folders of reports whose builder was killed, beside @final. */
static void remove_stale(const struct table *t, const char *final)
{
	const char *slash = strrchr(final, '/');
	const char *dir = pool_text(t->pool, "%.*s", (int)(slash - final + 1), final);
	const char *begin = pool_text(t->pool, "%s" TEMPORARY, slash + 1);
	struct dirent *entry;
	DIR *d = opendir(dir);

	if (!d)
		return;
	while ((entry = readdir(d))) {
		long pid;

		if (strncmp(entry->d_name, begin, strlen(begin)))
			continue;
		pid = strtol(entry->d_name + strlen(begin), NULL, 10);
		if (pid <= 0 || pid > INT_MAX || !kill((pid_t)pid, 0) || errno != ESRCH)
			continue;
		file_remove_tree(pool_text(t->pool, "%s/%s", dir, entry->d_name));
	}
	closedir(d);
}

static int make_folders(const struct table *t, const char *folder)
{
	int err;

	err = file_remove_tree(folder);
	if (err)
		return err;
	err = file_make_dirs(pool_text(t->pool, "%s/data", folder));
	return err ? err : file_make_dirs(pool_text(t->pool, "%s/plots", folder));
}

/* A figure could not be drawn; one warning where all of them have failed. */
static void name_faults(const struct gnuplot_figure *drawn, size_t n, const char *what)
{
	size_t faults = 0, i;

	for (i = 0; i < n; i++)
		faults += drawn[i].fault != NULL;
	if (n && faults == n) {
		log_warn("no %s: %s", what, drawn[0].fault);
		return;
	}
	for (i = 0; i < n; i++)
		if (drawn[i].fault)
			log_warn("%s: not drawn: %s", drawn[i].name, drawn[i].fault);
}

static void free_faults(struct gnuplot_figure *drawn, size_t n)
{
	while (n--) {
		free(drawn[n].fault);
		drawn[n].fault = NULL;
	}
}

/* The figures that are not drawn are unfit from now on; @err: none could be. */
static void mark_faults(const struct table *t, struct figure_list *list,
			const struct gnuplot_figure *drawn, int err)
{
	size_t n = 0, i;

	for (i = 0; i < list->n; i++) {
		struct figure *f = &list->figure[i];

		if (f->unfit)
			continue;
		if (err)
			f->unfit = "gnuplot could not be run";
		else if (drawn[n].fault)
			f->unfit = pool_copy(t->pool, drawn[n].fault);
		n++;
	}
}

/* Draws. Without gnuplot the report has its numbers only, and says so; so for a bad script. */
static int draw(const struct table *t, const char *folder, struct figure_list *list, bool png)
{
	struct gnuplot_figure *drawn = pool_alloc(t->pool, list->n + 1, sizeof(*drawn));
	const char *plots = pool_text(t->pool, "%s/plots", folder);
	size_t n = 0, i;
	int err;

	for (i = 0; i < list->n; i++)
		if (!list->figure[i].unfit)
			drawn[n++].name = list->figure[i].name;
	err = gnuplot_copy_scripts(plots);
	if (err && err != -ENOENT)
		return err;
	if (!err)
		err = gnuplot_draw(plots, drawn, n, false);
	if (err)
		log_warn("no figures: %s", error_text());
	else
		name_faults(drawn, n, "figures");
	mark_faults(t, list, drawn, err);
	free_faults(drawn, n);
	if (err || !png)
		return 0;
	for (i = n = 0; i < list->n; i++)
		if (!list->figure[i].unfit)
			drawn[n++].name = list->figure[i].name;
	if (gnuplot_draw(plots, drawn, n, true))
		log_warn("no PNG figures: %s", error_text());
	else
		name_faults(drawn, n, "PNG figures");
	free_faults(drawn, n);
	return 0;
}

/* Tables that belong to no figure. */
static int write_tables(const struct table *t, const char *folder)
{
	static const struct {
		const char *name;
		void (*write)(const struct table *, FILE *);
	} tables[] = {
		{ "misses", misses_write },	{ "spread", spread_write },
		{ "transitions", shape_write }, { "steady", steady_write },
		{ "control", control_write },
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(tables) / sizeof(*tables); i++) {
		struct output out;

		output_open(&out);
		tables[i].write(t, out.stream);
		err = output_write_table(
			&out, describe_flags(t),
			pool_text(t->pool, "%s/data/%s.tsv", folder, tables[i].name));
	}
	return err;
}

/* Last of the report: a page of its own has the other files inside. */
static int write_page(const struct table *t, const struct figure_list *list, const char *folder,
		      bool standalone)
{
	const char *path = pool_text(t->pool, "%s/index.html", folder);
	struct output page, out;
	int err, written;

	output_open(&page);
	html_write(t, list, page.stream);
	if (!standalone)
		return output_write(&page, path);
	output_end(&page);
	output_open(&out);
	err = html_standalone(t, folder, page.text, out.stream);
	free(page.text);
	written = output_write(&out, path);
	return err ? err : written;
}

static int fill(const struct table *t, const char *folder, const struct report_options *options)
{
	struct figure_list list = { 0 };
	int err;

	err = make_folders(t, folder);
	if (!err)
		err = figure_write_all(t, folder, &list);
	if (!err)
		err = draw(t, folder, &list, options->png);
	if (!err)
		err = write_tables(t, folder);
	if (!err)
		err = format_write_all(t, folder);
	return err ? err : write_page(t, &list, folder, options->standalone);
}

/* Puts @folder where @final is; the old report, if any, is removed. */
static int swap(const char *folder, const char *final)
{
	if (!renameat2(AT_FDCWD, folder, AT_FDCWD, final, RENAME_NOREPLACE))
		return 0;
	if (errno == EEXIST && !renameat2(AT_FDCWD, folder, AT_FDCWD, final, RENAME_EXCHANGE))
		return file_remove_tree(folder);
	if (errno != EINVAL && errno != ENOSYS)
		return error_set(-errno, "%s: %m", final);
	/* A file system without these renames: there is a moment without a report. */
	file_remove_tree(final);
	return rename(folder, final) ? error_set(-errno, "%s: %m", final) : 0;
}

/* What a program may read is all that is printed then, and the path is not part of it. */
static int print(const struct table *t, const struct format *format, const char *final)
{
	int err;

	errno = 0;
	if (format) {
		format->write(t, stdout);
	} else {
		text_write(t, stdout);
		printf("\nreport: %s/index.html\n", final);
	}
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	err = errno ? -errno : -EIO;
	clearerr(stdout);
	return error_set(err, "standard output: %s", strerror(-err));
}

static void open_page(const struct table *t, const char *final)
{
	char *page = pool_text(t->pool, "%s/index.html", final);
	char *argv[] = { (char *)"xdg-open", page, NULL };
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		log_warn("xdg-open cannot be run; the page is %s", page);
}

static int build(const struct table *t, const struct report_options *options)
{
	const char *final, *folder;
	int err = report_place(t, options, &final);

	if (err)
		return err;
	folder = pool_text(t->pool, "%s" TEMPORARY "%d", final, (int)getpid());
	remove_stale(t, final);
	err = fill(t, folder, options);
	if (!err)
		err = swap(folder, final);
	if (err) {
		const char *text = pool_copy(t->pool, error_text());

		file_remove_tree(folder);
		return error_set(err, "%s", text);
	}
	err = options->quiet && !options->format ? 0 : print(t, options->format, final);
	if (options->open)
		open_page(t, final);
	if (err)
		return err;
	return describe_complete(t) ? 0 : 3;
}

static int by_reason(const void *left, const void *right)
{
	const struct broken_run *a = *(const struct broken_run *const *)left;
	const struct broken_run *b = *(const struct broken_run *const *)right;
	int by = strcmp(describe_broken(a), describe_broken(b));

	by = by ? by : strcmp(a->state, b->state);
	return by ? by : (a > b) - (a < b);
}

/* @n runs of which @first is one, all for one reason. */
static void name_runs(const struct broken_run *first, size_t n)
{
	const char *kind = describe_broken(first);

	if (n == 1)
		log_warn("skipped 1 %s run: %s: %s", first->state, first->name, first->reason);
	else if (kind == first->reason)
		log_warn("skipped %zu %s runs: %s", n, first->state, kind);
	else
		log_warn("skipped %zu %s runs: %s (first: %s)", n, first->state, kind, first->name);
}

/* One warning a reason: a damaged boot file takes many runs with it. */
static void name_skipped(struct result *r)
{
	const struct broken_run **list = pool_alloc(&r->pool, r->brokens + 1, sizeof(*list));
	size_t i, n;

	for (i = 0; i < r->brokens; i++)
		list[i] = &r->broken[i];
	qsort(list, r->brokens, sizeof(*list), by_reason);
	for (i = 0; i < r->brokens; i += n) {
		for (n = 1; i + n < r->brokens; n++)
			if (strcmp(describe_broken(list[i]), describe_broken(list[i + n])) ||
			    strcmp(list[i]->state, list[i + n]->state))
				break;
		if (strchr(list[i]->name, '.') == strstr(list[i]->name, ".ini"))
			log_warn("%s: %s: %s", list[i]->name, list[i]->state, list[i]->reason);
		else
			name_runs(list[i], n);
	}
}

static int refuse(const struct result *r)
{
	size_t n = 0, i;

	for (i = 0; i < r->issues; i++)
		n += r->issue[i].refused;
	if (n > 1)
		return error_usage(
			"not to be compared: %.600s (and %zu more; --force compares all the "
			"same)",
			load_refusal(r), n - 1);
	return error_usage("not to be compared: %.600s (--force compares all the same)",
			   load_refusal(r));
}

static int build_table(struct result *r, struct table *ret, const struct report_options *options)
{
	int err;

	if (r->sources > 1 && !r->runs)
		return error_usage("nothing to compare: the results have no point in common");
	err = section_build(r, ret);
	if (err)
		return err;
	load_conditions(r, ret);
	if (!load_refusal(r))
		return 0;
	if (!options->force)
		return refuse(r);
	for (size_t i = 0; i < r->issues; i++)
		if (r->issue[i].refused)
			log_warn("compared by force: %s", r->issue[i].text);
	return 0;
}

int report_build(const char *const *dir, size_t dirs, const struct report_options *options)
{
	const struct load_request request = { .dir = dir,
					      .dirs = dirs,
					      .label = options->label,
					      .labels = options->labels,
					      .reference = options->reference };
	struct result result;
	struct table table;
	int status;

	status = load_results(&request, &result);
	if (status)
		return status;
	name_skipped(&result);
	status = build_table(&result, &table, options);
	if (!status)
		status = build(&table, options);
	load_free(&result);
	return status;
}
