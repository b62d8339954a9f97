/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trial of all idle states. A few CPUs of each group stand for the others: a governor decides
 * for each CPU by itself, and the states of a group are the same.
 */
#include "run/check_states.h"
#include "hw/lock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/facts.h"
#include "run/interrupt.h"
#include "run/session.h"
#include "run/sleepers.h"
#include "run/switch.h"
#include "run/verb.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUS_PER_GROUP 8
#define ATTEMPTS 3

struct row {
	char governor[GOVERNOR_NAME_MAX];
	size_t group;
	int state; /* position */
	uint64_t before, after;
	int to; /* position, -1 = nowhere in particular */
	enum check_states_result result;
	char why[128];
};

struct trial {
	struct session session; /* what switch_governor() needs of one */
	struct facts facts;
	struct cpulist cpus;
	struct cpuidle_group *group; /* of these CPUs */
	size_t groups;
	uint64_t (*before)[CPUIDLE_STATES_MAX], (*after)[CPUIDLE_STATES_MAX]; /* by CPU */
	struct row *row;
	size_t rows;
};

/* The first CPUs of each group. */
static int choose_cpus(struct trial *t)
{
	int err = 0;

	for (size_t g = 0; g < t->facts.groups; g++)
		for (size_t i = 0; i < t->facts.group[g].cpus.n && i < CPUS_PER_GROUP && !err; i++)
			err = cpulist_add(&t->cpus, t->facts.group[g].cpus.cpu[i]);
	cpulist_sort(&t->cpus);
	return err ? error_no_memory() : 0;
}

static int open_trial(const struct root *root, struct trial *t)
{
	struct session *s = &t->session;
	int err = facts_open(root, &t->facts);

	s->root = *root;
	if (!err && !t->facts.idle)
		err = error_set(-ENODEV, "%s", t->facts.no_idle);
	if (!err && !t->facts.topology)
		err = error_set(-ENODATA, "the topology cannot be told: threads cannot be bound");
	if (!err)
		err = governor_available(root, &s->offered);
	if (!err)
		err = choose_cpus(t);
	if (!err)
		err = cpuidle_open(&s->root, &t->cpus, &s->idle);
	if (!err)
		err = cpuidle_groups(s->idle, &t->group, &t->groups);
	if (err)
		return err;
	t->before = calloc(s->idle->n, sizeof(*t->before));
	t->after = calloc(s->idle->n, sizeof(*t->after));
	t->row = calloc((size_t)s->offered.n * t->groups * CPUIDLE_STATES_MAX, sizeof(*t->row));
	return t->before && t->after && t->row ? 0 : error_no_memory();
}

static void close_trial(struct trial *t)
{
	cpuidle_groups_free(t->group, t->groups);
	if (t->session.idle)
		cpuidle_close(t->session.idle);
	cpulist_free(&t->cpus);
	free(t->before);
	free(t->after);
	free(t->row);
	facts_close(&t->facts);
}

static bool enabled(const struct cpuidle_cpu *cpu, int state)
{
	return !(cpu->state[state].disabled.known && cpu->state[state].disabled.value);
}

/* Enabled on all of the group's CPUs. */
static bool enabled_in(const struct trial *t, size_t g, int state)
{
	const struct cpuidle *idle = t->session.idle;

	for (size_t i = 0; i < idle->n; i++)
		if (cpulist_has(&t->group[g].cpus, idle->cpu[i].cpu) &&
		    !enabled(&idle->cpu[i], state))
			return false;
	return true;
}

/* Something must be left to be entered, and what was disabled before stays so. */
static bool to_be_tried(const struct trial *t, size_t g, int state)
{
	int others = 0;

	if (state >= t->group[g].table->states || !enabled_in(t, g, state))
		return false;
	for (int s = 0; s < t->group[g].table->states; s++)
		others += s != state && enabled_in(t, g, s);
	return others > 0;
}

