/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options, and the way to the decision. With the rules that were recorded the periods are walked as
 * they were, so that the kernel's own decision is explained; with others the gaps are replayed,
 * decisions being those of "replay --decisions".
 */
#include "analysis/explain.h"
#include "analysis/explain_print.h"
#include "analysis/fidelity.h"
#include "analysis/governor_load.h"
#include "analysis/replay_walk.h"
#include "analysis/scene.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include "lib/units.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

#define CONTEXT_MAX 10000

static const char help[] =
	"Usage: runner explain FILE [--cpu N] --at TIME --governor NAME [--context N]\n"
	"                      [--periods recorded|replayed] [OPTION...]\n"
	"\n"
	"Why a governor decides as it does: its inputs, its inner figures and its steps\n"
	"at the last decision before TIME on one CPU of a trace, or of a list of\n"
	"durations.\n"
	"\n"
	"  --at TIME           since the recording began (2.5s), or a number alone: ns as\n"
	"                      in the columns entry_ns of a trace's text and now_ns of\n"
	"                      replay --decisions\n"
	"  --cpu N             of a trace; default: its first with idle periods\n"
	"  --governor NAME     as of replay --list; teo@6.12 is what that kernel has\n"
	"  --governor-so FILE  one from a shared object instead\n"
	"  --context N         so many decisions before and behind, a line each\n"
	"  --periods WHAT      recorded: the periods as they were, whatever this governor\n"
	"                      would have chosen; replayed: gaps, as replay has them.\n"
	"                      Default: recorded with the rules that were recorded\n"
	"  --table NAME|FILE, --set KEY=VALUE, --hz N, --wake CLASS\n"
	"                      as of replay\n"
	"  --help              this text\n"
	"\n"
	"exit status: 0 complete; 1 error; 2 usage\n";

struct request {
	struct governor_set set;
	struct scene_order scene;
	const char *at;
	uint64_t cpu, context;
	bool cpu_given, periods_given, recorded, help; /* recorded: the periods that are given */
};

static int take_number(const char *option, const char *text, uint64_t max, uint64_t *ret)
{
	int err = units_parse_count(text, ret);

	if (!err && *ret > max)
		err = error_usage("'%s' is above %" PRIu64, text, max);
	return err ? error_prefix(err, "%s", option) : 0;
}

