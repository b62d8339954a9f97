/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states: a panel each, or stacked to the whole of the CPUs' time. */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"

static const char *unfit(const struct table *t, const struct figure *f)
{
	size_t *state;

	if (!t->result->states)
		return "no idle states on this machine";
	if (f->kind->shape == FIGURE_STATES && f->kind->source.quantity == IDLE_RESIDENCY &&
	    !f->kind->source.all_cpus && figure_set(t, f) == SET_ALL)
		return "the workload has no CPUs of its own";
	if (figure_states(t, f, &state))
		return NULL;
	return "0 everywhere, or no readings of the idle states";
}

static const char *what(const struct table *t, const struct figure *f)
{
	static const char *const text[] = { "Residency (% of the CPU's time)", "Entries (1/s)",
					    "Too deep (above), % of the state's entries",
					    "Too shallow (below), % of the state's entries" };

	return pool_text(t->pool, "%s by idle state requested, %s", text[f->kind->source.quantity],
			 describe_set_text(figure_set(t, f)));
}

static const char *legend(const struct table *t, const struct figure *f)
{
	size_t *state;

	return pool_text(t->pool, "%s%s", figure_bars(t, f),
			 figure_states(t, f, &state) < t->result->states
				 ? "; states at 0 everywhere are left out"
				 : "");
}

static int height(const struct table *t, const struct figure *f)
{
	size_t *state, n = figure_states(t, f, &state), *column;

	if (!figure_is_sweep(f))
		return 240 + (75 + 26 * (int)figure_columns(t, f, &column)) * (int)((n + 1) / 2);
	return n <= 1 ? FIGURE_HEIGHT : 190 + 263 * (int)((n + 1) / 2);
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	return figure_put_states(t, f, f->kind->source.quantity, false, out);
}

static void put_states(const struct table *t, const struct figure *f, FILE *out)
{
	size_t *state, n = figure_states(t, f, &state), i;
	const char **key = pool_alloc(t->pool, n, sizeof(*key));
	const char **name = pool_alloc(t->pool, n, sizeof(*name));
	const char **brief = pool_alloc(t->pool, n, sizeof(*brief));

	for (i = 0; i < n; i++) {
		key[i] = figure_state_key(t, state[i]);
		brief[i] = figure_fit(t->pool, describe_state(t, state[i]), FIGURE_LABEL_MAX);
		name[i] = figure_state_title(t, state[i]);
	}
	figure_put_list(out, "state_key", key, n);
	figure_put_list(out, "state_name", name, n);
	figure_put_list(out, "state_short", brief, n);
	if (figure_is_sweep(f))
		figure_put_x(t, f, out);
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	static const char *const label[] = { "residency (%)", "entries (1/s)",
					     "too deep (above) (%)", "too shallow (below) (%)" };

	put_states(t, f, out);
	figure_put_text(out, "y_label", label[f->kind->source.quantity]);
}

static const char *script(const struct figure *f)
{
	return figure_is_sweep(f) ? "sweep-states" : "category-states";
}

const struct figure_drawing figure_states_drawing = { unfit, what,	legend, height,
						      data,  variables, script };

/* The states that differ by table are a whole of their own each, so one table is stacked. */
static const char *unfit_shares(const struct table *t, const struct figure *f)
{
	if (t->result->tables > 1)
		return "CPUs with different state tables have no common whole";
	return unfit(t, f);
}

static const char *what_shares(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "Time by idle state requested (%% of CPU time), %s",
			 describe_set_text(figure_set(t, f)));
}

static const char *legend_shares(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "medians of %s, so a sum may miss 100 %% by a little",
			 describe_runs(t, f->section));
}

static int height_shares(const struct table *t, const struct figure *f)
{
	size_t *column, n = figure_columns(t, f, &column);

	return figure_is_sweep(f) ? 190 + 243 * (int)((n + 1) / 2) : 190 + 34 * (int)n;
}

static size_t data_shares(const struct table *t, const struct figure *f, FILE *out)
{
	return figure_put_states(t, f, IDLE_RESIDENCY, true, out);
}

/* Deep is dark. Polling is no sleep at all, so it has a colour of its own; grey is work. */
static void variables_shares(const struct table *t, const struct figure *f, FILE *out)
{
	static const char *const blue[] = { "#c6dbef", "#9ecae1", "#6baed6", "#4292c6",
					    "#2171b5", "#08519c", "#08306b" };
	const size_t blues = sizeof(blue) / sizeof(*blue);
	size_t *state, n = figure_states(t, f, &state), i, sleeping = 0, at = 0;
	const char **colour = pool_alloc(t->pool, n + 1, sizeof(*colour));

	for (i = 0; i < n; i++)
		sleeping += !load_state(t->result, state[i])->polling;
	for (i = 0; i < n; i++) {
		if (load_state(t->result, state[i])->polling)
			colour[i] = "#fdae61";
		else
			colour[i] = blue[sleeping > 1 ? at++ * (blues - 1) / (sleeping - 1)
						      : blues / 2];
	}
	put_states(t, f, out);
	figure_put_list(out, "state_colour", colour, n);
	figure_put_text(out, "y_label", "% of CPU time");
}

static const char *script_shares(const struct figure *f)
{
	return figure_is_sweep(f) ? "sweep-shares" : "category-shares";
}

const struct figure_drawing figure_shares = { unfit_shares,  what_shares, legend_shares,
					      height_shares, data_shares, variables_shares,
					      script_shares };
