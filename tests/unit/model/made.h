/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up machine with round numbers: two packages of two cores with two threads, three states.
 */
#ifndef TESTS_UNIT_MODEL_MADE_H
#define TESTS_UNIT_MODEL_MADE_H

#include "model/model.h"

/*
 * POLL 5 W, C1 2 W, C6 0 W and deep, 10 W of a package, 20 W of a core that works, floor 1 W.
 * Break-even at 100 us: 12 W x 100 us = 1200 uJ.
 */
static inline struct model_machine made_machine(void)
{
	struct model_machine m;

	model_machine_default(&m);
	m.table = (struct governor_table){
		.states = 3,
		.residency_ns = { 0, 2000, 100000 },
		.latency_ns = { 0, 1000, 50000 },
		.polling = 1,
		.tick_ns = 1000000,
		.capacity = 1024,
		.power_w = { 15, 12, 0 },
		.transition_uj = { 0, 0, 1200 },
	};
	m.packages = 2;
	m.cores = 4;
	m.threads = 2;
	m.deep = 1u << 2;
	m.has_energy = true;
	m.floor_w = 1;
	m.package_on_w = 10;
	m.active_w = 20;
	return m;
}

#endif
