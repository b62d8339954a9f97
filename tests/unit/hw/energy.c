/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding and reading energy zones on fake machines: real machines' powercap trees, their traps,
 * and what may not be read.
 */
#include "machine.h"
#include "hw/energy.h"
#include "hw/energy_math.h"
#include "hw/energy_private.h"
#include <fcntl.h>
#include <math.h>

#define S UINT64_C(1000000000)
#define POWERCAP "sys/devices/virtual/powercap/"
#define RAPL0 POWERCAP "intel-rapl/intel-rapl:0/"
#define AMD_RANGE "65532610987"
#define DRAM_RANGE "65712999613"
#define ZONES_MAX 16
#define assert_near(a, b, by)                                                                      \
	do {                                                                                       \
		double a_ = (a), b_ = (b);                                                         \
		if (!(fabs(a_ - b_) <= (by)))                                                      \
			fail_msg("%.10g is not %.10g", a_, b_);                                    \
	} while (0)
#define assert_has(text, part)                                                                     \
	do {                                                                                       \
		if (!(text) || !strstr(text, part))                                                \
			fail_msg("'%s' has no '%s'", (text) ? (text) : "(null)", part);            \
	} while (0)

/* A machine made with options of make-machine (NULL: an empty folder) and zones of make-rapl. */
static struct machine rapl(const char *options, const char *zones)
{
	struct machine machine = machine_make(options);
	char command[1024];

	snprintf(command, sizeof(command), "tests/machines/make-rapl %s %s", machine.dir, zones);
	assert_int_equal(system(command), 0);
	return machine;
}

static struct energy *open_source(const struct machine *machine, enum energy_source source)
{
	struct energy *energy = NULL;

	if (energy_open(&machine->root, source, &energy))
		fail_msg("energy_open: %s", error_text());
	assert_true(energy_zones(energy) <= ZONES_MAX);
	return energy;
}

static struct energy *open_auto(const struct machine *machine)
{
	return open_source(machine, ENERGY_AUTO);
}

/* Position of the zone with that label; fails without it. */
static size_t zone_at(const struct energy *energy, const char *label)
{
	for (size_t i = 0; i < energy_zones(energy); i++)
		if (!strcmp(energy_zone(energy, i)->label, label))
			return i;
	fail_msg("no zone '%s'", label);
	return 0;
}

static const struct energy_zone *zone_of(const struct energy *energy, const char *label)
{
	return energy_zone(energy, zone_at(energy, label));
}

/* Reads all zones as if it were @t_ns. */
static void read_at(const struct energy *energy, uint64_t t_ns, struct energy_reading *ret)
{
	energy_read(energy, ret);
	for (size_t i = 0; i < energy_zones(energy); i++)
		ret[i].t_ns = t_ns;
}

static void p01_every_zone_has_its_own_range(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,262143000000,262143328850 "
					    "intel-rapl:0:0=dram,65712000000," DRAM_RANGE);
	struct energy *energy = open_auto(&machine);
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	size_t package = zone_at(energy, "package-0"), dram = zone_at(energy, "dram");
	uint64_t uj;

	(void)state;
	read_at(energy, 0, first);
	machine_put(&machine, RAPL0 "energy_uj", "500000\n");
	machine_put(&machine, RAPL0 "intel-rapl:0:0/energy_uj", "500000\n");
	read_at(energy, 10 * S, last);
	assert_int_equal(
		energy_delta(energy_zone(energy, package), &first[package], &last[package], &uj),
		0);
	assert_int_equal(uj, 828850);
	assert_int_equal(energy_delta(energy_zone(energy, dram), &first[dram], &last[dram], &uj),
			 0);
	assert_int_equal(uj, 1499613);
	energy_close(energy);
	machine_free(&machine);
}

