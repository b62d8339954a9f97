/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares are of the decisions, those of states and labels of the periods that were entered. */
#include "analysis/replay_print.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

double replay_least_uj(const struct replay_result *r, size_t group)
{
	return r->scene->group[group].machine.has_energy ? r->least.group[group].energy_uj : NAN;
}

double replay_latency_us(const struct walk_sums *sums)
{
	return sums->latency_ns / 1e3 / (double)sums->gaps;
}

static void print_pct(double part, double whole, int width, FILE *out)
{
	if (whole > 0)
		fprintf(out, " %*.1f", width, 100 * part / whole);
	else
		fprintf(out, " %*s", width, "NA");
}

static void print_list_head(const struct scene *scene, FILE *out)
{
	const struct machine *m = &scene->group->machine;
	double idle_ns = 0;
	size_t timers = 0;

	for (size_t i = 0; i < scene->list.n; i++) {
		idle_ns += (double)scene->list.gap[i].length_ns;
		timers += scene->list.gap[i].cause == GAP_TIMER;
	}
	fprintf(out, "%s: %zu gaps (%zu end by a timer), %.6g s idle; on %s, tick %.4g ms.\n",
		scene->path, scene->list.n, timers, idle_ns / 1e9, m->name,
		(double)m->table.tick_ns / 1e6);
}

/* What the replay lacks, each with what it takes instead. */
static void print_lacks(const struct replay_result *r, FILE *out)
{
	const struct scene *s = r->scene;
	const struct normal_counts *n = &s->normal.counts;
	unsigned int kinds = s->periods.info->kinds;

	if (n->timer_guessed + n->timer_unknown)
		fprintf(out,
			"Next timer: known at the start of %zu gaps; %zu take the next that is "
			"seen later, %zu a timer each second.\n",
			n->timer_known, n->timer_guessed, n->timer_unknown);
	if (!(kinds & (TRACE_HAS_IRQS | TRACE_HAS_TIMERS)))
		fputs("What woke the CPUs was not recorded: each period is a gap of its own, and "
		      "ticks are not told from wakes.\n",
		      out);
	else if (!(kinds & TRACE_HAS_SCHED))
		fputs("Tasks were not recorded (--events sched): only ticks and ends of polling "
		      "are merged, every other interrupt counts as a wake.\n",
		      out);
	if (!s->utilisation_set)
		fputs("Utilisation: estimated from the idle times, at full frequency. Latency "
		      "limits, tasks in iowait, and periods\nthat were not entered are in no "
		      "trace: none are assumed.\n",
		      out);
	if (n->cut)
		fprintf(out, "%zu gaps of more than an hour are cut to their last hour.\n", n->cut);
	if (r->closed && n->answers)
		fprintf(out,
			"Of the wakes by other CPUs %zu come from those without idle events; they "
			"are taken for answers, which\ncome later by what the woken CPU itself was "
			"late.\n",
			n->answers);
}

static void print_trace_head(const struct replay_result *r, FILE *out)
{
	const struct scene *s = r->scene;
	const struct trace_info *info = s->periods.info;
	const struct normal_counts *n = &s->normal.counts;
	uint64_t lost = periods_total(&s->periods, TRACE_LOST);

	fprintf(out, "%s: %zu periods of %zu CPUs, recorded under %s, kernel %s.\n", s->path,
		n->periods, s->n, info->governor ? info->governor : "(not known)",
		info->kernel ? info->kernel : "(not known)");
	fprintf(out,
		"%zu gaps: %zu end by a timer, %zu by one of the wheel, %zu by another CPU, %zu by "
		"other interrupts.\nMerged into them: %zu ticks, %zu ends of polling, %zu other "
		"interrupts that made nobody run.\n",
		n->gaps, n->cause[GAP_TIMER], n->cause[GAP_WHEEL], n->cause[GAP_PEER],
		n->cause[GAP_IRQ], n->merged_ticks, n->merged_polls, n->merged_others);
	if (s->silent)
		fprintf(out, "%d CPUs have no idle event in it.\n", s->silent);
	if (scene_is_damaged(s))
		fprintf(out,
			"The trace is not whole: %" PRIu64 " events lost, %" PRIu64
			" places damaged%s%s.\n%" PRIu64 " ends without a beginning, %" PRIu64
			" beginnings without an end, %" PRIu64 " periods that end before they "
			"begin.\n",
			lost, s->periods.damages, s->periods.left_out ? ", lines left out" : "",
			s->periods.whole ? "" : ", no end",
			periods_total(&s->periods, TRACE_NO_ENTRY),
			periods_total(&s->periods, TRACE_NO_EXIT),
			periods_total(&s->periods, TRACE_BACKWARDS));
	print_lacks(r, out);
}

