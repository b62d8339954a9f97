/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every machine of tests/machines/: laid out, read through the readers of hw, and what they tell
 * compared with NAME.expect. IDLE_TEST_WRITE=1 writes the .expect files instead; look at what
 * changed in them before you commit it.
 */
#include "layout.h"
#include "hw/energy.h"
#include "hw/energy_math.h"
#include "hw/governor.h"
#include "hw/host.h"
#include "hw/topology.h"
#include <glob.h>
#include <inttypes.h>

#define ZONES_MAX 64
#define WINDOW_NS UINT64_C(10000000000)

/* Prints @text with the machine's folder as ROOT, which differs from run to run. */
static void put_clean(FILE *out, const struct machine *machine, const char *text)
{
	size_t length = strlen(machine->dir);

	for (const char *at = text; *at;) {
		if (!strncmp(at, machine->dir, length)) {
			fputs("ROOT", out);
			at += length;
		} else {
			fputc(*at++, out);
		}
	}
	fputc('\n', out);
}

static void put_error(FILE *out, const struct machine *machine, const char *what)
{
	fprintf(out, "%s: ", what);
	put_clean(out, machine, error_text());
}

static void put_governors(FILE *out, const struct machine *machine)
{
	char name[64], driver[64];
	struct governor_list list;
	const char *path;

	if (governor_current(&machine->root, name) || governor_available(&machine->root, &list) ||
	    governor_driver(&machine->root, driver, sizeof(driver))) {
		put_error(out, machine, "governors refused");
		return;
	}
	fprintf(out, "driver %s, governor %s, offered:", driver, name);
	for (int i = 0; i < list.n; i++)
		fprintf(out, " %s", list.name[i]);
	fputc('\n', out);
	if (governor_writable(&machine->root, &path))
		put_error(out, machine, "cannot switch");
}

static void put_topology(FILE *out, const struct machine *machine)
{
	struct topology *topology;
	struct cpulist cpus;
	char *text;

	if (topology_load(&machine->root, &topology)) {
		put_error(out, machine, "topology refused");
		return;
	}
	assert_int_equal(topology_cpus(topology, &cpus), 0);
	text = cpulist_format(&cpus);
	fprintf(out, "cpus %s: %d cores, %d packages%s\n", text, topology_core_count(topology),
		topology_package_count(topology), topology_has_smt(topology) ? ", smt" : "");
	free(text);
	cpulist_free(&cpus);
	topology_free(topology);
}

/* The facts of host.ini that these machines vary. */
static void put_host(FILE *out, const struct machine *machine)
{
	static const char *const key[] = { "smt = ",
					   "cpufreq_driver = ",
					   "cpufreq_governor = ",
					   "energy_performance_preference = ",
					   "turbo = ",
					   "resume_latency_limit_us = ",
					   "c1_demotion = ",
					   "guest_halt_poll_ns = " };
	char *text, *save = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	assert_non_null(memory);
	assert_int_equal(host_write(&machine->root, memory), 0);
	fclose(memory);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
			if (!strncmp(line, key[i], strlen(key[i])))
				fprintf(out, "%s\n", line);
	free(text);
}

static void put_value(FILE *out, struct cpuidle_value value)
{
	if (value.known)
		fprintf(out, "%" PRIu64, value.value);
	else
		fputc('?', out);
}

/* Sums of a group's counters; only what is not 0, and the names of those that are missing. */
static void put_counters(FILE *out, struct cpuidle *cpuidle, const struct cpuidle_group *group,
			 int s)
{
	struct cpuidle_value sum[CPUIDLE_COUNTERS];
	struct cpuidle_reading reading;

	for (int c = 0; c < CPUIDLE_COUNTERS; c++)
		sum[c] = (struct cpuidle_value){ .known = true };
	for (size_t i = 0; i < cpuidle->n; i++) {
		if (!cpulist_has(&group->cpus, cpuidle->cpu[i].cpu))
			continue;
		if (cpuidle_read(cpuidle, i, &reading)) {
			fprintf(out, " unreadable");
			return;
		}
		for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
			sum[c].known &= reading.counter[s][c].known;
			sum[c].value += reading.counter[s][c].value;
		}
	}
	for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
		if (sum[c].known && !sum[c].value)
			continue;
		fprintf(out, " %s=", cpuidle_counter_file[c]);
		put_value(out, sum[c]);
	}
}

/* On which CPUs of the group state @s is disabled. */
static void put_mask(FILE *out, const struct cpuidle *cpuidle, const struct cpuidle_group *group,
		     int s)
{
	struct cpulist off = { .n = 0 };
	char *text;

	for (size_t i = 0; i < cpuidle->n; i++) {
		const struct cpuidle_cpu *cpu = &cpuidle->cpu[i];

		if (cpulist_has(&group->cpus, cpu->cpu) && cpu->state[s].disabled.value)
			assert_int_equal(cpulist_add(&off, cpu->cpu), 0);
	}
	text = cpulist_format(&off);
	if (off.n)
		fprintf(out, " disabled on cpus %s", text);
	if (!group->table->state[s].disabled.known)
		fprintf(out, " disable=?");
	free(text);
	cpulist_free(&off);
}

