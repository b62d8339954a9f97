/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The RAPL PMU's zones, from its files on fake machines. Nothing is opened there: another machine's
 * PMU cannot be read, and the reason must say so.
 */
#include "machine.h"
#include "hw/energy.h"
#include "hw/energy_private.h"
#include <math.h>
#include <sys/mman.h>

#define PMU "sys/bus/event_source/devices/power/"
#define SCALE "2.3283064365386962890625e-10\n"
#define assert_has(text, part)                                                                     \
	do {                                                                                       \
		if (!(text) || !strstr(text, part))                                                \
			fail_msg("'%s' has no '%s'", (text) ? (text) : "(null)", part);            \
	} while (0)

struct found {
	struct energy energy;
	struct energy_event *event;
};

static void put_event(const struct machine *machine, const char *name, const char *config)
{
	char path[128];

	snprintf(path, sizeof(path), PMU "events/%s", name);
	machine_put(machine, path, config);
	snprintf(path, sizeof(path), PMU "events/%s.scale", name);
	machine_put(machine, path, SCALE);
	snprintf(path, sizeof(path), PMU "events/%s.unit", name);
	machine_put(machine, path, "Joules\n");
}

static struct machine with_pmu(const char *options, const char *cpumask)
{
	struct machine machine = machine_make(options);

	machine_put(&machine, PMU "type", "9\n");
	machine_put(&machine, PMU "cpumask", cpumask);
	put_event(&machine, "energy-pkg", "event=0x02\n");
	return machine;
}

static struct found discover(const struct machine *machine)
{
	struct found f = { .energy = { .root = &machine->root } };

	if (energy_perf_discover(&f.energy, &f.event))
		fail_msg("energy_perf_discover: %s", error_text());
	return f;
}

static void found_free(struct found *f)
{
	while (f->energy.n)
		energy_drop(&f->energy, f->energy.n - 1);
	free(f->energy.item);
	free(f->energy.note);
	free(f->energy.reason);
	free(f->event);
}

static const struct energy_item *item_of(const struct found *f, const char *label, size_t *ret_i)
{
	for (size_t i = 0; i < f->energy.n; i++) {
		if (!strcmp(f->energy.item[i].zone.label, label)) {
			if (ret_i)
				*ret_i = i;
			return &f->energy.item[i];
		}
	}
	fail_msg("no zone '%s'", label);
	return NULL;
}

static void p09_scale_event_and_cpu(void **state)
{
	struct machine machine = with_pmu("--cpus 8", "0\n");
	const struct energy_item *item;
	struct found f;
	size_t i = 0;

	(void)state;
	put_event(&machine, "energy-psys", "event=0x05\n");
	put_event(&machine, "energy-cores", "event=0x01\n");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 3);
	item = item_of(&f, "package-0", &i);
	assert_string_equal(item->zone.place, "power/energy-pkg@cpu0");
	assert_int_equal(f.event[i].type, 9);
	assert_int_equal(f.event[i].config, 2);
	assert_int_equal(item->zone.cpu, 0);
	assert_true(item->zone.endless);
	assert_true(item->zone.in_package);
	/* 2^32 counts are 1 J. */
	assert_true(fabsl(item->uj_per_unit * 4294967296.0L - 1e6L) < 1e-6L);
	item_of(&f, "psys", &i);
	assert_int_equal(f.event[i].config, 5);
	item_of(&f, "core", &i);
	assert_int_equal(f.event[i].config, 1);
	found_free(&f);
	machine_free(&machine);
}

/* 8 CPUs, 2 packages: two counters, not eight. */
static void p09_one_counter_a_package(void **state)
{
	struct machine machine = with_pmu("--cpus 8 --packages 2", "1,4\n");
	struct found f;

	(void)state;
	put_event(&machine, "energy-ram", "event=0x03\n");
	put_event(&machine, "energy-psys", "event=0x05\n");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 5);
	assert_int_equal(item_of(&f, "package-0", NULL)->zone.cpu, 1);
	assert_int_equal(item_of(&f, "package-1", NULL)->zone.cpu, 4);
	assert_int_equal(item_of(&f, "package-1/dram", NULL)->zone.cpu, 4);
	assert_int_equal(item_of(&f, "package-1/dram", NULL)->zone.kind, ZONE_DRAM);
	assert_int_equal(item_of(&f, "psys", NULL)->zone.cpu, 1);
	found_free(&f);
	machine_free(&machine);
}

