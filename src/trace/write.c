/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods and wakes are kept until their block is full or the round ends. A block is put down as it
 * is, or packed where that pays: at zlib's fastest level, as no more than a hundredth of it
 * is won by the others.
 */
#include "trace/write.h"
#include "lib/error.h"
#include "lib/file.h"
#include "trace/format.h"
#include "trace/info.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define WAKES_BYTES 16384
#define WAKE_MAX (5 * 10 + TRACE_NAME_MAX)
#define PREFIX_MAX ((5 + TRACE_COUNTS) * 10) /* before the periods */
#define PAYLOAD_MAX                                                                                \
	(PREFIX_MAX + FORMAT_BLOCK_PERIODS * FORMAT_PERIOD_BYTES) /* more than of the wakes */

struct buffer {
	struct trace_period *period; /* FORMAT_BLOCK_PERIODS */
	size_t n;
	uint64_t count[TRACE_COUNTS];
	bool open, was_open; /* idle at the end of this round, of the one before */
	unsigned int open_state;
	uint64_t open_ns, was_ns;
};

struct trace_writer {
	char *path;
	int fd;
	struct cpulist cpus;
	struct buffer *buffer;
	uint8_t *wakes; /* FORMAT_HEAD + WAKES_BYTES + WAKE_MAX */
	size_t wakes_size;
	uint64_t wakes_last_ns;
	uint8_t *block, *packed; /* FORMAT_HEAD + PAYLOAD_MAX, and 10 */
	z_stream deflate;
	uint64_t bytes, periods;
};

static void put_u32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* @block: FORMAT_HEAD bytes of room, then @size bytes of payload. */
static int write_block(struct trace_writer *w, uint32_t type, uint8_t *block, size_t size)
{
	int err;

	put_u32(block, FORMAT_BLOCK_MAGIC);
	put_u32(block + 4, type);
	put_u32(block + 8, (uint32_t)size);
	put_u32(block + 12, 0);
	put_u32(block + 12, (uint32_t)crc32(0, block, (uInt)(FORMAT_HEAD + size)));
	err = file_write_all(w->fd, (const char *)block, FORMAT_HEAD + size);
	if (err)
		return error_set(err, "%s: %s", w->path, strerror(-err));
	w->bytes += FORMAT_HEAD + size;
	return 0;
}

/* The same, packed if that is shorter by a quarter: less is not worth a reader's time. */
static int write_packed(struct trace_writer *w, enum format_block type, uint8_t *block, size_t size)
{
	uint8_t *payload = w->packed + FORMAT_HEAD, *at = format_put(payload, size);
	z_stream *z = &w->deflate;

	deflateReset(z);
	z->next_in = block + FORMAT_HEAD;
	z->avail_in = (uInt)size;
	z->next_out = at;
	z->avail_out = (uInt)(size - size / 4);
	if (deflate(z, Z_FINISH) != Z_STREAM_END)
		return write_block(w, type, block, size);
	return write_block(w, type | FORMAT_PACKED, w->packed, (size_t)(z->next_out - payload));
}

static int write_info(struct trace_writer *w, const struct trace_info *info)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	for (int i = 0; i < FORMAT_HEAD; i++)
		fputc(0, out);
	info_write(info, TRACE_FORMAT, out);
	if (fclose(out)) {
		free(text);
		return error_no_memory();
	}
	err = size > FORMAT_PAYLOAD_MAX
		      ? error_set(-E2BIG, "%s: too many CPUs for a head", w->path)
		      : write_block(w, FORMAT_INFO, (uint8_t *)text, size - FORMAT_HEAD);
	free(text);
	return err;
}

static int make_buffers(struct trace_writer *w)
{
	w->buffer = calloc(w->cpus.n + 1, sizeof(*w->buffer));
	w->wakes = malloc(FORMAT_HEAD + WAKES_BYTES + WAKE_MAX);
	w->block = malloc(FORMAT_HEAD + PAYLOAD_MAX);
	w->packed = malloc(FORMAT_HEAD + PAYLOAD_MAX + 10);
	if (!w->buffer || !w->wakes || !w->block || !w->packed ||
	    deflateInit(&w->deflate, Z_BEST_SPEED) != Z_OK)
		return error_no_memory();
	for (size_t i = 0; i < w->cpus.n; i++) {
		w->buffer[i].period = malloc(FORMAT_BLOCK_PERIODS * sizeof(*w->buffer[i].period));
		if (!w->buffer[i].period)
			return error_no_memory();
	}
	return 0;
}

