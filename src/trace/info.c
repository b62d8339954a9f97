/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A section [states N] a table, [package N] a package, [cluster N] a cluster of cores, the CPUs in
 * the key "cpus"; a list too long for a line goes on in another key "cpus".
 */
#include "trace/info.h"
#include "lib/error.h"
#include "lib/ini.h"
#include "lib/units.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 150 /* bytes of CPU numbers on one line */

const char *const trace_cause_name[TRACE_CAUSES] = {
	[TRACE_UNKNOWN] = "unknown", [TRACE_NO_INTERRUPT] = "no-interrupt",
	[TRACE_TICK] = "tick",	     [TRACE_HRTIMER] = "hrtimer",
	[TRACE_WHEEL] = "wheel",     [TRACE_TIMER] = "timer",
	[TRACE_CALL] = "call",	     [TRACE_RESCHEDULE] = "reschedule",
	[TRACE_DEVICE] = "device",   [TRACE_OTHER] = "other",
};

const char *const trace_miss_name[3] = { "", "above", "below" };

void trace_info_free(struct trace_info *info)
{
	free(info->kernel);
	free(info->machine);
	free(info->governor);
	cpulist_free(&info->cpus);
	cpulist_free(&info->workload);
	for (size_t i = 0; i < info->tables; i++)
		cpulist_free(&info->table[i].cpus);
	free(info->table);
	for (size_t i = 0; i < info->packages; i++)
		cpulist_free(&info->package[i].cpus);
	free(info->package);
	*info = (struct trace_info){ 0 };
}

const struct trace_table *trace_table_of(const struct trace_info *info, int cpu)
{
	for (size_t i = 0; i < info->tables; i++)
		if (cpulist_has(&info->table[i].cpus, cpu))
			return &info->table[i];
	return NULL;
}

/* What could end the value or begin a comment becomes '?'. */
static void put_text(const char *key, const char *text, FILE *out)
{
	if (!text)
		return;
	fprintf(out, "%s = ", key);
	for (size_t i = 0; text[i] && i < LIST_MAX; i++)
		fputc((unsigned char)text[i] < ' ' || text[i] == 0x7f || text[i] == ';' ? '?'
											: text[i],
		      out);
	fputc('\n', out);
}

static void put_list(const char *key, const struct cpulist *list, FILE *out)
{
	char *text = list->n ? cpulist_format(list) : NULL, *at = text;

	while (at && *at) {
		size_t n = strlen(at);

		if (n > LIST_MAX)
			for (n = LIST_MAX; at[n] != ','; n--)
				;
		fprintf(out, "%s = %.*s\n", key, (int)n, at);
		at += at[n] ? n + 1 : n;
	}
	free(text);
}

static void put_number(int64_t number, FILE *out)
{
	if (number < 0)
		fputs("-", out);
	else
		fprintf(out, "%" PRId64, number);
}

static void put_table(const struct trace_table *table, size_t n, FILE *out)
{
	char key[24];

	fprintf(out, "[states %zu]\n", n);
	put_list("cpus", &table->cpus, out);
	for (int s = 0; s < table->states; s++) {
		const struct trace_state *state = &table->state[s];

		snprintf(key, sizeof(key), "state%d", s);
		if (!state->name[0])
			continue;
		fprintf(out, "latency%d = ", s);
		put_number(state->latency_us, out);
		fprintf(out, "\nresidency%d = ", s);
		put_number(state->residency_us, out);
		fprintf(out, "\ndisabled%d = %s\n", s, state->disabled ? "yes" : "no");
		put_text(key, state->name, out);
	}
}

void info_write(const struct trace_info *info, uint32_t format, FILE *out)
{
	static const char *const kind[] = { "misses", "timers", "irqs", "sched" };

	fprintf(out, "[trace]\nformat = %" PRIu32 "\n", format);
	put_text("kernel", info->kernel, out);
	put_text("machine", info->machine, out);
	put_text("governor", info->governor, out);
	if (info->hz)
		fprintf(out, "hz = %" PRIu32 "\n", info->hz);
	fprintf(out, "t0_ns = %" PRIu64 "\n", info->t0_ns);
	for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
		if (info->kinds & 1u << i)
			fprintf(out, "%s = yes\n", kind[i]);
	put_list("cpus", &info->cpus, out);
	put_list("workload", &info->workload, out);
	for (size_t i = 0; i < info->tables; i++)
		put_table(&info->table[i], i, out);
	for (size_t i = 0; i < info->packages; i++) {
		fprintf(out, "[%s %zu]\n", info->package[i].cluster ? "cluster" : "package", i);
		put_list("cpus", &info->package[i].cpus, out);
	}
}

static int take_list(const struct ini *ini, const struct ini_entry *entry, struct cpulist *list)
{
	struct cpulist more;
	int most = -1;

	if (cpulist_parse(entry->value, &more))
		return error_prefix(-EBADMSG, "%s:%d: ", ini->path, entry->line);
	if (list->n + more.n > TRACE_CPUS_MAX) {
		cpulist_free(&more);
		return ini_error(ini, entry, "too many CPUs");
	}
	for (size_t i = 0; i < list->n; i++)
		most = list->cpu[i] > most ? list->cpu[i] : most;
	for (size_t i = 0; i < more.n; i++) {
		int cpu = more.cpu[i];

		/* Ascending, as they are written, they need not be searched. */
		if ((cpu <= most && cpulist_has(list, cpu)) || cpulist_add(list, cpu)) {
			cpulist_free(&more);
			return ini_error(ini, entry, "CPU twice");
		}
		most = cpu > most ? cpu : most;
	}
	cpulist_free(&more);
	return 0;
}

static int take_text(const struct ini_entry *entry, char **ret)
{
	free(*ret);
	*ret = strdup(entry->value);
	return *ret ? 0 : error_no_memory();
}

