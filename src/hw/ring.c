/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first event of a CPU owns the ring, the others write into it (PERF_EVENT_IOC_SET_OUTPUT). A
 * record that goes round the end of the ring is put together in a buffer of its own.
 */
#include "hw/ring.h"
#include "hw/descriptors.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/root.h"
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RECORD_MAX 65536 /* perf_event_header.size has 16 bits */

struct ring {
	int *fd; /* one an event */
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t tail, head, next; /* next: behind the peeked record */
	uint64_t lost; /* as records told */
	uint8_t *whole; /* RECORD_MAX bytes */
};

struct rings {
	struct ring *ring;
	struct pollfd *poll; /* one a ring, then the caller's */
	size_t n, events, bytes;
};

static int open_event(uint64_t id, int cpu, size_t bytes)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
		.disabled = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(bytes / 2),
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
#ifdef PERF_FORMAT_LOST
		.read_format = PERF_FORMAT_LOST,
#endif
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && attr.read_format) { /* before Linux 6.0 */
		attr.read_format = 0;
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd < 0 ? -errno : (int)fd;
}

static int refused(int cpu, uint64_t id, int err)
{
	char paranoid[16] = "not known";
	struct root root;

	if (err == -EINVAL)
		return error_set(err, "cpu%d: this kernel has no tracepoint number %" PRIu64, cpu,
				 id);
	if (err == -EACCES || err == -EPERM) {
		if (!root_open(NULL, &root)) {
			root_read(&root, "proc/sys/kernel/perf_event_paranoid", paranoid,
				  sizeof(paranoid));
			root_close(&root);
		}
		return error_set(-EACCES,
				 "cpu%d: recording tracepoints of whole CPUs needs root (sudo), "
				 "CAP_PERFMON, or kernel.perf_event_paranoid = -1 (it is %s): %s",
				 cpu, paranoid, strerror(-err));
	}
	return error_set(err, "cpu%d: perf_event_open: %s", cpu, strerror(-err));
}

static int open_ring(struct rings *rings, size_t i, int cpu, const uint64_t *id)
{
	struct ring *r = &rings->ring[i];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	r->fd = malloc(rings->events * sizeof(*r->fd));
	r->whole = malloc(RECORD_MAX);
	for (size_t e = 0; r->fd && e < rings->events; e++)
		r->fd[e] = -1;
	if (!r->fd || !r->whole)
		return error_no_memory();
	for (size_t e = 0; e < rings->events; e++) {
		r->fd[e] = open_event(id[e], cpu, rings->bytes);
		if (r->fd[e] < 0)
			return refused(cpu, id[e], r->fd[e]);
		if (e && ioctl(r->fd[e], PERF_EVENT_IOC_SET_OUTPUT, r->fd[0]))
			return error_set(-errno, "cpu%d: events cannot share a ring: %m", cpu);
		if (e)
			continue;
		r->page = mmap(NULL, page + rings->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			       r->fd[0], 0);
		if (r->page == MAP_FAILED) {
			r->page = NULL;
			return error_set(-errno, "cpu%d: a ring of %zu KiB: %m", cpu,
					 rings->bytes >> 10);
		}
		r->data = (uint8_t *)r->page + page;
	}
	rings->poll[i] = (struct pollfd){ r->fd[0], POLLIN, 0 };
	return 0;
}

int rings_open(const struct cpulist *cpus, const uint64_t *id, size_t n, size_t bytes,
	       struct rings **ret)
{
	struct rings *rings = calloc(1, sizeof(*rings));
	int err = descriptors_make_room(n * cpus->n);

	if (rings) {
		rings->ring = calloc(cpus->n + 1, sizeof(*rings->ring));
		rings->poll = calloc(cpus->n + RINGS_FDS_MAX, sizeof(*rings->poll));
	}
	if (!rings || !rings->ring || !rings->poll) {
		rings_close(rings);
		return error_no_memory();
	}
	rings->events = n;
	rings->bytes = bytes;
	for (rings->n = 0; !err && rings->n < cpus->n;) {
		size_t i = rings->n++;

		err = open_ring(rings, i, cpus->cpu[i], id);
	}
	if (err) {
		rings_close(rings);
		return err;
	}
	*ret = rings;
	return 0;
}

static int control(struct rings *rings, unsigned long request)
{
	int err = 0;

	for (size_t i = 0; i < rings->n; i++)
		for (size_t e = 0; e < rings->events; e++)
			if (ioctl(rings->ring[i].fd[e], request, 0))
				err = -errno;
	return err;
}

