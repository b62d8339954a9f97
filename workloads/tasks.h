/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The driver's tasks: made, prepared, held, released, reaped. Only for workloads/driver.c. */
#ifndef WORKLOADS_TASKS_H
#define WORKLOADS_TASKS_H

#include "workloads/driver.h"

/* Makes all tasks; they bind themselves, count themselves ready and wait. */
int tasks_create(struct driver *driver);

/* 0, or the error of the first task that failed. */
int tasks_error(const struct driver *driver);

/* After SIGCHLD: 0, or an error when a task process is gone before its time. */
int tasks_reap_early(struct driver *driver);

/* Lets ended tasks go and waits for them. */
int tasks_release(struct driver *driver);

/* Kills and reaps task processes; threads end with the program. */
void tasks_kill(struct driver *driver);

/* every pinned task ran where it was asked to. */
int tasks_verify(const struct driver *driver);

#endif
