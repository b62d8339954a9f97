/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the machine, one table row or one small function each. What has a reader of its own
 * (cpufreq, QoS, temperature) is written as that one reads it.
 */
#include "hw/host.h"
#include "hw/cpufreq.h"
#include "hw/emulator.h"
#include "hw/governor.h"
#include "hw/kconfig.h"
#include "hw/qos.h"
#include "hw/thermal.h"
#include "lib/error.h"
#include "lib/ini.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 4096
#define CPU "sys/devices/system/cpu"

/* Facts that are the text of one file. */
static const struct {
	const char *key, *path;
} file_fact[] = {
	{ "kernel", "proc/sys/kernel/osrelease" },
	{ "kernel_build", "proc/sys/kernel/version" },
	{ "boot_id", "proc/sys/kernel/random/boot_id" },
	{ "cmdline", "proc/cmdline" },
	{ "cpus_online", CPU "/online" },
	{ "cpus_present", CPU "/present" },
	{ "cpus_isolated", CPU "/isolated" },
	{ "cpus_nohz_full", CPU "/nohz_full" },
	{ "smt", CPU "/smt/control" },
	{ "clocksource", "sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ "c1_demotion", CPU "/cpuidle/intel_c1_demotion" },
	{ "resume_latency_limit_us", CPU "/cpu0/power/pm_qos_resume_latency_us" },
	{ "pstate_status", CPU "/intel_pstate/status" },
	{ "hwp_dynamic_boost", CPU "/intel_pstate/hwp_dynamic_boost" },
	{ "amd_pstate_status", CPU "/amd_pstate/status" },
	{ "guest_halt_poll_ns", "sys/module/haltpoll/parameters/guest_halt_poll_ns" },
	{ "guest_halt_poll_shrink", "sys/module/haltpoll/parameters/guest_halt_poll_shrink" },
	{ "guest_halt_poll_grow", "sys/module/haltpoll/parameters/guest_halt_poll_grow" },
	{ "guest_halt_poll_grow_start",
	  "sys/module/haltpoll/parameters/guest_halt_poll_grow_start" },
	{ "guest_halt_poll_allow_shrink",
	  "sys/module/haltpoll/parameters/guest_halt_poll_allow_shrink" },
	{ "vendor", "sys/class/dmi/id/sys_vendor" },
	{ "product", "sys/class/dmi/id/product_name" },
};

/* Length of the piece of @value that fits, cut at the last blank when there is one. */
static size_t piece_length(const char *value, size_t room)
{
	size_t length = strlen(value), cut;

	if (length <= room)
		return length;
	for (cut = room; cut > 0 && value[cut] != ' '; cut--)
		;
	return cut ? cut : room;
}

/* A byte that cannot stand in an INI value; a ';' behind a blank would begin a comment. */
static char clean_byte(char byte, char before)
{
	if (byte == '\n' || byte == '\t')
		return ' ';
	if (iscntrl((unsigned char)byte) || (byte == ';' && before == ' '))
		return '?';
	return byte;
}

static void put(FILE *out, const char *key, const char *value)
{
	char clean[TEXT_MAX];
	const char *rest = clean;
	size_t n = 0, length;

	while (isspace((unsigned char)*value))
		value++;
	for (; *value && n < sizeof(clean) - 1; value++, n++)
		clean[n] = clean_byte(*value, n ? clean[n - 1] : ' ');
	clean[n] = '\0';
	for (int part = 1; *rest; part++) {
		char name[64];

		snprintf(name, sizeof(name), part > 1 ? "%.40s%d" : "%.40s", key, part);
		length = piece_length(rest, INI_LINE_MAX - strlen(name) - 3);
		fprintf(out, "%s = %.*s\n", name, (int)length, rest);
		rest += length;
		while (*rest == ' ')
			rest++;
	}
}

static void put_u64(FILE *out, const char *key, uint64_t value)
{
	fprintf(out, "%s = %" PRIu64 "\n", key, value);
}

static void put_files(const struct root *root, FILE *out)
{
	char text[TEXT_MAX];

	for (size_t i = 0; i < sizeof(file_fact) / sizeof(file_fact[0]); i++)
		if (root_read(root, file_fact[i].path, text, sizeof(text)) > 0 &&
		    strcmp(text, "(null)")) /* 6.1's nohz_full where none is */
			put(out, file_fact[i].key, text);
}

/* The first @size - 1 bytes of a file that may be larger; "" when unreadable. */
static void read_head(const struct root *root, const char *path, char *text, size_t size)
{
	int fd = root_open_file(root, path, O_RDONLY);
	ssize_t got = 0, more = 1;

	while (fd >= 0 && more > 0 && (size_t)got < size - 1) {
		more = read(fd, text + got, size - 1 - (size_t)got);
		got += more > 0 ? more : 0;
	}
	if (fd >= 0)
		close(fd);
	text[got] = '\0';
}

/* The value of "key : value" in the text of /proc/cpuinfo or /proc/meminfo. */
static bool colon_value(const char *text, const char *key, char *value, size_t size)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length))
			continue;
		line += length;
		line += strspn(line, " \t");
		if (*line != ':')
			continue;
		line++;
		line += strspn(line, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
		return value[0];
	}
	return false;
}

