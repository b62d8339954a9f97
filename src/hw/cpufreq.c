/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading of cpufreq. On the live machine libcpupower is asked first, and the files give what it
 * has no function for (EPP, turbo, HWP); on another root the files give all. A frequency of 0 is
 * the library's failure and no driver's reading: not available.
 */
#include "hw/cpufreq.h"
#include "hw/cpufreq_private.h"

#include "hw/kconfig.h"
#include "lib/error.h"
#include <cpufreq.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "sys/devices/system/cpu"
#define ONLINE CPU "/online"
#define LIST_MAX 4096 /* bytes of a list of CPUs or governors */

void cpufreq_path(char path[CPUFREQ_PATH_MAX], const struct cpufreq_settings *settings,
		  const char *file)
{
	if (settings->policy >= 0)
		snprintf(path, CPUFREQ_PATH_MAX, CPU "/cpufreq/policy%d/%s", settings->policy,
			 file);
	else
		snprintf(path, CPUFREQ_PATH_MAX, CPU "/cpu%d/cpufreq/%s", settings->cpu, file);
}

int cpufreq_none(const struct root *root, int cpu)
{
	char where[KCONFIG_WHERE_MAX], value[16];

	if (!kconfig_get(root, "CONFIG_CPU_FREQ", value, sizeof(value), where) &&
	    !strcmp(value, "n"))
		return error_set(-ENODEV,
				 "no cpufreq: %s/" CPU
				 "/cpu%d/cpufreq does not exist (CONFIG_CPU_FREQ is not set in %s)",
				 root->path, cpu, where);
	return error_set(-ENODEV,
			 "no cpufreq: %s/" CPU
			 "/cpu%d/cpufreq does not exist (no driver is loaded, the firmware keeps "
			 "the frequency to itself, or this is a guest)",
			 root->path, cpu);
}

static void take_khz(struct cpufreq_khz *to, uint64_t khz)
{
	if (!to->known && khz)
		*to = (struct cpufreq_khz){ .khz = khz, .known = true };
}

static void take_text(char *to, size_t size, const char *from)
{
	if (!to[0] && strlen(from) < size)
		snprintf(to, size, "%s", from);
}

static void take_governor(char to[GOVERNOR_NAME_MAX], const char *from)
{
	if (!to[0] && governor_name_valid(from))
		snprintf(to, GOVERNOR_NAME_MAX, "%.15s", from);
}

static void add_available(struct governor_list *list, const char *name)
{
	if (list->n < GOVERNORS_MAX && governor_name_valid(name))
		snprintf(list->name[list->n++], GOVERNOR_NAME_MAX, "%.15s", name);
}

static int add_library_cpus(struct cpufreq_affected_cpus *first, struct cpulist *list)
{
	int r = 0;

	for (const struct cpufreq_affected_cpus *c = first; c && !r; c = c->next)
		if (!cpulist_has(list, (int)c->cpu))
			r = cpulist_add(list, (int)c->cpu);
	return r;
}

static int read_library(struct cpufreq_settings *s, struct cpulist *related)
{
	unsigned int cpu = (unsigned int)s->cpu;
	struct cpufreq_available_governors *governors = cpufreq_get_available_governors(cpu);
	struct cpufreq_affected_cpus *cpus = cpufreq_get_affected_cpus(cpu);
	struct cpufreq_affected_cpus *all = cpufreq_get_related_cpus(cpu);
	struct cpufreq_policy *policy = cpufreq_get_policy(cpu);
	char *driver = cpufreq_get_driver(cpu);
	unsigned long min, max;
	int r;

	if (driver) {
		take_text(s->driver, sizeof(s->driver), driver);
		cpufreq_put_driver(driver);
	}
	if (policy) {
		take_governor(s->governor, policy->governor);
		take_khz(&s->min, policy->min);
		take_khz(&s->max, policy->max);
		cpufreq_put_policy(policy);
	}
	if (!cpufreq_get_hardware_limits(cpu, &min, &max)) {
		take_khz(&s->hardware_min, min);
		take_khz(&s->hardware_max, max);
	}
	take_khz(&s->now, cpufreq_get_freq_kernel(cpu));
	for (const struct cpufreq_available_governors *g = governors; g; g = g->next)
		add_available(&s->available, g->governor);
	r = add_library_cpus(cpus, &s->cpus);
	if (!r)
		r = add_library_cpus(all, related);
	if (governors)
		cpufreq_put_available_governors(governors);
	if (cpus)
		cpufreq_put_affected_cpus(cpus);
	if (all)
		cpufreq_put_related_cpus(all);
	return r;
}

