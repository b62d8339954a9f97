/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle driver, states and governors: without them there is nothing to compare.
 */
#include "run/facts.h"
#include "hw/governor.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int facts_idle_driver(struct facts *f)
{
	char name[64];

	if (governor_driver(f->root, name, sizeof(name)))
		return facts_add(f, "idle_driver", "idle driver", FACTS_UNFIT,
				 "a kernel with CONFIG_CPU_IDLE=y, booted without cpuidle.off=1",
				 "%s", error_text());
	if (!f->idle)
		return facts_add(f, "idle_driver", "idle driver", FACTS_UNFIT,
				 "load the driver of this processor (a guest: modprobe "
				 "cpuidle_haltpoll)",
				 "%s: no idle states: %s", name, f->no_idle);
	return facts_add(f, "idle_driver", "idle driver", FACTS_OK, NULL, "%s", name);
}

/* Names of states that the user, or the driver at boot, has turned off; "" = none. */
static void disabled_text(const struct cpuidle_cpu *cpu, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (int s = 0; s < cpu->states && n < size; s++)
		if (cpu->state[s].disabled.known && cpu->state[s].disabled.value)
			n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "",
					      cpu->state[s].name);
}

/* The disable bits are no part of what makes a group. */
static bool disabled_alike(const struct facts *f, const struct cpuidle_group *group)
{
	for (size_t i = 0; i < f->idle->n; i++) {
		const struct cpuidle_cpu *cpu = &f->idle->cpu[i];

		if (!cpulist_has(&group->cpus, cpu->cpu))
			continue;
		for (int s = 0; s < cpu->states; s++)
			if (cpu->state[s].disabled.value != group->table->state[s].disabled.value)
				return false;
	}
	return true;
}

static int add_group(struct facts *f, size_t g)
{
	const struct cpuidle_group *group = &f->group[g];
	int usable = cpuidle_usable(group->table), err;
	char *cpus = cpulist_format(&group->cpus), key[32], off[256], action[400] = "";

	if (!cpus)
		return error_no_memory();
	snprintf(key, sizeof(key), "states.%zu", g);
	disabled_text(group->table, off, sizeof(off));
	if (usable < 2)
		snprintf(action, sizeof(action),
			 "with fewer than two usable states beyond polling governors can hardly "
			 "differ%s%s",
			 off[0] ? "; disabled: " : "", off);
	else if (!disabled_alike(f, group))
		snprintf(action, sizeof(action),
			 "its CPUs have different states disabled (stateN/disable)");
	else if (off[0])
		snprintf(action, sizeof(action), "echo 0 to stateN/disable of %s, unless meant",
			 off);
	err = facts_add(f, key, "idle states", action[0] ? FACTS_DOUBT : FACTS_OK, action,
			"CPU%s %s: %d state%s, %d usable beyond polling",
			group->cpus.n == 1 ? "" : "s", cpus, group->table->states,
			group->table->states == 1 ? "" : "s", usable);
	free(cpus);
	if (!err)
		f->fact[f->n - 1].group = group;
	return err;
}

int facts_states(struct facts *f)
{
	int err = 0;

	for (size_t g = 0; g < f->groups && !err; g++)
		err = add_group(f, g);
	return err;
}

/* Intel's own choice of a shallower state than was asked for (P-28). */
int facts_demotion(struct facts *f)
{
	const char *value = ini_get(&f->host, "host", "c1_demotion");
	bool on = value && strcmp(value, "0") && strcmp(value, "off");

	if (!value)
		return 0;
	return facts_add(f, "c1_demotion", "C1 demotion", on ? FACTS_DOUBT : FACTS_OK,
			 on ? "the processor may enter C1 where the governor asked for more: echo "
			      "0 >/sys/devices/system/cpu/cpuidle/intel_c1_demotion"
			    : NULL,
			 "%s", on ? "on" : "off");
}

static bool has(const struct governor_list *list, const char *name)
{
	for (int i = 0; i < list->n; i++)
		if (!strcmp(list->name[i], name))
			return true;
	return false;
}

/* haltpoll exists in guests only, and is missed only there. */
static int add_missing(struct facts *f, const struct governor_list *list)
{
	static const char *const known[] = { "menu", "teo", "ladder", "haltpoll" };
	const char *hypervisor = ini_get(&f->host, "host", "hypervisor");
	bool guest = hypervisor && strcmp(hypervisor, "no");
	char reason[512], key[32];
	int err = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && !err; i++) {
		if (has(list, known[i]) || (!strcmp(known[i], "haltpoll") && !guest))
			continue;
		governor_missing_reason(f->root, known[i], reason, sizeof(reason));
		snprintf(key, sizeof(key), "governor.%s", known[i]);
		err = facts_add(f, key, "governor", FACTS_MISSING, reason, "%s is not offered",
				known[i]);
	}
	return err;
}

static int add_offered(struct facts *f, const struct governor_list *list)
{
	char text[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 1)] = "", current[GOVERNOR_NAME_MAX];
	const char *path, *action = NULL;
	enum facts_verdict verdict = FACTS_OK;
	char why[512];
	size_t n = 0;
	int err;

	for (int i = 0; i < list->n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "",
				      list->name[i]);
	if (governor_current(f->root, current))
		snprintf(current, sizeof(current), "not known");
	err = governor_writable(f->root, &path);
	snprintf(why, sizeof(why), "%s", err ? error_text() : "");
	if (err == -EROFS) {
		verdict = FACTS_UNFIT;
		action = why;
	} else if (list->n < 2) {
		verdict = FACTS_DOUBT;
		action = "there is nothing to compare with: see what would bring another";
	}
	return facts_add(f, "governors", "governors", verdict, action, "%s; in use: %s", text,
			 current);
}

int facts_governors(struct facts *f)
{
	struct governor_list list;
	int err = governor_available(f->root, &list);

	if (err)
		return facts_add(f, "governors", "governors", FACTS_UNFIT, NULL, "%s",
				 error_text());
	err = add_offered(f, &list);
	return err ? err : add_missing(f, &list);
}

/* With a poll time of 0 the governor never polls (P-39). */
int facts_haltpoll(struct facts *f)
{
	const char *ns = ini_get(&f->host, "host", "guest_halt_poll_ns");
	struct governor_list list;

	if (!ns || governor_available(f->root, &list) || !has(&list, "haltpoll"))
		return 0;
	return facts_add(f, "haltpoll", "haltpoll", FACTS_OK, NULL, "guest_halt_poll_ns %s%s", ns,
			 strcmp(ns, "0") ? "" : ": never polls, always the second state");
}
