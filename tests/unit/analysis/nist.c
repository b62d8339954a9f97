/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NIST's Statistical Reference Datasets, univariate: mean, sd and lag-1 autocorrelation to the
 * certified digits. NumAcc1 to 4 are made by their rule; digits of pi are computed, see there.
 * NumAcc3 and 4 lose digits before any arithmetic: 10000000.1 is no double, and 1e-9 of rounding in
 * a deviation of 0.1 leaves eight digits.
 */
#include "analysis/stats.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define ALTERNATING 1001
#define PI_DIGITS 5000

static const double lew[] = {
	-213, -564, -35,  -15,	141,  115,  -420, -360, 203,  -338, -431, 194,	-220, -513, 154,
	-125, -559, 92,	  -21,	-579, -52,  99,	  -543, -175, 162,  -457, -346, 204,  -300, -474,
	164,  -107, -572, -8,	83,   -541, -224, 180,	-420, -374, 201,  -236, -531, 83,   27,
	-564, -112, 131,  -507, -254, 199,  -311, -495, 143,  -46,  -579, -90,	136,  -472, -338,
	202,  -287, -477, 169,	-124, -568, 17,	  48,	-568, -135, 162,  -430, -422, 172,  -74,
	-577, -13,  92,	  -534, -243, 194,  -355, -465, 156,  -81,  -578, -64,	139,  -449, -384,
	193,  -198, -538, 110,	-44,  -577, -6,	  66,	-552, -164, 161,  -460, -344, 205,  -281,
	-504, 134,  -28,  -576, -118, 156,  -437, -381, 200,  -220, -540, 83,	11,   -568, -160,
	172,  -414, -408, 188,	-125, -572, -32,  139,	-492, -321, 205,  -262, -504, 142,  -83,
	-574, 0,    48,	  -571, -106, 137,  -501, -266, 190,  -391, -406, 194,	-186, -553, 83,
	-13,  -577, -49,  103,	-515, -280, 201,  300,	-506, 131,  -45,  -578, -80,  138,  -462,
	-361, 201,  -211, -554, 32,   74,   -533, -235, 187,  -372, -442, 182,	-147, -566, 25,
	68,   -535, -244, 194,	-351, -463, 174,  -125, -570, 15,   72,	  -550, -190, 172,  -424,
	-385, 198,  -218, -536, 96,
};

static const double lottery[] = {
	162, 671, 933, 414, 788, 730, 817, 33,	536, 875, 670, 236, 473, 167, 877, 980, 316,
	950, 456, 92,  517, 557, 956, 954, 104, 178, 794, 278, 147, 773, 437, 435, 502, 610,
	582, 780, 689, 562, 964, 791, 28,  97,	848, 281, 858, 538, 660, 972, 671, 613, 867,
	448, 738, 966, 139, 636, 847, 659, 754, 243, 122, 455, 195, 968, 793, 59,  730, 361,
	574, 522, 97,  762, 431, 158, 429, 414, 22,  629, 788, 999, 187, 215, 810, 782, 47,
	34,  108, 986, 25,  644, 829, 630, 315, 567, 919, 331, 207, 412, 242, 607, 668, 944,
	749, 168, 864, 442, 533, 805, 372, 63,	458, 777, 416, 340, 436, 140, 919, 350, 510,
	572, 905, 900, 85,  389, 473, 758, 444, 169, 625, 692, 140, 897, 672, 288, 312, 860,
	724, 226, 884, 508, 976, 741, 476, 417, 831, 15,  318, 432, 241, 114, 799, 955, 833,
	358, 935, 146, 630, 830, 440, 642, 356, 373, 271, 715, 367, 393, 190, 669, 8,	861,
	108, 795, 269, 590, 326, 866, 64,  523, 862, 840, 219, 382, 998, 4,   628, 305, 747,
	247, 34,  747, 729, 645, 856, 974, 24,	568, 24,  694, 608, 480, 410, 729, 947, 293,
	53,  930, 223, 203, 677, 227, 62,  455, 387, 318, 562, 242, 428, 968,
};

