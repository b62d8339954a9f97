/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adopt, open, scan. The identity of a campaign is decided by store/campaign, of a cell by
 * plan_cell_name().
 */
#include "run/campaign.h"
#include "lib/error.h"
#include "lib/file.h"
#include "run/adapt.h"
#include "run/boot.h"
#include "run/privilege.h"
#include "run/session.h"
#include "run/where.h"
#include "store/format.h"
#include "store/run.h"
#include "workloads/work.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_empty(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	bool empty = true;

	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return error_usage("--results %s: %s", dir, strerror(errno));
	while ((entry = readdir(d)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			empty = false;
	closedir(d);
	return empty ? 0
		     : error_usage(
			       "--results %s: the folder is not empty and holds no campaign.ini",
			       dir);
}

static void take(char **to, char **from)
{
	free(*to);
	*to = *from;
	*from = NULL;
}

static int adopt(struct session *s, struct store_campaign *have)
{
	struct store_campaign *asked = &s->campaign;
	int err;

	if (!s->options->seed_given)
		asked->seed = have->seed;
	err = store_campaign_compare(s->dir, have, asked);
	if (err)
		return err;
	if (s->options->reference && strcmp(s->options->reference, have->reference))
		return error_usage("%s is another campaign: its reference is %s", s->dir,
				   have->reference);
	if (!strcmp(asked->governors_asked, "current") && strcmp(asked->governors, have->governors))
		return error_usage(
			"%s is another campaign: its current governor was %s, now it is %s", s->dir,
			have->governors, asked->governors);
	take(&asked->governors, &have->governors);
	take(&asked->reference, &have->reference);
	asked->ns_per_unit = have->ns_per_unit;
	asked->disable_each = have->disable_each;
	return 0;
}

int campaign_adopt(struct session *s)
{
	struct store_campaign have;
	char path[PATH_MAX];
	struct stat status;
	int err;

	if (!s->options->results)
		return 0;
	s->dir = strdup(s->options->results);
	if (!s->dir)
		return error_no_memory();
	if (snprintf(path, sizeof(path), "%s/" STORE_CAMPAIGN, s->dir) >= (int)sizeof(path))
		return error_usage("--results: a path of more than %d bytes", PATH_MAX - 1);
	err = privilege_check_folder(s->dir);
	if (err)
		return err;
	if (lstat(path, &status))
		return check_empty(s->dir);
	if (S_ISLNK(status.st_mode))
		return error_set(-ELOOP, "%s is a symbolic link: it is not followed", path);
	err = store_campaign_read(s->dir, &have);
	if (err)
		return err;
	err = adopt(s, &have);
	store_campaign_free(&have);
	return err;
}

struct calibration {
	const struct topology *topology;
	int cpu;
	int err;
	double ns_per_unit;
};

static void *calibrate_main(void *argument)
{
	struct calibration *c = argument;

	c->err = topology_bind_thread(c->topology, c->cpu);
	if (!c->err)
		c->ns_per_unit = work_calibrate_ns();
	return NULL;
}

static bool has_work_as_time(const struct plan *plan)
{
	for (size_t i = 0; i < plan->points; i++) {
		const struct suite_section *s = &plan->suite->section[plan->point[i].section];

		for (size_t k = 0; k < s->parts; k++)
			if (workload_needs_calibration(s->part[k].workload,
						       plan_values(plan, i, k)))
				return true;
	}
	return false;
}

/* On a thread of its own: the reference CPU (the first allowed one) is not where the runner is to
 * stay. */
static int calibrate(struct session *s)
{
	struct calibration c = { .topology = s->topology, .cpu = s->allowed.cpu[0] };
	pthread_t thread;
	int err;

	if (s->campaign.ns_per_unit > 0 || !has_work_as_time(&s->plan))
		return 0;
	err = pthread_create(&thread, NULL, calibrate_main, &c);
	if (err)
		return error_set(-err, "cannot start the calibration: %s", strerror(err));
	pthread_join(thread, NULL);
	if (c.err || !(c.ns_per_unit > 0))
		return error_set(-EIO, "cannot calibrate the work unit on CPU %d", c.cpu);
	s->campaign.ns_per_unit = c.ns_per_unit;
	return 0;
}

int campaign_open(struct session *s)
{
	int err = calibrate(s);

	if (!err && !s->dir)
		err = where_new_result(s->suite.name, &s->dir);
	if (!err)
		err = store_campaign_create(s->dir, &s->campaign);
	if (err == -EEXIST)
		err = 0; /* continued: campaign_adopt() has compared it */
	if (!err)
		err = adapt_open(s);
	if (!err)
		err = boot_open(s);
	if ((err == -EACCES || err == -EPERM) && privilege_name())
		error_prefix(err, "as user %s (see --run-as): ", privilege_name());
	return err;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder without run.ini was never published by a runner: somebody has damaged it. */
static int check_whole(const char *run)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/" STORE_RUN, run);
	if (stat(path, &st) || !st.st_size)
		return error_set(
			-EBADMSG,
			"%s: no run.ini in it, or an empty one: remove that folder, and the same "
			"command makes the run again",
			run);
	return 0;
}

/* DIR/boots/BOOT/runs/RUN */
static bool in_boot(const char *dir, const char *run, const char *boot)
{
	const char *at = run + strlen(dir) + strlen("/" STORE_BOOTS "/");

	return !strncmp(at, boot, strlen(boot)) && at[strlen(boot)] == '/';
}

/* Drops the runs of other boots. */
static void keep_boot(const char *dir, const char *boot, char **path, size_t *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		if (in_boot(dir, path[i], boot))
			path[kept++] = path[i];
		else
			free(path[i]);
	}
	*n = kept;
}

int campaign_scan(const char *dir, const char *boot, struct campaign_done *ret)
{
	char **path;
	size_t n;
	int err = store_run_list(dir, &path, &n);

	if (err)
		return err;
	if (boot)
		keep_boot(dir, boot, path, &n);
	for (size_t i = 0; i < n && !err; i++) {
		char *name = strrchr(path[i], '/') + 1, *dot = strchr(name, '.');

		err = check_whole(path[i]);
		memmove(path[i], dot ? dot + 1 : name, strlen(dot ? dot + 1 : name) + 1);
	}
	if (err) {
		store_list_free(path, n);
		return err;
	}
	if (n)
		qsort(path, n, sizeof(*path), compare_names);
	*ret = (struct campaign_done){ path, n };
	return 0;
}

int campaign_has(const struct campaign_done *done, const char *cell)
{
	return done->n &&
	       bsearch(&cell, done->name, done->n, sizeof(*done->name), compare_names) != NULL;
}

int campaign_attempts(const struct campaign_done *done, const char *cell)
{
	size_t size = strlen(cell);
	int n = 0;

	for (size_t i = 0; i < done->n; i++)
		if (!strncmp(done->name[i], cell, size) &&
		    (!strncmp(done->name[i] + size, ".void-", 6) ||
		     !strncmp(done->name[i] + size, ".failed-", 8)))
			n++;
	return n;
}

void campaign_done_free(struct campaign_done *done)
{
	store_list_free(done->name, done->n);
	*done = (struct campaign_done){ 0 };
}
