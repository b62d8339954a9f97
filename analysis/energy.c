/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sum is only as good as its worst member: one package without a reading makes the machine's
 * package power NA, because the sum of the others would look like a saving.
 */
#include "analysis/energy.h"
#include "lib/wrap.h"
#include "lib/zone.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLACK_S 0.1 /* a counter may be updated so much later than it is read */

struct columns {
	int zone, label, t0, t1, uj0, uj1, range;
};

static int find_columns(const struct tsv *tsv, struct columns *ret)
{
	struct columns c = {
		.zone = tsv_column(tsv, "zone"),
		.label = tsv_column(tsv, "label"),
		.t0 = tsv_column(tsv, "t0_ns"),
		.t1 = tsv_column(tsv, "t1_ns"),
		.uj0 = tsv_column(tsv, "uj0"),
		.uj1 = tsv_column(tsv, "uj1"),
		.range = tsv_column(tsv, "range_uj"),
	};

	if (c.zone < 0 || c.label < 0 || c.t0 < 0 || c.t1 < 0 || c.uj0 < 0 || c.uj1 < 0 ||
	    c.range < 0)
		return -ENOENT;
	*ret = c;
	return 0;
}

/* A counter at one moment, and what it has counted until then. */
struct meter {
	uint64_t t_ns, uj, range, sum_uj;
};

/*
 * One reading on. -ERANGE where the step is impossible: a counter that went back by 1 uJ looks like
 * a wrap, and in 8 hours one wrap more is an ordinary power.
 */
static int advance(struct meter *m, uint64_t t_ns, uint64_t uj)
{
	double seconds = t_ns > m->t_ns ? (double)(t_ns - m->t_ns) / 1e9 : 0;
	uint64_t step;
	int err = wrap_delta(m->uj, uj, m->range, &step);

	if (err)
		return err;
	if ((double)step > (seconds + SLACK_S) * ENERGY_CEILING_W * 1e6)
		return -ERANGE;
	m->sum_uj += step;
	m->uj = uj;
	m->t_ns = t_ns;
	return 0;
}

/* Over every sample of the zone. */
static int follow(const struct tsv *samples, const char *label, struct meter *m)
{
	int at = tsv_column(samples, "t_ns"), column, err;
	uint64_t t_ns, uj;
	char name[128];

	snprintf(name, sizeof(name), "energy:%s", label);
	column = tsv_column(samples, name);
	for (size_t row = 0; column >= 0 && row < samples->rows; row++) {
		/* One sample missed: the next step is longer. */
		if (tsv_u64(samples, row, at, &t_ns) != 1 ||
		    tsv_u64(samples, row, column, &uj) != 1)
			continue;
		err = advance(m, t_ns, uj);
		if (err)
			return err;
	}
	return 0;
}

/* W of one zone over its own two stamps (P-13), NAN when a cell is missing or absurd. */
static double zone_w(const struct tsv *tsv, const struct tsv *samples, size_t row,
		     const struct columns *c)
{
	uint64_t t0, t1, uj0, uj1, range = 0;
	struct meter m;
	double w;

	if (tsv_u64(tsv, row, c->t0, &t0) != 1 || tsv_u64(tsv, row, c->t1, &t1) != 1 ||
	    tsv_u64(tsv, row, c->uj0, &uj0) != 1 || tsv_u64(tsv, row, c->uj1, &uj1) != 1 ||
	    t1 <= t0)
		return NAN;
	if (tsv_u64(tsv, row, c->range, &range) < 0)
		return NAN;
	m = (struct meter){ .t_ns = t0, .uj = uj0, .range = range };
	if ((samples && follow(samples, tsv_text(tsv, row, c->label), &m)) || advance(&m, t1, uj1))
		return NAN;
	w = (double)m.sum_uj * 1000.0 / (double)(t1 - t0);
	return w > ENERGY_CEILING_W ? NAN : w;
}

static bool is_mmio(const struct tsv *tsv, size_t row, const struct columns *c)
{
	return strstr(tsv_text(tsv, row, c->zone), "mmio") != NULL;
}

/* A row that another row already stands for: labels are unique, but for a zone's mmio twin or a
 * link to it. */
static bool is_twin(const struct tsv *tsv, size_t row, const struct columns *c)
{
	const char *label = tsv_text(tsv, row, c->label);
	bool mmio = is_mmio(tsv, row, c);

	for (size_t i = 0; i < tsv->rows; i++) {
		if (i == row || strcmp(label, tsv_text(tsv, i, c->label)))
			continue;
		if (mmio && !is_mmio(tsv, i, c))
			return true;
		if (i < row && mmio == is_mmio(tsv, i, c))
			return true;
	}
	return false;
}

/* NAN until something is added; one NAN member makes the sum NAN. */
static void add(double *sum, bool *any, double w)
{
	*sum = *any ? *sum + w : w;
	*any = true;
}

static void add_package(struct energy_power *p, bool *any, const char *label, double w)
{
	if (isnan(w) && !p->zone[0])
		snprintf(p->zone, sizeof(p->zone), "%s", label);
	add(&p->package_w, any, w);
}

static const char *why_no_package(const struct tsv *tsv, bool any, double package_w)
{
	if (!any)
		return tsv->rows ? "no package zone among the energy readings"
				 : "no energy readings in this run";
	if (isnan(package_w))
		return "an energy reading is missing or impossible";
	if (package_w < ENERGY_FLOOR_W)
		return "the energy counter does not advance (a guest's dummy?)";
	return NULL;
}

int energy_power(const struct tsv *tsv, const struct tsv *samples, struct energy_power *ret)
{
	struct energy_power p = { NAN, NAN, NAN, NULL, "" };
	bool package = false, dram = false, psys = false;
	const char **label = calloc(tsv->rows + 1, sizeof(*label));
	size_t *row_of = calloc(tsv->rows + 1, sizeof(*row_of)), n = 0;
	struct columns c;
	int err = !label || !row_of ? -ENOMEM : find_columns(tsv, &c);

	for (size_t row = 0; !err && row < tsv->rows; row++) {
		if (is_twin(tsv, row, &c))
			continue;
		row_of[n] = row;
		label[n++] = tsv_text(tsv, row, c.label);
	}
	for (size_t i = 0; i < n; i++) {
		enum zone_kind kind = zone_kind_of(label[i]);

		if (zone_in_package_sum(label, n, i))
			add_package(&p, &package, label[i], zone_w(tsv, samples, row_of[i], &c));
		else if (kind == ZONE_DRAM)
			add(&p.dram_w, &dram, zone_w(tsv, samples, row_of[i], &c));
		else if (kind == ZONE_PSYS)
			add(&p.psys_w, &psys, zone_w(tsv, samples, row_of[i], &c));
	}
	free(label);
	free(row_of);
	if (err)
		return err;
	p.package_reason = why_no_package(tsv, package, p.package_w);
	if (p.package_reason)
		p.package_w = NAN;
	*ret = p;
	return 0;
}
