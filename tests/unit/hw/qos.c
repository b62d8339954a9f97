/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency limits of fake machines, what they forbid, and who holds them. */
#include "machine.h"
#include "hw/qos.h"
#include <dirent.h>
#include <fcntl.h>

#define RESUME "sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us"

/* A device's file with the four bytes of @us. */
static void put_device(const struct machine *machine, const char *name, int32_t us)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/dev", machine->dir);
	assert_int_equal(file_make_dirs(path), 0);
	snprintf(path, sizeof(path), "%s/dev/%s", machine->dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, &us, sizeof(us)), sizeof(us));
	close(fd);
}

static void put_resume(const struct machine *machine, int cpu, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), RESUME, cpu);
	machine_put(machine, path, text);
}

static struct qos qos_of(const struct machine *machine, const char *cpus)
{
	struct cpulist list = list_of(cpus);
	struct qos qos;

	assert_int_equal(qos_read(&machine->root, &list, &qos), 0);
	cpulist_free(&list);
	return qos;
}

static void assert_limit(const struct qos_limit *limit, const char *text)
{
	char have[16];

	assert_string_equal(qos_limit_text(limit, have), text);
}

static void p42_devices(void **state)
{
	static const struct {
		int32_t us;
		const char *text;
	} row[] = {
		{ 2000000000, "none" },
		{ INT32_MAX, "none" },
		{ 0, "0" },
		{ 32, "32" }, /* a blank, as a byte */
		{ 10, "10" }, /* a newline */
		{ 1999999999, "1999999999" },
		{ -1, "" },
	};
	struct machine machine = machine_make("--cpus 1");
	struct qos qos = qos_of(&machine, "0");
	char where[QOS_WHERE_MAX];
	struct qos_limit limit;

	(void)state;
	assert_false(qos.dma.known || qos.wakeup.known || qos.resume[0].known);
	limit = qos_smallest(&qos, 0, where);
	assert_false(limit.known);
	assert_string_equal(where, "");
	qos_free(&qos);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		put_device(&machine, "cpu_dma_latency", row[i].us);
		qos = qos_of(&machine, "0");
		assert_limit(&qos.dma, row[i].text);
		qos_free(&qos);
	}
	machine_put(&machine, "dev/cpu_dma_latency", "abc");
	machine_put(&machine, "dev/cpu_wakeup_latency", "");
	qos = qos_of(&machine, "0");
	assert_false(qos.dma.known || qos.wakeup.known);
	qos_free(&qos);
	machine_free(&machine);
}

/* A pipe or a link in a dump's place of a device: neither waited for nor followed out. */
static void p42_hostile_devices(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	char path[256];
	struct qos qos;

	(void)state;
	put_device(&machine, "x", 5);
	snprintf(path, sizeof(path), "%s/dev/cpu_dma_latency", machine.dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof(path), "%s/dev/cpu_wakeup_latency", machine.dir);
	assert_int_equal(symlink("x", path), 0);
	qos = qos_of(&machine, "0");
	assert_false(qos.dma.known || qos.wakeup.known);
	assert_true(qos.dma.unreadable && qos.wakeup.unreadable);
	qos_free(&qos);
	machine_free(&machine);
}

static void p42_resume_latency(void **state)
{
	struct machine machine = machine_make("--cpus 5");
	struct qos qos;

	(void)state;
	put_resume(&machine, 0, "0\n");
	put_resume(&machine, 1, "n/a\n");
	put_resume(&machine, 2, "70\n");
	put_resume(&machine, 3, "soon\n");
	qos = qos_of(&machine, "0-4");
	assert_limit(&qos.resume[0], "none");
	assert_limit(&qos.resume[1], "0");
	assert_limit(&qos.resume[2], "70");
	assert_limit(&qos.resume[3], "");
	assert_limit(&qos.resume[4], "");
	qos_free(&qos);
	machine_free(&machine);
}

