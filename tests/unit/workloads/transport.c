/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each transport carries each token, and shows one that is lost or doubled. */
#include "workloads/transport.h"
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define ROUNDS 2000

static struct transport_flag flag;

static struct channel open_channel(const struct transport *transport, bool private)
{
	struct channel channel = { .read_fd = -1, .write_fd = -1, .flag = &flag };

	memset(&flag, 0, sizeof(flag));
	assert_int_equal(transport->open(&channel, private), 0);
	return channel;
}

static void close_channel(struct channel *channel)
{
	if (channel->read_fd >= 0)
		close(channel->read_fd);
	if (channel->write_fd >= 0 && channel->write_fd != channel->read_fd)
		close(channel->write_fd);
}

static void test_tokens(void **state)
{
	static const enum token tokens[] = { TOKEN_GO, TOKEN_MARK, TOKEN_GO, TOKEN_STOP };

	(void)state;
	for (const struct transport *t = transport_table; t->name; t++) {
		struct channel sender = open_channel(t, false), receiver = sender;

		for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
			assert_int_equal(t->pass(&sender, tokens[i]), 0);
			assert_int_equal(t->wait(&receiver), tokens[i]);
		}
		close_channel(&sender);
	}
}

/* Two tokens at once: either the receiver sees a value that is no token, or it gets both. */
static void test_doubled(void **state)
{
	(void)state;
	for (const struct transport *t = transport_table; t->name; t++) {
		struct channel sender = open_channel(t, false), receiver = sender;
		int first;

		assert_int_equal(t->pass(&sender, TOKEN_GO), 0);
		assert_int_equal(t->pass(&sender, TOKEN_GO), 0);
		first = t->wait(&receiver);
		if (sender.write_fd >= 0 && sender.write_fd != sender.read_fd) {
			assert_int_equal(first, TOKEN_GO);
			assert_int_equal(t->wait(&receiver), TOKEN_GO);
		} else {
			assert_int_not_equal(first, TOKEN_GO);
			assert_int_not_equal(first, TOKEN_MARK);
			assert_int_not_equal(first, TOKEN_STOP);
		}
		close_channel(&sender);
	}
}

struct partner {
	const struct transport *transport;
	struct channel in, out;
	int received;
};

static void *answer(void *opaque)
{
	struct partner *partner = opaque;

	for (int i = 0; i < ROUNDS; i++) {
		if (partner->transport->wait(&partner->in) == TOKEN_GO)
			partner->received++;
		partner->transport->pass(&partner->out, TOKEN_GO);
	}
	return NULL;
}

static void test_back_and_forth(void **state)
{
	static struct transport_flag back_flag;

	(void)state;
	for (const struct transport *t = transport_table; t->name; t++) {
		struct channel there = open_channel(t, true), back = { .flag = &back_flag };
		struct partner partner;
		pthread_t thread;

		memset(&back_flag, 0, sizeof(back_flag));
		back.read_fd = back.write_fd = -1;
		assert_int_equal(t->open(&back, true), 0);
		partner = (struct partner){ t, there, back, 0 };
		assert_int_equal(pthread_create(&thread, NULL, answer, &partner), 0);
		for (int i = 0; i < ROUNDS; i++) {
			assert_int_equal(t->pass(&there, TOKEN_GO), 0);
			assert_int_equal(t->wait(&back), TOKEN_GO);
		}
		pthread_join(thread, NULL);
		assert_int_equal(partner.received, ROUNDS);
		close_channel(&there);
		close_channel(&back);
	}
}

/* The flag's count has 24 bits; it has to survive going over. */
static void test_wrap(void **state)
{
	(void)state;
	for (const struct transport *t = transport_table; t->name; t++) {
		struct channel sender = open_channel(t, false), receiver;

		if (sender.read_fd >= 0) {
			close_channel(&sender);
			continue;
		}
		sender.count = (1u << 24) - 3;
		receiver = sender;
		flag.word = sender.count << 8;
		for (int i = 0; i < 6; i++) {
			assert_int_equal(t->pass(&sender, TOKEN_GO), 0);
			assert_int_equal(t->wait(&receiver), TOKEN_GO);
		}
	}
}

/* nothing is left in the temporary folder. */
static void test_fifo_leaves_nothing(void **state)
{
	char folder[] = "/tmp/transport-test.XXXXXX";
	struct channel channel;
	struct dirent *entry;
	int entries = 0;
	DIR *dir;

	(void)state;
	assert_non_null(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	assert_string_equal(transport_table[0].name, "fifo");
	channel = open_channel(&transport_table[0], false);
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir)))
		entries += entry->d_name[0] != '.';
	closedir(dir);
	assert_int_equal(entries, 0);
	assert_int_equal(transport_table[0].pass(&channel, TOKEN_GO), 0);
	close_channel(&channel);
	setenv("TMPDIR", "/nonexistent/folder", 1);
	assert_int_equal(transport_table[0].open(&channel, false), -ENOENT);
	unsetenv("TMPDIR");
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_doubled),
		cmocka_unit_test(test_back_and_forth),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_fifo_leaves_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
