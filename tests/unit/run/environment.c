/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of the environment stays, for root and for anybody else. Every row of both lists is tried,
 * and names that only look like an allowed one.
 */
#include "run/environment.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const harmless[] = { "HOME",
					"TMPDIR",
					"TERM",
					"TZ",
					"LANG",
					"LANGUAGE",
					"LC_ALL",
					"LC_NUMERIC",
					"GDFONTPATH",
					"LC_CTYPE",
					"GNUPLOT_FONTPATH",
					"GNUPLOT_DEFAULT_GDFONT" };
static const char *const own[] = { "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS",
				   "TSAN_OPTIONS", "UBSAN_OPTIONS" };
static const char *const harmful[] = {
	"LD_PRELOAD",	      "LD_AUDIT",      "GCONV_PATH",	"BASH_ENV", "ENV",
	"PYTHONPATH",	      "PYTHONSTARTUP", "HWLOC_XMLFILE", "IFS",	    "HWLOC_PLUGINS_PATH",
	"GLIBC_TUNABLES",     "MALLOC_TRACE",  "LOCPATH",	"NLSPATH",  "GNUPLOT_LIB",
	"GNUPLOT_DRIVER_DIR", "SUDO_COMMAND",  "PERL5LIB",	"LC",	    "LANGUAGES",
	"TERMINFO",	      "HOMES",	       "XTERM",		"TZDIR",    "OPENSSL_CONF",
};

#define N(list) (sizeof(list) / sizeof((list)[0]))

static size_t count(void)
{
	size_t n = 0;

	while (environ && environ[n])
		n++;
	return n;
}

static void set_all(const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(setenv(name[i], "word", 1), 0);
}

static int fill(void **state)
{
	(void)state;
	clearenv();
	set_all(harmless, N(harmless));
	set_all(own, N(own));
	set_all(harmful, N(harmful));
	setenv("PATH", "/home/somebody/bin:/usr/bin", 1);
	return 0;
}

static void root_keeps_what_is_harmless(void **state)
{
	(void)state;
	assert_int_equal(environment_clean(true, NULL), 0);
	for (size_t i = 0; i < N(harmless); i++)
		assert_string_equal(getenv(harmless[i]), "word");
	assert_string_equal(getenv("PATH"), ENVIRONMENT_SAFE_PATH);
	assert_int_equal(count(), N(harmless) + 1);
}

static void others_keep_their_path(void **state)
{
	(void)state;
	assert_int_equal(environment_clean(false, NULL), 0);
	for (size_t i = 0; i < N(harmless); i++)
		assert_string_equal(getenv(harmless[i]), "word");
	for (size_t i = 0; i < N(own); i++)
		assert_string_equal(getenv(own[i]), "word");
	assert_string_equal(getenv("PATH"), "/home/somebody/bin:/usr/bin");
	assert_int_equal(count(), N(harmless) + N(own) + 1);
}

static void home_is_replaced(void **state)
{
	(void)state;
	assert_int_equal(environment_clean(true, "/home/somebody"), 0);
	assert_string_equal(getenv("HOME"), "/home/somebody");
	unsetenv("HOME");
	assert_int_equal(environment_clean(true, "/home/else"), 0);
	assert_string_equal(getenv("HOME"), "/home/else");
}

/* The value that root takes, and the one that it does not. */
static void check_value(const char *name, const char *good, const char *bad)
{
	setenv(name, good, 1);
	assert_int_equal(environment_clean(true, NULL), 0);
	assert_string_equal(getenv(name), good);
	setenv(name, bad, 1);
	assert_int_equal(environment_clean(false, NULL), 0);
	assert_string_equal(getenv(name), bad);
	assert_int_equal(environment_clean(true, NULL), 0);
	assert_null(getenv(name));
}

static void values_that_name_files(void **state)
{
	(void)state;
	check_value("LANG", "de_DE.UTF-8@euro", "../../home/somebody/locale");
	check_value("LC_MESSAGES", "C.UTF-8", "%s");
	check_value("TERM", "xterm-256color", "/home/somebody/term");
	check_value("TZ", "Europe/Berlin", "/home/somebody/zone");
	check_value("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", ":/home/somebody/zone");
	check_value("TZ", "", "Europe/../../../home/somebody/zone");
}

static void odd_environments(void **state)
{
	static char bare[] = "LD_PRELOAD", empty[] = "=x", twice1[] = "TERM=a", twice2[] = "TERM=b";
	char *odd[] = { bare, empty, twice1, twice2, NULL }, *none[] = { NULL };

	(void)state;
	environ = none;
	assert_int_equal(environment_clean(true, NULL), 0);
	assert_int_equal(count(), 1);
	environ = odd;
	assert_int_equal(environment_clean(true, NULL), 0);
	assert_int_equal(count(), 2);
	assert_non_null(getenv("TERM"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(root_keeps_what_is_harmless, fill),
		cmocka_unit_test_setup(others_keep_their_path, fill),
		cmocka_unit_test_setup(home_is_replaced, fill),
		cmocka_unit_test_setup(values_that_name_files, fill),
		cmocka_unit_test_setup(odd_environments, fill),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
