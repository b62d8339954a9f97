/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result directory of the input's making, loaded, compared and written in every form of the
 * summary. Damage is named and left out; it never ends the report.
 */
#include "analysis/csv.h"
#include "analysis/format.h"
#include "analysis/json.h"
#include "analysis/load.h"
#include "analysis/markdown.h"
#include "analysis/section.h"
#include "analysis/text.h"
#include "fuzz.h"
#include "tree.h"
#include <math.h>

static void check_run(const struct result *result, const struct loaded_run *run)
{
	FUZZ_CHECK(run->boot >= 0 && (size_t)run->boot < result->boots);
	for (size_t i = 0; i < run->metrics; i++)
		FUZZ_CHECK(run->metric[i].name && !isinf(run->metric[i].value));
	FUZZ_CHECK(!isinf(run->power.package_w) && !(run->power.package_w < 0));
	FUZZ_CHECK(run->info.state != STORE_COMPLETE || !isnan(run->power.package_w) ||
		   run->power.package_reason);
}

static void check_states(const struct result *result)
{
	for (size_t i = 0; i < result->states; i++) {
		const struct state_table *table = load_table_of(result, i);

		FUZZ_CHECK(i >= table->first && i < table->first + table->states);
		FUZZ_CHECK(load_state(result, i)->name);
	}
}

static void summarise(struct result *result)
{
	static format_writer *const writer[] = { text_write, json_write, csv_write,
						 markdown_write };
	struct table table;
	size_t size;
	char *text;
	FILE *out;

	FUZZ_CHECK(!section_build(result, &table));
	for (size_t i = 0; i < sizeof(writer) / sizeof(writer[0]); i++) {
		out = fuzz_need(open_memstream(&text, &size));
		writer[i](&table, out);
		FUZZ_CHECK(!fclose(out) && size);
		free(text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);
	struct result result;
	int err = load_result(tree.dir, &result);

	if (err) {
		fuzz_check_error(err);
	} else {
		for (size_t i = 0; i < result.runs; i++)
			check_run(&result, &result.run[i]);
		for (size_t i = 0; i < result.brokens; i++)
			FUZZ_CHECK(result.broken[i].name && result.broken[i].reason[0]);
		check_states(&result);
		load_no_power(&result);
		summarise(&result);
		load_free(&result);
	}
	tree_end(&tree);
	return 0;
}
