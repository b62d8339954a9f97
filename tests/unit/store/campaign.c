/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * campaign.ini: the round trip, the identity of a campaign, and damage.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "store/campaign.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The struct is the reader's, which frees its texts; the writer only reads them. */
#define T(text) ((char *)(text))
#define SUITE_TEXT                                                                                 \
	"# My suite; 100% mine\n[suite]\nformat = 1\n\n# The suite file, verbatim:\n"              \
	"[campaign]\nseed = 7\n[run a]\nworkload = idle"

static char base[] = "/tmp/store-campaign-XXXXXX", dir[64], path[96];

static int make_base(void **state)
{
	(void)state;
	if (!mkdtemp(base))
		return -1;
	snprintf(dir, sizeof(dir), "%s/new/results", base);
	snprintf(path, sizeof(path), "%s/campaign.ini", dir);
	return 0;
}

static int remove_base(void **state)
{
	(void)state;
	return file_remove_tree(base);
}

static void assert_says(const char *part)
{
	if (!strstr(error_text(), part))
		fail_msg("the error says '%s', and not '%s'", error_text(), part);
}

static struct store_campaign example(void)
{
	return (struct store_campaign){
		.suite = T("my-suite"),
		.governors_asked = T("available"),
		.governors = T("menu,teo"),
		.reference = T("menu"),
		.cpus = T("0-3,6"),
		.set = T("work=0us 5us;a.cores=2"),
		.order = T("shuffled"),
		.seed = UINT64_MAX,
		.repeat = 6,
		.warmup_ns = -1,
		.window_ns = 1e9 / 3,
		.interval_ns = 1e9,
		.ns_per_unit = 2.1234567890123457,
		.cells = 384,
		.version = T("0.1"),
		.created = T("2026-11-30T21:40:05+00:00"),
		.suite_text = T(SUITE_TEXT),
	};
}

static void create(const struct store_campaign *campaign)
{
	assert_int_equal(file_remove_tree(dir), 0);
	if (store_campaign_create(dir, campaign))
		fail_msg("%s", error_text());
}

