/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that came of a command: all descendants of the caller, who is their subreaper. */
#ifndef WORKLOADS_COMMAND_KIN_H
#define WORKLOADS_COMMAND_KIN_H

#include <stdint.h>

/* Adds the CPU time so far of all living descendants of the caller, with that of their reaped
 * children, in ns; resolution 10 ms. */
void command_kin_usage(uint64_t *user_ns, uint64_t *system_ns);

/* Sends @signal to the caller's children; as only the caller reaps them, no other process can have
 * got their numbers. How many there were. */
int command_kin_signal(int signal);

/* Ends all descendants of the caller, who is their subreaper: kills its children until there are
 * none. -EBUSY when some are there after 10 s (or may not be killed). */
int command_kin_end(void);

#endif
