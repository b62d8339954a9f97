/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace text of idle events: a run whose counters are sums over the periods. What makes a period is
 * analysis/trace_text.c's to say; "analysis trace FILE" tells more of it than a result can hold.
 */
#include "analysis/import/import.h"
#include "analysis/trace.h"
#include "analysis/trace_text.h"
#include "lib/error.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool import_trace_detect(const struct import_head *head)
{
	return !head->folder && strstr(head->text, "cpu_idle: ") && trace_text_detect(head->path);
}

static void add_state(struct import_source *s, struct import_run *run,
		      const struct trace_analysis *a, size_t i, int state)
{
	struct import_idle idle = { .cpu = a->info->cpus.cpu[i],
				    .state = state,
				    .t0_ns = a->info->t0_ns,
				    .t1_ns = a->t_last_ns };
	const uint64_t values[] = { a->cpu[i].between[state].periods,
				    a->cpu[i].between[state].ns / 1000,
				    a->cpu[i].between[state].above,
				    a->cpu[i].between[state].below };
	size_t known = a->info->kinds & TRACE_HAS_MISSES ? 4 : 2;

	for (size_t c = 0; c < known; c++) {
		idle.last[c] = values[c];
		idle.have[c] = true;
	}
	import_idle_add(s->pool, run, &idle);
}

static void add_doubt(struct import_source *s, const struct trace_analysis *a,
		      enum trace_count count, const char *what)
{
	if (trace_total(a, count))
		import_doubt(s, "%" PRIu64 " %s", trace_total(a, count), what);
}

static void add_run(struct import_source *s, const struct trace_analysis *a)
{
	struct import_run *run = import_run_add(s, 0);
	char number[16];

	if (!run)
		return;
	run->t0_ns = a->info->t0_ns;
	run->t1_ns = a->t_last_ns;
	for (size_t i = 0; i < a->info->cpus.n; i++)
		for (int state = 0; state < TRACE_STATES_MAX; state++)
			if (a->cpu[i].between[state].periods) {
				snprintf(number, sizeof(number), "state%d", state);
				import_put(s, 0, a->info->cpus.cpu[i], state, "name", number);
				add_state(s, run, a, i, state);
			}
	import_idle_metrics(s->pool, run);
	add_doubt(s, a, TRACE_NO_ENTRY, "exits without entry");
	add_doubt(s, a, TRACE_NO_EXIT, "entries without exit");
	add_doubt(s, a, TRACE_LOST, "events lost");
}

int import_trace_parse(struct import_source *s)
{
	char temporary[] = "/tmp/idle-trace-XXXXXX";
	struct trace_analysis a;
	int status = trace_text_temporary(s->path, temporary), err = status < 0 ? status : 0;

	if (status > 0)
		import_fault(s, 0, "lines that cannot be read are left out");
	if (!err)
		err = trace_analyse(temporary, &a);
	remove(temporary);
	if (err)
		return err;
	add_run(s, &a);
	trace_analysis_free(&a);
	return 0;
}
