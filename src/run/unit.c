/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * KillMode=process: when the runner dies its guardian still has to put the machine back, and
 * systemd must not kill it for that. Exit status 1 (the machine is busy so soon after its boot) is
 * tried again after a minute, 2 (the user's mistake) is not, 3 waits for another kernel.
 */
#include "run/unit.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "etc/systemd/system"
#define WANTS FOLDER "/multi-user.target.wants"

void unit_name(const char *dir, char *text, size_t size)
{
	uint32_t hash = 0x811c9dc5u; /* FNV-1a */

	for (const char *c = dir; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x01000193u;
	snprintf(text, size, "idle-runner-%08x.service", hash);
}

/* systemd.syntax(7), systemd.unit(5): quotes, backslashes, '%' specifiers, '$' variables. */
static void put_quoted(FILE *out, const char *word)
{
	fputc('"', out);
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '%' || c == '$')
			fprintf(out, "%c%c", c, c);
		else if (c < ' ')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

char *unit_text(const char *dir, char *const *argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("# Made by \"runner campaign install\"; goes away when the campaign is complete, or with\n"
	      "# \"runner campaign remove\".\n"
	      "[Unit]\nDescription=idle governor benchmark, continued\nRequiresMountsFor=",
	      out);
	put_quoted(out, dir);
	fputs("\nStartLimitIntervalSec=2h\nStartLimitBurst=30\n\n"
	      "[Service]\nType=idle\nExecStart=",
	      out);
	for (size_t i = 0; argv[i]; i++) {
		fputs(i ? " " : "", out);
		put_quoted(out, argv[i]);
	}
	fputs("\nSuccessExitStatus=3\nRestart=on-failure\nRestartSec=60\n"
	      "RestartPreventExitStatus=2\nKillMode=process\nTimeoutStopSec=60\n\n"
	      "[Install]\nWantedBy=multi-user.target\n",
	      out);
	return fclose(out) ? NULL : text;
}

static void paths(const struct root *root, const char *dir, char unit[PATH_MAX],
		  char link[PATH_MAX], char target[64])
{
	char name[48];

	unit_name(dir, name, sizeof(name));
	snprintf(unit, PATH_MAX, "%s/" FOLDER "/%s", root->path, name);
	snprintf(link, PATH_MAX, "%s/" WANTS "/%s", root->path, name);
	snprintf(target, 64, "../%s", name);
}

static int check_same(const char *path, const char *text)
{
	char *have;
	size_t size;
	int err = access(path, F_OK) ? 0 : file_read(path, &have, &size);

	if (err || access(path, F_OK))
		return err;
	if (strcmp(have, text))
		err = error_set(-EEXIST,
				"%s is there already with another command: 'campaign remove' first",
				path);
	free(have);
	return err;
}

int unit_install(const struct root *root, const char *dir, char *const *argv)
{
	char unit[PATH_MAX], link[PATH_MAX], folder[PATH_MAX], target[64];
	char *text = unit_text(dir, argv);
	int err = text ? 0 : error_no_memory();

	paths(root, dir, unit, link, target);
	if (!err)
		err = check_same(unit, text);
	snprintf(folder, sizeof(folder), "%s/" WANTS, root->path);
	if (!err)
		err = file_make_dirs(folder);
	if (!err)
		err = file_write_atomic(unit, text, strlen(text));
	if (!err && symlink(target, link) && errno != EEXIST)
		err = error_set(-errno, "%s: %m", link);
	free(text);
	return err;
}

static int remove_file(const char *path, bool *was_there)
{
	if (!unlink(path))
		*was_there = true;
	else if (errno != ENOENT)
		return error_set(-errno, "%s: %m", path);
	return 0;
}

/* The link first: a unit without it is harmless, a link without a unit a complaint at each boot. */
int unit_remove(const struct root *root, const char *dir, bool *ret_was_there)
{
	char unit[PATH_MAX], link[PATH_MAX], target[64];
	bool was_there = false;
	int err;

	paths(root, dir, unit, link, target);
	err = remove_file(link, &was_there);
	if (!err)
		err = remove_file(unit, &was_there);
	if (!err)
		*ret_was_there = was_there;
	return err;
}
