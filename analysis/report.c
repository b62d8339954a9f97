/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds in DIR/report.tmp-PID, then exchanges it with DIR/report in one step (RENAME_EXCHANGE), so
 * that two reports at once leave one whole report.
 */
#include "analysis/report.h"
#include "analysis/describe.h"
#include "analysis/gnuplot.h"
#include "analysis/html.h"
#include "analysis/json.h"
#include "analysis/misses.h"
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

#define TEMPORARY STORE_REPORT ".tmp-"

/* Folders of reports whose builder was killed. */
static void remove_stale(const struct table *t, const char *dir)
{
	struct dirent *entry;
	DIR *d = opendir(dir);

	if (!d)
		return;
	while ((entry = readdir(d))) {
		long pid;

		if (strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)))
			continue;
		pid = strtol(entry->d_name + strlen(TEMPORARY), NULL, 10);
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

/* What a gnuplot that failed has drawn may be half a picture. */
static void remove_figures(const struct table *t, const char *plots, const char *const *name,
			   size_t n, const char *suffix)
{
	size_t i;

	for (i = 0; i < n; i++)
		unlink(pool_text(t->pool, "%s/%s.%s", plots, name[i], suffix));
}

/* Draws. Without gnuplot, or when it fails, the report has its numbers only, and says so. */
static int draw(const struct table *t, const char *folder, struct figure_list *list, bool png)
{
	const char **name = pool_alloc(t->pool, list->n + 1, sizeof(*name));
	const char *plots = pool_text(t->pool, "%s/plots", folder);
	size_t n = 0, i;
	int err;

	for (i = 0; i < list->n; i++)
		if (!list->figure[i].unfit)
			name[n++] = list->figure[i].name;
	err = gnuplot_copy_scripts(plots);
	if (err && err != -ENOENT)
		return err;
	if (!err)
		err = gnuplot_draw(plots, name, n, false);
	if (err) {
		log_warn("no figures: %s", error_text());
		remove_figures(t, plots, name, n, "svg");
		for (i = 0; i < list->n; i++)
			if (!list->figure[i].unfit)
				list->figure[i].unfit = "gnuplot could not be run, or failed";
	} else if (png && gnuplot_draw(plots, name, n, true)) {
		log_warn("no PNG figures: %s", error_text());
		remove_figures(t, plots, name, n, "png");
	}
	return 0;
}

static int write_text(const struct table *t, const char *folder)
{
	struct output out;

	output_open(&out);
	text_write(t, out.stream);
	return output_write(&out, pool_text(t->pool, "%s/summary.txt", folder));
}

static int write_misses(const struct table *t, const char *folder)
{
	struct output out;

	output_open(&out);
	misses_write(t, out.stream);
	return output_write(&out, pool_text(t->pool, "%s/data/misses.tsv", folder));
}

static int write_page(const struct table *t, const struct figure_list *list, const char *folder)
{
	struct output out;

	output_open(&out);
	html_write(t, list, out.stream);
	return output_write(&out, pool_text(t->pool, "%s/index.html", folder));
}

static int fill(const struct table *t, const char *folder, bool png)
{
	struct figure_list list = { 0 };
	int err;

	err = make_folders(t, folder);
	if (!err)
		err = figure_write_all(t, folder, &list);
	if (!err)
		err = draw(t, folder, &list, png);
	if (!err)
		err = write_text(t, folder);
	if (!err)
		err = write_misses(t, folder);
	if (!err)
		err = write_page(t, &list, folder);
	return err ? err : json_write(t, pool_text(t->pool, "%s/summary.json", folder));
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

static int print_text(const struct table *t, const char *final)
{
	int err;

	errno = 0;
	text_write(t, stdout);
	printf("\nreport: %s/index.html\n", final);
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
	const char *dir = t->result->dir;
	const char *final = pool_text(t->pool, "%s/" STORE_REPORT, dir);
	const char *folder = pool_text(t->pool, "%s/" TEMPORARY "%d", dir, (int)getpid());
	int err;

	remove_stale(t, dir);
	err = fill(t, folder, options->png);
	if (!err)
		err = swap(folder, final);
	if (err) {
		const char *text = pool_copy(t->pool, error_text());

		file_remove_tree(folder);
		return error_set(err, "%s", text);
	}
	err = options->quiet ? 0 : print_text(t, final);
	if (options->open)
		open_page(t, final);
	if (err)
		return err;
	return describe_complete(t) ? 0 : 3;
}

/* One warning a reason: a damaged boot file takes many runs with it. */
static void name_skipped(const struct result *r)
{
	size_t i, j, n;

	for (i = 0; i < r->brokens; i++) {
		for (j = 0, n = 0; j < r->brokens; j++) {
			if (strcmp(r->broken[i].reason, r->broken[j].reason) ||
			    strcmp(r->broken[i].state, r->broken[j].state))
				continue;
			if (j < i)
				break;
			n++;
		}
		if (j == r->brokens)
			log_warn("skipped %zu %s run%s: %s%s%s", n, r->broken[i].state,
				 n == 1 ? "" : "s", n == 1 ? r->broken[i].name : "",
				 n == 1 ? ": " : "", r->broken[i].reason);
	}
}

int report_build(const char *dir, const struct report_options *options)
{
	struct result result;
	struct table table;
	int status;

	status = load_result(dir, &result);
	if (status)
		return status;
	name_skipped(&result);
	status = section_build(&result, &table);
	if (!status)
		status = build(&table, options);
	load_free(&result);
	return status;
}
