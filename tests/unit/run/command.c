/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload's command line, and its text for a shell. The program is looked for beside the
 * running one, so an empty stand-in is laid there for the time of the test.
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/command.h"
#include "workloads/work.h"
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[PATH_MAX];

static int lay_stand_in(void **state)
{
	char exe[PATH_MAX] = "", path[PATH_MAX + 32];
	int fd;

	(void)state;
	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		return -1;
	snprintf(folder, sizeof(folder), "%.*s/workloads", PATH_MAX - 16, dirname(exe));
	if (file_make_dirs(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/ping-pong", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	return fd < 0 ? -1 : close(fd);
}

static int remove_stand_in(void **state)
{
	(void)state;
	return file_remove_tree(folder);
}

/* The command for the first point, joined by blanks, without the program's folder. */
static void expect(const char *keys, const char *cpus, bool live, const char *command)
{
	struct session session = { .root.live = live, .campaign.ns_per_unit = 2.5 };
	struct placement placement = { .parts = 1, .part[0] = { .all = 4, .tasks = 4 } };
	struct placement_part *part = &placement.part[0];
	char text[256], *got;
	struct plan plan;
	struct suite suite;
	struct cell cell;
	char **argv;

	snprintf(text, sizeof(text), HEAD RING "%s", keys);
	suite = suite_of(text);
	assert_int_equal(plan_make(&suite,
				   &(struct plan_request){
					   .governors = "menu", .repeat = 1, .order = "blocked" },
				   &plan),
			 0);
	assert_int_equal(cpulist_parse(cpus, &part->cpus), 0);
	cell = (struct cell){ .session = &session,
			      .plan = &plan.cell[0],
			      .point = &plan.point[0],
			      .section = &suite.section[0],
			      .placement = &placement,
			      .tmp = (char[]){ "/r/a b" } };
	if (command_make(&cell, 0, cell.tmp, &argv))
		fail_msg("%s", error_text());
	got = command_text(argv);
	assert_int_equal(strncmp(got, folder, strlen(folder)), 0);
	assert_string_equal(got + strlen(folder) + 1, command);
	free(got);
	command_free(argv);
	cpulist_free(&part->cpus);
	plan_free(&plan);
	suite_free(&suite);
}

static void commands(void **state)
{
	(void)state;
	/* Defaults are the program's own matter. */
	expect("", "0,2", true, "ping-pong --cpus 0,2 --output '/r/a b' --sync-fd @sync@");
	expect("cores = 3\ntransport = futex\n", "0-2", true,
	       "ping-pong --cores 3 --transport futex --cpus 0-2 --output '/r/a b' "
	       "--sync-fd @sync@");
	/* distance is the runner's own matter. */
	expect("distance = same-cache\n", "0,1", true,
	       "ping-pong --cpus 0-1 --output '/r/a b' --sync-fd @sync@");
	expect("cores = all\n", "0,2,4,6", true,
	       "ping-pong --cores 4 --cpus 0,2,4,6 --output '/r/a b' --sync-fd @sync@");
	expect("loops = 1e6\nwork = 12\n", "0-1", true,
	       "ping-pong --work 12 --loops 1000000 --cpus 0-1 --output '/r/a b' "
	       "--sync-fd @sync@");
	/* The order of the stops is kept. */
	expect("", "6,0", true, "ping-pong --cpus 6,0 --output '/r/a b' --sync-fd @sync@");
	expect("", "0-1", false,
	       "ping-pong --cpus 0-1 --unbound --output '/r/a b' --sync-fd @sync@");
}

/* 2.5 ns a unit. */
static void a_time_becomes_units(void **state)
{
	char text[128];

	(void)state;
	assert_int_equal(work_units(25000, 2.5), 10000);
	snprintf(text, sizeof(text),
		 "ping-pong --work 10000 --cpus 0-1 --output '/r/a b' --sync-fd @sync@");
	expect("work = 25us\n", "0-1", true, text);
	expect("work = 0us 1us\n", "0-1", true,
	       "ping-pong --work 0 --cpus 0-1 --output '/r/a b' --sync-fd @sync@");
}

/* sh reads back what was written. */
static void expect_shell_reads_back(char *word)
{
	char *argv[] = { (char[]){ "printf" }, (char[]){ "%s" }, word, NULL };
	char *text = command_text(argv), got[512];
	FILE *shell = popen(text, "r");
	size_t n;

	assert_non_null(shell);
	n = fread(got, 1, sizeof(got) - 1, shell);
	got[n] = '\0';
	assert_int_equal(pclose(shell), 0);
	assert_string_equal(got, word);
	free(text);
}

static void shell_text(void **state)
{
	char *plain[] = { (char[]){ "a" }, (char[]){ "--b=1,2:/x@y.z%" }, NULL };
	char *text = command_text(plain);

	(void)state;
	assert_string_equal(text, "a --b=1,2:/x@y.z%");
	free(text);
	expect_shell_reads_back((char[]){ "" });
	expect_shell_reads_back((char[]){ "two words" });
	expect_shell_reads_back((char[]){ "it's" });
	expect_shell_reads_back((char[]){ "'" });
	expect_shell_reads_back((char[]){ "$HOME `id` \"x\" \\ ! * ? ~ # & | ; < > ( ) { }" });
	expect_shell_reads_back((char[]){ "line\nline\ttab" });
	expect_shell_reads_back((char[]){ "\xc3\xa4\xe2\x82\xac" });
	expect_shell_reads_back((char[]){ "%d%s%%" });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands),
		cmocka_unit_test(a_time_becomes_units),
		cmocka_unit_test(shell_text),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, lay_stand_in, remove_stand_in);
}
