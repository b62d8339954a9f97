// SPDX-License-Identifier: GPL-2.0
/*
 * An idle driver with POLL and up to five states that halt the CPU and, woken, spin for the exit
 * latency that they claim: a deep state costs what it says. It can only be registered where no
 * other driver is ("idle=halt" keeps acpi_idle away).
 */
#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/sched/idle.h>

static const char *const names[] = { "C1", "C1E", "C6", "C8", "C10" };

static int exit_latency_us[ARRAY_SIZE(names)] = { 2, 60, 250, 1000 };
static int states = 4;
module_param_array(exit_latency_us, int, &states, 0444);
MODULE_PARM_DESC(exit_latency_us, "of each state; target residencies are twice that");

static struct cpuidle_device __percpu *labidle_device;
static struct cpuidle_driver labidle_driver = { .name = "labidle", .owner = THIS_MODULE };

static int labidle_enter(struct cpuidle_device *dev, struct cpuidle_driver *drv, int index)
{
	if (current_clr_polling_and_test()) {
		raw_local_irq_enable();
		return index;
	}
	raw_safe_halt();
	raw_local_irq_disable();
	udelay(drv->states[index].exit_latency);
	return index;
}

static void __init fill_states(struct cpuidle_driver *drv)
{
	int i;

	cpuidle_poll_state_init(drv);
	for (i = 0; i < states; i++) {
		struct cpuidle_state *s = &drv->states[i + 1];

		strscpy(s->name, names[i], CPUIDLE_NAME_LEN);
		snprintf(s->desc, CPUIDLE_DESC_LEN, "HLT, then %d us", exit_latency_us[i]);
		s->exit_latency = exit_latency_us[i];
		s->target_residency = 2 * exit_latency_us[i];
		s->enter = labidle_enter;
	}
	drv->state_count = states + 1;
}

static int __init labidle_init(void)
{
	int cpu, err;

	fill_states(&labidle_driver);
	err = cpuidle_register_driver(&labidle_driver);
	if (err)
		return err;
	labidle_device = alloc_percpu(struct cpuidle_device);
	if (!labidle_device) {
		cpuidle_unregister_driver(&labidle_driver);
		return -ENOMEM;
	}
	for_each_online_cpu(cpu)
	{
		struct cpuidle_device *dev = per_cpu_ptr(labidle_device, cpu);

		dev->cpu = cpu;
		err = cpuidle_register_device(dev);
		if (err)
			pr_err("labidle: CPU %d: %d\n", cpu, err);
	}
	return 0;
}
module_init(labidle_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("idle states with the exit latency that they claim, for tests");
