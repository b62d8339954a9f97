/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each process gets a share of the scripts on its command line; starting one gnuplot a figure
 * would cost more than drawing. Output of gnuplot goes to a file, so that a warning of one figure
 * does not end in a mail, and its first lines are shown when it fails.
 */
#include "analysis/gnuplot.h"
#include "analysis/output.h"
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
#define LOG_NAME ".gnuplot-%zu.log"

/* The folder with style.gp and its like: of the source (make puts a link "source" beside programs
 * that are built elsewhere), or as installed. */
static int find_scripts(char path[PATH_MAX])
{
	static const char *const below[] = { "source/analysis/plots", "../analysis/plots",
					     "../../analysis/plots",
					     "../../share/idle-runner/plots" };
	char self[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (n < 0)
		return error_set(-errno, "/proc/self/exe: %m (is /proc mounted?)");
	self[n] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; i < sizeof(below) / sizeof(*below); i++)
		if (snprintf(path, PATH_MAX, "%s/%s", self, below[i]) < PATH_MAX &&
		    !access(path, R_OK | X_OK))
			return 0;
	return error_set(-ENOENT, "no gnuplot scripts beside %s: run 'make' first", self);
}

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

	err = find_scripts(from);
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
static int start(const char *plots, char *const *script, size_t n, size_t first, size_t step,
		 bool png, pid_t *ret)
{
	char **argv = calloc(n + 5, sizeof(*argv)), log[32];
	posix_spawn_file_actions_t actions;
	size_t argc = 0, i;
	int err;

	if (!argv)
		return error_set(-ENOMEM, "out of memory");
	argv[argc++] = (char *)"gnuplot";
	argv[argc++] = (char *)"-e";
	argv[argc++] = (char *)(png ? "format='png'" : "format='svg'");
	for (i = first; i < n; i += step)
		argv[argc++] = script[i];
	snprintf(log, sizeof(log), LOG_NAME, first);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addchdir_np(&actions, plots);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	err = posix_spawnp(ret, "gnuplot", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	free(argv);
	return err ? error_set(-err, "cannot run gnuplot: %s (Debian: apt install gnuplot-nox)",
			       strerror(err))
		   : 0;
}

/* Waits; the log is removed, and shown in the error text when gnuplot failed. */
static int finish(const char *plots, size_t number, pid_t pid)
{
	char path[PATH_MAX], *text = NULL;
	size_t size;
	int status = 0, err = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	snprintf(path, sizeof(path), "%s/" LOG_NAME, plots, number);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		char how[40] = "";

		if (WIFSIGNALED(status))
			snprintf(how, sizeof(how), " (killed by signal %d)", WTERMSIG(status));
		if (file_read(path, &text, &size))
			text = NULL;
		err = error_set(-EIO, "gnuplot failed%s: %.300s", how,
				text && *text ? text : "no output");
		free(text);
	}
	unlink(path);
	return err;
}

static char **script_names(const char *const *names, size_t n)
{
	char **script = calloc(n, sizeof(*script));
	size_t i;

	for (i = 0; script && i < n; i++) {
		if (asprintf(&script[i], "%s.gp", names[i]) < 0) {
			while (i--)
				free(script[i]);
			free(script);
			return NULL;
		}
	}
	return script;
}

int gnuplot_draw(const char *plots, const char *const *names, size_t n, bool png)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t processes = cpus > 1 ? (size_t)cpus : 1, started, i;
	pid_t pid[PROCESSES_MAX];
	int err = 0, one;
	char **script;

	if (!n)
		return 0;
	script = script_names(names, n);
	if (!script)
		return error_set(-ENOMEM, "out of memory");
	processes = processes > PROCESSES_MAX ? PROCESSES_MAX : processes;
	processes = processes > n ? n : processes;
	for (started = 0; !err && started < processes; started++)
		err = start(plots, script, n, started, processes, png, &pid[started]);
	if (err)
		started--;
	for (i = 0; i < started; i++) {
		one = finish(plots, i, pid[i]);
		err = err ? err : one;
	}
	for (i = 0; i < n; i++)
		free(script[i]);
	free(script);
	return err;
}
