/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake machine of the input's making: energy counters of every source (the PMU of perf is found,
 * but not opened, for a machine that is not this one), and what is computed from their readings.
 */
#include "fuzz.h"
#include "hw/energy.h"
#include "hw/energy_math.h"
#include "tree.h"
#include <math.h>

#define ZONES_MAX 64
#define SECOND_NS UINT64_C(1000000000)

static void check_zone(const struct energy *energy, size_t i)
{
	const struct energy_zone *zone = energy_zone(energy, i);

	FUZZ_CHECK(zone->label[0] && zone->place[0]);
	FUZZ_CHECK(zone->kind < ZONE_KINDS && zone->cpu >= -1);
	FUZZ_CHECK(isfinite(zone->ceiling_w) && zone->ceiling_w > 0);
	for (size_t j = 0; j < i; j++)
		FUZZ_CHECK(strcmp(zone->label, energy_zone(energy, j)->label));
	energy_zone_period_ns(zone); /* 0 where the range is a few uJ: no reader is fast enough */
	energy_check_period(zone, 100, SECOND_NS);
}

/* Two readings, the second with @uj more, ten seconds later. */
static void compute(struct energy *energy, uint64_t more_uj)
{
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_meter meter = { .err = 0 };
	struct energy_power power;
	double watts;
	uint64_t uj;

	energy_read(energy, first);
	energy_read(energy, last);
	for (size_t i = 0; i < energy_zones(energy); i++) {
		const struct energy_zone *zone = energy_zone(energy, i);

		FUZZ_CHECK(first[i].known == !first[i].err);
		last[i].t_ns = first[i].t_ns + 10 * SECOND_NS;
		last[i].uj = first[i].uj + more_uj;
		if (energy_delta(zone, &first[i], &last[i], &uj))
			fuzz_check_error(-1);
		if (!energy_watts(zone, &first[i], &last[i], &watts))
			FUZZ_CHECK(isfinite(watts) && watts >= 0 && watts <= ENERGY_CEILING_W);
		energy_plausible(zone, &first[i], &last[i]);
		energy_meter_add(&meter, zone, &first[i]);
		energy_meter_add(&meter, zone, &last[i]);
	}
	if (!energy_package(energy, first, last, &power))
		FUZZ_CHECK(isfinite(power.watts) && power.watts >= 0 && power.seconds > 0);
	else
		fuzz_check_error(-1);
	energy_vet(energy, first, last);
	energy_package(energy, first, last, &power);
}

static void open_source(const struct root *root, enum energy_source source)
{
	struct energy *energy;
	struct cpulist cpus;
	char *text;
	int err = energy_open(root, source, &energy);

	if (err) {
		fuzz_check_error(err);
		return;
	}
	FUZZ_CHECK(energy_source(energy) != ENERGY_AUTO);
	FUZZ_CHECK(energy_zones(energy) || (energy_source(energy) == ENERGY_NONE &&
					    energy_reason(energy) && energy_reason(energy)[0]));
	for (size_t i = 0; i < energy_zones(energy); i++)
		check_zone(energy, i);
	text = fuzz_need(energy_describe(energy));
	FUZZ_CHECK(text[0] && energy_note(energy));
	free(text);
	FUZZ_CHECK(!energy_cpus(energy, &cpus));
	cpulist_free(&cpus);
	if (energy_zones(energy) <= ZONES_MAX) {
		compute(energy, 50 * 1000000);
		compute(energy, UINT64_MAX);
	}
	energy_close(energy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);
	char *limits = NULL;

	for (int source = ENERGY_AUTO; source < ENERGY_SOURCES; source++)
		open_source(&tree.root, (enum energy_source)source);
	FUZZ_CHECK(!energy_limits(&tree.root, &limits));
	free(limits);
	tree_end(&tree);
	return 0;
}
