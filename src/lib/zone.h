/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an energy zone's name says. Names are the kernel's (powercap's file "name"): "package-1",
 * "package-0-die-1", "psys", "core", "uncore", "dram"; a label puts the parent's in front where
 * they repeat ("package-3/dram"). The index in a folder's name says nothing: intel-rapl:2 may be
 * package-1 (P-07).
 */
#ifndef LIB_ZONE_H
#define LIB_ZONE_H

#include <stdbool.h>
#include <stddef.h>

enum zone_kind {
	ZONE_PACKAGE, /* holds core and uncore, not dram */
	ZONE_DIE, /* one die of a package that is counted by dies */
	ZONE_DRAM,
	ZONE_CORE,
	ZONE_UNCORE, /* the graphics unit of a client */
	ZONE_PSYS, /* the whole platform, packages included */
	ZONE_OTHER,
	ZONE_KINDS
};
extern const char *const zone_kind_name[ZONE_KINDS]; /* "package", "die", ... "other" */

/* By the part behind the last '/'. */
enum zone_kind zone_kind_of(const char *label);

/*
 * True for package-<N> and package-<N>-die-<M> and nothing else, numbers 0 to 999999. *@ret_die is
 * -1 for a whole package. Either pointer may be NULL.
 */
bool zone_package_of(const char *label, int *ret_package, int *ret_die);

/*
 * Does label @i of @n belong into the sum that is called package power (P-05)? Every package and
 * every die once: a label's second appearance does not, nor does a die whose whole package is among
 * them.
 */
bool zone_in_package_sum(const char *const *label, size_t n, size_t i);

#endif
