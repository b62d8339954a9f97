/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks one option up in the kernel's configuration. zlib reads a plain file as it is, so that one
 * reader serves /proc/config.gz and /boot/config-RELEASE.
 */
#include "hw/kconfig.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define LINE_MAX_BYTES 4096

/* The value of @option in one line of the file: its length, or -1 when the line is about another.
 */
static int line_value(const char *line, const char *option, char *value, size_t size)
{
	size_t length = strlen(option);

	if (!strncmp(line, "# ", 2) && !strncmp(line + 2, option, length) &&
	    !strcmp(line + 2 + length, " is not set"))
		return snprintf(value, size, "n");
	if (strncmp(line, option, length) || line[length] != '=')
		return -1;
	line += length + 1;
	if (line[0] == '"' && strlen(line) >= 2 && line[strlen(line) - 1] == '"')
		return snprintf(value, size, "%.*s", (int)strlen(line) - 2, line + 1);
	return snprintf(value, size, "%s", line);
}

/* 0 = found, -ENOENT = not mentioned, -ENODATA = the file cannot be read as a configuration. */
static int search_file(const struct root *root, const char *path, const char *option, char *value,
		       size_t size)
{
	char line[LINE_MAX_BYTES];
	bool is_config = false;
	int fd, found = -1;
	gzFile file;

	fd = root_open_file(root, path, O_RDONLY);
	if (fd < 0)
		return -ENODATA;
	file = gzdopen(fd, "r");
	if (!file) {
		close(fd);
		return -ENODATA;
	}
	while (found < 0 && gzgets(file, line, sizeof(line))) {
		line[strcspn(line, "\n")] = '\0';
		is_config |= !strncmp(line, "CONFIG_", 7) || !strncmp(line, "# CONFIG_", 9);
		found = line_value(line, option, value, size);
	}
	gzclose(file);
	if (found >= 0)
		return 0;
	return is_config ? -ENOENT : -ENODATA;
}

int kconfig_get(const struct root *root, const char *option, char *value, size_t size,
		char where[KCONFIG_WHERE_MAX])
{
	static const char *const place[] = { "proc/config.gz", "boot/config-%s",
					     "lib/modules/%s/config" };
	char path[KCONFIG_WHERE_MAX / 2], release[128];
	int code = -ENODATA;

	if (root_read(root, "proc/sys/kernel/osrelease", release, sizeof(release)) < 0)
		release[0] = '\0';
	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]) && code == -ENODATA; i++) {
		const char *percent = strstr(place[i], "%s");

		if (percent && !release[0])
			continue;
		if (percent)
			snprintf(path, sizeof(path), "%.*s%s%s", (int)(percent - place[i]),
				 place[i], release, percent + 2);
		else
			snprintf(path, sizeof(path), "%s", place[i]);
		code = search_file(root, path, option, value, size);
	}
	if (code != -ENODATA && where)
		snprintf(where, KCONFIG_WHERE_MAX, "%s/%s", root->path, path);
	return code;
}
