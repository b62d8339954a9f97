// SPDX-License-Identifier: GPL-2.0
/*
 * teo as this kernel version has it. Debian's kernels come without; its source is taken from the
 * linux-source package when the lab is built.
 */
#define LAB_NAME "teo"
#include "labgov.h"
#include "teo.c"
LAB_GOVERNOR;
