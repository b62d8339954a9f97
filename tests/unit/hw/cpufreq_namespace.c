/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq through libcpupower, whose paths are fixed: in a mount namespace of our own a fake
 * machine's folder lies over /sys/devices/system/cpu, and a tmpfs over /run for the journal, so
 * that root "/" is the live machine to the library and to us, and no real file can be reached.
 */
#include "cpufreq.h"
#include "hw/undo_journal.h"
#include "lib/clock.h"
#include <cpufreq.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

#define EPP "energy_performance_preference"
#define POLICIES 32
#define KILLS 12

static struct machine machine; /* the fake one, by its own path */
static struct root live;

/* NULL, or why it cannot be done here. Leaves nothing behind outside of this process. */
static const char *enter_namespace(void)
{
	static char why[256];
	char fake[128];

	if (geteuid())
		return "needs root for a mount namespace";
	machine = machine_make("--cpus 64");
	snprintf(fake, sizeof(fake), "%s/" CPU, machine.dir);
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(fake, "/" CPU, NULL, MS_BIND, NULL) ||
	    mount("tmpfs", "/run", "tmpfs", 0, "mode=755")) {
		snprintf(why, sizeof(why), "no mount namespace here: %s", strerror(errno));
		machine_free(&machine);
		return why;
	}
	return NULL;
}

static void put_all(const char *governor)
{
	for (int i = 0; i < POLICIES; i++)
		put_policy_file(&machine, 2 * i, "scaling_governor", governor);
}

static int make_policies(void **state)
{
	(void)state;
	for (int i = 0; i < POLICIES; i++) {
		put_policy(&machine, 2 * i, 2 * i + 1, "intel_cpufreq\n",
			   "performance schedutil ondemand \n", "schedutil\n");
		put_policy_file(&machine, 2 * i, EPP, "balance_power\n");
	}
	return root_open(NULL, &live);
}

static void p43_library_sees_the_fake(void **state)
{
	struct cpufreq_settings s;
	char *driver = cpufreq_get_driver(5);

	(void)state;
	assert_non_null(driver);
	assert_string_equal(driver, "intel_cpufreq");
	cpufreq_put_driver(driver);
	assert_true(live.live);
	assert_int_equal(cpufreq_read(&live, 5, &s), 0);
	assert_int_equal(s.policy, 4);
	assert_int_equal(s.cpus.n, 2);
	assert_int_equal(s.cpus.cpu[0], 4);
	assert_string_equal(s.driver, "intel_cpufreq");
	assert_string_equal(s.governor, "schedutil");
	assert_int_equal(s.available.n, 3);
	assert_khz(s.min, 800000);
	assert_khz(s.max, 4100000);
	assert_khz(s.hardware_min, 400000);
	assert_khz(s.hardware_max, 4800000);
	assert_khz(s.now, 1200123);
	assert_string_equal(s.epp, "balance_power");
	assert_string_equal(s.hwp, "on");
	cpufreq_settings_free(&s);
}

/* What the library and what the files give is the same: --root of a dump tells no other story. */
static void p43_library_and_files_agree(void **state)
{
	struct cpufreq_policies a, b;
	char *text_a, *text_b;

	(void)state;
	assert_int_equal(cpufreq_policies(&live, &a), 0);
	assert_int_equal(cpufreq_policies(&machine.root, &b), 0);
	assert_int_equal(a.n, POLICIES);
	assert_int_equal(b.n, POLICIES);
	text_a = cpufreq_describe(&a);
	text_b = cpufreq_describe(&b);
	assert_string_equal(text_a, text_b);
	assert_memory_equal(&a.policy[7].available, &b.policy[7].available,
			    sizeof(struct governor_list));
	free(text_a);
	free(text_b);
	cpufreq_policies_free(&a);
	cpufreq_policies_free(&b);
}

/* A policy that the library has only in part: the rest is not available, and what is there is. */
static void p43_half_a_policy(void **state)
{
	struct cpufreq_settings s;

	(void)state;
	machine_remove(&machine, CPU "/cpufreq/policy2/scaling_max_freq");
	machine_remove(&machine, CPU "/cpufreq/policy2/cpuinfo_min_freq");
	assert_int_equal(cpufreq_read(&live, 2, &s), 0);
	assert_string_equal(s.governor, "schedutil");
	assert_khz(s.min, 800000);
	assert_false(s.max.known);
	assert_false(s.hardware_min.known);
	assert_khz(s.hardware_max, 4800000);
	cpufreq_settings_free(&s);
	put_policy_file(&machine, 2, "scaling_max_freq", "4100000\n");
	put_policy_file(&machine, 2, "cpuinfo_min_freq", "400000\n");
}

