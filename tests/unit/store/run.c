/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.ini: what is written is read back, damage is told from a whole file at every byte, and
 * temporary folders are nobody's runs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "store/run.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The struct is the reader's, which frees its texts; the writer only reads them. */
#define T(text) ((char *)(text))
#define AWFUL "  a ; b %41 \t# c\n[run]\nstate = complete \xc3\xa4\xe2\x82\xac "

static char dir[] = "/tmp/store-run-XXXXXX", path[64];

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/run.ini", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	return file_remove_tree(dir);
}

static void put(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void assert_says(const char *part)
{
	if (!strstr(error_text(), part))
		fail_msg("the error says '%s', and not '%s'", error_text(), part);
}

static char long_text[1001];
static char *doubts[] = { T(AWFUL), T(""), long_text };
static struct store_pair axes[] = { { T("work"), T("12.5us") }, { T("cores"), T("2") } };
static struct store_pair params[] = { { T("work"), T("12.5us") },
				      { T("cores"), T("2") },
				      { T("task"), T(AWFUL) } };
static int cpus[] = { 6, 0, 2 };

static struct store_run example(void)
{
	memset(long_text, ' ', sizeof(long_text) - 1);
	long_text[0] = long_text[999] = 'x';
	return (struct store_run){
		.number = 17,
		.section = T("two-cores"),
		.point = T("work=12.5us,cores=2"),
		.governor = T("menu"),
		.label = T("menu:2"),
		.repeat = 3,
		.workload = T("ping-pong"),
		.timer_based = true,
		.rehearsal = true,
		.emulated = true,
		.pinned = true,
		.cpus = { cpus, 3 },
		.housekeeping = 4,
		.housekeeping_shared = true,
		.distance_asked = T("any"),
		.distance_got = T("same-cache"),
		.t0_ns = UINT64_MAX,
		.t1_ns = 12345678901234567u,
		.started = T("2026-11-30T21:40:05+00:00"),
		.argv = long_text,
		.exit_status = 143,
		.state = STORE_VOID,
		.reason = T(AWFUL),
		.axis = axes,
		.axes = 2,
		.param = params,
		.params = 3,
		.doubt = doubts,
		.doubts = 3,
	};
}

static void expect_pairs(const struct store_pair *a, size_t n, const struct store_pair *b, size_t m)
{
	assert_int_equal(n, m);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(a[i].key, b[i].key);
		assert_string_equal(a[i].value, b[i].value);
	}
}

static void expect_equal(const struct store_run *a, const struct store_run *b)
{
	assert_int_equal(a->number, b->number);
	assert_string_equal(a->section, b->section);
	assert_string_equal(a->point, b->point);
	assert_string_equal(a->governor, b->governor);
	assert_string_equal(a->label, b->label);
	assert_int_equal(!a->cpufreq_governor, !b->cpufreq_governor);
	assert_int_equal(a->repeat, b->repeat);
	assert_string_equal(a->workload, b->workload);
	assert_int_equal(a->timer_based, b->timer_based);
	assert_int_equal(a->rehearsal, b->rehearsal);
	assert_int_equal(a->modelled, b->modelled);
	assert_int_equal(a->emulated, b->emulated);
	assert_int_equal(a->pinned, b->pinned);
	assert_int_equal(a->oversubscribed, b->oversubscribed);
	assert_int_equal(a->cpus.n, b->cpus.n);
	assert_memory_equal(a->cpus.cpu, b->cpus.cpu, a->cpus.n * sizeof(int));
	assert_int_equal(a->housekeeping, b->housekeeping);
	assert_int_equal(a->housekeeping_shared, b->housekeeping_shared);
	assert_string_equal(a->distance_asked, b->distance_asked);
	assert_string_equal(a->distance_got, b->distance_got);
	assert_true(a->t0_ns == b->t0_ns && a->t1_ns == b->t1_ns);
	assert_string_equal(a->started, b->started);
	assert_string_equal(a->argv, b->argv);
	assert_int_equal(a->exit_status, b->exit_status);
	assert_int_equal(a->state, b->state);
	assert_string_equal(a->reason, b->reason);
	expect_pairs(a->axis, a->axes, b->axis, b->axes);
	expect_pairs(a->param, a->params, b->param, b->params);
	assert_int_equal(a->doubts, b->doubts);
	for (size_t i = 0; i < a->doubts; i++)
		assert_string_equal(a->doubt[i], b->doubt[i]);
}

