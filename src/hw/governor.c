/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The governors that sysfs names, and what is known of those it does not name.
 *
 * current_governor exists since 5.8 whatever the boot options; before, cpuidle_sysfs_switch put it
 * in the place of current_governor_ro (P-37).
 */
#include "hw/governor.h"
#include "hw/kconfig.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "sys/devices/system/cpu/cpuidle"
#define CURRENT FOLDER "/current_governor"
#define CURRENT_RO FOLDER "/current_governor_ro"
#define AVAILABLE FOLDER "/available_governors"
#define DRIVER FOLDER "/current_driver"

static const struct {
	const char *name, *option;
} mainline[] = {
	{ "menu", "CONFIG_CPU_IDLE_GOV_MENU" },
	{ "ladder", "CONFIG_CPU_IDLE_GOV_LADDER" },
	{ "teo", "CONFIG_CPU_IDLE_GOV_TEO" },
	{ "haltpoll", "CONFIG_CPU_IDLE_GOV_HALTPOLL" },
};
#define MAINLINE (sizeof(mainline) / sizeof(mainline[0]))

static int no_cpuidle(const struct root *root)
{
	return error_set(-ENODEV,
			 "idle governors cannot matter here: %s/%s does not exist (the kernel has "
			 "no CONFIG_CPU_IDLE, or was booted with cpuidle.off=1)",
			 root->path, FOLDER);
}

/* Turns a missing file of a missing folder into the sentence for a machine without cpuidle. */
static int explain(const struct root *root, int code)
{
	if (code == -ENOENT && !root_exists(root, FOLDER))
		return no_cpuidle(root);
	return code;
}

int governor_current(const struct root *root, char name[GOVERNOR_NAME_MAX])
{
	const char *path = CURRENT;
	char text[64];
	int length;

	length = root_read(root, path, text, sizeof(text));
	if (length == -ENOENT) {
		path = CURRENT_RO;
		length = root_read(root, path, text, sizeof(text));
	}
	if (length < 0)
		return explain(root, length);
	if (!governor_name_valid(text))
		return error_set(-EBADMSG, "%s/%s: '%s' is not a governor's name", root->path, path,
				 text);
	snprintf(name, GOVERNOR_NAME_MAX, "%.15s", text);
	return 0;
}

int governor_available(const struct root *root, struct governor_list *ret)
{
	char text[GOVERNORS_MAX * GOVERNOR_NAME_MAX + 1], *word, *save = NULL;
	struct governor_list list = { .n = 0 };
	int code;

	code = root_read(root, AVAILABLE, text, sizeof(text));
	if (code == -ENOENT && root_exists(root, FOLDER)) {
		/* Before 5.8 without cpuidle_sysfs_switch: only the one in use is told. */
		code = governor_current(root, list.name[0]);
		if (!code)
			list.n = 1;
		if (!code)
			*ret = list;
		return code;
	}
	if (code < 0)
		return explain(root, code);
	for (word = strtok_r(text, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
		if (!governor_name_valid(word))
			return error_set(-EBADMSG, "%s/%s: '%s' is not a governor's name",
					 root->path, AVAILABLE, word);
		if (list.n == GOVERNORS_MAX)
			return error_set(-EOVERFLOW, "%s/%s: more than %d governors", root->path,
					 AVAILABLE, GOVERNORS_MAX);
		snprintf(list.name[list.n++], GOVERNOR_NAME_MAX, "%.15s", word);
	}
	*ret = list;
	return 0;
}

int governor_driver(const struct root *root, char *name, size_t size)
{
	int code = root_read_name(root, DRIVER, name, size);

	return code < 0 ? explain(root, code) : 0;
}

int governor_writable(const struct root *root, const char **ret_path)
{
	if (!root_exists(root, FOLDER))
		return no_cpuidle(root);
	if (!root_exists(root, CURRENT))
		return error_set(
			-EROFS,
			"%s/%s does not exist: this kernel cannot switch the idle governor "
			"at run time (before 5.8 boot with cpuidle_sysfs_switch)",
			root->path, CURRENT);
	if (faccessat(root->fd, CURRENT, W_OK, AT_EACCESS)) {
		if (errno == EROFS)
			return error_set(-EROFS,
					 "%s/%s cannot be written: sysfs is mounted read-only here "
					 "(a container?)",
					 root->path, CURRENT);
		return error_set(-EACCES,
				 "%s/%s may not be written by this user: run as root (sudo), or "
				 "measure the governor in use with --governors current",
				 root->path, CURRENT);
	}
	*ret_path = CURRENT;
	return 0;
}

bool governor_name_valid(const char *name)
{
	size_t length = strlen(name);

	if (!length || length >= GOVERNOR_NAME_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return false;
	return true;
}

/* The option is in the configuration, and yet the kernel does not offer the governor. */
static void built_reason(const char *name, const char *option, const char *value, const char *where,
			 char *text, size_t size)
{
	if (!strcmp(value, "m"))
		snprintf(text, size, "%s=m in %s: it is a module, load it (modprobe %s)", option,
			 where, name);
	else if (!strcmp(name, "haltpoll"))
		snprintf(text, size,
			 "%s=%s in %s, but haltpoll registers only in a KVM guest, and this kernel "
			 "does not offer it",
			 option, value, where);
	else
		snprintf(text, size,
			 "%s=%s in %s, but this kernel does not offer it (is that file the running "
			 "kernel's? was it booted with cpuidle.off=1?)",
			 option, value, where);
}

void governor_missing_reason(const struct root *root, const char *name, char *text, size_t size)
{
	char where[KCONFIG_WHERE_MAX], value[64];
	const char *option = NULL;
	int code;

	for (size_t i = 0; i < MAINLINE; i++)
		if (!strcmp(mainline[i].name, name))
			option = mainline[i].option;
	if (!option) {
		snprintf(text, size,
			 "'%s' is not a governor of mainline kernels: load its module, or boot the "
			 "kernel that has it",
			 name);
		return;
	}
	code = kconfig_get(root, option, value, sizeof(value), where);
	if (code == -ENODATA)
		snprintf(text, size,
			 "no kernel configuration is readable (%s/proc/config.gz, "
			 "%s/boot/config-RELEASE); what brings it is %s=y",
			 root->path, root->path, option);
	else if (code == -ENOENT)
		snprintf(text, size,
			 "%s does not mention %s (a kernel older than the governor, or its "
			 "dependencies are not met; rebuild the kernel with %s=y)",
			 where, option, option);
	else if (!strcmp(value, "n"))
		snprintf(text, size, "%s is not set in %s (rebuild the kernel with %s=y)", option,
			 where, option);
	else
		built_reason(name, option, value, where, text, size);
}

int governor_check_typo(const struct governor_list *offered, const char *name)
{
	const char *known[GOVERNORS_MAX + MAINLINE], *nearest;
	char list[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 2) + 1];
	size_t n = 0, used = 0;

	for (int i = 0; i < offered->n; i++)
		known[n++] = offered->name[i];
	for (size_t i = 0; i < MAINLINE; i++)
		known[n++] = mainline[i].name;
	for (size_t i = 0; i < n; i++)
		if (!strncmp(name, known[i], strlen(known[i])))
			return 0;
	nearest = suggest_nearest(name, known, n);
	if (!nearest)
		return 0;
	list[0] = '\0';
	for (int i = 0; i < offered->n; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 offered->name[i]);
	return error_usage("unknown governor '%s' (this kernel offers: %s; did you mean '%s'?)",
			   name, list, nearest);
}
