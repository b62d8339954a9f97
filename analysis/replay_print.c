/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares are of the decisions, those of states and labels of the periods that were entered. */
#include "analysis/replay_print.h"
#include <inttypes.h>
#include <math.h>

static void print_pct(double part, double whole, int width, FILE *out)
{
	if (whole > 0)
		fprintf(out, " %*.1f", width, 100 * part / whole);
	else
		fprintf(out, " %*s", width, "NA");
}

void replay_print_head(const char *path, const struct machine *machine, const struct gaps *gaps,
		       FILE *out)
{
	double idle_ns = 0;
	size_t timers = 0;

	for (size_t i = 0; i < gaps->n; i++) {
		idle_ns += (double)gaps->gap[i].length_ns;
		timers += gaps->gap[i].timer;
	}
	fprintf(out,
		"%s: %zu gaps (%zu end by a timer), %.6g s idle; on %s, tick %.4g ms.\n"
		"MODELLED, open loop: arrival times do not follow the governor.\n\n",
		path, gaps->n, timers, idle_ns / 1e9, machine->name,
		(double)machine->table.tick_ns / 1e6);
}

static void print_row(const struct machine *machine, const struct gaps *gaps, const char *name,
		      const struct replay_sums *s, double least_uj, FILE *out)
{
	fprintf(out, "%-13s %9" PRIu64, name, s->decisions);
	for (int i = 0; i < machine->table.states; i++) {
		int width = (int)strlen(machine->state[i]);

		print_pct((double)s->usage[i], (double)s->entered, width < 6 ? 6 : width, out);
	}
	print_pct((double)s->above, (double)s->entered, 8, out);
	print_pct((double)s->below, (double)s->entered, 11, out);
	print_pct((double)s->as_oracle, (double)s->decisions, 8, out);
	print_pct((double)s->asked, (double)s->decisions, 6, out);
	fprintf(out, " %10" PRIu64 " %10.2f", s->tick_wakes, s->latency_ns / 1e3 / (double)gaps->n);
	if (!machine->has_energy) {
		fprintf(out, " %10s %8s\n", "NA", "NA");
		return;
	}
	fprintf(out, " %10.6g", s->energy_uj / 1e6);
	if (least_uj > 0)
		fprintf(out, " %+8.1f\n", 100 * (s->energy_uj / least_uj - 1));
	else
		fprintf(out, " %8s\n", "NA");
}

void replay_print_table(const struct machine *machine, const struct gaps *gaps,
			const struct governor_set *set, const struct replay_sums *sums,
			double least_uj, FILE *out)
{
	fprintf(out, "%-13s %9s", "governor", "decisions");
	for (int i = 0; i < machine->table.states; i++)
		fprintf(out, " %6s", machine->state[i]);
	fprintf(out, " %8s %11s %8s %6s %10s %10s %10s %8s\n", "too deep", "too shallow",
		"= oracle", "asked", "tick wakes", "latency us", "energy J", "% more");
	for (size_t i = 0; i < set->n; i++)
		print_row(machine, gaps, set->governor[i]->name, &sums[i], least_uj, out);
	fputs("\nStates, too deep and too shallow: % of periods; = oracle, asked: % of decisions; "
	      "latency: mean of a gap;\n% more: energy over that of the energy oracle.\n",
	      out);
}

void replay_print_governors(FILE *out)
{
	for (size_t i = 0; governor_list[i]; i++) {
		const struct governor *g = governor_list[i];

		fprintf(out, "%-13s %-7s %s\n", g->name, g->since ? g->since : "-", g->about);
	}
}
