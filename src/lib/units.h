/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with units, read from text and written to it. '.' is the decimal point whatever the
 * locale.
 *
 * The unit is mandatory where a value has one, nothing is clamped: a number that does not fit is an
 * error. All parse functions take the whole string (no blanks inside, none around), return 0 or
 * error_usage() with a sentence that quotes the text, and write *ret only on success.
 */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include <stddef.h>
#include <stdint.h>

enum unit_kind { UNIT_NONE, UNIT_TIME, UNIT_FREQUENCY, UNIT_PERCENT, UNIT_BYTES };

/* A non-negative integer: "12", "1e6", "1k" is refused. Range 0 to 2^64-1 (exponent form: exact
 * integers only). */
int units_parse_count(const char *text, uint64_t *ret);

/* One count, *ret_to = 0, or two as "6..40", the first the smaller. */
int units_parse_counts(const char *text, uint64_t *ret_from, uint64_t *ret_to);

/* A finite decimal number, sign allowed, no unit. */
int units_parse_number(const char *text, double *ret);

/* A time: ns us ms s m h. *ret_ns in nanoseconds, 0 to 10^18. "20" without a unit is refused ("20
 * what? ..."). */
int units_parse_time(const char *text, double *ret_ns);

/* Hz kHz MHz. *ret_hz > 0. */
int units_parse_frequency(const char *text, double *ret_hz);

/* "3%" gives 3.0. */
int units_parse_percent(const char *text, double *ret_pct);

/* B KiB MiB GiB. */
int units_parse_bytes(const char *text, uint64_t *ret);

/*
 * Any of the above: the value in the base unit of its kind (ns, Hz, percent, bytes, or a plain
 * number). Used to draw an axis from the text of a suite.
 */
int units_parse_any(const char *text, double *ret_value, enum unit_kind *ret_kind);

/*
 * The shortest text of at most @digits significant digits in the best-fitting unit, e.g. 12500 ns
 * -> "12.5us", 0 -> "0us". What it prints, units_parse_time() reads back. @size of 24 is always
 * enough.
 */
void units_format_time(double ns, int digits, char *text, size_t size);

/* Rounds to @digits significant digits, so that a swept value and its printed name are the same
 * number. */
double units_round(double value, int digits);

#endif
