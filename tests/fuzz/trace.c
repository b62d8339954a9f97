/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace of the input's making. Its blocks get their right checksums first, since no fuzzer finds
 * those: then whatever their numbers say, no time is negative, damage is named, memory is bounded.
 * An input that begins with a letter is read as trace text.
 */
#include "analysis/trace.h"
#include "analysis/trace_text.h"
#include "fuzz.h"
#include "trace/format.h"
#include "trace/text.h"
#include "tree.h"
#include <unistd.h>
#include <zlib.h>

static uint32_t get_u32(const uint8_t *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void mend_sums(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + FORMAT_HEAD <= size;) {
		size_t length = get_u32(data + at + 8), whole = FORMAT_HEAD + length;
		uint32_t sum;

		if (get_u32(data + at) != FORMAT_BLOCK_MAGIC || length > size - at - FORMAT_HEAD)
			return;
		memset(data + at + 12, 0, 4);
		sum = (uint32_t)crc32(0, data + at, (uInt)whole);
		for (int i = 0; i < 4; i++)
			data[at + 12 + i] = (uint8_t)(sum >> 8 * i);
		at += whole;
	}
}

static void put(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fuzz_need(fopen(path, "we"));

	fwrite(data, 1, size, file);
	fclose(file);
}

static void read_items(const char *path)
{
	struct trace_item item = { .type = TRACE_ROUND };
	struct trace_reader *reader;
	int err = trace_open(path, &reader);

	if (err) {
		fuzz_check_error(err);
		return;
	}
	while (item.type != TRACE_END) {
		FUZZ_CHECK(!trace_next(reader, &item));
		for (size_t i = 0; item.type == TRACE_PERIODS && i < item.n; i++) {
			FUZZ_CHECK(item.period[i].exit_ns >= item.period[i].entry_ns);
			FUZZ_CHECK(!i || item.period[i].entry_ns >= item.period[i - 1].exit_ns);
		}
		FUZZ_CHECK(item.type != TRACE_DAMAGE || item.bytes);
	}
	trace_close(reader);
}

static void read_all(const char *path, FILE *out)
{
	struct trace_analysis analysis;
	size_t damaged;
	int err = trace_analyse(path, &analysis);

	if (err) {
		fuzz_check_error(err);
		return;
	}
	trace_print_tables(&analysis, out);
	trace_analysis_free(&analysis);
	FUZZ_CHECK(!trace_print(path, out, &damaged));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;
	char path[64], made[72];
	uint8_t *copy = fuzz_need(malloc(size + 1));

	if (!out)
		out = fuzz_need(fopen("/dev/null", "we"));
	snprintf(path, sizeof(path), "%s/trace", tree_place());
	snprintf(made, sizeof(made), "%s.made", path);
	memcpy(copy, data, size);
	mend_sums(copy, size);
	put(path, copy, size);
	free(copy);
	if (trace_text_detect(path)) {
		if (trace_text_convert(path, made) >= 0)
			read_all(made, out);
		unlink(made);
	} else {
		read_items(path);
		read_all(path, out);
	}
	unlink(path);
	return 0;
}
