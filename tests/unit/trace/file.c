/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace that is written and read again is the same; cut at any byte or with any bit turned it is
 * read as far as it is whole, damage is named, and no time is negative.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "lib/random.h"
#include "trace/format.h"
#include "trace/read.h"
#include "trace/write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define PERIODS 20000

static char path[64];
static struct trace_period made[2][PERIODS];
static struct trace_info info;

static int add_cpus(struct cpulist *list, int n)
{
	for (int i = 0; i < n; i++)
		if (cpulist_add(list, i * 3))
			return -1;
	return 0;
}

static void make_periods(uint64_t seed)
{
	for (int c = 0; c < 2; c++) {
		uint64_t t = 1000000000000u;

		for (size_t i = 0; i < PERIODS; i++) {
			struct trace_period *p = &made[c][i];

			t += random_below(&seed, 100000);
			*p = (struct trace_period){ .entry_ns = t };
			t += random_below(&seed, 1u << random_below(&seed, 31));
			p->exit_ns = t;
			p->state = (uint8_t)random_below(&seed, 4);
			p->cause = (uint8_t)random_below(&seed, TRACE_CAUSES);
			p->miss = (uint8_t)random_below(&seed, 3);
			p->tick_stopped = random_below(&seed, 2);
			p->was_stopped = random_below(&seed, 2);
			p->ran = random_below(&seed, 2);
			p->after_loss = !random_below(&seed, 100);
			p->next_known = random_below(&seed, 2);
			if (p->next_known) {
				p->next_ns = p->entry_ns + random_below(&seed, 10000000) - 500;
				p->next_is_tick = random_below(&seed, 2);
			}
			p->timer_known = random_below(&seed, 2);
			if (!p->timer_known)
				continue;
			p->timer_is_wheel = random_below(&seed, 2);
			p->timer_ns = p->entry_ns + random_below(&seed, 100000000) - 500;
			if (p->next_known && !p->next_is_tick && !p->timer_is_wheel)
				p->timer_ns = p->next_ns;
		}
	}
}

static void fill_info(void)
{
	info = (struct trace_info){ .hz = 250, .kinds = TRACE_HAS_MISSES | TRACE_HAS_SCHED };
	info.kernel = strdup("6.18.0-rc1; '\t#x");
	info.governor = strdup("teo-ng");
	info.t0_ns = 999999999999u;
	assert_false(add_cpus(&info.cpus, 2));
	assert_false(add_cpus(&info.workload, 1));
	info.table = calloc(1, sizeof(*info.table));
	info.tables = 1;
	info.package = calloc(2, sizeof(*info.package));
	info.packages = 2;
	info.package[1].cluster = true;
	assert_false(add_cpus(&info.package[0].cpus, 2) || add_cpus(&info.package[1].cpus, 1));
	assert_false(add_cpus(&info.table[0].cpus, 2));
	info.table[0].states = 2;
	info.table[0].state[0] = (struct trace_state){ "POLL", 0, 0, false };
	info.table[0].state[1] = (struct trace_state){ "haltpoll idle", 1, -1, true };
}

static void write_made(size_t n, bool finish)
{
	struct trace_edge edge[2] = { { .t_ns = { 5, 6 }, .states = 1 }, { .states = 0 } };
	struct trace_wake wake = { 77, 12345, 4242, 3, 65535, "kworker/1:1H" };
	struct trace_writer *w;
	uint64_t bytes;

	edge[0].counter[0][1].known = true;
	edge[0].counter[0][1].value[0] = 100;
	edge[0].counter[0][1].value[1] = 107;
	assert_false(trace_create(path, &info, &w));
	for (size_t i = 0; i < n; i++) {
		for (size_t c = 0; c < 2; c++)
			assert_false(trace_put_period(w, c, &made[c][i]));
		if (i % 5000 == 4999) {
			trace_count(w, 1, TRACE_LOST, 3);
			trace_set_open(w, 0, true, 2, made[0][i].exit_ns + 5);
			assert_false(trace_put_wake(w, &wake));
			assert_false(trace_round(w, made[0][i].exit_ns));
		}
	}
	assert_false(trace_round(w, UINT64_MAX / 4));
	assert_int_equal(trace_periods(w), 2 * n);
	if (finish)
		assert_false(trace_finish(w, edge, &bytes));
	else
		trace_abandon(w);
}

