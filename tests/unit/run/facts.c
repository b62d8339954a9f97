/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "check" and the preflight say of machines that are as they are for a reason
 * (tests/machines), and of small changes to an ordinary one.
 */
#include "tests/unit/hw/layout.h"

#include "run/facts.h"
#include "run/load.h"
#include "lib/clock.h"
#include <signal.h>
#include <sys/wait.h>

static const struct fact *find(const struct facts *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->fact[i].key, key))
			return &f->fact[i];
	return NULL;
}

static struct facts all_of(const struct machine *machine)
{
	struct facts f;

	if (facts_open(&machine->root, &f) || facts_all(&f))
		fail_msg("%s: %s", machine->dir, error_text());
	return f;
}

/* The fact has this verdict, and its value or its action has this text. */
static void expect(const struct facts *f, const char *key, enum facts_verdict verdict,
		   const char *text)
{
	const struct fact *fact = find(f, key);

	if (!fact)
		fail_msg("no fact '%s'", key);
	if (fact->verdict != verdict ||
	    (!strstr(fact->value, text) && !(fact->action && strstr(fact->action, text))))
		fail_msg("%s is %s: '%s' -> '%s', wanted '%s'", key,
			 facts_verdict_name[fact->verdict], fact->value,
			 fact->action ? fact->action : "", text);
}

static const struct {
	const char *file, *key;
	enum facts_verdict verdict;
	const char *text;
	enum facts_verdict worst;
} known[] = {
	{ "p28-demotion", "c1_demotion", FACTS_DOUBT, "intel_c1_demotion", FACTS_DOUBT },
	{ "p34-one-usable", "states.0", FACTS_DOUBT, "disabled: C1E, C6", FACTS_DOUBT },
	{ "p34-default-off", "states.0", FACTS_OK, "3 usable", FACTS_OK },
	{ "p24-masks-differ", "states.0", FACTS_DOUBT, "different states disabled", FACTS_DOUBT },
	{ "p35-no-driver", "idle_driver", FACTS_UNFIT, "no idle states", FACTS_UNFIT },
	{ "p37-read-only", "governors", FACTS_UNFIT, "cpuidle_sysfs_switch", FACTS_UNFIT },
	{ "p37-read-only", "governor.teo", FACTS_MISSING, "CONFIG_CPU_IDLE_GOV_TEO", FACTS_UNFIT },
	{ "p38-garbage", "governors", FACTS_UNFIT, "not a governor's name", FACTS_UNFIT },
	{ "p42-latency-limit", "qos", FACTS_DOUBT, "C6 (133 us) is forbidden by a limit of 20 us",
	  FACTS_DOUBT },
	{ "p43-no-cpufreq", "cpufreq", FACTS_MISSING, "no cpufreq", FACTS_OK },
	{ "hikey960", "cpufreq", FACTS_DOUBT, "the cpufreq governor is schedutil", FACTS_DOUBT },
	{ "hikey960", "states.1", FACTS_OK, "CPUs 4-7", FACTS_DOUBT },
	{ "kvm-haltpoll", "states.0", FACTS_DOUBT, "1 usable", FACTS_DOUBT },
	{ "tiger-lake", "governor.teo", FACTS_MISSING, "CONFIG_CPU_IDLE_GOV_TEO", FACTS_OK },
	{ "topology-missing", "states.0", FACTS_OK, "usable", FACTS_OK },
};

static void machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct machine machine;
		struct facts f;
		char path[128];

		snprintf(path, sizeof(path), "tests/machines/%s.ini", known[i].file);
		machine = layout_make(path);
		f = all_of(&machine);
		expect(&f, known[i].key, known[i].verdict, known[i].text);
		if (facts_worst(&f) != known[i].worst)
			fail_msg("%s: the worst is %s", known[i].file,
				 facts_verdict_name[facts_worst(&f)]);
		facts_close(&f);
		machine_free(&machine);
	}
}

/* Every row of the table says something of an ordinary machine, keys are not used twice. */
static void ordinary(void **state)
{
	static const char *const key[] = { "machine", "kernel",	     "cpus",	    "cmdline",
					   "rights",  "runner",	     "idle_driver", "states.0",
					   "qos",     "governors",   "cpufreq",	    "power",
					   "load",    "temperature", "disk",	    "trace" };
	struct machine machine = machine_make("--cpus 2");
	struct facts f = all_of(&machine);

	(void)state;
	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		if (!find(&f, key[i]))
			fail_msg("nothing is said of %s", key[i]);
	for (size_t i = 0; i < f.n; i++)
		assert_ptr_equal(find(&f, f.fact[i].key), &f.fact[i]);
	assert_int_equal(facts_worst(&f), FACTS_OK);
	assert_int_equal(f.groups, 1);
	assert_ptr_equal(find(&f, "states.0")->group, &f.group[0]);
	expect(&f, "qos", FACTS_MISSING, "not known");
	expect(&f, "load", FACTS_MISSING, "not known");
	expect(&f, "runner", FACTS_OK, "none at work, nothing left to restore");
	facts_close(&f);
	machine_free(&machine);
}