static void p02_ceiling_from_the_zone(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,1,262143328850,15000000 "
					    "intel-rapl:1=package-1,1," AMD_RANGE
					    " intel-rapl:2=package-2,1,262143328850,4095000000");
	struct energy *energy;

	(void)state;
	/* A laptop's second limit lies above twice the first one's maximum. */
	machine_put(&machine, RAPL0 "constraint_1_max_power_uw", "0\n");
	machine_put(&machine, RAPL0 "constraint_1_power_limit_uw", "44000000\n");
	energy = open_auto(&machine);
	assert_near(zone_of(energy, "package-0")->ceiling_w, 88, 1e-9);
	assert_near(zone_of(energy, "package-1")->ceiling_w, 2000, 1e-9);
	assert_near(zone_of(energy, "package-2")->ceiling_w, 2000, 1e-9);
	assert_near((double)energy_zone_period_ns(zone_of(energy, "package-0")) / 1e9, 1489.4, 1);
	energy_close(energy);
	machine_free(&machine);
}

static void p03_missing_range_is_told(void **state)
{
	struct machine machine =
		rapl(NULL, "intel-rapl:0=package-0,500,- intel-rapl:1=package-1,500,0");
	struct energy *energy = open_auto(&machine);
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;

	(void)state;
	assert_int_equal(zone_of(energy, "package-0")->range_uj, 0);
	assert_int_equal(zone_of(energy, "package-1")->range_uj, 0);
	assert_has(energy_note(energy), "package-0: max_energy_range_uj is missing or 0");
	assert_has(energy_note(energy), "package-1: max_energy_range_uj is missing or 0");
	assert_null(energy_reason(energy));
	read_at(energy, 0, first);
	machine_put(&machine, RAPL0 "energy_uj", "400\n");
	read_at(energy, 10 * S, last);
	assert_int_equal(energy_package(energy, first, last, &power), -ERANGE);
	assert_error_has("package-0");
	energy_close(energy);
	machine_free(&machine);
}

/* Package 3.93 W with core, uncore, psys 9.61 W and an mmio twin of 3.78 W stays 3.93 W. */
static void p05_package_power_is_the_package_alone(void **state)
{
	struct machine machine = rapl(
		NULL, "intel-rapl-mmio:0=package-0,0 intel-rapl:0=psys,0 intel-rapl:1=package-0,0 "
		      "intel-rapl:1:0=core,0 intel-rapl:1:1=uncore,0");
	struct energy *energy = open_auto(&machine);
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;

	(void)state;
	read_at(energy, 0, first);
	machine_put(&machine, POWERCAP "intel-rapl/intel-rapl:0/energy_uj", "96100000\n");
	machine_put(&machine, POWERCAP "intel-rapl/intel-rapl:1/energy_uj", "39300000\n");
	machine_put(&machine, POWERCAP "intel-rapl/intel-rapl:1/intel-rapl:1:0/energy_uj",
		    "8400000\n");
	machine_put(&machine, POWERCAP "intel-rapl-mmio/intel-rapl-mmio:0/energy_uj", "37800000\n");
	read_at(energy, 10 * S, last);
	assert_int_equal(energy_package(energy, first, last, &power), 0);
	assert_near(power.watts, 3.93, 1e-9);
	assert_near(power.joules, 39.3, 1e-9);
	assert_near(power.seconds, 10, 1e-9);
	assert_int_equal(zone_of(energy, "psys")->kind, ZONE_PSYS);
	assert_false(zone_of(energy, "psys")->in_package);
	energy_close(energy);
	machine_free(&machine);
}

static void p05_dies_are_summed_unless_the_package_is(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0-die-0 "
					    "intel-rapl:1=package-0-die-1 intel-rapl:2=package-1 "
					    "intel-rapl:3=package-1-die-0");
	struct energy *energy = open_auto(&machine);

	(void)state;
	assert_true(zone_of(energy, "package-0-die-0")->in_package);
	assert_true(zone_of(energy, "package-0-die-1")->in_package);
	assert_int_equal(zone_of(energy, "package-0-die-1")->kind, ZONE_DIE);
	assert_true(zone_of(energy, "package-1")->in_package);
	assert_false(zone_of(energy, "package-1-die-0")->in_package);
	energy_close(energy);
	machine_free(&machine);
}

