/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of energy zones: what they are, and which of them add up to package power. */
#include "lib/zone.h"

#include <ctype.h>
#include <string.h>

#define DIGITS_MAX 6

const char *const zone_kind_name[ZONE_KINDS] = {
	[ZONE_PACKAGE] = "package", [ZONE_DIE] = "die",	      [ZONE_DRAM] = "dram",
	[ZONE_CORE] = "core",	    [ZONE_UNCORE] = "uncore", [ZONE_PSYS] = "psys",
	[ZONE_OTHER] = "other",
};

/* Reads a number behind @prefix: what follows it, or NULL. */
static const char *number_behind(const char *text, const char *prefix, int *ret)
{
	size_t length = strlen(prefix);
	int value = 0, digits;

	if (strncmp(text, prefix, length))
		return NULL;
	text += length;
	for (digits = 0; isdigit((unsigned char)*text) && digits < DIGITS_MAX; digits++)
		value = value * 10 + (*text++ - '0');
	if (!digits || isdigit((unsigned char)*text))
		return NULL;
	*ret = value;
	return text;
}

bool zone_package_of(const char *label, int *ret_package, int *ret_die)
{
	int package, die = -1;
	const char *rest = number_behind(label, "package-", &package);

	if (!rest)
		return false;
	if (*rest)
		rest = number_behind(rest, "-die-", &die);
	if (!rest || *rest)
		return false;
	if (ret_package)
		*ret_package = package;
	if (ret_die)
		*ret_die = die;
	return true;
}

enum zone_kind zone_kind_of(const char *label)
{
	static const enum zone_kind by_name[] = { ZONE_DRAM, ZONE_CORE, ZONE_UNCORE, ZONE_PSYS };
	const char *slash = strrchr(label, '/');
	int die;

	if (slash)
		label = slash + 1;
	if (zone_package_of(label, NULL, &die))
		return die < 0 ? ZONE_PACKAGE : ZONE_DIE;
	for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (!strcmp(label, zone_kind_name[by_name[i]]))
			return by_name[i];
	return ZONE_OTHER;
}

bool zone_in_package_sum(const char *const *label, size_t n, size_t i)
{
	int package, die, other, other_die;

	if (!zone_package_of(label[i], &package, &die))
		return false;
	for (size_t j = 0; j < n; j++) {
		if (j == i || !zone_package_of(label[j], &other, &other_die) || other != package)
			continue;
		if (other_die == die ? j < i : other_die < 0)
			return false;
	}
	return true;
}