static int setup(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/trace-file-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return -1;
	close(fd);
	fill_info();
	make_periods(1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	trace_info_free(&info);
	return 0;
}

static bool same(const struct trace_period *a, const struct trace_period *b)
{
	return a->entry_ns == b->entry_ns && a->exit_ns == b->exit_ns && a->next_ns == b->next_ns &&
	       a->state == b->state && a->cause == b->cause && a->miss == b->miss &&
	       a->tick_stopped == b->tick_stopped && a->next_known == b->next_known &&
	       a->next_is_tick == b->next_is_tick && a->after_loss == b->after_loss &&
	       a->was_stopped == b->was_stopped && a->ran == b->ran &&
	       a->timer_known == b->timer_known && a->timer_ns == b->timer_ns &&
	       a->timer_is_wheel == b->timer_is_wheel;
}

static void what_is_read_is_what_was_written(void **state)
{
	size_t at[2] = { 0, 0 }, wakes = 0, rounds = 0, edges = 0, opens = 0;
	struct trace_edge *edge;
	struct trace_reader *r;
	struct trace_item item;
	uint64_t lost = 0;

	(void)state;
	write_made(PERIODS, true);
	assert_false(trace_open(path, &r));
	assert_false(trace_edges(r, &edge));
	assert_non_null(edge);
	assert_int_equal(edge[0].counter[0][1].value[1], 107);
	assert_false(edge[0].counter[0][0].known);
	free(edge);
	do {
		assert_false(trace_next(r, &item));
		assert_int_not_equal(item.type, TRACE_DAMAGE);
		for (size_t i = 0; item.type == TRACE_PERIODS && i < item.n; i++)
			assert_true(same(&item.period[i], &made[item.i][at[item.i]++]));
		lost += item.type == TRACE_PERIODS ? item.count[TRACE_LOST] : 0;
		opens += item.type == TRACE_PERIODS && item.open;
		wakes += item.type == TRACE_WAKES ? item.n : 0;
		rounds += item.type == TRACE_ROUND;
		edges += item.type == TRACE_EDGE;
		if (item.type == TRACE_WAKES) {
			assert_string_equal(item.wake[0].name, "kworker/1:1H");
			assert_int_equal(item.wake[0].waker, 65535);
		}
	} while (item.type != TRACE_END);
	assert_int_equal(at[0], PERIODS);
	assert_int_equal(at[1], PERIODS);
	assert_int_equal(lost, 3 * PERIODS / 5000);
	assert_int_equal(wakes, PERIODS / 5000);
	assert_int_equal(rounds, PERIODS / 5000 + 1);
	assert_int_equal(edges, 2);
	assert_true(opens);
	assert_true(trace_is_whole(r));
	trace_close(r);
}

static void the_head_is_read_back(void **state)
{
	const struct trace_info *read;
	struct trace_reader *r;

	(void)state;
	write_made(0, true);
	assert_false(trace_open(path, &r));
	read = trace_info(r);
	assert_string_equal(read->kernel, "6.18.0-rc1? '?#x");
	assert_string_equal(read->governor, "teo-ng");
	assert_null(read->machine);
	assert_int_equal(read->hz, 250);
	assert_int_equal(read->kinds, info.kinds);
	assert_int_equal(read->t0_ns, info.t0_ns);
	assert_int_equal(read->cpus.cpu[1], 3);
	assert_int_equal(read->workload.n, 1);
	assert_string_equal(read->table[0].state[1].name, "haltpoll idle");
	assert_true(read->table[0].state[1].residency_us == -1);
	assert_true(read->table[0].state[1].disabled);
	assert_int_equal(read->format, TRACE_FORMAT);
	assert_int_equal(read->packages, 2);
	assert_true(!read->package[0].cluster && read->package[1].cluster);
	assert_int_equal(read->package[1].cpus.n, 1);
	trace_close(r);
}

/* Reads all; the periods that came, and places of damage. Never a negative time. */
static size_t read_all(size_t *ret_damages, bool *ret_whole)
{
	struct trace_reader *r;
	struct trace_item item = { .type = TRACE_ROUND };
	size_t periods = 0;

	*ret_damages = 0;
	*ret_whole = false;
	if (trace_open(path, &r)) {
		assert_true(error_text()[0]);
		return 0;
	}
	while (item.type != TRACE_END) {
		assert_false(trace_next(r, &item));
		for (size_t i = 0; item.type == TRACE_PERIODS && i < item.n; i++)
			assert_true(item.period[i].exit_ns >= item.period[i].entry_ns);
		periods += item.type == TRACE_PERIODS ? item.n : 0;
		*ret_damages += item.type == TRACE_DAMAGE;
	}
	*ret_whole = trace_is_whole(r);
	trace_close(r);
	return periods;
}

static void a_crash_leaves_what_was_whole(void **state)
{
	size_t damages, periods;
	bool whole;

	(void)state;
	write_made(PERIODS, false);
	periods = read_all(&damages, &whole);
	assert_int_equal(periods, 2 * PERIODS);
	assert_int_equal(damages, 0);
	assert_false(whole);
}

static void cut_anywhere_it_is_read_up_to_there(void **state)
{
	size_t size, periods, before = SIZE_MAX, damages;
	uint64_t seed = 3;
	char *text;
	bool whole;

	(void)state;
	write_made(3000, true);
	assert_false(file_read(path, &text, &size));
	for (size_t n = size; n > 0; n = n > 997 ? n - random_below(&seed, 997) - 1 : 0) {
		assert_false(truncate(path, (off_t)n));
		periods = read_all(&damages, &whole);
		assert_true(periods <= before);
		assert_true(whole == (n == size));
		assert_true(damages <= 1);
		before = periods;
	}
	free(text);
}

static void a_turned_bit_costs_its_block(void **state)
{
	size_t size, damages, periods, all;
	uint64_t seed = 5;
	char *text;
	bool whole;
	FILE *file;

	(void)state;
	write_made(PERIODS, true);
	all = read_all(&damages, &whole);
	assert_false(file_read(path, &text, &size));
	for (int i = 0; i < 100; i++) {
		size_t at = 2000 + random_below(&seed, size - 4000);

		file = fopen(path, "r+e");
		fseek(file, (long)at, SEEK_SET);
		fputc(text[at] ^ 1 << random_below(&seed, 8), file);
		fclose(file);
		periods = read_all(&damages, &whole);
		assert_int_equal(damages, 1);
		assert_true(periods < all && periods > all / 2);
		file = fopen(path, "r+e");
		fseek(file, (long)at, SEEK_SET);
		fputc(text[at], file);
		fclose(file);
	}
	free(text);
}

static uint32_t get_u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* The first packed block's size, one more or less than it is, or more than any payload has. */
static void a_packed_block_is_held_to_its_size(void **state)
{
	static const uint64_t wrong[] = { 1, UINT64_MAX, FORMAT_PAYLOAD_MAX };
	size_t size, at = 0, damages, all;
	char *text;
	bool whole;

	(void)state;
	/* What packs well. */
	for (size_t i = 0; i < 3000; i++)
		for (int c = 0; c < 2; c++)
			made[c][i] = (struct trace_period){ .entry_ns = 1000000 + i * 100000,
							    .exit_ns = 1040000 + i * 100000 };
	write_made(3000, true);
	make_periods(1);
	all = read_all(&damages, &whole);
	assert_int_equal(all, 6000);
	assert_false(file_read(path, &text, &size));
	while (!(get_u32(text + at + 4) & FORMAT_PACKED))
		at += FORMAT_HEAD + get_u32(text + at + 8);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		uint8_t number[10], *block = (uint8_t *)text + at;
		const uint8_t *behind = block + FORMAT_HEAD;
		uint64_t claim = 0;
		uint32_t sum;
		size_t n;

		assert_true(format_get(&behind, behind + 10, &claim));
		n = (size_t)(behind - block) - FORMAT_HEAD;
		/* As many bytes as before, the sum right. */
		assert_int_equal(format_put(number, claim + wrong[i]) - number, n);
		memcpy(block + FORMAT_HEAD, number, n);
		memset(block + 12, 0, 4);
		sum = (uint32_t)crc32(0, block, FORMAT_HEAD + get_u32(text + at + 8));
		memcpy(block + 12, &sum, 4);
		assert_false(file_write_atomic(path, text, size));
		assert_true(read_all(&damages, &whole) < all);
		assert_int_equal(damages, 1);
		format_put(block + FORMAT_HEAD, claim);
	}
	free(text);
}

