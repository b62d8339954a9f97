/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two kinds of files: INI, from memory, and TSV, from a file. And the records on top of INI:
 * any text that is put comes back as it was.
 */
#include "fuzz.h"
#include "lib/ini.h"
#include "lib/tsv.h"
#include "store/record.h"
#include "tree.h"

static void check_ini(const char *text, size_t size)
{
	struct ini ini;
	int err = ini_load_text("fuzz.ini", text, size, &ini);
	uint64_t number;

	if (err) {
		FUZZ_CHECK(error_is_usage() && !strncmp(error_text(), "fuzz.ini:", 9));
		return;
	}
	for (size_t i = 0; i < ini.n; i++) {
		const struct ini_entry *e = &ini.entry[i];
		char *value;

		FUZZ_CHECK(e->section && e->section[0] && e->line > 0);
		if (!e->key)
			continue;
		FUZZ_CHECK(ini_get(&ini, e->section, e->key) == e->value);
		value = record_get(&ini, e->section, e->key);
		FUZZ_CHECK(value);
		free(value);
		record_get_u64(&ini, e->section, e->key, &number);
	}
	ini_free(&ini);
}

/* Puts @text as a record; reads it back. */
static void check_record(const char *text)
{
	char *file, *back;
	struct ini ini;
	size_t size;
	FILE *out = fuzz_need(open_memstream(&file, &size));

	fputs("[run]\n", out);
	record_put(out, "key", text);
	record_put(out, "other", text);
	fclose(out);
	FUZZ_CHECK(!ini_load_text("record", file, size, &ini));
	back = record_get(&ini, "run", "key");
	FUZZ_CHECK(back && !strcmp(back, text));
	free(back);
	back = record_get(&ini, "run", "other");
	FUZZ_CHECK(back && !strcmp(back, text));
	free(back);
	ini_free(&ini);
	free(file);
}

static void check_tsv(const char *text, size_t size)
{
	char path[64];
	struct tsv tsv;
	uint64_t whole;
	double number;
	FILE *file;
	int err;

	snprintf(path, sizeof(path), "%s/t.tsv", tree_place());
	file = fuzz_need(fopen(path, "we"));
	fwrite(text, 1, size, file);
	fclose(file);
	err = tsv_load(path, &tsv);
	if (err) {
		fuzz_check_error(err);
		return;
	}
	FUZZ_CHECK(tsv.columns > 0);
	for (size_t c = 0; c < tsv.columns; c++) {
		FUZZ_CHECK(tsv_column(&tsv, tsv_text(&tsv, SIZE_MAX, (int)c)) < 0);
		FUZZ_CHECK(tsv_column(&tsv, tsv.cell[c]) == (int)c);
		for (size_t row = 0; row <= tsv.rows; row++) {
			FUZZ_CHECK(tsv_text(&tsv, row, (int)c));
			err = tsv_u64(&tsv, row, (int)c, &whole);
			FUZZ_CHECK(err >= 0 || error_text()[0]);
			err = tsv_double(&tsv, row, (int)c, &number);
			FUZZ_CHECK(err >= 0 || error_text()[0]);
		}
	}
	tsv_free(&tsv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	check_ini(text, size);
	check_record(text);
	check_tsv(text, size);
	free(text);
	return 0;
}
