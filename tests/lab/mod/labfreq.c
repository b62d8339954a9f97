// SPDX-License-Identifier: GPL-2.0
/*
 * A cpufreq driver with three frequencies that changes nothing but what it says: policies and
 * governors are the kernel's own, the CPU is as fast as the emulator makes it.
 */
#include <linux/cpufreq.h>
#include <linux/module.h>
#include <linux/percpu.h>

static struct cpufreq_frequency_table table[] = {
	{ .frequency = 1600000 },
	{ .frequency = 2400000 },
	{ .frequency = 3200000 },
	{ .frequency = CPUFREQ_TABLE_END },
};
static DEFINE_PER_CPU(unsigned int, khz) = 1600000;

static int labfreq_cpu_init(struct cpufreq_policy *policy)
{
	policy->freq_table = table;
	policy->cpuinfo.transition_latency = 10000;
	policy->cur = per_cpu(khz, policy->cpu);
	return 0;
}

static int labfreq_target(struct cpufreq_policy *policy, unsigned int index)
{
	per_cpu(khz, policy->cpu) = table[index].frequency;
	return 0;
}

static unsigned int labfreq_get(unsigned int cpu)
{
	return per_cpu(khz, cpu);
}

static struct cpufreq_driver labfreq = {
	.name = "labfreq",
	.flags = CPUFREQ_CONST_LOOPS,
	.init = labfreq_cpu_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = labfreq_target,
	.get = labfreq_get,
};

static int __init labfreq_init(void)
{
	return cpufreq_register_driver(&labfreq);
}
module_init(labfreq_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("cpufreq policies that change no frequency, for tests");
