/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All counters begin at 0 with the window: the model counts only within it. What the model does not
 * have (thread ids, an energy counter's range) is left empty.
 */
#include "analysis/simulate_write.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>

static int create(const struct simulate_write *w, const char *name, FILE **ret)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", w->dir, name);
	*ret = fopen(path, "we");
	return *ret ? 0 : error_set(-errno, "%s: %m", path);
}

static int finish(const struct simulate_write *w, const char *name, FILE *out)
{
	bool failed = ferror(out);

	if (fclose(out) || failed)
		return error_set(-EIO, "%s/%s: cannot be written (disk full?)", w->dir, name);
	return 0;
}

static void sample_header(const struct simulate_write *w)
{
	static const char *const set[] = { "workload", "all" };
	const struct machine *m = w->machine;

	fputs("t_ns", w->samples);
	for (int p = 0; m->model.has_energy && p < m->model.packages; p++)
		fprintf(w->samples, "\tenergy:package-%d", p);
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < m->table.states; i++)
			fprintf(w->samples, "\t%s:%s:usage\t%s:%s:time_us", set[s], m->state[i],
				set[s], m->state[i]);
	fputc('\n', w->samples);
}

int simulate_write_begin(struct simulate_write *w)
{
	int err = create(w, STORE_SAMPLES, &w->samples);

	if (!err)
		err = create(w, STORE_SERIES, &w->series);
	if (err) {
		simulate_write_end(w, NULL);
		return err;
	}
	sample_header(w);
	fputs("t_ns\tname\tvalue\n", w->series);
	return 0;
}

static void put_states(const struct simulate_write *w, const struct model_sample *sample,
		       bool workload)
{
	for (int i = 0; i < w->machine->table.states; i++) {
		uint64_t usage = 0, time_us = 0;

		for (int c = 0; c < sample->cpus; c++) {
			if (workload && !w->in_workload[c])
				continue;
			usage += sample->cpu[c].state[i].usage;
			time_us += sample->cpu[c].state[i].time_ns / 1000;
		}
		fprintf(w->samples, "\t%" PRIu64 "\t%" PRIu64, usage, time_us);
	}
}

void simulate_write_sample(void *arg, const struct model_sample *sample)
{
	const struct simulate_write *w = arg;
	uint64_t t_ns = w->t0_ns + (uint64_t)sample->t_ns;

	fprintf(w->samples, "%" PRIu64, t_ns);
	for (int p = 0; w->machine->model.has_energy && p < sample->packages; p++)
		fprintf(w->samples, "\t%.0f", sample->package_uj[p]);
	put_states(w, sample, true);
	put_states(w, sample, false);
	fputc('\n', w->samples);
	for (int i = 0; sample->t_ns && i < sample->series; i++)
		if (!isnan(sample->value[i].value))
			fprintf(w->series, "%" PRIu64 "\t%s\t%.4f\n", t_ns, sample->value[i].name,
				sample->value[i].value);
}

static uint64_t end_ns(const struct simulate_write *w, const struct model_result *r)
{
	return w->t0_ns + (uint64_t)llrint(r->window_ns);
}

static int write_idle(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = create(w, STORE_IDLE, &out);

	if (err)
		return err;
	fputs(STORE_IDLE_COLUMNS, out);
	for (int c = 0; c < r->cpus; c++) {
		for (int i = 0; i < w->machine->table.states; i++) {
			const struct model_state_count *n = &r->cpu[c].state[i];

			fprintf(out,
				"%d\t%d\t%" PRIu64 "\t%" PRIu64 "\t0\t%" PRIu64 "\t0\t%" PRIu64
				"\t0\t%" PRIu64 "\t0\t%" PRIu64 "\t0\t%" PRIu64 "\n",
				c, i, w->t0_ns, end_ns(w, r), n->usage, n->time_ns / 1000, n->above,
				n->below, n->rejected);
		}
	}
	return finish(w, STORE_IDLE, out);
}

