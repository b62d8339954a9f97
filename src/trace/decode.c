/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A right checksum does not make numbers right: all are held to their ranges, and a sum of times
 * that leaves 63 bits is damage.
 */
#include "trace/decode.h"
#include "trace/format.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX (UINT64_MAX >> 1)

int decoder_make(struct decoder *d)
{
	*d = (struct decoder){ 0 };
	d->periods_max = FORMAT_PERIODS_BYTES / 4 + FORMAT_PERIOD_MAX;
	d->wakes_max = 4096;
	d->period = malloc(d->periods_max * sizeof(*d->period));
	d->wake = malloc(d->wakes_max * sizeof(*d->wake));
	return d->period && d->wake ? 0 : -ENOMEM;
}

void decoder_free(struct decoder *d)
{
	free(d->period);
	free(d->wake);
	free(d->last_ns);
}

static bool add(uint64_t a, uint64_t b, uint64_t *ret)
{
	return !__builtin_add_overflow(a, b, ret) && *ret <= TIME_MAX;
}

static bool get_timer(const uint8_t **at, const uint8_t *end, enum format_timer timer,
		      struct trace_period *p)
{
	uint64_t ahead;

	p->timer_known = timer != FORMAT_TIMER_UNKNOWN;
	p->timer_is_wheel = timer == FORMAT_TIMER_WHEEL;
	p->timer_ns = timer == FORMAT_TIMER_NEXT ? p->next_ns : 0;
	if (timer == FORMAT_TIMER_NEXT)
		return p->next_known && !p->next_is_tick;
	if (timer == FORMAT_TIMER_UNKNOWN)
		return true;
	if (!format_get(at, end, &ahead))
		return false;
	p->timer_ns = p->entry_ns + (uint64_t)format_unzigzag(ahead);
	return true;
}

static bool get_period(const uint8_t **at, const uint8_t *end, uint64_t last,
		       struct trace_period *p)
{
	uint64_t gap, length, next;
	const uint8_t *lead = *at;
	uint8_t more = 0;

	if (end - lead < 4)
		return false;
	*at += 2;
	if (lead[1] & FORMAT_MORE)
		more = *(*at)++;
	p->state = lead[0] & 0xf;
	p->miss = lead[0] >> FORMAT_MISS_SHIFT & 3;
	p->tick_stopped = lead[0] & FORMAT_TICK_STOPPED;
	p->next_known = lead[0] & FORMAT_NEXT;
	p->cause = lead[1] & 0xf;
	p->next_is_tick = lead[1] & FORMAT_NEXT_IS_TICK;
	p->after_loss = lead[1] & FORMAT_AFTER_LOSS;
	p->was_stopped = more & FORMAT_WAS_STOPPED;
	p->ran = more & FORMAT_RAN;
	p->next_ns = 0;
	if (!format_get(at, end, &gap) || !format_get(at, end, &length) ||
	    !add(last, gap, &p->entry_ns) || !add(p->entry_ns, length, &p->exit_ns))
		return false;
	if (p->next_known) {
		if (!format_get(at, end, &next))
			return false;
		p->next_ns = p->entry_ns + (uint64_t)format_unzigzag(next);
	}
	if (!get_timer(at, end, more & FORMAT_TIMER, p))
		return false;
	return (p->state < TRACE_STATES_MAX || p->state == TRACE_STATE_OTHER) &&
	       p->miss <= TRACE_BELOW && p->cause < TRACE_CAUSES && !(lead[1] & FORMAT_UNUSED) &&
	       !(more & FORMAT_MORE_UNUSED);
}

/* The last exit of each CPU so far; NULL when out of memory. */
static uint64_t *last_of(struct decoder *d, size_t i)
{
	if (!d->last_ns)
		d->last_ns = calloc(d->cpus + 1, sizeof(*d->last_ns));
	return d->last_ns ? &d->last_ns[i] : NULL;
}

static int get_periods(struct decoder *d, const uint8_t *at, const uint8_t *end,
		       struct trace_item *ret)
{
	uint64_t i, n, last, state, *before;

	if (!format_get(&at, end, &i) || !format_get(&at, end, &n) ||
	    !format_get(&at, end, &last) || !format_get(&at, end, &state) ||
	    !format_get(&at, end, &ret->open_ns) || i >= d->cpus || n > d->periods_max ||
	    state > TRACE_STATE_OTHER + 1 || ret->open_ns > TIME_MAX)
		return -EBADMSG;
	for (int c = 0; c < TRACE_COUNTS; c++)
		if (!format_get(&at, end, &ret->count[c]) || ret->count[c] > TIME_MAX)
			return -EBADMSG;
	before = last_of(d, i);
	if (!before || (n && last < *before))
		return -EBADMSG;
	for (uint64_t p = 0; p < n; p++) {
		if (!get_period(&at, end, last, &d->period[p]))
			return -EBADMSG;
		last = d->period[p].exit_ns;
	}
	if (at != end || (state && ret->open_ns < (n ? last : *before)))
		return -EBADMSG;
	if (n)
		*before = last;
	ret->type = TRACE_PERIODS;
	ret->i = i;
	ret->period = d->period;
	ret->n = n;
	ret->open = state;
	ret->open_state = state ? (unsigned int)state - 1 : 0;
	return 0;
}

