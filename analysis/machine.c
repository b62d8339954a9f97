/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file's keys and --set go through the same function, so that a constant can be varied without
 * a copy of the file. A transition energy that is not given is that of break-even: two neighbours
 * cost the same for an idle period of the deeper one's target residency.
 */
#include "analysis/machine.h"
#include "analysis/place.h"
#include "lib/error.h"
#include "lib/ini.h"
#include "lib/units.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct draft {
	struct machine machine;
	bool power[GOVERNOR_STATES_MAX], transition[GOVERNOR_STATES_MAX];
	bool hz;
};

static int parse_time(const char *text, int64_t max, int64_t *ret)
{
	double ns;
	int err = units_parse_time(text, &ns);

	if (err)
		return err;
	if (ns > (double)max)
		return error_usage("'%s' is out of range", text);
	*ret = llrint(ns);
	return 0;
}

static int parse_number(const char *text, double min, double max, double *ret)
{
	double value;
	int err = units_parse_number(text, &value);

	if (err)
		return err;
	if (value < min || value > max)
		return error_usage("'%s' is not from %g to %g", text, min, max);
	*ret = value;
	return 0;
}

static int parse_u32(const char *text, double min, double max, uint32_t *ret)
{
	double value = 0;
	int err = parse_number(text, min, max, &value);

	if (err)
		return err;
	if (value != floor(value))
		return error_usage("'%s' is no whole number", text);
	*ret = (uint32_t)value;
	return 0;
}

static int parse_bit(const char *text, int bit, uint32_t *mask)
{
	if (!strcmp(text, "yes"))
		*mask |= 1u << bit;
	else if (!strcmp(text, "no"))
		*mask &= ~(1u << bit);
	else
		return error_usage("'%s' is neither yes nor no", text);
	return 0;
}

static int set_machine(struct draft *d, const char *key, const char *value)
{
	struct machine *m = &d->machine;
	uint32_t hz;
	double pct;
	int err;

	if (!strcmp(key, "about"))
		return 0;
	if (!strcmp(key, "hz")) {
		err = parse_u32(value, 1, 10000, &hz);
		if (!err) {
			m->table.tick_ns = (1000000000 + hz / 2) / hz;
			d->hz = true;
		}
		return err;
	}
	if (!strcmp(key, "capacity"))
		return parse_u32(value, 1, 1024, &m->table.capacity);
	if (!strcmp(key, "utilisation"))
		return parse_u32(value, 0, 1024, &m->utilisation);
	if (!strcmp(key, "latency_limit"))
		return parse_time(value, GOVERNOR_TIME_MAX_NS, &m->limit_ns);
	if (!strcmp(key, "exit")) {
		err = units_parse_percent(value, &pct);
		if (!err && (pct < 0 || pct > 100))
			err = error_usage("'%s' is not from 0%% to 100%%", value);
		if (!err)
			m->exit_share = pct / 100;
		return err;
	}
	err = model_machine_set(&m->model, key, value);
	return err == -ENOENT ? error_usage("unknown key '%s' of a machine", key) : err;
}

static int set_state(struct draft *d, int i, const char *key, const char *value)
{
	struct governor_table *table = &d->machine.table;
	int err;

	if (!strcmp(key, "latency"))
		return parse_time(value, GOVERNOR_TIME_MAX_NS, &table->latency_ns[i]);
	if (!strcmp(key, "residency"))
		return parse_time(value, GOVERNOR_TIME_MAX_NS, &table->residency_ns[i]);
	if (!strcmp(key, "polling"))
		return parse_bit(value, i, &table->polling);
	if (!strcmp(key, "disabled"))
		return parse_bit(value, i, &d->machine.disabled);
	if (!strcmp(key, "power_w")) {
		err = parse_number(value, 0, 1e6, &table->power_w[i]);
		d->power[i] |= !err;
		return err;
	}
	if (!strcmp(key, "transition_uj")) {
		err = parse_number(value, 0, 1e12, &table->transition_uj[i]);
		d->transition[i] |= !err;
		return err;
	}
	err = model_machine_set_state(&d->machine.model, i, key, value);
	return err == -ENOENT ? error_usage("unknown key '%s' of a state", key) : err;
}