static int write_ticks(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = create(w, STORE_TICKS, &out);

	if (err)
		return err;
	fputs(STORE_TICKS_COLUMNS, out);
	for (int c = 0; c < r->cpus; c++)
		fprintf(out, "%d\t%" PRIu64 "\t%" PRIu64 "\t0\t%" PRIu64 "\t0\t%" PRIu64 "\n", c,
			w->t0_ns, end_ns(w, r), r->cpu[c].idle_calls, r->cpu[c].idle_sleeps);
	return finish(w, STORE_TICKS, out);
}

static int write_energy(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = w->machine->model.has_energy ? create(w, STORE_ENERGY, &out) : 0;

	if (err || !w->machine->model.has_energy)
		return err;
	fputs(STORE_ENERGY_COLUMNS, out);
	for (int p = 0; p < r->packages; p++)
		fprintf(out, "model:%d\tpackage-%d\t%" PRIu64 "\t%" PRIu64 "\t0\t%.0f\t\n", p, p,
			w->t0_ns, end_ns(w, r), r->package_uj[p]);
	return finish(w, STORE_ENERGY, out);
}

static int write_metrics(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = create(w, STORE_METRICS, &out);

	if (err)
		return err;
	fputs("name\tunit\tbetter\tvalue\n", out);
	for (int i = 0; i < r->metrics; i++) {
		const struct model_metric *m = &r->metric[i];

		fprintf(out, "%s\t%s\t%s\t", m->name, m->unit, m->better);
		if (!isnan(m->value))
			fprintf(out, "%.10g", m->value);
		fputc('\n', out);
	}
	return finish(w, STORE_METRICS, out);
}

static int write_latency(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = create(w, STORE_LATENCY, &out);

	if (err)
		return err;
	fputs("role\tlo_ns\thi_ns\tcount\n", out);
	for (int k = 0; k < r->roles; k++)
		for (unsigned int b = 0; b < HIST_BUCKETS; b++)
			if (r->role[k].hist.bucket[b])
				fprintf(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
					r->role[k].name, hist_lo_ns(b), hist_hi_ns(b),
					r->role[k].hist.bucket[b]);
	return finish(w, STORE_LATENCY, out);
}

static int write_tasks(const struct simulate_write *w, const struct model_result *r)
{
	FILE *out;
	int err = create(w, STORE_TASKS, &out);

	if (err)
		return err;
	fputs("task\trole\ttid\tcpu_asked\taffinity\tcpu_start\tcpu_end\tmigrations\n", out);
	for (int i = 0; i < r->tasks; i++) {
		const struct model_task *t = &r->task[i];

		fprintf(out, "%d\t%s\t\t", i, t->role);
		if (t->cpu >= 0)
			fprintf(out, "%d\t%d", t->cpu, t->cpu);
		else
			fprintf(out, "\t0-%d", r->cpus - 1);
		fprintf(out, "\t%d\t%d\t%" PRIu64 "\n", t->cpu_start, t->cpu_end, t->migrations);
	}
	return finish(w, STORE_TASKS, out);
}

static int close_one(const struct simulate_write *w, const char *name, FILE **file)
{
	int err = *file ? finish(w, name, *file) : 0;

	*file = NULL;
	return err;
}

int simulate_write_end(struct simulate_write *w, const struct model_result *result)
{
	FILE *silent;
	int err = close_one(w, STORE_SAMPLES, &w->samples);
	int other = close_one(w, STORE_SERIES, &w->series);

	if (!result)
		return 0;
	if (!err)
		err = other;
	if (!err)
		err = write_idle(w, result);
	if (!err)
		err = write_ticks(w, result);
	if (!err)
		err = write_energy(w, result);
	if (!err)
		err = write_metrics(w, result);
	if (!err)
		err = write_latency(w, result);
	if (!err)
		err = write_tasks(w, result);
	if (!err)
		err = create(w, STORE_STDERR, &silent);
	if (!err)
		err = finish(w, STORE_STDERR, silent);
	return err;
}
