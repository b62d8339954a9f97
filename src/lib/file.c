/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files and directories. Everything that is written goes to a name beginning with ".tmp-"
 * first and is on disk before it gets its own name; trees are walked by descriptor, so a symlink is
 * never followed.
 */
#include "lib/file.h"

#include "lib/error.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP 65536
#define TRIES 100

static int error_path(int code, const char *path)
{
	return error_set(code, "%s: %s", path, strerror(-code));
}

/* Reads @fd to its end; the size that fstat() tells is not used, as it is 0 in /proc and 4096 in
 * sysfs. */
static int read_all(int fd, char **ret_text, size_t *ret_size)
{
	size_t size = 0, room = 0;
	char *text = NULL, *grown;
	ssize_t got;

	do {
		if (room - size < READ_STEP) {
			room = room ? 2 * room : 2 * READ_STEP;
			grown = realloc(text, room);
			if (!grown)
				goto fail_memory;
			text = grown;
		}
		got = read(fd, text + size, room - size - 1);
		if (got < 0 && errno != EINTR) {
			got = -errno;
			free(text);
			return (int)got;
		}
		size += got > 0 ? (size_t)got : 0;
		if (size > FILE_READ_MAX) {
			free(text);
			return -EFBIG;
		}
	} while (got);
	text[size] = '\0';
	*ret_text = text;
	*ret_size = size;
	return 0;

fail_memory:
	free(text);
	return -ENOMEM;
}

int file_read(const char *path, char **ret_text, size_t *ret_size)
{
	/* O_NONBLOCK: opening a FIFO would wait for somebody who writes to it. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), r = 0;
	struct stat status;

	if (fd < 0)
		return error_path(-errno, path);
	if (fstat(fd, &status))
		r = error_path(-errno, path);
	else if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
		r = error_set(-EINVAL, "%s: not a regular file", path);
	if (!r) {
		r = read_all(fd, ret_text, ret_size);
		r = r ? error_path(r, path) : 0;
	}
	close(fd);
	return r;
}

/* The folder that holds @path: "." for a bare name. malloc'ed, NULL when out of memory. */
static char *parent_of(const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n ? strndup(path, n) : strdup(".");
}

static int sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;

	if (fd < 0)
		return -errno;
	if (fsync(fd))
		r = -errno;
	close(fd);
	return r;
}

static int sync_parent(const char *path)
{
	char *parent = parent_of(path);
	int r = parent ? sync_folder(parent) : -ENOMEM;

	free(parent);
	return r;
}

/* Creates a new file in the folder of @path; *ret_name is malloc'ed. The descriptor or -errno. */
static int create_beside(const char *path, char **ret_name)
{
	char *parent = parent_of(path), *name = NULL;
	int fd = -1, r = -EEXIST, i;

	if (!parent)
		return -ENOMEM;
	/* A name may be left from a killed process that had our pid. */
	for (i = 0; i < TRIES && r == -EEXIST; i++) {
		if (asprintf(&name, "%s/.tmp-%ld-%d", parent, (long)getpid(), i) < 0) {
			r = -ENOMEM;
			break;
		}
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		r = fd < 0 ? -errno : fd;
		if (fd < 0)
			free(name);
	}
	free(parent);
	if (r >= 0)
		*ret_name = name;
	return r;
}

int file_write_all(int fd, const char *text, size_t size)
{
	ssize_t done;

	while (size) {
		done = write(fd, text, size);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		text += done;
		size -= (size_t)done;
	}
	return 0;
}

int file_write_atomic(const char *path, const char *text, size_t size)
{
	char *name;
	int fd = create_beside(path, &name), r;

	if (fd < 0)
		return error_path(fd, path);
	r = file_write_all(fd, text, size);
	if (!r && fsync(fd))
		r = -errno;
	/* Network file systems report a full disk here. */
	if (close(fd) && !r)
		r = -errno;
	if (!r && rename(name, path))
		r = -errno;
	if (r)
		unlink(name);
	else
		r = sync_parent(path);
	free(name);
	return r ? error_path(r, path) : 0;
}

