/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpufreq on fake machines: what is read, what is refused, what is set and how it comes back. */
#include "cpufreq.h"
#include "hw/undo_journal.h"
#include "lib/clock.h"
#include <signal.h>
#include <sys/wait.h>

#define EPP "energy_performance_preference"

static struct cpufreq_policies policies_of(const struct machine *machine)
{
	struct cpufreq_policies policies;

	if (cpufreq_policies(&machine->root, &policies))
		fail_msg("%s", error_text());
	return policies;
}

/* Two policies of intel_pstate in active mode. */
static struct machine intel_machine(const char *governor)
{
	struct machine machine = machine_make("--cpus 4");

	put_policy(&machine, 0, 1, "intel_pstate\n", "performance powersave\n", governor);
	put_policy(&machine, 2, 3, "intel_pstate\n", "performance powersave\n", governor);
	put_policy_file(&machine, 0, EPP, "balance_performance\n");
	put_policy_file(&machine, 2, EPP, "180\n");
	machine_put(&machine, CPU "/intel_pstate/no_turbo", "0\n");
	machine_put(&machine, CPU "/intel_pstate/status", "active\n");
	return machine;
}

static void p43_settings(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_settings s;

	(void)state;
	assert_int_equal(cpufreq_read(&machine.root, 3, &s), 0);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.policy, 2);
	assert_int_equal(s.cpus.n, 2);
	assert_string_equal(s.driver, "intel_pstate");
	assert_string_equal(s.governor, "powersave");
	assert_int_equal(s.available.n, 2);
	assert_string_equal(s.available.name[0], "performance");
	assert_khz(s.min, 800000);
	assert_khz(s.max, 4100000);
	assert_khz(s.hardware_min, 400000);
	assert_khz(s.hardware_max, 4800000);
	assert_khz(s.now, 1200123);
	assert_string_equal(s.epp, "180");
	assert_string_equal(s.turbo, "on");
	assert_string_equal(s.pstate_status, "active");
	assert_string_equal(s.hwp, "on");
	cpufreq_settings_free(&s);
	machine_free(&machine);
}

/* No EPP, no turbo switch, an AMD or Arm machine: not available, never an invented value. */
static void p43_missing_is_not_available(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpufreq_settings s;

	(void)state;
	machine_put(&machine, CPU "/cpu0/cpufreq/scaling_driver", "cpufreq-dt\n");
	machine_put(&machine, CPU "/cpu0/cpufreq/scaling_min_freq", "0\n");
	machine_put(&machine, CPU "/cpu0/cpufreq/scaling_max_freq", "fast\n");
	assert_int_equal(cpufreq_read(&machine.root, 0, &s), 0);
	assert_int_equal(s.policy, -1);
	assert_int_equal(s.cpus.n, 1);
	assert_string_equal(s.driver, "cpufreq-dt");
	assert_string_equal(s.governor, "");
	assert_int_equal(s.available.n, 0);
	assert_false(s.min.known || s.max.known || s.now.known || s.hardware_max.known);
	assert_string_equal(s.epp, "");
	assert_string_equal(s.turbo, "");
	assert_string_equal(s.hwp, "");
	assert_string_equal(s.pstate_status, "");
	cpufreq_settings_free(&s);
	machine_free(&machine);
}

static void p43_turbo_and_boost(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpufreq_settings s;

	(void)state;
	put_policy(&machine, 0, 1, "acpi-cpufreq\n", "schedutil\n", "schedutil\n");
	machine_put(&machine, CPU "/cpufreq/boost", "1\n");
	assert_int_equal(cpufreq_read(&machine.root, 0, &s), 0);
	assert_string_equal(s.turbo, "on");
	cpufreq_settings_free(&s);
	put_policy_file(&machine, 0, "boost", "0\n"); /* the policy's own switch, since 6.11 */
	assert_int_equal(cpufreq_read(&machine.root, 0, &s), 0);
	assert_string_equal(s.turbo, "off");
	cpufreq_settings_free(&s);
	machine_free(&machine);
}

static void p43_none(void **state)
{
	struct machine machine = machine_make("--cpus 2 --config '# CONFIG_CPU_FREQ is not set'");
	struct machine guest = machine_make("--cpus 2");
	struct cpufreq_policies policies;
	struct cpufreq_settings s;

	(void)state;
	assert_int_equal(cpufreq_read(&machine.root, 1, &s), -ENODEV);
	assert_error_has("no cpufreq: ");
	assert_error_has("cpu1/cpufreq does not exist");
	assert_int_equal(cpufreq_policies(&machine.root, &policies), -ENODEV);
	assert_error_has("CONFIG_CPU_FREQ is not set in /");
	assert_int_equal(cpufreq_policies(&guest.root, &policies), -ENODEV);
	assert_error_has("or this is a guest");
	assert_int_equal(cpufreq_holds_governor(&guest.root, "performance"), -ENODEV);
	machine_free(&guest);
	machine_free(&machine);
}

