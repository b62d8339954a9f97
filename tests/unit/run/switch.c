/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * P-40: writing the governor that is in use is a no-op in the kernel and keeps what it has learnt,
 * so a switch is always two writes: another one, then the wanted one. What is left in the file
 * cannot tell that, so this program has a write() of its own, which notes every text that goes to
 * current_governor and passes it on.
 */
#include "../hw/machine.h"
#include "run/switch.h"
#include <sys/syscall.h>

#define GOVERNOR "sys/devices/system/cpu/cpuidle/current_governor"

static char written[512]; /* "teo menu ": each write that reached the file */

ssize_t write(int fd, const void *data, size_t size)
{
	char link[64], path[512];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	if (strstr(path, "/" GOVERNOR))
		snprintf(written + strlen(written), sizeof(written) - strlen(written), "%.*s ",
			 (int)size, (const char *)data);
	return syscall(SYS_write, fd, data, size);
}

struct fixture {
	struct machine machine;
	struct session session;
};

static void open_fixture(struct fixture *f, const char *options)
{
	struct cpulist cpus = list_of("0");

	memset(f, 0, sizeof(*f));
	f->machine = machine_make(options);
	f->session.root = f->machine.root;
	assert_int_equal(cpuidle_open(&f->session.root, &cpus, &f->session.idle), 0);
	assert_int_equal(governor_available(&f->session.root, &f->session.offered), 0);
	assert_int_equal(undo_start(&f->session.root, &f->session.undo), 0);
	cpulist_free(&cpus);
	written[0] = '\0';
}

static void close_fixture(struct fixture *f)
{
	assert_int_equal(undo_finish(f->session.undo), 0);
	cpuidle_close(f->session.idle);
	machine_free(&f->machine);
}

static void p40_the_governor_in_use_is_left_and_set_again(void **state)
{
	struct fixture f;
	bool fresh = false;

	(void)state;
	open_fixture(&f, "--cpus 1 --governors 'menu teo ladder' --governor teo");
	assert_int_equal(switch_governor(&f.session, "teo", &fresh), 0);
	assert_string_equal(written, "ladder teo ");
	assert_true(fresh);
	assert_file(&f.machine, GOVERNOR, "teo");
	written[0] = '\0';
	assert_int_equal(switch_governor(&f.session, "teo", &fresh), 0);
	assert_string_equal(written, "ladder teo ");
	close_fixture(&f);
}

/* From any to any of the offered ones: the first write never names what is wanted. */
static void p40_every_switch_goes_by_another_one(void **state)
{
	static const char *const name[] = { "menu", "teo", "ladder" };
	struct fixture f;

	(void)state;
	open_fixture(&f, "--cpus 1 --governors 'menu teo ladder' --governor menu");
	for (int from = 0; from < 3; from++) {
		for (int to = 0; to < 3; to++) {
			char first[16], second[16], more[16];
			bool fresh = false;

			assert_int_equal(switch_governor(&f.session, name[from], &fresh), 0);
			written[0] = '\0';
			assert_int_equal(switch_governor(&f.session, name[to], &fresh), 0);
			assert_int_equal(sscanf(written, "%15s %15s %15s", first, second, more), 2);
			assert_string_not_equal(first, name[to]);
			assert_string_equal(second, name[to]);
			assert_true(fresh);
		}
	}
	close_fixture(&f);
}

/* With nothing to switch away to the learning cannot be cleared, and the caller is told. */
static void p40_one_governor_cannot_be_fresh(void **state)
{
	struct fixture f;
	bool fresh = true;

	(void)state;
	open_fixture(&f, "--cpus 1 --governors menu --governor menu");
	assert_int_equal(switch_governor(&f.session, "menu", &fresh), 0);
	assert_false(fresh);
	assert_string_equal(written, "menu ");
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p40_the_governor_in_use_is_left_and_set_again),
		cmocka_unit_test(p40_every_switch_goes_by_another_one),
		cmocka_unit_test(p40_one_governor_cannot_be_fresh),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