static void written_is_read(void **state)
{
	struct store_run run = example(), back;

	(void)state;
	assert_int_equal(store_run_write(dir, &run), 0);
	if (store_run_read(dir, &back))
		fail_msg("%s", error_text());
	assert_string_equal(back.dir, dir);
	expect_equal(&run, &back);
	store_run_free(&back);
	assert_null(back.section);
}

/* The least there is: the null workload, complete, without doubts. */
static void bare_run(void **state)
{
	struct store_run run = { .number = 1,
				 .section = T("quiet"),
				 .governor = T("teo"),
				 .label = T("teo"),
				 .repeat = 1,
				 .workload = T("idle"),
				 .housekeeping = 0 },
			 back;

	(void)state;
	assert_int_equal(store_run_write(dir, &run), 0);
	if (store_run_read(dir, &back))
		fail_msg("%s", error_text());
	assert_string_equal(back.point, "");
	assert_null(back.reason);
	assert_null(back.argv);
	assert_null(back.cpufreq_governor);
	assert_int_equal(back.cpus.n, 0);
	assert_int_equal(back.axes, 0);
	assert_int_equal(back.params, 0);
	assert_int_equal(back.doubts, 0);
	assert_int_equal(back.state, STORE_COMPLETE);
	store_run_free(&back);
}

/* A copy that broke off must not pass for a run with fewer doubts. */
static void cut_at_every_byte(void **state)
{
	struct store_run run = example(), back;
	char *text;
	size_t size;

	(void)state;
	run.state = STORE_COMPLETE;
	assert_int_equal(store_run_write(dir, &run), 0);
	assert_int_equal(file_read(path, &text, &size), 0);
	for (size_t cut = 0; cut <= size; cut++) {
		int err;

		put(text, cut);
		error_clear();
		err = store_run_read(dir, &back);
		/* Only the last newline may be missing. */
		assert_int_equal(err == 0, cut + 1 >= size);
		if (!err) {
			expect_equal(&run, &back);
			store_run_free(&back);
		} else {
			assert_int_equal(err, -EBADMSG);
			assert_says("run.ini");
		}
	}
	free(text);
}

/* Whatever is in a byte's place, the reader returns. */
static void every_byte_changed(void **state)
{
	static const char instead[] = { '\0', '\n', 'x', ']', '=', ' ', ';', '%' };
	struct store_run run = example(), back;
	char *text;
	size_t size;
	int read = 0, refused = 0;

	(void)state;
	assert_int_equal(store_run_write(dir, &run), 0);
	assert_int_equal(file_read(path, &text, &size), 0);
	for (size_t i = 0; i < size; i++) {
		char old = text[i];

		text[i] = instead[i % sizeof(instead)];
		put(text, size);
		text[i] = old;
		if (store_run_read(dir, &back)) {
			refused++;
			continue;
		}
		read++;
		store_run_free(&back);
	}
	assert_true(read > 0 && refused > 0);
	free(text);
}

/* Puts @to in the place of @from in an example's file, and reads. */
static int read_with(const char *from, const char *to)
{
	struct store_run run = example(), back = { 0 };
	char *text, *at, changed[16384];
	size_t size;
	int err;

	run.state = STORE_COMPLETE;
	run.reason = NULL;
	assert_int_equal(store_run_write(dir, &run), 0);
	assert_int_equal(file_read(path, &text, &size), 0);
	at = strstr(text, from);
	assert_non_null(at);
	snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, to,
		 at + strlen(from));
	free(text);
	put(changed, strlen(changed));
	error_clear();
	err = store_run_read(dir, &back);
	if (!err)
		store_run_free(&back);
	return err;
}

