/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.ini is written at every start (a governor's module may have come); the state table must stay
 * what it was.
 */
#include "run/boot.h"
#include "hw/host.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "run/counting.h"
#include "run/privilege.h"
#include "run/session.h"
#include "store/format.h"
#include "store/record.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_value(FILE *out, const struct cpuidle_value *value)
{
	if (value->known)
		fprintf(out, "%" PRIu64, value->value);
	fputc('\t', out);
}

static void put_state(FILE *out, int cpu, const struct cpuidle_state *state)
{
	fprintf(out, "%d\t%d\t", cpu, state->index);
	tsv_put(out, state->name);
	fputc('\t', out);
	tsv_put(out, state->desc);
	fputc('\t', out);
	put_value(out, &state->latency_us);
	put_value(out, &state->residency_us);
	put_value(out, &state->disabled);
	tsv_put(out, state->default_status);
	fprintf(out, "\t%s\n", state->polling ? "yes" : "no");
}

static int compare_states(const char *path, const char *text, size_t size)
{
	char *have;
	size_t have_size;
	int err = file_read(path, &have, &have_size);

	if (err)
		return err;
	if (have_size != size || memcmp(have, text, size))
		err = error_set(
			-EBADMSG,
			"%s: the idle states or their disable bits have changed since this boot's first run: "
			"start a new campaign",
			path);
	free(have);
	return err;
}

/* Writes the file, or checks that it holds the same already. */
static int write_states(const struct session *s)
{
	char path[PATH_MAX], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	fputs(STORE_STATES_COLUMNS, out);
	for (size_t i = 0; i < s->idle->n; i++)
		for (int k = 0; k < s->idle->cpu[i].states; k++)
			put_state(out, s->idle->cpu[i].cpu, &s->idle->cpu[i].state[k]);
	fclose(out);
	snprintf(path, sizeof(path), "%s/" STORE_STATES, s->boot);
	err = access(path, F_OK) ? file_write_atomic(path, text, size)
				 : compare_states(path, text, size);
	free(text);
	return err;
}

static void write_missing(const struct session *s, FILE *out)
{
	char reason[512];

	fprintf(out, "\n[missing]\n");
	for (size_t g = 0; g < s->plan.governors; g++) {
		struct plan_cell cell = { .governor = g };

		if (session_offers(s, &cell) ||
		    strcmp(s->plan.governor[g].name, s->plan.governor[g].label))
			continue;
		governor_missing_reason(&s->root, s->plan.governor[g].name, reason, sizeof(reason));
		record_put(out, s->plan.governor[g].name, reason);
	}
}

static int write_host(const struct session *s)
{
	char path[PATH_MAX], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	err = host_write(&s->root, out);
	record_put(out, "power", s->power);
	record_put(out, "power_limits", s->power_limits);
	if (s->options->model) {
		record_put(out, "power", s->options->model_power);
		record_put(out, "modelled", s->options->model);
	}
	record_put(out, "tick_stops", s->ticks ? "/proc/timer_list" : s->no_ticks);
	write_missing(s, out);
	if (s->options->model)
		fputs(s->options->model_text, out);
	fclose(out);
	snprintf(path, sizeof(path), "%s/" STORE_HOST, s->boot);
	if (!err)
		err = file_write_atomic(path, text, size);
	free(text);
	return err;
}

/* A killed runner leaves at most one half-built run; it was never published, so nothing is lost. */
static int remove_unfinished(const char *runs)
{
	DIR *d = opendir(runs);
	struct dirent *entry;
	char path[PATH_MAX];
	int err = 0;

	if (!d)
		return error_set(-errno, "%s: %m", runs);
	while (!err && (entry = readdir(d))) {
		if (strncmp(entry->d_name, STORE_TMP_PREFIX, strlen(STORE_TMP_PREFIX)))
			continue;
		snprintf(path, sizeof(path), "%s/%s", runs, entry->d_name);
		err = file_remove_tree(path);
	}
	closedir(d);
	return err;
}

/* One by one from the top: the next is made only when nobody else can have put a link there. */
static int make_folders(const struct session *s)
{
	char boots[PATH_MAX];
	int err = privilege_check_folder(s->dir);

	snprintf(boots, sizeof(boots), "%s/" STORE_BOOTS, s->dir);
	if (!err)
		err = privilege_make_folder(boots);
	if (!err)
		err = privilege_make_folder(s->boot);
	return err ? err : privilege_make_folder(s->runs);
}

/* The file is root's; without it tick stops are not available. */
static int open_ticks(struct session *s)
{
	if (s->options->model)
		return (s->no_ticks = strdup("modelled")) ? 0 : error_no_memory();
	if (!ticks_open(&s->root, &s->cpus, &s->ticks))
		return 0;
	if (asprintf(&s->no_ticks, "none: %s", error_text()) < 0) {
		s->no_ticks = NULL;
		return error_no_memory();
	}
	return 0;
}

int boot_open(struct session *s)
{
	char name[256], path[PATH_MAX];
	int err = host_boot_name(&s->root, name, sizeof(name));

	if (!err && (asprintf(&s->boot, "%s/" STORE_BOOTS "/%s", s->dir, name) < 0 ||
		     asprintf(&s->runs, "%s/" STORE_RUNS, s->boot) < 0))
		err = error_no_memory();
	if (!err)
		err = make_folders(s);
	if (!err)
		err = remove_unfinished(s->runs);
	if (!err)
		err = cpuidle_open(&s->root, &s->cpus, &s->idle);
	if (!err) {
		privilege_root();
		err = counting_open(s);
		if (!err)
			err = open_ticks(s);
		privilege_user();
	}
	if (!err)
		err = write_states(s);
	if (!err)
		err = write_host(s);
	snprintf(path, sizeof(path), "%s/" STORE_TOPOLOGY, s->boot);
	if (!err && access(path, F_OK))
		err = topology_save_xml(s->topology, path);
	return err;
}
