/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The constants' keys: units are needed, ranges hold, what is not given follows from the table. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "made.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void keys(void **state)
{
	struct model_machine m;

	(void)state;
	model_machine_default(&m);
	assert_int_equal(m.packages, 1);
	assert_int_equal(model_machine_set(&m, "cores", "6"), 0);
	assert_int_equal(model_machine_set(&m, "threads", "2"), 0);
	assert_int_equal(model_machine_cpus(&m), 12);
	assert_int_equal(model_machine_set(&m, "wake", "1.5us"), 0);
	assert_int_equal(m.wake_ns, 1500);
	assert_int_equal(model_machine_set(&m, "unit", "1.3ns"), 0);
	assert_true(m.unit_ns == 1.3);
	assert_int_equal(model_machine_set(&m, "smt_speed", "46%"), 0);
	assert_true(m.smt_speed == 0.46);
	assert_int_equal(model_machine_set(&m, "background_rate", "0Hz"), 0);
	assert_true(m.background_hz == 0);
	assert_int_equal(model_machine_set(&m, "floor_w", "1.36"), 0);
	assert_true(m.floor_w == 1.36);
	assert_int_equal(model_machine_set_state(&m, 1, "exit", "17.5us"), 0);
	assert_int_equal(m.exit_ns[1], 17500);
	assert_int_equal(model_machine_set_state(&m, 1, "deep", "yes"), 0);
	assert_int_equal(m.deep, 2);
	assert_int_equal(model_machine_set_state(&m, 1, "deep", "no"), 0);
	assert_int_equal(m.deep, 0);
}

static void refused(void **state)
{
	static const char *const wrong[][2] = {
		{ "cores", "0" },	    { "cores", "1.5" },	     { "wake", "800" },
		{ "smt_speed", "0.5" },	    { "smt_speed", "120%" }, { "floor_w", "-1" },
		{ "background_rate", "1" }, { "poll_step", "0us" },
	};
	struct model_machine m;

	(void)state;
	model_machine_default(&m);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(model_machine_set(&m, wrong[i][0], wrong[i][1]), -EINVAL);
		assert_true(error_is_usage());
	}
	assert_int_equal(model_machine_set(&m, "no_such", "1"), -ENOENT);
	assert_int_equal(model_machine_set_state(&m, 0, "no_such", "1"), -ENOENT);
	assert_int_equal(model_machine_set_state(&m, 0, "deep", "maybe"), -EINVAL);
	assert_int_equal(model_machine_set_state(&m, 0, "entry", "1"), -EINVAL);
}

static void completed(void **state)
{
	struct model_machine m = made_machine();

	(void)state;
	m.exit_ns[2] = 7000;
	assert_int_equal(model_machine_complete(&m, 0.5), 0);
	assert_int_equal(m.exit_ns[0], 0);
	assert_int_equal(m.exit_ns[1], 500);
	assert_int_equal(m.exit_ns[2], 7000);
	assert_int_equal(m.entry_ns[1], 250);
	assert_int_equal(m.entry_ns[2], 3500);
	assert_true(m.has_energy);
}

static void parts_do_not_fit(void **state)
{
	struct model_machine m = made_machine();

	(void)state;
	m.packages = 3;
	assert_int_equal(model_machine_complete(&m, 0.5), -EINVAL);
	m = made_machine();
	m.deep = 1;
	assert_int_equal(model_machine_complete(&m, 0.5), -EINVAL);
	m = made_machine();
	m.cores = MODEL_CPUS_MAX;
	assert_int_equal(model_machine_complete(&m, 0.5), -EINVAL);
	m = made_machine();
	model_machine_default(&m);
	m.has_energy = true;
	assert_int_equal(model_machine_complete(&m, 0.5), 0);
	assert_false(m.has_energy); /* nobody said what work takes */
}

/* Takes the next "word, " of a list. */
static char *next_word(char **list)
{
	char *word = *list, *end = strstr(word, ", ");

	*list = end ? end + 2 : NULL;
	if (end)
		*end = '\0';
	return word;
}

/* docs/model.md has the keys and their defaults: each is one, and it is that. */
static void document_has_defaults(void **state)
{
	FILE *doc = fopen("docs/model.md", "r");
	struct model_machine normal, m;
	char line[400], keys[200], values[200];
	bool inside = false;
	int found = 0;

	(void)state;
	assert_non_null(doc);
	model_machine_default(&normal);
	while (fgets(line, sizeof(line), doc)) {
		char *key = keys, *value = values;

		if (!strncmp(line, "| key of [machine]", 18))
			inside = true;
		else if (*line != '|')
			inside = false;
		if (!inside || sscanf(line, "| %199[^|] | %199[^|] |", keys, values) != 2 ||
		    !strncmp(keys, "key of", 6) || *keys == '-')
			continue;
		keys[strcspn(keys, "\n")] = '\0';
		while (key) {
			char *k = next_word(&key), *v = next_word(&value);

			k[strcspn(k, " ")] = v[strcspn(v, " ")] = '\0';
			found++;
			m = normal;
			if (!strcmp(v, "-"))
				continue;
			if (model_machine_set(&m, k, v))
				fail_msg("docs/model.md: %s = %s: %s", k, v, error_text());
			if (memcmp(&m, &normal, sizeof(m)))
				fail_msg("docs/model.md: %s is not %s by default", k, v);
		}
	}
	fclose(doc);
	assert_int_equal(found, model_machine_keys());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(refused),
		cmocka_unit_test(completed),
		cmocka_unit_test(parts_do_not_fit),
		cmocka_unit_test(document_has_defaults),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
