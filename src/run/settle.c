/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load is a start of its own of the same programs in a folder that is thrown away: the protocol
 * between runner and workload fixes t0 with the go, and when the machine will have settled is not
 * known by then. A package takes minutes to change, the restart some 50 ms.
 */
#include "run/settle.h"
#include "hw/energy_math.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/file.h"
#include "run/care.h"
#include "run/parts.h"
#include "run/verify.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_PER_SPAN 60
#define LEAD_NS 25000000u

void settle_add(struct settle_track *track, const struct settle_sample *sample, double span_s)
{
	size_t old = 0;

	while (old < track->n && (track->sample[old].t_s < sample->t_s - span_s ||
				  track->n - old == SETTLE_SAMPLES_MAX))
		old++;
	track->n -= old;
	memmove(track->sample, track->sample + old, track->n * sizeof(*sample));
	track->sample[track->n++] = *sample;
}

/* Of the values at @offset, a second; *ret_mean is theirs. */
static double slope(const struct settle_track *track, size_t offset, double *ret_mean)
{
	double t = 0, y = 0, tt = 0, ty = 0;
	size_t n = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < track->n; i++) {
			const struct settle_sample *s = &track->sample[i];
			double value = *(const double *)((const char *)s + offset);

			if (isnan(value))
				continue;
			if (pass == 0) {
				t += s->t_s;
				y += value;
				n++;
			} else {
				tt += (s->t_s - t) * (s->t_s - t);
				ty += (s->t_s - t) * (value - y);
			}
		}
		if (pass == 0 && n < 3)
			return NAN;
		if (pass == 0) {
			t /= (double)n;
			y /= (double)n;
		}
	}
	*ret_mean = y;
	return tt > 0 ? ty / tt : NAN;
}

struct settle_slope settle_slope(const struct settle_track *track)
{
	double watts = NAN, celsius = NAN;
	double per_s = slope(track, offsetof(struct settle_sample, watts), &watts);

	return (struct settle_slope){
		watts > 0 ? per_s / watts * 100 * 60 : NAN,
		slope(track, offsetof(struct settle_sample, celsius), &celsius) * 60,
	};
}

bool settle_done(const struct settle_track *track, double span_s, double limit_pct)
{
	struct settle_slope now = settle_slope(track);
	double covered = track->n ? track->sample[track->n - 1].t_s - track->sample[0].t_s : 0;

	if (covered < span_s * (1 - 2.0 / SAMPLES_PER_SPAN) ||
	    (isnan(now.watts_pct) && isnan(now.celsius)))
		return false;
	return !(fabs(now.watts_pct) >= limit_pct) &&
	       !(fabs(now.celsius) >= SETTLE_CELSIUS_PER_MIN);
}

/* The load that nobody measures, and what is seen of it. */
struct settling {
	struct cell load;
	struct cell *cell;
	struct suite_care care;
	struct settle_track track;
	struct energy_reading *before, *now; /* of all zones */
	uint64_t start_ns, period_ns;
};

static void stop_load(struct settling *s)
{
	parts_finish(&s->load);
	parts_free(&s->load);
	store_run_free(&s->load.run);
	if (s->load.tmp)
		file_remove_tree(s->load.tmp);
	free(s->load.tmp);
	s->load = (struct cell){ 0 };
}

/* A load that fails is no error here: the run that follows will fail as well, and is kept. */
static int start_load(struct settling *s)
{
	const struct cell *cell = s->cell;
	struct cell *load = &s->load;
	int err;

	*load = (struct cell){
		.session = cell->session,
		.plan = cell->plan,
		.point = cell->point,
		.section = cell->section,
		.placement = cell->placement,
		.name = cell->name,
	};
	if (asprintf(&load->tmp, "%s.settle", cell->tmp) < 0) {
		load->tmp = NULL;
		return error_no_memory();
	}
	err = file_remove_tree(load->tmp);
	if (!err)
		err = file_make_dirs(load->tmp);
	if (!err)
		err = parts_make(load);
	if (!err)
		err = parts_start(load);
	if (err || load->run.state != STORE_COMPLETE)
		return err;
	load->t0_ns = clock_now_ns() + LEAD_NS;
	load->t1_ns = plan_by_loops(&cell->session->plan, cell->plan->point)
			      ? 0
			      : load->t0_ns + 2 * (uint64_t)s->care.settle_timeout_ns;
	err = parts_go(load);
	return err == -EPIPE ? 0 : err;
}

