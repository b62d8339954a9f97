/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the machine, one table row or one small function each. The cpufreq facts of the live
 * machine come through libcpupower; those of a dumped one from its files, which libcpupower cannot
 * read.
 */
#include "hw/host.h"
#include "hw/governor.h"
#include "hw/kconfig.h"
#include "lib/error.h"
#include "lib/ini.h"
#include <cpufreq.h>
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
#define CPUFREQ CPU "/cpu0/cpufreq"
#define NO_LIMIT_US 2000000000 /* PM_QOS_CPU_LATENCY_DEFAULT_VALUE: nobody set one */

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
	{ "energy_performance_preference", CPUFREQ "/energy_performance_preference" },
	{ "core_throttle_count", CPU "/cpu0/thermal_throttle/core_throttle_count" },
	{ "package_throttle_count", CPU "/cpu0/thermal_throttle/package_throttle_count" },
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
		if (root_read(root, file_fact[i].path, text, sizeof(text)) > 0)
			put(out, file_fact[i].key, text);
}

/* The first @size - 1 bytes of a file that may be larger; "" when unreadable. */
static void read_head(const struct root *root, const char *path, char *text, size_t size)
{
	int fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);
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

/* Turbo, whoever drives it: intel_pstate's no_turbo, else the generic boost switch. */
static void put_turbo(const struct root *root, FILE *out)
{
	uint64_t value;

	if (!root_read_u64(root, CPU "/intel_pstate/no_turbo", &value))
		put(out, "turbo", value ? "off" : "on");
	else if (!root_read_u64(root, CPU "/cpufreq/boost", &value))
		put(out, "turbo", value ? "on" : "off");
}

static void put_cpufreq_live(FILE *out)
{
	struct cpufreq_policy *policy = cpufreq_get_policy(0);
	unsigned long min_khz, max_khz;
	char *driver = cpufreq_get_driver(0);

	if (driver) {
		put(out, "cpufreq_driver", driver);
		cpufreq_put_driver(driver);
	}
	if (policy) {
		put(out, "cpufreq_governor", policy->governor);
		put_u64(out, "cpufreq_min_khz", policy->min);
		put_u64(out, "cpufreq_max_khz", policy->max);
		cpufreq_put_policy(policy);
	}
	if (!cpufreq_get_hardware_limits(0, &min_khz, &max_khz)) {
		put_u64(out, "cpufreq_hardware_min_khz", min_khz);
		put_u64(out, "cpufreq_hardware_max_khz", max_khz);
	}
}

static void put_cpufreq_files(const struct root *root, FILE *out)
{
	static const struct {
		const char *key, *path;
	} fact[] = {
		{ "cpufreq_driver", CPUFREQ "/scaling_driver" },
		{ "cpufreq_governor", CPUFREQ "/scaling_governor" },
		{ "cpufreq_min_khz", CPUFREQ "/scaling_min_freq" },
		{ "cpufreq_max_khz", CPUFREQ "/scaling_max_freq" },
		{ "cpufreq_hardware_min_khz", CPUFREQ "/cpuinfo_min_freq" },
		{ "cpufreq_hardware_max_khz", CPUFREQ "/cpuinfo_max_freq" },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(fact) / sizeof(fact[0]); i++)
		if (root_read(root, fact[i].path, text, sizeof(text)) > 0)
			put(out, fact[i].key, text);
}

/* The PM QoS limit, a binary s32; reading the file sets none. */
static void put_latency_limit(const char *key, const char *path, FILE *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int32_t limit;

	if (fd < 0)
		return;
	if (read(fd, &limit, sizeof(limit)) == sizeof(limit)) {
		if (limit == NO_LIMIT_US || limit == INT32_MAX)
			put(out, key, "none");
		else
			fprintf(out, "%s = %" PRId32 "\n", key, limit);
	}
	close(fd);
}

/* The first thermal zone that is a processor package's, in millidegrees. */
static void put_temperature(const struct root *root, FILE *out)
{
	char path[128], type[64];
	uint64_t value;

	for (int zone = 0; zone < 64; zone++) {
		snprintf(path, sizeof(path), "sys/class/thermal/thermal_zone%d/type", zone);
		if (root_read(root, path, type, sizeof(type)) < 0)
			return;
		if (strcmp(type, "x86_pkg_temp"))
			continue;
		snprintf(path, sizeof(path), "sys/class/thermal/thermal_zone%d/temp", zone);
		if (!root_read_u64(root, path, &value))
			put_u64(out, "package_temperature_mc", value);
		return;
	}
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
	put_turbo(root, out);
	if (root->live)
		put_cpufreq_live(out);
	else
		put_cpufreq_files(root, out);
	if (root->live) {
		put_latency_limit("latency_limit_us", "/dev/cpu_dma_latency", out);
		put_latency_limit("wakeup_latency_limit_us", "/dev/cpu_wakeup_latency", out);
	}
	put_temperature(root, out);
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
