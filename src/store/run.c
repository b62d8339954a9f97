/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.ini, written and read. Each text and number of struct store_run that has a key of its own is
 * a row of one of the tables below, so writer and reader cannot drift apart.
 */
#include "store/run.h"
#include "lib/error.h"
#include "store/format.h"
#include "store/record.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

const char *const store_state_name[] = { "complete", "failed", "void" };

struct field {
	const char *key;
	size_t offset;
	bool optional;
};

#define TEXT(name, optional)                                                                       \
	{                                                                                          \
#name, offsetof(struct store_run, name), optional                                  \
	}
static const struct field texts[] = {
	TEXT(section, false),
	TEXT(point, true),
	TEXT(governor, false),
	TEXT(label, false),
	TEXT(cpufreq_governor, true),
	TEXT(workload, false),
	TEXT(distance_asked, true),
	TEXT(distance_got, true),
	TEXT(temperature_start_c, true),
	TEXT(temperature_end_c, true),
	TEXT(spin_us, true),
	TEXT(warmup_done, true),
	TEXT(settled, true),
	TEXT(started, true),
	TEXT(argv, true),
	TEXT(reason, true),
};
static const struct field flags[] = {
	TEXT(timer_based, false),
	TEXT(rehearsal, false),
	TEXT(modelled, false),
	TEXT(emulated, true),
	TEXT(pinned, false),
	TEXT(oversubscribed, false),
	TEXT(housekeeping_shared, false),
};
static const struct field numbers[] = {
	TEXT(number, false),
	TEXT(repeat, false),
	TEXT(housekeeping, false),
	TEXT(exit_status, false),
};
#undef TEXT
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void *at(const struct store_run *run, const struct field *f)
{
	return (char *)run + f->offset;
}

static void write_pairs(FILE *out, const char *section, const struct store_pair *pair, size_t n)
{
	fprintf(out, "[%s]\n", section);
	for (size_t i = 0; i < n; i++)
		record_put(out, pair[i].key, pair[i].value);
	fputc('\n', out);
}

/* [run] is written last and its state last of all: a file that was cut lacks it. */
static void write_body(FILE *out, const struct store_run *run, const char *cpus)
{
	write_pairs(out, "axes", run->axis, run->axes);
	write_pairs(out, "params", run->param, run->params);
	fprintf(out, "[doubts]\n");
	for (size_t i = 0; i < run->doubts; i++) {
		char key[32];

		snprintf(key, sizeof(key), "doubt%zu", i + 1);
		record_put(out, key, run->doubt[i]);
	}
	fprintf(out, "\n[run]\nformat = %d\n", STORE_FORMAT);
	for (size_t i = 0; i < COUNT(numbers); i++)
		fprintf(out, "%s = %d\n", numbers[i].key, *(int *)at(run, &numbers[i]));
	for (size_t i = 0; i < COUNT(texts); i++)
		record_put(out, texts[i].key, *(char **)at(run, &texts[i]));
	for (size_t i = 0; i < COUNT(flags); i++)
		fprintf(out, "%s = %s\n", flags[i].key, *(bool *)at(run, &flags[i]) ? "yes" : "no");
	record_put(out, "cpus", cpus);
	record_put_u64(out, "t0_ns", run->t0_ns);
	record_put_u64(out, "t1_ns", run->t1_ns);
	record_put(out, "state", store_state_name[run->state]);
}

int store_run_write(const char *dir, const struct store_run *run)
{
	char path[PATH_MAX], *cpus;
	FILE *out;
	int err = 0;

	snprintf(path, sizeof(path), "%s/" STORE_RUN, dir);
	cpus = cpulist_format(&run->cpus);
	/* A new file, whatever a workload has put there. */
	unlink(path);
	out = cpus ? fopen(path, "wxe") : NULL;
	if (!out) {
		free(cpus);
		return error_set(-errno, "%s: %m", path);
	}
	write_body(out, run, cpus);
	free(cpus);
	if (ferror(out))
		err = -EIO;
	if (fclose(out) && !err)
		err = -errno;
	return err ? error_set(err, "%s: %s", path, strerror(-err)) : 0;
}

