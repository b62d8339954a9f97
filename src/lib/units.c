/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with units. A text is cut into sign, digits, exponent and unit by hand (strtod alone
 * would take hex, "inf", blanks and '+'), then put together again with the unit's power of ten in
 * the exponent: "12.3us" is read as 12.3e3, so it is the double nearest to 12300 and prints back as
 * it was.
 */
#include "lib/units.h"

#include "lib/error.h"
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 64 /* longer texts are refused as numbers */
#define EXPONENT_MAX 9999
#define TIME_MAX_NS 1e18
#define DIGITS_MAX 15 /* a double keeps any decimal of so many digits */

struct unit {
	const char *name;
	enum unit_kind kind;
	int exponent; /* power of ten to the base unit */
	unsigned int factor; /* and what is no power of ten */
};

static const struct unit unit_table[] = {
	{ "ns", UNIT_TIME, 0, 1 },	    { "us", UNIT_TIME, 3, 1 },
	{ "ms", UNIT_TIME, 6, 1 },	    { "s", UNIT_TIME, 9, 1 },
	{ "m", UNIT_TIME, 9, 60 },	    { "h", UNIT_TIME, 9, 3600 },
	{ "Hz", UNIT_FREQUENCY, 0, 1 },	    { "kHz", UNIT_FREQUENCY, 3, 1 },
	{ "MHz", UNIT_FREQUENCY, 6, 1 },    { "%", UNIT_PERCENT, 0, 1 },
	{ "B", UNIT_BYTES, 0, 1 },	    { "KiB", UNIT_BYTES, 0, 1u << 10 },
	{ "MiB", UNIT_BYTES, 0, 1u << 20 }, { "GiB", UNIT_BYTES, 0, 1u << 30 },
};

/* What each kind is called, and how it may be written behind the number of a text without a unit.
 */
static const struct {
	const char *what, *units;
	const char *suffix[4];
} kind_table[] = {
	[UNIT_NONE] = { "a number", "none", { 0 } },
	[UNIT_TIME] = { "a time", "ns, us, ms, s, m or h", { "s", "ms", "us", "ns" } },
	[UNIT_FREQUENCY] = { "a frequency", "Hz, kHz or MHz", { "Hz", "kHz", "MHz" } },
	[UNIT_PERCENT] = { "a percentage", "%", { "%" } },
	[UNIT_BYTES] = { "a size", "B, KiB, MiB or GiB", { "B", "KiB", "MiB", "GiB" } },
};

/* A text cut into its parts. */
struct number {
	const char *text;
	bool negative;
	const char *mantissa; /* digits, perhaps a point and digits */
	int mantissa_length;
	bool has_point, has_exponent;
	int exponent;
	const char *suffix; /* all behind the number; "" */
};

static const char *skip_digits(const char *at)
{
	while (*at >= '0' && *at <= '9')
		at++;
	return at;
}

/* "e6", "e-3" at @at; an 'e' without a digit behind it is left to be a (wrong) unit. */
static const char *cut_exponent(const char *at, struct number *n)
{
	const char *digits = at + 1;

	if (*at != 'e' && *at != 'E')
		return at;
	if (*digits == '+' || *digits == '-')
		digits++;
	if (!isdigit((unsigned char)*digits))
		return at;
	n->has_exponent = true;
	for (at = digits; isdigit((unsigned char)*at); at++) {
		if (n->exponent < EXPONENT_MAX)
			n->exponent = n->exponent * 10 + (*at - '0');
	}
	if (digits[-1] == '-')
		n->exponent = -n->exponent;
	return at;
}

/* False when @text does not begin with a number, or is too long to be one. */
static bool cut_number(const char *text, struct number *n)
{
	const char *at = text;

	*n = (struct number){ .text = text };
	if (strnlen(text, TEXT_MAX + 1) > TEXT_MAX)
		return false;
	if (*at == '-') {
		n->negative = true;
		at++;
	}
	n->mantissa = at;
	at = skip_digits(at);
	if (at == n->mantissa)
		return false;
	if (at[0] == '.' && isdigit((unsigned char)at[1])) {
		n->has_point = true;
		at = skip_digits(at + 1);
	}
	n->mantissa_length = (int)(at - n->mantissa);
	n->suffix = cut_exponent(at, n);
	return true;
}

/* The number times 10^@shift, correctly rounded; may be infinite. */
static double number_value(const struct number *n, int shift)
{
	char decimal[TEXT_MAX + 16];

	snprintf(decimal, sizeof(decimal), "%s%.*se%d", n->negative ? "-" : "", n->mantissa_length,
		 n->mantissa, n->exponent + shift);
	return strtod(decimal, NULL);
}