/* Two packages, 1,795.02 s, each of which wraps: 292,955.1 J = 163.2 W, not 30,811.1 J. */
static void p05_two_packages(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,262000000000,,70000000 "
					    "intel-rapl:1=package-1,1000000000,,70000000");
	struct energy *energy = open_auto(&machine);
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;

	(void)state;
	read_at(energy, 0, first);
	machine_put(&machine, RAPL0 "energy_uj", "146333671150\n");
	machine_put(&machine, POWERCAP "intel-rapl/intel-rapl:1/energy_uj", "147478100000\n");
	read_at(energy, UINT64_C(1795020000000), last);
	if (energy_package(energy, first, last, &power))
		fail_msg("energy_package: %s", error_text());
	assert_near(power.joules, 292955.1, 0.05);
	assert_near(power.watts, 163.2, 0.05);
	assert_near(power.seconds, 1795.02, 1e-6);
	energy_close(energy);
	machine_free(&machine);
}

/* i7-8550U. */
static void p06_flat_and_nested_is_one_zone(void **state)
{
	struct machine machine =
		rapl(NULL, "intel-rapl:0=package-0 intel-rapl:0:0=core intel-rapl:0:1=uncore "
			   "intel-rapl:0:2=dram intel-rapl:1=psys intel-rapl-mmio:0=package-0");
	struct energy *energy = open_auto(&machine);

	(void)state;
	assert_int_equal(energy_source(energy), ENERGY_POWERCAP);
	assert_int_equal(energy_zones(energy), 5);
	assert_string_equal(zone_of(energy, "package-0")->place, "intel-rapl:0");
	assert_string_equal(zone_of(energy, "package-0")->path,
			    "sys/devices/virtual/powercap/intel-rapl/intel-rapl:0");
	assert_string_equal(zone_of(energy, "core")->place, "intel-rapl:0:0");
	assert_string_equal(zone_of(energy, "dram")->place, "intel-rapl:0:2");
	assert_has(energy_note(energy), "intel-rapl-mmio:0 repeats package-0 of intel-rapl:0");
	energy_close(energy);
	machine_free(&machine);
}

/* A dump made with cp -L has copies where the kernel has links. */
static void p06_a_dump_without_links(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0 intel-rapl:0:0=core");
	struct energy *energy;
	char command[512];

	(void)state;
	snprintf(command, sizeof(command),
		 "cd %s/sys && rm $(find devices -name subsystem) && cp -rL class copy && "
		 "rm -r class && mv copy class && [ -d class/powercap/intel-rapl/intel-rapl:0 ] && "
		 "[ ! -L class/powercap/intel-rapl:0 ]",
		 machine.dir);
	assert_int_equal(system(command), 0);
	energy = open_auto(&machine);
	assert_int_equal(energy_zones(energy), 2);
	assert_true(zone_of(energy, "package-0")->in_package);
	assert_int_equal(zone_of(energy, "core")->kind, ZONE_CORE);
	assert_string_equal(energy_note(energy), ""); /* a copy is not a twin */
	energy_close(energy);
	machine_free(&machine);
}

static void p06_mmio_alone_is_used(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl-mmio:0=package-0,77");
	struct energy *energy = open_auto(&machine);
	struct energy_reading reading;

	(void)state;
	assert_int_equal(energy_zones(energy), 1);
	energy_read(energy, &reading);
	assert_true(reading.known);
	assert_int_equal(reading.uj, 77);
	assert_string_equal(energy_note(energy), "");
	energy_close(energy);
	machine_free(&machine);
}

/* Sapphire Rapids: psys at index 1, so intel-rapl:2 is package-1; elsewhere 0 is package-1. */
static void p07_number_comes_from_the_name(void **state)
{
	struct machine machine =
		rapl("--cpus 4 --packages 2", "intel-rapl:0=package-1 intel-rapl:1=psys "
					      "intel-rapl:2=package-0 intel-rapl:2:0=dram");
	struct energy *energy = open_auto(&machine);

	(void)state;
	assert_string_equal(zone_of(energy, "package-1")->place, "intel-rapl:0");
	assert_string_equal(zone_of(energy, "package-0")->place, "intel-rapl:2");
	assert_int_equal(zone_of(energy, "package-1")->cpu, 2);
	assert_int_equal(zone_of(energy, "package-0")->cpu, 0);
	assert_int_equal(zone_of(energy, "dram")->cpu, 0);
	assert_int_equal(zone_of(energy, "psys")->cpu, -1);
	energy_close(energy);
	machine_free(&machine);
}

