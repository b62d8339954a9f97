/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check: the facts of this machine on one screen of 80 columns, or as JSON for a script. With
 * --states the machine is tried instead (run/check_states.h).
 */
#include "lib/error.h"
#include "run/check_states.h"
#include "run/facts.h"
#include "run/verb.h"
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80
#define TEXT_COLUMN 23 /* behind the verdict and the title */

static const char *const status_name[FACTS_VERDICTS] = { "fit", "fit", "doubts", "unfit" };

/* Prints @text from the present column on, broken at blanks, further lines indented. */
static void put_wrapped(const char *text, int column)
{
	int room = COLUMNS - 1 - column;

	while (*text) {
		int length = (int)strlen(text), cut;

		if (length > room) {
			for (cut = room; cut > 0 && text[cut] != ' '; cut--)
				;
			length = cut ? cut : room;
		}
		printf("%.*s\n", length, text);
		text += length;
		text += strspn(text, " ");
		if (*text)
			printf("%*s", column, "");
	}
}

static void value_text(const struct cpuidle_value *value, const char *unit, char text[32])
{
	if (value->known)
		snprintf(text, 32, "%" PRIu64 "%s", value->value, unit);
	else
		snprintf(text, 32, "NA");
}

static void put_table(const struct cpuidle_cpu *cpu)
{
	printf("%*s%-17s%9s%11s  %-9s%s\n", TEXT_COLUMN, "", "name", "latency", "residency",
	       "disabled", "default");
	for (int s = 0; s < cpu->states; s++) {
		const struct cpuidle_state *state = &cpu->state[s];
		char latency[32], residency[32];

		value_text(&state->latency_us, " us", latency);
		value_text(&state->residency_us, " us", residency);
		printf("%*s%-17s%9s%11s  %-9s%s\n", TEXT_COLUMN, "", state->name, latency,
		       residency,
		       !state->disabled.known  ? "NA"
		       : state->disabled.value ? "yes"
					       : "no",
		       state->default_status[0] ? state->default_status : "NA");
	}
}

static void put_screen(const struct facts *f)
{
	int count[FACTS_VERDICTS] = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		const struct fact *fact = &f->fact[i];

		count[fact->verdict]++;
		printf("%-8s %-13s ", facts_verdict_name[fact->verdict], fact->title);
		put_wrapped(*fact->value ? fact->value : "-", TEXT_COLUMN);
		if (fact->action) {
			printf("%*s-> ", TEXT_COLUMN, "");
			put_wrapped(fact->action, TEXT_COLUMN + 3);
		}
		if (fact->group)
			put_table(fact->group->table);
	}
	printf("\n%s: %d ok, %d missing, %d doubt%s%s\n",
	       facts_worst(f) == FACTS_UNFIT   ? "Not usable"
	       : facts_worst(f) == FACTS_DOUBT ? "Usable with doubts"
					       : "Fit",
	       count[FACTS_OK], count[FACTS_MISSING], count[FACTS_DOUBT],
	       count[FACTS_DOUBT] == 1 ? "" : "s",
	       count[FACTS_UNFIT] ? "; governors cannot be compared here" : "");
}

static json_t *json_value(const struct cpuidle_value *value)
{
	return value->known ? json_integer((json_int_t)value->value) : json_null();
}

/* Bytes that are no UTF-8 become '?': sysfs promises nothing. */
static json_t *json_text(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	char *copy;

	if (json || !(copy = strdup(text)))
		return json;
	for (char *c = copy; *c; c++)
		*c = (unsigned char)*c < 128 ? *c : '?';
	json = json_string(copy);
	free(copy);
	return json;
}

static json_t *json_states(const struct cpuidle_cpu *cpu)
{
	json_t *list = json_array();

	for (int s = 0; s < cpu->states; s++) {
		const struct cpuidle_state *state = &cpu->state[s];
		json_t *one = json_object();

		json_object_set_new(one, "index", json_integer(state->index));
		json_object_set_new(one, "name", json_text(state->name));
		json_object_set_new(one, "desc", json_text(state->desc));
		json_object_set_new(one, "polling", json_boolean(state->polling));
		json_object_set_new(one, "latency_us", json_value(&state->latency_us));
		json_object_set_new(one, "residency_us", json_value(&state->residency_us));
		json_object_set_new(one, "disabled",
				    state->disabled.known ? json_boolean(state->disabled.value != 0)
							  : json_null());
		json_object_set_new(
			one, "default_status",
			json_text(state->default_status[0] ? state->default_status : NULL));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *json_groups(const struct facts *f)
{
	json_t *list = json_array();

	for (size_t g = 0; g < f->groups; g++) {
		char *cpus = cpulist_format(&f->group[g].cpus);
		json_t *one = json_object();

		json_object_set_new(one, "cpus", json_text(cpus));
		json_object_set_new(one, "usable", json_integer(cpuidle_usable(f->group[g].table)));
		json_object_set_new(one, "states", json_states(f->group[g].table));
		json_array_append_new(list, one);
		free(cpus);
	}
	return list;
}

static int put_json(const struct facts *f)
{
	json_t *top = json_object(), *list = json_array();
	int err = 0;

	for (size_t i = 0; i < f->n; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "key", json_text(f->fact[i].key));
		json_object_set_new(one, "title", json_text(f->fact[i].title));
		json_object_set_new(one, "value", json_text(f->fact[i].value));
		json_object_set_new(one, "verdict",
				    json_text(facts_verdict_name[f->fact[i].verdict]));
		json_object_set_new(one, "action", json_text(f->fact[i].action));
		json_array_append_new(list, one);
	}
	json_object_set_new(top, "format", json_integer(1));
	json_object_set_new(top, "version", json_text(VERSION));
	json_object_set_new(top, "root", json_text(f->root->live ? "/" : f->root->path));
	json_object_set_new(top, "status", json_text(status_name[facts_worst(f)]));
	json_object_set_new(top, "facts", list);
	json_object_set_new(top, "state_tables", json_groups(f));
	if (json_dumpf(top, stdout, JSON_INDENT(2)))
		err = error_set(-ENOMEM, "the facts cannot be written as JSON");
	else
		putchar('\n');
	json_decref(top);
	return err;
}

static int check_facts(const struct root *root, bool json)
{
	static const int status[FACTS_VERDICTS] = { EXIT_COMPLETE, EXIT_COMPLETE, EXIT_INCOMPLETE,
						    EXIT_ERROR };
	struct facts facts;
	int err = facts_open(root, &facts);

	if (err)
		return err;
	err = facts_all(&facts);
	if (!err && json)
		err = put_json(&facts);
	else if (!err)
		put_screen(&facts);
	if (!err)
		err = status[facts_worst(&facts)];
	facts_close(&facts);
	return err;
}

int verb_check(const struct options *options)
{
	struct root root;
	int err;

	if (options->rests)
		return error_usage("unexpected argument '%s'", options->rest[0]);
	if (options->states && options->root)
		return error_usage("--states tries the real machine; --root reads a dumped one");
	err = root_open(options->root, &root);
	if (err)
		return err;
	err = options->states ? check_states(&root, options->json)
			      : check_facts(&root, options->json);
	root_close(&root);
	return err;
}
