/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads idle.tsv. Each CPU's window is that of its own two stamps; a CPU whose counters went
 * backwards is left out of the sums, with a note (P-20).
 */
#include "analysis/idle.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { USAGE, TIME, ABOVE, BELOW, COUNTERS };

struct columns {
	int cpu, state, t0, t1;
	int first[COUNTERS], last[COUNTERS];
};

struct row {
	int cpu, state;
	double window_ns;
	double delta[COUNTERS]; /* NAN = not available */
	bool backwards;
};

static int find_columns(const struct tsv *tsv, struct columns *c)
{
	static const char *const first[] = { "usage0", "time0_us", "above0", "below0" };
	static const char *const last[] = { "usage1", "time1_us", "above1", "below1" };
	bool missing;
	int i;

	c->cpu = tsv_column(tsv, "cpu");
	c->state = tsv_column(tsv, "state");
	c->t0 = tsv_column(tsv, "t0_ns");
	c->t1 = tsv_column(tsv, "t1_ns");
	missing = c->cpu < 0 || c->state < 0 || c->t0 < 0 || c->t1 < 0;
	for (i = 0; i < COUNTERS; i++) {
		c->first[i] = tsv_column(tsv, first[i]);
		c->last[i] = tsv_column(tsv, last[i]);
		missing |= c->first[i] < 0 || c->last[i] < 0;
	}
	return missing ? -EBADMSG : 0;
}

static int read_row(const struct tsv *tsv, size_t at, const struct columns *c, struct row *ret)
{
	uint64_t cpu, state, t0, t1, first, last;
	struct row row = { 0 };
	int i, a, b, times;

	a = tsv_u64(tsv, at, c->t0, &t0);
	b = tsv_u64(tsv, at, c->t1, &t1);
	times = a == 1 && b == 1;
	/* An imported pair of dumps does not tell its times: counts without rates. */
	if (tsv_u64(tsv, at, c->cpu, &cpu) != 1 || tsv_u64(tsv, at, c->state, &state) != 1 ||
	    a != b || a < 0 || (times && t1 <= t0) || cpu > CPULIST_MAX_CPU || state > INT_MAX)
		return error_set(-EBADMSG, "%s: row %zu has no usable cpu, state or times",
				 tsv->path, at + 1);
	row.cpu = (int)cpu;
	row.state = (int)state;
	row.window_ns = times ? (double)(t1 - t0) : NAN;
	for (i = 0; i < COUNTERS; i++) {
		a = tsv_u64(tsv, at, c->first[i], &first);
		b = tsv_u64(tsv, at, c->last[i], &last);
		if (a < 0 || b < 0)
			return -EBADMSG;
		row.delta[i] = a && b ? (double)(int64_t)(last - first) : NAN;
		row.backwards |= a && b && last < first;
	}
	*ret = row;
	return 0;
}

static void add_row(struct idle_sum *sum, const struct row *row)
{
	sum->readings++;
	sum->window_ns += row->window_ns;
	sum->time_us += row->delta[TIME];
	sum->per_s += row->delta[USAGE] * 1e9 / row->window_ns;
	sum->usage += row->delta[USAGE];
	sum->above += row->delta[ABOVE];
	sum->below += row->delta[BELOW];
}

/* Number of the row's state among the result's states, -1 when states.tsv does not have it. */
static long state_number(const struct result *r, int boot, const struct row *row)
{
	const struct boot *b = &r->boot[boot];
	int at = row->cpu < b->cpus ? b->table_of_cpu[row->cpu] : -1;
	size_t i;

	if (at < 0)
		return -1;
	for (i = 0; i < r->table[at].states; i++)
		if (r->table[at].state[i].index == row->state)
			return (long)(r->table[at].first + i);
	return -1;
}

static int sum_rows(struct result *r, const struct tsv *tsv, struct loaded_run *run,
		    const struct row *row, const bool *bad)
{
	size_t i;

	run->idle = pool_alloc(&r->pool, SETS * r->states + 1, sizeof(*run->idle));
	for (i = 0; i < tsv->rows; i++) {
		long at = state_number(r, run->boot, &row[i]);

		if (at < 0)
			return error_set(-EBADMSG,
					 "%s: CPU %d has a state %d that states.tsv does not have",
					 tsv->path, row[i].cpu, row[i].state);
		if (bad[row[i].cpu])
			continue;
		add_row(&run->idle[SET_ALL * r->states + (size_t)at], &row[i]);
		if (cpulist_has(&run->info.cpus, row[i].cpu))
			add_row(&run->idle[SET_WORKLOAD * r->states + (size_t)at], &row[i]);
	}
	return 0;
}

static int read_rows(struct result *r, const struct tsv *tsv, struct loaded_run *run)
{
	struct pool scratch = { 0 };
	struct row *row = pool_alloc(&scratch, tsv->rows + 1, sizeof(*row));
	bool *bad = pool_alloc(&scratch, CPULIST_MAX_CPU + 1, sizeof(*bad));
	struct columns c;
	size_t i;
	int err;

	err = find_columns(tsv, &c);
	for (i = 0; !err && i < tsv->rows; i++) {
		err = read_row(tsv, i, &c, &row[i]);
		if (!err && row[i].backwards && !bad[row[i].cpu]) {
			bad[row[i].cpu] = true;
			run->partial = true;
			load_note(r, run,
				  pool_text(&r->pool,
					    "idle counters of CPU %d went backwards; this CPU is "
					    "left out of the idle figures",
					    row[i].cpu));
		}
	}
	if (!err)
		err = sum_rows(r, tsv, run, row, bad);
	pool_free(&scratch);
	return err;
}

int load_idle(struct result *result, const char *dir, struct loaded_run *run)
{
	char path[PATH_MAX];
	struct tsv tsv;
	int err;

	snprintf(path, sizeof(path), "%s/" STORE_IDLE, dir);
	err = tsv_load(path, &tsv);
	if (err)
		return err;
	if (tsv.rows)
		err = read_rows(result, &tsv, run);
	else if (result->boot[run->boot].cpus)
		err = error_set(-EBADMSG, "%s: no readings in it", path);
	tsv_free(&tsv);
	return err;
}

double idle_quantity(const struct idle_sum *sum, enum idle_quantity quantity)
{
	if (!sum->readings)
		return NAN;
	switch (quantity) {
	case IDLE_RESIDENCY:
		return sum->time_us * 1000 / sum->window_ns * 100;
	case IDLE_ENTRIES:
		return sum->per_s;
	case IDLE_TOO_DEEP:
		return sum->usage > 0 ? sum->above / sum->usage * 100 : NAN;
	case IDLE_TOO_SHALLOW:
		return sum->usage > 0 ? sum->below / sum->usage * 100 : NAN;
	case IDLE_QUANTITIES:
		break;
	}
	return NAN;
}

double idle_not_idle(const struct idle_sum *sums, const struct state_table *table)
{
	double rest = 100;
	size_t i;

	for (i = 0; i < table->states; i++)
		rest -= idle_quantity(&sums[table->first + i], IDLE_RESIDENCY);
	return rest;
}

void idle_pool(struct idle_sum *to, const struct idle_sum *from)
{
	if (!from->readings)
		return;
	/* per_s becomes the mean over the pooled time: weighted by each part's wall time. */
	to->per_s = (to->per_s * to->window_ns + from->per_s * from->window_ns) /
		    (to->window_ns + from->window_ns);
	to->readings += from->readings;
	to->window_ns += from->window_ns;
	to->time_us += from->time_us;
	to->usage += from->usage;
	to->above += from->above;
	to->below += from->below;
}
