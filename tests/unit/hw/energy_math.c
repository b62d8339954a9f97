/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joules and watts from readings: the figures that published tools got wrong, and every reason for
 * which an interval has no energy. No machine is read.
 */
#include "machine.h"
#include "hw/energy_math.h"
#include <math.h>

#define S UINT64_C(1000000000)
#define INTEL UINT64_C(262143328850)
#define AMD UINT64_C(65532610987)
#define assert_near(a, b, by)                                                                      \
	do {                                                                                       \
		double a_ = (a), b_ = (b);                                                         \
		if (!(fabs(a_ - b_) <= (by)))                                                      \
			fail_msg("%.10g is not %.10g", a_, b_);                                    \
	} while (0)

static struct energy_zone package(uint64_t range_uj, double ceiling_w)
{
	return (struct energy_zone){
		.label = "package-0",
		.place = "intel-rapl:0",
		.kind = ZONE_PACKAGE,
		.range_uj = range_uj,
		.ceiling_w = ceiling_w,
		.cpu = -1,
	};
}

static struct energy_reading at(uint64_t t_ns, uint64_t uj)
{
	return (struct energy_reading){ .t_ns = t_ns, .uj = uj, .known = true };
}

static int delta(const struct energy_zone *zone, struct energy_reading first,
		 struct energy_reading last, uint64_t *ret)
{
	error_clear();
	return energy_delta(zone, &first, &last, ret);
}

static double watts(const struct energy_zone *zone, struct energy_reading first,
		    struct energy_reading last)
{
	double w = NAN;

	if (energy_watts(zone, &first, &last, &w))
		fail_msg("energy_watts: %s", error_text());
	return w;
}

/* 262,143,328,850 uJ: a tool printed -250,769.468 J; right is 11,373.86 J. */
static void p01_wrapped_run_has_its_joules(void **state)
{
	struct energy_zone zone = package(INTEL, 250);
	uint64_t uj = 0;

	(void)state;
	assert_int_equal(delta(&zone, at(S, 250869468000), at(101 * S, 100000000), &uj), 0);
	assert_near((double)uj / 1e6, 11373.86, 0.005);
	assert_int_equal(delta(&zone, at(S, 262143000000), at(2 * S, 500000), &uj), 0);
	assert_int_equal(uj, 828850);
}

/* AMD at 35 W wraps in 31 min, so half of that; not 59 years, nor years. */
static void p02_period_has_the_right_unit(void **state)
{
	(void)state;
	assert_near((double)energy_max_period_ns(AMD, 35) / 1e9 / 60, 31.2 / 2, 0.01);
	assert_near((double)energy_max_period_ns(INTEL, 65) / 1e9 / 60, 67.2 / 2, 0.05);
	assert_near((double)energy_max_period_ns(INTEL, 2) / 1e9 / 3600, 36.4 / 2, 0.05);
	assert_near((double)energy_max_period_ns(AMD, 500) / 1e9 / 60, 2.18 / 2, 0.01);
	assert_true(energy_max_period_ns(0, 100) == UINT64_MAX);
	assert_true(energy_max_period_ns(UINT64_MAX, 1e-3) == UINT64_MAX);
}

static void p02_long_period_is_refused(void **state)
{
	struct energy_zone amd = package(AMD, 560), intel = package(UINT64_C(262144000000), 200),
			   unknown = package(0, 280);

	(void)state;
	assert_int_equal(energy_check_period(&amd, 280, 600 * S), -EINVAL);
	assert_true(error_is_usage());
	assert_error_has("package-0");
	assert_error_has("600 s");
	assert_error_has("280 W");
	assert_int_equal(energy_check_period(&amd, 280, 117 * S), 0);
	assert_int_equal(energy_check_period(&amd, 280, 118 * S), -EINVAL);
	/* 99.91 W read every 3,200 s printed 18.0 W. */
	assert_int_equal(energy_check_period(&intel, 99.91, 3200 * S), -EINVAL);
	assert_int_equal(energy_check_period(&intel, 99.91, 1300 * S), 0);
	/* Without a range the shortest one in use counts. */
	assert_int_equal(energy_check_period(&unknown, 280, 118 * S), -EINVAL);
	assert_true(energy_zone_period_ns(&unknown) == energy_max_period_ns(AMD, 280));
	unknown.endless = true;
	assert_int_equal(energy_check_period(&unknown, 280, 86400 * S), 0);
}

