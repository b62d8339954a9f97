/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decisions of every governor on a table and inputs of the fuzzer's making: states in any order of
 * residency, times up to the limits of 64 bits. None leaves the state table, none but those whose
 * rules do not look at it names a disabled state other than 0, and the labels stay in their range.
 * What explains a decision decides the same and leaves the same memory.
 */
#include "fuzz.h"
#include "governors/label.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A first byte tells how large it is: times of every order, and any 64 bits. */
static int64_t take_time(struct fuzz_bytes *b)
{
	uint8_t size = (uint8_t)fuzz_take(b, 1);

	switch (size % 8) {
	case 0:
		return (int64_t)fuzz_take(b, 8);
	case 1:
		return INT64_MAX - (int64_t)fuzz_take(b, 1);
	case 2:
		return -(int64_t)fuzz_take(b, 3);
	case 3:
		return 0;
	default:
		return (int64_t)fuzz_take(b, size % 8);
	}
}

static int64_t table_time(struct fuzz_bytes *b)
{
	uint64_t time = (uint64_t)take_time(b);

	return (int64_t)(time % (GOVERNOR_TIME_MAX_NS + 1ull));
}

static struct governor_table take_table(struct fuzz_bytes *b)
{
	struct governor_table table = { .states =
						1 + (int)(fuzz_take(b, 1) % GOVERNOR_STATES_MAX) };

	for (int i = 0; i < table.states; i++) {
		table.residency_ns[i] = table_time(b);
		table.latency_ns[i] = table_time(b);
		table.power_w[i] = (double)fuzz_take(b, 1);
		table.transition_uj[i] = (double)fuzz_take(b, 2);
	}
	table.polling = (uint32_t)fuzz_take(b, 1);
	table.tick_ns = 1 + table_time(b) % 10000000;
	table.capacity = 1 + (uint32_t)fuzz_take(b, 2) % 1024;
	return table;
}

static struct governor_input take_input(struct fuzz_bytes *b)
{
	uint8_t kind = (uint8_t)fuzz_take(b, 1);
	struct governor_input in = { .latency_ns = GOVERNOR_NO_LIMIT_NS };

	in.sleep_ns = take_time(b);
	in.event_ns = kind & 1 ? in.sleep_ns : take_time(b);
	in.now_ns = kind & 2 ? (uint64_t)take_time(b) : 0;
	in.truth_ns = kind & 2 ? take_time(b) : in.sleep_ns;
	in.tick_stopped = kind & 4;
	if (kind & 8)
		in.latency_ns = (int64_t)((uint64_t)take_time(b) & INT64_MAX);
	if (kind & 16)
		in.disabled = (uint32_t)fuzz_take(b, 2);
	if (kind & 32)
		in.utilisation = (uint32_t)fuzz_take(b, 4);
	if (kind & 64)
		in.iowait = (uint32_t)fuzz_take(b, 4);
	return in;
}

static struct governor_outcome take_outcome(struct fuzz_bytes *b, int states, int chosen)
{
	uint8_t kind = (uint8_t)fuzz_take(b, 1);
	struct governor_outcome out = { .entered = chosen };

	if (kind & 1)
		out.entered = (int)fuzz_take(b, 1) % (states + 1) - 1; /* or not at all */
	out.residency_ns = take_time(b);
	out.tick_fired = kind & 2;
	out.poll_limit = kind & 4;
	out.now_ns = kind & 8 ? (uint64_t)take_time(b) : 0;
	return out;
}

/* Rules that name a state without looking at whether it is disabled. */
static bool is_blind(const struct governor *governor)
{
	return !strcmp(governor->family, "ladder") || !strcmp(governor->family, "haltpoll");
}

__attribute__((format(printf, 2, 3))) static void listen(struct governor_notes *notes,
							 const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	FUZZ_CHECK(vsnprintf(line, sizeof(line), format, arguments) < (int)sizeof(line));
	va_end(arguments);
	FUZZ_CHECK(notes->name && !strchr(line, '\n'));
}

/* @cpu: before the select that has chosen @chosen and left @after. */
static void explain(const struct governor *governor, struct governor_cpu *cpu,
		    const struct governor_input *in, struct governor_choice chosen,
		    const struct governor_cpu *after)
{
	static const char *const name[GOVERNOR_STATES_MAX] = { "0", "1", "2", "3", "4",
							       "5", "6", "7", "8", "9" };
	struct governor_notes notes = { .print = listen, .name = name };
	struct governor_choice again = governor->explain(cpu, in, &notes);

	FUZZ_CHECK(again.state == chosen.state && again.stop_tick == chosen.stop_tick &&
		   again.asked == chosen.asked);
	FUZZ_CHECK(cpu->last_state == after->last_state &&
		   cpu->poll_limit_hit == after->poll_limit_hit);
	FUZZ_CHECK(!memcmp(cpu->memory, after->memory, sizeof(cpu->memory)));
}

static void run(const struct governor *governor, struct fuzz_bytes b)
{
	struct governor_table table = take_table(&b);
	struct governor_cpu cpu;

	governor_enable(governor, &table, &cpu);
	while (b.left) {
		struct governor_input in = take_input(&b);
		struct governor_cpu before = cpu;
		struct governor_choice choice = governor_select(governor, &cpu, &in);
		struct governor_outcome out;

		explain(governor, &before, &in, choice, &cpu);

		FUZZ_CHECK(choice.state >= 0 && choice.state < table.states);
		FUZZ_CHECK(is_blind(governor) || !choice.state ||
			   !(in.disabled >> choice.state & 1));
		out = take_outcome(&b, table.states, choice.state);
		governor_reflect(governor, &cpu, &out);
		FUZZ_CHECK(cpu.last_state >= -1 && cpu.last_state < table.states);
		if (out.entered >= 0)
			FUZZ_CHECK(governor_label(&table, in.disabled, out.entered,
						  out.residency_ns) <= LABEL_BELOW);
		FUZZ_CHECK(governor_poll_limit_ns(&table, in.disabled) <= table.tick_ns);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; governor_list[i]; i++)
		run(governor_list[i], (struct fuzz_bytes){ data, size });
	return 0;
}
