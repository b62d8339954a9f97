/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a token goes from one task to the next: one row per transport.
 *
 * A channel carries one token at a time. Tokens have values that no sum of tokens has, so that a
 * lost or doubled one shows as a wrong value (eventfd adds up what it is given).
 */
#ifndef WORKLOADS_TRANSPORT_H
#define WORKLOADS_TRANSPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRANSPORTS "fifo|pipe|eventfd|futex|socket|spin" /* names in the order of the table */

enum token {
	TOKEN_GO = 1, /* a loop */
	TOKEN_MARK = 8, /* counting begins behind it */
	TOKEN_STOP = 64, /* goes round once, then all end */
};

/* One word in shared memory, alone on its cache line. */
struct transport_flag {
	_Alignas(64) _Atomic uint32_t word;
};

/*
 * One direction between two tasks. Each task works on its own copy. For flags, @count is the number
 * of tokens passed (by the sender) or received (by the receiver) so far.
 */
struct channel {
	int read_fd, write_fd;
	struct transport_flag *flag; /* zeroed before open */
	uint32_t count;
	int wake, wait; /* futex operations, private for threads */
};

struct transport {
	const char *name;
	bool spins; /* a waiting task keeps its CPU */
	/* Opens a channel; @private: both tasks are threads of this process. -errno with text. */
	int (*open)(struct channel *channel, bool private);
	/* Waits for a token and returns its value, or -errno without text (-EPROTO: lost or
	 * doubled). */
	int (*wait)(struct channel *channel);
	/* 0 or -errno without text. */
	int (*pass)(struct channel *channel, enum token token);
};

extern const struct transport transport_table[]; /* ends with a NULL name */

/*
 * Opens @n channels, as many as a program with that many tasks may need: the limit of open files is
 * raised, -EMFILE when that cannot be done. Their memory lives until the program ends. Only in
 * setup().
 */
int transport_open_all(const struct transport *transport, size_t n, bool private,
		       struct channel **ret);

/* What a loop that waits for another CPU or for a time does each time round. */
static inline void transport_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

#endif
