/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * W times ns is nJ. The table's power_w is what one core brings about in the whole package, so the
 * package's part is taken out of states that are not deep; transition_uj likewise: of a deep state
 * it is a window in which the core counts as in the deepest state that is not.
 */
#include "model/energy.h"
#include <math.h>

static void of_states(struct energy *e)
{
	const struct model_machine *m = e->machine;

	for (int i = 0; i < m->table.states; i++) {
		bool deep = m->deep >> i & 1;

		e->state_w[i] = fmax(0, m->table.power_w[i] - (deep ? 0 : m->package_on_w));
		if (!deep)
			e->shallow_w = e->state_w[i];
		e->lump_nj[i] = m->table.transition_uj[i] * 1e3;
	}
	for (int i = 0; i < m->table.states; i++) {
		double w = m->package_on_w + e->shallow_w;

		if (!(m->deep >> i & 1) || !m->package_on_w)
			continue;
		e->window_ns[i] = llrint(e->lump_nj[i] / w);
		e->lump_nj[i] *= e->shallow_w / w;
	}
}

void energy_init(struct energy *e, const struct model_machine *machine, struct energy_core *core)
{
	*e = (struct energy){ .machine = machine, .core = core, .speed = 1, .volts2 = 1 };
	e->per_package = machine->cores / machine->packages;
	of_states(e);
	for (int p = 0; p < machine->packages; p++)
		e->package[p] = (struct energy_package){ .on = e->per_package,
							 .on_w = machine->package_on_w };
	for (int c = 0; c < machine->cores; c++)
		core[c].running = 1;
}

/* Nothing is on between the end of the last window and the next core that is not deep. */
static void package_to(struct energy_package *p, int64_t now)
{
	int64_t on = now - p->at_ns;

	if (!p->on) {
		int64_t end = p->on_until_ns < now ? p->on_until_ns : now;

		on = end > p->at_ns ? end - p->at_ns : 0;
	}
	p->nj += p->on_w * (double)on;
	p->at_ns = now;
}

static void core_to(struct energy_core *c, int64_t now)
{
	c->nj += c->w * (double)(now - c->at_ns);
	c->at_ns = now;
}

static double core_w(const struct energy *e, const struct energy_core *c)
{
	const struct model_machine *m = e->machine;

	if (c->running)
		return (m->active_w + (c->running - 1) * m->smt_w) * e->speed * e->volts2;
	return e->state_w[c->state] * e->volts2;
}

void energy_core_now(struct energy *e, int core, int running, int state, int64_t now)
{
	struct energy_core *c = &e->core[core];
	bool deep = !running && (e->machine->deep >> state & 1);

	core_to(c, now);
	if (!running && (c->running || state != c->state))
		c->nj += e->lump_nj[state] * e->volts2;
	if (deep != c->deep) {
		struct energy_package *p = &e->package[core / e->per_package];

		package_to(p, now);
		p->on += deep ? -1 : 1;
		if (deep && now + e->window_ns[state] > p->on_until_ns)
			p->on_until_ns = now + e->window_ns[state];
	}
	c->running = running;
	c->state = state;
	c->deep = deep;
	c->w = core_w(e, c);
}

void energy_worked(struct energy *e, int core, int state, int64_t ns)
{
	double w = e->machine->active_w * e->speed - e->state_w[state];

	e->core[core].nj += w * e->volts2 * (double)ns;
}

void energy_left(struct energy *e, int core, int64_t ns)
{
	double w = e->machine->active_w * e->speed - e->shallow_w;

	e->core[core].nj -= w * e->volts2 * (double)ns;
}

bool energy_is_off(const struct energy *e, int core, int64_t now)
{
	const struct energy_package *p = &e->package[core / e->per_package];

	return !p->on && p->on_until_ns < now;
}

void energy_speed(struct energy *e, double speed, int64_t now)
{
	const struct model_machine *m = e->machine;
	double share =
		m->frequency_min < 1 ? (speed - m->frequency_min) / (1 - m->frequency_min) : 1;
	double volts = m->voltage_min + (1 - m->voltage_min) * fmax(0, share);

	e->speed = speed;
	e->volts2 = volts * volts;
	for (int p = 0; p < m->packages; p++) {
		package_to(&e->package[p], now);
		e->package[p].on_w = m->package_on_w * e->volts2;
	}
	for (int c = 0; c < m->cores; c++) {
		core_to(&e->core[c], now);
		e->core[c].w = core_w(e, &e->core[c]);
	}
}

double energy_package_uj(struct energy *e, int package, int64_t now)
{
	struct energy_package *p = &e->package[package];
	double nj;

	package_to(p, now);
	nj = p->nj + e->machine->floor_w * (double)now;
	for (int c = 0; c < e->per_package; c++) {
		struct energy_core *core = &e->core[package * e->per_package + c];

		core_to(core, now);
		nj += core->nj;
	}
	return nj / 1e3;
}