static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Model, microcode, and what the flags tell: hypervisor and HWP. */
static void put_processor(const struct root *root, FILE *out)
{
	char cpuinfo[TEXT_MAX * 2], value[TEXT_MAX];

	read_head(root, "proc/cpuinfo", cpuinfo, sizeof(cpuinfo));
	if (colon_value(cpuinfo, "model name", value, sizeof(value)) ||
	    colon_value(cpuinfo, "cpu", value, sizeof(value)) ||
	    root_read(root, "sys/firmware/devicetree/base/model", value, sizeof(value)) > 0)
		put(out, "model", value);
	if (colon_value(cpuinfo, "cpu family", value, sizeof(value)))
		put(out, "family", value);
	if (colon_value(cpuinfo, "model", value, sizeof(value)))
		put(out, "model_number", value);
	if (colon_value(cpuinfo, "stepping", value, sizeof(value)))
		put(out, "stepping", value);
	if (colon_value(cpuinfo, "microcode", value, sizeof(value)))
		put(out, "microcode", value);
	if (root_read(root, "sys/hypervisor/type", value, sizeof(value)) > 0) {
		put(out, "hypervisor", value);
	} else if (colon_value(cpuinfo, "flags", value, sizeof(value))) {
		put(out, "hypervisor", has_word(value, "hypervisor") ? "yes" : "no");
		put(out, "hwp", has_word(value, "hwp") ? "yes" : "no");
	}
	if (emulator_name(root)) {
		snprintf(value, sizeof(value), "%s: timing is not a measurement",
			 emulator_name(root));
		put(out, "emulated", value);
	}
}

static void put_kernel_config(const struct root *root, FILE *out)
{
	char value[64];

	if (!kconfig_get(root, "CONFIG_HZ", value, sizeof(value), NULL))
		put(out, "hz", value);
	if (!kconfig_get(root, "CONFIG_NO_HZ_FULL", value, sizeof(value), NULL) &&
	    !strcmp(value, "y"))
		put(out, "tick", "nohz_full");
	else if (!kconfig_get(root, "CONFIG_NO_HZ_IDLE", value, sizeof(value), NULL) &&
		 !strcmp(value, "y"))
		put(out, "tick", "nohz_idle");
	else if (!kconfig_get(root, "CONFIG_HZ_PERIODIC", value, sizeof(value), NULL) &&
		 !strcmp(value, "y"))
		put(out, "tick", "periodic");
}

static void put_cpuidle(const struct root *root, FILE *out)
{
	char text[GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 1)] = "", name[64];
	struct governor_list list;
	size_t used = 0;

	if (!governor_driver(root, name, sizeof(name)) && name[0])
		put(out, "idle_driver", name);
	if (!governor_available(root, &list)) {
		for (int i = 0; i < list.n; i++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
						 i ? " " : "", list.name[i]);
		put(out, "governors", text);
	}
	if (!governor_current(root, name))
		put(out, "governor", name);
}

static void put_khz(FILE *out, const char *key, const struct cpufreq_khz *khz)
{
	if (khz->known)
		put_u64(out, key, khz->khz);
}

static void put_text(FILE *out, const char *key, const char *value)
{
	if (value[0])
		put(out, key, value);
}

/* Key by key the first policy, and all of them in a line. */
static void put_cpufreq(const struct root *root, FILE *out)
{
	const struct cpufreq_settings *first;
	struct cpufreq_policies policies;
	char *all;

	if (cpufreq_policies(root, &policies))
		return;
	first = policies.policy;
	put_text(out, "energy_performance_preference", first->epp);
	put_text(out, "turbo", first->turbo);
	put_text(out, "cpufreq_driver", first->driver);
	put_text(out, "cpufreq_governor", first->governor);
	put_khz(out, "cpufreq_min_khz", &first->min);
	put_khz(out, "cpufreq_max_khz", &first->max);
	put_khz(out, "cpufreq_hardware_min_khz", &first->hardware_min);
	put_khz(out, "cpufreq_hardware_max_khz", &first->hardware_max);
	all = cpufreq_describe(&policies);
	if (all)
		put(out, "cpufreq", all);
	free(all);
	cpufreq_policies_free(&policies);
}