static const double mavro[] = {
	2.0018, 2.0017, 2.0018, 2.0019, 2.0018, 2.0017, 2.0015, 2.0014, 2.0015, 2.0015,
	2.0017, 2.0018, 2.0018, 2.0019, 2.0019, 2.0021, 2.0020, 2.0016, 2.0014, 2.0013,
	2.0013, 2.0015, 2.0015, 2.0016, 2.0015, 2.0014, 2.0013, 2.0014, 2.0015, 2.0014,
	2.0015, 2.0016, 2.0015, 2.0016, 2.0019, 2.0020, 2.0020, 2.0021, 2.0022, 2.0023,
	2.0024, 2.0025, 2.0027, 2.0026, 2.0026, 2.0026, 2.0027, 2.0026, 2.0025, 2.00240,
};

static const double michelso[] = {
	299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88,
	300.00, 299.98, 299.93, 299.65, 299.76, 299.81, 300.00, 300.00, 299.96, 299.96,
	299.96, 299.94, 299.96, 299.94, 299.88, 299.80, 299.85, 299.88, 299.90, 299.84,
	299.83, 299.79, 299.81, 299.88, 299.88, 299.83, 299.80, 299.79, 299.76, 299.80,
	299.88, 299.88, 299.88, 299.86, 299.72, 299.72, 299.62, 299.86, 299.97, 299.95,
	299.88, 299.91, 299.85, 299.87, 299.84, 299.84, 299.85, 299.84, 299.84, 299.84,
	299.89, 299.81, 299.81, 299.82, 299.80, 299.77, 299.76, 299.74, 299.75, 299.76,
	299.91, 299.92, 299.89, 299.86, 299.88, 299.72, 299.84, 299.85, 299.85, 299.78,
	299.89, 299.84, 299.78, 299.81, 299.76, 299.81, 299.79, 299.81, 299.82, 299.85,
	299.87, 299.87, 299.81, 299.74, 299.81, 299.94, 299.95, 299.80, 299.81, 299.87,
};

/* @digits: significant decimal digits that must agree, as NIST's log relative error. */
static void agrees(double got, double certified, double digits)
{
	if (got != certified && !(-log10(fabs(got - certified) / fabs(certified)) >= digits))
		fail_msg("got %.17g, certified %.15g: fewer than %g digits", got, certified,
			 digits);
}

static void certified(const double *value, size_t n, double mean, double sd, double lag1,
		      const double digits[3])
{
	struct moments m = stats_moments(value, n);

	agrees(m.mean, mean, digits[0]);
	agrees(m.sd, sd, digits[1]);
	agrees(m.lag1, lag1, digits[2]);
}

static const double all_digits[] = { 14, 13, 13 };

static void measured_sets(void **state)
{
	(void)state;
	assert_int_equal(sizeof(lew) / sizeof(lew[0]), 200);
	assert_int_equal(sizeof(lottery) / sizeof(lottery[0]), 218);
	assert_int_equal(sizeof(mavro) / sizeof(mavro[0]), 50);
	assert_int_equal(sizeof(michelso) / sizeof(michelso[0]), 100);
	certified(lew, 200, -177.435000000000, 277.332168044316, -0.307304800605679, all_digits);
	certified(lottery, 218, 518.958715596330, 291.699727470969, -0.120948622967393, all_digits);
	certified(mavro, 50, 2.00185600000000, 0.000429123454003053, 0.937989183438248,
		  (const double[]){ 14, 12, 12 });
	certified(michelso, 100, 299.852400000000, 0.0790105478190518, 0.535199668621283,
		  (const double[]){ 14, 12, 12 });
}

