/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "explain" prints. Private to explain*.c. */
#ifndef ANALYSIS_EXPLAIN_PRINT_H
#define ANALYSIS_EXPLAIN_PRINT_H

#include "analysis/machine.h"
#include <stdio.h>

/* One decision and what came of it. */
struct decision {
	struct governor_input in;
	struct governor_choice choice;
	struct governor_outcome out; /* as the governor is told */
	bool timer_known; /* the sleep length is in the trace; else it is likely */
	int oracle_state;
	int kernel_state; /* -1 = not known */
	const char *cause; /* what ended the period */
};

/* What the governor is told. */
void explain_print_inputs(const struct machine *machine, const struct decision *decision,
			  FILE *out);

/* The steps: @cpu, a copy, is the governor as it was before its select. */
void explain_print_steps(const struct machine *machine, const struct governor *governor,
			 struct governor_cpu *cpu, const struct governor_input *in, FILE *out);

/* The choice and the period behind it. */
void explain_print_outcome(const struct machine *machine, const struct decision *decision,
			   FILE *out);

/* Lines of the context: a header, then one a decision. @t_ns since the begin; @is_it: that one. */
void explain_print_context_header(FILE *out);
void explain_print_context(const struct machine *machine, const struct decision *decision,
			   int64_t t_ns, bool is_it, FILE *out);

#endif