/* Four zones all named "dram" are four rows. */
static void p07_repeated_names_get_their_parent(void **state)
{
	struct machine machine = rapl("--cpus 8 --packages 4",
				      "intel-rapl:0=package-0 intel-rapl:0:0=dram,1," DRAM_RANGE
				      " intel-rapl:1=package-1 intel-rapl:1:0=dram,2," DRAM_RANGE
				      " intel-rapl:2=package-2 intel-rapl:2:0=dram,3," DRAM_RANGE
				      " intel-rapl:3=package-3 intel-rapl:3:0=dram,4," DRAM_RANGE);
	struct energy *energy = open_auto(&machine);
	struct energy_reading reading[ZONES_MAX];

	(void)state;
	assert_int_equal(energy_zones(energy), 8);
	energy_read(energy, reading);
	for (int i = 0; i < 4; i++) {
		char label[32];
		size_t at;

		snprintf(label, sizeof(label), "package-%d/dram", i);
		at = zone_at(energy, label);
		assert_int_equal(energy_zone(energy, at)->kind, ZONE_DRAM);
		assert_int_equal(energy_zone(energy, at)->cpu, 2 * i);
		assert_true(reading[at].known);
		assert_int_equal(reading[at].uj, i + 1);
	}
	energy_close(energy);
	machine_free(&machine);
}

/* Becomes somebody who may not read 0400 files of this test's owner; undone by may_read(). */
static void may_not_read(const struct machine *machine, const char *path)
{
	char whole[512];

	assert_int_equal(chmod(machine->dir, 0755), 0);
	snprintf(whole, sizeof(whole), "%s/%s", machine->dir, path);
	assert_int_equal(chmod(whole, geteuid() ? 0 : 0400), 0);
	if (!geteuid())
		assert_int_equal(seteuid(65534), 0);
}

static void may_read(void)
{
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
}

static void p08_denied_is_told_and_never_zero(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0");
	struct energy_power power;
	struct energy *energy;
	char *text;

	(void)state;
	may_not_read(&machine, RAPL0 "energy_uj");
	energy = open_auto(&machine);
	may_read();
	assert_int_equal(energy_zones(energy), 0);
	assert_int_equal(energy_source(energy), ENERGY_NONE);
	assert_has(energy_reason(energy), "/sys/class/powercap/intel-rapl:0/energy_uj: Permission "
					  "denied: run as root, or use the perf PMU with "
					  "kernel.perf_event_paranoid <= 0");
	assert_int_equal(energy_package(energy, NULL, NULL, &power), -ENODATA);
	assert_error_has("Permission denied");
	text = energy_describe(energy);
	assert_has(text, "none: ");
	free(text);
	energy_close(energy);
	machine_free(&machine);
}

/* One package of two: the sum is unknown, the other one's reading is not. */
static void p08_half_a_machine_is_no_sum(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0 intel-rapl:1=package-1");
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;
	struct energy *energy;

	(void)state;
	machine_remove(&machine, RAPL0 "energy_uj");
	machine_put(&machine, RAPL0 "energy_uj/x", "a folder: opens, but cannot be read");
	energy = open_auto(&machine);
	assert_int_equal(energy_zones(energy), 2);
	assert_has(energy_reason(energy), "intel-rapl:0/energy_uj: Is a directory");
	read_at(energy, 0, first);
	read_at(energy, S, last);
	assert_false(first[zone_at(energy, "package-0")].known);
	assert_int_equal(first[zone_at(energy, "package-0")].err, -EISDIR);
	assert_true(first[zone_at(energy, "package-1")].known);
	assert_int_equal(energy_package(energy, first, last, &power), -ENODATA);
	energy_close(energy);
	machine_free(&machine);
}

