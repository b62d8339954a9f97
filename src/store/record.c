/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in, text out, through INI lines of bounded length.
 */
#include "store/record.h"
#include "lib/error.h"
#include "lib/units.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of encoded value a line: INI_LINE_MAX less the longest key, its continuation number, " = "
 * and the rest of a UTF-8 sequence. */
#define CHUNK 130
#define SEQUENCE_MAX 6
_Static_assert(RECORD_KEY_MAX + sizeof(".2147483647 = ") - 1 + CHUNK + SEQUENCE_MAX + 3 <=
		       INI_LINE_MAX,
	       "the longest line is one that INI takes");

/* Writes one byte, escaped where INI would take it for something else. Returns the bytes written.
 * @outer: it begins or ends a line; @free: it follows a blank, where ';' begins a comment. */
static size_t put_byte(FILE *out, char byte, bool outer, bool free)
{
	unsigned char c = (unsigned char)byte;

	if (iscntrl(c) || c == '%' || (c == ';' && (outer || free)) || (outer && isspace(c)))
		return (size_t)fprintf(out, "%%%02X", c);
	fputc(c, out);
	return 1;
}

/* A line that is full ends here, but not within a UTF-8 sequence. */
static bool ends_line(size_t used, char next)
{
	bool within = ((unsigned char)next & 0xc0) == 0x80;

	return used >= CHUNK + SEQUENCE_MAX || (used >= CHUNK && !within);
}

void record_put(FILE *out, const char *key, const char *text)
{
	size_t used = 0;
	int line = 1;

	if (!text)
		return;
	fprintf(out, "%s = ", key);
	for (; *text; text++) {
		bool last = !text[1] || ends_line(used + 1, text[1]);

		used += put_byte(out, *text, !used || last,
				 used && isspace((unsigned char)text[-1]));
		if (last && text[1]) {
			fprintf(out, "\n%s.%d = ", key, ++line);
			used = 0;
		}
	}
	fputc('\n', out);
}

void record_put_u64(FILE *out, const char *key, uint64_t value)
{
	fprintf(out, "%s = %" PRIu64 "\n", key, value);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static void decode(char *text)
{
	char *to = text;

	while (*text) {
		int high = text[0] == '%' ? hex_digit(text[1]) : -1;
		int low = high >= 0 ? hex_digit(text[2]) : -1;

		if (low >= 0 && (high || low)) {
			*to++ = (char)(high << 4 | low);
			text += 3;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

char *record_get(const struct ini *ini, const char *section, const char *key)
{
	const char *part = ini_get(ini, section, key);
	char *text = NULL, name[INI_LINE_MAX + 16]; /* a cut name could be @key itself, for ever */
	size_t size = 0;

	for (int line = 2; part; line++) {
		size_t more = strlen(part);
		char *bigger = realloc(text, size + more + 1);

		if (!bigger) {
			free(text);
			return NULL;
		}
		text = bigger;
		memcpy(text + size, part, more + 1);
		size += more;
		snprintf(name, sizeof(name), "%s.%d", key, line);
		part = ini_get(ini, section, name);
	}
	if (text)
		decode(text);
	return text;
}

int record_get_u64(const struct ini *ini, const char *section, const char *key, uint64_t *ret)
{
	const char *text = ini_get(ini, section, key);

	if (!text)
		return 0;
	if (units_parse_count(text, ret))
		return error_set(-EBADMSG, "%s: %s in [%s] is not a number: '%s'", ini->path, key,
				 section, text);
	return 1;
}
