/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single values: CPU lists, numbers with units, the parameters of every workload, names. The whole
 * input is one value; what is taken must be printed so that it is read back as the same.
 */
#include "fuzz.h"
#include "hw/energy.h"
#include "hw/governor.h"
#include "lib/cpulist.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include "lib/zone.h"
#include "run/plan.h"
#include "run/sweep.h"
#include "workloads/workload.h"
#include <math.h>

/* The error texts of values quote them: only what the caller typed can spoil them. */
static void refused(int code)
{
	FUZZ_CHECK(code < 0 && error_text()[0] && error_is_usage());
	error_clear();
}

static void cpu_list(const char *text)
{
	struct cpulist list, again;
	char *printed;
	int err = cpulist_parse(text, &list);

	if (err) {
		refused(err);
		return;
	}
	printed = fuzz_need(cpulist_format(&list));
	FUZZ_CHECK(!cpulist_parse(printed, &again));
	FUZZ_CHECK(list.n == again.n);
	for (size_t i = 0; i < list.n; i++)
		FUZZ_CHECK(list.cpu[i] == again.cpu[i] && list.cpu[i] >= 0 &&
			   list.cpu[i] <= CPULIST_MAX_CPU);
	cpulist_sort(&list);
	for (size_t i = 1; i < list.n; i++)
		FUZZ_CHECK(list.cpu[i - 1] < list.cpu[i]);
	free(printed);
	cpulist_free(&list);
	cpulist_free(&again);
}

/* What is not refused is a number. */
static void taken(int err, const double *number)
{
	if (err)
		refused(err);
	else
		FUZZ_CHECK(!number || isfinite(*number));
}

static void units(const char *text)
{
	double ns, number, back;
	uint64_t whole;
	enum unit_kind kind;
	char printed[24];
	int err;

	err = units_parse_time(text, &ns);
	if (!err) {
		FUZZ_CHECK(ns >= 0 && ns <= 1e18);
		for (int digits = 1; digits <= 17; digits++) {
			units_format_time(ns, digits, printed, sizeof(printed));
			FUZZ_CHECK(!units_parse_time(printed, &back));
		}
		FUZZ_CHECK(fabs(back - ns) <= ns * 1e-14);
	} else {
		refused(err);
	}
	taken(units_parse_frequency(text, &number), &number);
	taken(units_parse_percent(text, &number), &number);
	taken(units_parse_number(text, &number), &number);
	taken(units_parse_any(text, &number, &kind), &number);
	taken(units_parse_count(text, &whole), NULL);
	taken(units_parse_bytes(text, &whole), NULL);
}

static void param(const struct param *p, const char *text)
{
	struct param_value value, back;
	struct sweep sweep;
	char printed[64];
	int err = param_parse(p, text, &value);

	if (!err) {
		param_format(p, &value, printed, sizeof(printed));
		FUZZ_CHECK(!param_parse(p, printed, &back));
		FUZZ_CHECK(back.number == value.number && back.choice == value.choice &&
			   back.is_time == value.is_time);
	} else {
		refused(err);
	}
	err = sweep_parse(p, text, &sweep);
	if (err) {
		refused(err);
		return;
	}
	FUZZ_CHECK(sweep.n >= 1 && sweep.n <= SWEEP_POINTS_MAX);
	for (size_t i = 0; i < sweep.n; i++) {
		param_format(p, &sweep.value[i], printed, sizeof(printed));
		FUZZ_CHECK(!param_parse(p, printed, &back));
		FUZZ_CHECK(back.number == sweep.value[i].number);
	}
	sweep_free(&sweep);
}

static void names(const char *text)
{
	static const char *const known[] = { "menu", "teo", "ladder", "haltpoll" };
	char quoted[ERROR_QUOTE_SIZE], hint[64];
	struct governor_list offered = { .name = { "menu", "teo" }, .n = 2 };
	enum energy_source source;
	int package, die;

	FUZZ_CHECK(strlen(error_quote(text, quoted)) < ERROR_QUOTE_SIZE);
	suggest_text(text, known, 4, hint, sizeof(hint));
	if (!workload_find(text))
		refused(-1);
	if (zone_package_of(text, &package, &die))
		FUZZ_CHECK(package >= 0 && package <= 999999 && die >= -1 && die <= 999999);
	FUZZ_CHECK(zone_kind_of(text) < ZONE_KINDS);
	if (governor_name_valid(text))
		governor_check_typo(&offered, text);
	if (!energy_source_parse(text, &source))
		FUZZ_CHECK(source < ENERGY_SOURCES);
	if (plan_check_governors(text))
		refused(-1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	cpu_list(text);
	units(text);
	names(text);
	for (size_t w = 0; workload_table[w]; w++)
		for (const struct param *p = workload_table[w]->params; p->name; p++)
			param(p, text);
	free(text);
	return 0;
}
