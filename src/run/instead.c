/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What only a measurement has (CPUs, counters, a budget) is dropped: the model has none of it. */
#include "run/instead.h"
#include "hw/governor.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/privilege.h"
#include "run/verb.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool cannot_switch(const struct options *options, const struct root *root)
{
	const char *path;
	bool current = options->governors && !strcmp(options->governors, "current");
	int err;

	if (current)
		return false;
	privilege_root();
	err = governor_writable(root, &path);
	privilege_user();
	return err != 0;
}

bool instead_wanted(const struct options *options, char *why, size_t size)
{
	char current[GOVERNOR_NAME_MAX];
	struct governor_list offered;
	struct root root;
	bool wanted;

	if (!options->or_simulate || options->command || root_open(options->root, &root))
		return false;
	wanted = governor_current(&root, current) || governor_available(&root, &offered);
	if (!wanted && !offered.n) {
		error_set(-ENODEV, "this kernel offers no idle governor");
		wanted = true;
	}
	if (!wanted)
		wanted = cannot_switch(options, &root);
	snprintf(why, size, "%s", error_text());
	root_close(&root);
	return wanted;
}

static void say_dropped(const struct options *options)
{
	const struct {
		bool given;
		const char *name;
	} dropped[] = {
		{ options->cpus, "--cpus" },
		{ options->power_source, "--power-source" },
		{ options->events, "--event" },
		{ options->budget_ns >= 0, "--for" },
		{ options->next_kernel, "--next-kernel" },
	};

	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		if (dropped[i].given)
			log_warn("%s has no effect on what is simulated", dropped[i].name);
}

int instead_simulate(const struct options *options, const char *why)
{
	struct options o = *options;

	if (o.governors && (!strcmp(o.governors, "available") || !strcmp(o.governors, "current")))
		o.governors = NULL;
	o.root = o.cpus = o.power_source = o.next_kernel = NULL;
	o.events = 0;
	o.budget_ns = -1;
	o.machine = NULL;
	log_warn("this machine cannot be measured: %s", why);
	log_warn("what follows is simulated instead: MODELLED, nothing is measured");
	say_dropped(options);
	return verb_simulate(&o);
}
