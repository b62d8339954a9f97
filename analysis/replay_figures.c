/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bar a governor and group of CPUs: where the time's periods went, and how far they are from the
 * oracles. Energy has a figure where the machine has powers.
 */
#include "analysis/replay_figures.h"
#include "analysis/plot_folder.h"
#include "lib/tsv.h"
#include <stdlib.h>

/* "menu-6.18", with several groups "menu-6.18, CPUs 0-3". */
static void put_label(const struct replay_result *r, size_t g, size_t i, FILE *out)
{
	char *cpus, label[128];

	if (r->scene->groups < 2) {
		tsv_put(out, r->set->governor[i]->name);
		return;
	}
	cpus = cpulist_format(&r->scene->group[g].cpus);
	snprintf(label, sizeof(label), "%s, CPUs %.60s", r->set->governor[i]->name,
		 cpus ? cpus : "?");
	tsv_put(out, label);
	free(cpus);
}

static void put_states(const void *context, FILE *out)
{
	const struct replay_result *r = context;

	fputs("label\tstate\tpct\n", out);
	for (size_t g = 0; g < r->scene->groups; g++) {
		const struct machine *m = &r->scene->group[g].machine;

		for (size_t i = 0; i < r->set->n; i++) {
			const struct walk_sums *s = &r->sums[i].group[g];

			for (int state = 0; s->entered && state < m->table.states; state++) {
				put_label(r, g, i, out);
				fprintf(out, "\t%d:", state);
				tsv_put(out, m->state[state]);
				fprintf(out, "\t%.4f\n",
					100.0 * (double)s->usage[state] / (double)s->entered);
			}
		}
	}
}

static void put_misses(const void *context, FILE *out)
{
	const struct replay_result *r = context;

	fputs("label\ttoo deep\ttoo shallow\tnot the oracle's\n", out);
	for (size_t g = 0; g < r->scene->groups; g++) {
		for (size_t i = 0; i < r->set->n; i++) {
			const struct walk_sums *s = &r->sums[i].group[g];

			if (!s->entered)
				continue;
			put_label(r, g, i, out);
			fprintf(out, "\t%.4f\t%.4f\t%.4f\n",
				100.0 * (double)s->above / (double)s->entered,
				100.0 * (double)s->below / (double)s->entered,
				100.0 - 100.0 * (double)s->as_oracle / (double)s->decisions);
		}
	}
}

static void put_cost(const void *context, FILE *out)
{
	const struct replay_result *r = context;

	fputs("label\tadded_us\tmore_pct\n", out);
	for (size_t g = 0; g < r->scene->groups; g++) {
		double least = replay_least_uj(r, g);

		for (size_t i = 0; least > 0 && i < r->set->n; i++) {
			const struct walk_sums *s = &r->sums[i].group[g];

			put_label(r, g, i, out);
			fprintf(out, "\t%.6g\t%.6g\n",
				replay_latency_us(s) - replay_latency_us(&r->oracle.group[g]),
				100 * (s->energy_uj / least - 1));
		}
	}
}

static bool has_energy(const struct replay_result *r)
{
	bool any = false;

	for (size_t g = 0; g < r->scene->groups; g++)
		any |= replay_least_uj(r, g) > 0;
	return any;
}

int replay_figures_write(const struct replay_result *r, const char *dir)
{
	static const struct {
		const char *name, *script, *title, *y;
		void (*put)(const void *context, FILE *out);
	} figure[] = {
		{ "states", "replay-states", "periods by idle state", "% of the periods",
		  put_states },
		{ "misses", "replay-misses", "too deep, too shallow, and other than the oracle's",
		  "%", put_misses },
		{ "cost", "replay-cost", "energy over added latency",
		  "energy, % over the energy oracle's", put_cost },
	};
	size_t n = has_energy(r) ? 3 : 2;
	const char *name[3];
	char subtitle[256];
	int err = plot_folder_make(dir);

	snprintf(subtitle, sizeof(subtitle), "replay of %.120s, %s loop, on %s", r->scene->path,
		 r->closed ? "closed" : "open", r->scene->group->machine.name);
	for (size_t i = 0; !err && i < n; i++) {
		const struct plot plot = { .name = figure[i].name,
					   .script = figure[i].script,
					   .title = figure[i].title,
					   .subtitle = subtitle,
					   .y = figure[i].y,
					   .watermark = "MODELLED" };

		name[i] = figure[i].name;
		err = plot_folder_add(dir, &plot, figure[i].put, r);
	}
	return err ? err : plot_folder_draw(dir, name, n);
}
