/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number without a unit is us, the unit of sysfs and of most scripts' lists; a column called
 * NAME_ns is ns. Columns are separated by blanks, tabs or commas; what else a line has is ignored.
 */
#include "analysis/gaps.h"
#include "analysis/unxz.h"
#include "lib/error.h"
#include "lib/units.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 32
#define TIME_MAX_NS 1e17 /* three years */
#define BLANKS " \t\r,;"

const char *const gap_cause_name[GAP_CAUSES] = { "irq", "peer", "timer", "wheel" };

/* Where a value is, and what a number without a unit is worth. */
struct column {
	int at; /* -1 = there is none */
	double unit_ns;
};

struct reader {
	struct column start, duration;
	int kind;
	bool timer, header; /* timer: the class where no column says it */
	int64_t work_ns, now_ns;
	struct gaps gaps;
	size_t room;
};

static int split(char *line, char *cell[COLUMNS_MAX])
{
	int n = 0;
	char *rest = line, *word;

	while (n < COLUMNS_MAX && (word = strsep(&rest, BLANKS))) {
		if (*word)
			cell[n++] = word;
	}
	return n;
}

static int parse_time(const char *text, double unit_ns, int64_t *ret)
{
	char quoted[ERROR_QUOTE_SIZE], *end;
	double ns = strtod(text, &end);

	if (end != text && !*end)
		ns *= unit_ns;
	else if (units_parse_time(text, &ns))
		return error_usage("'%s' is no time (12, 12us, 1.5ms)", error_quote(text, quoted));
	if (!(ns >= 0 && ns <= TIME_MAX_NS))
		return error_usage("'%s' is no time from 0 to 3 years", error_quote(text, quoted));
	*ret = llrint(ns);
	return 0;
}

/* Is the column called NAME, NAME_us, NAME_ns, NAME_ms or NAME_s? */
static bool is_column(const char *cell, const char *name, struct column *column, int at)
{
	static const struct {
		const char *suffix;
		double ns;
	} unit[] = { { "", 1e3 }, { "_us", 1e3 }, { "_ns", 1 }, { "_ms", 1e6 }, { "_s", 1e9 } };
	size_t n = strlen(name);

	if (strncmp(cell, name, n))
		return false;
	for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
		if (strcmp(cell + n, unit[i].suffix))
			continue;
		*column = (struct column){ at, unit[i].ns };
		return true;
	}
	return false;
}

static int read_header(struct reader *r, char **cell, int n)
{
	r->header = true;
	r->duration.at = -1;
	for (int i = 0; i < n; i++) {
		if (is_column(cell[i], "start", &r->start, i) ||
		    is_column(cell[i], "duration", &r->duration, i))
			continue;
		if (!strcmp(cell[i], "wake"))
			r->kind = i;
	}
	if (r->duration.at < 0)
		return error_usage("no column 'duration' (or duration_us, duration_ns, ...)");
	return 0;
}

static int read_wake(const struct reader *r, char **cell, enum gap_cause *ret)
{
	char quoted[ERROR_QUOTE_SIZE];

	*ret = r->timer ? GAP_TIMER : GAP_IRQ;
	if (r->kind < 0)
		return 0;
	if (strcmp(cell[r->kind], "timer") && strcmp(cell[r->kind], "irq"))
		return error_usage("wake '%s' is neither timer nor irq",
				   error_quote(cell[r->kind], quoted));
	*ret = strcmp(cell[r->kind], "timer") ? GAP_IRQ : GAP_TIMER;
	return 0;
}

static int append(struct reader *r, const struct idle_gap *gap)
{
	if (r->gaps.n == r->room) {
		size_t room = r->room ? 2 * r->room : 4096;
		struct idle_gap *moved = reallocarray(r->gaps.gap, room, sizeof(*moved));

		if (!moved)
			return error_no_memory();
		r->gaps.gap = moved;
		r->room = room;
	}
	r->gaps.gap[r->gaps.n++] = *gap;
	r->now_ns = gap->start_ns + gap->length_ns;
	return 0;
}

static int read_gap(struct reader *r, char **cell, int n)
{
	struct idle_gap gap = { .start_ns = r->now_ns + r->work_ns,
				.timer_ns = GAP_NOT_KNOWN,
				.utilisation = -1 };
	int err;

	if (n <= r->duration.at || n <= r->start.at || n <= r->kind)
		return error_usage("a cell is missing");
	err = parse_time(cell[r->duration.at], r->duration.unit_ns, &gap.length_ns);
	if (!err && r->start.at >= 0)
		err = parse_time(cell[r->start.at], r->start.unit_ns, &gap.start_ns);
	if (!err && gap.length_ns > GAP_MAX_NS)
		err = error_usage("no CPU is idle for more than an hour");
	if (!err)
		err = read_wake(r, cell, &gap.cause);
	if (!err && r->gaps.n && gap.start_ns < r->now_ns)
		err = error_usage("it starts before the last one has ended: the gaps of one CPU "
				  "come in their order");
	if (!err && (double)gap.start_ns + (double)gap.length_ns > TIME_MAX_NS)
		err = error_usage("the gaps are longer than 3 years together");
	return err ? err : append(r, &gap);
}

static int read_line(struct reader *r, char *line)
{
	char *cell[COLUMNS_MAX];
	int n;

	line[strcspn(line, "#")] = '\0';
	n = split(line, cell);
	if (!n)
		return 0;
	if (!r->gaps.n && !r->header && strchr("abcdefghijklmnopqrstuvwxyz", *cell[0]))
		return read_header(r, cell, n);
	return read_gap(r, cell, n);
}

int gaps_load(const char *path, bool timer, int64_t work_ns, struct gaps *ret)
{
	struct reader r = { .start = { -1, 1e3 },
			    .duration = { 0, 1e3 },
			    .kind = -1,
			    .timer = timer,
			    .work_ns = work_ns };
	char *text, *rest, *line;
	size_t size, n = 0;
	int err = unxz_read(path, &text, &size);

	if (err)
		return err;
	rest = text;
	if (memchr(text, '\0', size))
		err = error_usage("%s: this is no text", path);
	while (!err && (line = strsep(&rest, "\n"))) {
		n++;
		err = read_line(&r, line);
		if (err)
			error_prefix(err, "%s:%zu", path, n);
	}
	free(text);
	if (!err && !r.gaps.n)
		err = error_usage("%s: no idle duration in it", path);
	if (err)
		gaps_free(&r.gaps);
	else
		*ret = r.gaps;
	return err;
}

void gaps_free(struct gaps *gaps)
{
	free(gaps->gap);
	free(gaps->inner);
	*gaps = (struct gaps){ 0 };
}