/* How many policies have that governor, asked of the library. */
static int with_governor(const char *name)
{
	int n = 0;

	for (unsigned int cpu = 0; cpu < 2 * POLICIES; cpu += 2) {
		struct cpufreq_policy *policy = cpufreq_get_policy(cpu);

		n += policy && !strcmp(policy->governor, name);
		if (policy)
			cpufreq_put_policy(policy);
	}
	return n;
}

static void p41_set_and_restored(void **state)
{
	struct cpufreq_policies before;
	struct undo *undo;

	(void)state;
	assert_int_equal(cpufreq_policies(&live, &before), 0);
	assert_int_equal(undo_start(&live, &undo), 0);
	assert_int_equal(cpufreq_set_governor(undo, &live, &before, "performance"), 0);
	assert_int_equal(with_governor("performance"), POLICIES);
	assert_int_equal(cpufreq_set_governor(undo, &live, &before, "ondemand"), 0);
	assert_int_equal(with_governor("ondemand"), POLICIES);
	assert_int_equal(cpufreq_set_governor(undo, &live, &before, "ondemant"), -EINVAL);
	assert_error_has("did you mean 'ondemand'?");
	assert_int_equal(undo_finish(undo), 0);
	assert_int_equal(with_governor("schedutil"), POLICIES);
	cpufreq_policies_free(&before);
}

/* Switches for ever, until it is killed. */
static _Noreturn void switch_until_killed(void)
{
	struct cpufreq_policies before;
	struct undo *undo;

	close(STDERR_FILENO);
	if (cpufreq_policies(&live, &before) || undo_start(&live, &undo))
		_exit(1);
	for (int i = 0;; i++)
		if (cpufreq_set_governor(undo, &live, &before, i & 1 ? "ondemand" : "performance"))
			_exit(2);
}

/* Until no journal is there: the guardian is done. */
static bool guardian_done(void)
{
	for (int wait = 0; wait < 600; wait++) {
		if (!root_exists(&live, JOURNAL_DIR "/journal"))
			return true;
		clock_sleep_until(clock_now_ns() + 5000000u);
	}
	return false;
}

/* Until the first policy has been changed. */
static bool change_begun(void)
{
	char now[32];

	for (int wait = 0; wait < 20000; wait++) {
		if (root_read(&machine.root, CPU "/cpufreq/policy0/scaling_governor", now,
			      sizeof(now)) > 0 &&
		    strcmp(now, "schedutil"))
			return true;
		clock_sleep_until(clock_now_ns() + 100000u);
	}
	return false;
}

/* SIGKILL at another moment each time: at once, and later and later. */
static void p41_killed_in_the_middle(void **state)
{
	int halfway = 0;

	(void)state;
	for (unsigned int i = 0; i < KILLS; i++) {
		int status, now;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid)
			switch_until_killed();
		assert_true(change_begun());
		clock_sleep_until(clock_now_ns() + i * 700000u);
		/* Stopped first, so that what is seen is what the kill meets. */
		kill(pid, SIGSTOP);
		assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
		assert_true(WIFSTOPPED(status));
		now = POLICIES - with_governor("schedutil");
		assert_true(now > 0);
		halfway += now < POLICIES;
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_true(guardian_done());
		assert_int_equal(with_governor("schedutil"), POLICIES);
		for (int p = 0; p < POLICIES; p++)
			assert_policy_file(&machine, 2 * p, EPP, "balance_power");
	}
	print_message("# %d of %d kills met a half changed machine\n", halfway, KILLS);
}

/* Runner and guardian both dead: the next runner's look at the journal does it. */
static void p41_journal_is_enough(void **state)
{
	int fd = journal_open_dir(&live, true), count = 0;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	put_all("performance\n");
	machine_put(&machine, "journal",
		    "idle-runner undo 1\n" CPU "/cpufreq/policy0/scaling_governor\tschedutil\n" CPU
		    "/cpufreq/policy2/scaling_governor\tschedutil\n");
	assert_int_equal(
		system("cd / && umask 077 && cat \"$FAKE\"/journal >/" JOURNAL_DIR "/journal"), 0);
	assert_int_equal(undo_restore_stale(&live, &count), 0);
	assert_int_equal(count, 2);
	assert_int_equal(with_governor("schedutil"), 2);
	put_all("schedutil\n");
}

static int leave(void **state)
{
	(void)state;
	root_close(&live);
	umount2("/" CPU, MNT_DETACH);
	machine_free(&machine);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p43_library_sees_the_fake),
		cmocka_unit_test(p43_library_and_files_agree),
		cmocka_unit_test(p43_half_a_policy),
		cmocka_unit_test(p41_set_and_restored),
		cmocka_unit_test(p41_killed_in_the_middle),
		cmocka_unit_test(p41_journal_is_enough),
	};
	const char *why = enter_namespace();

	if (why) {
		printf("1..0 # SKIP %s\n", why);
		return 0;
	}
	setenv("FAKE", machine.dir, 1);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_policies, leave);
}
