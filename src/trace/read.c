/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks by pread(), checked before a byte of them is looked at. Behind damage the next block is
 * searched byte by byte; its checksum covers its head, so that chance makes none.
 */
#include "trace/read.h"
#include "lib/error.h"
#include "trace/decode.h"
#include "trace/format.h"
#include "trace/info.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define SEARCH 65536 /* bytes looked at in one go */

struct trace_reader {
	char *path;
	int fd;
	uint64_t offset, size; /* of the next block; of the file */
	struct trace_info info;
	uint8_t *block; /* FORMAT_HEAD + FORMAT_PAYLOAD_MAX */
	struct decoder decoder;
	size_t edges;
};

static uint32_t get_u32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* @size bytes from @offset on, or fewer at the end: their number, or -errno with a text. */
static ssize_t read_at(const struct trace_reader *r, uint64_t offset, uint8_t *to, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(r->fd, to + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(-errno, "%s: %m", r->path);
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* The block at @offset into r->block: its size, 0 when there is no whole one, -errno. */
static ssize_t read_block(struct trace_reader *r, uint64_t offset)
{
	ssize_t n = read_at(r, offset, r->block, FORMAT_HEAD);
	uint32_t size, sum;

	if (n < 0)
		return n;
	if (n < FORMAT_HEAD || get_u32(r->block) != FORMAT_BLOCK_MAGIC)
		return 0;
	size = get_u32(r->block + 8);
	if (size > FORMAT_PAYLOAD_MAX || size > r->size - offset - FORMAT_HEAD)
		return 0;
	n = read_at(r, offset + FORMAT_HEAD, r->block + FORMAT_HEAD, size);
	if (n < 0)
		return n;
	sum = get_u32(r->block + 12);
	memset(r->block + 12, 0, 4);
	if ((size_t)n < size || crc32(0, r->block, FORMAT_HEAD + size) != sum)
		return 0;
	return FORMAT_HEAD + (ssize_t)size;
}

/* The first offset from @from on where a whole block begins; the file's size when there is none. */
static int search(struct trace_reader *r, uint64_t from, uint64_t *ret)
{
	uint8_t *piece = malloc(SEARCH);
	ssize_t n = 0, whole = 0;

	if (!piece)
		return error_no_memory();
	for (uint64_t at = from; at + FORMAT_HEAD <= r->size && !whole; at += SEARCH - 3) {
		n = read_at(r, at, piece, SEARCH);
		for (ssize_t i = 0; i + 4 <= n && !whole; i++) {
			if (get_u32(piece + i) != FORMAT_BLOCK_MAGIC)
				continue;
			whole = read_block(r, at + (uint64_t)i);
			if (whole > 0)
				*ret = at + (uint64_t)i;
		}
		if (n < 0)
			whole = n;
	}
	free(piece);
	if (!whole)
		*ret = r->size;
	return whole < 0 ? (int)whole : 0;
}

static int open_file(struct trace_reader *r)
{
	struct stat stat;
	ssize_t n;

	r->fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (r->fd < 0 || fstat(r->fd, &stat))
		return error_set(-errno, "%s: %m", r->path);
	if (!S_ISREG(stat.st_mode))
		return error_set(-EINVAL, "%s: not a regular file", r->path);
	r->size = (uint64_t)stat.st_size;
	n = read_block(r, 0);
	if (n < 0)
		return (int)n;
	if (!n || get_u32(r->block + 4) != FORMAT_INFO)
		return error_set(-EBADMSG, "%s: not an idle trace, or its head is damaged",
				 r->path);
	r->offset = (uint64_t)n;
	return info_read(r->path, (const char *)r->block + FORMAT_HEAD, (size_t)n - FORMAT_HEAD,
			 &r->info);
}

int trace_open(const char *path, struct trace_reader **ret)
{
	struct trace_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return error_no_memory();
	r->fd = -1;
	r->path = strdup(path);
	r->block = malloc(FORMAT_HEAD + FORMAT_PAYLOAD_MAX);
	err = r->path && r->block && !decoder_make(&r->decoder) ? open_file(r) : error_no_memory();
	if (err) {
		trace_close(r);
		return err;
	}
	r->decoder.cpus = r->info.cpus.n;
	r->decoder.format = r->info.format;
	*ret = r;
	return 0;
}

const struct trace_info *trace_info(const struct trace_reader *r)
{
	return &r->info;
}

int trace_next(struct trace_reader *r, struct trace_item *ret)
{
	uint64_t begin = r->offset;
	ssize_t n;
	int err;

	for (;;) {
		*ret = (struct trace_item){ .type = TRACE_END };
		if (r->offset >= r->size)
			return 0;
		n = read_block(r, r->offset);
		if (n < 0)
			return (int)n;
		/* What no writer makes is damage, too, although its checksum is right. */
		if (!n || decoder_block(&r->decoder, get_u32(r->block + 4), r->block + FORMAT_HEAD,
					(size_t)n - FORMAT_HEAD, ret))
			break;
		r->offset += (uint64_t)n;
		r->edges += ret->type == TRACE_EDGE;
		if (ret->type != TRACE_END)
			return 0;
		begin = r->offset; /* a block of a later version: passed over */
	}
	err = search(r, begin + 1, &r->offset);
	*ret = (struct trace_item){ .type = TRACE_DAMAGE,
				    .offset = begin,
				    .bytes = r->offset - begin };
	return err;
}

/* Takes the block at @offset when it is an edge; 0, -EBADMSG when there is no block. */
static int take_edge(struct trace_reader *r, uint64_t offset, struct trace_edge *edge,
		     size_t *taken)
{
	struct trace_item item = { .type = TRACE_END };
	ssize_t n = read_block(r, offset);

	if (n <= 0 || decoder_block(&r->decoder, FORMAT_EDGES, r->block + FORMAT_HEAD,
				    (size_t)n - FORMAT_HEAD, &item))
		return n < 0 ? (int)n : -EBADMSG;
	edge[item.i] = item.edge;
	++*taken;
	return 0;
}

int trace_edges(struct trace_reader *r, struct trace_edge **ret)
{
	struct trace_edge *edge = calloc(r->info.cpus.n + 1, sizeof(*edge));
	uint64_t at = r->offset;
	size_t taken = 0;
	uint32_t size;
	int err = edge ? 0 : error_no_memory();

	while (!err && at + FORMAT_HEAD <= r->size) {
		ssize_t n = read_at(r, at, r->block, FORMAT_HEAD);

		if (n < 0)
			err = (int)n;
		else if (n < FORMAT_HEAD || get_u32(r->block) != FORMAT_BLOCK_MAGIC)
			break;
		size = get_u32(r->block + 8);
		if (!err && get_u32(r->block + 4) == FORMAT_EDGES)
			err = take_edge(r, at, edge, &taken);
		at += FORMAT_HEAD + size;
	}
	if ((err && err != -EBADMSG) || taken != r->info.cpus.n) {
		free(edge);
		edge = NULL;
	}
	*ret = edge;
	return err == -EBADMSG ? 0 : err;
}

bool trace_is_whole(const struct trace_reader *r)
{
	return r->edges == r->info.cpus.n;
}

void trace_close(struct trace_reader *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	trace_info_free(&r->info);
	decoder_free(&r->decoder);
	free(r->block);
	free(r->path);
	free(r);
}
