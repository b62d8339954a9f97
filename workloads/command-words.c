/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of a command line without a shell: quotes and backslash as POSIX has them, no expansion of
 * anything. A character that would mean something to a shell is refused, so that nobody waits for a
 * pipe that is never made.
 */
#include "workloads/command-words.h"
#include "lib/error.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS " \t\n"
#define SHELL_ONLY "|&;<>()$`"

struct splitter {
	const char *at;
	char *word; /* the room for one word: never longer than the line */
	size_t n;
	char **words;
	size_t count;
};

static int unclosed(const char *quote)
{
	return error_usage("the quote %s is not closed (in a suite ' ;' begins a comment: write "
			   "'';)",
			   quote);
}

static void put(struct splitter *s, char c)
{
	s->word[s->n++] = c;
}

static int single_quoted(struct splitter *s)
{
	while (*s->at && *s->at != '\'')
		put(s, *s->at++);
	return *s->at++ ? 0 : unclosed("'");
}

static int double_quoted(struct splitter *s)
{
	for (; *s->at && *s->at != '"'; s->at++) {
		if (*s->at == '$' || *s->at == '`')
			return error_usage("'%c' in double quotes means something to a shell only: "
					   "write \\%c, or say shell = yes",
					   *s->at, *s->at);
		if (*s->at == '\\' && s->at[1] && strchr("\"\\$`\n", s->at[1]))
			s->at++;
		put(s, *s->at);
	}
	return *s->at++ ? 0 : unclosed("\"");
}

/* One escape of $'...', behind its backslash. */
static int escape(struct splitter *s)
{
	static const char letters[] = "nrtabefv\\'\"", meanings[] = "\n\r\t\a\b\x1b\f\v\\'\"";
	const char *letter = *s->at ? strchr(letters, *s->at) : NULL;
	unsigned int byte;

	if (letter) {
		put(s, meanings[letter - letters]);
		s->at++;
		return 0;
	}
	if (*s->at == 'x' && strspn(s->at + 1, "0123456789abcdefABCDEF") >= 2 &&
	    sscanf(s->at + 1, "%2x", &byte) == 1 && byte) {
		put(s, (char)byte);
		s->at += 3;
		return 0;
	}
	return error_usage("unknown escape '\\%.1s' in $'...' (n r t a b e f v \\ ' \" xHH)",
			   s->at);
}

static int escape_quoted(struct splitter *s)
{
	int rc = 0;

	while (*s->at && *s->at != '\'' && !rc) {
		if (*s->at != '\\') {
			put(s, *s->at++);
			continue;
		}
		s->at++;
		rc = escape(s);
	}
	if (rc)
		return rc;
	return *s->at++ ? 0 : unclosed("$'");
}

/* What is not a blank, up to the next part of the word. */
static int part(struct splitter *s)
{
	char c = *s->at++;

	if (c == '\'')
		return single_quoted(s);
	if (c == '"')
		return double_quoted(s);
	if (c == '$' && *s->at == '\'') {
		s->at++;
		return escape_quoted(s);
	}
	if (c == '\\') {
		if (!*s->at)
			return error_usage("a backslash at the end");
		if (*s->at != '\n') /* else the line goes on */
			put(s, *s->at);
		s->at++;
		return 0;
	}
	if (strchr(SHELL_ONLY, c))
		return error_usage("'%c' means something to a shell only: quote it, or say "
				   "shell = yes",
				   c);
	put(s, c);
	return 0;
}

static int add_word(struct splitter *s)
{
	char **bigger = reallocarray(s->words, s->count + 2, sizeof(*bigger));

	if (!bigger)
		return error_no_memory();
	s->words = bigger;
	s->words[s->count] = strndup(s->word, s->n);
	if (!s->words[s->count])
		return error_no_memory();
	s->words[++s->count] = NULL;
	s->n = 0;
	return 0;
}

/* Skips what separates words; a backslash before a newline is nothing at all. */
static void skip(struct splitter *s)
{
	for (;;) {
		s->at += strspn(s->at, BLANKS);
		if (strncmp(s->at, "\\\n", 2))
			return;
		s->at += 2;
	}
}

int command_words_split(const char *line, char ***ret)
{
	struct splitter s = { .at = line, .word = malloc(strlen(line) + 1) };
	int rc = s.word ? 0 : error_no_memory();

	while (!rc) {
		skip(&s);
		if (!*s.at)
			break;
		while (!rc && *s.at && !strchr(BLANKS, *s.at))
			rc = part(&s);
		if (!rc)
			rc = add_word(&s);
	}
	free(s.word);
	if (!rc && (!s.words || !*s.words[0]))
		rc = error_usage("no program's name");
	if (rc)
		command_words_free(s.words);
	else
		*ret = s.words;
	return rc;
}

void command_words_free(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}

static bool executable(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

bool command_words_found(const char *program)
{
	const char *path = getenv("PATH");
	char file[4096];

	if (strchr(program, '/'))
		return executable(program);
	for (path = path ? path : "/bin:/usr/bin"; path;
	     path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
		int folder = (int)strcspn(path, ":");

		if (snprintf(file, sizeof(file), "%.*s/%s", folder ? folder : 1,
			     folder ? path : ".", program) < (int)sizeof(file) &&
		    executable(file))
			return true;
	}
	return false;
}
