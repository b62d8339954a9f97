/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * campaign.ini: what was asked, once. A [campaign] section, then the suite file verbatim (both are
 * INI).
 */
#ifndef STORE_CAMPAIGN_H
#define STORE_CAMPAIGN_H

#include <stddef.h>
#include <stdint.h>

struct store_campaign {
	char *suite; /* name: "ping-sweep" */
	char *governors_asked; /* "available", "current" or names */
	char *governors; /* what that was on the first boot: "menu,teo,teo-ng" */
	char *reference; /* label of the reference governor */
	char *cpus; /* --cpus as given, "" = all */
	char *set; /* --set pairs, joined by ';' */
	char *cpufreq_governors; /* --cpufreq-governors, "" = not an axis */
	char *events; /* --event names joined by ";", "" = none */
	char *order; /* "shuffled", "blocked", "abba" */
	uint64_t seed;
	int repeat; /* of a sequential campaign the most */
	int repeat_min; /* its blocks before the first look; 0 = not sequential */
	int rehearsal; /* 1 = --root: never to be mixed with a measurement */
	double warmup_ns, window_ns; /* of the command line; warmup -1, window 0: the suite says */
	double interval_ns;
	double ns_per_unit; /* calibration of the work unit; 0 = this campaign has no work given as
			       a time */
	int cells; /* in the plan, missing governors included */
	char *modelled; /* machine and its constants; "" = measured */
	int disable_each; /* bit N: stateN is one that "disable = each" stands for */
	char *version; /* of this program */
	char *created; /* wall clock */
	char *suite_text; /* the file, verbatim */
};

/* Makes DIR with its campaign.ini (atomically), or -EEXIST when it has one. */
int store_campaign_create(const char *dir, const struct store_campaign *campaign);

/* -ENOENT: no campaign there. -EPROTO: higher format (usage error, names both numbers). */
int store_campaign_read(const char *dir, struct store_campaign *ret);

/*
 * 0 when @asked is the campaign in DIR (what may differ: version, created, ns_per_unit,
 * the governors behind "available"); else a
 * usage error that names the first difference: "results/x is another campaign: it has window = 10s,
 * this command asks for 1s".
 */
int store_campaign_compare(const char *dir, const struct store_campaign *have,
			   const struct store_campaign *asked);

void store_campaign_free(struct store_campaign *campaign);

#endif