int trace_create(const char *path, const struct trace_info *info, struct trace_writer **ret)
{
	struct trace_writer *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return error_no_memory();
	w->fd = -1;
	w->path = strdup(path);
	err = w->path ? cpulist_copy(&info->cpus, &w->cpus) : -ENOMEM;
	if (!err)
		err = make_buffers(w);
	if (!err) {
		w->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
		if (w->fd < 0)
			err = error_set(-errno, "%s: %m", path);
	}
	if (!err)
		err = write_info(w, info);
	if (err) {
		trace_abandon(w);
		return err;
	}
	*ret = w;
	return 0;
}

static enum format_timer timer_of(const struct trace_period *p)
{
	if (!p->timer_known)
		return FORMAT_TIMER_UNKNOWN;
	if (p->timer_is_wheel)
		return FORMAT_TIMER_WHEEL;
	return p->next_known && !p->next_is_tick && p->next_ns == p->timer_ns
		       ? FORMAT_TIMER_NEXT
		       : FORMAT_TIMER_HRTIMER;
}

static uint8_t *put_flags(uint8_t *at, const struct trace_period *p)
{
	uint8_t more = (uint8_t)(timer_of(p) | (p->was_stopped ? FORMAT_WAS_STOPPED : 0) |
				 (p->ran ? FORMAT_RAN : 0));

	*at++ = (uint8_t)(p->state | p->miss << FORMAT_MISS_SHIFT |
			  (p->tick_stopped ? FORMAT_TICK_STOPPED : 0) |
			  (p->next_known ? FORMAT_NEXT : 0));
	*at++ = (uint8_t)(p->cause | (p->next_is_tick ? FORMAT_NEXT_IS_TICK : 0) |
			  (p->after_loss ? FORMAT_AFTER_LOSS : 0) | (more ? FORMAT_MORE : 0));
	if (more)
		*at++ = more;
	return at;
}

/* Column by column: what is alike stands together, which packs better. */
static uint8_t *put_periods(uint8_t *at, const struct trace_period *period, size_t n)
{
	const struct trace_period *p, *end = period + n;
	uint64_t last = n ? period->entry_ns : 0, next = last, timer = last;

	for (p = period; p < end; p++)
		at = put_flags(at, p);
	for (p = period; p < end; p++) {
		at = format_put(at, p->entry_ns - last);
		last = p->exit_ns;
	}
	for (p = period; p < end; p++)
		at = format_put(at, p->exit_ns - p->entry_ns);
	for (p = period; p < end; p++) {
		if (!p->next_known)
			continue;
		at = format_put(at, format_zigzag((int64_t)(p->next_ns - next)));
		next = p->next_ns;
	}
	for (p = period; p < end; p++) {
		enum format_timer kind = timer_of(p);

		if (kind != FORMAT_TIMER_HRTIMER && kind != FORMAT_TIMER_WHEEL)
			continue;
		at = format_put(at, format_zigzag((int64_t)(p->timer_ns - timer)));
		timer = p->timer_ns;
	}
	return at;
}

static int write_periods(struct trace_writer *w, size_t i)
{
	struct buffer *b = &w->buffer[i];
	uint8_t *payload = w->block + FORMAT_HEAD, *at = format_put(payload, i);

	at = format_put(at, b->n);
	at = format_put(at, b->n ? b->period->entry_ns : 0);
	at = format_put(at, b->open ? b->open_state + 1u : 0);
	at = format_put(at, b->open ? b->open_ns : 0);
	for (int c = 0; c < TRACE_COUNTS; c++)
		at = format_put(at, b->count[c]);
	at = put_periods(at, b->period, b->n);
	b->n = 0;
	memset(b->count, 0, sizeof(b->count));
	b->was_open = b->open;
	b->was_ns = b->open_ns;
	return write_packed(w, FORMAT_PERIODS, w->block, (size_t)(at - payload));
}

int trace_put_period(struct trace_writer *w, size_t i, const struct trace_period *p)
{
	struct buffer *b = &w->buffer[i];

	b->period[b->n++] = *p;
	w->periods++;
	if (b->n < FORMAT_BLOCK_PERIODS)
		return 0;
	b->open = false; /* until the round's end says otherwise */
	return write_periods(w, i);
}

void trace_count(struct trace_writer *w, size_t i, enum trace_count what, uint64_t n)
{
	w->buffer[i].count[what] += n;
}

static int write_wakes(struct trace_writer *w)
{
	size_t size = w->wakes_size;

	w->wakes_size = 0;
	w->wakes_last_ns = 0;
	return size ? write_packed(w, FORMAT_WAKES, w->wakes, size) : 0;
}

