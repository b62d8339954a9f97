/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake machine of the input's making: host facts, the kernel's configuration, frequency scaling,
 * temperatures and throttling. host.ini must be a file that its readers take.
 */
#include "fuzz.h"
#include "hw/cpufreq.h"
#include "hw/host.h"
#include "hw/kconfig.h"
#include "hw/thermal.h"
#include "lib/ini.h"
#include "tree.h"

#define CPUS 4

static void host(const struct root *root)
{
	char name[256], *text;
	uint64_t busy, total;
	struct ini ini;
	size_t size;
	FILE *out = fuzz_need(open_memstream(&text, &size));
	int err = host_write(root, out);

	fclose(out);
	FUZZ_CHECK(!err);
	FUZZ_CHECK(!ini_load_text("host.ini", text, size, &ini));
	ini_free(&ini);
	free(text);
	err = host_boot_name(root, name, sizeof(name));
	if (err)
		fuzz_check_error(err);
	else
		FUZZ_CHECK(name[0] && name[0] != '.' && !strchr(name, '/'));
	err = host_cpu_jiffies(root, &busy, &total);
	if (err)
		fuzz_check_error(err);
}

static void kconfig(const struct root *root)
{
	char value[64], where[KCONFIG_WHERE_MAX] = "";
	int err = kconfig_get(root, "CONFIG_HZ", value, sizeof(value), where);

	FUZZ_CHECK(!err || err == -ENOENT || err == -ENODATA);
	FUZZ_CHECK(err == -ENODATA || where[0]);
}

static void cpufreq(const struct root *root)
{
	struct cpufreq_settings settings;
	struct cpufreq_policies policies;
	char text[256] = "", *line;
	int err = cpufreq_read(root, 0, &settings);

	if (err) {
		fuzz_check_error(err);
	} else {
		FUZZ_CHECK(settings.cpu == 0 && settings.policy >= -1);
		FUZZ_CHECK(!settings.min.known || settings.min.khz > 0);
		FUZZ_CHECK(settings.available.n >= 0 && settings.available.n <= GOVERNORS_MAX);
		cpufreq_settings_free(&settings);
	}
	err = cpufreq_policies(root, &policies);
	if (err) {
		fuzz_check_error(err);
		return;
	}
	FUZZ_CHECK(policies.n > 0);
	line = fuzz_need(cpufreq_describe(&policies));
	free(line);
	if (cpufreq_confounds(&policies, text, sizeof(text)))
		FUZZ_CHECK(text[0]);
	if (cpufreq_check_governor(root, &policies, "performance"))
		fuzz_check_error(-1);
	if (cpufreq_holds_governor(root, "performance"))
		fuzz_check_error(-1);
	cpufreq_policies_free(&policies);
}

static void heat(const struct root *root)
{
	int cpu[CPUS] = { 0, 1, 2, 3 }, mc;
	struct cpulist cpus = { .cpu = cpu, .n = CPUS };
	struct thermal_throttle first[CPUS], last[CPUS];
	struct thermal thermal;
	char text[128];

	FUZZ_CHECK(!thermal_find(root, &thermal));
	for (size_t i = 0; i < thermal.n; i++)
		if (thermal_read(root, &thermal.sensor[i], &mc))
			fuzz_check_error(-1);
	if (thermal_hottest(root, &thermal, &mc))
		FUZZ_CHECK(mc > -274000 && mc <= 1000000);
	thermal_free(&thermal);
	thermal_read_throttle(root, &cpus, first);
	thermal_read_throttle(root, &cpus, last);
	FUZZ_CHECK(!thermal_throttled(&cpus, first, last, text, sizeof(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);

	host(&tree.root);
	kconfig(&tree.root);
	cpufreq(&tree.root);
	heat(&tree.root);
	tree_end(&tree);
	return 0;
}
