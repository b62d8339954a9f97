/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file's name says: whose numbers they are, which repeat, before or after. Words are what
 * stands between '-', '_' and '.'.
 */
#include "analysis/import/import.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 60
#define SEPARATORS "-_."

const char *import_word(struct pool *pool, const char *text)
{
	char word[WORD_MAX + 1];

	snprintf(word, sizeof(word), "%s", text);
	for (char *c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._+-", *c))
			*c = '_';
	/* A folder of that name must be one below its parent, and seen. */
	if (*word == '.')
		*word = '_';
	return pool_copy(pool, word);
}

/* Takes @n bytes at @at out, and one separator beside them. */
static void take_out(char *label, char *at, size_t n)
{
	if (at > label)
		at--, n++;
	else if (at[n])
		n++;
	memmove(at, at + n, strlen(at + n) + 1);
}

/* The word in @label, or NULL. */
static char *find_word(char *label, const char *word)
{
	size_t n = strlen(word);

	for (char *at = strstr(label, word); at; at = strstr(at + 1, word))
		if ((at == label || strchr(SEPARATORS, at[-1])) && strchr(SEPARATORS, at[n]))
			return at;
	return NULL;
}

static void drop_words(char *label)
{
	static const char *const words[] = { "raw",  "turbostat", "acpower",
					     "wall", "meter",	  "cpuidle" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *at = find_word(label, words[i]);

		if (at && strlen(label) > strlen(words[i]))
			take_out(label, at, strlen(words[i]));
	}
}

static int drop_edge(char *label)
{
	static const struct {
		const char *word;
		int edge;
	} words[] = { { "before", -1 }, { "after", 1 }, { "pre", -1 },	{ "post", 1 },
		      { "begin", -1 },	{ "end", 1 },	{ "start", -1 } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *at = find_word(label, words[i].word);

		if (!at)
			continue;
		take_out(label, at, strlen(words[i].word));
		return words[i].edge;
	}
	return 0;
}

static int drop_repeat(char *label)
{
	char *end = label + strlen(label), *at = end;

	while (at > label && isdigit((unsigned char)at[-1]))
		at--;
	if (at == end || end - at > 6 || at - label < 3 || at[-1] != 'r' ||
	    !strchr(SEPARATORS, at[-2]))
		return 0;
	at[-2] = '\0';
	return atoi(at);
}

static void drop_extension(char *name)
{
	static const char *const known[] = { ".txt", ".csv", ".log", ".tsv", ".dat", ".out" };
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (n > 4 && !strcmp(name + n - 4, known[i]))
			name[n - 4] = '\0';
}

/* The last name of @path, or with @up the one before it. */
static char *part_of(struct pool *pool, const char *path, bool up)
{
	char *copy = pool_copy(pool, path), *slash;

	for (;;) {
		for (size_t n = strlen(copy); n && copy[n - 1] == '/'; n--)
			copy[n - 1] = '\0';
		slash = strrchr(copy, '/');
		if (!up)
			return slash ? slash + 1 : copy;
		if (!slash)
			return copy + strlen(copy);
		*slash = '\0';
		up = false;
	}
}

const char *import_label(struct pool *pool, const char *path, int *ret_repeat, int *ret_edge)
{
	char *label = part_of(pool, path, false);

	drop_extension(label);
	drop_words(label);
	*ret_edge = drop_edge(label);
	*ret_repeat = drop_repeat(label);
	if (!*label)
		label = part_of(pool, path, true);
	return import_word(pool, *label ? label : "imported");
}
