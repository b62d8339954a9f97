/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suites from text for the tests of run, and what an error must say. Tests run from the project's
 * root.
 */
#ifndef TESTS_UNIT_RUN_SUITES_H
#define TESTS_UNIT_RUN_SUITES_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "run/suite.h"
#include <errno.h>
#include <string.h>

#define HEAD "[suite]\nformat = 1\n"
#define RING "[run a]\nworkload = ping-pong\n"

static inline void assert_says(const char *part)
{
	if (!strstr(error_text(), part))
		fail_msg("the error says '%s', and not '%s'", error_text(), part);
}

/* x.ini with @text is a suite. */
static inline struct suite suite_of(const char *text)
{
	struct suite suite;

	if (suite_parse("x.ini", text, NULL, 0, &suite))
		fail_msg("refused: %s", error_text());
	return suite;
}

#endif
