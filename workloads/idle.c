/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The null workload: no task at all. The control of every other figure: power, idle states and
 * wakes of the quiet machine. Its only own wake is the timer that ends the window.
 */
#include "workloads/driver.h"

static const struct param params[] = { { 0 } };

static const struct metric metrics[] = {
	{ "window_s", "s", BETTER_NONE, "Length of the window in which nothing ran" },
	{ 0 },
};

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	(void)values;
	*ret = (struct workload_needs){ 0 };
	return 0;
}

static int setup(struct driver *driver)
{
	(void)driver;
	return 0;
}

static int task(struct driver *driver, int index)
{
	(void)driver;
	(void)index;
	return 0;
}

static int finish(struct driver *driver)
{
	driver_metric(driver, "window_s", (double)(driver->t1_ns - driver->t0_ns) / 1e9);
	return 0;
}

const struct workload workload_idle = {
	.name = "idle",
	.about = "Nothing runs: the quiet machine's power, idle states and wakes.",
	.params = params,
	.metrics = metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = finish,
};
