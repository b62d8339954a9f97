/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Energy counters of the machine: powercap zones, the RAPL PMU of perf, and where asked for by name
 * a battery or hwmon's energy sensors. Source of what is called package power: the sum of the zones
 * package-N (or their dies), each once (P-05).
 *
 * A machine without a counter is no error, and a counter that cannot be read is never 0 W: its
 * reading is not known, and so is every sum with it. Arithmetic on readings is in hw/energy_math.h.
 */
#ifndef HW_ENERGY_H
#define HW_ENERGY_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include "lib/zone.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENERGY_LABEL_MAX 64
#define ENERGY_PLACE_MAX 64

/* W per zone that nothing sold comes near: the ceiling where the kernel tells no power limit. */
#define ENERGY_CEILING_W 2000.0

enum energy_source {
	ENERGY_AUTO, /* powercap if a package can be read there, else perf; never the two below */
	ENERGY_POWERCAP,
	ENERGY_PERF,
	ENERGY_BATTERY,
	ENERGY_HWMON,
	ENERGY_NONE,
	ENERGY_SOURCES
};
extern const char *const energy_source_name[ENERGY_SOURCES]; /* "auto", "powercap", ... "none" */

/* Usage error with the known names for any other word. */
int energy_source_parse(const char *text, enum energy_source *ret);

struct energy_zone {
	char label[ENERGY_LABEL_MAX]; /* unique: "package-0", "package-1/dram", "psys" */
	char place[ENERGY_PLACE_MAX]; /* "intel-rapl:0:2", "power/energy-pkg@cpu0", "BAT0" */
	char *path; /* below the root, links resolved */
	enum zone_kind kind;
	bool in_package; /* part of the sum that is package power */
	bool endless; /* counts in 64 bits: does not wrap */
	uint64_t range_uj; /* 0 = unknown (P-03) or endless */
	/*
	 * More W than this is a mistake of the counter (P-04, P-10): twice the highest
	 * constraint_*_max_power_uw or constraint_*_power_limit_uw, at most ENERGY_CEILING_W, which
	 * also stands in where there is none.
	 */
	double ceiling_w;
	/*
	 * The CPU where a read is served: perf's cpumask, or the first online CPU of the package.
	 * Reading from any other CPU interrupts this one (P-14). -1 = unknown.
	 */
	int cpu;
};

/* One counter at one time. */
struct energy_reading {
	uint64_t t_ns; /* CLOCK_MONOTONIC, middle between before and after this very read (P-13) */
	uint64_t width_ns; /* from before to after */
	uint64_t uj; /* only when known */
	bool known;
	int err; /* why not: -errno */
};

struct energy;

/*
 * Finds the zones and keeps their files open. Success with no zones where there is nothing to read
 * (energy_reason() says why); -ENOMEM, or -errno with a text for damage in sysfs. @root must
 * outlive it.
 */
int energy_open(const struct root *root, enum energy_source source, struct energy **ret);
void energy_close(struct energy *energy);

/* What was taken: never AUTO; NONE when there is nothing. */
enum energy_source energy_source(const struct energy *energy);

size_t energy_zones(const struct energy *energy);
const struct energy_zone *energy_zone(const struct energy *energy, size_t i);

/* Why there is no package power: a sentence, the files and the ways out named. NULL = there is. */
const char *energy_reason(const struct energy *energy);

/* What was found and is not read, or is odd: "intel-rapl-mmio:0 repeats package-0 ...". "" = no. */
const char *energy_note(const struct energy *energy);

/* One line for host.ini: "powercap: package-0 (intel-rapl:0), ..." or "none: REASON"; malloc'ed. */
char *energy_describe(const struct energy *energy);

/*
 * The power limits in force, for host.ini: they couple idle depth and speed (P-44). "package-0
 * (intel-rapl:0): long_term 15 W, short_term 44 W; ..." of all powercap zones that have some, an
 * mmio twin's too (the lower one holds). *@ret malloc'ed; NULL when there is none. -ENOMEM.
 */
int energy_limits(const struct root *root, char **ret);

/* Distinct CPUs that serve the reads, ascending; empty when unknown (P-14). */
int energy_cpus(const struct energy *energy, struct cpulist *ret);

/*
 * Reads zone @i, or all zones into @ret[energy_zones()]. Never fails: what cannot be read is not
 * known. No allocation; from any thread, several at a time as well.
 */
void energy_read_zone(const struct energy *energy, size_t i, struct energy_reading *ret);
void energy_read(const struct energy *energy, struct energy_reading *ret);

/*
 * Takes zones out of use that are no counters (P-10), judged by two readings of all zones at least
 * 1 s apart: from then on their readings are not known (-ENODEV), and energy_reason() and
 * energy_note() say so. Returns how many; -EAGAIN with a text when the readings are closer.
 */
int energy_vet(struct energy *energy, const struct energy_reading *first,
	       const struct energy_reading *last);

#endif
