/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats of a made machine: ids, places and sizes of fields, values out of a raw record, what is
 * missing or damaged, and a locked machine with copies of another one's.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hw/tracefs.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char dir[64];
static struct root root;

static const char format[] =
	"name: cpu_idle\nID: 568\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 state;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 wide;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:bool below;\toffset:24;\tsize:1;\tsigned:0;\n\n"
	"print fmt: \"state=%lu\", (unsigned long)REC->state\n";

/* A file of the made machine, or of a folder in it. */
static void put_file(const char *folder, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, folder);
	assert_false(file_make_dirs(path));
	strcat(path, name);
	assert_false(file_write_atomic(path, text, strlen(text)));
}

static void put(const char *event, const char *text)
{
	char folder[128];

	snprintf(folder, sizeof(folder), "sys/kernel/tracing/events/power/%s", event);
	put_file(folder, "/format", text);
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/tracefs-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	put("cpu_idle", format);
	put("garbage", "name: \nID: x\n");
	put("empty", "");
	return root_open(dir, &root);
}

static int teardown(void **state)
{
	(void)state;
	root_close(&root);
	return file_remove_tree(dir);
}

static void fields_are_found_and_read(void **state)
{
	struct tracefs_field field[3] = { { .name = "state" },
					  { .name = "wide" },
					  { .name = "below" } };
	uint8_t raw[25] = {
		[8] = 0xff, [9] = 0xff, [10] = 0xff, [11] = 0xff, [16] = 1, [23] = 2, [24] = 1
	};
	struct tracefs *t;
	uint64_t id;

	(void)state;
	assert_false(tracefs_open(&root, NULL, &t));
	assert_false(tracefs_event(t, "power", "cpu_idle", &id, field, 3));
	assert_int_equal(id, 568);
	assert_int_equal(field[0].offset, 8);
	assert_true(tracefs_value(&field[0], raw, sizeof(raw)) == UINT32_MAX);
	assert_true(tracefs_value(&field[1], raw, sizeof(raw)) == 0x0200000000000001u);
	assert_int_equal(tracefs_value(&field[2], raw, sizeof(raw)), 1);
	assert_int_equal(tracefs_value(&field[2], raw, 24), 0); /* a short record */
	tracefs_close(t);
}

static void what_is_not_there_is_named(void **state)
{
	struct tracefs_field field = { .name = "cpu_id" };
	struct root other;
	struct tracefs *t;
	uint64_t id;

	(void)state;
	assert_false(tracefs_open(&root, NULL, &t));
	assert_int_equal(tracefs_event(t, "power", "cpu_idle", &id, &field, 1), -ENOENT);
	assert_non_null(strstr(error_text(), "no field 'cpu_id'"));
	assert_int_equal(tracefs_event(t, "power", "cpu_idle_miss", &id, NULL, 0), -ENOENT);
	assert_int_equal(tracefs_event(t, "power", "garbage", &id, NULL, 0), -EBADMSG);
	assert_int_equal(tracefs_event(t, "power", "empty", &id, NULL, 0), -EBADMSG);
	tracefs_close(t);
	assert_false(root_open("/tmp", &other));
	assert_int_equal(tracefs_open(&other, NULL, &t), -ENODEV);
	assert_non_null(strstr(error_text(), "mount -t tracefs"));
	root_close(&other);
}

static void a_locked_kernel_takes_copies(void **state)
{
	char made[96], copy[96];
	struct root locked;
	struct tracefs *t;
	uint64_t id;

	(void)state;
	put_file("locked/sys/kernel/security", "/lockdown", "none integrity [confidentiality]\n");
	put_file("locked/proc", "/version", "Linux version 6.18.0 (a@b) #7\n");
	put_file("copy/events/power/cpu_idle", "/format", format);
	snprintf(made, sizeof(made), "%s/locked", dir);
	snprintf(copy, sizeof(copy), "%s/copy", dir);
	assert_false(root_open(made, &locked));
	assert_int_equal(tracefs_open(&locked, NULL, &t), -EACCES);
	assert_non_null(strstr(error_text(), "locked down (confidentiality)"));
	assert_non_null(strstr(error_text(), "--formats DIR"));
	assert_int_equal(tracefs_open(&locked, copy, &t), -ENOENT);
	assert_non_null(strstr(error_text(), "version"));
	put_file("copy", "/version", "Linux version 6.18.0 (a@b) #8\n");
	assert_int_equal(tracefs_open(&locked, copy, &t), -EINVAL);
	assert_non_null(strstr(error_text(), "of another kernel: Linux version 6.18.0 (a@b) #8"));
	put_file("copy", "/version", "Linux version 6.18.0 (a@b) #7\n");
	assert_false(tracefs_open(&locked, copy, &t));
	assert_false(tracefs_event(t, "power", "cpu_idle", &id, NULL, 0));
	assert_int_equal(id, 568);
	tracefs_close(t);
	root_close(&locked);
}

static void tracefs_without_events_is_none(void **state)
{
	char made[96];
	struct root bare;
	struct tracefs *t;

	(void)state;
	put_file("bare/sys/kernel/tracing", "/README", "");
	snprintf(made, sizeof(made), "%s/bare", dir);
	assert_false(root_open(made, &bare));
	assert_int_equal(tracefs_open(&bare, NULL, &t), -ENODEV);
	root_close(&bare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found_and_read),
		cmocka_unit_test(what_is_not_there_is_named),
		cmocka_unit_test(a_locked_kernel_takes_copies),
		cmocka_unit_test(tracefs_without_events_is_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