static void put_group(FILE *out, struct cpuidle *cpuidle, const struct cpuidle_group *group)
{
	char *text = cpulist_format(&group->cpus);
	int usable = cpuidle_usable(group->table);

	fprintf(out, "states of cpus %s:%s\n", text,
		usable < 2 ? " governors cannot differ, fewer than two usable states" : "");
	free(text);
	for (int s = 0; s < group->table->states; s++) {
		const struct cpuidle_state *state = &group->table->state[s];

		fprintf(out, "  %d '%s' ", state->index, state->name);
		put_value(out, state->latency_us);
		fputc('/', out);
		put_value(out, state->residency_us);
		fprintf(out, " '%s'%s", state->desc, state->polling ? " polling" : "");
		put_mask(out, cpuidle, group, s);
		if (strcmp(state->default_status, "enabled"))
			fprintf(out, " default_status=%s",
				state->default_status[0] ? state->default_status : "?");
		put_counters(out, cpuidle, group, s);
		fputc('\n', out);
	}
}

/* The counters now, as if all were read at @t_ns. */
static struct cpuidle_reading *read_all(struct cpuidle *cpuidle, uint64_t t_ns)
{
	struct cpuidle_reading *reading = calloc(cpuidle->n, sizeof(*reading));

	assert_non_null(reading);
	for (size_t i = 0; i < cpuidle->n; i++) {
		if (cpuidle_read(cpuidle, i, &reading[i])) {
			free(reading);
			return NULL;
		}
		reading[i].t_before_ns = reading[i].t_after_ns = t_ns;
	}
	return reading;
}

/* The window of 10 s at whose end the machine looks as [later] says. */
static void put_window(FILE *out, const struct machine *machine, const char *file,
		       struct cpuidle *cpuidle)
{
	uint64_t hash = cpuidle_table_hash(cpuidle);
	struct cpuidle_reading *first = read_all(cpuidle, 0), *last;

	if (!first) {
		put_error(out, machine, "counters refused");
		return;
	}
	layout_apply(machine->dir, file, true);
	last = read_all(cpuidle, WINDOW_NS);
	if (!last) {
		put_error(out, machine, "window void");
	} else {
		for (size_t i = 0; i < cpuidle->n; i++)
			if (cpuidle_check_window(&cpuidle->cpu[i], &first[i], &last[i]))
				put_error(out, machine, "window void");
	}
	if (cpuidle_reopen(cpuidle))
		put_error(out, machine, "tables after the window");
	else if (cpuidle_table_hash(cpuidle) != hash)
		fprintf(out, "tables after the window: the disable bits are others\n");
	free(first);
	free(last);
}

static void put_states(FILE *out, const struct machine *machine, const char *file)
{
	struct cpuidle_group *group;
	struct cpuidle *cpuidle;
	struct cpulist online;
	char text[4096];
	size_t groups;

	assert_true(root_read(&machine->root, "sys/devices/system/cpu/online", text,
			      sizeof(text)) >= 0);
	if (cpulist_parse(text, &online)) {
		put_error(out, machine, "online refused");
		return;
	}
	if (cpuidle_open(&machine->root, &online, &cpuidle)) {
		put_error(out, machine, "states refused");
		cpulist_free(&online);
		return;
	}
	assert_int_equal(cpuidle_groups(cpuidle, &group, &groups), 0);
	for (size_t g = 0; g < groups; g++)
		put_group(out, cpuidle, &group[g]);
	cpuidle_groups_free(group, groups);
	put_window(out, machine, file, cpuidle);
	cpuidle_close(cpuidle);
	cpulist_free(&online);
}

static void put_limits(FILE *out, const struct machine *machine)
{
	char *text = NULL;

	assert_int_equal(energy_limits(&machine->root, &text), 0);
	if (text)
		fprintf(out, "limits: %s\n", text);
	free(text);
}

static void put_zones(FILE *out, const struct machine *machine, const struct energy *energy)
{
	for (size_t i = 0; i < energy_zones(energy); i++) {
		const struct energy_zone *zone = energy_zone(energy, i);

		fprintf(out, "zone %s (%s)%s range %" PRIu64 " uJ, ceiling %g W, read at cpu %d\n",
			zone->label, zone->place, zone->in_package ? " in package power," : "",
			zone->range_uj, zone->ceiling_w, zone->cpu);
	}
	if (energy_reason(energy)) {
		fputs("no package power: ", out);
		put_clean(out, machine, energy_reason(energy));
	}
	if (energy_note(energy)[0]) {
		fputs("note: ", out);
		put_clean(out, machine, energy_note(energy));
	}
}