static void put(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void expect_equal(const struct store_campaign *a, const struct store_campaign *b)
{
	assert_string_equal(a->suite, b->suite);
	assert_string_equal(a->governors_asked, b->governors_asked);
	assert_string_equal(a->governors, b->governors);
	assert_string_equal(a->reference, b->reference);
	assert_string_equal(a->cpus, b->cpus);
	assert_string_equal(a->set, b->set);
	assert_string_equal(a->order, b->order);
	assert_true(a->seed == b->seed);
	assert_int_equal(a->repeat, b->repeat);
	assert_true(a->warmup_ns == b->warmup_ns);
	assert_true(a->window_ns == b->window_ns);
	assert_true(a->interval_ns == b->interval_ns);
	assert_true(a->ns_per_unit == b->ns_per_unit);
	assert_int_equal(a->cells, b->cells);
	assert_string_equal(a->version, b->version);
	assert_string_equal(a->created, b->created);
	assert_string_equal(a->suite_text, b->suite_text);
}

static void written_is_read(void **state)
{
	struct store_campaign campaign = example(), back;

	(void)state;
	create(&campaign);
	if (store_campaign_read(dir, &back))
		fail_msg("%s", error_text());
	expect_equal(&campaign, &back);
	assert_int_equal(store_campaign_compare(dir, &back, &campaign), 0);
	store_campaign_free(&back);
	assert_null(back.suite);
	/* Written once. */
	assert_int_equal(store_campaign_create(dir, &campaign), -EEXIST);
	assert_says("campaign.ini");
}

static void expect_difference(const struct store_campaign *asked, const char *says)
{
	struct store_campaign have = example();

	error_clear();
	assert_int_equal(store_campaign_compare("results/x", &have, asked), -EINVAL);
	assert_true(error_is_usage());
	assert_says("results/x is another campaign");
	assert_says(says);
}

/* One difference after another: the first in the order of the file is named. */
static void the_first_difference_is_named(void **state)
{
	struct store_campaign asked = example();

	(void)state;
	asked.suite_text = T("other");
	expect_difference(&asked, "its suite file my-suite has another text now");
	asked.interval_ns = 5e8;
	expect_difference(&asked, "interval_ns = 1000000000, this command asks for 500000000");
	asked.window_ns = 0;
	expect_difference(&asked, "this command asks for 0 (see --window;");
	asked.warmup_ns = 0;
	expect_difference(&asked, "it has warmup_ns = -1, this command asks for 0 (see --warmup;");
	asked.repeat = 3;
	expect_difference(&asked, "it has repeat = 6, this command asks for 3 (see --repeat;");
	asked.seed = 1;
	expect_difference(&asked, "it has seed = 18446744073709551615, this command asks for 1");
	asked.order = T("abba");
	expect_difference(&asked, "it has order = shuffled, this command asks for abba");
	asked.set = T("");
	expect_difference(&asked,
			  "it has set = work=0us 5us;a.cores=2, this command asks for nothing");
	asked.cpus = T("0-2");
	expect_difference(&asked, "it has cpus = 0-3,6, this command asks for 0-2");
	asked.governors_asked = T("menu");
	expect_difference(&asked, "it has governors_asked = available, this command asks for menu");
	asked.suite = T("other");
	expect_difference(&asked, "it has suite = my-suite, this command asks for other");
}

static void what_may_differ(void **state)
{
	struct store_campaign have = example(), asked = example();

	(void)state;
	asked.governors = T("menu,teo,ladder");
	asked.ns_per_unit = 3;
	asked.cells = 1;
	asked.version = T("9");
	asked.created = T("later");
	assert_int_equal(store_campaign_compare("x", &have, &asked), 0);
}

static void cut_at_every_byte(void **state)
{
	struct store_campaign campaign = example(), back;
	char *text;
	size_t size;

	(void)state;
	create(&campaign);
	assert_int_equal(file_read(path, &text, &size), 0);
	for (size_t cut = 0; cut < size; cut++) {
		put(text, cut);
		error_clear();
		assert_int_equal(store_campaign_read(dir, &back), -EBADMSG);
		assert_says("campaign.ini");
	}
	put(text, size);
	assert_int_equal(store_campaign_read(dir, &back), 0);
	store_campaign_free(&back);
	free(text);
}

/* Puts @to in the place of @from in an example's file, and reads. */
static int read_with(const char *from, const char *to)
{
	struct store_campaign campaign = example(), back;
	char *text, *at, changed[4096];
	size_t size;
	int err;

	create(&campaign);
	assert_int_equal(file_read(path, &text, &size), 0);
	at = strstr(text, from);
	assert_non_null(at);
	snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, to,
		 at + strlen(from));
	free(text);
	put(changed, strlen(changed));
	error_clear();
	err = store_campaign_read(dir, &back);
	if (!err)
		store_campaign_free(&back);
	return err;
}

static void refused(void **state)
{
	struct store_campaign back;

	(void)state;
	assert_int_equal(read_with("format = 1\n", "format = 2\n"), -EPROTO);
	assert_true(error_is_usage());
	assert_says("campaign.ini: format 2 is newer than this program reads (1)");
	assert_int_equal(read_with("format = 1\n", "colour = red\n"), -EBADMSG);
	assert_says("no 'format'");
	assert_int_equal(read_with("repeat = 6\n", "repeat = six\n"), -EBADMSG);
	assert_says("'repeat' in [campaign] is not a number: 'six'");
	assert_int_equal(read_with("repeat = 6\n", "repeat = 99999999999\n"), -EBADMSG);
	assert_int_equal(read_with("repeat = 6\n", "repeat =\n"), -EBADMSG);
	assert_int_equal(read_with("seed = 1", "seed = 9"), -EBADMSG);
	assert_int_equal(read_with("\nsuite = my-suite\n", "\n"), -EBADMSG);
	assert_says("no 'suite' in [campaign]");
	assert_int_equal(read_with("100% mine", "99% mine"), -EBADMSG);
	assert_says("cut or changed");
	/* Made by hand, without the count: taken. */
	assert_int_equal(read_with("suite_bytes", "other_bytes"), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(store_campaign_read(dir, &back), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_is_read), cmocka_unit_test(the_first_difference_is_named),
		cmocka_unit_test(what_may_differ), cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_base, remove_base);
}
