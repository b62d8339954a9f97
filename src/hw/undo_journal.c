/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and writing of the undo journal. The folder is private to the user, so what the journal
 * says was said by a runner; paths are checked all the same before anything is written.
 */
#include "hw/undo_journal.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL "journal"
#define HEADER "idle-runner undo 1\n"
#define JOURNAL_MAX (16u << 20) /* 576 CPUs x 10 states are 400 KB */

/* One step of the path: made if missing and wanted, opened without following a link. */
static int open_step(int parent, const char *name, mode_t mode, bool make)
{
	if (make && mkdirat(parent, name, mode) && errno != EEXIST)
		return -errno;
	parent = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return parent < 0 ? -errno : parent;
}

static int check_private(const struct root *root, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st))
		return error_set(-errno, "%s/%s: %s", root->path, path, strerror(errno));
	if (st.st_uid != geteuid() || (st.st_mode & 077))
		return error_set(-EPERM,
				 "%s/%s must be owned by this user and have mode 0700: it says "
				 "what is written to the machine",
				 root->path, path);
	return 0;
}

int journal_open_dir(const struct root *root, bool make)
{
	static const struct {
		const char *name, *path;
		mode_t mode;
	} step[] = { { "run", "run", 0755 },
		     { "idle-runner", "run/idle-runner", 0700 },
		     { "undo", JOURNAL_DIR, 0700 } };
	int parent = root->fd, fd = -1, code = 0;

	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		fd = open_step(parent, step[i].name, step[i].mode, make);
		if (parent != root->fd)
			close(parent);
		if (fd == -EACCES || fd == -EPERM)
			return error_set(-EACCES,
					 "%s/%s: %s (changing the machine needs root: use sudo)",
					 root->path, step[i].path, strerror(-fd));
		if (fd < 0)
			return error_set(fd, "%s/%s: %s", root->path, step[i].path, strerror(-fd));
		if (i)
			code = check_private(root, fd, step[i].path);
		if (code) {
			close(fd);
			return code;
		}
		parent = fd;
	}
	return fd;
}

static int write_durably(int fd, const char *text, size_t size)
{
	ssize_t done = write(fd, text, size);

	if (done < 0)
		return -errno;
	if ((size_t)done != size)
		return -ENOSPC;
	return fsync(fd) ? -errno : 0;
}

int journal_create(const struct root *root, int dir_fd)
{
	int fd, code;

	fd = openat(dir_fd, JOURNAL,
		    O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 && errno == EEXIST)
		return error_set(-EEXIST,
				 "an interrupted run changed this machine and did not put it back "
				 "(%s/" JOURNAL_DIR "/" JOURNAL "): ./runner restore does it",
				 root->path);
	code = fd < 0 ? -errno : write_durably(fd, HEADER, strlen(HEADER));
	if (!code && fsync(dir_fd))
		code = -errno;
	/* Held by the runner, then by its guardian: a journal in use is not a stale one. */
	if (!code && flock(fd, LOCK_EX | LOCK_NB))
		code = -errno;
	if (!code)
		return fd;
	if (fd >= 0) {
		close(fd);
		unlinkat(dir_fd, JOURNAL, 0);
	}
	return error_set(code, "%s/" JOURNAL_DIR "/" JOURNAL ": %s", root->path, strerror(-code));
}

int journal_in_use(const struct root *root, int dir_fd)
{
	int fd = openat(dir_fd, JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), code = 0;

	if (fd < 0)
		return errno == ENOENT ? 0
				       : error_set(-errno, "%s/" JOURNAL_DIR "/" JOURNAL ": %m",
						   root->path);
	if (flock(fd, LOCK_EX | LOCK_NB))
		code = error_set(
			-EBUSY,
			"another runner, or its guardian, is at work on this machine: it holds "
			"%s/" JOURNAL_DIR "/" JOURNAL,
			root->path);
	close(fd);
	return code;
}

/* Relative to the root, and nowhere out of it. */
static bool path_valid(const char *path)
{
	size_t length = strlen(path);

	if (!length || path[0] == '/' || strpbrk(path, "\t\n"))
		return false;
	return strcmp(path, "..") && strncmp(path, "../", 3) && !strstr(path, "/../") &&
	       (length < 3 || strcmp(path + length - 3, "/.."));
}

int journal_append(int fd, const char *path, const char *text)
{
	struct stat before = { .st_size = 0 };
	char *line;
	int code, size;

	if (!path_valid(path))
		return error_set(-EINVAL, "%s: not a path below the root", path);
	if (strchr(text, '\n') || strlen(text) >= JOURNAL_TEXT_MAX)
		return error_set(-EINVAL, "%s: its text cannot be kept for putting it back", path);
	size = asprintf(&line, "%s\t%s\n", path, text);
	if (size < 0)
		return error_no_memory();
	code = fstat(fd, &before) ? -errno : write_durably(fd, line, (size_t)size);
	free(line);
	/* Half a line must not become the beginning of the next one. */
	if (code && ftruncate(fd, before.st_size))
		code = -EIO;
	if (code)
		return error_set(code, "/" JOURNAL_DIR "/" JOURNAL ": %s", strerror(-code));
	return 0;
}

