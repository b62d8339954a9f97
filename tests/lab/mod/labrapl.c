// SPDX-License-Identifier: GPL-2.0
/*
 * Powercap zones like those of RAPL: intel-rapl:P, one a package, with a child "core". energy_uj is
 * computed from power:cpu_idle events: a power for a busy CPU, one for each idle state, and an
 * energy for each entry so that a state breaks even with the shallower one exactly at its target
 * residency. It is a model, so what reads it measures no power. Load it after the idle driver.
 */
#define pr_fmt(fmt) "labrapl: " fmt
#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/powercap.h>
#include <linux/topology.h>
#include <trace/events/power.h>

#define BUSY_MW 4000
#define UNCORE_MW 2000 /* of a package, always */
#define RANGE_UJ 262143328850ULL /* as RAPL's counter of 32 bits of 61 uJ */
#define PACKAGES_MAX 8
static const int idle_mw[CPUIDLE_STATE_MAX] = { 3800, 1500, 800, 300, 100, 50, 25, 10, 5, 1 };
static int entry_uj[CPUIDLE_STATE_MAX];

struct lab_cpu {
	raw_spinlock_t lock;
	int state; /* -1: busy */
	u64 since_ns, pj;
};
static DEFINE_PER_CPU(struct lab_cpu, lab_cpu);

struct lab_zone {
	struct powercap_zone zone;
	int package;
	bool core;
	u64 t0_ns;
};
static struct lab_zone package_zone[PACKAGES_MAX], core_zone[PACKAGES_MAX];

/* 1 mW for 1 ns = 1 pJ */
static void account(struct lab_cpu *c, u64 now)
{
	if (now <= c->since_ns)
		return;
	c->pj += (now - c->since_ns) * (c->state < 0 ? BUSY_MW : idle_mw[c->state]);
	c->since_ns = now;
}

static void on_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct lab_cpu *c = per_cpu_ptr(&lab_cpu, cpu);
	unsigned long flags;

	raw_spin_lock_irqsave(&c->lock, flags);
	account(c, ktime_get_mono_fast_ns());
	c->state = state < CPUIDLE_STATE_MAX ? (int)state : -1;
	if (c->state >= 0)
		c->pj += entry_uj[c->state] * 1000000ULL;
	raw_spin_unlock_irqrestore(&c->lock, flags);
}

static int get_energy_uj(struct powercap_zone *zone, u64 *uj)
{
	struct lab_zone *z = container_of(zone, struct lab_zone, zone);
	unsigned long flags;
	u64 pj = 0;
	int cpu;

	for_each_online_cpu(cpu)
	{
		struct lab_cpu *c = per_cpu_ptr(&lab_cpu, cpu);

		if (topology_physical_package_id(cpu) != z->package)
			continue;
		raw_spin_lock_irqsave(&c->lock, flags);
		account(c, ktime_get_mono_fast_ns());
		pj += c->pj;
		raw_spin_unlock_irqrestore(&c->lock, flags);
	}
	if (!z->core)
		pj += (ktime_get_mono_fast_ns() - z->t0_ns) * UNCORE_MW;
	*uj = div64_u64(pj, 1000000) % RANGE_UJ;
	return 0;
}

static int get_range_uj(struct powercap_zone *zone, u64 *uj)
{
	*uj = RANGE_UJ;
	return 0;
}

static int release(struct powercap_zone *zone)
{
	return 0;
}

static const struct powercap_zone_ops ops = {
	.get_energy_uj = get_energy_uj,
	.get_max_energy_range_uj = get_range_uj,
	.release = release,
};

/* A zone must have a constraint; these accept and hold nothing. */
static int set_nothing(struct powercap_zone *zone, int id, u64 value)
{
	return 0;
}

static int get_constant(struct powercap_zone *zone, int id, u64 *value)
{
	*value = 28000000;
	return 0;
}

static const char *constraint_name(struct powercap_zone *zone, int id)
{
	return "long_term";
}

static const struct powercap_zone_constraint_ops constraint_ops = {
	.set_power_limit_uw = set_nothing,
	.get_power_limit_uw = get_constant,
	.set_time_window_us = set_nothing,
	.get_time_window_us = get_constant,
	.get_name = constraint_name,
};

static int __init prepare_cpus(void)
{
	struct cpuidle_driver *drv = cpuidle_get_driver();
	int i, cpu, packages = 0;

	for (i = 1; drv && i < drv->state_count; i++)
		entry_uj[i] = entry_uj[i - 1] + (idle_mw[i - 1] - idle_mw[i]) *
							(int)drv->states[i].target_residency / 1000;
	for_each_possible_cpu(cpu)
	{
		struct lab_cpu *c = per_cpu_ptr(&lab_cpu, cpu);

		raw_spin_lock_init(&c->lock);
		c->state = -1;
		c->since_ns = ktime_get_mono_fast_ns();
		packages = clamp(topology_physical_package_id(cpu) + 1, packages, PACKAGES_MAX);
	}
	return packages;
}

static int __init labrapl_init(void)
{
	int i, err, packages = prepare_cpus();
	struct powercap_control_type *type =
		powercap_register_control_type(NULL, "intel-rapl", NULL);

	if (IS_ERR(type))
		return PTR_ERR(type);
	for (i = 0; i < packages; i++) {
		struct lab_zone *p = &package_zone[i], *c = &core_zone[i];
		char name[24];

		p->package = c->package = i;
		c->core = true;
		p->t0_ns = ktime_get_mono_fast_ns();
		snprintf(name, sizeof(name), "package-%d", i);
		if (IS_ERR(powercap_register_zone(&p->zone, type, name, NULL, &ops, 1,
						  &constraint_ops)) ||
		    IS_ERR(powercap_register_zone(&c->zone, type, "core", &p->zone, &ops, 1,
						  &constraint_ops)))
			pr_err("zone %s failed\n", name);
	}
	err = register_trace_cpu_idle(on_cpu_idle, NULL);
	if (err)
		pr_err("power:cpu_idle: %d\n", err);
	return 0;
}
module_init(labrapl_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("modelled energy in powercap zones, for tests");