static void p05_p09_dies_of_one_package(void **state)
{
	struct machine machine = with_pmu("--cpus 4", "0,2\n");
	struct found f;

	(void)state;
	machine_put(&machine, "sys/devices/system/cpu/cpu0/topology/die_id", "0\n");
	machine_put(&machine, "sys/devices/system/cpu/cpu2/topology/die_id", "1\n");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 2);
	assert_int_equal(item_of(&f, "package-0-die-0", NULL)->zone.kind, ZONE_DIE);
	assert_true(item_of(&f, "package-0-die-1", NULL)->zone.in_package);
	found_free(&f);
	machine_free(&machine);
}

static void p09_without_topology(void **state)
{
	struct machine machine = with_pmu("--cpus 4 --no-topology", "0,2\n");
	struct found f = discover(&machine);

	(void)state;
	assert_int_equal(f.energy.n, 2);
	assert_int_equal(item_of(&f, "package-0", NULL)->zone.cpu, 0);
	assert_int_equal(item_of(&f, "package-1", NULL)->zone.cpu, 2);
	found_free(&f);
	machine_free(&machine);
}

static void p09_odd_events_are_told_and_left_out(void **state)
{
	struct machine machine = with_pmu("--cpus 1", "0\n");
	struct found f;

	(void)state;
	put_event(&machine, "energy-ram", "umask=0x03\n");
	put_event(&machine, "energy-gpu", "event=0x1ff\n");
	put_event(&machine, "energy-cores", "event=0x01\n");
	machine_put(&machine, PMU "events/energy-cores.unit", "Furlongs\n");
	put_event(&machine, "energy-psys", "event=0x05\n");
	machine_put(&machine, PMU "events/energy-psys.scale", "-1\n");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 1);
	assert_has(f.energy.note, "power/energy-ram is not read");
	assert_has(f.energy.note, "power/energy-gpu is not read");
	assert_has(f.energy.note, "'Furlongs' is not Joules");
	assert_has(f.energy.note, "'-1' is not a scale");
	found_free(&f);
	machine_free(&machine);
}

static void p09_missing_scale_is_not_one(void **state)
{
	struct machine machine = with_pmu("--cpus 1", "0\n");
	struct found f;

	(void)state;
	machine_remove(&machine, PMU "events/energy-pkg.scale");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 0);
	assert_has(f.energy.note, "energy-pkg.scale");
	found_free(&f);
	machine_free(&machine);
}

/* The msr PMU is there on every x86 and cannot read RAPL. */
static void p09_msr_is_not_rapl(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct energy *energy;

	(void)state;
	machine_put(&machine, "sys/bus/event_source/devices/msr/type", "8\n");
	assert_int_equal(energy_open(&machine.root, ENERGY_PERF, &energy), 0);
	assert_int_equal(energy_zones(energy), 0);
	assert_string_equal(energy_reason(energy), "no RAPL PMU on this machine");
	energy_close(energy);
	machine_free(&machine);
}

static void p09_broken_cpumask_is_a_reason(void **state)
{
	struct machine machine = with_pmu("--cpus 1", "zero\n");
	struct energy *energy;

	(void)state;
	assert_int_equal(energy_open(&machine.root, ENERGY_PERF, &energy), 0);
	assert_int_equal(energy_zones(energy), 0);
	assert_has(energy_reason(energy), "cpumask");
	energy_close(energy);
	machine_free(&machine);
}

static void p11_cores_of_amd_are_left_alone(void **state)
{
	struct machine machine = with_pmu("--cpus 4", "0\n");
	struct found f;

	(void)state;
	machine_put(&machine, "sys/bus/event_source/devices/power_core/type", "12\n");
	machine_put(&machine, "sys/bus/event_source/devices/power_core/cpumask", "0-3\n");
	f = discover(&machine);
	assert_int_equal(f.energy.n, 1);
	assert_has(f.energy.note, "power_core is not read");
	found_free(&f);
	machine_free(&machine);
}

