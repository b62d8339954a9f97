/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for people, on stderr. A line is written under the stream's lock, so that two threads'
 * lines do not mix.
 */
#include "lib/log.h"
#include "lib/clock.h"
#include "lib/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool quiet_mode;
static int copy_fd = -1;

void log_set_quiet(bool quiet)
{
	quiet_mode = quiet;
}

static void copy_line(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* A line is cut rather than allocated: memory may be what is short. */
static void copy_line(const char *prefix, const char *format, va_list args)
{
	char line[1024];
	int n, more;

	if (copy_fd < 0)
		return;
	clock_wall_text(line, 32);
	n = (int)strlen(line);
	n += snprintf(line + n, sizeof(line) - (size_t)n, " %s", prefix);
	more = vsnprintf(line + n, sizeof(line) - 1 - (size_t)n, format, args);
	n += more < (int)sizeof(line) - 2 - n ? (more > 0 ? more : 0) : (int)sizeof(line) - 2 - n;
	for (int i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = '?';
	line[n++] = '\n';
	file_write_all(copy_fd, line, (size_t)n);
}

static void print_line(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void print_line(const char *prefix, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	copy_line(prefix, format, again);
	va_end(again);
	if (quiet_mode && !*prefix)
		return;
	flockfile(stderr);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	putc_unlocked('\n', stderr);
	funlockfile(stderr);
}

void log_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("", format, args);
	va_end(args);
}

void log_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("warning: ", format, args);
	va_end(args);
}

void log_copy_to(int fd)
{
	copy_fd = fd;
}

void log_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	copy_line("", format, args);
	va_end(args);
}
