/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other tools' dumps, logs and tables, read into one model and written as a result directory.
 *
 * A style is one file with a detect and a parse function, and one row in styles.def. What a source
 * does not say stays not available; a row that contradicts itself is named and left out. Memory is
 * bounded by the limits below, whatever the size of a file.
 */
#ifndef ANALYSIS_IMPORT_IMPORT_H
#define ANALYSIS_IMPORT_IMPORT_H

#include "analysis/pool.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define IMPORT_HEAD 65536 /* bytes of a file by which its style is told */
#define IMPORT_READINGS_MAX (1u << 18) /* CPUs x states of one source */
#define IMPORT_STATES_MAX 64 /* of one CPU */
#define IMPORT_RUNS_MAX 9999 /* of one import: a run's number has four digits */
#define IMPORT_SAMPLES_MAX (1u << 20) /* of a meter's log: 12 days at one a second */
#define IMPORT_ROWS_MAX (1u << 17) /* of a table of results */
#define IMPORT_FAULTS_KEPT 200 /* of one source; the rest is counted */

/* A state's files that are numbers, by their names in sysfs. */
enum import_file {
	IMPORT_LATENCY,
	IMPORT_RESIDENCY,
	IMPORT_DISABLE,
	IMPORT_USAGE,
	IMPORT_TIME,
	IMPORT_ABOVE,
	IMPORT_BELOW,
	IMPORT_REJECTED,
	IMPORT_FILES
};
#define IMPORT_COUNTERS (IMPORT_FILES - IMPORT_USAGE) /* usage time above below rejected */

/* One state of one CPU, read once. Times in us, as sysfs has them. */
struct import_reading {
	int cpu, state;
	const char *name, *desc, *default_status; /* NULL = not available */
	uint64_t value[IMPORT_FILES];
	bool have[IMPORT_FILES];
	bool bad; /* contradicts itself: its counters are left out, its table row is not */
	size_t line; /* where its usage stands, else any of it; 0 = in a folder */
};

/* What was read twice, or a difference (then @first is 0). */
struct import_idle {
	int cpu, state;
	uint64_t t0_ns, t1_ns; /* both 0 = not available */
	uint64_t first[IMPORT_COUNTERS], last[IMPORT_COUNTERS];
	bool have[IMPORT_COUNTERS];
};

struct import_metric {
	const char *name, *unit, *better; /* "lower", "higher", "none" */
	double value; /* NAN = not available */
};

struct import_axis {
	const char *key, *value;
};

struct import_run {
	const char *label, *governor; /* governor NULL = not known */
	const char *section;
	struct import_axis axis[4];
	size_t axes;
	int repeat;
	struct import_metric *metric;
	size_t metrics;
	struct import_idle *idle;
	size_t idles;
	uint64_t t0_ns, t1_ns; /* the source's clock; both 0 = not available */
	const char **doubt;
	size_t doubts;
};

struct import_sample {
	uint64_t t_ns;
	double w;
};

struct import_fault {
	size_t line; /* 0 = of the file as a whole */
	const char *what;
};

struct import_style;

struct import_source {
	struct pool *pool; /* for everything below */
	const char *path; /* as given */
	int edge; /* of a dump, by its name: -1 = before, 1 = after, 0 = neither */
	const char *label; /* of its runs: the file's name without what names the tool */
	int repeat; /* of its run: N where the name ends with "-rN", else 0 */
	const struct import_style *style;
	const char *governor, *release, *machine; /* NULL = not known */
	struct import_reading *reading; /* sorted by CPU and state after import_check() */
	size_t readings;
	uint32_t *slot; /* hash of CPU and state: index + 1; only while parsing */
	size_t slots;
	struct import_run *run; /* of logs and tables */
	size_t runs, runs_most; /* a run that is given up leaves its place to the next */
	struct import_sample *sample; /* of a power meter's log */
	size_t samples;
	const char **doubt;
	size_t doubts;
	size_t boot; /* + 1, of import_assemble(); 0 = nothing usable */
	struct import_fault *fault; /* the first IMPORT_FAULTS_KEPT */
	size_t faults, faults_kept;
};

/* The beginning of a file, NUL terminated; a folder has none. */
struct import_head {
	const char *path;
	bool folder;
	const char *text;
	size_t size;
};

struct import_style {
	const char *name, *about;
	bool (*detect)(const struct import_head *head);
	/* 0, or -errno with a text when the file cannot be read at all. */
	int (*parse)(struct import_source *source);
};

/* Ends with a NULL name. */
extern const struct import_style import_styles[];

#define STYLE(id, name, about)                                                                     \
	bool id##_detect(const struct import_head *head);                                          \
	int id##_parse(struct import_source *source);
#include "analysis/import/styles.def"
#undef STYLE

/* How the sources of one command belong together. */
struct import_options {
	const char *output; /* the new result directory */
	bool pair; /* the dumps are before, after, before, after, ... whatever their names */
	bool since_boot; /* a dump alone is a run that began when its counters were 0 */
	bool quiet;
};

/* Tells the style and reads the file. -errno with a text: unreadable, or of no known style. */
int import_read(struct pool *pool, const char *path, struct import_source *ret);

/* Names something that is left out. */
void import_fault(struct import_source *source, size_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A sentence that goes along with every run of the source. */
void import_doubt(struct import_source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Puts the text of file @file ("usage", "name", ...) of a state where it belongs; what is not a
 * number, comes twice or has no such file is a fault. False when there are too many readings.
 */
bool import_put(struct import_source *source, size_t line, int cpu, int state, const char *file,
		const char *text);

/* Sorts the readings and marks those that contradict themselves. */
void import_check(struct import_source *source);

/* A new run with the source's label and governor; NULL when there are too many, with a fault. */
struct import_run *import_run_add(struct import_source *source, size_t line);
void import_metric_add(struct pool *pool, struct import_run *run, const char *name,
		       const char *unit, const char *better, double value);
void import_idle_add(struct pool *pool, struct import_run *run, const struct import_idle *idle);
/* The misses of all its states as metrics, where they are available. */
void import_idle_metrics(struct pool *pool, struct import_run *run);

/* A copy of @text in which everything but letters, digits and "._+-" is '_'; at most 60 bytes. */
const char *import_word(struct pool *pool, const char *text);

/*
 * The file's name without folder, extension, the words that say which tool wrote it, and a repeat
 * ("-r3", *ret_repeat 3, else 0). "before" or "after" is taken out too: *ret_edge -1 or 1, else 0.
 */
const char *import_label(struct pool *pool, const char *path, int *ret_repeat, int *ret_edge);

/* The verb: "import FILE... -o DIR". */
int import_main(int argc, char **argv);

#endif
