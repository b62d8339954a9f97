/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder of files whose names and contents come from the input, for readers of sysfs and of
 * result directories. The input is lines: "@FOLDER" (for what follows), "=FILE" or "~FILE" (its
 * text is what follows, up to the next such line; '~': without the last newline), "=LINK ->
 * TARGET". Names that would lead out of the folder are left out, and no link is followed while it
 * is made.
 */
#ifndef TESTS_FUZZ_TREE_H
#define TESTS_FUZZ_TREE_H

#include "fuzz.h"
#include "lib/file.h"
#include "lib/root.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREE_NAME_MAX 200
#define TREE_FILES_MAX 512

struct tree {
	char dir[32];
	struct root root;
	int next_fd; /* the descriptor that was free when the tree was made */
};

static char tree_dir[32];

static inline void tree_forget(void)
{
	file_remove_tree(tree_dir);
}

/* One folder a process. */
static inline const char *tree_place(void)
{
	if (tree_dir[0])
		return tree_dir;
	snprintf(tree_dir, sizeof(tree_dir), "/dev/shm/fuzz-XXXXXX");
	if (!mkdtemp(tree_dir)) {
		snprintf(tree_dir, sizeof(tree_dir), "/tmp/fuzz-XXXXXX");
		fuzz_need(mkdtemp(tree_dir));
	}
	atexit(tree_forget);
	return tree_dir;
}

static inline bool tree_name_valid(const char *name)
{
	return name[0] && strcmp(name, ".") && strcmp(name, "..");
}

/* Descriptor of the folder @path below @dir_fd, made as needed; -1 when it cannot be. */
static inline int tree_folder(int dir_fd, char *path)
{
	int fd = dup(dir_fd);
	char *save;

	for (char *part = strtok_r(path, "/", &save); part && fd >= 0;
	     part = strtok_r(NULL, "/", &save)) {
		int below = -1;

		if (tree_name_valid(part)) {
			mkdirat(fd, part, 0700);
			below = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		}
		close(fd);
		fd = below;
	}
	return fd;
}

/* Makes the file or link that @name, without its mark, stands for. */
static inline void tree_file(int dir_fd, const char *folder, const char *name, const char *text,
			     size_t size)
{
	char path[2 * TREE_NAME_MAX + 8], *slash;
	const char *target;
	int at, fd;

	target = strstr(name, " -> ");
	snprintf(path, sizeof(path), "%s/%.*s", folder,
		 target ? (int)(target - name) : TREE_NAME_MAX, name);
	if (target)
		target += strlen(" -> ");
	slash = strrchr(path, '/');
	*slash = '\0';
	if (!tree_name_valid(slash + 1))
		return;
	at = tree_folder(dir_fd, path);
	if (at < 0)
		return;
	if (target) {
		if (symlinkat(target, at, slash + 1))
			(void)target; /* there already, or an impossible name: without it then */
	} else {
		fd = openat(at, slash + 1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			    0600);
		if (fd >= 0 && write(fd, text, size) != (ssize_t)size)
			exit(EXIT_FAILURE);
		if (fd >= 0)
			close(fd);
	}
	close(at);
}

static inline bool tree_is_mark(const char *line)
{
	return *line == '@' || *line == '=' || *line == '~';
}

/* The line behind the one at @line, or @end. */
static inline const char *tree_next(const char *line, const char *end)
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));

	return newline ? newline + 1 : end;
}

static inline void tree_fill(int dir_fd, const char *data, size_t size)
{
	char folder[TREE_NAME_MAX + 1] = "", name[TREE_NAME_MAX + 1];
	const char *end = data + size, *next;
	int files = 0;

	for (const char *line = data; line < end; line = next) {
		const char *text = tree_next(line, end);
		size_t length = (size_t)(text - line);

		next = text;
		if (!tree_is_mark(line) || length > TREE_NAME_MAX || memchr(line, 0, length))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, "\n"), line);
		if (*name == '@') {
			memmove(folder, name + 1, strlen(name));
			continue;
		}
		while (next < end && !tree_is_mark(next))
			next = tree_next(next, end);
		length = (size_t)(next - text);
		if (*name == '~' && length && text[length - 1] == '\n')
			length--;
		if (files++ < TREE_FILES_MAX)
			tree_file(dir_fd, folder, name + 1, text, length);
	}
}

static inline int tree_free_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		exit(EXIT_FAILURE);
	close(fd);
	return fd;
}

/* The folder named by @tree.dir, and a handle on it as on a machine. */
static inline struct tree tree_make(const uint8_t *data, size_t size)
{
	struct tree tree = { .next_fd = tree_free_fd() };
	char *text = fuzz_text(data, size);
	int fd;

	snprintf(tree.dir, sizeof(tree.dir), "%s", tree_place());
	if ((mkdir(tree.dir, 0700) && errno != EEXIST) || root_open(tree.dir, &tree.root))
		exit(EXIT_FAILURE);
	fd = open(tree.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		exit(EXIT_FAILURE);
	tree_fill(fd, text, size);
	close(fd);
	free(text);
	return tree;
}

/* Nothing may be open that was not when the tree was made. */
static inline void tree_end(struct tree *tree)
{
	root_close(&tree->root);
	FUZZ_CHECK(!file_remove_tree(tree->dir));
	FUZZ_CHECK(tree_free_fd() == tree->next_fd);
}

#endif
