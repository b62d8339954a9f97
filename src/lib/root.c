/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handle on the live machine or on the folder of a dumped one. In a folder, symlinks are resolved
 * as if the folder were "/" (openat2 with RESOLVE_IN_ROOT): a dump's absolute links stay inside the
 * dump. On kernels before 5.6, and where a sandbox refuses openat2, they do not.
 */
#include "lib/root.h"

#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int error_path(const struct root *root, const char *path, int code)
{
	return error_set(code, "%s/%s: %s", root->path, path, strerror(-code));
}

int root_open(const char *path, struct root *ret)
{
	struct root root = { .fd = -1 };
	int r;

	if (!path)
		path = "/";
	root.path = realpath(path, NULL);
	if (!root.path)
		return error_set(-errno, "%s: %s", path, strerror(errno));
	root.fd = open(root.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root.fd < 0) {
		r = error_set(-errno, "%s: %s", path, strerror(errno));
		free(root.path);
		return r;
	}
	root.live = !strcmp(root.path, "/");
	if (root.live)
		root.path[0] = '\0';
	*ret = root;
	return 0;
}

void root_close(struct root *root)
{
	if (root->path) {
		close(root->fd);
		free(root->path);
	}
	*root = (struct root){ .fd = -1 };
}

int root_open_file(const struct root *root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT,
	};
	long fd;

	while (*path == '/')
		path++;
	if (!root->live) {
		if (!(flags & O_PATH))
			how.flags |= O_NONBLOCK; /* a FIFO in there would wait for its writer */
		do {
			/* EAGAIN: something below the root was renamed during the walk. */
			fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
		} while (fd < 0 && (errno == EAGAIN || errno == EINTR));
		if (fd >= 0)
			return (int)fd;
		/* EPERM is what old container sandboxes answer to calls they do not know. */
		if (errno != ENOSYS && errno != EPERM)
			return -errno;
	}
	fd = openat(root->fd, path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Reads all of @fd into @text: the length, -EFBIG when it does not fit, or -errno. */
static int read_whole(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	for (;;) {
		if (length == size)
			return -EFBIG;
		got = read(fd, text + length, size - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			return (int)length;
		length += (size_t)got;
	}
}

int root_read(const struct root *root, const char *path, char *text, size_t size)
{
	int fd = root_open_file(root, path, O_RDONLY | O_NOCTTY), length;

	if (fd < 0)
		return error_path(root, path, fd);
	length = read_whole(fd, text, size);
	close(fd);
	if (length < 0)
		return error_path(root, path, length);
	/* strchr() finds a NUL too: firmware strings (device tree) end with one of their own. */
	while (length && strchr(" \t\r\n", text[length - 1]))
		length--;
	text[length] = '\0';
	return length;
}

int root_read_name(const struct root *root, const char *path, char *text, size_t size)
{
	int length = root_read(root, path, text, size);

	for (int i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	return length;
}

int root_read_u64(const struct root *root, const char *path, uint64_t *ret)
{
	char text[64], quoted[ERROR_QUOTE_SIZE];
	uint64_t value = 0;
	int length = root_read(root, path, text, sizeof(text)), i;
	bool bad = !length;

	if (length < 0)
		return length;
	for (i = 0; i < length && !bad; i++) {
		bad = text[i] < '0' || text[i] > '9' ||
		      __builtin_mul_overflow(value, 10u, &value) ||
		      __builtin_add_overflow(value, (unsigned int)(text[i] - '0'), &value);
	}
	if (bad)
		return error_set(-EINVAL, "%s/%s: '%s' is not a number", root->path, path,
				 error_quote(text, quoted));
	*ret = value;
	return 0;
}

int root_write(const struct root *root, const char *path, const char *text)
{
	/* O_TRUNC matters for a fake machine only: there the old text would show behind a shorter
	 * one. */
	int fd = root_open_file(root, path, O_WRONLY | O_TRUNC | O_NOCTTY), r = 0;
	char quoted[ERROR_QUOTE_SIZE];
	size_t size = strlen(text);
	ssize_t done;

	if (fd < 0)
		return error_path(root, path, fd);
	done = write(fd, text, size);
	if (done < 0)
		r = -errno;
	else if ((size_t)done != size)
		r = -EIO;
	close(fd);
	if (r)
		return error_set(r, "%s/%s: writing '%s': %s", root->path, path,
				 error_quote(text, quoted), strerror(-r));
	return 0;
}

bool root_exists(const struct root *root, const char *path)
{
	int fd = root_open_file(root, path, O_PATH);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}