static int state_of(const struct machine *m, const char *name, size_t length)
{
	for (int i = 0; i < m->table.states; i++) {
		if (strlen(m->state[i]) == length && !strncmp(m->state[i], name, length))
			return i;
	}
	return -1;
}

static int add_state(struct machine *m, const char *name)
{
	if (!*name || strlen(name) >= MACHINE_NAME_MAX)
		return error_usage("a state's name has 1 to %d bytes", MACHINE_NAME_MAX - 1);
	if (strchr(name, '=')) /* it becomes the key NAME.latency of a file */
		return error_usage("a state's name has no '='");
	if (state_of(m, name, strlen(name)) >= 0)
		return error_usage("state %s comes twice", name);
	if (m->table.states == GOVERNOR_STATES_MAX)
		return error_usage("more than %d states", GOVERNOR_STATES_MAX);
	strcpy(m->state[m->table.states++], name);
	return 0;
}

static int take_entry(struct draft *d, const struct ini_entry *entry)
{
	bool of_state = !strncmp(entry->section, "state ", 6);

	if (!of_state && strcmp(entry->section, "machine"))
		return error_usage("unknown section [%s]; there are [machine] and [state NAME]",
				   entry->section);
	if (!entry->key)
		return of_state ? add_state(&d->machine, entry->section + 6) : 0;
	if (!of_state)
		return set_machine(d, entry->key, entry->value);
	return set_state(d, d->machine.table.states - 1, entry->key, entry->value);
}

static int unknown_state(const struct machine *m, const char *name, int length)
{
	char list[GOVERNOR_STATES_MAX * (MACHINE_NAME_MAX + 1) + 1] = "";
	size_t used = 0;

	for (int i = 0; i < m->table.states; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, " %s", m->state[i]);
	return error_usage("%s has no state %.*s; there are:%s", m->name, length, name, list);
}

static int take_setting(struct draft *d, const char *setting)
{
	const char *equals = strchr(setting, '='), *dot;
	char key[64];
	int state;

	if (!equals || equals == setting || (size_t)(equals - setting) >= sizeof(key))
		return error_usage("it is not KEY=VALUE");
	snprintf(key, sizeof(key), "%.*s", (int)(equals - setting), setting);
	dot = strrchr(key, '.');
	if (!dot)
		return set_machine(d, key, equals + 1);
	state = state_of(&d->machine, key, (size_t)(dot - key));
	if (state < 0)
		return unknown_state(&d->machine, key, (int)(dot - key));
	return set_state(d, state, dot + 1, equals + 1);
}

static void fill_energy(struct draft *d)
{
	struct governor_table *t = &d->machine.table;

	d->machine.has_energy = true;
	for (int i = 0; i < t->states; i++)
		d->machine.has_energy &= d->power[i];
	for (int i = 1; d->machine.has_energy && i < t->states; i++) {
		if (!d->transition[i])
			t->transition_uj[i] =
				t->transition_uj[i - 1] + (t->power_w[i - 1] - t->power_w[i]) *
								  (double)t->residency_ns[i] / 1e3;
	}
}

/* The model's copy of what both have. */
static int fill_model(struct machine *m)
{
	int err;

	m->model.table = m->table;
	m->model.disabled = m->disabled;
	m->model.limit_ns = m->limit_ns;
	m->model.has_energy = m->has_energy;
	err = model_machine_complete(&m->model, m->exit_share);
	return err ? error_prefix(err, "%s", m->name) : 0;
}

static int is_machine(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 4 && !strcmp(entry->d_name + n - 4, ".ini");
}

