/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps and the choice of zones (P-01 to P-10), from tables in temporary files. */
#include "analysis/energy.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#define HEAD "zone\tlabel\tt0_ns\tt1_ns\tuj0\tuj1\trange_uj\n"
#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static void load(const char *text, struct tsv *ret)
{
	char path[] = "/tmp/energy-XXXXXX";
	int fd = mkstemp(path);
	FILE *out;

	assert_true(fd >= 0);
	out = fdopen(fd, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(tsv_load(path, ret), 0);
	unlink(path);
}

static struct energy_power power_between(const char *text, const char *samples)
{
	struct tsv tsv, between = { 0 };
	struct energy_power power;

	load(text, &tsv);
	if (samples)
		load(samples, &between);
	assert_int_equal(energy_power(&tsv, samples ? &between : NULL, &power), 0);
	tsv_free(&tsv);
	if (samples)
		tsv_free(&between);
	return power;
}

static struct energy_power power_of(const char *text)
{
	return power_between(text, NULL);
}

/* P-01: 262143328850 - 262143000000 + 500000 = 828850 uJ. */
static void wrap_by_own_range(void **state)
{
	struct energy_power p =
		power_of(HEAD "z\tpackage-0\t0\t1000000000\t262143000000\t500000\t262143328850\n");

	(void)state;
	close_to(p.package_w, 0.828850, 1e-12);
}

/* P-02: two wraps, seen by the samples between; without them the energy would be 100 uJ. */
static void samples_show_every_wrap(void **state)
{
	struct energy_power p = power_between(
		HEAD "z\tpackage-0\t0\t1000000000\t100\t200\t1000000\n",
		"t_ns\tenergy:package-0\n1\t700000\n2\t300000\n3\t\n4\t900000\n5\t400000\n");

	(void)state;
	close_to(p.package_w, 3.0001, 1e-12);
}

/* In 8 hours a whole range more is only 9 W: the step of 1 s is what shows that it is none. */
static void a_step_back_in_a_long_window_is_refused(void **state)
{
	static const char back[] = "t_ns\tenergy:package-0\n14400000000000\t172800000000\n"
				   "14401000000000\t172799999999\n";
	static const char wrap[] = "t_ns\tenergy:package-0\n14400000000000\t172800000000\n"
				   "21600000000000\t259200000000\n";
	struct energy_power p = power_between(
		HEAD "z\tpackage-0\t0\t28800000000000\t0\t83456671150\t262143328850\n", back);

	(void)state;
	assert_true(isnan(p.package_w));
	p = power_between(HEAD "z\tpackage-0\t0\t28800000000000\t0\t83456671150\t262143328850\n",
			  wrap);
	close_to(p.package_w, 12, 1e-9);
}

/* P-03: no range, no correction; above its own range it is no reading of that counter. */
static void backwards_without_a_range_is_refused(void **state)
{
	struct energy_power p = power_of(HEAD "z\tpackage-0\t0\t1000000000\t10\t5\t\n");

	(void)state;
	assert_true(isnan(p.package_w));
	p = power_of(HEAD "z\tpackage-0\t0\t1000000000\t200\t5\t100\n");
	assert_true(isnan(p.package_w));
}

/* P-05: package 3.93 W with core, uncore, psys 9.61 W and an mmio twin stays 3.93 W. */
static void package_power_is_the_package_alone(void **state)
{
	struct energy_power p = power_of(
		HEAD "intel-rapl-mmio:0\tpackage-0\t0\t10000000000\t0\t37800000\t262143328850\n"
		     "intel-rapl:0\tpackage-0\t0\t10000000000\t0\t39300000\t262143328850\n"
		     "intel-rapl:0:0\tcore\t0\t10000000000\t0\t11100000\t262143328850\n"
		     "intel-rapl:0:1\tuncore\t0\t10000000000\t0\t1000000\t262143328850\n"
		     "intel-rapl:1\tpsys\t0\t10000000000\t0\t96100000\t262143328850\n");

	(void)state;
	close_to(p.package_w, 3.93, 1e-9);
	close_to(p.psys_w, 9.61, 1e-9);
	assert_true(isnan(p.dram_w));
	assert_null(p.package_reason);
}

/* P-05, P-13: packages and dies are summed, each over its own time; dram of both packages, too. */
static void packages_are_summed(void **state)
{
	struct energy_power p = power_of(
		HEAD "intel-rapl:0\tpackage-1\t0\t10300000000\t0\t103000000\t1000000000\n"
		     "intel-rapl:1\tpackage-0\t5\t10000000005\t0\t50000000\t1000000000\n"
		     "intel-rapl:0:0\tpackage-1/dram\t0\t10000000000\t0\t10000000\t65712999613\n"
		     "intel-rapl:1:0\tpackage-0/dram\t0\t10000000000\t0\t20000000\t65712999613\n");

	(void)state;
	close_to(p.package_w, 15, 1e-9);
	close_to(p.dram_w, 3, 1e-9);
	p = power_of(HEAD "a\tpackage-0-die-0\t0\t1000000000\t0\t1000000\t9000000000\n"
			  "b\tpackage-0-die-1\t0\t1000000000\t0\t2000000\t9000000000\n");
	close_to(p.package_w, 3, 1e-9);
	p = power_of(HEAD "a\tpackage-0\t0\t1000000000\t0\t3000000\t9000000000\n"
			  "b\tpackage-0-die-0\t0\t1000000000\t0\t2000000\t9000000000\n");
	close_to(p.package_w, 3, 1e-9);
}

/* P-08: what could not be read is not 0 W, nor is a sum without it. */
static void a_missing_reading_makes_the_sum_unknown(void **state)
{
	struct energy_power p =
		power_of(HEAD "intel-rapl:0\tpackage-0\t0\t1000000000\t0\t5000000\t262143328850\n"
			      "intel-rapl:1\tpackage-1\t0\t1000000000\t0\t\t262143328850\n");

	(void)state;
	assert_true(isnan(p.package_w));
	assert_non_null(p.package_reason);
	assert_string_equal(p.zone, "package-1");
	p = power_of(HEAD);
	assert_true(isnan(p.package_w));
	assert_string_equal(p.zone, "");
	assert_string_equal(p.package_reason, "no energy readings in this run");
}

/* P-04, P-10 */
static void absurd_powers_are_unknown(void **state)
{
	struct energy_power p =
		power_of(HEAD "z\tpackage-0\t0\t1000000000\t900000000\t10\t262143328850\n");

	(void)state;
	assert_true(isnan(p.package_w));
	p = power_of(HEAD "z\tpackage-0\t0\t1000000000\t7\t7\t262143328850\n");
	assert_true(isnan(p.package_w));
	assert_non_null(p.package_reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_show_every_wrap),
		cmocka_unit_test(a_step_back_in_a_long_window_is_refused),
		cmocka_unit_test(wrap_by_own_range),
		cmocka_unit_test(backwards_without_a_range_is_refused),
		cmocka_unit_test(package_power_is_the_package_alone),
		cmocka_unit_test(packages_are_summed),
		cmocka_unit_test(a_missing_reading_makes_the_sum_unknown),
		cmocka_unit_test(absurd_powers_are_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
