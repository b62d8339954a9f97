/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feeds a governor the recorded inputs and outcomes: what it answers changes nothing about what
 * comes next, so that one wrong answer does not hide whether the next ones are right.
 */
#include "analysis/vectors.h"
#include "analysis/unxz.h"
#include "analysis/vectors_case.h"
#include "governors/label.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct player {
	const char *path;
	FILE *out;
	const struct governor *forced, *governor;
	struct vectors_meta meta;
	struct governor_cpu cpu;
	uint64_t usage[GOVERNOR_STATES_MAX], above[GOVERNOR_STATES_MAX], below[GOVERNOR_STATES_MAX];
	size_t line;
	bool in_case, told;
	struct vectors_result result;
};

/* The beginning of the sentence about a difference; NULL when another one was told before. */
static FILE *first_difference(struct player *p)
{
	if (p->told)
		return NULL;
	p->told = true;
	fprintf(p->out, "%s:%zu: %s: %s, ", p->path, p->line, p->governor->name, p->meta.place);
	return p->out;
}

static void print_choice(FILE *out, const struct governor_choice *c, bool limit, uint64_t limit_ns)
{
	fprintf(out, "state %d stop %d asked %d", c->state, c->stop_tick, c->asked);
	if (limit)
		fprintf(out, " poll limit %" PRIu64, limit_ns);
}

static int begin_case(struct player *p, json_t *line)
{
	int err = vectors_meta(line, &p->meta);

	if (err)
		return err;
	p->governor = p->forced ? p->forced : governor_find(p->meta.governor);
	if (!p->governor)
		return -EINVAL;
	governor_enable(p->governor, &p->meta.table, &p->cpu);
	if (p->meta.last_state >= 0)
		p->cpu.last_state = p->meta.last_state;
	memset(p->usage, 0, sizeof(p->usage));
	memset(p->above, 0, sizeof(p->above));
	memset(p->below, 0, sizeof(p->below));
	p->in_case = true;
	return 0;
}

static void count(struct player *p, const struct vectors_decision *d)
{
	if (d->out.entered < 0)
		return;
	p->usage[d->out.entered]++;
	switch (governor_label(&p->meta.table, d->in.disabled, d->out.entered,
			       d->out.residency_ns)) {
	case LABEL_ABOVE:
		p->above[d->out.entered]++;
		break;
	case LABEL_BELOW:
		p->below[d->out.entered]++;
		break;
	case LABEL_FITS:
		break;
	}
}

static int play(struct player *p, json_t *line)
{
	struct vectors_decision d;
	struct governor_choice got;
	uint64_t limit_ns;
	FILE *out;
	int err = vectors_decision(line, &p->meta.table, &d);

	if (err)
		return err;
	got = governor_select(p->governor, &p->cpu, &d.in);
	governor_reflect(p->governor, &p->cpu, &d.out);
	limit_ns = p->cpu.poll_limit_ns;
	count(p, &d);
	p->result.decisions++;
	if (got.state == d.want.state && got.stop_tick == d.want.stop_tick &&
	    got.asked == d.want.asked && (!d.has_poll_limit || limit_ns == d.want_poll_limit_ns)) {
		p->result.equal++;
		return 0;
	}
	out = first_difference(p);
	if (!out)
		return 0;
	fprintf(out, "i %" PRId64 ": got ", d.i);
	print_choice(out, &got, d.has_poll_limit, limit_ns);
	fputs(", want ", out);
	print_choice(out, &d.want, d.has_poll_limit, d.want_poll_limit_ns);
	fputc('\n', out);
	return 0;
}

static int end_case(struct player *p, json_t *line)
{
	const struct {
		const char *key;
		const uint64_t *counted;
	} sum[] = { { "usage", p->usage }, { "above", p->above }, { "below", p->below } };
	int states = p->meta.table.states;
	bool equal = true;

	for (size_t k = 0; k < sizeof(sum) / sizeof(sum[0]); k++) {
		uint64_t want[GOVERNOR_STATES_MAX];
		int err = vectors_sum(line, sum[k].key, states, want);

		if (err)
			return err;
		for (int i = 0; i < states; i++) {
			FILE *out;

			if (want[i] == sum[k].counted[i])
				continue;
			equal = false;
			out = first_difference(p);
			if (out)
				fprintf(out,
					"sum %s of state %d: got %" PRIu64 ", want %" PRIu64 "\n",
					sum[k].key, i, sum[k].counted[i], want[i]);
		}
	}
	p->in_case = false;
	p->result.sums++;
	p->result.sums_equal += equal;
	return 0;
}

static int take_line(struct player *p, const char *text, size_t length)
{
	enum vectors_kind kind;
	json_error_t why;
	json_t *line = json_loadb(text, length, 0, &why);
	int err;

	if (!line)
		return error_usage("no JSON: %s", why.text);
	err = vectors_kind(line, &kind);
	if (!err && kind != VECTORS_META && !p->in_case)
		err = error_usage("it belongs to no case: a \"meta\" line comes first");
	if (!err)
		err = kind == VECTORS_META	 ? begin_case(p, line)
		      : kind == VECTORS_DECISION ? play(p, line)
						 : end_case(p, line);
	json_decref(line);
	return err;
}

int vectors_check(const char *path, const struct governor *governor, FILE *out,
		  struct vectors_result *ret)
{
	struct player p = { .path = path, .out = out, .forced = governor };
	char *text, *next;
	size_t size;
	int err = unxz_read(path, &text, &size);

	if (err)
		return err;
	for (char *line = text; !err && line < text + size; line = next) {
		char *end = memchr(line, '\n', (size_t)(text + size - line));

		next = end ? end + 1 : text + size;
		if (!end)
			end = next;
		p.line++;
		if (end == line)
			continue;
		err = take_line(&p, line, (size_t)(end - line));
		if (err)
			error_prefix(err, "%s:%zu", path, p.line);
	}
	free(text);
	if (!err && !p.result.decisions)
		err = error_usage("%s: no decision in it", path);
	if (!err)
		*ret = p.result;
	return err;
}