/* The counter of 99.91 W over 3,200 s has made a turn: 57.6 kJ look like 18 W. */
static void p02_interval_that_can_hide_a_turn_is_refused(void **state)
{
	struct energy_zone zone = package(UINT64_C(262144000000), 100);
	uint64_t uj = 42;

	(void)state;
	assert_int_equal(delta(&zone, at(0, 0), at(3200 * S, 57568000000), &uj), -EOVERFLOW);
	assert_error_has("3200 s");
	assert_int_equal(uj, 42);
	assert_int_equal(delta(&zone, at(0, 0), at(2600 * S, 57568000000), &uj), 0);
}

/* The same read every 60 s: the true 99.91 W. */
static void p02_meter_follows_many_wraps(void **state)
{
	struct energy_zone zone = package(UINT64_C(262144000000), 200);
	struct energy_meter meter = { 0 };

	(void)state;
	for (uint64_t t = 0; t <= 9600; t += 60) {
		struct energy_reading r =
			at(t * S, (UINT64_C(261000000000) + t * 99910000) % zone.range_uj);

		assert_int_equal(energy_meter_add(&meter, &zone, &r), 0);
	}
	assert_int_equal(meter.wraps, 4);
	assert_int_equal(meter.readings, 161);
	assert_near((double)meter.uj / 1e6 / 9600, 99.91, 1e-6);
}

static void p02_meter_keeps_its_error(void **state)
{
	struct energy_zone zone = package(INTEL, 200);
	struct energy_meter meter = { 0 };
	struct energy_reading good = at(S, 5), bad = { .t_ns = 2 * S, .err = -EIO },
			      later = at(3 * S, 100);

	(void)state;
	assert_int_equal(energy_meter_add(&meter, &zone, &good), 0);
	assert_int_equal(energy_meter_add(&meter, &zone, &bad), -ENODATA);
	assert_int_equal(energy_meter_add(&meter, &zone, &later), -ENODATA);
	assert_int_equal(meter.err, -ENODATA);
	meter = (struct energy_meter){ 0 };
	assert_int_equal(energy_meter_add(&meter, &zone, &bad), -ENODATA);
}

static void p03_backwards_without_range_is_not_available(void **state)
{
	struct energy_zone zone = package(0, 200);
	uint64_t uj = 42;

	(void)state;
	assert_int_equal(delta(&zone, at(0, 500), at(10 * S, 400), &uj), -ERANGE);
	assert_error_has("range is not known");
	assert_int_equal(uj, 42);
	assert_int_equal(delta(&zone, at(0, 400), at(10 * S, 500), &uj), 0);
	assert_int_equal(uj, 100);
	zone.range_uj = 450;
	assert_int_equal(delta(&zone, at(0, 500), at(10 * S, 400), &uj), -ERANGE);
	assert_error_has("above the counter's range");
}

/* A driver's reload sets the counter back: corrected by the range, 26 kW. */
static void p04_backwards_for_another_reason(void **state)
{
	struct energy_zone zone = package(INTEL, 250);
	uint64_t uj = 42;

	(void)state;
	assert_int_equal(delta(&zone, at(0, 1000000000), at(10 * S, 0), &uj), -EBADMSG);
	assert_error_has("other than by its range");
	assert_int_equal(uj, 42);
	/* 300 W: believed of a counter that went on, not of one that went back. */
	assert_int_equal(delta(&zone, at(0, 0), at(10 * S, 3000000000), &uj), 0);
	assert_int_equal(delta(&zone, at(0, INTEL - 1), at(10 * S, 2999999999), &uj), -EBADMSG);
	assert_int_equal(delta(&zone, at(0, 0), at(10 * S, 21000000000), &uj), -EBADMSG);
}