/* The devices' limits, and the tightest of the CPUs' own. */
static void put_limits(const struct root *root, const struct cpulist *cpus, FILE *out)
{
	char text[16], where[QOS_WHERE_MAX];
	struct qos_limit limit;
	struct qos qos;

	if (qos_read(root, cpus, &qos))
		return;
	put_text(out, "latency_limit_us", qos_limit_text(&qos.dma, text));
	put_text(out, "wakeup_latency_limit_us", qos_limit_text(&qos.wakeup, text));
	limit = qos_smallest_of_all(&qos, where);
	put_text(out, "smallest_latency_limit_us", qos_limit_text(&limit, text));
	put_text(out, "smallest_latency_limit_in", where);
	qos_free(&qos);
}

static void put_heat(const struct root *root, const struct cpulist *cpus, FILE *out)
{
	struct thermal_throttle *throttle = calloc(cpus->n + 1, sizeof(*throttle)), most = { 0 };
	struct thermal thermal;
	int mc;

	if (!thermal_find(root, &thermal)) {
		if (thermal_hottest(root, &thermal, &mc))
			fprintf(out, "package_temperature_mc = %d\n", mc);
		thermal_free(&thermal);
	}
	if (!throttle)
		return;
	thermal_read_throttle(root, cpus, throttle);
	for (size_t i = 0; i < cpus->n; i++) {
		if (throttle[i].core.known && throttle[i].core.value >= most.core.value)
			most.core = throttle[i].core;
		if (throttle[i].package.known && throttle[i].package.value >= most.package.value)
			most.package = throttle[i].package;
	}
	free(throttle);
	if (most.core.known)
		put_u64(out, "core_throttle_count", most.core.value);
	if (most.package.known)
		put_u64(out, "package_throttle_count", most.package.value);
}

/* What is to be asked of each CPU that is online. */
static void put_cpus(const struct root *root, FILE *out)
{
	struct cpulist online = { 0 };
	char text[TEXT_MAX];

	if (root_read(root, CPU "/online", text, sizeof(text)) > 0 && cpulist_parse(text, &online))
		return;
	put_limits(root, &online, out);
	put_heat(root, &online, out);
	cpulist_free(&online);
}

static void put_load_and_memory(const struct root *root, FILE *out)
{
	char text[TEXT_MAX], value[64];

	if (root_read(root, "proc/loadavg", text, sizeof(text)) > 0) {
		text[strcspn(text, " ")] = '\0';
		put(out, "load1", text);
	}
	read_head(root, "proc/meminfo", text, sizeof(text));
	if (colon_value(text, "MemTotal", value, sizeof(value))) {
		value[strcspn(value, " ")] = '\0';
		put(out, "memory_kib", value);
	}
}

int host_write(const struct root *root, FILE *out)
{
	fputs("[host]\n", out);
	put_files(root, out);
	put_processor(root, out);
	put_kernel_config(root, out);
	put_cpuidle(root, out);
	put_cpufreq(root, out);
	put_cpus(root, out);
	put_load_and_memory(root, out);
	error_clear(); /* of the facts that are missing */
	if (fflush(out) || ferror(out))
		return error_set(-EIO, "host facts cannot be written: %s", strerror(errno));
	return 0;
}

int host_boot_name(const struct root *root, char *text, size_t size)
{
	char release[128], id[64];
	int code;

	code = root_read(root, "proc/sys/kernel/osrelease", release, sizeof(release));
	if (code <= 0 && root->live)
		return code ? code : error_set(-ENOENT, "/proc/sys/kernel/osrelease is empty");
	if (code <= 0)
		snprintf(release, sizeof(release), "unknown");
	/* The name becomes a folder's. */
	for (char *c = release; *c; c++)
		if (*c == '/' || isspace((unsigned char)*c) || (c == release && *c == '.'))
			*c = '_';
	code = root_read(root, "proc/sys/kernel/random/boot_id", id, sizeof(id));
	if (code < 0 && root->live)
		return code;
	if (code < 8 || strspn(id, "0123456789abcdef") < 8)
		snprintf(id, sizeof(id), "unknown");
	else
		id[8] = '\0';
	code = snprintf(text, size, "%s+%s", release, id);
	if ((size_t)code >= size)
		return error_set(-ENAMETOOLONG, "kernel release %s is too long", release);
	return 0;
}

int host_cpu_jiffies(const struct root *root, uint64_t *ret_busy, uint64_t *ret_total)
{
	/* user nice system idle iowait irq softirq steal; guest time is part of user already */
	uint64_t value[8] = { 0 }, total = 0;
	char text[1024];
	int got;

	read_head(root, "proc/stat", text, sizeof(text));
	got = sscanf(text,
		     "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		     " %" SCNu64 " %" SCNu64,
		     &value[0], &value[1], &value[2], &value[3], &value[4], &value[5], &value[6],
		     &value[7]);
	if (strncmp(text, "cpu ", 4) || got < 4)
		return error_set(-ENODATA, "%s/proc/stat: no line of all CPUs' times", root->path);
	for (int i = 0; i < 8; i++)
		total += value[i];
	*ret_total = total;
	*ret_busy = total - value[3] - value[4] - value[7];
	return 0;
}
