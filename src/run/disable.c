/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was disabled before the runner came stays so: only the bits of the state in turn change.
 */
#include "run/disable.h"
#include "lib/error.h"
#include "run/privilege.h"
#include "run/section.h"
#include "run/session.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 96

static void add(struct sweep *to, const struct param_value *value, int choice)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->value[i].choice == choice)
			return;
	to->value[to->n] = *value;
	to->value[to->n].choice = choice;
	to->value[to->n++].number = choice;
}

static int resolve(const struct suite_section *s, unsigned int states, struct sweep *to)
{
	const struct sweep *from = &s->sweep[s->disable];

	to->value = calloc(from->n + CPUIDLE_STATES_MAX, sizeof(*to->value));
	if (!to->value)
		return error_no_memory();
	for (size_t i = 0; i < from->n; i++) {
		const struct param_value *value = &from->value[i];

		if (value->choice != SECTION_DISABLE_EACH) {
			add(to, value, value->choice);
			continue;
		}
		if (!states)
			return error_usage("[run %s]: disable = each: no idle state of this "
					   "machine can be disabled without leaving none",
					   s->name);
		for (int k = 0; k < CPUIDLE_STATES_MAX; k++)
			if (states & 1u << k)
				add(to, value, SECTION_DISABLE_STATE0 + k);
	}
	return 0;
}

int disable_resolve(const struct suite *suite, unsigned int states, struct sweep **ret)
{
	struct sweep *sweep = calloc(suite->sections + 1, sizeof(*sweep));
	int err = sweep ? 0 : error_no_memory();

	for (size_t i = 0; i < suite->sections && !err; i++)
		err = resolve(&suite->section[i], states, &sweep[i]);
	for (size_t i = 0; sweep && err && i < suite->sections; i++)
		sweep_free(&sweep[i]);
	if (err)
		free(sweep);
	else
		*ret = sweep;
	return err;
}

static bool is_used(const struct suite *suite)
{
	for (size_t i = 0; i < suite->sections; i++)
		if (suite->section[i].sweep[suite->section[i].disable].n)
			return true;
	return false;
}

static bool enabled(const struct cpuidle_state *state)
{
	return state->disabled.known && !state->disabled.value;
}

/* Bits by index of the CPU's states that are enabled, and of those that it can do without. */
static void look_at(const struct cpuidle_cpu *cpu, unsigned int *ret_enabled,
		    unsigned int *ret_spare)
{
	unsigned int bits = 0;
	int n = 0;

	for (int s = 0; s < cpu->states; s++) {
		if (!enabled(&cpu->state[s]))
			continue;
		bits |= 1u << cpu->state[s].index;
		n++;
	}
	*ret_enabled = bits;
	*ret_spare = n > 1 ? bits : 0;
}

int disable_states(const struct session *s, unsigned int *ret)
{
	unsigned int some = 0, vital = 0;
	struct cpuidle *idle;
	int err;

	*ret = 0;
	if (!is_used(&s->suite))
		return 0;
	err = cpuidle_open(&s->root, &s->cpus, &idle);
	if (err)
		return err;
	for (size_t i = 0; i < idle->n; i++) {
		unsigned int bits, spare;

		look_at(&idle->cpu[i], &bits, &spare);
		some |= bits;
		vital |= bits & ~spare;
	}
	cpuidle_close(idle);
	*ret = some & ~vital;
	return 0;
}

int disable_check(const struct session *s, unsigned int states)
{
	for (size_t i = 0; i < s->plan.points; i++) {
		int state = plan_disable(&s->plan, i);

		if (state >= 0 && !(states & 1u << state))
			return error_usage(
				"[run %s]: disable = state%d: this machine has no such state that "
				"is enabled and could be missed",
				s->suite.section[s->plan.point[i].section].name, state);
	}
	return 0;
}

static void path_of(const struct cpuidle_cpu *cpu, int position, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "sys/devices/system/cpu/cpu%d/cpuidle/state%d/disable", cpu->cpu,
		 cpu->state[position].index);
}

int disable_writable(const struct session *s)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cpuidle/state0/disable",
		 s->cpus.cpu[0]);
	if (!plan_disables(&s->plan) || !faccessat(s->root.fd, path, W_OK, AT_EACCESS))
		return 0;
	return error_set(-errno,
			 "%s/%s may not be written by this user, and the suite disables "
			 "idle states: run as root (sudo)",
			 s->root.path, path);
}

static int set_cpu(struct session *s, size_t i, int state)
{
	const struct cpuidle_cpu *cpu = &s->idle->cpu[i];
	char path[PATH_SIZE];
	int err = 0;

	for (int p = 0; p < cpu->states && !err; p++) {
		bool was = !(s->enabled[i] & 1u << cpu->state[p].index);
		bool want = was || cpu->state[p].index == state;

		if (!cpu->state[p].disabled.known || want == (cpu->state[p].disabled.value != 0))
			continue;
		path_of(cpu, p, path);
		err = undo_write(s->undo, path, want ? "1" : "0");
	}
	return err;
}

int disable_set(struct session *s, int state)
{
	unsigned int spare;
	int err = 0;

	if (!s->enabled) {
		s->enabled = calloc(s->idle->n + 1, sizeof(*s->enabled));
		if (!s->enabled)
			return error_no_memory();
		for (size_t i = 0; i < s->idle->n; i++)
			look_at(&s->idle->cpu[i], &s->enabled[i], &spare);
	}
	privilege_root();
	for (size_t i = 0; i < s->idle->n && !err; i++)
		err = set_cpu(s, i, state);
	privilege_user();
	return err ? err : cpuidle_reopen(s->idle);
}
