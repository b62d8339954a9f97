/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several sources amount to: runs, and the boots that they stand under. A boot holds CPUs with
 * one set of state tables; sources whose tables differ are kept apart.
 */
#ifndef ANALYSIS_IMPORT_RESULT_H
#define ANALYSIS_IMPORT_RESULT_H

#include "analysis/import/import.h"

struct import_boot {
	const char *name; /* of its folder: "6.12.1+imported-1" */
	const char *release, *machine; /* "unknown", "" when not known */
	const struct import_reading *reading; /* states of its CPUs; NULL = none */
	size_t readings;
};

struct import_placed {
	struct import_source *source;
	struct import_run *run;
	size_t boot;
};

/* The states of one source or run, for its table of shares. */
struct import_counts {
	const struct import_source *source; /* whose readings have the state table */
	const char *label;
	const struct import_idle *idle;
	size_t idles;
	bool cumulative; /* of a dump alone: since the counters were 0 */
};

struct import_result {
	struct pool *pool;
	struct import_source *source;
	size_t sources;
	struct import_boot *boot;
	size_t boots;
	struct import_placed *run;
	size_t runs;
	struct import_counts *counts;
	size_t counted;
};

/* Pairs dumps, puts a meter's log to turbostat's, finds the boots. */
void import_assemble(struct pool *pool, struct import_source *source, size_t n,
		     const struct import_options *options, struct import_result *ret);

/* The table of shares, as text and as TSV. */
void import_shares_print(const struct import_result *result, FILE *out);
void import_shares_write(const struct import_result *result, FILE *out);

/* Writes DIR/import/; part of import_write(). */
int import_write_extras(const struct import_result *result, const char *dir);

/* Writes the result directory, whole or not at all. -EEXIST when there is something. */
int import_write(const struct import_result *result, const char *dir);

#endif
