/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command comes from the command line (or the unit that root installed), never from the
 * result directory, which its user can write.
 */
#include "run/hook.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/campaign.h"
#include "run/privilege.h"
#include "store/format.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool named_before(const struct plan *plan, size_t governor)
{
	for (size_t g = 0; g < governor; g++)
		if (!strcmp(plan->governor[g].name, plan->governor[governor].name))
			return true;
	return false;
}

char *hook_waiting_for(const struct session *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *comma = "";

	for (size_t g = 0; out && g < s->plan.governors; g++) {
		struct plan_cell cell = { .governor = g };

		if (session_offers(s, &cell) || named_before(&s->plan, g))
			continue;
		fprintf(out, "%s%s", comma, s->plan.governor[g].name);
		comma = ",";
	}
	return out && !fclose(out) ? text : NULL;
}

/* How many boots have not one run, spoilt ones included. */
static int count_barren(const char *dir, int *ret)
{
	char boots[PATH_MAX];
	struct dirent *entry;
	DIR *d;
	int err = 0;

	snprintf(boots, sizeof(boots), "%s/" STORE_BOOTS, dir);
	d = opendir(boots);
	if (!d)
		return error_set(-errno, "%s: %m", boots);
	*ret = 0;
	while (!err && (entry = readdir(d))) {
		struct campaign_done done;

		if (entry->d_name[0] == '.')
			continue;
		err = campaign_scan(dir, entry->d_name, &done);
		if (err)
			break;
		*ret += !done.n;
		campaign_done_free(&done);
	}
	closedir(d);
	return err;
}

static void child_main(const char *dir, const char *waiting, const char *command)
	__attribute__((noreturn));

static void child_main(const char *dir, const char *waiting, const char *command)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!setenv("IDLE_RUNNER_RESULTS", dir, 1) && !setenv("IDLE_RUNNER_PENDING", waiting, 1))
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int execute(const char *dir, const char *waiting, const char *command)
{
	int status;
	pid_t pid;

	privilege_root();
	pid = fork();
	if (!pid)
		child_main(dir, waiting, command);
	privilege_user();
	if (pid < 0)
		return error_set(-errno, "fork: %m");
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(-errno, "waiting for --next-kernel: %m");
	if (status)
		log_warn("--next-kernel '%s' ended with status %d", command,
			 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}

int hook_run(const struct session *s, const char *command)
{
	char *waiting = hook_waiting_for(s);
	int barren, err = waiting ? count_barren(s->dir, &barren) : error_no_memory();

	if (!err && barren >= HOOK_BARREN_MAX) {
		log_warn("--next-kernel is not run: %d boots of this campaign could not make a "
			 "single run, so it would go round for ever",
			 barren);
	} else if (!err) {
		log_info("this kernel has done all it can; %s: %s", waiting, command);
		err = execute(s->dir, waiting, command);
	}
	free(waiting);
	return err;
}
