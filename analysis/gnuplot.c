/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each process gets a share of the scripts on its command line; starting one gnuplot a figure
 * would cost more than drawing. Output of gnuplot goes to a file, so that a warning of one figure
 * does not end in a mail, and its first lines are shown when it fails.
 */
#include "analysis/gnuplot.h"
#include "analysis/output.h"
#include "analysis/place.h"
#include "lib/error.h"
#include "lib/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 64
#define WORDS_MAX 300
#define LOG_NAME ".gnuplot-%zu.log"

static int is_script(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return entry->d_name[0] != '.' && n > 3 && !strcmp(entry->d_name + n - 3, ".gp");
}

static int copy(const char *from, const char *to, const char *name)
{
	char source[PATH_MAX], target[PATH_MAX], *text;
	size_t size;
	struct output out;
	int err;

	if (snprintf(source, sizeof(source), "%s/%s", from, name) >= PATH_MAX ||
	    snprintf(target, sizeof(target), "%s/%s", to, name) >= PATH_MAX)
		return error_set(-ENAMETOOLONG, "%s/%s: %s", to, name, strerror(ENAMETOOLONG));
	err = file_read(source, &text, &size);
	if (err)
		return err;
	output_open(&out);
	fwrite(text, 1, size, out.stream);
	free(text);
	return output_write(&out, target);
}

int gnuplot_copy_scripts(const char *plots)
{
	struct dirent **entry;
	char from[PATH_MAX];
	int n, i, err;

	err = place_find("analysis/plots", "plots", from);
	if (err)
		return err;
	n = scandir(from, &entry, is_script, alphasort);
	if (n < 0)
		return error_set(-errno, "%s: %m", from);
	for (i = 0; i < n; i++) {
		if (!err)
			err = copy(from, plots, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return err;
}

/* Starts one process on every @step-th script from @first. */
static int start(const char *plots, const struct gnuplot_figure *figure, size_t n, size_t first,
		 size_t step, bool png, pid_t *ret)
{
	char **argv = calloc(n + 5, sizeof(*argv)), log[48];
	posix_spawn_file_actions_t actions;
	size_t argc = 0, i;
	int err = argv ? 0 : ENOMEM;

	if (argv) {
		argv[argc++] = strdup("gnuplot");
		argv[argc++] = strdup("-e");
		argv[argc++] = strdup(png ? "format='png'" : "format='svg'");
	}
	for (i = first; !err && i < n; i += step)
		if (asprintf(&argv[argc++], "%s.gp", figure[i].name) < 0)
			err = ENOMEM;
	snprintf(log, sizeof(log), LOG_NAME, first);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, plots);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	if (!err)
		err = posix_spawnp(ret, "gnuplot", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	for (i = 0; i < argc; i++)
		free(argv[i]);
	free(argv);
	return err ? error_set(-err, "cannot run gnuplot: %s (Debian: apt install gnuplot-nox)",
			       strerror(err))
		   : 0;
}

/* What it says last: what comes first are warnings. In one line, for the page and a warning. */
static const char *last_words(char *text)
{
	size_t n = text ? strlen(text) : 0, i;

	while (n && strchr(" \n\r", text[n - 1]))
		text[--n] = '\0';
	if (!n)
		return "no output";
	text = n > WORDS_MAX ? text + n - WORDS_MAX : text;
	for (i = 0; text[i]; i++)
		text[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
	return text + strspn(text, " ");
}

/* Waits; the log is removed. *@ret_fault is NULL when all was drawn. */
static int finish(const char *plots, size_t number, pid_t pid, char **ret_fault)
{
	char path[PATH_MAX], how[40] = "", *text = NULL;
	size_t size;
	int status = 0, err = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*ret_fault = NULL;
	snprintf(path, sizeof(path), "%s/" LOG_NAME, plots, number);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		if (WIFSIGNALED(status))
			snprintf(how, sizeof(how), " (killed by signal %d)", WTERMSIG(status));
		if (file_read(path, &text, &size))
			text = NULL;
		if (asprintf(ret_fault, "gnuplot failed%s: %s", how, last_words(text)) < 0)
			err = error_no_memory();
		free(text);
	}
	unlink(path);
	return err;
}

/* What a gnuplot that failed has drawn may be half a picture. */
static void remove_picture(const char *plots, const char *name, bool png)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s.%s", plots, name, png ? "png" : "svg") < PATH_MAX)
		unlink(path);
}

/*
 * A process ends at its first error, and does not tell which script that was in: each figure of
 * such a share is drawn again by a process of its own.
 */
static int draw_alone(const char *plots, struct gnuplot_figure *figure, size_t n, size_t first,
		      size_t step, bool png)
{
	size_t i;
	pid_t pid;
	int err = 0;

	for (i = first; !err && i < n; i += step) {
		err = start(plots, figure, i + 1, i, 1, png, &pid);
		if (!err)
			err = finish(plots, i, pid, &figure[i].fault);
	}
	return err;
}

int gnuplot_draw(const char *plots, struct gnuplot_figure *figure, size_t n, bool png)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t processes = cpus > 1 ? (size_t)cpus : 1, started, i;
	char *fault[PROCESSES_MAX] = { NULL };
	pid_t pid[PROCESSES_MAX];
	int err = 0, one;

	processes = processes > PROCESSES_MAX ? PROCESSES_MAX : processes;
	processes = processes > n ? n : processes;
	for (started = 0; !err && started < processes; started++)
		err = start(plots, figure, n, started, processes, png, &pid[started]);
	if (err)
		started--;
	for (i = 0; i < started; i++) {
		one = finish(plots, i, pid[i], &fault[i]);
		err = err ? err : one;
	}
	for (i = 0; i < started; i++) {
		if (!err && fault[i])
			err = draw_alone(plots, figure, n, i, processes, png);
		free(fault[i]);
	}
	for (i = 0; i < n; i++)
		if (err || figure[i].fault)
			remove_picture(plots, figure[i].name, png);
	return err;
}