static bool get_wake(const struct decoder *d, const uint8_t **at, const uint8_t *end, uint64_t last,
		     struct trace_wake *w)
{
	uint64_t delta, pid, cpu, waker = 0;
	size_t n;

	memset(w, 0, sizeof(*w));
	if (!format_get(at, end, &delta) || !format_get(at, end, &w->latency_ns) ||
	    !format_get(at, end, &pid) || !format_get(at, end, &cpu) ||
	    (d->format > 1 && !format_get(at, end, &waker)) || *at == end)
		return false;
	w->t_ns = last + (uint64_t)format_unzigzag(delta);
	w->pid = (uint32_t)pid;
	w->cpu = (uint16_t)cpu;
	w->waker = (int32_t)waker - 1;
	n = *(*at)++;
	if (n >= TRACE_NAME_MAX || n > (size_t)(end - *at))
		return false;
	/* Tasks name themselves; a terminal must not obey that. */
	for (size_t c = 0; c < n; c++)
		w->name[c] = (char)((*at)[c] < ' ' || (*at)[c] == 0x7f ? '?' : (*at)[c]);
	*at += n;
	return pid <= UINT32_MAX && cpu <= CPULIST_MAX_CPU && waker <= CPULIST_MAX_CPU + 1 &&
	       w->t_ns <= TIME_MAX && w->latency_ns <= TIME_MAX;
}

static int get_wakes(struct decoder *d, const uint8_t *at, const uint8_t *end,
		     struct trace_item *ret)
{
	uint64_t last = 0;

	for (ret->n = 0; at < end; ret->n++) {
		if (ret->n == d->wakes_max || !get_wake(d, &at, end, last, &d->wake[ret->n]))
			return -EBADMSG;
		last = d->wake[ret->n].t_ns;
	}
	ret->type = TRACE_WAKES;
	ret->wake = d->wake;
	return 0;
}

static int get_edge(const struct decoder *d, const uint8_t *at, const uint8_t *end,
		    struct trace_item *ret)
{
	struct trace_edge *e = &ret->edge;
	uint64_t i, states, value, growth;

	if (!format_get(&at, end, &i) || !format_get(&at, end, &e->t_ns[0]) ||
	    !format_get(&at, end, &e->t_ns[1]) || !format_get(&at, end, &states) || i >= d->cpus ||
	    states > TRACE_STATES_MAX || e->t_ns[0] > TIME_MAX || e->t_ns[1] > TIME_MAX)
		return -EBADMSG;
	for (uint64_t s = 0; s < states; s++) {
		for (int c = 0; c < TRACE_EDGE_COUNTERS; c++) {
			if (!format_get(&at, end, &value))
				return -EBADMSG;
			e->counter[s][c].known = value;
			if (!value)
				continue;
			if (!format_get(&at, end, &growth))
				return -EBADMSG;
			e->counter[s][c].value[0] = value - 1;
			e->counter[s][c].value[1] = value - 1 + growth;
		}
	}
	if (!format_get(&at, end, &value) || !format_get(&at, end, &e->idle_calls) ||
	    !format_get(&at, end, &e->idle_sleeps))
		return -EBADMSG;
	for (int edge = 0; edge < 2; edge++) {
		growth = 0;
		/* Not in format 1. */
		if (at != end && (!format_get(&at, end, &growth) || growth > TIME_MAX))
			return -EBADMSG;
		e->done_ns[edge] = e->t_ns[edge] + growth;
	}
	if (at != end)
		return -EBADMSG;
	e->ticks_known = value;
	ret->type = TRACE_EDGE;
	ret->i = i;
	e->states = (int)states;
	return 0;
}

int decoder_block(struct decoder *d, uint32_t type, const uint8_t *payload, size_t size,
		  struct trace_item *ret)
{
	const uint8_t *end = payload + size;

	switch (type) {
	case FORMAT_PERIODS:
		return get_periods(d, payload, end, ret);
	case FORMAT_WAKES:
		return get_wakes(d, payload, end, ret);
	case FORMAT_ROUND:
		if (!format_get(&payload, end, &ret->t_ns) || payload != end ||
		    ret->t_ns > TIME_MAX)
			return -EBADMSG;
		ret->type = TRACE_ROUND;
		return 0;
	case FORMAT_EDGES:
		return get_edge(d, payload, end, ret);
	case FORMAT_INFO: /* only once */
		return -EBADMSG;
	}
	return 0;
}