static int bad(const struct ini *ini, const char *key)
{
	return error_set(-EBADMSG, "%s: no usable '%s' in [run]", ini->path, key);
}

static int read_format(const struct ini *ini)
{
	uint64_t format;
	int got = record_get_u64(ini, "run", "format", &format);

	if (got <= 0)
		return got ? got : bad(ini, "format");
	if (format > STORE_FORMAT)
		return error_set(-EPROTO, "%s: format %llu is newer than this program reads (%d)",
				 ini->path, (unsigned long long)format, STORE_FORMAT);
	return 0;
}

static int read_numbers(const struct ini *ini, struct store_run *run)
{
	uint64_t value;

	for (size_t i = 0; i < COUNT(numbers); i++) {
		if (record_get_u64(ini, "run", numbers[i].key, &value) != 1 || value > INT_MAX)
			return bad(ini, numbers[i].key);
		*(int *)at(run, &numbers[i]) = (int)value;
	}
	if (record_get_u64(ini, "run", "t0_ns", &run->t0_ns) != 1)
		return bad(ini, "t0_ns");
	if (record_get_u64(ini, "run", "t1_ns", &run->t1_ns) != 1)
		return bad(ini, "t1_ns");
	return 0;
}

static int read_flags(const struct ini *ini, struct store_run *run)
{
	for (size_t i = 0; i < COUNT(flags); i++) {
		const char *text = ini_get(ini, "run", flags[i].key);

		if (!text && flags[i].optional)
			continue;
		if (!text || (strcmp(text, "yes") && strcmp(text, "no")))
			return bad(ini, flags[i].key);
		*(bool *)at(run, &flags[i]) = !strcmp(text, "yes");
	}
	return 0;
}

static int read_texts(const struct ini *ini, struct store_run *run)
{
	const char *state = ini_get(ini, "run", "state");
	char *cpus;
	int err;

	for (size_t i = 0; i < COUNT(texts); i++) {
		char *text = record_get(ini, "run", texts[i].key);

		if (!text && !texts[i].optional)
			return bad(ini, texts[i].key);
		*(char **)at(run, &texts[i]) = text;
	}
	if (!run->point)
		run->point = strdup("");
	for (run->state = STORE_COMPLETE; state && run->state <= STORE_VOID; run->state++)
		if (!strcmp(state, store_state_name[run->state]))
			break;
	if (!state || run->state > STORE_VOID)
		return bad(ini, "state");
	cpus = record_get(ini, "run", "cpus");
	if (!cpus)
		return bad(ini, "cpus");
	err = cpulist_parse(cpus, &run->cpus);
	free(cpus);
	return err ? bad(ini, "cpus") : 0;
}

/* The key of a continuation line ("argv.2") is part of its first line's value. */
static bool is_continuation(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
}

static int read_pairs(const struct ini *ini, const char *section, struct store_pair **ret,
		      size_t *ret_n)
{
	for (size_t i = 0; i < ini->n; i++) {
		const struct ini_entry *e = &ini->entry[i];
		struct store_pair *bigger;

		if (!e->key || strcmp(e->section, section) || is_continuation(e->key))
			continue;
		if (strlen(e->key) > RECORD_KEY_MAX)
			return error_set(-EBADMSG, "%s:%d: a key of %zu bytes (at most %d)",
					 ini->path, e->line, strlen(e->key), RECORD_KEY_MAX);
		bigger = reallocarray(*ret, *ret_n + 1, sizeof(**ret));
		if (!bigger)
			return -ENOMEM;
		*ret = bigger;
		(*ret)[*ret_n].key = strdup(e->key);
		(*ret)[*ret_n].value = record_get(ini, section, e->key);
		(*ret_n)++;
		if (!(*ret)[*ret_n - 1].key || !(*ret)[*ret_n - 1].value)
			return -ENOMEM;
	}
	return 0;
}