static int open_head(const char *text)
{
	uint8_t block[256] = { 0 };
	uint32_t head[4] = { FORMAT_BLOCK_MAGIC, FORMAT_INFO, (uint32_t)strlen(text), 0 };
	struct trace_reader *r;
	int err;

	memcpy(block, head, sizeof(head));
	memcpy(block + FORMAT_HEAD, text, strlen(text));
	head[3] = (uint32_t)crc32(0, block, FORMAT_HEAD + (uInt)strlen(text));
	memcpy(block, head, sizeof(head));
	assert_false(file_write_atomic(path, (char *)block, FORMAT_HEAD + strlen(text)));
	err = trace_open(path, &r);
	if (!err)
		trace_close(r);
	return err;
}

static void a_cpu_stands_in_the_head_once(void **state)
{
	(void)state;
	assert_false(open_head("[trace]\nformat = 3\nt0_ns = 0\ncpus = 4,7\ncpus = 3,5\n"));
	assert_int_equal(open_head("[trace]\nformat = 3\nt0_ns = 0\ncpus = 4,7\ncpus = 3,4\n"),
			 -EBADMSG);
	assert_non_null(strstr(error_text(), "CPU twice"));
	assert_int_equal(open_head("[trace]\nformat = 4\nt0_ns = 0\ncpus = 4\n"), -EPROTO);
}

static void what_is_no_trace_is_refused(void **state)
{
	struct trace_reader *r;

	(void)state;
	assert_false(file_write_atomic(path, "hello, this is text\n", 20));
	assert_int_equal(trace_open(path, &r), -EBADMSG);
	assert_non_null(strstr(error_text(), "not an idle trace"));
	assert_int_equal(trace_open("/nonexistent", &r), -ENOENT);
	assert_int_equal(trace_open("/tmp", &r), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_what_was_written),
		cmocka_unit_test(the_head_is_read_back),
		cmocka_unit_test(a_crash_leaves_what_was_whole),
		cmocka_unit_test(cut_anywhere_it_is_read_up_to_there),
		cmocka_unit_test(a_turned_bit_costs_its_block),
		cmocka_unit_test(a_packed_block_is_held_to_its_size),
		cmocka_unit_test(a_cpu_stands_in_the_head_once),
		cmocka_unit_test(what_is_no_trace_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
