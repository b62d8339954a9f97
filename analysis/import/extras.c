/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder import/ of a result: what has no place in an ordinary one. Which rows were left out,
 * counters of single dumps, shares of idle time.
 */
#include "analysis/import/result.h"
#include "analysis/output.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include <inttypes.h>

static int write_left_out(const struct import_result *r, const char *path)
{
	struct output out;

	output_open(&out);
	fputs("file\tline\twhat\n", out.stream);
	for (size_t i = 0; i < r->sources; i++) {
		const struct import_source *s = &r->source[i];

		for (size_t j = 0; j < s->faults_kept; j++) {
			tsv_put(out.stream, s->path);
			fputc('\t', out.stream);
			if (s->fault[j].line)
				fprintf(out.stream, "%zu", s->fault[j].line);
			fputc('\t', out.stream);
			tsv_put(out.stream, s->fault[j].what);
			fputc('\n', out.stream);
		}
		if (s->faults > s->faults_kept) {
			tsv_put(out.stream, s->path);
			fprintf(out.stream, "\t\t%zu more\n", s->faults - s->faults_kept);
		}
	}
	return output_write(&out, path);
}

/* Counters of the dumps that stand alone, as read. */
static int write_counters(const struct import_result *r, const char *path)
{
	struct output out;

	output_open(&out);
	fputs("label\tcpu\tstate\tusage\ttime_us\tabove\tbelow\trejected\n", out.stream);
	for (size_t i = 0; i < r->counted; i++) {
		const struct import_counts *c = &r->counts[i];

		for (size_t j = 0; c->cumulative && j < c->idles; j++) {
			tsv_put(out.stream, c->label);
			fprintf(out.stream, "\t%d\t%d", c->idle[j].cpu, c->idle[j].state);
			for (size_t k = 0; k < IMPORT_COUNTERS; k++) {
				fputc('\t', out.stream);
				if (c->idle[j].have[k])
					fprintf(out.stream, "%" PRIu64, c->idle[j].last[k]);
			}
			fputc('\n', out.stream);
		}
	}
	return output_write(&out, path);
}

int import_write_extras(const struct import_result *result, const char *dir)
{
	const char *path = pool_text(result->pool, "%s/import", dir);
	struct output out;
	int err = file_make_dirs(path);

	if (!err)
		err = write_left_out(result, pool_text(result->pool, "%s/left-out.tsv", path));
	if (!err)
		err = write_counters(result, pool_text(result->pool, "%s/counters.tsv", path));
	if (err)
		return err;
	output_open(&out);
	import_shares_write(result, out.stream);
	return output_write(&out, pool_text(result->pool, "%s/shares.tsv", path));
}