/* A package whose counter is not even there stays a zone, unlike a core or a psys without one. */
static void p08_package_without_counter_is_no_sum(void **state)
{
	struct machine machine =
		rapl(NULL, "intel-rapl:0=package-0 intel-rapl:0:0=core,- intel-rapl:1=package-1,- "
			   "intel-rapl:2=psys,- intel-rapl-mmio:0=package-0,-");
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;
	struct energy *energy;
	char *text;

	(void)state;
	energy = open_auto(&machine);
	assert_int_equal(energy_zones(energy), 2);
	assert_true(zone_of(energy, "package-1")->in_package);
	assert_has(energy_reason(energy),
		   "/sys/class/powercap/intel-rapl:1/energy_uj: No such file");
	read_at(energy, 0, first);
	machine_put(&machine, RAPL0 "energy_uj", "101000000\n");
	read_at(energy, 10 * S, last);
	assert_int_equal(first[zone_at(energy, "package-1")].err, -ENOENT);
	assert_true(last[zone_at(energy, "package-0")].known);
	assert_int_equal(energy_package(energy, first, last, &power), -ENODATA);
	assert_error_has("package-1: could not be read");
	text = energy_describe(energy);
	assert_has(text, "no package power: ");
	assert_has(text, "intel-rapl:1/energy_uj");
	free(text);
	energy_close(energy);
	machine_free(&machine);
}

/* No counter at all: no zones, and the reason names the file. */
static void p08_no_counter_at_all_is_no_power(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,-");
	struct energy *energy = open_auto(&machine);

	(void)state;
	assert_int_equal(energy_zones(energy), 0);
	assert_int_equal(energy_source(energy), ENERGY_NONE);
	assert_has(energy_reason(energy), "intel-rapl:0/energy_uj: No such file");
	energy_close(energy);
	machine_free(&machine);
}

static void p08_garbage_and_gone_are_unknown(void **state)
{
	static const char *const garbage[] = {
		"", "\n", "-5\n", "12x\n", "0x10\n", "1 2\n", "18446744073709551616\n"
	};
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,12");
	struct energy *energy = open_auto(&machine);
	struct energy_reading reading;

	(void)state;
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		machine_put(&machine, RAPL0 "energy_uj", garbage[i]);
		energy_read(energy, &reading);
		assert_false(reading.known);
		assert_int_equal(reading.err, -EINVAL);
	}
	machine_put(&machine, RAPL0 "energy_uj", "18446744073709551615\n");
	energy_read(energy, &reading);
	assert_true(reading.known);
	assert_true(reading.uj == UINT64_MAX);
	energy_close(energy);
	machine_free(&machine);
}

static void p08_nothing_there_is_no_error(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct energy *energy = open_auto(&machine);

	(void)state;
	assert_int_equal(energy_zones(energy), 0);
	assert_int_equal(energy_source(energy), ENERGY_NONE);
	assert_has(energy_reason(energy), "no powercap zones on this machine");
	assert_has(energy_reason(energy), "no RAPL PMU on this machine");
	energy_close(energy);
	for (int s = 0; s < ENERGY_SOURCES; s++) {
		energy = open_source(&machine, (enum energy_source)s);
		assert_int_equal(energy_zones(energy), 0);
		assert_non_null(energy_reason(energy));
		energy_close(energy);
	}
	machine_free(&machine);
}

static void p10_a_guests_dummy_is_taken_out(void **state)
{
	struct machine machine =
		rapl(NULL, "intel-rapl:0=package-0,0 intel-rapl:0:0=core,5 intel-rapl:1=psys,5");
	struct energy *energy = open_auto(&machine);
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];

	(void)state;
	read_at(energy, 0, first);
	read_at(energy, S / 2, last);
	assert_int_equal(energy_vet(energy, first, last), -EAGAIN);
	assert_null(energy_reason(energy));
	machine_put(&machine, POWERCAP "intel-rapl/intel-rapl:1/energy_uj", "9000005\n");
	read_at(energy, 2 * S, last);
	assert_int_equal(energy_vet(energy, first, last), 2);
	assert_has(energy_reason(energy), "package-0 (intel-rapl:0): the counter does not advance");
	assert_has(energy_note(energy), "core (intel-rapl:0:0)");
	energy_read(energy, last);
	assert_false(last[zone_at(energy, "package-0")].known);
	assert_false(last[zone_at(energy, "core")].known);
	assert_true(last[zone_at(energy, "psys")].known);
	assert_int_equal(energy_vet(energy, first, last), 0);
	energy_close(energy);
	machine_free(&machine);
}

