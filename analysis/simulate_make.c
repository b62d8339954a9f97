/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells in parallel, a process each: they share nothing but the folder that they publish into, so
 * that their number does not change a byte. All points are looked at before the first is begun.
 */
#include "analysis/simulate_cell.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/tsv.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAY_NS 5000000000u /* between two lines about how far it is */

struct make {
	const struct simulate_request *request;
	const struct machine *machine;
	struct tsv table; /* cells point into it */
	struct simulate_cell *cell;
	size_t cells;
	struct simulate_point *point;
	size_t points;
	size_t left_out; /* cells of points that are not modelled */
	uint64_t start_ns, said_ns;
};

static const struct governor *governor_of(const struct simulate_request *request, const char *name)
{
	for (size_t i = 0; i < request->governors.n; i++)
		if (!strcmp(request->governors.governor[i]->name, name))
			return request->governors.governor[i];
	return governor_find(name);
}

static int read_number(const struct tsv *table, size_t row, const char *column, uint64_t max,
		       uint64_t *ret)
{
	int at = tsv_column(table, column), got = at < 0 ? at : tsv_u64(table, row, at, ret);

	if (got == 1 && *ret > max)
		got = -ERANGE;
	return got == 1 ? 0
			: error_set(-EBADMSG, "%s: no usable %s in row %zu", table->path, column,
				    row + 1);
}

static const char *read_text(const struct tsv *table, size_t row, const char *column)
{
	return tsv_text(table, row, tsv_column(table, column));
}

static int read_cell(const struct make *m, size_t row, struct simulate_cell *cell)
{
	const struct tsv *t = &m->table;
	uint64_t point, number, repeat, window, warmup, disable = 0;
	bool disables = *read_text(t, row, "disable");
	int err = read_number(t, row, "point", 1000000, &point);

	if (!err)
		err = read_number(t, row, "number", INT_MAX, &number);
	if (!err)
		err = read_number(t, row, "repeat", INT_MAX, &repeat);
	if (!err)
		err = read_number(t, row, "seed", UINT64_MAX, &cell->seed);
	if (!err)
		err = read_number(t, row, "window_ns", INT64_MAX / 4, &window);
	if (!err)
		err = read_number(t, row, "warmup_ns", INT64_MAX / 4, &warmup);
	if (!err && disables)
		err = read_number(t, row, "disable", GOVERNOR_STATES_MAX - 1, &disable);
	if (err)
		return err;
	cell->name = read_text(t, row, "name");
	cell->label = read_text(t, row, "label");
	cell->cpufreq = read_text(t, row, "cpufreq_governor");
	cell->point = point;
	cell->number = (int)number;
	cell->repeat = (int)repeat;
	cell->window_ns = (int64_t)window;
	cell->warmup_ns = (int64_t)warmup;
	cell->disable = disables ? (int)disable : -1;
	cell->governor = governor_of(m->request, read_text(t, row, "governor"));
	return cell->governor ? 0 : -EINVAL;
}

static int read_cells(struct make *m)
{
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/cells.tsv", m->request->make);
	err = tsv_load(path, &m->table);
	if (err)
		return err;
	m->cell = calloc(m->table.rows + 1, sizeof(*m->cell));
	if (!m->cell)
		return error_no_memory();
	for (; m->cells < m->table.rows && !err; m->cells++) {
		err = read_cell(m, m->cells, &m->cell[m->cells]);
		if (!err && m->cell[m->cells].point >= m->points)
			m->points = m->cell[m->cells].point + 1;
	}
	return err;
}

/* The workload from the parameters of the point's run.ini. */
static int read_workload(const struct make *m, struct simulate_point *point)
{
	const struct store_run *run = &point->run;
	struct model_param *param = calloc(run->params + 1, sizeof(*param));
	size_t n = 0;
	int err;

	if (!param)
		return error_no_memory();
	for (size_t i = 0; i < run->params; i++)
		if (strcmp(run->param[i].key, "disable")) /* the cell's own business */
			param[n++] = (struct model_param){ run->param[i].key, run->param[i].value };
	err = model_workload_parse(run->workload, param, n, &m->machine->model, &point->workload);
	free(param);
	if (!err || !error_is_usage())
		return err;
	log_warn("[run %s]%s%s is left out: %s", run->section, *run->point ? " " : "", run->point,
		 error_text());
	point->unmodelled = true;
	return 0;
}

static int read_points(struct make *m)
{
	char path[PATH_MAX];
	int err = 0;

	m->point = calloc(m->points + 1, sizeof(*m->point));
	if (!m->point)
		return error_no_memory();
	for (size_t i = 0; i < m->cells && !err; i++) {
		struct simulate_point *point = &m->point[m->cell[i].point];

		if (!point->known) {
			point->known = true;
			snprintf(path, sizeof(path), "%s/points/%zu", m->request->make,
				 m->cell[i].point);
			err = store_run_read(path, &point->run);
			if (!err)
				err = read_workload(m, point);
		}
		m->left_out += point->unmodelled;
	}
	return err;
}

/* A lost parent takes its cells along. */
static pid_t start(const struct make *m, const struct simulate_cell *cell)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	if (!simulate_cell_make(m->request, m->machine, &m->point[cell->point], cell))
		_exit(EXIT_SUCCESS);
	fprintf(stderr, "analysis: %s: %s\n", cell->name, error_text());
	_exit(EXIT_FAILURE);
}

static int await_one(void)
{
	int status;

	while (wait(&status) < 0)
		if (errno != EINTR)
			return error_set(-errno, "waiting for a cell: %m");
	return status ? error_set(-EIO, WIFSIGNALED(status) ? "a cell was killed"
							    : "a cell could not be made")
		      : 0;
}

static void say(struct make *m, size_t done, size_t all)
{
	uint64_t now = clock_now_ns();
	double passed = (double)(now - m->start_ns) / 1e9;

	if (now - m->said_ns < SAY_NS || done == all)
		return;
	m->said_ns = now;
	log_info("%zu of %zu runs simulated in %.0f s, about %.0f s left", done, all, passed,
		 passed / (double)done * (double)(all - done));
}

static int make_all(struct make *m)
{
	size_t all = m->cells - m->left_out, done = 0;
	int running = 0, err = 0;

	m->start_ns = m->said_ns = clock_now_ns();
	for (size_t i = 0; i < m->cells && !err; i++) {
		pid_t pid;

		if (m->point[m->cell[i].point].unmodelled)
			continue;
		pid = start(m, &m->cell[i]);
		if (pid < 0)
			err = error_set(-errno, "fork: %m");
		else
			running++;
		if (running == m->request->jobs && !err) {
			err = await_one();
			running--;
			say(m, ++done, all);
		}
	}
	for (; running; running--) {
		int other = await_one();

		err = err ? err : other;
		say(m, ++done, all);
	}
	if (!err)
		log_info("%zu runs simulated in %.1f s", all,
			 (double)(clock_now_ns() - m->start_ns) / 1e9);
	return err;
}

int simulate_make(const struct simulate_request *request, const struct machine *machine)
{
	struct make m = { .request = request, .machine = machine };
	int err;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	err = read_cells(&m);
	if (!err)
		err = read_points(&m);
	if (!err)
		err = make_all(&m);
	for (size_t i = 0; m.point && i < m.points; i++)
		store_run_free(&m.point[i].run);
	free(m.point);
	free(m.cell);
	if (m.table.text)
		tsv_free(&m.table);
	if (err)
		return err;
	return m.left_out ? 3 : 0;
}
