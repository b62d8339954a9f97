/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake machine of the input's making: idle states and their counters, governors, latency limits.
 * The tree is refused or read; what is read keeps the promises of the headers.
 */
#include "fuzz.h"
#include "hw/cpuidle.h"
#include "hw/governor.h"
#include "hw/qos.h"
#include "tree.h"

#define CPUS_MAX 32 /* more only cost time */

/* The online CPUs of the tree, or CPU 0 where it has no usable list. */
static struct cpulist online(const struct root *root)
{
	struct cpulist list = { 0 };
	char text[512];

	if (root_read(root, "sys/devices/system/cpu/online", text, sizeof(text)) < 0 ||
	    cpulist_parse(text, &list) || !list.n || list.n > CPUS_MAX) {
		cpulist_free(&list);
		FUZZ_CHECK(!cpulist_add(&list, 0));
	}
	return list;
}

static void governors(const struct root *root)
{
	char name[GOVERNOR_NAME_MAX], driver[32], reason[256];
	struct governor_list list;
	const char *path;
	int err = governor_current(root, name);

	if (err)
		fuzz_check_error(err);
	else
		FUZZ_CHECK(name[0] && strlen(name) < GOVERNOR_NAME_MAX);
	err = governor_available(root, &list);
	if (err) {
		fuzz_check_error(err);
	} else {
		FUZZ_CHECK(list.n >= 0 && list.n <= GOVERNORS_MAX);
		for (int i = 0; i < list.n; i++)
			FUZZ_CHECK(list.name[i][0]);
		governor_check_typo(&list, "tea");
	}
	err = governor_driver(root, driver, sizeof(driver));
	FUZZ_CHECK(!err || error_text()[0]);
	err = governor_writable(root, &path);
	if (err)
		fuzz_check_error(err);
	reason[0] = '\0';
	governor_missing_reason(root, "ladder", reason, sizeof(reason));
	FUZZ_CHECK(reason[0]);
}

static void check_state(const struct cpuidle_cpu *cpu, int s)
{
	const struct cpuidle_state *state = &cpu->state[s];

	FUZZ_CHECK(state->index >= 0 && (!s || state->index > state[-1].index));
	for (const char *c = state->name; *c; c++)
		FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 0x7f);
	for (const char *c = state->desc; *c; c++)
		FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 0x7f);
}

static void read_twice(struct cpuidle *cpuidle, size_t i)
{
	struct cpuidle_reading first, last;
	int err = cpuidle_read(cpuidle, i, &first);

	if (!err)
		err = cpuidle_read(cpuidle, i, &last);
	if (!err)
		err = cpuidle_check_window(&cpuidle->cpu[i], &first, &last);
	if (err)
		fuzz_check_error(err);
	error_clear();
}

static void limits(const struct root *root, const struct cpuidle *cpuidle,
		   const struct cpulist *cpus)
{
	char where[QOS_WHERE_MAX], text[512];
	struct qos_limit limit;
	struct qos qos;

	FUZZ_CHECK(!qos_read(root, cpus, &qos));
	qos_limit_text(&qos.dma, text);
	limit = qos_smallest_of_all(&qos, where);
	for (size_t i = 0; cpuidle && i < cpuidle->n; i++)
		qos_forbids(&limit, cpuidle->cpu[i].state, cpuidle->cpu[i].states);
	text[0] = '\0';
	if (cpuidle && qos_explain(root, &qos, cpuidle, text, sizeof(text)))
		FUZZ_CHECK(text[0]);
	qos_holders(root, "dev/cpu_dma_latency", text, sizeof(text));
	qos_free(&qos);
}

static void states(struct cpuidle *cpuidle)
{
	struct cpuidle_group *group;
	uint64_t hash = cpuidle_table_hash(cpuidle);
	size_t groups, cpus = 0;

	for (size_t i = 0; i < cpuidle->n; i++) {
		FUZZ_CHECK(cpuidle->cpu[i].states >= 0 &&
			   cpuidle->cpu[i].states <= CPUIDLE_STATES_MAX);
		for (int s = 0; s < cpuidle->cpu[i].states; s++)
			check_state(&cpuidle->cpu[i], s);
		FUZZ_CHECK(cpuidle_usable(&cpuidle->cpu[i]) >= 0);
		read_twice(cpuidle, i);
	}
	FUZZ_CHECK(!cpuidle_groups(cpuidle, &group, &groups));
	for (size_t i = 0; i < groups; i++)
		cpus += group[i].cpus.n;
	FUZZ_CHECK(cpus == cpuidle->n);
	cpuidle_groups_free(group, groups);
	FUZZ_CHECK(!cpuidle_reopen(cpuidle));
	FUZZ_CHECK(cpuidle_table_hash(cpuidle) == hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);
	struct cpulist cpus = online(&tree.root);
	struct cpuidle *cpuidle = NULL;
	int err;

	governors(&tree.root);
	err = cpuidle_open(&tree.root, &cpus, &cpuidle);
	if (err)
		fuzz_check_error(err);
	else
		states(cpuidle);
	limits(&tree.root, cpuidle, &cpus);
	cpuidle_close(cpuidle);
	cpulist_free(&cpus);
	tree_end(&tree);
	return 0;
}
