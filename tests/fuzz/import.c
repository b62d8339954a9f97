/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files and folders of the input's making, imported together. Whatever is in them, what was written
 * is a result directory of which no run is damaged.
 */
#include "analysis/import/result.h"
#include "analysis/load.h"
#include "fuzz.h"
#include "tree.h"
#include <dirent.h>
#include <math.h>

#define SOURCES_MAX 16

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static size_t read_all(struct pool *pool, const char *dir, struct import_source *source)
{
	struct dirent **entry = NULL;
	int n = scandir(dir, &entry, visible, alphasort);
	size_t sources = 0;

	for (int i = 0; i < n; i++) {
		const char *path = pool_text(pool, "%s/%s", dir, entry[i]->d_name);

		if (sources < SOURCES_MAX) {
			int err = import_read(pool, path, &source[sources]);

			if (err)
				fuzz_check_error(err);
			else
				sources++;
		}
		free(entry[i]);
	}
	free(entry);
	return sources;
}

static void check_source(const struct import_source *s)
{
	FUZZ_CHECK(s->label[0] && s->style);
	FUZZ_CHECK(s->faults >= s->faults_kept);
	for (size_t i = 1; i < s->readings; i++)
		FUZZ_CHECK(s->reading[i].cpu > s->reading[i - 1].cpu ||
			   (s->reading[i].cpu == s->reading[i - 1].cpu &&
			    s->reading[i].state > s->reading[i - 1].state));
}

static void check_written(const char *dir)
{
	struct result result;

	FUZZ_CHECK(!load_result(dir, &result));
	for (size_t i = 0; i < result.brokens; i++) {
		if (!strcmp(result.broken[i].state, "duplicate"))
			continue;
		fprintf(stderr, "%s: %s\n", result.broken[i].name, result.broken[i].reason);
		FUZZ_CHECK(false);
	}
	load_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);
	struct pool pool = { 0 };
	struct import_source source[SOURCES_MAX];
	size_t n = read_all(&pool, tree.dir, source);
	struct import_result result;
	struct import_options options = { .since_boot = size % 2, .pair = size % 3 == 0 };
	const char *out = pool_text(&pool, "%s/.out", tree.dir);

	for (size_t i = 0; i < n; i++)
		check_source(&source[i]);
	import_assemble(&pool, source, n, &options, &result);
	/* Hundreds of runs are hundreds of folders, which say no more than a few. */
	if (result.boots && result.runs < 50) {
		FUZZ_CHECK(!import_write(&result, out));
		check_written(out);
	}
	pool_free(&pool);
	tree_end(&tree);
	return 0;
}