static int take_count(const struct ini_entry *entry, uint64_t max, uint64_t *ret)
{
	if (units_parse_count(entry->value, ret) || *ret > max)
		return error_set(-EBADMSG, "not a number: '%.40s'", entry->value);
	return 0;
}

static int take_main(const struct ini *ini, const struct ini_entry *entry, struct trace_info *info)
{
	static const char *const kind[] = { "misses", "timers", "irqs", "sched" };
	uint64_t number;

	if (!strcmp(entry->key, "format")) {
		if (take_count(entry, 1000, &number) || !number)
			return -EBADMSG;
		info->format = (uint32_t)number;
		return number > TRACE_FORMAT
			       ? error_set(-EPROTO,
					   "%s: format %" PRIu64 " is newer than this program (%d)",
					   ini->path, number, TRACE_FORMAT)
			       : 0;
	}
	if (!strcmp(entry->key, "kernel"))
		return take_text(entry, &info->kernel);
	if (!strcmp(entry->key, "machine"))
		return take_text(entry, &info->machine);
	if (!strcmp(entry->key, "governor"))
		return take_text(entry, &info->governor);
	if (!strcmp(entry->key, "t0_ns"))
		return take_count(entry, UINT64_MAX, &info->t0_ns);
	if (!strcmp(entry->key, "cpus"))
		return take_list(ini, entry, &info->cpus);
	if (!strcmp(entry->key, "workload"))
		return take_list(ini, entry, &info->workload);
	if (!strcmp(entry->key, "hz")) {
		if (take_count(entry, 1000000, &number))
			return -EBADMSG;
		info->hz = (uint32_t)number;
		return 0;
	}
	for (size_t i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
		if (!strcmp(entry->key, kind[i]))
			info->kinds |= 1u << i;
	return 0;
}

/* "latency3": 3; -1 when it is another key or no state's number. */
static int state_of(const char *key, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(key, word, n) || key[n] < '0' || key[n] > '9' || key[n + 1])
		return -1;
	return key[n] - '0';
}

static int take_us(const struct ini_entry *entry, int64_t *ret)
{
	uint64_t number;

	*ret = -1;
	if (!strcmp(entry->value, "-"))
		return 0;
	if (take_count(entry, UINT32_MAX, &number))
		return -EBADMSG;
	*ret = (int64_t)number;
	return 0;
}

static int take_state(const struct ini *ini, const struct ini_entry *entry,
		      struct trace_table *table)
{
	int s;

	if (!strcmp(entry->key, "cpus"))
		return take_list(ini, entry, &table->cpus);
	if ((s = state_of(entry->key, "latency")) >= 0)
		return take_us(entry, &table->state[s].latency_us);
	if ((s = state_of(entry->key, "residency")) >= 0)
		return take_us(entry, &table->state[s].residency_us);
	if ((s = state_of(entry->key, "disabled")) >= 0) {
		table->state[s].disabled = !strcmp(entry->value, "yes");
	} else if ((s = state_of(entry->key, "state")) >= 0) {
		snprintf(table->state[s].name, TRACE_NAME_MAX, "%s", entry->value);
		if (s >= table->states)
			table->states = s + 1;
	}
	return 0;
}

static struct trace_table *add_table(struct trace_info *info)
{
	struct trace_table *more = reallocarray(info->table, info->tables + 1, sizeof(*more));

	if (!more)
		return NULL;
	info->table = more;
	more += info->tables++;
	*more = (struct trace_table){ 0 };
	for (int s = 0; s < TRACE_STATES_MAX; s++)
		more->state[s].latency_us = more->state[s].residency_us = -1;
	return more;
}

static struct trace_package *add_package(struct trace_info *info)
{
	struct trace_package *more = reallocarray(info->package, info->packages + 1, sizeof(*more));

	if (!more)
		return NULL;
	info->package = more;
	more += info->packages++;
	*more = (struct trace_package){ 0 };
	return more;
}

static int take(const struct ini *ini, struct trace_info *info)
{
	struct trace_package *package = NULL;
	struct trace_table *table = NULL;
	int err = 0;

	for (size_t i = 0; i < ini->n && !err; i++) {
		const struct ini_entry *entry = &ini->entry[i];
		bool states = !strncmp(entry->section, "states ", 7),
		     cluster = !strncmp(entry->section, "cluster ", 8),
		     of_package = cluster || !strncmp(entry->section, "package ", 8);

		if (!entry->key) {
			table = states ? add_table(info) : NULL;
			package = of_package ? add_package(info) : NULL;
			if ((states && !table) || (of_package && !package))
				return error_no_memory();
			if (package)
				package->cluster = cluster;
		} else if (table) {
			err = take_state(ini, entry, table);
		} else if (package && !strcmp(entry->key, "cpus")) {
			err = take_list(ini, entry, &package->cpus);
		} else if (!strcmp(entry->section, "trace")) {
			err = take_main(ini, entry, info);
		}
	}
	if (!err && !info->cpus.n)
		err = error_set(-EBADMSG, "%s: no CPUs", ini->path);
	return err;
}

static bool is_list(const char *key)
{
	return !strcmp(key, "cpus") || !strcmp(key, "workload");
}

int info_read(const char *path, const char *text, size_t size, struct trace_info *ret)
{
	struct trace_info info = { 0 };
	struct ini ini;
	int err = ini_load_repeating(path, text, size, is_list, &ini);

	if (err)
		return err;
	err = take(&ini, &info);
	ini_free(&ini);
	if (err) {
		trace_info_free(&info);
		return err == -ENOMEM || err == -EPROTO ? err : error_prefix(-EBADMSG, "head: ");
	}
	*ret = info;
	return 0;
}
