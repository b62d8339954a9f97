// SPDX-License-Identifier: GPL-2.0
/*
 * The governor that a user brings: the same teo under another name, with data of its own. Replace
 * teo.c by a patched one to try that.
 */
#define LAB_NAME "teo-ng"
#include "labgov.h"
#include "teo.c"
LAB_GOVERNOR;