/* What a walk does with an entry that is no folder, and with a folder when its entries are done. */
struct visitor {
	int (*other)(int folder, const char *name);
	int (*leave)(int folder, int fd, const char *name);
};

static int walk(int folder, const char *name, const struct visitor *visitor);

static int walk_entry(int folder, const char *name, const struct visitor *visitor)
{
	struct stat status;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW))
		return -errno;
	if (S_ISDIR(status.st_mode))
		return walk(folder, name, visitor);
	if (visitor->other == NULL)
		return 0;
	return visitor->other(folder, name);
}

static int walk(int folder, const char *name, const struct visitor *visitor)
{
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), r = 0;
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		r = -errno;
		close(fd);
		return r;
	}
	while (!r) {
		errno = 0;
		entry = readdir(dir);
		if (!entry) {
			r = -errno;
			break;
		}
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			r = walk_entry(fd, entry->d_name, visitor);
	}
	if (!r)
		r = visitor->leave(folder, fd, name);
	closedir(dir);
	return r;
}

static int sync_file(int folder, const char *name)
{
	/* O_NONBLOCK: a FIFO, which has nothing to sync, must not hold us up. */
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), r = 0;
	struct stat status;

	if (fd < 0)
		return errno == ELOOP || errno == ENXIO ? 0 : -errno;
	if (fstat(fd, &status) || (S_ISREG(status.st_mode) && fsync(fd)))
		r = -errno;
	close(fd);
	return r;
}

static int sync_leave(int folder, int fd, const char *name)
{
	(void)folder;
	(void)name;
	return fsync(fd) ? -errno : 0;
}

/* rename() that refuses an existing target. */
static int rename_new(const char *from, const char *to)
{
	struct stat status;

	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* A file system (NFS) or kernel without the flag: a check has to do. */
	if (!lstat(to, &status))
		return -EEXIST;
	return rename(from, to) ? -errno : 0;
}

int file_publish_dir(const char *temporary, const char *final)
{
	static const struct visitor sync_all = { .other = sync_file, .leave = sync_leave };
	int r = walk(AT_FDCWD, temporary, &sync_all);

	if (r)
		return error_path(r, temporary);
	r = rename_new(temporary, final);
	if (!r)
		r = sync_parent(final);
	return r ? error_path(r, final) : 0;
}

/* Makes the one folder @path, or finds that it is there. */
static int make_dir(const char *path)
{
	struct stat status;
	int r;

	/* Whoever may write to a folder may lead the next write elsewhere: not everybody. */
	if (!mkdir(path, 0775))
		return 0;
	r = -errno;
	/* A read-only or guarded parent may answer EROFS or EACCES for a folder that exists. */
	if (!stat(path, &status)) {
		if (S_ISDIR(status.st_mode))
			return 0;
		r = -ENOTDIR;
	}
	return error_path(r, path);
}

int file_make_dirs(const char *path)
{
	char *part = strdup(path), *slash;
	int r = 0;

	if (!part)
		return error_path(-ENOMEM, path);
	for (slash = part; !r && (slash = strchr(slash, '/')); slash++) {
		if (slash == part || slash[-1] == '/')
			continue;
		*slash = '\0';
		r = make_dir(part);
		*slash = '/';
	}
	if (!r)
		r = make_dir(part);
	free(part);
	return r;
}

static int remove_other(int folder, const char *name)
{
	return unlinkat(folder, name, 0) ? -errno : 0;
}

static int remove_leave(int folder, int fd, const char *name)
{
	(void)fd;
	return unlinkat(folder, name, AT_REMOVEDIR) ? -errno : 0;
}

int file_remove_tree(const char *path)
{
	static const struct visitor remove_all = { .other = remove_other, .leave = remove_leave };
	char *name = strdup(path);
	size_t n;
	int r;

	if (!name)
		return error_path(-ENOMEM, path);
	/* "link/" would be the folder behind the symlink. */
	for (n = strlen(name); n > 1 && name[n - 1] == '/';)
		name[--n] = '\0';
	r = walk_entry(AT_FDCWD, name, &remove_all);
	free(name);
	return r && r != -ENOENT ? error_path(r, path) : 0;
}
