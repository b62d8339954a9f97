/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of one boot in a campaign: what kernel and machine its runs were measured on. */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

struct session;

/* Makes session->boot and session->runs, opens session->idle, writes host.ini, topology.xml,
 * states.tsv. */
int boot_open(struct session *session);

#endif
