/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the workload command, for its parts and its tests. */
#ifndef WORKLOADS_COMMAND_H
#define WORKLOADS_COMMAND_H

#include "workloads/workload.h"

/* Rows of the parameter table. */
enum { COMMAND_COMMAND, COMMAND_SHELL, COMMAND_METRIC, COMMAND_PACKAGE, COMMAND_PARAMS };

extern const struct metric command_metrics[];

#endif
