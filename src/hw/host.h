/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine is and how it is set, for host.ini: the facts that reviewers ask for first
 * (P-42, P-43, P-47). A fact that is not available is left out, never written as 0.
 */
#ifndef HW_HOST_H
#define HW_HOST_H

#include "lib/root.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes one section [host] of "key = value" lines to @out, none longer than INI_LINE_MAX. A long
 * value goes on in KEY2, KEY3, ... (cut at a blank where there is one; joining with a blank gives
 * it back). Control bytes become '?', and so does a ';' behind a blank, which would begin a
 * comment. -EIO when @out fails.
 */
int host_write(const struct root *root, FILE *out);

/*
 * Name of this boot's folder: release, '+', first 8 digits of the boot id ("6.18.44+3f2a9c1e").
 * "unknown" stands for a part that a dumped machine does not have; -ENOENT when a live one lacks
 * it. -ENAMETOOLONG when @size is too small.
 */
int host_boot_name(const struct root *root, char *text, size_t size);

/*
 * Time of all CPUs since boot in jiffies (1/100 s), from /proc/stat; take two and subtract.
 * *ret_busy is user, nice, system, irq and softirq; *ret_total adds idle, iowait and steal.
 */
int host_cpu_jiffies(const struct root *root, uint64_t *ret_busy, uint64_t *ret_total);

#endif
