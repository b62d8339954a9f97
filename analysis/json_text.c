/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of JSON that may be missing or malformed. JSON is UTF-8 throughout; names from firmware
 * and command lines need not be, and jansson refuses them whole.
 */
#include "analysis/json.h"
#include "analysis/output.h"
#include <math.h>
#include <stdlib.h>

json_t *json_number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_seed(uint64_t seed)
{
	char text[24];

	if (seed <= INT64_MAX)
		return json_integer((json_int_t)seed);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)seed);
	return json_string(text);
}

/* Length of the UTF-8 character at @text, 0 when it is none. Surrogates and overlong forms are
 * none. */
static size_t character(const unsigned char *text)
{
	size_t n = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : *text >= 0xc2 ? 2 : 0;
	size_t i;

	if (*text > 0xf4 || (*text == 0xe0 && text[1] < 0xa0) ||
	    (*text == 0xed && text[1] > 0x9f) || (*text == 0xf0 && text[1] < 0x90) ||
	    (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	for (i = 1; i < n; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

const char *json_utf8(const struct table *table, const char *value)
{
	struct output clean;
	const char *copy;

	output_open(&clean);
	while (*value) {
		size_t n = character((const unsigned char *)value);

		if (n)
			fwrite(value, 1, n, clean.stream);
		else
			fputs("\xef\xbf\xbd", clean.stream);
		value += n ? n : 1;
	}
	output_end(&clean);
	copy = pool_copy(table->pool, clean.text);
	free(clean.text);
	return copy;
}

json_t *json_text(const struct table *table, const char *value)
{
	return value ? json_string(json_utf8(table, value)) : json_null();
}
