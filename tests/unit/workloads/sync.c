/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runner's lines: the good one, in pieces too, and all that is not it. */
#include "workloads/sync.h"
#include "lib/error.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static int receive(const char *text, uint64_t *t0, uint64_t *t1)
{
	int ends[2], rc;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(write(ends[0], text, strlen(text)), strlen(text));
	close(ends[0]);
	rc = sync_receive_go(ends[1], t0, t1);
	close(ends[1]);
	return rc;
}

static void test_good(void **state)
{
	uint64_t t0 = 0, t1 = 0;

	(void)state;
	assert_int_equal(receive("go 1000 2000\n", &t0, &t1), 0);
	assert_int_equal(t0, 1000);
	assert_int_equal(t1, 2000);
	assert_int_equal(receive("go 123456789012345 0\n", &t0, &t1), 0);
	assert_int_equal(t0, 123456789012345);
	assert_int_equal(t1, 0);
}

static void test_bad(void **state)
{
	static const char *const lines[] = {
		"go\n",
		"go 1\n",
		"go 1 2 3\n",
		"go -1 2\n",
		"go  1 2\n",
		"go 01 2\n",
		"go 2 1\n",
		"go 2 2\n",
		"stop\n",
		"\n",
		"go 1 99999999999999999999999\n",
		"go 1 18446744073709551615\n",
		"go 1 2 and a lot more than fits into a line of this protocol, really\n",
	};
	uint64_t t0 = 7, t1 = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(receive(lines[i], &t0, &t1), -EPROTO);
		assert_int_equal(t0, 7);
		assert_int_equal(t1, 7);
	}
	assert_int_equal(receive("", &t0, &t1), -EPIPE);
	assert_int_equal(receive("go 1 2", &t0, &t1), -EPIPE);
}

static void test_send(void **state)
{
	char text[16] = "";
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(sync_send(ends[0], "ready\n"), 0);
	assert_int_equal(read(ends[1], text, sizeof(text)), 6);
	assert_string_equal(text, "ready\n");
	close(ends[1]);
	assert_int_equal(sync_send(ends[0], "done 1\n"), -EPIPE);
	assert_int_equal(sync_unexpected(ends[0]), -EPIPE);
	close(ends[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_send),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
