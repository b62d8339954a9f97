/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * INI files through inih. inih cuts lines into keys and values; what it does not tell (line
 * numbers, section headers) and what it would take silently is handled in the reader that feeds it
 * line by line from memory. Two of its habits must be kept out: a line with leading blanks
 * continues the value above, and a section's name is cut off after 49 bytes (so the name is taken
 * from the reader, not from inih).
 */
#include "lib/ini.h"

#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

struct loader {
	struct ini ini;
	const char *at, *end; /* the text not yet read */
	int line; /* number of the line that was read last */
	char *section; /* of that line; NULL before the first header */
	bool (*may_repeat)(const char *key);
	int code; /* the first failure of reader or handler, 0 */
	int code_line;
};

/* Usage error at the line that is being read; remembered, because inih only keeps a line number. */
__attribute__((format(printf, 2, 3))) static int fail(struct loader *l, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	l->code = error_usage("%s:%d: %s", l->ini.path, l->line, text);
	l->code_line = l->line;
	return l->code;
}

static int fail_memory(struct loader *l)
{
	l->code = error_set(-ENOMEM, "%s: out of memory", l->ini.path);
	l->code_line = l->line;
	return l->code;
}

/* Length of the line at @at without its newline and CR; *ret_next is where the next one begins. */
static size_t line_length(const char *at, const char *end, const char **ret_next)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	size_t length = (size_t)((newline ? newline : end) - at);

	*ret_next = newline ? newline + 1 : end;
	if (length && at[length - 1] == '\r')
		length--;
	return length;
}

/* Refuses what would be taken for text that it is not. */
static int check_lines(struct loader *l)
{
	const char *at, *next;
	size_t length, i;
	unsigned char c;

	for (at = l->at; at < l->end; at = next) {
		l->line++;
		length = line_length(at, l->end, &next);
		for (i = 0; i < length; i++) {
			c = (unsigned char)at[i];
			if (!c)
				return fail(l, "NUL byte: not a text file (UTF-16?)");
			if ((c < ' ' && c != '\t') || c == 0x7f)
				return fail(l, "control byte 0x%02x", c);
		}
		if (length > INI_LINE_MAX)
			return fail(l, "line of %zu bytes (at most %d)", length, INI_LINE_MAX);
	}
	l->line = 0;
	return 0;
}

static int add_entry(struct loader *l, const char *key, const char *value)
{
	struct ini *ini = &l->ini;
	struct ini_entry entry = { .line = l->line }, *grown;

	/* Room is doubled when the count reaches a power of two, so it need not be stored. */
	if (!(ini->n & (ini->n - 1))) {
		grown = reallocarray(ini->entry, ini->n ? 2 * ini->n : 1, sizeof(*grown));
		if (!grown)
			return fail_memory(l);
		ini->entry = grown;
	}
	entry.section = strdup(l->section);
	entry.key = key ? strdup(key) : NULL;
	entry.value = strdup(value);
	ini->entry[ini->n++] = entry; /* freed with the rest, whatever is missing */
	if (!entry.section || (key && !entry.key) || !entry.value)
		return fail_memory(l);
	return 0;
}

/* The entry of @key, or of the section's header for NULL. */
static const struct ini_entry *find(const struct ini *ini, const char *section, const char *key)
{
	size_t i;

	for (i = 0; i < ini->n; i++) {
		const struct ini_entry *entry = &ini->entry[i];

		if (strcmp(entry->section, section) || !entry->key != !key)
			continue;
		if (!key || !strcmp(entry->key, key))
			return entry;
	}
	return NULL;
}

/* Cuts the blanks off both ends of @text, in place. */
static char *trim(char *text)
{
	size_t n;

	text += strspn(text, BLANKS);
	for (n = strlen(text); n && strchr(BLANKS, text[n - 1]);)
		text[--n] = '\0';
	return text;
}

/* A line that begins with '['. */
static int read_header(struct loader *l, const char *line)
{
	char name[INI_LINE_MAX + 1], quoted[ERROR_QUOTE_SIZE], *close, *rest, *section;
	const struct ini_entry *first;

	snprintf(name, sizeof(name), "%s", line + 1);
	close = strchr(name, ']');
	if (!close)
		return fail(l, "no ']' in section header '%s'", error_quote(line, quoted));
	*close = '\0';
	rest = trim(close + 1);
	if (*rest && !strchr("#;", *rest))
		return fail(l, "'%s' behind the section header", error_quote(rest, quoted));
	section = trim(name);
	if (!*section)
		return fail(l, "section without a name");
	if (strchr(section, ';'))
		return fail(l, "';' in a section's name");
	first = find(&l->ini, section, NULL);
	if (first)
		return fail(l, "section [%s] is there already, in line %d",
			    error_quote(section, quoted), first->line);
	free(l->section);
	l->section = strdup(section);
	if (!l->section)
		return fail_memory(l);
	return add_entry(l, NULL, "");
}