/* A name that no file of the folder has: the error names those that there are. */
static int unknown(const char *name, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_machine, alphasort);
	char list[512] = "", quoted[ERROR_QUOTE_SIZE];
	size_t used = 0;

	for (int i = 0; i < n; i++) {
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, " %.*s",
						 (int)strlen(entry[i]->d_name) - 4,
						 entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return error_usage("unknown machine '%s'; there are:%s", error_quote(name, quoted), list);
}

static int find_file(const char *name, char path[PATH_MAX])
{
	size_t n = strlen(name);
	char folder[PATH_MAX];
	int err;

	if (strchr(name, '/') || (n > 4 && !strcmp(name + n - 4, ".ini"))) {
		if (n >= PATH_MAX)
			return error_set(-ENAMETOOLONG, "a machine's path is too long");
		strcpy(path, name);
		return 0;
	}
	err = place_find("configs/machines", "configs/machines", folder);
	if (err)
		return err;
	if (snprintf(path, PATH_MAX, "%s/%s.ini", folder, name) >= PATH_MAX)
		return error_set(-ENAMETOOLONG, "a machine's name is too long");
	return access(path, F_OK) ? unknown(name, folder) : 0;
}

static int finish(struct draft *d, const char *const *set, size_t sets, struct machine *ret)
{
	int err = 0;

	for (size_t i = 0; !err && i < sets; i++) {
		err = take_setting(d, set[i]);
		if (err)
			error_prefix(err, "--set %s", set[i]);
	}
	if (!err && !d->hz)
		err = error_usage("%s: how long a tick is is not known: --hz N", d->machine.name);
	if (err)
		return err;
	fill_energy(d);
	err = fill_model(&d->machine);
	if (!err)
		*ret = d->machine;
	return err;
}

/* The file's without its ending, as much of it as there is room for: no half of a letter. */
static void name_machine(const char *path, char ret[MACHINE_NAME_MAX])
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strcspn(base, ".");
	if (n >= MACHINE_NAME_MAX)
		for (n = MACHINE_NAME_MAX - 1; n && (base[n] & 0xc0) == 0x80; n--)
			;
	if (!n) /* of "/", or of ".ini" */
		snprintf(ret, MACHINE_NAME_MAX, "nameless");
	else
		snprintf(ret, MACHINE_NAME_MAX, "%.*s", (int)n, base);
}

/* Takes @ini, which it frees. */
static int load(const char *name, struct ini *ini, const char *const *set, size_t sets,
		struct machine *ret)
{
	struct draft d = { .machine = { .limit_ns = GOVERNOR_NO_LIMIT_NS,
					.exit_share = 0.5,
					.table = { .capacity = 1024 } } };
	int err = 0;

	model_machine_default(&d.machine.model);
	name_machine(name, d.machine.name);
	for (size_t i = 0; !err && i < ini->n; i++) {
		err = take_entry(&d, &ini->entry[i]);
		if (err)
			error_prefix(err, "%s:%d", ini->path, ini->entry[i].line);
	}
	if (!err && !d.machine.table.states)
		err = error_usage("%s: no [state NAME] in it", ini->path);
	if (!err && !d.hz)
		err = error_usage("%s: no hz in [machine]", ini->path);
	ini_free(ini);
	return err ? err : finish(&d, set, sets, ret);
}

int machine_load(const char *name, const char *const *set, size_t sets, struct machine *ret)
{
	char path[PATH_MAX];
	struct ini ini;
	int err = find_file(name, path);

	if (!err)
		err = ini_load(path, &ini);
	return err ? err : load(name, &ini, set, sets, ret);
}

int machine_load_text(const char *name, const char *text, const char *const *set, size_t sets,
		      struct machine *ret)
{
	struct ini ini;
	int err = ini_load_text(name, text, strlen(text), &ini);

	return err ? err : load(name, &ini, set, sets, ret);
}

int machine_make(const struct machine *base, const char *const *set, size_t sets,
		 struct machine *ret)
{
	struct draft d = { .machine = *base, .hz = base->table.tick_ns };

	model_machine_default(&d.machine.model);
	return finish(&d, set, sets, ret);
}