static void p11_amd_has_intels_names(void **state)
{
	struct machine machine = rapl("--cpus 2", "intel-rapl:0=package-0,65532000000," AMD_RANGE
						  " intel-rapl:0:0=core,65532000000," AMD_RANGE);
	struct energy *energy = open_auto(&machine);
	const struct energy_zone *package = zone_of(energy, "package-0");

	(void)state;
	assert_int_equal(energy_zones(energy), 2);
	assert_true(package->range_uj == UINT64_C(65532610987));
	assert_true(package->in_package);
	assert_false(zone_of(energy, "core")->in_package);
	assert_int_equal(energy_check_period(package, 280, 600 * S), -EINVAL);
	energy_close(energy);
	machine_free(&machine);
}

static void p11_hwmon_only_when_asked(void **state)
{
	struct machine machine = machine_make(NULL);
	struct energy_reading reading[ZONES_MAX];
	struct energy *energy;

	(void)state;
	machine_put(&machine, "sys/class/hwmon/hwmon3/name", "amd_energy\n");
	machine_put(&machine, "sys/class/hwmon/hwmon3/energy1_input", "111\n");
	machine_put(&machine, "sys/class/hwmon/hwmon3/energy1_label", "Ecore000\n");
	machine_put(&machine, "sys/class/hwmon/hwmon3/energy65_input", "222\n");
	machine_put(&machine, "sys/class/hwmon/hwmon3/energy65_label", "Esocket0\n");
	machine_put(&machine, "sys/class/hwmon/hwmon4/energy1_input", "333\n");
	machine_put(&machine, "sys/class/hwmon/hwmon4/in1_input", "444\n");
	energy = open_auto(&machine);
	assert_int_equal(energy_zones(energy), 0);
	energy_close(energy);
	energy = open_source(&machine, ENERGY_HWMON);
	assert_int_equal(energy_zones(energy), 3);
	energy_read(energy, reading);
	assert_int_equal(reading[zone_at(energy, "package-0")].uj, 222);
	assert_int_equal(reading[zone_at(energy, "amd_energy/Ecore000")].uj, 111);
	assert_int_equal(reading[zone_at(energy, "hwmon/energy1")].uj, 333);
	assert_string_equal(zone_of(energy, "package-0")->place, "hwmon3/energy65");
	assert_null(energy_reason(energy));
	energy_close(energy);
	machine_free(&machine);
}

#define BAT "sys/class/power_supply/BAT0/"

static void battery_counts_while_it_discharges(void **state)
{
	struct machine machine = machine_make(NULL);
	struct energy_reading first, last;
	struct energy *energy;
	uint64_t uj;

	(void)state;
	machine_put(&machine, "sys/class/power_supply/AC/type", "Mains\n");
	machine_put(&machine, "sys/class/power_supply/mouse/type", "Battery\n");
	machine_put(&machine, "sys/class/power_supply/mouse/scope", "Device\n");
	machine_put(&machine, "sys/class/power_supply/mouse/energy_now", "1\n");
	machine_put(&machine, BAT "type", "Battery\n");
	machine_put(&machine, BAT "status", "Discharging\n");
	machine_put(&machine, BAT "energy_full", "50000000\n");
	machine_put(&machine, BAT "energy_now", "30000000\n");
	energy = open_source(&machine, ENERGY_BATTERY);
	assert_int_equal(energy_zones(energy), 1);
	assert_has(energy_reason(energy), "whole machine");
	energy_read(energy, &first);
	assert_true(first.known);
	assert_true(first.uj == UINT64_C(20000000) * 3600);
	machine_put(&machine, BAT "energy_now", "29990000\n");
	energy_read(energy, &last);
	first.t_ns = 0;
	last.t_ns = 6 * S;
	assert_int_equal(energy_delta(zone_of(energy, "battery/BAT0"), &first, &last, &uj), 0);
	assert_int_equal(uj, 36000000); /* 10 mWh in 6 s: 6 W */
	machine_put(&machine, BAT "status", "Charging\n");
	energy_read(energy, &last);
	assert_false(last.known);
	machine_put(&machine, BAT "status", "Not charging\n");
	energy_read(energy, &last);
	assert_false(last.known);
	energy_close(energy);
	machine_free(&machine);
}