static void p08_unknown_is_not_zero(void **state)
{
	struct energy_zone zone = package(INTEL, 250);
	struct energy_reading unknown = { .t_ns = 10 * S, .err = -EACCES };
	uint64_t uj = 42;

	(void)state;
	assert_int_equal(delta(&zone, at(0, 0), unknown, &uj), -ENODATA);
	assert_error_has("Permission denied");
	assert_int_equal(delta(&zone, unknown, at(11 * S, 0), &uj), -ENODATA);
	assert_int_equal(delta(&zone, at(S, 0), at(S, 10), &uj), -ENODATA);
	assert_error_has("no time");
	assert_int_equal(uj, 42);
}

static int judge(const struct energy_zone *zone, struct energy_reading first,
		 struct energy_reading last)
{
	error_clear();
	return energy_plausible(zone, &first, &last);
}

static void p10_dummies_are_unavailable(void **state)
{
	struct energy_zone zone = package(INTEL, 250);

	(void)state;
	assert_int_equal(judge(&zone, at(0, 7), at(2 * S, 7)), -ENODEV);
	assert_error_has("does not advance");
	assert_error_has("intel-rapl:0");
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 99000)), -ENODEV);
	assert_error_has("0.0495 W");
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 101000)), 0);
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 499000000)), 0);
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 501000000)), -ENODEV);
	assert_error_has("more than can be");
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 5000000000)), -ENODEV);
	/* A counter that stands for half a second may be one that is slow. */
	assert_int_equal(judge(&zone, at(0, 7), at(S / 2, 7)), -EAGAIN);
	zone.kind = ZONE_UNCORE;
	assert_int_equal(judge(&zone, at(0, 7), at(2 * S, 7)), 0);
	zone.kind = ZONE_DRAM;
	assert_int_equal(judge(&zone, at(0, 0), at(2 * S, 99000)), 0);
	assert_int_equal(judge(&zone, at(0, 7), at(2 * S, 7)), -ENODEV);
}

static void p12_shortest_window(void **state)
{
	(void)state;
	assert_int_equal(energy_check_window(S), 0);
	assert_int_equal(energy_check_window(20 * S), 0);
	assert_int_equal(energy_check_window(S / 20), -EINVAL);
	assert_true(error_is_usage());
	assert_error_has("0.05 s");
}

/* 103 J over a gap of 10.3 s that was meant to be 10. */
static void p13_time_is_that_of_the_reads(void **state)
{
	struct energy_zone zone = package(INTEL, 250);

	(void)state;
	assert_near(watts(&zone, at(5 * S, 1000), at(15300000000, 103001000)), 10.0, 1e-9);
}

/* 2.112 against 1.752 W is +20.55 %, with a wrap in one of the two. */
static void p13_small_powers_keep_their_digits(void **state)
{
	struct energy_zone zone = package(INTEL, 250);
	double one = watts(&zone, at(0, INTEL - 60000000), at(60 * S, 66720000)),
	       two = watts(&zone, at(0, 0), at(60 * S, 105120000));

	(void)state;
	assert_near(one, 2.112, 1e-9);
	assert_near(100 * (one / two - 1), 20.55, 0.005);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p01_wrapped_run_has_its_joules),
		cmocka_unit_test(p02_period_has_the_right_unit),
		cmocka_unit_test(p02_long_period_is_refused),
		cmocka_unit_test(p02_interval_that_can_hide_a_turn_is_refused),
		cmocka_unit_test(p02_meter_follows_many_wraps),
		cmocka_unit_test(p02_meter_keeps_its_error),
		cmocka_unit_test(p03_backwards_without_range_is_not_available),
		cmocka_unit_test(p04_backwards_for_another_reason),
		cmocka_unit_test(p08_unknown_is_not_zero),
		cmocka_unit_test(p10_dummies_are_unavailable),
		cmocka_unit_test(p12_shortest_window),
		cmocka_unit_test(p13_time_is_that_of_the_reads),
		cmocka_unit_test(p13_small_powers_keep_their_digits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