static void p42_smallest_and_where(void **state)
{
	struct machine machine = machine_make("--cpus 3");
	char where[QOS_WHERE_MAX];
	struct qos_limit limit;
	struct qos qos;

	(void)state;
	put_device(&machine, "cpu_dma_latency", 2000000000);
	put_resume(&machine, 0, "0\n");
	put_resume(&machine, 1, "100\n");
	qos = qos_of(&machine, "0-2");
	limit = qos_smallest(&qos, 0, where);
	assert_limit(&limit, "none");
	assert_string_equal(where, "");
	limit = qos_smallest(&qos, 1, where);
	assert_limit(&limit, "100");
	assert_string_equal(where, "cpu1/power/pm_qos_resume_latency_us");
	qos_free(&qos);
	put_device(&machine, "cpu_wakeup_latency", 50);
	put_resume(&machine, 2, "n/a\n");
	qos = qos_of(&machine, "0-2");
	limit = qos_smallest(&qos, 1, where);
	assert_limit(&limit, "50");
	assert_string_equal(where, "/dev/cpu_wakeup_latency");
	limit = qos_smallest_of_all(&qos, where);
	assert_limit(&limit, "0");
	assert_string_equal(where, "cpu2/power/pm_qos_resume_latency_us");
	qos_free(&qos);
	machine_free(&machine);
}

/* What could not be looked at is no "none"; a limit that was seen is one all the same. */
static void p42_none_takes_all_files(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	char where[QOS_WHERE_MAX];
	struct qos_limit limit;
	struct qos qos;

	(void)state;
	put_resume(&machine, 0, "0\n");
	put_resume(&machine, 1, "0\n");
	qos = qos_of(&machine, "0-1"); /* a dump, or a container, without the device */
	limit = qos_smallest_of_all(&qos, where);
	assert_false(limit.known || limit.none);
	qos_free(&qos);
	put_device(&machine, "cpu_dma_latency", 2000000000);
	qos = qos_of(&machine, "0-1");
	limit = qos_smallest_of_all(&qos, where);
	assert_limit(&limit, "none");
	qos_free(&qos);
	put_resume(&machine, 1, "garbage\n");
	qos = qos_of(&machine, "0-1");
	limit = qos_smallest(&qos, 0, where);
	assert_limit(&limit, "none");
	limit = qos_smallest(&qos, 1, where);
	assert_false(limit.known);
	assert_true(limit.unreadable);
	qos_free(&qos);
	machine_put(&machine, "dev/cpu_wakeup_latency", "");
	put_resume(&machine, 0, "9\n");
	qos = qos_of(&machine, "0-1");
	limit = qos_smallest(&qos, 0, where);
	assert_limit(&limit, "9");
	assert_false(limit.unreadable);
	qos_free(&qos);
	machine_free(&machine);
}

/* An enabled state of that latency; -1 = unknown. */
static struct cpuidle_state state_of(int latency_us)
{
	struct cpuidle_state state = { .latency_us = { .known = latency_us >= 0 } };

	state.latency_us.value = latency_us < 0 ? 0 : (uint64_t)latency_us;
	return state;
}

static void p42_forbidden_states(void **state)
{
	struct cpuidle_state table[] = { state_of(0), state_of(2), state_of(133), state_of(-1) };
	struct qos_limit limit = { .known = true, .us = 132 };

	(void)state;
	assert_int_equal(qos_forbids(&limit, table, 4), 1u << 2);
	limit.us = 133; /* up to the limit, and the limit too */
	assert_int_equal(qos_forbids(&limit, table, 4), 0);
	limit.us = 1;
	assert_int_equal(qos_forbids(&limit, table, 4), 1u << 1 | 1u << 2);
	limit.us = 0;
	assert_int_equal(qos_forbids(&limit, table, 4), 1u << 1 | 1u << 2 | 1u << 3);
	table[2].disabled = (struct cpuidle_value){ .known = true, .value = 1 };
	assert_int_equal(qos_forbids(&limit, table, 4), 1u << 1 | 1u << 3);
	limit.none = true;
	assert_int_equal(qos_forbids(&limit, table, 4), 0);
	limit = (struct qos_limit){ .known = false };
	assert_int_equal(qos_forbids(&limit, table, 4), 0);
	/* Arm: WFI is the first state and has a latency; a CPU has to idle somewhere. */
	table[0] = state_of(1);
	limit = (struct qos_limit){ .known = true, .us = 0 };
	assert_int_equal(qos_forbids(&limit, table, 1), 0);
}