/* "" when there is no such file or it does not fit. */
static const char *read_word(const struct root *root, const struct cpufreq_settings *s,
			     const char *file, char *text, size_t size)
{
	char path[CPUFREQ_PATH_MAX];

	cpufreq_path(path, s, file);
	if (root_read(root, path, text, size) < 0)
		text[0] = '\0';
	return text;
}

static void read_khz(const struct root *root, const struct cpufreq_settings *s, const char *file,
		     struct cpufreq_khz *ret)
{
	char path[CPUFREQ_PATH_MAX];
	uint64_t khz;

	cpufreq_path(path, s, file);
	if (!ret->known && !root_read_u64(root, path, &khz))
		take_khz(ret, khz);
}

/* A list of CPUs with blanks between, as cpufreq writes it ("0 1 2"). */
static int read_cpus(const struct root *root, const struct cpufreq_settings *s, const char *file,
		     struct cpulist *list)
{
	char text[LIST_MAX], *save = NULL;
	int r = 0;

	if (list->n)
		return 0;
	read_word(root, s, file, text, sizeof(text));
	for (char *word = strtok_r(text, " ", &save); word && !r;
	     word = strtok_r(NULL, " ", &save)) {
		char *end;
		unsigned long cpu = strtoul(word, &end, 10);

		if (*word < '0' || *word > '9' || *end || cpu > CPULIST_MAX_CPU) {
			cpulist_free(list); /* damaged: not available */
			return 0;
		}
		if (!cpulist_has(list, (int)cpu))
			r = cpulist_add(list, (int)cpu);
	}
	return r;
}

/* The N of policyN is the CPU that came first, which may be offline by now. */
static int find_policy(const struct root *root, const struct cpulist *related)
{
	char path[CPUFREQ_PATH_MAX];

	for (size_t i = 0; i < related->n; i++) {
		snprintf(path, sizeof(path), CPU "/cpufreq/policy%d/scaling_governor",
			 related->cpu[i]);
		if (root_exists(root, path))
			return related->cpu[i];
	}
	return -1;
}

static void read_files(const struct root *root, struct cpufreq_settings *s)
{
	char text[LIST_MAX], *save = NULL;

	take_text(s->driver, sizeof(s->driver),
		  read_word(root, s, "scaling_driver", text, sizeof(text)));
	take_governor(s->governor, read_word(root, s, "scaling_governor", text, sizeof(text)));
	take_text(s->epp, sizeof(s->epp),
		  read_word(root, s, "energy_performance_preference", text, sizeof(text)));
	read_khz(root, s, "scaling_min_freq", &s->min);
	read_khz(root, s, "scaling_max_freq", &s->max);
	read_khz(root, s, "cpuinfo_min_freq", &s->hardware_min);
	read_khz(root, s, "cpuinfo_max_freq", &s->hardware_max);
	read_khz(root, s, "scaling_cur_freq", &s->now);
	if (s->available.n)
		return;
	read_word(root, s, "scaling_available_governors", text, sizeof(text));
	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		add_available(&s->available, word);
}