int trace_put_wake(struct trace_writer *w, const struct trace_wake *wake)
{
	uint8_t *begin = w->wakes + FORMAT_HEAD + w->wakes_size, *at = begin;
	size_t n = strnlen(wake->name, TRACE_NAME_MAX - 1);

	at = format_put(at, format_zigzag((int64_t)(wake->t_ns - w->wakes_last_ns)));
	at = format_put(at, wake->latency_ns);
	at = format_put(at, wake->pid);
	at = format_put(at, wake->cpu);
	at = format_put(at, (uint64_t)(wake->waker + 1));
	*at++ = (uint8_t)n;
	memcpy(at, wake->name, n);
	at += n;
	w->wakes_last_ns = wake->t_ns;
	w->wakes_size += (size_t)(at - begin);
	return w->wakes_size < WAKES_BYTES ? 0 : write_wakes(w);
}

void trace_set_open(struct trace_writer *w, size_t i, bool idle, unsigned int state,
		    uint64_t entry_ns)
{
	struct buffer *b = &w->buffer[i];

	b->open = idle;
	b->open_state = state;
	b->open_ns = entry_ns;
}

/* Something to say of this CPU since its block before. */
static bool has_news(const struct buffer *b)
{
	for (int c = 0; c < TRACE_COUNTS; c++)
		if (b->count[c])
			return true;
	return b->n || b->open != b->was_open || (b->open && b->open_ns != b->was_ns);
}

int trace_round(struct trace_writer *w, uint64_t t_ns)
{
	uint8_t block[FORMAT_HEAD + 10];
	int err = 0;

	for (size_t i = 0; i < w->cpus.n && !err; i++)
		if (has_news(&w->buffer[i]))
			err = write_periods(w, i);
	if (!err)
		err = write_wakes(w);
	if (!err)
		err = write_block(w, FORMAT_ROUND, block,
				  (size_t)(format_put(block + FORMAT_HEAD, t_ns) - block) -
					  FORMAT_HEAD);
	return err;
}

/* Counters as value0 + 1 and the growth; 0 = not known. */
static uint8_t *put_edge(uint8_t *at, const struct trace_edge *edge)
{
	at = format_put(at, edge->t_ns[0]);
	at = format_put(at, edge->t_ns[1]);
	at = format_put(at, (uint64_t)edge->states);
	for (int s = 0; s < edge->states; s++) {
		for (int c = 0; c < TRACE_EDGE_COUNTERS; c++) {
			const uint64_t *value = edge->counter[s][c].value;
			bool known = edge->counter[s][c].known && value[0] != UINT64_MAX;

			at = format_put(at, known ? value[0] + 1 : 0);
			if (known)
				at = format_put(at, value[1] - value[0]);
		}
	}
	at = format_put(at, edge->ticks_known);
	at = format_put(at, edge->idle_calls);
	at = format_put(at, edge->idle_sleeps);
	for (int end = 0; end < 2; end++)
		at = format_put(at, edge->done_ns[end] > edge->t_ns[end]
					    ? edge->done_ns[end] - edge->t_ns[end]
					    : 0);
	return at;
}

static int write_edges(struct trace_writer *w, const struct trace_edge *edge)
{
	size_t most = (8 + TRACE_STATES_MAX * TRACE_EDGE_COUNTERS * 2) * 10;
	static const struct trace_edge none;
	uint8_t *block = malloc(FORMAT_HEAD + most + 20);
	int err = block ? 0 : error_no_memory();

	for (size_t i = 0; i < w->cpus.n && !err; i++) {
		uint8_t *at = put_edge(format_put(block + FORMAT_HEAD, i), edge ? &edge[i] : &none);

		err = write_block(w, FORMAT_EDGES, block, (size_t)(at - block) - FORMAT_HEAD);
	}
	free(block);
	return err;
}

int trace_finish(struct trace_writer *w, const struct trace_edge *edge, uint64_t *ret_bytes)
{
	int err = write_edges(w, edge);

	if (!err && close(w->fd))
		err = error_set(-errno, "%s: %m", w->path);
	else if (err)
		close(w->fd);
	w->fd = -1;
	*ret_bytes = w->bytes;
	trace_abandon(w);
	return err;
}

void trace_abandon(struct trace_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	for (size_t i = 0; w->buffer && i < w->cpus.n; i++)
		free(w->buffer[i].period);
	free(w->buffer);
	free(w->wakes);
	free(w->block);
	free(w->packed);
	deflateEnd(&w->deflate);
	free(w->path);
	cpulist_free(&w->cpus);
	free(w);
}

uint64_t trace_periods(const struct trace_writer *w)
{
	return w->periods;
}