/* The file, its text, and what is said then. Each on a machine of its own. */
static const struct {
	const char *path, *text, *key;
	enum facts_verdict verdict;
	const char *says;
} change[] = {
	{ "proc/cmdline", "ro idle=poll quiet\n", "cmdline", FACTS_DOUBT, "idle=poll" },
	{ "proc/cmdline", "intel_idle.max_cstate=1\n", "cmdline", FACTS_DOUBT, "max_cstate=1" },
	{ "proc/cmdline", "processor.max_cstate=2\n", "cmdline", FACTS_DOUBT, "max_cstate=2" },
	{ "proc/cmdline", "nohz=off\n", "cmdline", FACTS_DOUBT, "boot without nohz=off" },
	{ "proc/cmdline", "isolcpus=2-3 nohz_full=2-3 ro\n", "cmdline", FACTS_OK,
	  "isolcpus=2-3 nohz_full=2-3" },
	{ "proc/cmdline", "ro quiet\n", "cmdline", FACTS_OK, "none that concerns idle" },
	{ "run/idle-runner/undo/journal", "x\n", "runner", FACTS_DOUBT, "runner restore" },
	{ "sys/kernel/tracing/events/power/cpu_idle/id", "1\n", "trace", FACTS_OK, "cpu_idle" },
	{ "sys/kernel/tracing/README", "", "trace", FACTS_MISSING, "mount -t tracefs" },
	{ "sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", "0\n", "qos", FACTS_MISSING,
	  "/dev/cpu_dma_latency" },
	{ "dev/cpu_dma_latency", "\xff\xff\xff\x7f", "qos", FACTS_OK, "none" },
	{ "sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", "2000\n", "qos", FACTS_OK,
	  "2000 us" },
	{ "sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us", "1033\n", "qos",
	  FACTS_DOUBT, "C3_ACPI (1034 us) is forbidden" },
	{ "sys/devices/system/cpu/cpuidle/available_governors", "menu \n", "governors", FACTS_DOUBT,
	  "nothing to compare" },
	{ "sys/module/haltpoll/parameters/guest_halt_poll_ns", "0\n", "governor.haltpoll",
	  FACTS_MISSING, "" },
};

static void changes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(change) / sizeof(change[0]); i++) {
		struct machine machine = machine_make("--cpus 2");
		struct facts f;

		machine_put(&machine, change[i].path, change[i].text);
		f = all_of(&machine);
		if (!strcmp(change[i].key, "governor.haltpoll"))
			assert_null(find(&f, change[i].key)); /* missed in a guest only */
		else
			expect(&f, change[i].key, change[i].verdict, change[i].says);
		facts_close(&f);
		machine_free(&machine);
	}
}

static void room(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct facts f;

	(void)state;
	assert_int_equal(facts_open(&machine.root, &f), 0);
	assert_int_equal(facts_disk_of(&f, "/proc"), 0); /* has no room at all */
	assert_int_equal(f.fact[0].verdict, FACTS_DOUBT);
	assert_non_null(strstr(f.fact[0].value, "0 MiB free at /proc; a campaign needs 50"));
	assert_int_equal(facts_disk_of(&f, "/not/there/yet"), 0); /* that of the root */
	assert_non_null(strstr(f.fact[1].value, "MiB free at /not/there/yet"));
	assert_int_equal(facts_disk_of(&f, "relative"), 0);
	assert_non_null(strstr(f.fact[2].value, "MiB free at relative"));
	facts_close(&f);
	machine_free(&machine);
}

/* A task that works for a look is seen and named; a dump stands still. */
static void load(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct load look;
	struct root live;
	char who[32];
	pid_t pid;

	(void)state;
	assert_int_equal(load_look(&machine.root, 1000000, true, &look), -ENODATA);
	machine_free(&machine);
	assert_int_equal(root_open(NULL, &live), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		uint64_t end = clock_now_ns() + 3000000000u;

		while (clock_now_ns() < end)
			;
		_exit(0);
	}
	assert_int_equal(load_look(&live, 500000000, true, &look), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(look.share > 0 && look.share <= 1);
	snprintf(who, sizeof(who), "pid %d (", (int)pid);
	/* At least when it is not one of many. */
	if (!strstr(look.busiest, who) && !strchr(look.busiest, ','))
		fail_msg("'%s' does not name %s", look.busiest, who);
	root_close(&live);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines), cmocka_unit_test(ordinary), cmocka_unit_test(changes),
		cmocka_unit_test(room),	    cmocka_unit_test(load),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
