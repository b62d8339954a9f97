/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the runner has to know of a machine before it can plan (analysis/simulate.h). */
#include "analysis/simulate.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "model/model.h"
#include "store/record.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FNV-1a, 32 bits (Fowler, Noll, Vo): machines of one name with other constants are told apart. */
static uint32_t checksum(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_archive(const char *path)
{
	size_t n = strlen(path);

	return (n > 4 && !strcmp(path + n - 4, ".tgz")) ||
	       (n > 7 && !strcmp(path + n - 7, ".tar.gz"));
}

int simulate_machine(const struct simulate_request *request, struct machine *ret)
{
	char *text, folder[PATH_MAX];
	int err;

	if (is_archive(request->machine))
		return error_usage("%s is an archive: unpack it (tar xf) and give the folder",
				   request->machine);
	if (!is_folder(request->machine))
		return machine_load(request->machine, request->set, request->sets, ret);
	/* "." and "dump/" have a name, too. */
	if (!realpath(request->machine, folder))
		return error_set(-errno, "%s: %m", request->machine);
	err = simulate_dump(request->machine, &text);
	if (!err) {
		err = machine_load_text(folder, text, request->set, request->sets, ret);
		free(text);
	}
	return err;
}

static int write_text(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return file_write_atomic(path, text, strlen(text));
}

/* Those of --governors by their full names, one that is named twice (an A/A control) twice; then
 * those from shared objects. */
static void put_governors(const struct simulate_request *request, FILE *out)
{
	const struct governor_set *set = &request->governors;
	char *copy = strdup(request->list), *rest = copy, *name;
	bool told[GOVERNOR_LOAD_MAX] = { false };
	const char *comma = "";

	while ((name = strsep(&rest, ","))) {
		bool all = !strcmp(name, "all");
		const struct governor *one = all ? NULL : governor_find(name);

		for (size_t i = 0; i < set->n; i++) {
			if (set->governor[i] != one && (!all || told[i]))
				continue;
			fprintf(out, "%s%s", comma, set->governor[i]->name);
			told[i] = true;
			comma = ",";
		}
	}
	for (size_t i = 0; i < set->n; i++) {
		if (!told[i])
			fprintf(out, "%s%s", comma, set->governor[i]->name);
		comma = ",";
	}
	free(copy);
}

static char *governor_names(const struct simulate_request *request)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_governors(request, out);
	return fclose(out) ? NULL : text;
}

static void put_answer(const struct simulate_request *request, const struct machine *machine,
		       uint32_t hash, FILE *out)
{
	char text[512] = "", *names = governor_names(request);
	size_t used = 0;

	fputs("[answer]\n", out);
	record_put(out, "governors", names);
	free(names);
	for (int k = 0; k < MODEL_KINDS; k++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", k ? " " : "",
					 model_workload_name((enum model_kind)k));
	record_put(out, "workloads", text);
	record_put(out, "power",
		   machine->model.has_energy
			   ? "modelled, from the machine's constants"
			   : "none: the powers of the modelled machine are not known");
	snprintf(text, sizeof(text), "%s, constants %08x", machine->name, hash);
	record_put(out, "model", text);
	snprintf(text, sizeof(text), "%.17g", machine->model.unit_ns);
	record_put(out, "unit_ns", text);
}

static int write_answer(const struct simulate_request *request, const struct machine *machine,
			uint32_t hash)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = 0;

	if (!out)
		return error_no_memory();
	put_answer(request, machine, hash, out);
	if (fclose(out))
		err = error_no_memory();
	if (!err)
		err = write_text(request->prepare, "answer.ini", text);
	free(text);
	return err;
}

/* Before the first cell: model_run() refuses them, too. */
static int check_governors(const struct governor_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (!strncmp(set->governor[i]->family, "oracle", 6))
			return error_usage("%s knows the future, which a load that waits for its "
					   "own wakes does not have; replay has oracles",
					   set->governor[i]->name);
	return 0;
}

static int check_cpufreq(const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	enum model_cpufreq governor;
	int err = copy ? 0 : error_no_memory();

	while (!err && (name = strsep(&rest, ",")))
		err = model_cpufreq_parse(name, &governor);
	free(copy);
	return err ? error_prefix(err, "--cpufreq-governors: ") : 0;
}

int simulate_prepare(const struct simulate_request *request, const struct machine *machine)
{
	char root[PATH_MAX];
	char *constants = simulate_constants(machine, NULL);
	char *lines = simulate_constants(machine, "model");
	uint32_t hash = constants ? checksum(constants) : 0;
	int err = constants && lines ? 0 : error_no_memory();

	snprintf(root, sizeof(root), "%s/root", request->prepare);
	if (!err)
		err = check_governors(&request->governors);
	if (!err && request->cpufreq)
		err = check_cpufreq(request->cpufreq);
	if (!err && !machine->model.has_energy)
		log_info("%s: its powers are not known: there will be no package power",
			 machine->name);
	if (!err)
		err = simulate_lay_out(machine, &request->governors, hash, root);
	if (!err)
		err = write_text(request->prepare, "machine.ini", constants);
	if (!err)
		err = write_text(request->prepare, "model.txt", lines);
	if (!err)
		err = write_answer(request, machine, hash);
	free(constants);
	free(lines);
	return err;
}