static void battery_that_tells_charge(void **state)
{
	struct machine machine = machine_make(NULL);
	struct energy_reading reading;
	struct energy *energy;

	(void)state;
	machine_put(&machine, BAT "type", "Battery\n");
	machine_put(&machine, BAT "status", "Discharging\n");
	machine_put(&machine, BAT "charge_full", "4000000\n");
	machine_put(&machine, BAT "charge_now", "3000000\n");
	energy = open_source(&machine, ENERGY_BATTERY);
	assert_int_equal(energy_zones(energy), 0);
	assert_has(energy_note(energy), "voltage_min_design");
	energy_close(energy);
	machine_put(&machine, BAT "voltage_min_design", "11400000\n");
	energy = open_source(&machine, ENERGY_BATTERY);
	energy_read(energy, &reading);
	assert_true(reading.known);
	assert_true(reading.uj == UINT64_C(41040000000)); /* 1 Ah of 11.4 V */
	energy_close(energy);
	machine_free(&machine);
}

static void p13_stamps_are_around_the_read(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0 intel-rapl:1=package-1");
	struct energy *energy = open_auto(&machine);
	struct energy_reading reading[ZONES_MAX];

	(void)state;
	energy_read(energy, reading);
	assert_true(reading[0].t_ns > 0);
	assert_true(reading[0].width_ns > 0);
	assert_true(reading[0].t_ns + reading[0].width_ns / 2 <=
		    reading[1].t_ns - reading[1].width_ns / 2 + 1);
	energy_close(energy);
	machine_free(&machine);
}

static void p14_cpus_that_serve_the_reads(void **state)
{
	struct machine machine = rapl("--cpus 4 --packages 2 --offline 0",
				      "intel-rapl:0=package-0 intel-rapl:0:0=core "
				      "intel-rapl:1=package-1 intel-rapl:2=package-7");
	struct energy *energy = open_auto(&machine);
	struct cpulist cpus;

	(void)state;
	assert_int_equal(zone_of(energy, "package-0")->cpu, 1);
	assert_int_equal(zone_of(energy, "core")->cpu, 1);
	assert_int_equal(zone_of(energy, "package-7")->cpu, -1);
	assert_int_equal(energy_cpus(energy, &cpus), 0);
	assert_int_equal(cpus.n, 2);
	assert_int_equal(cpus.cpu[0], 1);
	assert_int_equal(cpus.cpu[1], 2);
	cpulist_free(&cpus);
	energy_close(energy);
	machine_free(&machine);
}

static void p14_dies_have_their_own_cpu(void **state)
{
	struct machine machine =
		rapl("--cpus 4", "intel-rapl:0=package-0-die-0 intel-rapl:1=package-0-die-1");
	struct energy *energy;

	(void)state;
	machine_put(&machine, "sys/devices/system/cpu/cpu0/topology/die_id", "0\n");
	machine_put(&machine, "sys/devices/system/cpu/cpu1/topology/die_id", "0\n");
	machine_put(&machine, "sys/devices/system/cpu/cpu2/topology/die_id", "1\n");
	energy = open_auto(&machine);
	assert_int_equal(zone_of(energy, "package-0-die-0")->cpu, 0);
	assert_int_equal(zone_of(energy, "package-0-die-1")->cpu, 2);
	energy_close(energy);
	machine_free(&machine);
}