/* A task of the fake machine with a descriptor on @target. */
static void put_task(const struct machine *machine, const char *pid, const char *name,
		     const char *target)
{
	char path[256];

	snprintf(path, sizeof(path), "proc/%s/comm", pid);
	machine_put(machine, path, name);
	snprintf(path, sizeof(path), "%s/proc/%s/fd", machine->dir, pid);
	assert_int_equal(file_make_dirs(path), 0);
	snprintf(path, sizeof(path), "%s/proc/%s/fd/7", machine->dir, pid);
	assert_int_equal(symlink(target, path), 0);
}

static void p42_explain(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpulist cpus = list_of("0-1");
	struct cpuidle *cpuidle;
	char text[512];
	struct qos qos;

	(void)state;
	put_task(&machine, "812", "tuned\n", "/dev/cpu_dma_latency");
	put_task(&machine, "813", "sh\n", "/dev/null");
	put_device(&machine, "cpu_dma_latency", 1034);
	put_resume(&machine, 1, "100\n");
	assert_int_equal(cpuidle_open(&machine.root, &cpus, &cpuidle), 0);
	qos = qos_of(&machine, "0-1");
	assert_true(qos_explain(&machine.root, &qos, cpuidle, text, sizeof(text)));
	assert_string_equal(text, "cpu1: C2_ACPI (120 us), C3_ACPI (1034 us) are forbidden by a "
				  "limit of 100 us in cpu1/power/pm_qos_resume_latency_us");
	qos_free(&qos);
	put_device(&machine, "cpu_dma_latency", 1033);
	qos = qos_of(&machine, "0-1");
	assert_true(qos_explain(&machine.root, &qos, cpuidle, text, sizeof(text)));
	assert_string_equal(text, "cpu0: C3_ACPI (1034 us) is forbidden by a limit of 1033 us in "
				  "/dev/cpu_dma_latency, which pid 812 (tuned) has open");
	qos_free(&qos);
	put_device(&machine, "cpu_dma_latency", 2000000000);
	put_resume(&machine, 1, "0\n");
	qos = qos_of(&machine, "0-1");
	assert_false(qos_explain(&machine.root, &qos, cpuidle, text, sizeof(text)));
	qos_free(&qos);
	cpuidle_close(cpuidle);
	cpulist_free(&cpus);
	machine_free(&machine);
}

static int open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* reading on the live machine leaves no descriptor open, and so no request behind. */
static void a11_holds_nothing(void **state)
{
	struct root live;
	struct cpulist cpus = list_of("0");
	char holders[256], self[32];
	int before = open_descriptors();
	struct qos qos;

	(void)state;
	assert_int_equal(root_open(NULL, &live), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(qos_read(&live, &cpus, &qos), 0);
		qos_free(&qos);
	}
	qos_holders(&live, "dev/cpu_dma_latency", holders, sizeof(holders));
	snprintf(self, sizeof(self), "pid %d ", (int)getpid());
	assert_null(strstr(holders, self));
	root_close(&live);
	assert_int_equal(open_descriptors(), before);
	cpulist_free(&cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p42_devices),
		cmocka_unit_test(p42_hostile_devices),
		cmocka_unit_test(p42_resume_latency),
		cmocka_unit_test(p42_smallest_and_where),
		cmocka_unit_test(p42_none_takes_all_files),
		cmocka_unit_test(p42_forbidden_states),
		cmocka_unit_test(p42_explain),
		cmocka_unit_test(a11_holds_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
