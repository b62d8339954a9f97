/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate: a suite on a modelled machine. The analysis program has the model; what is a suite, a
 * plan and a campaign is known here. It lays the machine out as a folder with a /sys, on which all
 * of the runner's own code plans as on any other machine, gets the cells that are to be made
 * (run/handover.h), and writes their runs into the folder of the boot.
 */
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "run/adapt.h"
#include "run/campaign.h"
#include "run/handover.h"
#include "run/interrupt.h"
#include "run/report.h"
#include "run/section.h"
#include "run/session.h"
#include "run/verb.h"
#include "store/record.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_MACHINE "i5-10600k"
#define DEFAULT_GOVERNORS "menu,teo,ladder"
#define MACHINE_INI "machine.ini"
#define ARGUMENTS_MAX (2 * (OPTIONS_SET_MAX + OPTIONS_OBJECTS_MAX) + 24)

struct simulation {
	struct options options; /* the user's, completed by what the model answers */
	const char *constant[OPTIONS_SET_MAX]; /* --set of the machine */
	int constants;
	char dir[PATH_MAX]; /* what is handed over, both ways; "" = not made yet */
	char root[PATH_MAX + 8];
	char *governors, *model, *text, *power, *workloads, *reference, *unit;
};

struct arguments {
	char *word[ARGUMENTS_MAX];
	size_t n;
};

static void add(struct arguments *a, const char *name, const char *value)
{
	a->word[a->n++] = (char *)name;
	if (value)
		a->word[a->n++] = (char *)value;
}

/* What both calls of the program begin with. */
static void begin(const struct simulation *s, struct arguments *a)
{
	add(a, "simulate", NULL);
	add(a, "--machine", s->options.machine);
	for (int i = 0; i < s->constants; i++)
		add(a, "--set", s->constant[i]);
	for (int i = 0; i < s->options.objects; i++)
		add(a, "--governor-so", s->options.object[i]);
	if (s->options.quiet)
		add(a, "--quiet", NULL);
}

/* The program has said on stderr what is wrong. */
static int call(const struct arguments *a)
{
	int status = report_program_until(a->word, interrupt_fd());

	if (interrupt_pending())
		return -EINTR;
	return status;
}

/* What no section of the suite has is the machine's. */
static void sort_settings(struct simulation *s, const struct suite *suite)
{
	struct options *o = &s->options;
	int kept = 0;

	for (int i = 0; i < o->sets; i++) {
		if (!strncmp(o->set[i], "machine.", 8))
			s->constant[s->constants++] = o->set[i] + 8;
		else if (section_concerned(suite, o->set[i]))
			o->set[kept++] = o->set[i];
		else
			s->constant[s->constants++] = o->set[i];
	}
	o->sets = kept;
}

/* "menu" stands for the first of "menu-6.1,menu-6.18"; malloc'ed, NULL where there is none. */
static char *find_reference(const char *governors, const char *wanted)
{
	size_t size = strlen(wanted);
	const char *next;

	for (const char *name = governors; *name; name = next + (*next == ',')) {
		next = strchrnul(name, ',');
		if (strncmp(name, wanted, size))
			continue;
		if (name + size == next ||
		    (name[size] == '-' && name[size + 1] >= '0' && name[size + 1] <= '9'))
			return strndup(name, (size_t)(next - name));
	}
	return NULL;
}

static int read_suite(struct simulation *s)
{
	struct options *o = &s->options;
	struct suite suite;
	int err;

	if (!o->suite)
		return error_usage("no --suite; ./runner list suites names them");
	if (o->rests)
		return error_usage("unexpected argument '%s'", o->rest[0]);
	if (o->jobs_given && (o->jobs < 1 || o->jobs > 1024))
		return error_usage("--jobs is 1 to 1024");
	err = suite_load(o->suite, NULL, 0, &suite);
	if (err)
		return err;
	sort_settings(s, &suite);
	if (!o->machine)
		o->machine = DEFAULT_MACHINE;
	if (!o->governors)
		s->governors = strdup(strcmp(suite.governors, "available") &&
						      strcmp(suite.governors, "current")
					      ? suite.governors
					      : DEFAULT_GOVERNORS);
	else
		s->governors = strdup(o->governors);
	if (!s->governors)
		err = error_no_memory();
	if (!o->reference && suite.reference)
		s->reference = strdup(suite.reference);
	suite_free(&suite);
	return err;
}