static int take_option(int c, void *request)
{
	struct request *r = request;

	switch (c) {
	case 'g':
		return governor_load_list(optarg, &r->set);
	case 'S':
		return governor_load_object(optarg, &r->set);
	case 't':
	case 's':
	case 'z':
	case 'w':
		return scene_option(&r->scene, c, optarg);
	case 'c':
		r->cpu_given = true;
		return take_number("--cpu", optarg, CPULIST_MAX_CPU, &r->cpu);
	case 'C':
		return take_number("--context", optarg, CONTEXT_MAX, &r->context);
	case 'a':
		r->at = optarg;
		return 0;
	case 'p':
		r->periods_given = true;
		return options_choice("--periods", optarg, "recorded", "replayed", &r->recorded);
	default: /* 'h' */
		r->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct request *r)
{
	static const struct option known[] = {
		{ "governor", required_argument, NULL, 'g' },
		{ "governor-so", required_argument, NULL, 'S' },
		SCENE_OPTIONS,
		{ "cpu", required_argument, NULL, 'c' },
		{ "context", required_argument, NULL, 'C' },
		{ "at", required_argument, NULL, 'a' },
		{ "periods", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const struct verb_options verb = { "", ":h", known, take_option };

	return options_take(&verb, argc, argv, r);
}

/* The decision that is looked for, and how far the way has come. */
struct search {
	const struct scene *scene;
	const struct governor *governor;
	size_t c; /* CPU of the scene */
	int64_t at_ns, begin_ns;
	int64_t wanted, n, context; /* numbers of decisions; wanted -1 = not found yet */
	struct governor_cpu before; /* the governor at the wanted one */
	struct decision decision; /* that one */
	FILE *lines; /* the context */
};

static const struct machine *machine_of(const struct search *s, bool recorded)
{
	const struct scene_group *group = s->scene->cpu[s->c].group;

	return recorded ? &group->recorded : &group->machine;
}

/* The first way finds the number, the second shows it. */
static void take(struct search *s, const struct machine *m, const struct governor_cpu *before,
		 const struct decision *d)
{
	int64_t now = (int64_t)d->in.now_ns;
	bool is_it = s->n == s->wanted;

	if (!s->lines) {
		if (now <= s->at_ns)
			s->wanted = s->n;
	} else if (s->n >= s->wanted - s->context && s->n <= s->wanted + s->context) {
		explain_print_context(m, d, now - s->begin_ns, is_it, s->lines);
		if (is_it) {
			s->before = *before;
			s->decision = *d;
		}
	}
	s->n++;
}

/* A way over gaps. */
struct gap_way {
	struct search *search;
	struct governor_cpu before;
};

static void see_before(void *context, const struct walker *w, const struct walk_period *p)
{
	struct gap_way *way = context;

	(void)p;
	way->before = w->cpu;
}

static void see_behind(void *context, const struct walker *w, const struct walk_period *p)
{
	struct gap_way *way = context;
	const struct idle_gap *gap = &w->gaps->gap[w->gap];
	struct decision d = { .in = p->in,
			      .choice = p->choice,
			      .out = p->out,
			      .timer_known = !way->search->scene->is_trace ||
					     (gap->timer_ns != GAP_NOT_KNOWN && !gap->guessed),
			      .oracle_state = p->oracle_state,
			      .kernel_state = -1,
			      .cause = p->out.poll_limit   ? "the poll limit"
				       : p->out.tick_fired ? "the tick"
							   : gap_cause_name[gap->cause] };

	take(way->search, w->machine, &way->before, &d);
}

static int walk_gaps(struct search *s)
{
	struct gap_way way = { .search = s };
	struct walker w;

	walk_begin(&w, machine_of(s, false), s->scene->cpu[s->c].gaps, s->governor);
	w.before = see_before;
	w.behind = see_behind;
	w.context = &way;
	return walk_all(&w);
}

/* A way over the periods as they were. */
static int walk_periods(struct search *s)
{
	const struct periods_cpu *periods = &s->scene->periods.cpu[s->scene->cpu[s->c].i];
	const struct machine *m = machine_of(s, true);
	const struct governor *oracle = governor_find("oracle");
	struct governor_cpu cpu, oracle_cpu;

	governor_enable(s->governor, &m->table, &cpu);
	governor_enable(oracle, &m->table, &oracle_cpu);
	for (size_t p = 0; p < periods->n; p++) {
		struct decision d = { .kernel_state = periods->period[p].state,
				      .cause = trace_cause_name[periods->period[p].cause] };
		struct governor_cpu before = cpu;

		d.in = fidelity_input(s->scene, s->c, p, &d.timer_known);
		d.choice = governor_select(s->governor, &cpu, &d.in);
		d.oracle_state = governor_select(oracle, &oracle_cpu, &d.in).state;
		d.out = fidelity_outcome(s->scene, s->c, p, &cpu);
		if (d.choice.state < 0 || d.choice.state >= m->table.states)
			return error_usage("governor %s chose state %d of %d", s->governor->name,
					   d.choice.state, m->table.states);
		governor_reflect(s->governor, &cpu, &d.out);
		take(s, m, &before, &d);
	}
	return 0;
}

static int walk(struct search *s, bool recorded)
{
	s->n = 0;
	return recorded ? walk_periods(s) : walk_gaps(s);
}

static int explain(struct search *s, bool recorded)
{
	const struct machine *m = machine_of(s, recorded);
	char *context = NULL;
	size_t size;
	int err = walk(s, recorded);

	if (!err && s->wanted < 0)
		err = error_usage("there is no decision before that time");
	if (err)
		return err;
	s->lines = open_memstream(&context, &size);
	if (!s->lines)
		return error_no_memory();
	err = walk(s, recorded);
	if (fclose(s->lines) && !err)
		err = error_no_memory();
	if (err) {
		free(context);
		return err;
	}
	printf("%s, decision %" PRId64 " of %" PRId64 ", at %.9f s (%" PRIu64 " ns)\n",
	       s->governor->name, s->wanted + 1, s->n,
	       (double)((int64_t)s->decision.in.now_ns - s->begin_ns) / 1e9, s->decision.in.now_ns);
	puts(recorded ? "MODELLED: what the model decides. The periods are as they were recorded.\n"
		      : "MODELLED: replayed in open loop, on a CPU that starts fresh.\n");
	explain_print_inputs(m, &s->decision, stdout);
	explain_print_steps(m, s->governor, &s->before, &s->decision.in, stdout);
	explain_print_outcome(m, &s->decision, stdout);
	if (s->context) {
		explain_print_context_header(stdout);
		fputs(context, stdout);
	}
	free(context);
	return 0;
}

static int find_cpu(const struct scene *scene, const struct request *r, size_t *ret)
{
	*ret = 0;
	if (!r->cpu_given)
		return 0;
	if (!scene->is_trace)
		return error_usage("--cpu: a list is of one CPU");
	for (size_t c = 0; c < scene->n; c++) {
		*ret = c;
		if (scene->cpu[c].cpu == (int)r->cpu)
			return 0;
	}
	return error_usage("--cpu %" PRIu64 ": the trace has no idle period of it", r->cpu);
}

static int find_time(const struct scene *scene, const struct request *r, int64_t *ret)
{
	int64_t begin = scene->is_trace ? (int64_t)scene->periods.info->t0_ns : 0;
	uint64_t absolute;
	double ns;
	int err;

	if (!units_parse_count(r->at, &absolute) && absolute <= INT64_MAX) {
		*ret = (int64_t)absolute;
		return 0;
	}
	err = units_parse_time(r->at, &ns);
	if (err)
		return error_prefix(err, "--at");
	*ret = begin + (int64_t)ns;
	return 0;
}

static int explain_scene(const struct scene *scene, const struct request *r)
{
	const char *why_not;
	struct search s = { .scene = scene,
			    .governor = r->set.governor[0],
			    .wanted = -1,
			    .context = (int64_t)r->context };
	bool recorded =
		scene->is_trace && fidelity_governor(scene->periods.info, &why_not) == s.governor;
	int err = find_cpu(scene, r, &s.c);

	if (r->periods_given)
		recorded = r->recorded;
	if (!err && recorded && !scene->is_trace)
		err = error_usage("--periods recorded: a list has none");
	s.begin_ns = scene->is_trace ? (int64_t)scene->periods.info->t0_ns : 0;
	if (!err)
		err = find_time(scene, r, &s.at_ns);
	return err ? err : explain(&s, recorded);
}

static int work(int argc, char **argv, struct request *r)
{
	struct scene scene;
	int err;

	if (r->help) {
		fputs(help, stdout);
		return 0;
	}
	if (optind + 1 != argc)
		return error_usage("explain: one file, please");
	if (!r->at || r->set.n != 1)
		return error_usage("explain: %s", r->at ? "which governor? (--governor NAME, one)"
							: "which time? (--at TIME)");
	r->scene.path = argv[optind];
	err = scene_load(&r->scene, &scene);
	if (err)
		return err;
	err = explain_scene(&scene, r);
	scene_free(&scene);
	return err;
}

int explain_main(int argc, char **argv)
{
	struct request request = { 0 };
	int err = parse(argc, argv, &request);

	return err ? err : work(argc, argv, &request);
}
