/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps are printed by the governor's own functions, in the order in which they decide; nothing
 * of them is told again here.
 */
#include "analysis/explain_print.h"
#include "governors/label.h"
#include "governors/walk.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>

static void print_time(int64_t ns, FILE *out)
{
	if (ns >= INT64_MAX / 2)
		fputs("none", out);
	else
		fprintf(out, "%.3f us", (double)ns / 1e3);
}

static void print_disabled(const struct machine *m, uint32_t disabled, FILE *out)
{
	bool any = false;

	for (int i = 0; i < m->table.states; i++) {
		if (!walk_has(disabled, i))
			continue;
		fprintf(out, "%s%s", any ? ", " : "", m->state[i]);
		any = true;
	}
	fputs(any ? "\n" : "none\n", out);
}

void explain_print_inputs(const struct machine *m, const struct decision *d, FILE *out)
{
	fputs("Inputs\n  sleep length   ", out);
	print_time(d->in.sleep_ns, out);
	fprintf(out, "%s\n  next event     ",
		d->timer_known ? "" : " (likely: it is not in the trace)");
	print_time(d->in.event_ns, out);
	fprintf(out, "\n  tick           %s, every %.6g us\n  latency limit  ",
		d->in.tick_stopped ? "stopped before" : "running", (double)m->table.tick_ns / 1e3);
	if (d->in.latency_ns == GOVERNOR_NO_LIMIT_NS)
		fputs("none\n", out);
	else
		fprintf(out, "%.6g us\n", (double)d->in.latency_ns / 1e3);
	fprintf(out, "  utilisation    %" PRIu32 " of 1024 (capacity %" PRIu32 ")\n",
		d->in.utilisation, m->table.capacity);
	fputs("  disabled       ", out);
	print_disabled(m, d->in.disabled, out);
	fputs("  states        ", out);
	for (int i = 0; i < m->table.states; i++)
		fprintf(out, " %s %.6g/%.6g%s", m->state[i], (double)m->table.latency_ns[i] / 1e3,
			(double)m->table.residency_ns[i] / 1e3,
			i + 1 < m->table.states ? "," : " us (exit latency/target residency)\n");
}

struct steps {
	struct governor_notes notes;
	FILE *out;
	int n;
};

__attribute__((format(printf, 2, 3))) static void print_step(struct governor_notes *notes,
							     const char *format, ...)
{
	struct steps *steps = (struct steps *)((char *)notes - offsetof(struct steps, notes));
	va_list arguments;

	fprintf(steps->out, "  %2d. ", ++steps->n);
	va_start(arguments, format);
	vfprintf(steps->out, format, arguments);
	va_end(arguments);
	fputc('\n', steps->out);
}

void explain_print_steps(const struct machine *m, const struct governor *governor,
			 struct governor_cpu *cpu, const struct governor_input *in, FILE *out)
{
	const char *name[GOVERNOR_STATES_MAX];
	struct steps steps = { .notes = { .print = print_step, .name = name }, .out = out };

	fputs("Steps\n", out);
	if (!governor->explain) {
		fprintf(out, "  %s brings no explanation.\n", governor->name);
		return;
	}
	for (int i = 0; i < GOVERNOR_STATES_MAX; i++)
		name[i] = i < m->table.states ? m->state[i] : "?";
	governor->explain(cpu, in, &steps.notes);
	if (steps.notes.wrapped)
		fputs("  A 32-bit counter has wrapped here, as in the kernel.\n", out);
}

static const char *label_text(const struct machine *m, const struct decision *d)
{
	switch (governor_label(&m->table, d->in.disabled, d->out.entered, d->out.residency_ns)) {
	case LABEL_ABOVE:
		return "too deep";
	case LABEL_BELOW:
		return "too shallow";
	default:
		return "it fits";
	}
}

void explain_print_outcome(const struct machine *m, const struct decision *d, FILE *out)
{
	fprintf(out, "Choice\n  %s, the tick %s, the sleep length %s\n", m->state[d->choice.state],
		d->choice.stop_tick ? "may stop" : "is kept",
		d->choice.asked ? "was asked for" : "was not asked for");
	if (d->kernel_state >= 0 && d->kernel_state < m->table.states)
		fprintf(out, "  the kernel chose %s\n", m->state[d->kernel_state]);
	fprintf(out, "  the oracle takes %s: the idle time to come is %.3f us\n",
		m->state[d->oracle_state], (double)d->in.truth_ns / 1e3);
	if (d->out.entered < 0)
		fputs("  nothing was entered: somebody had to run\n", out);
	else
		fprintf(out, "  %s for %.3f us, ended by %s: %s\n", m->state[d->out.entered],
			(double)d->out.residency_ns / 1e3, d->cause, label_text(m, d));
}

void explain_print_context_header(FILE *out)
{
	fputs("Context\n    at s           sleep us     event us tick    state           stop "
	      "asked entered         residency us\n",
	      out);
}

void explain_print_context(const struct machine *m, const struct decision *d, int64_t t_ns,
			   bool is_it, FILE *out)
{
	fprintf(out, "  %c %-14.9f %12.3f %12.3f %-7s %-15s %-4s %-5s ", is_it ? '>' : ' ',
		(double)t_ns / 1e9, (double)d->in.sleep_ns / 1e3, (double)d->in.event_ns / 1e3,
		d->in.tick_stopped ? "stopped" : "runs", m->state[d->choice.state],
		d->choice.stop_tick ? "yes" : "no", d->choice.asked ? "yes" : "no");
	if (d->out.entered < 0)
		fputs("-\n", out);
	else
		fprintf(out, "%-15s %12.3f\n", m->state[d->out.entered],
			(double)d->out.residency_ns / 1e3);
}
