/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sentence that goes with a negative errno: one text of 1 KiB per thread, so that a failure can
 * be reported even when memory is what is missing. A text is formatted beside the stored one,
 * because the stored one may be among its arguments.
 */
#include "lib/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_SIZE 1024
#define CUT "..."

static _Thread_local char stored[TEXT_SIZE];
static _Thread_local bool usage;

/* Formats into @text; a text that does not fit ends with "...", and control bytes become '?': the
 * names and values quoted in it may come from anybody's file. Returns the length. */
__attribute__((format(printf, 2, 0))) static size_t format_cut(char text[TEXT_SIZE],
							       const char *format, va_list args)
{
	int length = vsnprintf(text, TEXT_SIZE, format, args);

	if (length < 0) {
		text[0] = '\0';
		return 0;
	}
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	if (length < TEXT_SIZE)
		return (size_t)length;
	memcpy(text + TEXT_SIZE - sizeof(CUT), CUT, sizeof(CUT));
	return TEXT_SIZE - 1;
}

int error_set(int code, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	memcpy(stored, text, format_cut(text, format, args) + 1);
	va_end(args);
	usage = false;
	return code;
}

int error_no_memory(void)
{
	return error_set(-ENOMEM, "out of memory");
}

int error_usage(const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list args;

	va_start(args, format);
	memcpy(stored, text, format_cut(text, format, args) + 1);
	va_end(args);
	usage = true;
	return -EINVAL;
}

int error_prefix(int code, const char *format, ...)
{
	char text[TEXT_SIZE];
	size_t length, room, rest;
	va_list args;

	va_start(args, format);
	length = format_cut(text, format, args);
	va_end(args);
	if (length && text[length - 1] != ' ' && length + 2 < sizeof(text)) {
		memcpy(text + length, ": ", 3);
		length += 2;
	}
	room = sizeof(text) - 1 - length;
	rest = strlen(stored);
	if (rest > room) {
		rest = room;
		memcpy(stored + rest - (rest < 3 ? rest : 3), CUT, rest < 3 ? rest : 3);
	}
	memcpy(text + length, stored, rest);
	text[length + rest] = '\0';
	memcpy(stored, text, length + rest + 1);
	return code;
}

const char *error_text(void)
{
	return stored;
}

bool error_is_usage(void)
{
	return usage;
}

void error_clear(void)
{
	stored[0] = '\0';
	usage = false;
}

const char *error_quote(const char *text, char quoted[ERROR_QUOTE_SIZE])
{
	size_t limit = ERROR_QUOTE_SIZE - sizeof(CUT), n = strnlen(text, limit + 1), i;
	bool cut = n > limit;

	if (cut) {
		/* Not in the middle of a UTF-8 sequence. */
		for (n = limit; n && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
			;
	}
	for (i = 0; i < n; i++)
		quoted[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
	memcpy(quoted + n, cut ? CUT : "", cut ? sizeof(CUT) : 1);
	return quoted;
}