/* The number as an exact integer: 0, -ERANGE when it is too large, -EINVAL when it is none. */
static int number_integer(const struct number *n, uint64_t *ret)
{
	int exponent = n->exponent, length = n->mantissa_length, i;
	uint64_t value = 0;

	if (n->negative || (n->has_point && !n->has_exponent))
		return -EINVAL;
	if (n->has_point)
		exponent -= (int)(n->mantissa + length - 1 - strchr(n->mantissa, '.'));
	while (exponent < 0 && length > 1 && strchr("0.", n->mantissa[length - 1]))
		exponent += n->mantissa[--length] == '0';
	for (i = 0; i < length; i++) {
		if (n->mantissa[i] == '.')
			continue;
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (unsigned int)(n->mantissa[i] - '0'), &value))
			return -ERANGE;
	}
	if (!value)
		exponent = 0;
	for (; exponent > 0; exponent--) {
		if (__builtin_mul_overflow(value, 10u, &value))
			return -ERANGE;
	}
	if (exponent < 0)
		return -EINVAL;
	*ret = value;
	return 0;
}

static const struct unit *find_unit(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(unit_table) / sizeof(unit_table[0]); i++) {
		if (!strcmp(unit_table[i].name, name))
			return &unit_table[i];
	}
	return NULL;
}

static int error_no_unit(const struct number *n, enum unit_kind kind)
{
	char quoted[ERROR_QUOTE_SIZE], ways[6 * TEXT_MAX] = "";
	const char *const *suffix = kind_table[kind].suffix;
	size_t used = 0;
	int i;

	error_quote(n->text, quoted);
	for (i = 0; i < 4 && suffix[i]; i++) {
		const char *joint = !i ? "" : i == 3 || !suffix[i + 1] ? " or " : ", ";

		used += (size_t)snprintf(ways + used, sizeof(ways) - used, "%s%s%s", joint, quoted,
					 suffix[i]);
	}
	return error_usage("'%s' has no unit (write %s)", quoted, ways);
}

static int error_not(const char *text, const char *what)
{
	char quoted[ERROR_QUOTE_SIZE];

	return error_usage("'%s' is not %s", error_quote(text, quoted), what);
}

static int error_range(const char *text, const char *range)
{
	char quoted[ERROR_QUOTE_SIZE];

	return error_usage("'%s' is out of range (%s)", error_quote(text, quoted), range);
}

/* Cuts @text and finds its unit, which must be one of @kind. */
static int parse_unit(const char *text, enum unit_kind kind, struct number *n,
		      const struct unit **ret)
{
	const struct unit *unit;
	char quoted[ERROR_QUOTE_SIZE], suffix[ERROR_QUOTE_SIZE];

	if (!cut_number(text, n))
		return error_not(text, kind_table[kind].what);
	if (n->negative)
		return error_usage("'%s' is negative", error_quote(text, quoted));
	if (!*n->suffix)
		return error_no_unit(n, kind);
	unit = find_unit(n->suffix);
	if (!unit || unit->kind != kind)
		return error_usage("'%s' is not %s: unknown unit '%s' (takes %s)",
				   error_quote(text, quoted), kind_table[kind].what,
				   error_quote(n->suffix, suffix), kind_table[kind].units);
	*ret = unit;
	return 0;
}

int units_parse_count(const char *text, uint64_t *ret)
{
	struct number n;
	int r;

	if (!cut_number(text, &n) || *n.suffix)
		return error_not(text, "a whole number");
	r = number_integer(&n, ret);
	if (r == -ERANGE)
		return error_range(text, "at most 18446744073709551615");
	return r ? error_not(text, "a whole number") : 0;
}

int units_parse_counts(const char *text, uint64_t *ret_from, uint64_t *ret_to)
{
	const char *dots = strstr(text, "..");
	char first[24];
	uint64_t from, to = 0;
	int err;

	if (dots && dots - text >= (int)sizeof(first))
		return error_not(text, "a whole number, or two as 6..40");
	snprintf(first, sizeof(first), "%.*s", dots ? (int)(dots - text) : 0, text);
	err = units_parse_count(dots ? first : text, &from);
	if (!err && dots)
		err = units_parse_count(dots + 2, &to);
	if (!err && dots && from >= to)
		return error_not(text, "a range: its first number is the smaller one");
	if (err)
		return err;
	*ret_from = from;
	*ret_to = to;
	return 0;
}

int units_parse_number(const char *text, double *ret)
{
	struct number n;
	double value;

	if (!cut_number(text, &n) || *n.suffix)
		return error_not(text, "a number");
	value = number_value(&n, 0);
	if (!isfinite(value))
		return error_range(text, "too large");
	*ret = value;
	return 0;
}

/* Parses a number of @kind's units; @range is what to say above @max. */
static int parse_real(const char *text, enum unit_kind kind, double max, const char *range,
		      double *ret)
{
	const struct unit *unit;
	struct number n;
	double value;
	int r = parse_unit(text, kind, &n, &unit);

	if (r)
		return r;
	value = number_value(&n, unit->exponent) * unit->factor;
	if (value > max)
		return error_range(text, range);
	*ret = value;
	return 0;
}