static int make_folder(struct simulation *s)
{
	const char *parent = getenv("TMPDIR");

	snprintf(s->dir, sizeof(s->dir), "%s/idle-model-XXXXXX",
		 parent && *parent ? parent : "/tmp");
	if (!mkdtemp(s->dir)) {
		int err = error_set(-errno, "%s: %m", s->dir);

		s->dir[0] = '\0';
		return err;
	}
	snprintf(s->root, sizeof(s->root), "%s/root", s->dir);
	s->options.root = s->root;
	return 0;
}

/* answer.ini and model.txt, see analysis/simulate_prepare.h. */
static int read_answer(struct simulation *s)
{
	char path[PATH_MAX + 16];
	struct ini ini;
	size_t size;
	int err;

	snprintf(path, sizeof(path), "%s/answer.ini", s->dir);
	err = ini_load(path, &ini);
	if (err)
		return err;
	free(s->governors);
	s->governors = record_get(&ini, "answer", "governors");
	s->model = record_get(&ini, "answer", "model");
	s->workloads = record_get(&ini, "answer", "workloads");
	s->unit = record_get(&ini, "answer", "unit_ns");
	s->power = record_get(&ini, "answer", "power");
	ini_free(&ini);
	snprintf(path, sizeof(path), "%s/model.txt", s->dir);
	err = file_read(path, &s->text, &size);
	if (err)
		return err;
	if (!s->governors || !s->model || !s->workloads || !s->unit || !s->power)
		return error_set(-EBADMSG, "%s: the model's answer is not whole", s->dir);
	s->options.governors = s->governors;
	s->options.model = s->model;
	s->options.model_text = s->text;
	s->options.model_power = s->power;
	s->options.workloads = s->workloads;
	s->options.unit_ns = strtod(s->unit, NULL);
	return 0;
}

/* The reference is a governor as the user names it, or the suite's. */
static int settle_reference(struct simulation *s)
{
	const char *wanted = s->options.reference ? s->options.reference : s->reference;
	char *found = wanted ? find_reference(s->governors, wanted) : NULL;

	if (!found)
		return 0; /* the session says what is wrong with it, and takes the first */
	free(s->reference);
	s->reference = found;
	s->options.reference = found;
	return 0;
}

static int prepare(struct simulation *s)
{
	struct arguments a = { 0 };
	int status = make_folder(s);

	if (status)
		return status;
	begin(s, &a);
	add(&a, "--governors", s->governors);
	if (s->options.cpufreq_governors)
		add(&a, "--cpufreq-governors", s->options.cpufreq_governors);
	add(&a, "--prepare", s->dir);
	status = call(&a);
	if (!status)
		status = read_answer(s);
	return status ? status : settle_reference(s);
}

/* Beside host.ini, whole: the constants behind the figures. */
static int keep_machine(const struct simulation *s, const struct session *session)
{
	char from[PATH_MAX + 16], to[PATH_MAX], *text;
	size_t size;
	int err;

	snprintf(from, sizeof(from), "%s/" MACHINE_INI, s->dir);
	snprintf(to, sizeof(to), "%s/" MACHINE_INI, session->boot);
	err = file_read(from, &text, &size);
	if (err)
		return err;
	err = file_write_atomic(to, text, size);
	free(text);
	return err;
}

