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
#include <zlib.h>

#define TIME_MAX (UINT64_MAX >> 1)

int decoder_make(struct decoder *d)
{
	*d = (struct decoder){ 0 };
	d->wakes_max = 4096;
	d->period = malloc(FORMAT_PERIODS_MAX * sizeof(*d->period));
	d->timer = malloc(FORMAT_PERIODS_MAX);
	d->raw = malloc(FORMAT_PAYLOAD_MAX);
	d->wake = malloc(d->wakes_max * sizeof(*d->wake));
	return d->period && d->timer && d->raw && d->wake ? 0 : -ENOMEM;
}

void decoder_free(struct decoder *d)
{
	free(d->period);
	free(d->timer);
	free(d->raw);
	free(d->wake);
	free(d->last_ns);
}

static bool add(uint64_t a, uint64_t b, uint64_t *ret)
{
	return !__builtin_add_overflow(a, b, ret) && *ret <= TIME_MAX;
}

/* Where the decoder stands in a block of periods: what a value is given relative to. */
struct place {
	const uint8_t *at, *end;
	uint64_t last, next, timer;
};

static bool get_flags(struct place *place, struct trace_period *p, uint8_t *ret_timer)
{
	const uint8_t *lead = place->at;
	uint8_t more = 0;

	if (place->end - lead < 2)
		return false;
	place->at += 2;
	if (lead[1] & FORMAT_MORE) {
		if (place->at == place->end)
			return false;
		more = *place->at++;
	}
	p->state = lead[0] & 0xf;
	p->miss = lead[0] >> FORMAT_MISS_SHIFT & 3;
	p->tick_stopped = lead[0] & FORMAT_TICK_STOPPED;
	p->next_known = lead[0] & FORMAT_NEXT;
	p->cause = lead[1] & 0xf;
	p->next_is_tick = lead[1] & FORMAT_NEXT_IS_TICK;
	p->after_loss = lead[1] & FORMAT_AFTER_LOSS;
	p->was_stopped = more & FORMAT_WAS_STOPPED;
	p->ran = more & FORMAT_RAN;
	*ret_timer = more & FORMAT_TIMER;
	return (p->state < TRACE_STATES_MAX || p->state == TRACE_STATE_OTHER) &&
	       p->miss <= TRACE_BELOW && p->cause < TRACE_CAUSES && !(lead[1] & FORMAT_UNUSED) &&
	       !(more & FORMAT_MORE_UNUSED);
}

static bool get_gap(struct place *place, struct trace_period *p)
{
	return format_get(&place->at, place->end, &p->entry_ns);
}

/* Behind the gap. */
static bool get_length(struct place *place, struct trace_period *p)
{
	uint64_t length;

	if (!format_get(&place->at, place->end, &length) ||
	    !add(place->last, p->entry_ns, &p->entry_ns) || !add(p->entry_ns, length, &p->exit_ns))
		return false;
	place->last = p->exit_ns;
	return true;
}

static bool get_relative(struct place *place, uint64_t *base)
{
	uint64_t ahead;

	if (!format_get(&place->at, place->end, &ahead))
		return false;
	*base += (uint64_t)format_unzigzag(ahead);
	return true;
}

static bool get_next(struct place *place, struct trace_period *p)
{
	p->next_ns = 0;
	if (!p->next_known)
		return true;
	if (!get_relative(place, &place->next))
		return false;
	p->next_ns = place->next;
	return true;
}

static bool get_timer(struct place *place, enum format_timer timer, struct trace_period *p)
{
	p->timer_known = timer != FORMAT_TIMER_UNKNOWN;
	p->timer_is_wheel = timer == FORMAT_TIMER_WHEEL;
	p->timer_ns = timer == FORMAT_TIMER_NEXT ? p->next_ns : 0;
	if (timer == FORMAT_TIMER_NEXT)
		return p->next_known && !p->next_is_tick;
	if (timer == FORMAT_TIMER_UNKNOWN)
		return true;
	if (!get_relative(place, &place->timer))
		return false;
	p->timer_ns = place->timer;
	return true;
}

static bool get_columns(struct decoder *d, struct place *place, size_t n)
{
	bool good = true;

	place->next = place->timer = place->last;
	for (size_t p = 0; good && p < n; p++)
		good = get_flags(place, &d->period[p], &d->timer[p]);
	for (size_t p = 0; good && p < n; p++)
		good = get_gap(place, &d->period[p]);
	for (size_t p = 0; good && p < n; p++)
		good = get_length(place, &d->period[p]);
	for (size_t p = 0; good && p < n; p++)
		good = get_next(place, &d->period[p]);
	for (size_t p = 0; good && p < n; p++)
		good = get_timer(place, d->timer[p], &d->period[p]);
	return good;
}

/* Formats 1 and 2: period by period, timers relative to the entry. */
static bool get_rows(struct decoder *d, struct place *place, size_t n)
{
	bool good = true;

	for (size_t i = 0; good && i < n; i++) {
		struct trace_period *p = &d->period[i];

		good = get_flags(place, p, &d->timer[i]) && get_gap(place, p) &&
		       get_length(place, p);
		place->next = place->timer = p->entry_ns;
		good = good && get_next(place, p) && get_timer(place, d->timer[i], p);
	}
	return good;
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
	struct place place;

	if (!format_get(&at, end, &i) || !format_get(&at, end, &n) ||
	    !format_get(&at, end, &last) || !format_get(&at, end, &state) ||
	    !format_get(&at, end, &ret->open_ns) || i >= d->cpus || n > FORMAT_PERIODS_MAX ||
	    state > TRACE_STATE_OTHER + 1 || ret->open_ns > TIME_MAX)
		return -EBADMSG;
	for (int c = 0; c < TRACE_COUNTS; c++)
		if (!format_get(&at, end, &ret->count[c]) || ret->count[c] > TIME_MAX)
			return -EBADMSG;
	before = last_of(d, i);
	if (!before || (n && last < *before))
		return -EBADMSG;
	place = (struct place){ at, end, .last = last };
	if (!(d->format > 2 ? get_columns : get_rows)(d, &place, n) || place.at != end ||
	    (state && ret->open_ns < (n ? place.last : *before)))
		return -EBADMSG;
	if (n)
		*before = place.last;
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

/* A packed payload, which stays until the next one. */
static bool unpack(struct decoder *d, const uint8_t **payload, const uint8_t **end)
{
	uint64_t size;
	uLongf done;

	if (!format_get(payload, *end, &size) || size > FORMAT_PAYLOAD_MAX)
		return false;
	done = size;
	if (uncompress(d->raw, &done, *payload, (uLong)(*end - *payload)) != Z_OK || done != size)
		return false;
	*payload = d->raw;
	*end = d->raw + size;
	return true;
}

int decoder_block(struct decoder *d, uint32_t type, const uint8_t *payload, size_t size,
		  struct trace_item *ret)
{
	const uint8_t *end = payload + size;

	if (type & FORMAT_PACKED && !unpack(d, &payload, &end))
		return -EBADMSG;
	switch (type & ~FORMAT_PACKED) {
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
