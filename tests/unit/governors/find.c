/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of governors: the suite's own, those of list threads, and "family@release" for every
 * release at which the rules changed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "governors/governor.h"
#include "lib/error.h"
#include <string.h>

static void is(const char *name, const char *want)
{
	const struct governor *g = governor_find(name);

	if (!g)
		print_message("# %s: %s\n", name, error_text());
	assert_non_null(g);
	assert_string_equal(g->name, want);
}

static void refused(const char *name, const char *why)
{
	error_clear();
	assert_null(governor_find(name));
	assert_true(error_is_usage());
	if (!strstr(error_text(), why))
		print_message("# %s\n", error_text());
	assert_non_null(strstr(error_text(), why));
}

static void own_names(void **state)
{
	size_t n = 0;

	(void)state;
	for (; governor_list[n]; n++) {
		is(governor_list[n]->name, governor_list[n]->name);
		assert_non_null(governor_list[n]->about);
		assert_non_null(governor_list[n]->select);
		assert_non_null(governor_list[n]->reflect);
	}
	assert_int_equal(n, 22);
}

static void names_of_threads(void **state)
{
	(void)state;
	is("rjw", "teo-6.6");
	is("teo-6.6-rjw", "teo-6.6");
	is("ladder-old", "ladder");
}

static void releases(void **state)
{
	static const char *const pair[][2] = {
		{ "teo@5.13", "teo-5.13" },
		{ "teo@5.14", "teo-5.13" },
		{ "teo@5.15", "teo-6.1" },
		{ "teo@6.2", "teo-6.1" },
		{ "teo@6.3", "teo-6.3" },
		{ "teo@6.5-rc4", "teo-6.3" },
		{ "teo@6.6", "teo-6.6" },
		{ "teo@6.10.14", "teo-6.6" },
		{ "teo@6.11", "teo-6.12" },
		{ "teo@6.13", "teo-6.12" },
		{ "teo@6.14", "teo-6.14" },
		{ "teo@6.18", "teo-6.14" },
		{ "teo@6.19", "teo-6.19" },
		{ "teo@7.0-rc3", "teo-7.0" },
		{ "teo@9.1", "teo-7.0" },
		{ "menu@5.10", "menu-6.1" },
		{ "menu@6.5", "menu-6.1" },
		{ "menu@6.12", "menu-6.6" },
		{ "menu@6.14", "menu-6.13" },
		{ "menu@6.16", "menu-6.15" },
		{ "menu@6.17", "menu-6.17" },
		{ "menu@6.18", "menu-6.18" },
		{ "menu@6.19", "menu-6.19" },
		{ "menu@7.0", "menu-7.0" },
		{ "ladder@6.1", "ladder" },
		{ "haltpoll@6.8", "haltpoll-6.1" },
		{ "haltpoll@6.9", "haltpoll-6.12" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++)
		is(pair[i][0], pair[i][1]);
}

static void family_alone_is_its_newest(void **state)
{
	(void)state;
	is("teo", "teo-7.0");
	is("menu", "menu-7.0");
	is("haltpoll", "haltpoll-6.12");
	is("ladder", "ladder");
	is("oracle", "oracle");
}

static void before_the_first_release(void **state)
{
	(void)state;
	refused("teo@5.12", "modelled from release 5.13 on");
	refused("menu@4.19", "modelled from release 5.0 on");
	refused("haltpoll@5.3", "modelled from release 5.4 on");
}

static void nonsense(void **state)
{
	(void)state;
	refused("teo@six", "no kernel release");
	refused("teo@", "no kernel release");
	refused("teo@6", "no kernel release");
	refused("teo-6.13", "unknown governor 'teo-6.13' (did you mean 'teo@6.13'?)");
	refused("tea-6.14", "(did you mean 'teo-6.14'?)");
	refused("", "unknown governor ''");
	refused("@6.1", "unknown governor '@6.1'");
	refused("nobody@6.1", "unknown governor");
	refused("te\no", "unknown governor 'te?o'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_names),
		cmocka_unit_test(names_of_threads),
		cmocka_unit_test(releases),
		cmocka_unit_test(family_alone_is_its_newest),
		cmocka_unit_test(before_the_first_release),
		cmocka_unit_test(nonsense),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