static int make_cells(struct simulation *s, struct session *session, const struct cells *cells)
{
	struct arguments a = { 0 };
	char jobs[24], interval[32];
	int status = handover_write(session, cells, s->dir);

	if (status)
		return status;
	begin(s, &a);
	snprintf(interval, sizeof(interval), "%.0f", session->campaign.interval_ns);
	add(&a, "--interval", interval);
	if (s->options.exact)
		add(&a, "--exact", NULL);
	if (s->options.jobs_given) {
		snprintf(jobs, sizeof(jobs), "%llu", (unsigned long long)s->options.jobs);
		add(&a, "--jobs", jobs);
	}
	add(&a, "--make", s->dir);
	add(&a, "--into", session->runs);
	return call(&a);
}

static int dry_run(struct session *session)
{
	struct cells cells;
	int err = cells_choose(session, &cells);

	if (err)
		return err;
	for (size_t i = 0; i < session->plan.cells && !err; i++) {
		char *name = plan_cell_name(&session->plan, &session->plan.cell[i]);

		if (!name)
			err = error_no_memory();
		else
			printf("%04d %s%s\n", session->plan.cell[i].number, name,
			       cells.done_here[i] ? "  (done)" : "");
		free(name);
	}
	if (!err)
		printf("%zu of %zu runs are to be simulated, on %s\n",
		       cells.n + cells_to_come(session, SIZE_MAX), plan_all_cells(&session->plan),
		       session->options->model);
	cells_free(&cells);
	return err;
}

/* @status: of the cells, complete or not. */
static int report(const struct simulation *s, const struct session *session, int status)
{
	int reported = s->options.no_report ? 0 : report_make(session->dir, s->options.quiet);

	return reported ? reported : status;
}

/* The cells of the plan, and of what an adaptive sweep makes of it. */
static int make_plan(struct simulation *s, struct session *session)
{
	struct cells cells;
	int status;

	do {
		status = cells_choose(session, &cells);
		if (status)
			return status;
		log_info("MODELLED, not measured: %zu of %zu runs to simulate, on %s",
			 cells.n + cells_to_come(session, SIZE_MAX), plan_all_cells(&session->plan),
			 s->model);
		if (cells.n)
			status = make_cells(s, session, &cells);
		cells_free(&cells);
		if (status || !session->plan.open)
			return status;
		status = adapt(session);
	} while (!status);
	return status;
}

static int campaign(struct simulation *s, struct session *session)
{
	int status = campaign_open(session);

	if (!status)
		status = keep_machine(s, session);
	if (status)
		return status;
	log_info("results: %s", session->dir);
	status = make_plan(s, session);
	if (status == -EINTR)
		log_info("interrupted; the same command with --results %s continues", session->dir);
	if (status && status != EXIT_INCOMPLETE)
		return status;
	return report(s, session, status);
}

static int simulate(struct simulation *s)
{
	struct session session;
	int status = session_plan(&session, &s->options);

	if (!status)
		status = s->options.dry_run ? dry_run(&session) : campaign(s, &session);
	session_free(&session);
	return status;
}

/* The text of the error that counts stays. */
static void remove_folder(const char *dir)
{
	bool usage = error_is_usage();
	char why[1024];

	snprintf(why, sizeof(why), "%s", error_text());
	if (!file_remove_tree(dir))
		return;
	log_warn("%s", error_text());
	if (usage)
		error_usage("%s", why);
	else
		error_set(-EIO, "%s", why);
}

static void finish(struct simulation *s)
{
	if (s->dir[0])
		remove_folder(s->dir);
	free(s->governors);
	free(s->model);
	free(s->text);
	free(s->power);
	free(s->workloads);
	free(s->reference);
	free(s->unit);
}

int verb_simulate(const struct options *options)
{
	struct simulation s = { .options = *options };
	int status = interrupt_start();

	if (!status)
		status = read_suite(&s);
	if (!status)
		status = prepare(&s);
	if (!status)
		status = simulate(&s);
	if (interrupt_pending() && (status >= 0 || status == -EINTR)) {
		finish(&s);
		interrupt_die(interrupt_pending());
	}
	finish(&s);
	return status;
}
