/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the watts go: each core's own, and the package's while any core of it is not deep.
 *
 * A core that goes deep keeps its package on for the state's transition window more: that is the
 * energy of the transition. Windows of several cores and the cores' own times are united, not
 * added, and no event is needed at a window's end.
 */
#ifndef MODEL_ENERGY_H
#define MODEL_ENERGY_H

#include "model/machine.h"

struct energy_core {
	double w;
	double nj;
	int64_t at_ns; /* both hold until then */
	int running; /* threads */
	int state; /* while none runs */
	bool deep;
};

struct energy_package {
	int on; /* cores that are not deep */
	int64_t on_until_ns; /* end of the last window */
	double on_w;
	double nj;
	int64_t at_ns;
};

struct energy {
	const struct model_machine *machine;
	int per_package; /* cores */
	double speed, volts2; /* of the highest: frequency, voltage squared */
	double state_w[GOVERNOR_STATES_MAX]; /* the core's own */
	double shallow_w; /* the deepest state's that is not deep */
	double lump_nj[GOVERNOR_STATES_MAX]; /* the core's part of a transition */
	int64_t window_ns[GOVERNOR_STATES_MAX]; /* the package's part */
	struct energy_core *core;
	struct energy_package package[MODEL_PACKAGES_MAX];
};

/* @core: room for all cores, zero. They begin working. */
void energy_init(struct energy *energy, const struct model_machine *machine,
		 struct energy_core *core);

/* From @now on @running threads of the core run; with none it is in @state. */
void energy_core_now(struct energy *energy, int core, int running, int state, int64_t now);

/* @ns of the time that counts as state @state were spent working: entry paths. */
void energy_worked(struct energy *energy, int core, int state, int64_t ns);

/* @ns of the time that counts as working are spent leaving a state: exits. */
void energy_left(struct energy *energy, int core, int64_t ns);

/* Is the core's package off at @now? */
bool energy_is_off(const struct energy *energy, int core, int64_t now);

/* From @now on the machine runs at @speed of its highest frequency. */
void energy_speed(struct energy *energy, double speed, int64_t now);

/* Energy of a package since the start, in uJ. */
double energy_package_uj(struct energy *energy, int package, int64_t now);

#endif
