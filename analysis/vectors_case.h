/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a vector file as structures. Keys that are not known are ignored; those that a line
 * cannot do without are asked for by name. Only for vectors.c.
 */
#ifndef ANALYSIS_VECTORS_CASE_H
#define ANALYSIS_VECTORS_CASE_H

#include "governors/governor.h"
#include <jansson.h>

struct vectors_meta {
	char governor[64], place[128]; /* place: "table skx, trace fuzz" */
	int last_state;
	struct governor_table table;
};

struct vectors_decision {
	int64_t i;
	struct governor_input in;
	struct governor_outcome out;
	struct governor_choice want;
	bool has_poll_limit;
	uint64_t want_poll_limit_ns;
};

enum vectors_kind { VECTORS_META, VECTORS_DECISION, VECTORS_SUM };

/* Each: usage error that names the key. */
int vectors_kind(json_t *line, enum vectors_kind *ret);
int vectors_meta(json_t *line, struct vectors_meta *ret);
int vectors_decision(json_t *line, const struct governor_table *table,
		     struct vectors_decision *ret);

/* The array @key of a "sum" line, @states long. */
int vectors_sum(json_t *line, const char *key, int states, uint64_t *ret);

#endif