/* What all policies share: the P-state driver's switches. */
static void read_turbo(const struct root *root, struct cpufreq_settings *s)
{
	bool known = false, off = false;
	char path[CPUFREQ_PATH_MAX];
	uint64_t value;

	if (!root_read_u64(root, CPU "/intel_pstate/no_turbo", &value)) {
		known = true;
		off |= value != 0;
	}
	if (!root_read_u64(root, CPU "/cpufreq/boost", &value)) {
		known = true;
		off |= value == 0;
	}
	cpufreq_path(path, s, "boost");
	if (!root_read_u64(root, path, &value)) {
		known = true;
		off |= value == 0;
	}
	if (known)
		strcpy(s->turbo, off ? "off" : "on");
	if (root_read(root, CPU "/intel_pstate/status", s->pstate_status,
		      sizeof(s->pstate_status)) < 0 &&
	    root_read(root, CPU "/amd_pstate/status", s->pstate_status, sizeof(s->pstate_status)) <
		    0)
		s->pstate_status[0] = '\0';
	/* Intel's two drivers offer a preference with HWP only. */
	if (!strcmp(s->driver, "intel_pstate") || !strcmp(s->driver, "intel_cpufreq"))
		strcpy(s->hwp, s->epp[0] ? "on" : "off");
}

int cpufreq_read(const struct root *root, int cpu, struct cpufreq_settings *ret)
{
	struct cpufreq_settings s = { .cpu = cpu, .policy = -1 };
	struct cpulist related = { 0 };
	char path[CPUFREQ_PATH_MAX];
	int r = 0;

	snprintf(path, sizeof(path), CPU "/cpu%d/cpufreq/scaling_governor", cpu);
	if (!root_exists(root, path)) {
		snprintf(path, sizeof(path), CPU "/cpu%d/cpufreq/scaling_driver", cpu);
		if (!root_exists(root, path))
			return cpufreq_none(root, cpu);
	}
	if (root->live)
		r = read_library(&s, &related);
	if (!r)
		r = read_cpus(root, &s, "affected_cpus", &s.cpus);
	if (!r)
		r = read_cpus(root, &s, "related_cpus", &related);
	/* A dump without either list: each CPU stands for itself. */
	if (!r && !cpulist_has(&s.cpus, cpu))
		r = cpulist_add(&s.cpus, cpu);
	if (!r && !cpulist_has(&related, cpu))
		r = cpulist_add(&related, cpu);
	if (!r)
		s.policy = find_policy(root, &related);
	cpulist_free(&related);
	if (r) {
		cpulist_free(&s.cpus);
		return error_set(r, "out of memory");
	}
	cpulist_sort(&s.cpus);
	read_files(root, &s);
	read_turbo(root, &s);
	error_clear(); /* of the files that are missing */
	*ret = s;
	return 0;
}

void cpufreq_settings_free(struct cpufreq_settings *settings)
{
	cpulist_free(&settings->cpus);
}

static bool is_covered(const struct cpufreq_policies *policies, int cpu)
{
	for (size_t i = 0; i < policies->n; i++)
		if (cpulist_has(&policies->policy[i].cpus, cpu))
			return true;
	return false;
}

int cpufreq_policies(const struct root *root, struct cpufreq_policies *ret)
{
	struct cpufreq_policies policies = { 0 };
	struct cpulist online;
	char text[LIST_MAX];
	int r = root_read(root, ONLINE, text, sizeof(text));

	if (r >= 0) {
		r = cpulist_parse(text, &online);
		if (r)
			r = error_prefix(error_set(-EBADMSG, "not a list of CPUs"), "%s/" ONLINE,
					 root->path);
	}
	if (r)
		return r;
	policies.policy = calloc(online.n + 1, sizeof(*policies.policy));
	if (!policies.policy)
		r = error_no_memory();
	for (size_t i = 0; i < online.n && !r; i++) {
		if (is_covered(&policies, online.cpu[i]))
			continue;
		r = cpufreq_read(root, online.cpu[i], &policies.policy[policies.n]);
		if (!r)
			policies.n++;
		else if (r == -ENODEV)
			r = 0;
	}
	if (!r && !policies.n)
		r = cpufreq_none(root, online.n ? online.cpu[0] : 0);
	cpulist_free(&online);
	if (r)
		cpufreq_policies_free(&policies);
	else
		*ret = policies;
	return r;
}

void cpufreq_policies_free(struct cpufreq_policies *policies)
{
	for (size_t i = 0; i < policies->n; i++)
		cpufreq_settings_free(&policies->policy[i]);
	free(policies->policy);
	*policies = (struct cpufreq_policies){ 0 };
}
