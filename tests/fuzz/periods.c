/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periods of two CPUs of the fuzzer's making, written as a trace: whatever their times, causes and
 * timers, they are normalised into gaps in their order, every kind of governor gets through them in
 * open and closed loop, and each of its misses has a class.
 */
#include "analysis/fidelity.h"
#include "analysis/replay_run.h"
#include "fuzz.h"
#include "trace/write.h"
#include "tree.h"

#define CPUS 2
#define PERIODS 64 /* at most, of a CPU */

/* us to ms, now and then up to 4 s: a governor may keep the tick through all of it. */
static uint64_t take_time(struct fuzz_bytes *b)
{
	uint8_t size = (uint8_t)fuzz_take(b, 1);

	return fuzz_take(b, size > 250 ? 4 : 1 + size % 3);
}

static struct trace_period take_period(struct fuzz_bytes *b, uint64_t last_ns)
{
	uint8_t kind = (uint8_t)fuzz_take(b, 1), ends = (uint8_t)fuzz_take(b, 1);
	struct trace_period p = { .entry_ns = last_ns + take_time(b) };

	p.exit_ns = p.entry_ns + take_time(b);
	p.state = kind & 7;
	p.tick_stopped = kind & 8;
	p.next_known = kind & 16;
	p.next_is_tick = kind & 32;
	p.timer_known = kind & 64;
	p.timer_is_wheel = kind & 128;
	p.next_ns = p.next_known ? p.entry_ns + take_time(b) - 1000 : 0;
	p.timer_ns = p.timer_known ? p.entry_ns + take_time(b) - 1000 : 0;
	p.cause = ends % TRACE_CAUSES;
	p.after_loss = ends > 250;
	return p;
}

static void fill_info(struct fuzz_bytes *b, struct trace_info *info, struct trace_table *table)
{
	info->hz = 1 + (uint32_t)fuzz_take(b, 2) % 2000;
	info->kinds = (unsigned int)fuzz_take(b, 1) & 15;
	info->t0_ns = 1000000;
	info->table = table;
	info->tables = 1;
	table->states = 2 + (int)fuzz_take(b, 1) % 3;
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (cpulist_add(&info->cpus, cpu) || cpulist_add(&table->cpus, cpu))
			exit(EXIT_FAILURE);
	for (int i = 0; i < table->states; i++) {
		snprintf(table->state[i].name, TRACE_NAME_MAX, i ? "C%d" : "POLL", i);
		table->state[i].latency_us = i ? (int64_t)fuzz_take(b, 2) : 0;
		table->state[i].residency_us = i ? (int64_t)fuzz_take(b, 2) : 0;
		table->state[i].disabled = i && fuzz_take(b, 1) > 240;
	}
}

static void write_trace(const char *path, struct fuzz_bytes b)
{
	struct trace_table table = { 0 };
	struct trace_info info = { 0 };
	struct trace_writer *writer;
	uint64_t last[CPUS] = { 2000000, 2000000 }, bytes;

	fill_info(&b, &info, &table);
	FUZZ_CHECK(!trace_create(path, &info, &writer));
	for (size_t n = 0; b.left && n < CPUS * PERIODS; n++) {
		size_t cpu = n % 3 == 2 ? 1 : 0;
		struct trace_period p = take_period(&b, last[cpu]);

		last[cpu] = p.exit_ns;
		FUZZ_CHECK(!trace_put_period(writer, cpu, &p));
	}
	FUZZ_CHECK(!trace_round(writer, last[0] > last[1] ? last[0] : last[1]));
	FUZZ_CHECK(!trace_finish(writer, NULL, &bytes));
	cpulist_free(&info.cpus);
	cpulist_free(&table.cpus);
}

static void check_gaps(const struct scene *scene)
{
	size_t seen = 0;

	for (size_t c = 0; c < scene->n; c++) {
		const struct gaps *gaps = scene->cpu[c].gaps;

		for (size_t i = 0; i < gaps->n; i++) {
			const struct idle_gap *gap = &gaps->gap[i];

			FUZZ_CHECK(gap->length_ns >= 0 && gap->exit_ns >= 0);
			FUZZ_CHECK(!i || gap->start_ns >= gaps->gap[i - 1].start_ns +
								  gaps->gap[i - 1].length_ns);
			FUZZ_CHECK(gap->first + gap->inner <= gaps->inners);
			FUZZ_CHECK(gap->utilisation >= 0 && gap->utilisation <= 1024);
		}
		seen += gaps->n;
	}
	FUZZ_CHECK(seen == scene->steps);
}

static void run(const struct scene *scene, const char *name)
{
	const struct governor *governor = governor_find(name);
	struct fidelity fidelity;
	uint64_t misses = 0;

	for (int closed = 0; closed < 2; closed++) {
		struct replay_sums sums;
		struct walk_sums *s;

		FUZZ_CHECK(!replay_run(scene, governor, closed, NULL, &sums));
		s = sums.group;
		FUZZ_CHECK(s->gaps == scene->steps && s->decisions >= s->gaps);
		FUZZ_CHECK(s->entered <= s->decisions && s->above + s->below <= s->entered);
		FUZZ_CHECK(s->latency_ns >= 0);
		replay_sums_free(&sums);
	}
	fidelity_measure(scene, governor, NULL, &fidelity);
	for (int c = 0; c < MISS_CLASSES; c++)
		misses += fidelity.miss[c];
	FUZZ_CHECK(misses + fidelity.equal == fidelity.periods);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const governors[] = { "teo-6.6", "teo-6.14", "menu-6.18",
						 "ladder",  "haltpoll", "oracle" };
	struct scene_order order = { 0 };
	char path[64];
	struct scene scene;
	int err;

	snprintf(path, sizeof(path), "%s/trace", tree_place());
	order.path = path;
	write_trace(path, (struct fuzz_bytes){ data, size });
	err = scene_load(&order, &scene);
	unlink(path);
	if (err) {
		fuzz_check_error(err);
		return 0;
	}
	check_gaps(&scene);
	for (size_t i = 0; i < sizeof(governors) / sizeof(governors[0]); i++)
		run(&scene, governors[i]);
	scene_free(&scene);
	return 0;
}