static void read_zones(const struct energy *energy, uint64_t t_ns, struct energy_reading *ret)
{
	energy_read(energy, ret);
	for (size_t i = 0; i < energy_zones(energy); i++)
		ret[i].t_ns = t_ns;
}

/* Energy of the same window; for a machine laid out anew, as put_window() has moved it on. */
static void put_energy(FILE *out, const struct machine *machine, const char *file)
{
	struct energy_reading first[ZONES_MAX], last[ZONES_MAX];
	struct energy_power power;
	struct energy *energy;
	uint64_t uj;

	if (energy_open(&machine->root, ENERGY_AUTO, &energy)) {
		put_error(out, machine, "energy refused");
		return;
	}
	assert_true(energy_zones(energy) <= ZONES_MAX);
	put_limits(out, machine);
	put_zones(out, machine, energy);
	read_zones(energy, 0, first);
	layout_apply(machine->dir, file, true);
	read_zones(energy, WINDOW_NS, last);
	for (size_t i = 0; i < energy_zones(energy); i++) {
		const struct energy_zone *zone = energy_zone(energy, i);

		if (energy_delta(zone, &first[i], &last[i], &uj))
			put_error(out, machine, "10 s");
		else
			fprintf(out, "10 s: %s %" PRIu64 " uJ\n", zone->label, uj);
	}
	if (energy_package(energy, first, last, &power))
		put_error(out, machine, "10 s: package power unknown");
	else
		fprintf(out, "10 s: package power %.6f J / %.3f s = %.3f W\n", power.joules,
			power.seconds, power.watts);
	if (energy_vet(energy, first, last) > 0 && energy_reason(energy)) {
		fputs("no package power after vetting: ", out);
		put_clean(out, machine, energy_reason(energy));
	}
	energy_close(energy);
}

/* All that the readers tell of the machine, malloc'ed. */
static char *dump(const char *file)
{
	struct machine machine = layout_make(file);
	bool powercap = root_exists(&machine.root, "sys/class/powercap");
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	put_governors(out, &machine);
	put_topology(out, &machine);
	put_host(out, &machine);
	put_states(out, &machine, file);
	machine_free(&machine);
	if (powercap) {
		machine = layout_make(file);
		put_energy(out, &machine, file);
		machine_free(&machine);
	}
	assert_int_equal(fclose(out), 0);
	return text;
}

static void check_machine(void **state)
{
	const char *file = *state;
	char *text = dump(file), *expected, path[256];
	size_t size, same = 0;

	snprintf(path, sizeof(path), "%.*s.expect", (int)(strlen(file) - strlen(".ini")), file);
	if (getenv("IDLE_TEST_WRITE")) {
		FILE *out = fopen(path, "w");

		assert_non_null(out);
		fputs(text, out);
		assert_int_equal(fclose(out), 0);
	}
	if (file_read(path, &expected, &size))
		fail_msg("%s", error_text());
	if (strcmp(text, expected)) {
		for (size_t i = 0; text[i] && text[i] == expected[i]; i++)
			if (text[i] == '\n')
				same = i + 1;
		fail_msg("%s\n expected: %.*s\n got:      %.*s", path,
			 (int)strcspn(expected + same, "\n"), expected + same,
			 (int)strcspn(text + same, "\n"), text + same);
	}
	free(expected);
	free(text);
}

/* Each description begins with the reason why that machine is here. */
static void first_line_says_why(void **state)
{
	const glob_t *file = *state;
	char line[256];

	for (size_t i = 0; i < file->gl_pathc; i++) {
		FILE *in = fopen(file->gl_pathv[i], "r");

		assert_non_null(in);
		assert_non_null(fgets(line, sizeof(line), in));
		fclose(in);
		if (strncmp(line, "# ", 2) || strlen(line) < 20)
			fail_msg("%s: the first line does not say why", file->gl_pathv[i]);
	}
}

int main(void)
{
	struct CMUnitTest *test;
	glob_t file;
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (glob("tests/machines/*.ini", 0, NULL, &file)) {
		fprintf(stderr, "no tests/machines/*.ini: run it from the project's root\n");
		return 1;
	}
	test = calloc(file.gl_pathc + 1, sizeof(*test));
	if (!test)
		return 1;
	test[0] = (struct CMUnitTest){ .name = "the first line says why",
				       .test_func = first_line_says_why,
				       .initial_state = &file };
	for (size_t i = 0; i < file.gl_pathc; i++)
		test[i + 1] = (struct CMUnitTest){ .name = strrchr(file.gl_pathv[i], '/') + 1,
						   .test_func = check_machine,
						   .initial_state = file.gl_pathv[i] };
	failed = _cmocka_run_group_tests("machines", test, file.gl_pathc + 1, NULL, NULL);
	free(test);
	globfree(&file);
	return failed;
}