int units_parse_time(const char *text, double *ret_ns)
{
	return parse_real(text, UNIT_TIME, TIME_MAX_NS, "at most 1e9s", ret_ns);
}

int units_parse_frequency(const char *text, double *ret_hz)
{
	double hz;
	int r = parse_real(text, UNIT_FREQUENCY, DBL_MAX, "too large", &hz);

	if (r)
		return r;
	if (!(hz > 0))
		return error_range(text, "above 0Hz");
	*ret_hz = hz;
	return 0;
}

int units_parse_percent(const char *text, double *ret_pct)
{
	return parse_real(text, UNIT_PERCENT, DBL_MAX, "too large", ret_pct);
}

int units_parse_bytes(const char *text, uint64_t *ret)
{
	const struct unit *unit;
	struct number n;
	uint64_t count;
	int r = parse_unit(text, UNIT_BYTES, &n, &unit);

	if (r)
		return r;
	r = number_integer(&n, &count);
	if (r == -EINVAL)
		return error_not(text, "a whole number of its unit (take a smaller unit)");
	if (r || __builtin_mul_overflow(count, unit->factor, &count))
		return error_range(text, "below 2^64 bytes");
	*ret = count;
	return 0;
}

int units_parse_any(const char *text, double *ret_value, enum unit_kind *ret_kind)
{
	const struct unit *unit;
	struct number n;
	uint64_t bytes;
	int r;

	if (!cut_number(text, &n))
		return error_not(text, "a number, with its unit if it has one");
	unit = find_unit(n.suffix);
	switch (unit ? unit->kind : UNIT_NONE) {
	case UNIT_TIME:
		r = units_parse_time(text, ret_value);
		break;
	case UNIT_FREQUENCY:
		r = units_parse_frequency(text, ret_value);
		break;
	case UNIT_PERCENT:
		r = units_parse_percent(text, ret_value);
		break;
	case UNIT_BYTES:
		r = units_parse_bytes(text, &bytes);
		if (!r)
			*ret_value = (double)bytes;
		break;
	default:
		r = units_parse_number(text, ret_value);
		break;
	}
	if (!r)
		*ret_kind = unit ? unit->kind : UNIT_NONE;
	return r;
}

static int clamp_digits(int digits)
{
	return digits < 1 ? 1 : digits > DIGITS_MAX ? DIGITS_MAX : digits;
}

double units_round(double value, int digits)
{
	char decimal[32];

	if (!isfinite(value))
		return value;
	snprintf(decimal, sizeof(decimal), "%.*e", clamp_digits(digits) - 1, value);
	return strtod(decimal, NULL);
}

/*
 * Writes 0.@digits times 10^@point without exponent: "125", 2 gives "12.5"; "1", 3 gives "100";
 * "5", 0 gives "0.5".
 */
static int put_decimal(const char *digits, int point, char *text, size_t size)
{
	int length = (int)strlen(digits);

	if (point <= 0)
		return snprintf(text, size, "0.%.*s%s", -point, "000000", digits);
	if (point >= length)
		return snprintf(text, size, "%s%.*s", digits, point - length, "0000000000");
	return snprintf(text, size, "%.*s.%s", point, digits, digits + point);
}

void units_format_time(double ns, int digits, char *text, size_t size)
{
	static const char *const name[] = { "ns", "us", "ms", "s" };
	char form[32], figures[DIGITS_MAX + 1], decimal[48];
	int exponent, unit, n = 0;
	const char *at;

	if (!isfinite(ns) || ns == 0) {
		snprintf(text, size, "%s", ns == 0 ? "0us" : "NA");
		return;
	}
	/* Rounded first: 999.99 to three digits is 1us and not 1000ns. */
	snprintf(form, sizeof(form), "%.*e", clamp_digits(digits) - 1, fabs(ns));
	for (at = form; *at != 'e'; at++) {
		if (*at != '.')
			figures[n++] = *at;
	}
	exponent = atoi(at + 1);
	while (n > 1 && figures[n - 1] == '0')
		n--;
	figures[n] = '\0';
	unit = exponent < 0 ? 0 : exponent > 11 ? 3 : exponent / 3;
	/* Outside of what a time can be here plain digits would be too long. */
	if (exponent < -3 || exponent > 18)
		snprintf(decimal, sizeof(decimal), "%c%s%se%d", figures[0], n > 1 ? "." : "",
			 figures + 1, exponent - 3 * unit);
	else
		put_decimal(figures, exponent + 1 - 3 * unit, decimal, sizeof(decimal));
	snprintf(text, size, "%s%s%s", ns < 0 ? "-" : "", decimal, name[unit]);
}
