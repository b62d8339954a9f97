/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a closed loop a CPU's shift has two parts: when what woke it came (drift), and how much longer
 * than in the recording the exit took (late). What it wakes moves by both. Its own timers move by
 * the drift alone: an alarm clock does not wait for who oversleeps, but it was set by somebody who
 * has been moved.
 */
#include "analysis/replay_run.h"
#include "lib/error.h"
#include <inttypes.h>
#include <stdlib.h>

struct rows {
	const struct scene_cpu *cpu;
	FILE *out;
};

void replay_rows_header(FILE *rows)
{
	fputs("governor\tgap\tnow_ns\tsleep_ns\tevent_ns\ttick_stopped\ttruth_ns\tstate\tstop_tick\t"
	      "asked\toracle_state\tentered\tresidency_ns\ttick_fired\tpoll_limit\tlabel\tcpu\t"
	      "cause\tutilisation\tmark\n",
	      rows);
}

static void print_row(void *context, const struct walker *w, const struct walk_period *p)
{
	static const char *const label[] = {
		[LABEL_FITS] = "", [LABEL_ABOVE] = "above", [LABEL_BELOW] = "below"
	};
	const struct rows *rows = context;
	const struct machine *m = w->machine;
	FILE *out = rows->out;

	fprintf(out, "%s\t%zu\t%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\t%d\t%" PRId64 "\t",
		w->governor->name, w->gap, p->in.now_ns, p->in.sleep_ns, p->in.event_ns,
		p->in.tick_stopped, p->in.truth_ns);
	fprintf(out, "%s\t%d\t%d\t%s\t", m->state[p->choice.state], p->choice.stop_tick,
		p->choice.asked, m->state[p->oracle_state]);
	if (p->out.entered < 0)
		fputs("\t\t\t\t", out);
	else
		fprintf(out, "%s\t%" PRId64 "\t%d\t%d\t%s", m->state[p->out.entered],
			p->out.residency_ns, p->out.tick_fired, p->out.poll_limit, label[p->label]);
	if (rows->cpu->cpu < 0)
		fputs("\t", out);
	else
		fprintf(out, "\t%d", rows->cpu->cpu);
	fprintf(out, "\t%s\t%" PRIu32 "\tMODELLED\n", gap_cause_name[w->gaps->gap[w->gap].cause],
		p->in.utilisation);
}

/* A CPU on its way through its gaps. */
struct run_cpu {
	struct walker walker;
	struct rows rows;
	int64_t drift_ns, late_ns;
};

/* In closed loop: CPU @c of the scene, its gap @g. */
static int move(const struct scene *scene, struct run_cpu *run, size_t c, size_t g)
{
	struct run_cpu *cpu = &run[c];
	const struct idle_gap *gap = &scene->cpu[c].gaps->gap[g];
	int peer = gap->cause == GAP_PEER ? scene_position(scene, (size_t)gap->peer) : -1;
	int64_t start = gap->start_ns + cpu->drift_ns + cpu->late_ns, shift = cpu->drift_ns, end,
		awake;
	int err;

	if (peer >= 0)
		shift = run[peer].drift_ns + run[peer].late_ns;
	end = gap->start_ns + gap->length_ns + shift;
	err = walk_gap(&cpu->walker, g, start, end, cpu->drift_ns, &awake);
	if (err)
		return err;
	cpu->drift_ns = shift;
	cpu->late_ns = awake - end - gap->exit_ns;
	return 0;
}

static int run_closed(const struct scene *scene, struct run_cpu *run, double *ret_shift_ns)
{
	int64_t last = 0;
	int err = 0;

	for (size_t i = 0; !err && i < scene->steps; i++) {
		size_t c = scene->step[i].cpu;

		err = move(scene, run, c, scene->step[i].gap);
		last = run[c].drift_ns + run[c].late_ns;
	}
	*ret_shift_ns = (double)last;
	return err;
}

int replay_run(const struct scene *scene, const struct governor *governor, bool closed, FILE *rows,
	       struct replay_sums *ret)
{
	struct run_cpu *run = calloc(scene->n + 1, sizeof(*run));
	int err = 0;

	*ret = (struct replay_sums){ .group = calloc(scene->groups + 1, sizeof(*ret->group)) };
	if (!run || !ret->group) {
		free(run);
		return error_no_memory();
	}
	for (size_t c = 0; c < scene->n; c++) {
		walk_begin(&run[c].walker, &scene->cpu[c].group->machine, scene->cpu[c].gaps,
			   governor);
		run[c].rows = (struct rows){ &scene->cpu[c], rows };
		run[c].walker.context = &run[c].rows;
		run[c].walker.behind = rows ? print_row : NULL;
	}
	if (closed)
		err = run_closed(scene, run, &ret->shift_ns);
	for (size_t c = 0; !closed && !err && c < scene->n; c++)
		err = walk_all(&run[c].walker);
	for (size_t c = 0; !err && c < scene->n; c++)
		walk_sums_add(&ret->group[scene->cpu[c].group - scene->group], &run[c].walker.sums);
	free(run);
	return err;
}

void replay_sums_free(struct replay_sums *sums)
{
	free(sums->group);
	sums->group = NULL;
}
