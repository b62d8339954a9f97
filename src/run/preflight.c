/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each check says what is wrong and the way out.
 */
#include "run/preflight.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/disable.h"
#include "run/privilege.h"
#include "run/facts.h"
#include "run/interrupt.h"
#include "run/load.h"
#include "run/session.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Other work on more than this share of all CPUs: no figure would be one of the workload alone. */
#define BUSY_MAX 0.5
#define GLANCE_NS 100000000u
#define LOOK_NS 1000000000u
#define LOOKS 5

static bool offered(const struct session *s, const char *name)
{
	for (int i = 0; i < s->offered.n; i++)
		if (!strcmp(s->offered.name[i], name))
			return true;
	return false;
}

static void offered_text(const struct session *s, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < s->offered.n && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "",
				      s->offered.name[i]);
}

int preflight_governors(const struct session *s)
{
	char reason[512], list[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 2)];
	size_t known = 0;

	for (size_t g = 0; g < s->plan.governors; g++) {
		const char *name = s->plan.governor[g].name;
		int err;

		if (offered(s, name)) {
			known++;
			continue;
		}
		err = governor_check_typo(&s->offered, name);
		if (err)
			return err;
	}
	offered_text(s, list, sizeof(list));
	for (size_t g = 0; g < s->plan.governors; g++) {
		const char *name = s->plan.governor[g].name;

		if (offered(s, name))
			continue;
		governor_missing_reason(&s->root, name, reason, sizeof(reason));
		if (!known && g + 1 == s->plan.governors)
			return error_set(
				-ENODEV,
				"none of the governors asked for is offered by this kernel (it has: %s); "
				"%s: %s",
				list, name, reason);
		log_warn("governor '%s' is not offered by this kernel (it has: %s): %s", name, list,
			 reason);
	}
	return 0;
}

int preflight_cpufreq(struct session *s)
{
	int err = thermal_find(&s->root, &s->thermal);

	if (err || !s->plan.cpufreq)
		return err;
	err = cpufreq_policies(&s->root, &s->cpufreq);
	for (size_t i = 0; i < s->plan.cpufreqs && !err; i++)
		err = cpufreq_check_governor(&s->root, &s->cpufreq, s->plan.cpufreq[i]);
	return err ? error_prefix(err, "--cpufreq-governors: ") : 0;
}

int preflight_rights(const struct session *s)
{
	const char *path;
	int err;

	privilege_root();
	err = s->switching ? governor_writable(&s->root, &path) : 0;
	if (!err)
		err = disable_writable(s);
	privilege_user();
	return err;
}

/* Refuses with @code, or warns where refusing is not wanted. */
static int object(const struct session *s, int code, bool may_override, const char *text)
{
	if (s->options->dry_run || (may_override && s->options->allow_busy)) {
		log_warn("%s", text);
		return 0;
	}
	return error_set(code, "%s%s", text,
			 may_override ? " (--allow-busy measures all the same)" : "");
}

static int check_load(const struct session *s)
{
	bool refusing = !s->options->dry_run && !s->options->allow_busy;
	struct load load;
	char text[512];

	if (load_look(&s->root, GLANCE_NS, !refusing, &load) || load.share <= BUSY_MAX)
		return 0;
	for (int i = 0; i < LOOKS && refusing; i++) {
		log_info("%.0f %% of all CPUs are busy with other work: looking again",
			 load.share * 100);
		if (interrupt_pending())
			return error_set(-EINTR, "interrupted");
		if (load_look(&s->root, LOOK_NS, true, &load) || load.share <= BUSY_MAX)
			return 0;
	}
	snprintf(text, sizeof(text), "%.0f %% of all CPUs are busy with other work%s%s",
		 load.share * 100, load.busiest[0] ? ": " : "", load.busiest);
	return object(s, -EBUSY, true, text);
}

static int check_room(const struct session *s, struct facts *facts)
{
	char dir[PATH_MAX];

	if (s->dir || s->options->results)
		return facts_disk_of(facts, s->dir ? s->dir : s->options->results);
	if (where_results(dir))
		return 0; /* said where the folder is to be made */
	return facts_disk_of(facts, dir);
}

/* The text of the last fact added, when it is a doubt. */
static bool doubted(const struct facts *facts, char *text, size_t size)
{
	const struct fact *fact = facts->n ? &facts->fact[facts->n - 1] : NULL;

	if (!fact || fact->verdict <= FACTS_MISSING)
		return false;
	snprintf(text, size, "%s: %s%s%s", fact->title, fact->value, fact->action ? ": " : "",
		 fact->action ? fact->action : "");
	return true;
}

static int check_facts(const struct session *s)
{
	struct facts facts;
	char text[1024];
	int err = facts_open(&s->root, &facts);

	if (err)
		return err;
	err = check_room(s, &facts);
	if (!err && doubted(&facts, text, sizeof(text)))
		err = object(s, -ENOSPC, false, text);
	if (!err)
		err = facts_cpufreq(&facts);
	if (!err && doubted(&facts, text, sizeof(text)))
		log_warn("%s", text);
	if (!err && facts.idle) {
		err = facts_qos(&facts);
		if (!err && doubted(&facts, text, sizeof(text)))
			err = object(s, -EBUSY, true, text);
	}
	facts_close(&facts);
	return err;
}

/* What each point's workloads need to be installed; with --dry-run only said. */
static int check_present(const struct session *s)
{
	int err = 0;

	for (size_t i = 0; i < s->plan.points && !err; i++) {
		size_t index = s->plan.point[i].section;
		const struct suite_section *section = &s->suite.section[index];

		if (i && s->plan.point[i - 1].section == index)
			continue; /* the same programs */
		for (size_t k = 0; k < section->parts && !err; k++) {
			const struct workload *workload = section->part[k].workload;
			char text[512];

			if (!workload->present || !workload->present(plan_values(&s->plan, i, k)))
				continue;
			snprintf(text, sizeof(text), "[run %s]: %s", section->name, error_text());
			err = object(s, -ENOENT, false, text);
		}
	}
	return err;
}

int preflight_conditions(const struct session *s)
{
	int err = check_present(s);

	if (err)
		return err;
	privilege_root(); /* who has /dev/cpu_dma_latency open is for root to see */
	err = check_facts(s);
	privilege_user();
	return err ? err : check_load(s);
}
