/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload's parameters: one table serves its command line, its --help, the suite files and the
 * manual page.
 */
#ifndef WORKLOADS_PARAM_H
#define WORKLOADS_PARAM_H

#include <stdbool.h>
#include <stddef.h>

enum param_type {
	PARAM_COUNT, /* non-negative integer: 6, 1e6 */
	PARAM_TIME, /* with unit; base unit ns */
	PARAM_WORK, /* units of work (plain integer), or a time that is turned into units once per
		       campaign */
	PARAM_PERCENT, /* with '%' */
	PARAM_FREQUENCY, /* with Hz */
	PARAM_BYTES, /* with B, KiB, MiB or GiB; base unit byte */
	PARAM_CHOICE, /* one of the words of .choices */
	PARAM_CPUS, /* a count of CPUs, or "all" where the runner resolves it (see .placement) */
	PARAM_TEXT, /* free text, never an axis; .max is its longest length in bytes */
};

struct param {
	const char *name; /* suite key and, with "--", option: "work" */
	enum param_type type;
	const char *fallback; /* default as text; NULL = not set unless given */
	double min, max; /* in the base unit, both allowed; for PARAM_WORK given as time: ns */
	const char *choices; /* PARAM_CHOICE: "pipe|eventfd|futex" */
	bool calibrated; /* a load: becomes units of work, see workload.resolve */
	bool placement; /* the runner resolves it into --cpus; the program itself does not take it
			 */
	bool required; /* no run without it */
	bool repeatable; /* PARAM_TEXT: may be given again; the texts are lines of one value */
	const char *help; /* one line; with unit and what it does */
};

struct param_value {
	bool set; /* given or by default */
	bool given; /* by the user */
	double number; /* base unit; count, ns, units of work, percent, Hz; CPUs: -1 = all */
	bool is_time; /* PARAM_WORK given as a time: number is ns, not units */
	int choice; /* index into .choices */
	const char *text; /* PARAM_TEXT: the caller's own, as given to param_parse() */
};

/* Number of rows of a table that ends with a NULL name. */
size_t param_count(const struct param *table);

/* Index by name, or -ENOENT with a usage error that names the nearest key. */
int param_find(const struct param *table, const char *name);

/* Parses and range-checks one value; usage error "work: ..." else. */
int param_parse(const struct param *param, const char *text, struct param_value *ret);

/* Fills @values (param_count() of them) with the table's defaults. */
int param_defaults(const struct param *table, struct param_value *values);

/* Canonical text that param_parse() reads back to the same value ("12.5us", "1000000", "futex"); a
 * PARAM_TEXT that does not fit is cut. */
void param_format(const struct param *param, const struct param_value *value, char *text,
		  size_t size);

/* The same, whole and malloc'ed; NULL without memory. */
char *param_text(const struct param *param, const struct param_value *value);

/* A further line of a repeatable value: "before\ntext", malloc'ed; NULL without memory. */
char *param_append(const char *before, const char *text);

/* Usage error "command: is missing: HELP" when a required parameter is not set. */
int param_check_required(const struct param *table, const struct param_value *values);

#endif
