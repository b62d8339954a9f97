/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between two results besides what is compared. A difference that would be taken for
 * the governor's is refused; one that is worth knowing is flagged. docs/result-format.md has the
 * table; a fact that only one side knows is flagged, because nobody knows that it is the same.
 */
#include "analysis/load_conditions.h"
#include "store/format.h"
#include <math.h>
#include <string.h>

/* Facts of host.ini, and why they matter. */
static const struct {
	const char *key, *what;
	bool refused;
	bool anywhere; /* also where machines stand side by side and only the eye compares */
} facts[] = {
	{ "cpufreq_driver", "the cpufreq driver", true, false },
	{ "cpufreq_governor", "the cpufreq governor", true, true },
	{ "turbo", "turbo", true, true },
	{ "cpufreq_min_khz", "the lowest frequency (kHz)", true, false },
	{ "cpufreq_max_khz", "the highest frequency (kHz)", true, false },
	{ "energy_performance_preference", "the energy performance preference", true, true },
	{ "hz", "HZ, the length of the tick,", true, true },
	{ "tick", "the tick", true, true },
	{ "smt", "SMT", true, true },
	{ "cpus_online", "the list of CPUs online", true, false },
	{ "idle_driver", "the idle driver", true, false },
	{ "smallest_latency_limit_us", "the smallest latency limit (us)", true, true },
	{ "cpus_isolated", "the list of isolated CPUs", false, false },
	{ "cpus_nohz_full", "the list of CPUs without a tick", false, false },
	{ "c1_demotion", "C1 demotion", false, true },
	{ "hwp_dynamic_boost", "HWP dynamic boost", false, true },
	{ "microcode", "the microcode", false, false },
	{ "hypervisor", "the hypervisor", false, true },
	{ "clocksource", "the clock source", false, true },
	{ "guest_halt_poll_ns", "guest_halt_poll_ns", false, true },
	{ "cmdline", "the kernel's command line", false, false },
	{ "power", "how energy is read", false, true },
};

void conditions_add(struct result *r, bool refused, const char *text)
{
	size_t i;

	for (i = 0; i < r->issues; i++) {
		if (!strcmp(r->issue[i].text, text)) {
			r->issue[i].refused |= refused;
			return;
		}
	}
	r->issue = pool_room(&r->pool, r->issue, r->issues, sizeof(*r->issue));
	r->issue[r->issues++] = (struct issue){ refused, text };
}

void conditions_differ(struct result *r, const struct pair *p, bool refused, const char *what,
		       const char *a, const char *b)
{
	if (!strcmp(a, b))
		return;
	conditions_add(r, refused && p->compared,
		       pool_text(&r->pool, "%s differs: '%s' in %s, '%s' in %s", what, a,
				 r->source[r->boot[p->a].source].shown, b,
				 r->source[r->boot[p->b].source].shown));
}

static void compare_facts(struct result *r, const struct pair *p)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const char *a = ini_get(&r->boot[p->a].host, "host", facts[i].key);
		const char *b = ini_get(&r->boot[p->b].host, "host", facts[i].key);

		if ((!a && !b) || (!p->same_machine && !facts[i].anywhere))
			continue;
		/* A second axis is set by the runner, and stands in the columns' names. */
		if (p->cpufreq_axis && !strcmp(facts[i].key, "cpufreq_governor"))
			continue;
		conditions_differ(r, p, facts[i].refused && a && b, facts[i].what,
				  a ? a : "not known", b ? b : "not known");
	}
}

static bool same_states(const struct state_table *a, const struct state_table *b)
{
	for (size_t i = 0; i < a->states && a->states == b->states; i++) {
		const struct idle_state *x = &a->state[i], *y = &b->state[i];

		if (x->index != y->index || strcmp(x->name, y->name) ||
		    (x->latency_us != y->latency_us &&
		     !(isnan(x->latency_us) && isnan(y->latency_us))) ||
		    (x->residency_us != y->residency_us &&
		     !(isnan(x->residency_us) && isnan(y->residency_us))))
			return false;
	}
	return a->states == b->states;
}

/* "C1E,C6", "none" */
static const char *mask_text(struct result *r, const struct state_table *table)
{
	const char *text = "";

	for (size_t i = 0; i < table->states; i++)
		if (table->state[i].disabled)
			text = pool_text(&r->pool, "%s%s%s", text, *text ? "," : "",
					 table->state[i].name);
	return *text ? text : "none";
}

static const char *states_text(struct result *r, const struct state_table *table)
{
	const char *text = "";

	for (size_t i = 0; i < table->states; i++)
		text = pool_text(&r->pool, "%s%s%s %g/%g", text, *text ? ", " : "",
				 table->state[i].name, table->state[i].latency_us,
				 table->state[i].residency_us);
	return text;
}

/* The tables of each CPU that both boots have (P-24, P-29). */
static void compare_states(struct result *r, const struct pair *p)
{
	const struct boot *a = &r->boot[p->a], *b = &r->boot[p->b];

	for (int cpu = 0; cpu < a->cpus && cpu < b->cpus; cpu++) {
		const struct state_table *x, *y;

		if (a->table_of_cpu[cpu] < 0 || b->table_of_cpu[cpu] < 0 ||
		    a->table_of_cpu[cpu] == b->table_of_cpu[cpu])
			continue;
		x = &r->table[a->table_of_cpu[cpu]];
		y = &r->table[b->table_of_cpu[cpu]];
		if (!same_states(x, y))
			conditions_differ(
				r, p, true,
				"the table of idle states (exit latency/target residency)",
				states_text(r, x), states_text(r, y));
		else
			conditions_differ(r, p, true, "the list of disabled idle states",
					  mask_text(r, x), mask_text(r, y));
	}
}