int rings_start(struct rings *rings)
{
	int err = control(rings, PERF_EVENT_IOC_ENABLE);

	return err ? error_set(err, "cannot start the recording: %s", strerror(-err)) : 0;
}

void rings_stop(struct rings *rings)
{
	control(rings, PERF_EVENT_IOC_DISABLE);
}

int rings_wait(struct rings *rings, const int *fd, size_t n, uint64_t until_ns)
{
	uint64_t now = clock_now_ns(), left = until_ns > now ? until_ns - now : 0;
	struct timespec timeout = { (time_t)(left / 1000000000u), (long)(left % 1000000000u) };

	for (size_t i = 0; i < n; i++)
		rings->poll[rings->n + i] = (struct pollfd){ fd[i], POLLIN, 0 };
	if (ppoll(rings->poll, rings->n + n, until_ns == UINT64_MAX ? NULL : &timeout, NULL) < 0 &&
	    errno != EINTR)
		return error_set(-errno, "waiting for events: %m");
	return 0;
}

void rings_look(struct rings *rings)
{
	for (size_t i = 0; i < rings->n; i++) {
		struct ring *r = &rings->ring[i];

		r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	}
}

/* The @size bytes at @at, put together when they go round the end. */
static const uint8_t *bytes_at(const struct rings *rings, struct ring *r, uint64_t at, size_t size)
{
	size_t offset = at & (rings->bytes - 1), first = rings->bytes - offset;

	if (size <= first)
		return r->data + offset;
	memcpy(r->whole, r->data + offset, first);
	memcpy(r->whole + first, r->data, size - first);
	return r->whole;
}

/* PERF_RECORD_SAMPLE: time, size of the raw data, raw data. PERF_RECORD_LOST: id, number. */
static bool read_record(struct ring *r, const struct perf_event_header *header,
			const uint8_t *record, struct ring_record *ret)
{
	uint32_t size;

	*ret = (struct ring_record){ 0 };
	if (header->type == PERF_RECORD_LOST && header->size >= 24) {
		memcpy(&ret->lost, record + 16, sizeof(ret->lost));
		r->lost += ret->lost;
		return ret->lost;
	}
	if (header->type != PERF_RECORD_SAMPLE || header->size < 20)
		return false;
	memcpy(&ret->t_ns, record + 8, sizeof(ret->t_ns));
	memcpy(&size, record + 16, sizeof(size));
	ret->raw = record + 20;
	ret->size = size;
	return size <= header->size - 20u;
}

int ring_peek(struct rings *rings, size_t i, struct ring_record *ret)
{
	struct ring *r = &rings->ring[i];
	struct perf_event_header header;

	while (r->next < r->head) {
		uint64_t left = r->head - r->next;

		if (left < sizeof(header))
			break;
		memcpy(&header, bytes_at(rings, r, r->next, sizeof(header)), sizeof(header));
		if (header.size < sizeof(header) || header.size > left || header.size % 8)
			break;
		if (read_record(r, &header, bytes_at(rings, r, r->next, header.size), ret)) {
			r->tail = r->next + header.size;
			return 1;
		}
		r->next += header.size;
		r->tail = r->next;
	}
	return r->next == r->head ? 0 : error_set(-EBADMSG, "a perf ring holds no whole record");
}

void ring_take(struct rings *rings, size_t i)
{
	rings->ring[i].next = rings->ring[i].tail;
}

void ring_release(struct rings *rings, size_t i)
{
	struct ring *r = &rings->ring[i];

	__atomic_store_n(&r->page->data_tail, r->next, __ATOMIC_RELEASE);
}

uint64_t ring_lost(const struct rings *rings, size_t i)
{
	const struct ring *r = &rings->ring[i];
	uint64_t lost = 0, value[2];

	for (size_t e = 0; e < rings->events; e++)
		if (read(r->fd[e], value, sizeof(value)) == sizeof(value))
			lost += value[1];
	return lost > r->lost ? lost : r->lost;
}

uint64_t ring_told(const struct rings *rings, size_t i)
{
	return rings->ring[i].lost;
}

void rings_close(struct rings *rings)
{
	if (!rings)
		return;
	for (size_t i = 0; rings->ring && i < rings->n; i++) {
		struct ring *r = &rings->ring[i];

		if (r->page)
			munmap(r->page, (size_t)(r->data - (uint8_t *)r->page) + rings->bytes);
		for (size_t e = 0; r->fd && e < rings->events; e++)
			if (r->fd[e] >= 0)
				close(r->fd[e]);
		free(r->fd);
		free(r->whole);
	}
	free(rings->ring);
	free(rings->poll);
	free(rings);
}
