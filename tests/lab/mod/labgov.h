/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a module of an unmodified in-tree governor (drivers/cpuidle/governors/X.c) for a stock
 * kernel that was configured without it: define LAB_NAME, include this, then X.c, then say
 * LAB_GOVERNOR. The few functions that a governor needs and the kernel does not export are looked
 * up when the module is loaded, through the address that a kprobe finds for kallsyms_lookup_name.
 */
#define pr_fmt(fmt) "labgov: " fmt
#include <linux/cpuidle.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/tick.h>

#define LAB_SYMBOLS(X)                                                                             \
	X(cpuidle_register_governor)                                                               \
	X(cpuidle_governor_latency_req)                                                            \
	X(tick_nohz_get_sleep_length)                                                              \
	X(tick_nohz_idle_got_tick)                                                                 \
	X(tick_nohz_tick_stopped)

#define X(s) static typeof(s) *lab_##s __maybe_unused;
LAB_SYMBOLS(X)
#undef X
#define X(s) { #s, (void **)&lab_##s },
static const struct {
	const char *name;
	void **address;
} lab_symbol[] __initconst = { LAB_SYMBOLS(X) };
#undef X

/* Under the module's name for it: a copy may stand beside the original. */
static inline int lab_register(struct cpuidle_governor *governor)
{
	strscpy(governor->name, LAB_NAME, sizeof(governor->name));
	return lab_cpuidle_register_governor(governor);
}

#define cpuidle_register_governor lab_register
#define cpuidle_governor_latency_req (*lab_cpuidle_governor_latency_req)
#define tick_nohz_get_sleep_length (*lab_tick_nohz_get_sleep_length)
#define tick_nohz_idle_got_tick (*lab_tick_nohz_idle_got_tick)
#define tick_nohz_tick_stopped (*lab_tick_nohz_tick_stopped)

#undef postcore_initcall
#define postcore_initcall(fn) static int (*lab_governor_init)(void) __initdata = fn;

static int __init lab_look_up(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long (*look_up)(const char *name);
	int i, err = register_kprobe(&probe);

	if (err)
		return err;
	look_up = (void *)probe.addr;
	unregister_kprobe(&probe);
	for (i = 0; i < ARRAY_SIZE(lab_symbol); i++) {
		*lab_symbol[i].address = (void *)look_up(lab_symbol[i].name);
		if (!*lab_symbol[i].address) {
			pr_err("no symbol %s\n", lab_symbol[i].name);
			return -ENOENT;
		}
	}
	return 0;
}

#define LAB_GOVERNOR                                                                               \
	static int __init labgov_init(void)                                                        \
	{                                                                                          \
		int err = lab_look_up();                                                           \
                                                                                                   \
		return err ? err : lab_governor_init();                                            \
	}                                                                                          \
	module_init(labgov_init);                                                                  \
	MODULE_LICENSE("GPL");                                                                     \
	MODULE_DESCRIPTION("in-tree cpuidle governor as a module, for tests")