/* fgets() for inih: one line without its leading blanks, NULL at the end or after a failure. */
static char *read_line(char *buffer, int size, void *stream)
{
	struct loader *l = stream;
	const char *line = l->at;
	size_t length;

	if (l->code || l->at >= l->end)
		return NULL;
	length = line_length(line, l->end, &l->at);
	l->line++;
	for (; length && strchr(BLANKS, *line); length--)
		line++;
	if (size < 0 || length + 2 > (size_t)size) {
		/* inih was built with a smaller buffer than its header says. */
		fail(l, "line of %zu bytes (this inih takes %d)", length, size - 2);
		return NULL;
	}
	memcpy(buffer, line, length);
	buffer[length] = '\0';
	if (*buffer == '[' && read_header(l, buffer))
		return NULL;
	memcpy(buffer + length, "\n", 2);
	return buffer;
}

/* inih's callback for a key with its value: 1 to go on. */
static int take_key(void *user, const char *inih_section, const char *key, const char *value)
{
	struct loader *l = user;
	const struct ini_entry *first;
	char quoted[ERROR_QUOTE_SIZE];

	(void)inih_section;
	if (l->code)
		return 0;
	error_quote(key, quoted);
	if (!*key)
		return !fail(l, "no key before '='");
	if (!l->section)
		return !fail(l, "key '%s' stands before the first [section]", quoted);
	first = find(&l->ini, l->section, key);
	if (first && !l->may_repeat(key))
		return !fail(l, "key '%s' is there already, in line %d", quoted, first->line);
	return !add_entry(l, key, value);
}

/* Line @number of the text for a message; it was found not to be what inih takes. */
static int fail_syntax(struct loader *l, const char *text, int number)
{
	char line[INI_LINE_MAX + 1], quoted[ERROR_QUOTE_SIZE];
	const char *at = text, *next = text;
	size_t length = 0;

	for (l->line = 0; l->line < number && next < l->end; l->line++) {
		at = next;
		length = line_length(at, l->end, &next);
	}
	snprintf(line, sizeof(line), "%.*s", (int)length, at);
	return fail(l, "not 'key = value': '%s'", error_quote(trim(line), quoted));
}

static bool never(const char *key)
{
	(void)key;
	return false;
}

int ini_load_text(const char *path, const char *text, size_t size, struct ini *ret)
{
	return ini_load_repeating(path, text, size, never, ret);
}

int ini_load_repeating(const char *path, const char *text, size_t size,
		       bool (*may_repeat)(const char *key), struct ini *ret)
{
	struct loader l = { .at = text, .end = text + size, .may_repeat = may_repeat };
	int line, r;

	l.ini.path = strdup(path);
	if (!l.ini.path)
		return error_set(-ENOMEM, "%s: out of memory", path);
	if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		l.at += 3;
	text = l.at;
	r = size > INT_MAX ? error_set(-EFBIG, "%s: %s", path, strerror(EFBIG)) : check_lines(&l);
	if (!r) {
		line = ini_parse_stream(read_line, &l, take_key, &l);
		r = l.code;
		/* inih goes on after a line it cannot cut, so a later failure may have been met. */
		if (line < 0)
			r = fail_memory(&l);
		else if (line > 0 && (!l.code || line < l.code_line))
			r = fail_syntax(&l, text, line);
	}
	free(l.section);
	if (r) {
		ini_free(&l.ini);
		return r;
	}
	*ret = l.ini;
	return 0;
}

int ini_load(const char *path, struct ini *ret)
{
	char *text;
	size_t size;
	int r = file_read(path, &text, &size);

	if (r)
		return r;
	r = ini_load_text(path, text, size, ret);
	free(text);
	return r;
}

const char *ini_get(const struct ini *ini, const char *section, const char *key)
{
	const struct ini_entry *entry = find(ini, section, key);

	return entry && key ? entry->value : NULL;
}

int ini_error(const struct ini *ini, const struct ini_entry *entry, const char *format, ...)
{
	char text[768];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return error_usage("%s:%d: %s", ini->path, entry->line, text);
}

void ini_free(struct ini *ini)
{
	size_t i;

	for (i = 0; i < ini->n; i++) {
		free(ini->entry[i].section);
		free(ini->entry[i].key);
		free(ini->entry[i].value);
	}
	free(ini->entry);
	free(ini->path);
	*ini = (struct ini){ 0 };
}