static void look(struct settling *s)
{
	const struct session *session = s->cell->session;
	struct settle_sample sample = { (double)(clock_now_ns() - s->start_ns) / 1e9, NAN, NAN };
	struct energy_power power;
	int mc;

	if (session->energy) {
		energy_read(session->energy, s->now);
		if (!energy_package(session->energy, s->before, s->now, &power))
			sample.watts = power.watts;
		memcpy(s->before, s->now, energy_zones(session->energy) * sizeof(*s->now));
	}
	if (thermal_hottest(&session->root, &session->thermal, &mc))
		sample.celsius = mc / 1000.0;
	settle_add(&s->track, &sample, s->care.settle_span_ns / 1e9);
}

/* One sampling period; a load that ended by its loops is started again. */
static int step(struct settling *s)
{
	uint64_t until = clock_now_ns() + s->period_ns;
	bool over = false;
	int err = parts_let_run(&s->load, until, &over);

	if (err || !over)
		return err;
	stop_load(s);
	err = start_load(s);
	return err ? err : parts_let_run(&s->load, until, &over);
}

static int conclude(struct settling *s, bool settled)
{
	struct settle_slope last = settle_slope(&s->track);
	double passed_s = (double)(clock_now_ns() - s->start_ns) / 1e9;
	struct store_run *run = &s->cell->run;
	char time[32], watts[48] = "", celsius[48] = "";

	snprintf(time, sizeof(time), "%.1fs", passed_s);
	if (settled)
		return asprintf(&run->settled, "yes, after %s", time) < 0 ? error_no_memory() : 0;
	if (!isnan(last.watts_pct))
		snprintf(watts, sizeof(watts), ", power drifts by %+.2g %% a minute",
			 last.watts_pct);
	if (!isnan(last.celsius))
		snprintf(celsius, sizeof(celsius), ", temperature by %+.2g C a minute",
			 last.celsius);
	if (asprintf(&run->settled, "no: after %s%s%s", time, watts, celsius) < 0)
		return error_no_memory();
	return verify_doubt(run, "not settled: after %s%s%s", time, watts, celsius);
}

static int settle(struct settling *s)
{
	uint64_t end;
	bool settled = false;
	int err = start_load(s);

	s->start_ns = clock_now_ns();
	end = s->start_ns + (uint64_t)s->care.settle_timeout_ns;
	if (s->cell->session->energy)
		energy_read(s->cell->session->energy, s->before);
	while (!err && !settled && s->load.run.state == STORE_COMPLETE && clock_now_ns() < end) {
		err = step(s);
		if (!err)
			look(s);
		settled = settle_done(&s->track, s->care.settle_span_ns / 1e9, s->care.settle_pct);
	}
	stop_load(s);
	return err ? err : conclude(s, settled);
}

/* Waiting for what cannot be seen would only cost time. */
static bool blind(const struct session *session)
{
	int mc;

	return (!session->energy || energy_reason(session->energy)) &&
	       !thermal_hottest(&session->root, &session->thermal, &mc);
}

int settle_cell(struct cell *cell)
{
	struct settling *s;
	size_t zones = cell->session->energy ? energy_zones(cell->session->energy) : 0;
	int err;

	if (!(care_at(&cell->session->plan, cell->plan->point).settle_pct > 0))
		return 0;
	if (blind(cell->session)) {
		cell->run.settled = strdup("no: neither package power nor temperature can be read");
		return cell->run.settled ? verify_doubt(&cell->run, "not settled: %s",
							cell->run.settled + strlen("no: "))
					 : error_no_memory();
	}
	s = calloc(1, sizeof(*s) + 2 * (zones + 1) * sizeof(*s->now));
	if (!s)
		return error_no_memory();
	s->cell = cell;
	s->care = care_at(&cell->session->plan, cell->plan->point);
	s->before = (struct energy_reading *)(s + 1);
	s->now = s->before + zones + 1;
	s->period_ns = (uint64_t)(s->care.settle_span_ns / SAMPLES_PER_SPAN);
	err = settle(s);
	free(s);
	return err;
}