/* An offline CPU has no policy and gets none; the policy that lost its first CPU keeps its name. */
static void p43_offline_cpus(void **state)
{
	struct machine machine = machine_make("--cpus 4 --offline '0 3'");
	struct cpufreq_policies policies;

	(void)state;
	put_policy(&machine, 0, 1, "acpi-cpufreq\n", "ondemand schedutil \n", "ondemand\n");
	put_policy_file(&machine, 0, "affected_cpus", "1\n");
	put_policy(&machine, 2, 3, "acpi-cpufreq\n", "ondemand schedutil \n", "schedutil\n");
	put_policy_file(&machine, 2, "affected_cpus", "2\n");
	policies = policies_of(&machine);
	assert_int_equal(policies.n, 2);
	assert_int_equal(policies.policy[0].cpu, 1);
	assert_int_equal(policies.policy[0].policy, 0);
	assert_int_equal(policies.policy[0].cpus.n, 1);
	assert_int_equal(policies.policy[1].cpus.cpu[0], 2);
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

static void p43_damaged_files(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpufreq_policies policies;
	char big[5000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	put_policy(&machine, 0, 1, big, "a/b good ../x toolongforagovernor\n", "../../etc\n");
	put_policy_file(&machine, 0, "affected_cpus", "0 1 99999999999999999999\n");
	put_policy_file(&machine, 0, "scaling_cur_freq", "<unknown>\n");
	put_policy_file(&machine, 0, EPP, big);
	policies = policies_of(&machine);
	assert_int_equal(policies.n, 2);
	assert_string_equal(policies.policy[0].driver, "");
	assert_string_equal(policies.policy[0].governor, "");
	assert_string_equal(policies.policy[0].epp, "");
	assert_int_equal(policies.policy[0].available.n, 1);
	assert_false(policies.policy[0].now.known);
	cpufreq_policies_free(&policies);
	machine_put(&machine, CPU "/online", "0-x\n");
	assert_int_equal(cpufreq_policies(&machine.root, &policies), -EBADMSG);
	machine_free(&machine);
}

static void p43_describe(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_policies policies = policies_of(&machine);
	char *text = cpufreq_describe(&policies);

	(void)state;
	assert_string_equal(text, "cpu0-1: intel_pstate powersave 800000..4100000 kHz epp "
				  "balance_performance turbo on hwp on; cpu2-3: intel_pstate "
				  "powersave 800000..4100000 kHz epp 180 turbo on hwp on");
	free(text);
	cpufreq_policies_free(&policies);
	put_policy_file(&machine, 0, EPP, "180\n");
	policies = policies_of(&machine);
	text = cpufreq_describe(&policies);
	assert_string_equal(text, "cpu0-3: intel_pstate powersave 800000..4100000 kHz epp 180 "
				  "turbo on hwp on");
	free(text);
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

static void p43_confounds(void **state)
{
	struct machine machine = intel_machine("performance\n");
	struct cpufreq_policies policies;
	char text[512];

	(void)state;
	policies = policies_of(&machine);
	assert_true(cpufreq_confounds(&policies, text, sizeof(text)));
	assert_string_equal(text, "cpu0 and cpu2 are set differently: epp balance_performance and "
				  "180, turbo on and on");
	cpufreq_policies_free(&policies);
	put_policy_file(&machine, 2, EPP, "balance_performance\n");
	policies = policies_of(&machine);
	assert_false(cpufreq_confounds(&policies, text, sizeof(text)));
	cpufreq_policies_free(&policies);
	put_policy_file(&machine, 2, "scaling_governor", "powersave\n");
	policies = policies_of(&machine);
	assert_true(cpufreq_confounds(&policies, text, sizeof(text)));
	assert_non_null(strstr(text, "cpu2: the cpufreq governor is powersave"));
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

static void p43_governor_names(void **state)
{
	struct machine machine = machine_make("--cpus 4 --config "
					      "'CONFIG_CPU_FREQ_GOV_ONDEMAND=m;# "
					      "CONFIG_CPU_FREQ_GOV_POWERSAVE is not set'");
	struct cpufreq_policies policies;

	(void)state;
	put_policy(&machine, 0, 1, "acpi-cpufreq\n", "performance schedutil \n", "schedutil\n");
	put_policy(&machine, 2, 3, "acpi-cpufreq\n", "schedutil \n", "schedutil\n");
	policies = policies_of(&machine);
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "schedutil"), 0);
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "shedutil"), -EINVAL);
	assert_true(error_is_usage());
	assert_error_has("cpufreq governor 'shedutil' is not offered for cpu0 (offered: "
			 "performance, schedutil) (did you mean 'schedutil'?)");
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "performance"), -EINVAL);
	assert_error_has("is not offered for cpu2 (offered: schedutil");
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "ondemand"), -EINVAL);
	assert_error_has("modprobe cpufreq_ondemand");
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "powersave"), -EINVAL);
	assert_error_has("CONFIG_CPU_FREQ_GOV_POWERSAVE is not set in /");
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, ""), -EINVAL);
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

