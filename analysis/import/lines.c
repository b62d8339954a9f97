/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One buffer for the longest line that is taken; the rest of a longer one is read and forgotten.
 */
#include "analysis/import/lines.h"
#include "lib/error.h"
#include "lib/units.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int lines_open(const char *path, struct lines *ret)
{
	struct lines lines = { 0 };
	struct stat status;
	/* O_NONBLOCK: a FIFO would wait for its writer. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status)) {
		int err = error_set(-errno, "%s: %m", path);

		if (fd >= 0)
			close(fd);
		return err;
	}
	if (!S_ISREG(status.st_mode)) {
		close(fd);
		return error_set(-EINVAL, "%s: not a file", path);
	}
	lines.file = fdopen(fd, "re");
	lines.text = malloc(LINES_MAX + 1);
	if (!lines.file || !lines.text) {
		if (lines.file)
			fclose(lines.file);
		else
			close(fd);
		free(lines.text);
		return error_set(-ENOMEM, "%s: out of memory", path);
	}
	*ret = lines;
	return 0;
}

static bool is_control(int c)
{
	return (c < ' ' && c != '\t') || c == 0x7f;
}

bool lines_next(struct lines *lines)
{
	bool control = false, too_long = false;
	size_t size = 0;
	int c;

	while ((c = getc_unlocked(lines->file)) != EOF && c != '\n') {
		if (size == LINES_MAX) {
			too_long = true;
			continue;
		}
		lines->text[size++] = (char)c;
		/* A carriage return may only stand before the newline. */
		control |= is_control(c) && c != '\r';
		control |= size > 1 && lines->text[size - 2] == '\r';
	}
	if (c == EOF && !size && !too_long)
		return false;
	lines->number++;
	if (c == '\n' && size && lines->text[size - 1] == '\r')
		size--;
	lines->text[size] = '\0';
	lines->fault = control	  ? "not text"
		       : too_long ? "a line of more than 64 KiB"
		       : c == EOF ? "cut off: the last line has no newline"
				  : NULL;
	/* A byte order mark is not part of the first name. */
	if (lines->number == 1 && !strncmp(lines->text, "\xef\xbb\xbf", 3))
		memmove(lines->text, lines->text + 3, size - 2);
	return true;
}

bool lines_next_good(struct lines *lines, struct import_source *source)
{
	while (lines_next(lines)) {
		if (!lines->fault)
			return true;
		import_fault(source, lines->number, "%s", lines->fault);
	}
	return false;
}

void lines_close(struct lines *lines)
{
	fclose(lines->file);
	free(lines->text);
	*lines = (struct lines){ 0 };
}

/* Takes blanks and one pair of quotes off. @end is one behind the cell; written to. */
static char *strip(char *cell, char *end)
{
	while (*cell == ' ')
		cell++;
	while (end > cell && end[-1] == ' ')
		end--;
	if (end - cell >= 2 && *cell == '"' && end[-1] == '"') {
		cell++;
		end--;
	}
	*end = '\0';
	return cell;
}

size_t lines_cut(char *text, char separator, char *cell[LINES_CELLS_MAX + 1])
{
	char *begin = text, *at;
	bool quoted = false;
	size_t n = 0;

	for (at = text;; at++) {
		bool end = !*at;

		quoted ^= *at == '"';
		if (!end && (*at != separator || quoted))
			continue;
		cell[n++] = strip(begin, at);
		if (end || n > LINES_CELLS_MAX)
			return n;
		begin = at + 1;
	}
}

int lines_find(char *const *cell, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(cell[i], name))
			return (int)i;
	return -1;
}

bool lines_u64(const char *text, uint64_t *ret)
{
	return *text && !text[strspn(text, "0123456789")] && !units_parse_count(text, ret);
}

bool lines_number(const char *text, double *ret)
{
	return *text && !units_parse_number(text, ret);
}

bool lines_seconds(const char *text, uint64_t *ret_ns)
{
	size_t whole = strspn(text, "0123456789"), part;
	uint64_t ns = 0;

	if (!whole || whole > 10)
		return false;
	for (size_t i = 0; i < whole; i++)
		ns = ns * 10 + (uint64_t)(text[i] - '0');
	text += whole;
	if (*text)
		text += *text == '.';
	part = strspn(text, "0123456789");
	if (text[part] || part > 9 || (!part && text[-1] == '.'))
		return false;
	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < part ? (uint64_t)(text[i] - '0') : 0);
	*ret_ns = ns;
	return true;
}

bool lines_is_trailer(const char *text)
{
	return !strncmp(text, "Interrupted", 11) || !strncmp(text, "Terminated", 10);
}

double lines_rounding(const char *text)
{
	const char *dot = strchr(text, '.');

	return 0.5 * pow(10, dot ? -(double)strspn(dot + 1, "0123456789") : 0);
}