static void print_row(const struct replay_result *r, size_t g, size_t i, FILE *out)
{
	const struct machine *m = &r->scene->group[g].machine;
	const struct walk_sums *s = &r->sums[i].group[g];
	double least = replay_least_uj(r, g);

	fprintf(out, "%-13s %9" PRIu64, r->set->governor[i]->name, s->decisions);
	for (int state = 0; state < m->table.states; state++) {
		int width = (int)strlen(m->state[state]);

		print_pct((double)s->usage[state], (double)s->entered, width < 6 ? 6 : width, out);
	}
	print_pct((double)s->above, (double)s->entered, 8, out);
	print_pct((double)s->below, (double)s->entered, 11, out);
	print_pct((double)s->as_oracle, (double)s->decisions, 8, out);
	print_pct((double)s->asked, (double)s->decisions, 6, out);
	fprintf(out, " %10" PRIu64 " %10.2f %+8.2f", s->tick_wakes, replay_latency_us(s),
		replay_latency_us(s) - replay_latency_us(&r->oracle.group[g]));
	if (!m->has_energy)
		fprintf(out, " %10s %8s", "NA", "NA");
	else
		fprintf(out, " %10.6g", s->energy_uj / 1e6);
	if (m->has_energy && least > 0)
		fprintf(out, " %+8.1f", 100 * (s->energy_uj / least - 1));
	else if (m->has_energy)
		fprintf(out, " %8s", "NA");
	if (r->closed)
		fprintf(out, " %+9.3f", r->sums[i].shift_ns / 1e6);
	fputc('\n', out);
}

static void print_group(const struct replay_result *r, size_t g, FILE *out)
{
	const struct scene_group *group = &r->scene->group[g];
	const struct machine *m = &group->machine;

	if (r->scene->is_trace) {
		char *cpus = cpulist_format(&group->cpus);

		fprintf(out, "CPUs %s, on %s, tick %.4g ms:\n", cpus ? cpus : "?", m->name,
			(double)m->table.tick_ns / 1e6);
		free(cpus);
	}
	fprintf(out, "%-13s %9s", "governor", "decisions");
	for (int i = 0; i < m->table.states; i++)
		fprintf(out, " %6s", m->state[i]);
	fprintf(out, " %8s %11s %8s %6s %10s %10s %8s %10s %8s%s\n", "too deep", "too shallow",
		"= oracle", "asked", "tick wakes", "latency us", "added us", "energy J", "% more",
		r->closed ? "  shift ms" : "");
	for (size_t i = 0; i < r->set->n; i++)
		print_row(r, g, i, out);
	fputc('\n', out);
}

static void print_versions(const struct fidelity *f, FILE *out)
{
	for (size_t i = 0; i < f->versions; i++)
		fprintf(out, "%s %s %.2f %%",
			i ? "," : "Other rules of the family:", f->version[i]->name,
			100 * (double)f->version_equal[i] / (double)f->periods);
	if (f->versions)
		fputs(".\n", out);
}

static void print_fidelity(const struct replay_result *r, FILE *out)
{
	const struct fidelity *f = r->fidelity;
	uint64_t misses = f->periods - f->equal;

	if (!f->governor) {
		fprintf(out, "Fidelity: %s.\n", f->why_not);
		return;
	}
	fprintf(out,
		"Fidelity: of the periods as they were recorded, %s chooses the kernel's state in "
		"%" PRIu64 " of %" PRIu64
		" (%.2f %%);\nalways the commonest state would be right in "
		"%.2f %%. The sleep length is in the trace for %.1f %% of them.\n",
		f->governor->name, f->equal, f->periods,
		100 * (double)f->equal / (double)f->periods,
		100 * (double)f->commonest / (double)f->periods,
		100 * (double)f->timer_known / (double)f->periods);
	if (f->ticks)
		fprintf(out, "It stops or keeps the tick as the kernel does in %.2f %%.\n",
			100 * (double)f->ticks_equal / (double)f->ticks);
	for (int c = 0; misses && c < MISS_CLASSES; c++)
		if (f->miss[c])
			fprintf(out, "  %8" PRIu64 " (%.2f %%) %s: %s\n", f->miss[c],
				100 * (double)f->miss[c] / (double)f->periods, miss_class_name[c],
				miss_class_text[c]);
	print_versions(f, out);
}

void replay_print_text(const struct replay_result *r, FILE *out)
{
	if (r->scene->is_trace)
		print_trace_head(r, out);
	else
		print_list_head(r->scene, out);
	fputs(r->closed
		      ? "MODELLED, closed loop: what a CPU wakes comes later by what that CPU was "
			"woken later.\n\n"
		      : "MODELLED, open loop: arrival times do not follow the governor.\n\n",
	      out);
	for (size_t g = 0; g < r->scene->groups; g++)
		print_group(r, g, out);
	fputs("States, too deep and too shallow: % of periods; = oracle, asked: % of decisions; "
	      "latency: mean of a gap;\nadded: over that of the oracle; % more: energy over that of "
	      "the energy oracle.\n",
	      out);
	if (r->closed)
		fputs("shift: how much later the last work begins than in the recording.\n", out);
	if (r->fidelity) {
		fputc('\n', out);
		print_fidelity(r, out);
	}
}

void replay_print_governors(FILE *out)
{
	for (size_t i = 0; governor_list[i]; i++) {
		const struct governor *g = governor_list[i];

		fprintf(out, "%-13s %-7s %s\n", g->name, g->since ? g->since : "-", g->about);
	}
}