int journal_put_back(const struct root *root, const char *path, const char *text)
{
	char now[JOURNAL_TEXT_MAX];
	int code;

	code = root_read(root, path, now, sizeof(now));
	if (code >= 0 && !strcmp(now, text))
		return 0;
	if (code == -ENOENT)
		return code;
	/* A write of no bytes never reaches the kernel's store function. */
	code = root_write(root, path, text[0] ? text : "\n");
	return code ? code : 1;
}

int journal_remove(const struct root *root, int dir_fd)
{
	if ((unlinkat(dir_fd, JOURNAL, 0) && errno != ENOENT) || fsync(dir_fd))
		return error_set(-errno, "%s/" JOURNAL_DIR "/" JOURNAL ": %s", root->path,
				 strerror(errno));
	return 0;
}

/* The whole journal, NUL terminated, cut behind its last newline (malloc'ed). -ENOENT: none. */
static int load(const struct root *root, int dir_fd, char **ret)
{
	size_t length = 0;
	ssize_t got;
	struct stat st;
	char *text;
	int fd;

	fd = openat(dir_fd, JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		int code = -errno;

		if (fd >= 0)
			close(fd);
		if (code == -ENOENT)
			return code;
		return error_set(code, "%s/" JOURNAL_DIR "/" JOURNAL ": %s", root->path,
				 strerror(-code));
	}
	text = st.st_size > JOURNAL_MAX ? NULL : malloc((size_t)st.st_size + 1);
	if (!text) {
		close(fd);
		return error_set(-ENOMEM, "%s/" JOURNAL_DIR "/" JOURNAL ": too large", root->path);
	}
	while (length < (size_t)st.st_size) {
		got = read(fd, text + length, (size_t)st.st_size - length);
		if (got <= 0)
			break;
		length += (size_t)got;
	}
	close(fd);
	while (length && text[length - 1] != '\n')
		length--;
	text[length] = '\0';
	if (strlen(text) != length) {
		free(text);
		return error_set(-EBADMSG, "%s/" JOURNAL_DIR "/" JOURNAL ": has a NUL byte in it",
				 root->path);
	}
	*ret = text;
	return 0;
}

/* Puts one line back; keeps the first failure in *@first, and its text in @reason. */
static int restore_line(const struct root *root, char *line, int *first, char *reason, size_t size)
{
	char *tab = strchr(line, '\t');
	int code;

	if (tab)
		*tab = '\0';
	if (!tab || !path_valid(line))
		code = error_set(-EBADMSG,
				 "%s/" JOURNAL_DIR "/" JOURNAL ": '%s' is not a line of a journal",
				 root->path, line);
	else
		code = journal_put_back(root, line, tab + 1);
	if (tab)
		*tab = '\t';
	if (code < 0 && (!*first || *first == -ENOENT)) {
		*first = code;
		snprintf(reason, size, "%s", error_text());
	}
	return code;
}

/* All lines, last first. @text is cut up. */
static int restore_lines(const struct root *root, char *text, int *count, char *ret_last)
{
	char reason[512] = "", *end = text + strlen(text), *line;
	int first = 0;

	while (end > text) {
		end[-1] = '\0';
		line = strrchr(text, '\n');
		line = line ? line + 1 : text;
		if (restore_line(root, line, &first, reason, sizeof(reason)) == 1) {
			(*count)++;
			line[strcspn(line, "\t")] = '=';
			if (ret_last)
				snprintf(ret_last, JOURNAL_TEXT_MAX, "%s", line);
		}
		end = line;
	}
	return first ? error_set(first, "%s", reason) : 0;
}

int journal_restore(const struct root *root, int dir_fd, int *ret_count, char *ret_last)
{
	int code, removed, count = 0;
	char *text = NULL;

	*ret_count = 0;
	code = load(root, dir_fd, &text);
	if (code)
		return code == -ENOENT ? 0 : code;
	if (text[0] && strncmp(text, HEADER, strlen(HEADER))) {
		free(text);
		return error_set(-EPROTO,
				 "%s/" JOURNAL_DIR "/" JOURNAL
				 " was written by another version: put its lines back by hand, "
				 "then remove it",
				 root->path);
	}
	if (text[0])
		code = restore_lines(root, text + strlen(HEADER), &count, ret_last);
	free(text);
	*ret_count = count;
	if (code && code != -ENOENT)
		return code;
	removed = journal_remove(root, dir_fd);
	return removed ? removed : code;
}
