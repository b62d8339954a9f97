/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates are used instead of counts: power and loops are each over their own time, which need not be
 * the same.
 */
#include "analysis/derived.h"
#include "analysis/overhead.h"
#include <math.h>
#include <string.h>

/* What a workload calls its loops a second, and the time of one where it publishes that. */
static const struct {
	const char *rate, *time_us;
	bool paced; /* by a timer: a loop cannot be done sooner, so there is no delay to weigh */
} loops[] = {
	{ "loops_per_s", "loop_us", false }, { "records_per_s", NULL, false },
	{ "pids_per_s", NULL, false },	     { "ops_per_s", NULL, false },
	{ "wakes_per_s", NULL, true },
};

static double value_of(const struct loaded_run *run, const char *name)
{
	for (size_t i = 0; i < run->metrics; i++)
		if (!strcmp(run->metric[i].name, name))
			return run->metric[i].value;
	return NAN;
}

static void add(struct result *r, struct loaded_run *run, struct metric_value metric)
{
	struct metric_value *list;

	/* Nothing derived becomes the headline of a run that published nothing. */
	if (!isfinite(metric.value) || !run->metrics)
		return;
	list = pool_alloc(&r->pool, run->metrics + 1, sizeof(*list));
	memcpy(list, run->metric, run->metrics * sizeof(*list));
	list[run->metrics++] = metric;
	run->metric = list;
}

double derived_hop_excess_us(double loop_us, double stops, double units, double unit_ns)
{
	return stops > 0 ? (loop_us - stops * units * unit_ns / 1000) / stops : NAN;
}

static void add_energy(struct result *r, struct loaded_run *run)
{
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		double rate = value_of(run, loops[i].rate), uj, us;

		if (!(rate > 0))
			continue;
		uj = run->power.package_w / rate * 1e6;
		/* Of several rings at once each loop takes its time, not that of the sum. */
		us = loops[i].time_us ? value_of(run, loops[i].time_us) : 1e6 / rate;
		add(r, run, (struct metric_value){ "package_uj_per_loop", "uJ", "lower", uj });
		if (!loops[i].paced)
			add(r, run,
			    (struct metric_value){ "energy_delay_uj_us", "uJ us", "lower",
						   uj * us });
		return;
	}
}

static void add_overhead(struct result *r, struct loaded_run *run)
{
	size_t set = run->info.cpus.n ? SET_WORKLOAD : SET_ALL;
	double pct = run->idle ? overhead_total_pct(r, run->idle + set * r->states) : NAN;

	add(r, run, (struct metric_value){ "exit_latency_pct", "%", "none", pct });
}

void derived_load(struct result *result, struct loaded_run *run)
{
	double unit_ns = (value_of(run, "unit_start_ns") + value_of(run, "unit_end_ns")) / 2;
	double us = derived_hop_excess_us(value_of(run, "loop_us"), value_of(run, "stops_per_loop"),
					  value_of(run, "work_units"), unit_ns);

	add_energy(result, run);
	add(result, run, (struct metric_value){ "hop_excess_us", "us", "none", us });
	add_overhead(result, run);
}
