/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judging and setting of cpufreq's governor.
 *
 * Each policy's energy performance preference goes into the journal before any governor does: the
 * journal is put back from its end, and a preference is refused by Intel's driver as long as the
 * governor is performance.
 */
#include "hw/cpufreq.h"
#include "hw/cpufreq_private.h"

#include "hw/kconfig.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERFORMANCE "performance"

static bool alike(const struct cpufreq_settings *a, const struct cpufreq_settings *b)
{
	return !strcmp(a->driver, b->driver) && !strcmp(a->governor, b->governor) &&
	       a->min.khz == b->min.khz && a->max.khz == b->max.khz && !strcmp(a->epp, b->epp) &&
	       !strcmp(a->turbo, b->turbo);
}

static void describe_settings(FILE *out, const struct cpufreq_settings *s)
{
	fprintf(out, "%s %s", s->driver[0] ? s->driver : "driver unknown",
		s->governor[0] ? s->governor : "governor unknown");
	if (s->min.known && s->max.known)
		fprintf(out, " %llu..%llu kHz", (unsigned long long)s->min.khz,
			(unsigned long long)s->max.khz);
	if (s->epp[0])
		fprintf(out, " epp %s", s->epp);
	if (s->turbo[0])
		fprintf(out, " turbo %s", s->turbo);
	if (s->hwp[0])
		fprintf(out, " hwp %s", s->hwp);
}

/* CPUs of policy @first and of all behind it that are set alike; NULL when out of memory. */
static char *cpus_alike(const struct cpufreq_policies *policies, size_t first)
{
	struct cpulist cpus = { 0 };
	char *text = NULL;
	int r = 0;

	for (size_t i = first; i < policies->n && !r; i++) {
		const struct cpulist *more = &policies->policy[i].cpus;

		if (!alike(&policies->policy[first], &policies->policy[i]))
			continue;
		for (size_t c = 0; c < more->n && !r; c++)
			r = cpulist_add(&cpus, more->cpu[c]);
	}
	if (!r) {
		cpulist_sort(&cpus);
		text = cpulist_format(&cpus);
	}
	cpulist_free(&cpus);
	return text;
}

static bool seen_before(const struct cpufreq_policies *policies, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (alike(&policies->policy[before], &policies->policy[i]))
			return true;
	return false;
}

char *cpufreq_describe(const struct cpufreq_policies *policies)
{
	char *text = NULL;
	size_t size = 0;
	bool failed = false;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < policies->n && !failed; i++) {
		char *cpus;

		if (seen_before(policies, i))
			continue;
		cpus = cpus_alike(policies, i);
		failed = !cpus;
		fprintf(out, "%scpu%s: ", i ? "; " : "", cpus ? cpus : "");
		describe_settings(out, &policies->policy[i]);
		free(cpus);
	}
	failed |= fclose(out) != 0;
	if (failed) {
		free(text);
		return NULL;
	}
	return text;
}

bool cpufreq_confounds(const struct cpufreq_policies *policies, char *text, size_t size)
{
	const struct cpufreq_settings *first = policies->policy, *s;

	for (size_t i = 0; i < policies->n; i++) {
		s = &first[i];
		if (!strcmp(s->governor, PERFORMANCE))
			continue;
		snprintf(text, size,
			 "cpu%d: the cpufreq governor is %s: the frequency follows the load, and "
			 "so can a difference between idle governors (--cpufreq-governors "
			 "performance holds it)",
			 s->cpus.cpu[0], s->governor[0] ? s->governor : "unknown");
		return true;
	}
	/* P cores and E cores differ in their limits by nature, not in what they are told to do. */
	for (size_t i = 1; i < policies->n; i++) {
		s = &first[i];
		if (!strcmp(s->epp, first->epp) && !strcmp(s->turbo, first->turbo))
			continue;
		snprintf(text, size,
			 "cpu%d and cpu%d are set differently: epp %s and %s, turbo %s and %s",
			 first->cpus.cpu[0], s->cpus.cpu[0], first->epp[0] ? first->epp : "NA",
			 s->epp[0] ? s->epp : "NA", first->turbo[0] ? first->turbo : "NA",
			 s->turbo[0] ? s->turbo : "NA");
		return true;
	}
	return false;
}

static bool offers(const struct cpufreq_settings *s, const char *name)
{
	for (int i = 0; i < s->available.n; i++)
		if (!strcmp(s->available.name[i], name))
			return true;
	return false;
}