/* The unit of work as a time: what "work=12us" was made of. */
static void compare_units(struct result *r, const struct pair *p)
{
	const struct source *a = &r->source[r->boot[p->a].source];
	const struct source *b = &r->source[r->boot[p->b].source];
	double x = a->campaign.ns_per_unit, y = b->campaign.ns_per_unit;

	if (!(x > 0) || !(y > 0))
		return;
	if (fmax(x, y) / fmin(x, y) > CONDITIONS_UNIT_NOTED)
		conditions_differ(r, p, fmax(x, y) / fmin(x, y) > CONDITIONS_UNIT_FAR,
				  "the time that a unit of work takes (ns)",
				  pool_text(&r->pool, "%.4g", x), pool_text(&r->pool, "%.4g", y));
}

static void compare_pair(struct result *r, const struct pair *p)
{
	const struct boot *a = &r->boot[p->a], *b = &r->boot[p->b];

	if (p->compared && !p->same_machine)
		conditions_differ(r, p, true, "the machine", *a->machine ? a->machine : "not known",
				  *b->machine ? b->machine : "not known");
	compare_facts(r, p);
	if (p->same_machine) {
		compare_states(r, p);
		compare_units(r, p);
	}
	conditions_sections(r, p);
	conditions_differ(r, p, false, "the version of the runner",
			  r->source[a->source].campaign.version,
			  r->source[b->source].campaign.version);
}

/* One bit a mark of marks.def; 0: measured. */
static unsigned int kind_of(const struct store_run *run)
{
	unsigned int kind = 0;

#define MARK(flag, words, warning) kind = kind << 1 | run->flag;
#include "analysis/marks.def"
#undef MARK
	return kind;
}

/* Figures of a fake machine or a model never stand beside measured ones, compared or not. */
static void compare_kinds(struct result *r)
{
	const struct loaded_run *odd = NULL;
	const char *a, *b, *text;

	for (size_t i = 1; i < r->runs && !odd; i++)
		if (r->run[i].source != r->run[0].source &&
		    kind_of(&r->run[i].info) != kind_of(&r->run[0].info))
			odd = &r->run[i];
	if (!odd)
		return;
	a = r->source[r->run[0].source].shown;
	b = r->source[odd->source].shown;
	if (kind_of(&odd->info) && kind_of(&r->run[0].info))
		text = pool_text(&r->pool, "neither %s nor %s is measured, each in its own way", a,
				 b);
	else
		text = pool_text(&r->pool,
				 "%s is measured and %s is not: a rehearsal, a model or emulated",
				 kind_of(&odd->info) ? a : b, kind_of(&odd->info) ? b : a);
	conditions_add(r, true, text);
}

static void compare_suites(struct result *r)
{
	for (size_t i = 1; i < r->sources; i++) {
		const struct source *a = &r->source[0], *b = &r->source[i];

		if (!a->made_up && !b->made_up &&
		    strcmp(a->campaign.suite_text, b->campaign.suite_text))
			conditions_add(r, false,
				       pool_text(&r->pool,
						 "the suites of %s and %s have other texts: only "
						 "points that both have are compared",
						 a->shown, b->shown));
	}
}

/* Has the column a run of that boot? */
static bool is_of(const struct table *t, size_t column, size_t boot)
{
	const struct result *r = t->result;

	for (size_t i = 0; i < r->runs; i++)
		if ((size_t)r->run[i].boot == boot && section_column_of(t, &r->run[i]) == column)
			return true;
	return false;
}

/* Some governor's figure from boot @a is set against one from boot @b: as the reference, or pooled
 * with it. */
static bool are_compared(const struct table *t, const bool *of, size_t a, size_t b)
{
	const size_t boots = t->result->boots;

	for (size_t c = 0; c < t->columns; c++) {
		size_t reference = t->column[c].reference;

		if (of[c * boots + a] && of[c * boots + b])
			return true;
		if (reference == NO_COLUMN)
			continue;
		if ((of[c * boots + a] && of[reference * boots + b]) ||
		    (of[c * boots + b] && of[reference * boots + a]))
			return true;
	}
	return false;
}

void load_conditions(struct result *result, const struct table *table)
{
	const size_t boots = result->boots;
	bool *of = pool_alloc(&result->pool, table->columns * boots + 1, sizeof(*of));
	size_t a, b, c;

	if (result->sources < 2)
		return;
	for (c = 0; c < table->columns; c++)
		for (b = 0; b < boots; b++)
			of[c * boots + b] = is_of(table, c, b);
	compare_kinds(result);
	for (a = 0; a < boots; a++) {
		for (b = a + 1; b < boots; b++) {
			struct pair p = { .a = a, .b = b };

			if (result->boot[a].source == result->boot[b].source ||
			    result->boot[a].damage || result->boot[b].damage)
				continue;
			p.compared = are_compared(table, of, a, b);
			p.same_machine = !strcmp(result->boot[a].machine, result->boot[b].machine);
			p.cpufreq_axis = table->columns && *table->column[0].cpufreq;
			/* Those that nobody compares are held against the first one's only. */
			if (p.compared || result->boot[a].source == 0)
				compare_pair(result, &p);
		}
	}
	compare_suites(result);
}

const char *load_refusal(const struct result *result)
{
	for (size_t i = 0; i < result->issues; i++)
		if (result->issue[i].refused)
			return result->issue[i].text;
	return NULL;
}
