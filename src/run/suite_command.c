/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "run -- COMMAND" as the text of a suite, so that it is stored, continued and checked like any
 * other. A line of INI is short, has no control bytes, and ends at " ;": words are quoted and cut
 * up accordingly.
 */
#include "lib/error.h"
#include "lib/ini.h"
#include "run/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY "command = "
/* Room for the longest single step below and a backslash at the end. */
#define COLUMNS (INI_LINE_MAX - 16)

struct writer {
	FILE *out;
	size_t column;
};

static void put(struct writer *w, const char *text)
{
	fputs(text, w->out);
	w->column += strlen(text);
}

/* A backslash that ends a line joins it to the next, without a blank. */
static void new_line(struct writer *w, bool within_word)
{
	if (within_word)
		fputc('\\', w->out);
	fputs("\n" KEY, w->out);
	w->column = strlen(KEY);
}

static bool plain(char c)
{
	return strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./%@",
		      c) != NULL;
}

/* One byte, in quotes of its own where it needs any: ugly, and right whatever stands beside it. */
static void put_byte(struct writer *w, char c)
{
	char text[8];

	if ((unsigned char)c < ' ' || c == 0x7f)
		snprintf(text, sizeof(text), "$'\\x%02x'", (unsigned int)(unsigned char)c);
	else if (c == '\'')
		snprintf(text, sizeof(text), "\\'");
	else
		snprintf(text, sizeof(text), plain(c) || (c & 0x80) ? "%c" : "'%c'", c);
	put(w, text);
}

static bool quotable(char c)
{
	return (unsigned char)c >= ' ' && c != 0x7f && c != '\'';
}

/* A run of bytes that single quotes hold, up to the line's end or a ';'. Returns its length. */
static size_t put_quoted(struct writer *w, const char *word)
{
	size_t n = 0;

	put(w, "'");
	while (quotable(word[n]) && word[n] && w->column < COLUMNS && (!n || word[n] != ';')) {
		fputc(word[n++], w->out);
		w->column++;
	}
	put(w, "'");
	return n;
}

static void put_word(struct writer *w, const char *word)
{
	bool all_plain = *word;

	for (const char *c = word; *c; c++)
		all_plain = all_plain && plain(*c);
	if (!*word)
		put(w, "''");
	while (*word) {
		if (w->column >= COLUMNS)
			new_line(w, true);
		if (all_plain || !quotable(*word))
			put_byte(w, *word++);
		else
			word += put_quoted(w, word);
	}
}

static void write_suite(FILE *out, char *const *words)
{
	struct writer w = { .out = out, .column = strlen(KEY) };

	fputs("[suite]\nformat = 1\nabout = A command of the command line\n\n"
	      "[run command]\nworkload = command\n" KEY,
	      out);
	for (char *const *word = words; *word; word++) {
		if (word != words && w.column + strlen(*word) + 3 > COLUMNS &&
		    w.column > strlen(KEY))
			new_line(&w, false);
		else if (word != words)
			put(&w, " ");
		put_word(&w, *word);
	}
	fputc('\n', out);
}

int suite_of_command(char *const *words, const char *const *set, int sets, struct suite *ret)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	write_suite(out, words);
	err = fclose(out) ? error_no_memory() : suite_parse("command", text, set, sets, ret);
	free(text);
	return err;
}
