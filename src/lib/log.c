/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for people, on stderr. A line is written under the stream's lock, so that two threads'
 * lines do not mix.
 */
#include "lib/log.h"

#include <stdarg.h>
#include <stdio.h>

static bool quiet_mode;

void log_set_quiet(bool quiet)
{
	quiet_mode = quiet;
}

static void print_line(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void print_line(const char *prefix, const char *format, va_list args)
{
	flockfile(stderr);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	putc_unlocked('\n', stderr);
	funlockfile(stderr);
}

void log_info(const char *format, ...)
{
	va_list args;

	if (quiet_mode)
		return;
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