static void p08_a_dumps_pmu_is_not_read(void **state)
{
	struct machine machine = with_pmu("--cpus 1", "0\n");
	struct energy *energy;

	(void)state;
	assert_int_equal(energy_open(&machine.root, ENERGY_AUTO, &energy), 0);
	assert_int_equal(energy_zones(energy), 0);
	assert_has(energy_reason(energy), "a dumped machine's RAPL PMU cannot be read");
	energy_close(energy);
	machine_free(&machine);
}

static void p08_refusal_names_the_ways_out(void **state)
{
	struct machine machine = machine_make(NULL);
	struct energy energy = { .root = &machine.root };

	(void)state;
	machine_put(&machine, "proc/sys/kernel/perf_event_paranoid", "2\n");
	machine.root.live = true;
	assert_int_equal(energy_perf_explain(&energy, true, -EACCES), 0);
	assert_string_equal(energy.reason,
			    "the RAPL PMU: Permission denied: run as root, or set "
			    "kernel.perf_event_paranoid (now 2) to 0 or less, or have CAP_PERFMON");
	assert_int_equal(energy_perf_explain(&energy, true, -ENODEV), 0);
	assert_string_equal(energy.reason, "the RAPL PMU: No such device");
	free(energy.reason);
	machine_free(&machine);
}

/* What the kernel hands out is 8 bytes in units of 2^-32 J; nothing (the CPU went) is not 0. */
static void p09_counts_become_microjoules(void **state)
{
	static const uint64_t count[] = { 0, UINT64_C(163) << 32, UINT64_C(1) << 62 };
	static const uint64_t uj[] = { 0, 163000000, UINT64_C(1073741824000000) };
	struct energy energy = { 0 };
	struct energy_item *item = energy_add(&energy);
	struct energy_reading reading;

	(void)state;
	assert_non_null(item);
	item->binary = true;
	item->uj_per_unit = 2.3283064365386962890625e-10L * 1e6L;
	item->fd = memfd_create("counter", MFD_CLOEXEC);
	assert_true(item->fd >= 0);
	for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
		assert_int_equal(pwrite(item->fd, &count[i], sizeof(count[i]), 0),
				 sizeof(count[i]));
		assert_int_equal(lseek(item->fd, 0, SEEK_SET), 0);
		energy_read(&energy, &reading);
		assert_true(reading.known);
		assert_true(reading.uj == uj[i]);
	}
	energy_read(&energy, &reading);
	assert_false(reading.known);
	assert_int_equal(reading.err, -EIO);
	energy_drop(&energy, 0);
	free(energy.item);
}

/* A guest's PMU may have psys only: no package power, and that is said. */
static void p10_no_package_event(void **state)
{
	struct machine machine = with_pmu("--cpus 1", "0\n");
	struct energy *energy;

	(void)state;
	machine_remove(&machine, PMU "events");
	put_event(&machine, "energy-psys", "event=0x05\n");
	assert_int_equal(energy_open(&machine.root, ENERGY_PERF, &energy), 0);
	assert_has(energy_reason(energy), "no package event");
	energy_close(energy);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p09_scale_event_and_cpu),
		cmocka_unit_test(p09_one_counter_a_package),
		cmocka_unit_test(p05_p09_dies_of_one_package),
		cmocka_unit_test(p09_without_topology),
		cmocka_unit_test(p09_odd_events_are_told_and_left_out),
		cmocka_unit_test(p09_missing_scale_is_not_one),
		cmocka_unit_test(p09_msr_is_not_rapl),
		cmocka_unit_test(p09_broken_cpumask_is_a_reason),
		cmocka_unit_test(p11_cores_of_amd_are_left_alone),
		cmocka_unit_test(p08_a_dumps_pmu_is_not_read),
		cmocka_unit_test(p08_refusal_names_the_ways_out),
		cmocka_unit_test(p09_counts_become_microjoules),
		cmocka_unit_test(p10_no_package_event),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
