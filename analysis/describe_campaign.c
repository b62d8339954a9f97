/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was asked and what is missing of it: the lines that head every form of the summary. */
#include "analysis/describe.h"
#include "analysis/sequential.h"

const char *describe_title(const struct table *table)
{
	const char *machine = describe_machine(table);

	return pool_text(table->pool, "%s on Linux %s%s%s, %s", table->result->campaign.suite,
			 describe_kernels(table), *machine ? ", " : "", machine,
			 describe_date(table));
}

const char *describe_plan(const struct table *table)
{
	const struct store_campaign *c = &table->result->campaign;
	char window[DESCRIBE_NUMBER_MAX];

	if (c->window_ns > 0)
		units_format_time(c->window_ns, 4, window, sizeof(window));
	else
		snprintf(window, sizeof(window), "as the suite says");
	return pool_text(table->pool, "%s; window %s, order %s, seed %llu, version %s",
			 sequential_is(table)
				 ? sequential_text(table)
				 : pool_text(table->pool, "repeats asked: %d", c->repeat),
			 window, c->order, (unsigned long long)c->seed, c->version);
}

const char *describe_gap(const struct table *table, const struct gap *gap)
{
	return pool_text(table->pool, "%s: not measured: %s", gap->governor, gap->reason);
}

const char *describe_undone(const struct table *table)
{
	size_t pending = describe_pending(table);

	if (!pending)
		return "";
	if (sequential_is(table))
		return pool_text(table->pool,
				 "not over: up to %zu of %d cells of the plan are not done",
				 pending, table->result->campaign.cells);
	return pool_text(table->pool, "%zu of %d cells of the plan are not done", pending,
			 table->result->campaign.cells);
}

const char *describe_no_states(const struct table *table)
{
	return load_host(table->result, "imported") ? "none in what was imported"
						    : "this machine has no cpuidle";
}