static int set_disabled(struct trial *t, size_t g, int state, const char *value)
{
	const struct cpuidle *idle = t->session.idle;
	int err = 0;

	for (size_t i = 0; i < idle->n && !err; i++) {
		char path[128];

		if (!cpulist_has(&t->group[g].cpus, idle->cpu[i].cpu))
			continue;
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cpuidle/state%d/disable",
			 idle->cpu[i].cpu, idle->cpu[i].state[state].index);
		err = undo_write(t->session.undo, path, value);
	}
	return err;
}

static int set_all(struct trial *t, int state, const char *value, bool *ret_any)
{
	int err = 0;

	*ret_any = false;
	for (size_t g = 0; g < t->groups && !err; g++) {
		if (!to_be_tried(t, g, state))
			continue;
		*ret_any = true;
		err = set_disabled(t, g, state, value);
	}
	return err;
}

static void add_up(const struct trial *t, size_t g, uint64_t (*entries)[CPUIDLE_STATES_MAX],
		   uint64_t sum[CPUIDLE_STATES_MAX])
{
	const struct cpuidle *idle = t->session.idle;

	for (size_t i = 0; i < idle->n; i++)
		for (int s = 0; s < idle->cpu[i].states; s++)
			if (cpulist_has(&t->group[g].cpus, idle->cpu[i].cpu))
				sum[s] += entries[i][s];
}

/* Some other task may have kept the CPUs awake for a moment: two more attempts. */
static int load_cpus(struct trial *t, uint64_t (*entries)[CPUIDLE_STATES_MAX])
{
	bool enough = false;
	int err = 0;

	for (int attempt = 0; attempt < ATTEMPTS && !err && !enough; attempt++) {
		err = interrupt_pending()
			      ? -EINTR
			      : sleepers_run(t->session.idle, t->facts.topology, entries);
		enough = true;
		for (size_t g = 0; g < t->groups && !err; g++) {
			uint64_t sum[CPUIDLE_STATES_MAX] = { 0 }, all = 0;

			add_up(t, g, entries, sum);
			for (int s = 0; s < t->group[g].table->states; s++)
				all += sum[s];
			enough &= all >= CHECK_STATES_ENTRIES_MIN;
		}
	}
	return err;
}

static void judge(struct trial *t, const char *governor, size_t g, int state)
{
	struct check_states_case c = { .states = t->group[g].table->states, .disabled = state };
	struct row *row = &t->row[t->rows++];

	for (int s = 0; s < c.states; s++)
		c.enabled[s] = enabled_in(t, g, s);
	add_up(t, g, t->before, c.before);
	add_up(t, g, t->after, c.after);
	*row = (struct row){
		.group = g,
		.state = state,
		.before = c.before[state],
		.after = c.after[state],
	};
	snprintf(row->governor, sizeof(row->governor), "%s", governor);
	row->result = check_states_judge(&c, &row->to, row->why, sizeof(row->why));
}

static int try_state(struct trial *t, const char *governor, int state)
{
	bool any;
	int err = set_all(t, state, "1", &any);

	if (!err && !any)
		return 0;
	if (!err)
		err = load_cpus(t, t->after);
	if (!err)
		err = set_all(t, state, "0", &any);
	for (size_t g = 0; g < t->groups && !err; g++)
		if (to_be_tried(t, g, state))
			judge(t, governor, g, state);
	return err;
}

static int try_governor(struct trial *t, const char *governor)
{
	bool fresh;
	int err = switch_governor(&t->session, governor, &fresh);

	if (!err)
		err = load_cpus(t, t->before);
	for (int s = 0; s < CPUIDLE_STATES_MAX && !err; s++)
		err = interrupt_pending() ? -EINTR : try_state(t, governor, s);
	return err;
}

static int try_all(struct trial *t)
{
	const struct governor_list *list = &t->session.offered;
	char why[1024];
	int count, undo_err, err = undo_restore_stale(&t->session.root, &count);

	if (!err && count)
		log_warn("put back %d settings that an interrupted run had left changed", count);
	if (!err)
		err = undo_start(&t->session.root, &t->session.undo);
	if (err)
		return err;
	for (int i = 0; i < list->n && !err; i++)
		err = try_governor(t, list->name[i]);
	snprintf(why, sizeof(why), "%s", error_text());
	undo_err = undo_finish(t->session.undo);
	if (!err)
		return undo_err;
	if (undo_err)
		log_warn("%s", error_text());
	return error_set(err, "%s", why);
}

