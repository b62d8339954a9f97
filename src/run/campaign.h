/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The campaign's directory: a new one or one to be continued, its folder for this boot, and what is
 * done already.
 */
#ifndef RUN_CAMPAIGN_H
#define RUN_CAMPAIGN_H

#include <stddef.h>

struct session;

/*
 * With --results DIR: when DIR holds a campaign it must be the one asked for (usage error else),
 * and its seed, resolved governors, reference and calibration are taken over; a folder with
 * anything else in it is refused. Writes nothing.
 */
int campaign_adopt(struct session *session);

/*
 * Makes what is missing: DIR with campaign.ini (calibrating the work unit first when a work is
 * given as a time), the boot's folder with host.ini, topology.xml and states.tsv. Removes
 * half-built runs of a killed runner. -EBADMSG when the state table or a disable bit has changed
 * since this boot's first run.
 */
int campaign_open(struct session *session);

/* What has been published, by cell, in the boot of that name or (NULL) in all boots. */
struct campaign_done {
	char **name; /* run directories' names without number, sorted:
			"two-cores.work=0us.menu.r1[.void-1]" */
	size_t n;
};
int campaign_scan(const char *dir, const char *boot, struct campaign_done *ret);

/* True when the cell of that name (plan_cell_name()) has a complete run. */
int campaign_has(const struct campaign_done *done, const char *cell);

/* How many void or failed runs the cell has. */
int campaign_attempts(const struct campaign_done *done, const char *cell);

void campaign_done_free(struct campaign_done *done);

#endif
