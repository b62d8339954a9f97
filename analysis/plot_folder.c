/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same names and scripts as a report's, without its table of figures. */
#include "analysis/plot_folder.h"
#include "analysis/gnuplot.h"
#include "analysis/output.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int plot_folder_make(const char *dir)
{
	char data[PATH_MAX], plots[PATH_MAX];
	int err;

	if (snprintf(data, sizeof(data), "%s/data", dir) >= PATH_MAX - 64 ||
	    snprintf(plots, sizeof(plots), "%s/plots", dir) >= PATH_MAX - 64)
		return error_set(-ENAMETOOLONG, "%s: %s", dir, strerror(ENAMETOOLONG));
	if (mkdir(dir, 0777))
		return error_set(-errno, "%s: %m", dir);
	err = file_make_dirs(data);
	if (!err)
		err = file_make_dirs(plots);
	return err ? err : gnuplot_copy_scripts(plots);
}

/* As a text of gnuplot in single quotes, in which a quote is doubled and nothing else special. */
static void put_quoted(const char *name, const char *text, FILE *out)
{
	fprintf(out, "%s = '", name);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc((unsigned char)*text < ' ' ? '?' : *text, out);
	}
	fputs("'\n", out);
}

static int write_script(const char *dir, const struct plot *plot)
{
	char path[PATH_MAX];
	struct output out;

	output_open(&out);
	fputs("reset\n", out.stream);
	fprintf(out.stream, "name = '%s'\ndata = '../data/%s.tsv'\nwidth = 900\nheight = 560\n",
		plot->name, plot->name);
	put_quoted("title_text", plot->title, out.stream);
	put_quoted("y_label", plot->y, out.stream);
	put_quoted("watermark", plot->watermark, out.stream);
	put_quoted("subtitle", plot->subtitle, out.stream);
	fprintf(out.stream,
		"bars = ''\narray columns[1] = ['']\narray colours[1] = ['#555555']\n"
		"array marks[1] = [1]\nload '%s.gp'\n",
		plot->script);
	snprintf(path, sizeof(path), "%s/plots/%s.gp", dir, plot->name);
	return output_write(&out, path);
}

int plot_folder_add(const char *dir, const struct plot *plot,
		    void (*put)(const void *context, FILE *out), const void *context)
{
	char path[PATH_MAX];
	struct output out;
	int err;

	output_open(&out);
	put(context, out.stream);
	snprintf(path, sizeof(path), "%s/data/%s.tsv", dir, plot->name);
	err = output_write_table(&out, plot->watermark, path);
	return err ? err : write_script(dir, plot);
}

int plot_folder_draw(const char *dir, const char *const *name, size_t n)
{
	struct gnuplot_figure drawn[PLOTS_MAX] = { 0 };
	char plots[PATH_MAX];
	int err;

	if (n > PLOTS_MAX)
		return error_set(-E2BIG, "%s: more than %d figures", dir, PLOTS_MAX);
	for (size_t i = 0; i < n; i++)
		drawn[i].name = name[i];
	snprintf(plots, sizeof(plots), "%s/plots", dir);
	err = gnuplot_draw(plots, drawn, n, false);
	for (size_t i = 0; i < n; i++) {
		if (!err && drawn[i].fault)
			err = error_set(-EIO, "%s: %s", drawn[i].name, drawn[i].fault);
		free(drawn[i].fault);
	}
	return err;
}