static int read_doubts(const struct ini *ini, struct store_run *run)
{
	struct store_pair *pair = NULL;
	size_t n = 0;
	int err = read_pairs(ini, "doubts", &pair, &n);

	run->doubt = calloc(n + 1, sizeof(*run->doubt));
	for (size_t i = 0; i < n; i++) {
		free(pair[i].key);
		if (run->doubt)
			run->doubt[run->doubts++] = pair[i].value;
		else
			free(pair[i].value);
	}
	free(pair);
	return run->doubt ? err : -ENOMEM;
}

static int read_body(const struct ini *ini, struct store_run *run)
{
	int err = read_format(ini);

	if (!err)
		err = read_numbers(ini, run);
	if (!err)
		err = read_flags(ini, run);
	if (!err)
		err = read_texts(ini, run);
	if (!err)
		err = read_pairs(ini, "axes", &run->axis, &run->axes);
	if (!err)
		err = read_pairs(ini, "params", &run->param, &run->params);
	if (!err)
		err = read_doubts(ini, run);
	return err;
}

int store_run_read(const char *dir, struct store_run *ret)
{
	struct store_run run = { 0 };
	char path[PATH_MAX];
	struct ini ini;
	int err;

	snprintf(path, sizeof(path), "%s/" STORE_RUN, dir);
	err = ini_load(path, &ini);
	if (err)
		return err == -EINVAL ? -EBADMSG : err;
	err = read_body(&ini, &run);
	ini_free(&ini);
	if (!err && !(run.dir = strdup(dir)))
		err = -ENOMEM;
	if (err)
		store_run_free(&run);
	else
		*ret = run;
	return err;
}

static void free_pairs(struct store_pair *pair, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(pair[i].key);
		free(pair[i].value);
	}
	free(pair);
}

void store_run_free(struct store_run *run)
{
	for (size_t i = 0; i < COUNT(texts); i++)
		free(*(char **)at(run, &texts[i]));
	for (size_t i = 0; i < run->doubts; i++)
		free(run->doubt[i]);
	free(run->doubt);
	free(run->dir);
	free_pairs(run->axis, run->axes);
	free_pairs(run->param, run->params);
	cpulist_free(&run->cpus);
	memset(run, 0, sizeof(*run));
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Published runs of one boot, appended. */
static int list_boot(const char *runs, char ***list, size_t *n)
{
	struct dirent **entry;
	int count = scandir(runs, &entry, visible, alphasort), err = 0;

	if (count < 0)
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", runs);
	for (int i = 0; i < count; i++) {
		char **bigger = err ? NULL : reallocarray(*list, *n + 1, sizeof(**list));
		struct stat st;

		if (bigger) {
			*list = bigger;
			if (asprintf(&(*list)[*n], "%s/%s", runs, entry[i]->d_name) < 0)
				err = -ENOMEM;
			/* A link that leads nowhere is for the reader to name. */
			else if (!stat((*list)[*n], &st) && !S_ISDIR(st.st_mode))
				free((*list)[*n]);
			else
				(*n)++;
		} else if (!err) {
			err = -ENOMEM;
		}
		free(entry[i]);
	}
	free(entry);
	return err;
}

int store_run_list(const char *campaign_dir, char ***ret, size_t *ret_n)
{
	char boots[PATH_MAX], runs[PATH_MAX], **list = NULL;
	struct dirent **entry;
	size_t n = 0;
	int count, err = 0;

	snprintf(boots, sizeof(boots), "%s/" STORE_BOOTS, campaign_dir);
	count = scandir(boots, &entry, visible, alphasort);
	if (count < 0 && errno != ENOENT)
		return error_set(-errno, "%s: %m", boots);
	for (int i = 0; i < count; i++) {
		if (!err && snprintf(runs, sizeof(runs), "%s/%s/" STORE_RUNS, boots,
				     entry[i]->d_name) < (int)sizeof(runs))
			err = list_boot(runs, &list, &n);
		free(entry[i]);
	}
	if (count >= 0)
		free(entry);
	if (err) {
		store_list_free(list, n);
		return err;
	}
	*ret = list;
	*ret_n = n;
	return 0;
}

void store_list_free(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}