/* 3, 1, 4, ... by the spigot of Rabinowitz and Wagon (Amer. Math. Monthly 102, 1995). */
static void pi_digits(double digit[PI_DIGITS])
{
	enum { CELLS = (PI_DIGITS + 10) * 10 / 3 + 1 };
	static int cell[CELLS];
	int held = 0, nines = 0, n = -1; /* the first one held is no digit */

	for (int i = 0; i < CELLS; i++)
		cell[i] = 2;
	while (n < PI_DIGITS) {
		int carry = 0, q;

		for (int i = CELLS - 1; i > 0; i--) {
			int x = 10 * cell[i] + carry * (i + 1);

			cell[i] = x % (2 * i + 1);
			carry = x / (2 * i + 1);
		}
		q = (10 * cell[0] + carry) / 10;
		cell[0] = (10 * cell[0] + carry) % 10;
		if (q == 9) {
			nines++;
			continue;
		}
		if (n >= 0)
			digit[n] = held + q / 10;
		for (n++; nines; nines--, n++)
			if (n < PI_DIGITS)
				digit[n] = q / 10 ? 0 : 9;
		held = q % 10;
	}
}

/*
 * Whole numbers have exact sums, so that mean, sd and autocorrelation can be had by integers. NIST
 * certifies a mean of 4.5348 for its PiDigits, which adds up to 22674; the first 5000 digits of pi
 * add up to 22679. Its file must have other digits in some places, so its values are no yardstick
 * for digits that are computed.
 */
static void digits_of_pi(void **state)
{
	static const double first[] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3 };
	static double digit[PI_DIGITS];
	int64_t sum = 0, squares = 0, products = 0, before = 0;
	double n = PI_DIGITS;

	(void)state;
	pi_digits(digit);
	assert_memory_equal(digit, first, sizeof(first));
	for (int i = 0; i < PI_DIGITS; i++)
		sum += (int64_t)digit[i];
	assert_int_equal(sum, 22679);
	for (int i = 0; i < PI_DIGITS; i++) {
		int64_t away = PI_DIGITS * (int64_t)digit[i] - sum;

		squares += away * away;
		products += away * before;
		before = away;
	}
	certified(digit, PI_DIGITS, (double)sum / n, sqrt((double)squares / (n - 1)) / n,
		  (double)products / (double)squares, (const double[]){ 14, 13, 11 });
}

/* @middle, then @middle - 0.1 and @middle + 0.1 in turns. */
static void alternating(double base, double middle, const double digits[3])
{
	static double value[ALTERNATING];

	for (int i = 0; i < ALTERNATING; i++)
		value[i] = base + (!i	   ? middle
				   : i % 2 ? (middle * 10 - 1) / 10
					   : (middle * 10 + 1) / 10);
	certified(value, ALTERNATING, base + middle, 0.1, -0.999, digits);
}

static void accuracy_sets(void **state)
{
	const double numacc1[] = { 10000001, 10000003, 10000002 };

	(void)state;
	certified(numacc1, 3, 10000002, 1, -0.5, all_digits);
	alternating(0, 1.2, (const double[]){ 14, 13, 13 });
	alternating(1000000, 0.2, (const double[]){ 14, 9, 10 });
	alternating(10000000, 0.2, (const double[]){ 14, 8, 9 });
}

static void too_few(void **state)
{
	const double value[] = { 4, 4, 4 };
	struct moments m = stats_moments(value, 0);

	(void)state;
	assert_true(isnan(m.mean) && isnan(m.sd) && isnan(m.lag1));
	m = stats_moments(value, 1);
	assert_true(m.mean == 4 && isnan(m.sd) && isnan(m.lag1));
	m = stats_moments(value, 3);
	assert_true(m.mean == 4 && m.sd == 0 && isnan(m.lag1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measured_sets),
		cmocka_unit_test(digits_of_pi),
		cmocka_unit_test(accuracy_sets),
		cmocka_unit_test(too_few),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