/* What would bring a governor that mainline knows; "" when there is nothing to say. */
static void way_out(const struct root *root, const struct cpufreq_settings *s, const char *name,
		    char *text, size_t size)
{
	static const char *const known[] = { PERFORMANCE, "powersave",	  "userspace",
					     "ondemand",  "conservative", "schedutil" };
	char option[64], value[16], where[KCONFIG_WHERE_MAX];
	bool mainline = false;
	size_t n;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		mainline |= !strcmp(known[i], name);
	if (!mainline)
		return;
	if (!strcmp(s->driver, "intel_pstate") || !strcmp(s->driver, "amd-pstate-epp")) {
		snprintf(text, size,
			 "; the driver %s has two of its own: 'passive' in "
			 "%s/sys/devices/system/cpu/%s/status brings the kernel's",
			 s->driver, root->path,
			 s->driver[0] == 'i' ? "intel_pstate" : "amd_pstate");
		return;
	}
	n = (size_t)snprintf(option, sizeof(option), "CONFIG_CPU_FREQ_GOV_%s", name);
	for (size_t i = 0; i < n && i < sizeof(option); i++)
		option[i] = (char)toupper((unsigned char)option[i]);
	if (kconfig_get(root, option, value, sizeof(value), where))
		return;
	if (!strcmp(value, "m"))
		snprintf(text, size, "; it is a module: modprobe cpufreq_%s", name);
	else if (!strcmp(value, "n"))
		snprintf(text, size, "; %s is not set in %s", option, where);
}

static int not_offered(const struct root *root, const struct cpufreq_settings *s, const char *name)
{
	char list[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 2) + 1] = "", hint[KCONFIG_WHERE_MAX + 128];
	char quoted[ERROR_QUOTE_SIZE], nearest[64];
	const char *known[GOVERNORS_MAX];
	size_t used = 0;

	for (int i = 0; i < s->available.n; i++) {
		known[i] = s->available.name[i];
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 known[i]);
	}
	suggest_text(name, known, (size_t)s->available.n, nearest, sizeof(nearest));
	way_out(root, s, name, hint, sizeof(hint));
	return error_usage("cpufreq governor '%s' is not offered for cpu%d (offered: %s%s)%s",
			   error_quote(name, quoted), s->cpus.cpu[0], list[0] ? list : "none", hint,
			   nearest);
}

int cpufreq_check_governor(const struct root *root, const struct cpufreq_policies *policies,
			   const char *name)
{
	for (size_t i = 0; i < policies->n; i++)
		if (!offers(&policies->policy[i], name))
			return not_offered(root, &policies->policy[i], name);
	return policies->n ? 0 : cpufreq_none(root, 0);
}

/*
 * Puts the present preference into the journal, by writing what is there already. A driver that
 * refuses even that has journaled it all the same, and a journal that cannot be written will refuse
 * the governor next.
 */
static void journal_epp(struct undo *undo, const struct root *root,
			const struct cpufreq_settings *s)
{
	char path[CPUFREQ_PATH_MAX], now[CPUFREQ_TEXT_MAX];

	cpufreq_path(path, s, "energy_performance_preference");
	if (s->epp[0] && root_read(root, path, now, sizeof(now)) > 0 && undo_write(undo, path, now))
		error_clear();
}

/* The preference of @s again, when the governor before has moved it. */
static int put_epp(struct undo *undo, const struct root *root, const struct cpufreq_settings *s)
{
	char path[CPUFREQ_PATH_MAX], now[CPUFREQ_TEXT_MAX];
	int r;

	if (!s->epp[0])
		return 0;
	cpufreq_path(path, s, "energy_performance_preference");
	r = root_read(root, path, now, sizeof(now));
	if (r < 0)
		return r;
	return strcmp(now, s->epp) ? undo_write(undo, path, s->epp) : 0;
}

int cpufreq_set_governor(struct undo *undo, const struct root *root,
			 const struct cpufreq_policies *before, const char *name)
{
	char path[CPUFREQ_PATH_MAX];
	int r = cpufreq_check_governor(root, before, name);

	for (size_t i = 0; i < before->n && !r; i++)
		journal_epp(undo, root, &before->policy[i]);
	for (size_t i = 0; i < before->n && !r; i++) {
		cpufreq_path(path, &before->policy[i], "scaling_governor");
		r = undo_write(undo, path, name);
	}
	for (size_t i = 0; i < before->n && !r && strcmp(name, PERFORMANCE); i++)
		r = put_epp(undo, root, &before->policy[i]);
	return r ? r : cpufreq_holds_governor(root, name);
}

int cpufreq_holds_governor(const struct root *root, const char *name)
{
	struct cpufreq_policies now;
	int r = cpufreq_policies(root, &now);

	if (r)
		return r;
	for (size_t i = 0; i < now.n && !r; i++)
		if (strcmp(now.policy[i].governor, name))
			r = error_set(-EBADMSG, "cpu%d: the cpufreq governor is '%s', not '%s'",
				      now.policy[i].cpus.cpu[0], now.policy[i].governor, name);
	cpufreq_policies_free(&now);
	return r;
}
