/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suite keys to a modelled workload: loads become work, what has no model is refused by name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "made.h"
#include <errno.h>
#include <math.h>
#include <string.h>

/* @params: key, value, key, value, ..., NULL */
static int parse(const char *name, const char *const *params, struct model_workload *ret)
{
	struct model_machine machine = made_machine();
	struct model_param param[8];
	size_t n = 0;

	for (; params[2 * n]; n++)
		param[n] = (struct model_param){ params[2 * n], params[2 * n + 1] };
	return model_workload_parse(name, param, n, &machine, ret);
}

#define PARSE(name, ret, ...) parse(name, (const char *const[]){ __VA_ARGS__ NULL }, ret)

static void ping_pong(void **state)
{
	struct model_workload w;

	(void)state;
	assert_int_equal(PARSE("ping-pong", &w, ), 0);
	assert_int_equal(w.ping_pong.stops, 2);
	assert_true(w.pinned);
	assert_int_equal(PARSE("ping-pong", &w, "cores", "all", "work", "130us", ), 0);
	assert_int_equal(w.ping_pong.stops, 4);
	assert_true(w.work_units == 100000);
	assert_int_equal(PARSE("ping-pong", &w, "pairs", "all", "affinity", "free", "loops", "1e6",
			       "work", "3000", ),
			 0);
	assert_int_equal(w.ping_pong.rings, 4);
	assert_int_equal(model_workload_tasks(&w), 8);
	assert_false(w.pinned);
	assert_int_equal(w.loops, 1000000);
	assert_true(w.work_units == 3000);
	assert_string_equal(model_workload_timer_based(&w), "no");
}

static void loads_become_work(void **state)
{
	struct model_workload w;

	(void)state;
	assert_int_equal(PARSE("periodic", &w, "frequency", "100Hz", "load", "1.3%", ), 0);
	assert_true(w.work_units == 100000);
	assert_string_equal(model_workload_timer_based(&w), "yes");
	assert_int_equal(w.periodic.steps, 0);
	assert_int_equal(PARSE("periodic", &w, "frequency", "100Hz", "load", "3%", "ramp", "yes",
			       "steps", "17", "step", "1s", ),
			 0);
	assert_int_equal(w.periodic.steps, 17);
	assert_int_equal(w.periodic.step_ns, 1000000000);
	assert_true(w.work_units == round(1e7 / 1.3)); /* a whole period */
	assert_int_equal(PARSE("periodic", &w, "work", "5", "load", "3%", ), 0);
	assert_true(w.work_units == 5);
	/* 8 CPUs at 65 %: 5.2 s of work a second, by 4 threads 10 times a second. */
	assert_int_equal(PARSE("waiters", &w, "threads", "4", "machine_load", "65%", ), 0);
	assert_true(w.work_units == 1e8);
	assert_false(w.pinned);
	assert_int_equal(PARSE("waiters", &w, "threads", "4", "load", "13%", ), 0);
	assert_true(w.work_units == 1e7);
}

static void others(void **state)
{
	struct model_workload w;

	(void)state;
	assert_int_equal(PARSE("idle", &w, ), 0);
	assert_int_equal(model_workload_tasks(&w), 0);
	assert_int_equal(PARSE("ebizzy", &w, "interval", "0ms", "size", "4KiB", "alloc", "mmap", ),
			 0);
	assert_string_equal(model_workload_timer_based(&w), "no");
	assert_int_equal(model_workload_tasks(&w), 128);
	assert_int_equal(PARSE("client-server", &w, "clients", "3", "transport", "tcp", ), 0);
	assert_int_equal(model_workload_tasks(&w), 6);
	assert_int_equal(PARSE("fork-chain", &w, "affinity", "one", "program", "none", ), 0);
	assert_true(w.pinned && w.fork_chain.one_cpu && !w.fork_chain.exec);
}

static void refused(void **state)
{
	struct model_workload w;

	(void)state;
	assert_int_equal(PARSE("ping-pnog", &w, ), -EINVAL);
	assert_non_null(strstr(error_text(), "did you mean 'ping-pong'?"));
	assert_int_equal(PARSE("video", &w, ), -EINVAL);
	assert_int_equal(PARSE("ping-pong", &w, "transport", "spin", ), -EINVAL);
	assert_non_null(strstr(error_text(), "transport = spin"));
	assert_int_equal(PARSE("ping-pong", &w, "cores", "1", ), -EINVAL);
	assert_int_equal(PARSE("periodic", &w, "load", "3", ), -EINVAL);
	assert_int_equal(PARSE("periodic", &w, "frequency", "1e-300Hz", ), -EINVAL);
	assert_int_equal(PARSE("periodic", &w, "load", "1e300%", ), -EINVAL);
	assert_int_equal(PARSE("ping-pong", &w, "work", "1e18", ), -EINVAL);
	assert_int_equal(PARSE("ebizzy", &w, "size", "10000000GiB", ), -EINVAL);
	assert_int_equal(PARSE("idle", &w, "work", "3", ), -EINVAL);
	assert_int_equal(PARSE("ebizzy", &w, "work", "3", ), -EINVAL);
	assert_int_equal(PARSE("waiters", &w, "timer-slack", "0ns", ), -EINVAL);
	assert_int_equal(PARSE("ping-pong", &w, "pairs", "8000", ), -EINVAL);
}

/* Own cores first, siblings last; neighbours on one core when that is asked for. */
static void places(void **state)
{
	struct model_machine m = made_machine();
	struct model_workload w;

	(void)state;
	assert_int_equal(PARSE("ping-pong", &w, "cores", "8", ), 0);
	for (int i = 0; i < 8; i++)
		assert_int_equal(model_workload_cpu(&w, &m, i), i);
	assert_int_equal(PARSE("ping-pong", &w, "distance", "smt-sibling", ), 0);
	assert_int_equal(model_workload_cpu(&w, &m, 0), 0);
	assert_int_equal(model_workload_cpu(&w, &m, 1), 4);
	assert_int_equal(model_workload_cpu(&w, &m, 2), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ping_pong), cmocka_unit_test(loads_become_work),
		cmocka_unit_test(others),    cmocka_unit_test(refused),
		cmocka_unit_test(places),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