static void p43_active_mode_has_two(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_policies policies = policies_of(&machine);

	(void)state;
	assert_int_equal(cpufreq_check_governor(&machine.root, &policies, "schedutil"), -EINVAL);
	assert_error_has("the driver intel_pstate has two of its own: 'passive' in ");
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

/* One policy of two does not offer it: nothing is written at all. */
static void p43_all_or_nothing(void **state)
{
	struct machine machine = machine_make("--cpus 4");
	struct cpufreq_policies policies;
	struct undo *undo;

	(void)state;
	put_policy(&machine, 0, 1, "acpi-cpufreq\n", "performance schedutil \n", "schedutil\n");
	put_policy(&machine, 2, 3, "acpi-cpufreq\n", "schedutil \n", "schedutil\n");
	policies = policies_of(&machine);
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(cpufreq_set_governor(undo, &machine.root, &policies, "performance"),
			 -EINVAL);
	assert_policy_file(&machine, 0, "scaling_governor", "schedutil");
	assert_file(&machine, JOURNAL_DIR "/journal", "idle-runner undo 1");
	assert_int_equal(undo_finish(undo), 0);
	cpufreq_policies_free(&policies);
	machine_free(&machine);
}

static void p41_set_and_restore(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_policies before = policies_of(&machine);
	struct undo *undo;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(cpufreq_set_governor(undo, &machine.root, &before, "performance"), 0);
	assert_policy_file(&machine, 0, "scaling_governor", "performance");
	assert_policy_file(&machine, 2, "scaling_governor", "performance");
	assert_int_equal(cpufreq_holds_governor(&machine.root, "performance"), 0);
	put_policy_file(&machine, 2, "scaling_governor", "powersave\n");
	assert_int_equal(cpufreq_holds_governor(&machine.root, "performance"), -EBADMSG);
	assert_error_has("cpu2: the cpufreq governor is 'powersave', not 'performance'");
	assert_int_equal(undo_finish(undo), 0);
	assert_policy_file(&machine, 0, "scaling_governor", "powersave");
	cpufreq_policies_free(&before);
	machine_free(&machine);
}

/* The driver moves the preference along with the governor; the way back moves it back. */
static void p41_preference_comes_back(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_policies before = policies_of(&machine);
	struct undo *undo;

	(void)state;
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(cpufreq_set_governor(undo, &machine.root, &before, "performance"), 0);
	put_policy_file(&machine, 0, EPP, "performance\n");
	put_policy_file(&machine, 2, EPP, "performance\n");
	/* with another governor at once, so that its cells are measured as the machine was */
	assert_int_equal(cpufreq_set_governor(undo, &machine.root, &before, "powersave"), 0);
	assert_policy_file(&machine, 0, EPP, "balance_performance");
	assert_policy_file(&machine, 2, EPP, "180");
	assert_int_equal(cpufreq_set_governor(undo, &machine.root, &before, "performance"), 0);
	put_policy_file(&machine, 0, EPP, "performance\n");
	/* the journal has it before the governor, and is put back from its end */
	assert_file(&machine, JOURNAL_DIR "/journal",
		    "idle-runner undo 1\n" CPU "/cpufreq/policy0/" EPP "\tbalance_performance\n" CPU
		    "/cpufreq/policy2/" EPP "\t180\n" CPU
		    "/cpufreq/policy0/scaling_governor\tpowersave\n" CPU
		    "/cpufreq/policy2/scaling_governor\tpowersave");
	assert_int_equal(undo_finish(undo), 0);
	assert_policy_file(&machine, 0, EPP, "balance_performance");
	assert_policy_file(&machine, 2, "scaling_governor", "powersave");
	cpufreq_policies_free(&before);
	machine_free(&machine);
}

/* Killed with all policies changed; the guardian puts them back. */
static void p41_killed(void **state)
{
	struct machine machine = intel_machine("powersave\n");
	struct cpufreq_policies before = policies_of(&machine);
	pid_t pid = fork();
	int status;

	(void)state;
	assert_true(pid >= 0);
	if (!pid) {
		struct undo *undo;

		close(STDERR_FILENO);
		if (undo_start(&machine.root, &undo) ||
		    cpufreq_set_governor(undo, &machine.root, &before, "performance"))
			_exit(1);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	for (int wait = 0; wait < 400 && root_exists(&machine.root, JOURNAL_DIR "/journal"); wait++)
		clock_sleep_until(clock_now_ns() + 5000000u);
	assert_policy_file(&machine, 0, "scaling_governor", "powersave");
	assert_policy_file(&machine, 2, "scaling_governor", "powersave");
	cpufreq_policies_free(&before);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p43_settings),
		cmocka_unit_test(p43_missing_is_not_available),
		cmocka_unit_test(p43_turbo_and_boost),
		cmocka_unit_test(p43_none),
		cmocka_unit_test(p43_offline_cpus),
		cmocka_unit_test(p43_damaged_files),
		cmocka_unit_test(p43_describe),
		cmocka_unit_test(p43_confounds),
		cmocka_unit_test(p43_governor_names),
		cmocka_unit_test(p43_active_mode_has_two),
		cmocka_unit_test(p43_all_or_nothing),
		cmocka_unit_test(p41_set_and_restore),
		cmocka_unit_test(p41_preference_comes_back),
		cmocka_unit_test(p41_killed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
