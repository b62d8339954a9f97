/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event names, and what happens to events that cannot be counted; arithmetic on readings. What
 * needs rights is in events_live.c.
 */
#include "machine.h"
#include "hw/events.h"
#include <math.h>

static void names(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} row[] = {
		{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "perf::CPU-CLOCK", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct event_code code;

		if (events_resolve(row[i].name, &code))
			fail_msg("%s", error_text());
		assert_string_equal(code.name, row[i].name);
		assert_int_equal(code.attr.type, row[i].type);
		assert_int_equal(code.attr.config, row[i].config);
		assert_false(code.attr.exclude_user || code.attr.exclude_kernel);
	}
}

static void modifiers(void **state)
{
	struct event_code code;

	(void)state;
	assert_int_equal(events_resolve("cycles:u", &code), 0);
	assert_true(code.attr.exclude_kernel);
	assert_false(code.attr.exclude_user);
	assert_int_equal(events_resolve("cycles:nonsense", &code), -EINVAL);
	assert_true(error_is_usage());
	assert_error_has("event 'cycles:nonsense': ");
}

static void unknown_names(void **state)
{
	static const struct {
		const char *name, *text;
	} row[] = {
		{ "context-switch", "unknown event 'context-switch' (did you mean "
				    "'context-switches'" },
		{ "contxt-switches", "did you mean 'context-switches'?)" },
		{ "cylces", "did you mean 'cycles'" },
		{ "instruction", "did you mean 'instructions'" },
		{ "perf::cylces:u", "did you mean 'cycles'" },
		{ "migration", "did you mean 'migrations'" },
		{ "qqqqqqq", "unknown event 'qqqqqqq': see list events" },
		{ "", "unknown event ''" },
		{ "cycles,instructions", "is not the name of one event" },
		{ "cycles\n", "is not the name of one event" },
	};
	char longest[EVENT_NAME_MAX + 1];
	struct event_code code = { .name = "untouched" };

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		assert_int_equal(events_resolve(row[i].name, &code), -EINVAL);
		assert_true(error_is_usage());
		assert_error_has(row[i].text);
	}
	memset(longest, 'a', EVENT_NAME_MAX);
	longest[EVENT_NAME_MAX] = '\0';
	assert_int_equal(events_resolve(longest, &code), -EINVAL);
	assert_error_has("is longer than 95 bytes");
	assert_string_equal(code.name, "untouched");
}

struct seen {
	int n, software, stop;
	bool context_switches, cycles;
};

static int look(const struct event_info *info, void *data)
{
	struct seen *seen = data;
	struct event_code code;
	char name[128];

	seen->n++;
	seen->software += info->software;
	if (!strcmp(info->name, "CONTEXT-SWITCHES")) {
		seen->context_switches = info->software;
		assert_string_equal(info->same_as, "PERF_COUNT_SW_CONTEXT_SWITCHES");
	}
	if (!strcmp(info->name, "CYCLES"))
		seen->cycles = !info->software;
	/* What is listed can be asked for. */
	if (info->software) {
		snprintf(name, sizeof(name), "%s::%s", info->pmu, info->name);
		assert_int_equal(events_resolve(name, &code), 0);
	}
	return seen->n == seen->stop ? 42 : 0;
}

static void list(void **state)
{
	struct seen seen = { 0 }, some = { .stop = 3 };

	(void)state;
	assert_int_equal(events_list(look, &seen), 0);
	assert_true(seen.n >= 20);
	assert_true(seen.software >= 10);
	assert_true(seen.context_switches);
	assert_true(seen.cycles);
	assert_int_equal(events_list(look, &some), 42);
	assert_int_equal(some.n, 3);
}

/* A dumped machine's events are not this one's: not known, with the reason. */
static void fake_machine(void **state)
{
	struct machine machine = machine_make("--cpus 2");
	struct cpulist cpus = list_of("0-1");
	struct event_reading reading;
	struct event_code code;
	struct events *events;
	char text[256];

	(void)state;
	assert_int_equal(events_resolve("context-switches", &code), 0);
	assert_int_equal(events_open(&machine.root, &code, 1, &cpus, &events), 0);
	events_read(events, 0, 1, &reading);
	assert_false(reading.known);
	assert_int_equal(reading.err, -ENODEV);
	assert_string_equal(events_reason(events, 0, 1, text, sizeof(text)),
			    "event context-switches on cpu1: the CPU is offline or not this "
			    "machine's");
	events_close(events);
	assert_int_equal(events_open(&machine.root, NULL, 0, &cpus, &events), 0);
	events_close(events);
	cpulist_free(&cpus);
	machine_free(&machine);
}

static void between(void **state)
{
	struct event_reading a = { 100, 1000, 500, true, 0 }, b = { 300, 3000, 1500, true, 0 };
	struct event_reading na = { .err = -ENOENT }, stalled = { 100, 4000, 500, true, 0 };
	struct event_reading d = events_between(&a, &b);

	(void)state;
	assert_true(d.known);
	assert_int_equal(d.value, 200);
	assert_int_equal(d.enabled_ns, 2000);
	assert_int_equal(d.running_ns, 1000);
	assert_true(events_scaled(&d) == 400.0);
	d = events_between(&na, &b);
	assert_false(d.known);
	assert_int_equal(d.err, -ENOENT);
	assert_true(isnan(events_scaled(&d)));
	d = events_between(&a, &na);
	assert_int_equal(d.err, -ENOENT);
	/* enabled and never on the hardware: no count, not 0 */
	d = events_between(&a, &stalled);
	assert_false(d.known);
	assert_int_equal(d.err, -EAGAIN);
	d = events_between(&b, &a);
	assert_false(d.known);
	assert_int_equal(d.err, -ERANGE);
	d = events_between(&a, &a);
	assert_true(d.known);
	assert_true(events_scaled(&d) == 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),	 cmocka_unit_test(modifiers),
		cmocka_unit_test(unknown_names), cmocka_unit_test(list),
		cmocka_unit_test(fake_machine),	 cmocka_unit_test(between),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