static const char *state_name(const struct trial *t, const struct row *row, int state)
{
	return state < 0 ? NULL : t->group[row->group].table->state[state].name;
}

static void put_table(const struct trial *t)
{
	printf("%-15s %-8s %-15s %9s %9s  %-7s %s\n", "governor", "CPUs", "disabled", "entries",
	       "then", "", "entries went to");
	for (size_t i = 0; i < t->rows; i++) {
		const struct row *row = &t->row[i];
		const char *to = state_name(t, row, row->to);
		char *cpus = cpulist_format(&t->group[row->group].cpus);

		printf("%-15s %-8s %-15s %9" PRIu64 " %9" PRIu64 "  %-7s %s\n", row->governor,
		       cpus ? cpus : "", state_name(t, row, row->state), row->before, row->after,
		       check_states_result_name[row->result], to ? to : "");
		if (row->why[0])
			printf("%-15s   %s\n", "", row->why);
		free(cpus);
	}
}

static json_t *json_name(const char *name)
{
	return name ? json_string(name) : json_null();
}

static int put_json(const struct trial *t)
{
	json_t *top = json_object(), *list = json_array();
	int err;

	for (size_t i = 0; i < t->rows; i++) {
		const struct row *row = &t->row[i];
		char *cpus = cpulist_format(&t->group[row->group].cpus);
		json_t *one = json_object();

		json_object_set_new(one, "governor", json_string(row->governor));
		json_object_set_new(one, "cpus", json_name(cpus));
		json_object_set_new(one, "disabled", json_name(state_name(t, row, row->state)));
		json_object_set_new(one, "entries_before", json_integer((json_int_t)row->before));
		json_object_set_new(one, "entries_after", json_integer((json_int_t)row->after));
		json_object_set_new(one, "went_to", json_name(state_name(t, row, row->to)));
		json_object_set_new(one, "result",
				    json_string(check_states_result_name[row->result]));
		json_object_set_new(one, "why", json_name(row->why[0] ? row->why : NULL));
		json_array_append_new(list, one);
		free(cpus);
	}
	json_object_set_new(top, "format", json_integer(1));
	json_object_set_new(top, "states", list);
	err = json_dumpf(top, stdout, JSON_INDENT(2))
		      ? error_set(-ENOMEM, "the states cannot be written as JSON")
		      : 0;
	putchar('\n');
	json_decref(top);
	return err;
}

static int conclude(const struct trial *t, bool json)
{
	int count[CHECK_RESULTS] = { 0 }, err = 0;

	for (size_t i = 0; i < t->rows; i++)
		count[t->row[i].result]++;
	if (json)
		err = put_json(t);
	else
		put_table(t);
	if (!json)
		printf("\n%d PASS, %d FAIL, %d unused, %d NA; everything is put back\n",
		       count[CHECK_PASS], count[CHECK_FAIL], count[CHECK_UNUSED],
		       count[CHECK_UNTOLD]);
	if (!err && !t->rows)
		return error_set(-ENODEV,
				 "no idle state can be disabled here without leaving none");
	if (err)
		return err;
	return count[CHECK_FAIL] || count[CHECK_UNTOLD] ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}

int check_states(const struct root *root, bool json)
{
	struct trial trial = { 0 };
	const char *path;
	int lock, err = governor_writable(root, &path);

	if (!err)
		err = lock_take(root, &lock);
	if (err)
		return err;
	err = interrupt_start();
	if (!err)
		err = open_trial(root, &trial);
	if (!err)
		err = try_all(&trial);
	if (!err)
		err = conclude(&trial, json);
	close_trial(&trial);
	close(lock);
	if (interrupt_pending()) {
		fflush(stdout);
		interrupt_die(interrupt_pending());
	}
	return err;
}