static void refused(void **state)
{
	(void)state;
	assert_int_equal(read_with("\nstate = complete\n", "\nstate = finished\n"), -EBADMSG);
	assert_says("'state'");
	assert_int_equal(read_with("\nstate = complete\n", "\n"), -EBADMSG);
	assert_says("'state'");
	assert_int_equal(read_with("\nformat = 1\n", "\nformat = 2\n"), -EPROTO);
	assert_says("format 2 is newer than this program reads (1)");
	assert_says("run.ini");
	assert_int_equal(read_with("\nformat = 1\n", "\n"), -EBADMSG);
	assert_int_equal(read_with("\nformat = 1\n", "\nformat = x\n"), -EBADMSG);
	assert_int_equal(read_with("\nnumber = 17\n", "\nnumber = 99999999999\n"), -EBADMSG);
	assert_says("'number'");
	assert_int_equal(read_with("\nnumber = 17\n", "\nnumber = -1\n"), -EBADMSG);
	assert_int_equal(read_with("\npinned = yes\n", "\npinned = maybe\n"), -EBADMSG);
	assert_says("'pinned'");
	assert_int_equal(read_with("\ncpus = 6,0,2\n", "\ncpus = 6,0,6\n"), -EBADMSG);
	assert_says("'cpus'");
	assert_int_equal(read_with("\nt0_ns = ", "\nt0_ns = x"), -EBADMSG);
	assert_int_equal(read_with("\nsection = two-cores\n", "\n"), -EBADMSG);
	assert_says("'section'");
	/* A key of a later minor version is nobody's error. */
	assert_int_equal(read_with("\nnumber = 17\n", "\nnumber = 17\ncolour = red\n"), 0);
	assert_int_equal(unlink(path), 0);
	error_clear();
	{
		struct store_run back;

		assert_int_equal(store_run_read(dir, &back), -ENOENT);
		assert_says("run.ini");
	}
}

static void cannot_be_written(void **state)
{
	struct store_run run = example();
	char missing[64];

	(void)state;
	snprintf(missing, sizeof(missing), "%s/missing", dir);
	assert_int_equal(store_run_write(missing, &run), -ENOENT);
	assert_says("missing/run.ini");
}

static void make(const char *below)
{
	char folder[128];

	snprintf(folder, sizeof(folder), "%s/%s", dir, below);
	assert_int_equal(file_make_dirs(folder), 0);
}

static void published_runs_only(void **state)
{
	char **list, file[128];
	size_t n = 7;

	(void)state;
	assert_int_equal(store_run_list(dir, &list, &n), 0);
	assert_int_equal(n, 0);
	store_list_free(list, n);
	make("boots/b/runs/0002.x.menu.r1");
	make("boots/b/runs/0001.y.teo.r1.void-1");
	make("boots/b/runs/.tmp-0003.z.menu.r1");
	make("boots/a/runs/0009.q.menu.r2");
	make("boots/c");
	make("boots/.hidden/runs/0001.w.menu.r1");
	snprintf(file, sizeof(file), "%s/boots/b/runs/README", dir);
	assert_int_equal(close(creat(file, 0644)), 0);
	assert_int_equal(store_run_list(dir, &list, &n), 0);
	assert_int_equal(n, 3);
	assert_non_null(strstr(list[0], "/boots/a/runs/0009.q.menu.r2"));
	assert_non_null(strstr(list[1], "/boots/b/runs/0001.y.teo.r1.void-1"));
	assert_non_null(strstr(list[2], "/boots/b/runs/0002.x.menu.r1"));
	store_list_free(list, n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_is_read),
		cmocka_unit_test(bare_run),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(every_byte_changed),
		cmocka_unit_test(refused),
		cmocka_unit_test(cannot_be_written),
		cmocka_unit_test(published_runs_only),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
