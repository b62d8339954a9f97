/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runner's side of the undo journal, and the guardian. The channel to the guardian is one half
 * of a socket pair rather than a pipe, only because send() can be told not to raise SIGPIPE; what
 * counts is the same: it reads end of file when the last holder of the other half is gone.
 */
#include "hw/undo.h"
#include "hw/undo_journal.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct change {
	char *path, *old;
};

struct undo {
	const struct root *root;
	int dir_fd, journal_fd;
	int channel; /* to the guardian; 'd' = all is done */
	pid_t guardian;
	struct change *change;
	size_t n;
};

static void guardian_restore(const struct root *root, int dir_fd)
{
	char last[JOURNAL_TEXT_MAX] = "";
	int count, code;

	code = journal_restore(root, dir_fd, &count, last);
	if (code)
		dprintf(STDERR_FILENO, "idle-runner: the runner died; not all was put back: %s\n",
			error_text());
	else if (count)
		dprintf(STDERR_FILENO, "idle-runner: the runner died; put back %d file%s (%s%s)\n",
			count, count == 1 ? "" : "s", last, count == 1 ? "" : ", ...");
	else
		dprintf(STDERR_FILENO,
			"idle-runner: the runner died; put back nothing, all was in place\n");
}

/*
 * The guardian has a session of its own and ignores what a terminal or a shell sends to the whole
 * job. Descriptors that close on exec stay open: the inherited lock is meant to be held.
 */
static _Noreturn void guardian(const struct root *root, int dir_fd, int channel)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	ssize_t got;
	char byte;
	int null;

	setsid();
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "idle-guardian");
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	if (chdir("/"))
		dprintf(STDERR_FILENO, "idle-runner: guardian: chdir /: %s\n", strerror(errno));
	do
		got = read(channel, &byte, 1);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		guardian_restore(root, dir_fd);
	_exit(0);
}

static int start_guardian(struct undo *undo)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return error_set(-errno, "guardian: socketpair: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		int code = -errno;

		close(pair[0]);
		close(pair[1]);
		return error_set(code, "guardian: fork: %s", strerror(-code));
	}
	if (!pid) {
		close(pair[1]);
		guardian(undo->root, undo->dir_fd, pair[0]);
	}
	close(pair[0]);
	undo->channel = pair[1];
	undo->guardian = pid;
	return 0;
}

static void undo_free(struct undo *undo)
{
	for (size_t i = 0; i < undo->n; i++) {
		free(undo->change[i].path);
		free(undo->change[i].old);
	}
	free(undo->change);
	if (undo->journal_fd >= 0)
		close(undo->journal_fd);
	if (undo->dir_fd >= 0)
		close(undo->dir_fd);
	free(undo);
}

int undo_start(const struct root *root, struct undo **ret)
{
	struct undo *undo = calloc(1, sizeof(*undo));
	int code;

	if (!undo)
		return error_no_memory();
	undo->root = root;
	undo->journal_fd = -1;
	undo->channel = -1;
	undo->dir_fd = journal_open_dir(root, true);
	code = undo->dir_fd < 0 ? undo->dir_fd : 0;
	if (!code) {
		undo->journal_fd = journal_create(root, undo->dir_fd);
		code = undo->journal_fd < 0 ? undo->journal_fd : 0;
	}
	if (!code) {
		code = start_guardian(undo);
		if (code)
			unlinkat(undo->dir_fd, "journal", 0);
	}
	if (code) {
		undo_free(undo);
		return code;
	}
	*ret = undo;
	return 0;
}

/* Journals the old text of @path, the first time that it is to be changed. */
static int remember(struct undo *undo, const char *path)
{
	char old[JOURNAL_TEXT_MAX];
	struct change *grown, *change;
	int code;

	for (size_t i = 0; i < undo->n; i++)
		if (!strcmp(undo->change[i].path, path))
			return 0;
	code = root_read(undo->root, path, old, sizeof(old));
	if (code < 0)
		return code;
	grown = reallocarray(undo->change, undo->n + 1, sizeof(*grown));
	if (!grown)
		return error_no_memory();
	undo->change = grown;
	change = &grown[undo->n];
	change->path = strdup(path);
	change->old = strdup(old);
	code = change->path && change->old ? 0 : error_no_memory();
	if (!code)
		code = journal_append(undo->journal_fd, path, old);
	if (code) {
		free(change->path);
		free(change->old);
		return code;
	}
	undo->n++;
	return 0;
}

/* A guardian that somebody killed is replaced before the next change. */
static int keep_guarded(struct undo *undo)
{
	if (waitpid(undo->guardian, NULL, WNOHANG) != undo->guardian)
		return 0;
	close(undo->channel);
	undo->channel = -1;
	return start_guardian(undo);
}

/* True when the file's text is @text, trailing blanks aside. */
static bool same_text(const char *now, const char *text)
{
	size_t length = strlen(text);

	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	return strlen(now) == length && !strncmp(now, text, length);
}

int undo_write(struct undo *undo, const char *path, const char *text)
{
	char now[JOURNAL_TEXT_MAX];
	int code;

	code = keep_guarded(undo);
	if (!code)
		code = remember(undo, path);
	if (code)
		return code;
	code = root_write(undo->root, path, text);
	if (code)
		return code;
	code = root_read(undo->root, path, now, sizeof(now));
	if (code < 0)
		return code;
	if (!same_text(now, text))
		return error_set(-EIO, "%s/%s holds '%s' after '%s' was written to it",
				 undo->root->path, path, now, text);
	return 0;
}

/* Last change first; the first failure is reported, a file that is gone weighs least. */
static int restore_all(struct undo *undo)
{
	char reason[1024] = "";
	size_t used = 0;
	int first = 0, code;

	for (size_t i = undo->n; i-- > 0;) {
		code = journal_put_back(undo->root, undo->change[i].path, undo->change[i].old);
		if (code >= 0)
			continue;
		if (!first || first == -ENOENT)
			first = code;
		if (used < sizeof(reason))
			used += (size_t)snprintf(reason + used, sizeof(reason) - used, "%s%s",
						 used ? "; " : "", error_text());
	}
	return first ? error_set(first, "not put back: %s", reason) : 0;
}

int undo_finish(struct undo *undo)
{
	int code = restore_all(undo), removed = 0;

	/* With something left to do the journal stays, for "restore". */
	if (!code || code == -ENOENT)
		removed = journal_remove(undo->root, undo->dir_fd);
	send(undo->channel, "d", 1, MSG_NOSIGNAL);
	close(undo->channel);
	while (waitpid(undo->guardian, NULL, 0) < 0 && errno == EINTR)
		;
	undo_free(undo);
	return code ? code : removed;
}

int undo_restore_stale(const struct root *root, int *ret_count)
{
	int dir_fd, code;

	*ret_count = 0;
	dir_fd = journal_open_dir(root, false);
	if (dir_fd == -ENOENT)
		return 0;
	if (dir_fd < 0)
		return dir_fd;
	code = journal_in_use(root, dir_fd);
	if (!code)
		code = journal_restore(root, dir_fd, ret_count, NULL);
	close(dir_fd);
	return code;
}