static void p15_source_can_be_described(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0 intel-rapl:0:0=core");
	struct energy *energy = open_auto(&machine);
	char *text = energy_describe(energy);

	(void)state;
	assert_string_equal(text, "package-0 (intel-rapl:0), core (intel-rapl:0:0) by powercap");
	free(text);
	energy_close(energy);
	machine_free(&machine);
}

/* Also where the counters may not be read; both of a package's two interfaces. */
static void p44_power_limits(void **state)
{
	struct machine machine = rapl(NULL, "intel-rapl:0=package-0,-,,15000000 "
					    "intel-rapl:0:0=core intel-rapl-mmio:0=package-0");
	char *text = NULL;

	(void)state;
	assert_int_equal(energy_limits(&machine.root, &text), 0);
	assert_null(text);
	machine_put(&machine, RAPL0 "energy_uj", "1\n");
	machine_put(&machine, RAPL0 "constraint_0_power_limit_uw", "15000000\n");
	machine_put(&machine, RAPL0 "constraint_1_name", "short_term\n");
	machine_put(&machine, RAPL0 "constraint_1_power_limit_uw", "44500000\n");
	machine_put(&machine,
		    POWERCAP "intel-rapl-mmio/intel-rapl-mmio:0/constraint_0_power_limit_uw",
		    "12000000\n");
	may_not_read(&machine, RAPL0 "energy_uj");
	assert_int_equal(energy_limits(&machine.root, &text), 0);
	may_read();
	assert_string_equal(text, "package-0 (intel-rapl:0): long_term 15 W, short_term 44.5 W; "
				  "package-0 (intel-rapl-mmio:0): constraint 0 12 W");
	free(text);
	machine_free(&machine);
}

static void names_of_sources(void **state)
{
	enum energy_source source = ENERGY_NONE;

	(void)state;
	assert_int_equal(energy_source_parse("battery", &source), 0);
	assert_int_equal(source, ENERGY_BATTERY);
	assert_int_equal(energy_source_parse("powercat", &source), -EINVAL);
	assert_true(error_is_usage());
	assert_error_has("did you mean 'powercap'");
	assert_int_equal(source, ENERGY_BATTERY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p01_every_zone_has_its_own_range),
		cmocka_unit_test(p02_ceiling_from_the_zone),
		cmocka_unit_test(p03_missing_range_is_told),
		cmocka_unit_test(p05_package_power_is_the_package_alone),
		cmocka_unit_test(p05_dies_are_summed_unless_the_package_is),
		cmocka_unit_test(p05_two_packages),
		cmocka_unit_test(p06_flat_and_nested_is_one_zone),
		cmocka_unit_test(p06_a_dump_without_links),
		cmocka_unit_test(p06_mmio_alone_is_used),
		cmocka_unit_test(p07_number_comes_from_the_name),
		cmocka_unit_test(p07_repeated_names_get_their_parent),
		cmocka_unit_test(p08_denied_is_told_and_never_zero),
		cmocka_unit_test(p08_half_a_machine_is_no_sum),
		cmocka_unit_test(p08_package_without_counter_is_no_sum),
		cmocka_unit_test(p08_no_counter_at_all_is_no_power),
		cmocka_unit_test(p08_garbage_and_gone_are_unknown),
		cmocka_unit_test(p08_nothing_there_is_no_error),
		cmocka_unit_test(p10_a_guests_dummy_is_taken_out),
		cmocka_unit_test(p11_amd_has_intels_names),
		cmocka_unit_test(p11_hwmon_only_when_asked),
		cmocka_unit_test(battery_counts_while_it_discharges),
		cmocka_unit_test(battery_that_tells_charge),
		cmocka_unit_test(p13_stamps_are_around_the_read),
		cmocka_unit_test(p14_cpus_that_serve_the_reads),
		cmocka_unit_test(p14_dies_have_their_own_cpu),
		cmocka_unit_test(p15_source_can_be_described),
		cmocka_unit_test(p44_power_limits),
		cmocka_unit_test(names_of_sources),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
