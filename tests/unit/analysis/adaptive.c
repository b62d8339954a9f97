/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adaptive sweeps of 60 points beside the full sweep of 300 on simulated curves whose steps are
 * known. A run has the same value in both, so that what differs is the choice of points alone.
 * IDLE_TEST_LONG=1 prints the tables of docs/statistics.md; the short form checks the same claims
 * on fewer campaigns.
 */
#include "analysis/refine.h"
#include "analysis/shape.h"
#include "lib/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PLACES 300
#define WANTED 60
#define FIRST_REPEATS 2
#define REPEATS_MAX 12
#define COLUMNS 2
#define RUNS_MAX (PLACES * COLUMNS * REPEATS_MAX)
#define STEPS_MAX 3
#define FAR 3 /* steps of the scale: what is found farther off is another step */

/* A governor's curve steps by this factor behind a place of the scale. */
struct step {
	double at, factor;
};

struct shape_of {
	const char *name;
	struct step step[COLUMNS][STEPS_MAX];
	double bend_pct; /* teo's ratio to menu rises smoothly to this, around the middle */
	double dip_at, dip_width, dip_factor; /* of teo */
};

static const struct shape_of shapes[] = {
	{ .name = "a step, elsewhere in each", .step = { { { 80, 1.2 } }, { { 120, 1.2 } } } },
	{ .name = "two steps",
	  .step = { { { 60, 0.85 }, { 180, 1.3 } }, { { 60, 0.85 }, { 200, 1.3 } } } },
	{ .name = "three steps, one of teo alone",
	  .step = { { { 50, 1.15 }, { 210, 0.8 } },
		    { { 50, 1.15 }, { 130, 1.1 }, { 210, 0.8 } } } },
	{ .name = "small step", .step = { { { 150, 1.08 } }, { { 170, 1.08 } } } },
	{ .name = "smooth bend", .bend_pct = 8 },
	{ .name = "dip of 20 steps", .dip_at = 150, .dip_width = 20, .dip_factor = 0.8 },
	{ .name = "dip of 6 steps", .dip_at = 150, .dip_width = 6, .dip_factor = 0.85 },
	{ .name = "no difference", .step = { { { 80, 1.2 } }, { { 80, 1.2 } } } },
	{ .name = "no difference, no step" },
};
#define SHAPES (sizeof(shapes) / sizeof(*shapes))

struct truth {
	const struct shape_of *of;
	double offset; /* of all places: steps lie anywhere between the points of the first round */
	double sd, drift; /* of a run; of what a block has in common */
	int repeats;
	uint64_t seed;
};

/* A campaign in memory. */
struct campaign {
	struct result result;
	struct source source;
	struct boot boot;
	struct loaded_run run[RUNS_MAX];
	struct metric_value metric[RUNS_MAX];
	struct store_pair axis[RUNS_MAX];
	int made[PLACES]; /* repeats that a place has */
	struct table table;
};

static struct campaign made;
static char names[PLACES][32], values[PLACES][24];

static double place_us(size_t place)
{
	return place ? 0.04 * pow(1000, (double)(place - 1) / (PLACES - 2)) : 0;
}

/* Logarithm of the loop's time of a governor at a place. */
static double height(const struct truth *t, size_t place, size_t column)
{
	double z = log(3 + 2 * place_us(place)), at = (double)place - t->offset;

	for (size_t i = 0; i < STEPS_MAX; i++)
		if (t->of->step[column][i].factor > 0 && at > t->of->step[column][i].at)
			z += log(t->of->step[column][i].factor);
	if (column && t->of->bend_pct > 0)
		z += log1p(t->of->bend_pct / 100 / (1 + exp(-(at - 150) / 20)));
	if (column && t->of->dip_width > 0 && at > t->of->dip_at &&
	    at <= t->of->dip_at + t->of->dip_width)
		z += log(t->of->dip_factor);
	return z;
}

/* A normal number that belongs to its four numbers, whatever else is drawn. */
static double normal_of(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t state = seed * 1000003 + a * 7919 + b * 104729 + c * 1299709;
	double u, v;

	random_below(&state, 2);
	u = ((double)random_below(&state, 1u << 30) + 0.5) / (1u << 30);
	v = (double)random_below(&state, 1u << 30) / (1u << 30);
	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void add_run(const struct truth *t, size_t place, size_t column, int repeat)
{
	size_t i = made.result.runs++;
	struct loaded_run *run = &made.run[i];
	double z = height(t, place, column) +
		   t->drift * normal_of(t->seed, place, 99, (uint64_t)repeat) +
		   t->sd * normal_of(t->seed, place, column, (uint64_t)repeat);

	made.axis[i] = (struct store_pair){ (char *)"work", values[place] };
	made.metric[i] = (struct metric_value){ "loop_us", "us", "lower", exp(z) };
	*run = (struct loaded_run){ .metric = &made.metric[i], .metrics = 1 };
	run->info.section = (char *)"s";
	run->info.point = names[place];
	run->info.label = run->info.governor = (char *)(column ? "teo" : "menu");
	run->info.workload = (char *)"w";
	run->info.repeat = repeat;
	run->info.axis = &made.axis[i];
	run->info.axes = 1;
	run->power = (struct energy_power){ NAN, NAN, NAN, "none", "" };
}

static void measure(const struct truth *t, int repeats)
{
	for (size_t i = 0; i < made.source.points.n; i++) {
		if (made.source.points.point[i].round < 0)
			continue;
		for (; made.made[i] < repeats; made.made[i]++)
			for (size_t c = 0; c < COLUMNS; c++)
				add_run(t, i, c, made.made[i] + 1);
	}
}

static const struct section *build(void)
{
	pool_free(&made.result.pool);
	assert_int_equal(section_build(&made.result, &made.table), 0);
	assert_int_equal(made.table.sections, 1);
	return &made.table.section[0];
}

static void start(size_t wanted)
{
	store_points_free(&made.source.points);
	pool_free(&made.result.pool);
	memset(&made, 0, sizeof(made));
	made.result.run = made.run;
	made.result.boot = &made.boot;
	made.result.boots = 1;
	made.result.source = &made.source;
	made.result.sources = 1;
	made.boot.release = "6.18";
	made.boot.machine = "";
	made.result.campaign.governors = (char *)"menu,teo";
	made.result.campaign.reference = made.source.campaign.reference = (char *)"menu";
	for (size_t i = 0; i < PLACES; i++) {
		struct store_point p = { .section = (char *)"s",
					 .sweep = (char *)"",
					 .point = names[i],
					 .at = i,
					 .wanted = wanted,
					 .by_pct = NAN };

		snprintf(values[i], sizeof(values[i]), "%.4gus", place_us(i));
		snprintf(names[i], sizeof(names[i]), "work=%s", values[i]);
		assert_int_equal(store_points_add(&made.source.points, &p), 0);
	}
	store_points_first(made.source.points.point, PLACES);
}

static size_t points_now(void)
{
	size_t n = 0;

	for (size_t i = 0; i < made.source.points.n; i++)
		n += made.source.points.point[i].round >= 0;
	return n;
}

/* A whole campaign; *ret_rounds: how often points were chosen. */
static const struct section *campaign(const struct truth *t, size_t wanted, size_t *ret_rounds)
{
	*ret_rounds = 0;
	start(wanted);
	measure(t, FIRST_REPEATS);
	while (points_now() < wanted) {
		build();
		assert_true(refine_points(&made.table, &made.source.points) > 0);
		measure(t, FIRST_REPEATS);
		++*ret_rounds;
	}
	assert_int_equal(points_now(), wanted);
	measure(t, t->repeats);
	return build();
}

/* What a report says, gathered from one campaign. */
struct said {
	double at[COLUMNS][SHAPE_STEPS_MAX]; /* places of the steps found */
	size_t steps[COLUMNS];
	enum verdict whole;
	double whole_pct;
	enum verdict verdict[PLACES]; /* of the measured point nearest to the place */
	size_t points, rounds;
};

static void gather(const struct section *s, struct said *said)
{
	const struct shape *shape = s->shape;
	size_t next = 0;

	for (size_t i = 0; i < shape->curves; i++) {
		const struct shape_curve *c = &shape->curve[i];

		for (size_t k = 0; k < c->steps; k++)
			said->at[c->column][said->steps[c->column]++] =
				(s->place[c->step[k].before] + s->place[c->step[k].after]) / 2;
	}
	said->whole = s->measure[0].overall[1].difference.verdict;
	said->whole_pct = s->measure[0].overall[1].difference.pct;
	said->points = s->points;
	for (size_t i = 0; i < PLACES; i++) {
		while (next + 1 < s->points &&
		       fabs(s->place[next + 1] - (double)i) < fabs(s->place[next] - (double)i))
			next++;
		said->verdict[i] =
			section_cell(&made.table, &s->measure[0], next, 1)->difference.verdict;
	}
}

/* Sums over campaigns, of one design. */
struct sum {
	size_t campaigns, points, rounds;
	size_t steps, missed, extra; /* true steps, those not found, those found that are none */
	double off_sum, off_max; /* how far found steps lie off, in steps of the scale */
	size_t whole_wrong; /* the whole curve got a verdict of the wrong side, or one for nothing
			     */
	size_t right, wrong, places; /* verdicts along the scale */
	double whole_off; /* of the whole curve's percent, from the truth, absolute */
};

static void count_steps(const struct truth *t, const struct said *said, struct sum *sum)
{
	for (size_t c = 0; c < COLUMNS; c++) {
		size_t used = 0;

		for (size_t i = 0; i < STEPS_MAX; i++) {
			double best = INFINITY;

			if (!(t->of->step[c][i].factor > 0))
				continue;
			for (size_t k = 0; k < said->steps[c]; k++)
				best = fmin(best, fabs(said->at[c][k] - t->of->step[c][i].at -
						       t->offset - 0.5));
			sum->steps++;
			if (best > FAR) {
				sum->missed++;
				continue;
			}
			used++;
			sum->off_sum += best;
			sum->off_max = fmax(sum->off_max, best);
		}
		if (!(t->of->dip_width > 0))
			sum->extra += said->steps[c] - used;
	}
}

static void count_verdicts(const struct truth *t, const struct said *said, struct sum *sum)
{
	double whole = 0;

	for (size_t i = 0; i < PLACES; i++) {
		double d = height(t, i, 1) - height(t, i, 0);
		enum verdict is = said->verdict[i];

		whole += d / PLACES;
		sum->places++;
		if (fabs(d) < 0.01)
			sum->right += is == VERDICT_SAME;
		else
			sum->right += is == (d < 0 ? VERDICT_BETTER : VERDICT_WORSE);
		/* Half a step of the scale beside a jump the nearest point is on its other side. */
		sum->wrong += (is == VERDICT_BETTER && d >= 0) || (is == VERDICT_WORSE && d <= 0);
	}
	sum->whole_off += fabs(said->whole_pct - expm1(whole) * 100);
	sum->whole_wrong += (said->whole == VERDICT_BETTER && whole >= 0) ||
			    (said->whole == VERDICT_WORSE && whole <= 0);
}

static void one(const struct truth *t, size_t wanted, struct sum *sum, struct said *said)
{
	const struct section *s;

	memset(said, 0, sizeof(*said));
	s = campaign(t, wanted, &said->rounds);
	gather(s, said);
	sum->campaigns++;
	sum->points += said->points;
	sum->rounds += said->rounds;
	count_steps(t, said, sum);
	count_verdicts(t, said, sum);
}

static bool is_long(void)
{
	return getenv("IDLE_TEST_LONG") != NULL;
}

static double of(size_t part, size_t all)
{
	return all ? 100.0 * (double)part / (double)all : NAN;
}

static void print_row(const struct truth *t, const struct sum *fixed, const struct sum *adaptive,
		      size_t same)
{
	const struct sum *s[] = { fixed, adaptive };

	printf("# | %s | %g %% |", t->of->name, t->sd * 100);
	for (size_t i = 0; i < 2; i++) {
		if (s[i]->steps)
			printf(" %zu of %zu |", s[i]->missed, s[i]->steps);
		else
			printf(" - |");
		printf(" %zu | %.1f |", s[i]->extra, s[i]->off_max);
	}
	printf(" %.1f | %.1f | %.1f | %.2f | %.2f |\n", of(fixed->right, fixed->places),
	       of(adaptive->right, adaptive->places), of(same, fixed->campaigns),
	       fixed->whole_off / (double)fixed->campaigns,
	       adaptive->whole_off / (double)adaptive->campaigns);
	fflush(stdout);
}

/*
 * What is claimed: a fifth of the time, the same verdicts, no more steps that are not there; and
 * where runs repeat to 1 % no step in 200 missed that the full sweep shows, each found where it is.
 */
static void expect(const struct truth *t, const struct sum *fixed, const struct sum *adaptive,
		   size_t same)
{
	assert_int_equal(5 * adaptive->points, fixed->points);
	assert_true(adaptive->extra <= 1 + adaptive->campaigns / 50);
	assert_int_equal(adaptive->whole_wrong, 0);
	assert_true(of(adaptive->wrong, adaptive->places) < 1);
	assert_true(of(adaptive->right, adaptive->places) > of(fixed->right, fixed->places) - 1);
	assert_true(100 * same >= 97 * fixed->campaigns);
	if (t->sd > 0.01)
		return;
	assert_true(adaptive->missed <= fixed->missed + adaptive->steps / 200);
	assert_true(adaptive->off_max <= 2);
}

static void one_shape(const struct shape_of *shape, size_t number, double sd, size_t campaigns)
{
	struct truth t = { .of = shape, .sd = sd, .drift = sd, .repeats = REPEATS_MAX };
	struct sum fixed = { 0 }, adaptive = { 0 };
	size_t same = 0;

	for (size_t i = 0; i < campaigns; i++) {
		struct said a, b;

		t.seed = number * 1000 + i + 1;
		t.offset = (double)(i * 5 % 27);
		one(&t, PLACES, &fixed, &a);
		one(&t, WANTED, &adaptive, &b);
		same += a.whole == b.whole;
	}
	if (is_long())
		print_row(&t, &fixed, &adaptive, same);
	expect(&t, &fixed, &adaptive, same);
}

static void side_by_side(void **state)
{
	static const double sd[] = { 0.003, 0.01, 0.02 };

	(void)state;
	if (is_long())
		puts("# | curves | sd | missed, 300 | not there | off | missed, 60 | not there | off | "
		     "judged right, 300 | 60 | same verdict | whole off, 300 | 60 |");
	for (size_t k = 0; k < SHAPES; k++)
		for (size_t j = 0; j < 3; j++)
			one_shape(&shapes[k], 3 * k + j, sd[j], is_long() ? 60 : 1);
}

/*
 * Points go where governors seem to differ; when they do not, the verdicts must not follow. Runs of
 * 10 %, so that no threshold holds anything back.
 */
static void nothing_from_nothing(void **state)
{
	static const int repeats[] = { 6, 12 };
	size_t campaigns = is_long() ? 2000 : 20;

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct truth t = {
			.of = &shapes[SHAPES - 1], .sd = 0.1, .drift = 0.1, .repeats = repeats[k]
		};
		size_t points = 0, whole = 0;

		for (size_t i = 0; i < campaigns; i++) {
			struct sum sum = { 0 };
			struct said said;
			bool any = false;

			t.seed = 900000 + i;
			one(&t, WANTED, &sum, &said);
			for (size_t p = 0; p < PLACES; p++)
				any |= said.verdict[p] >= VERDICT_BETTER;
			points += any;
			whole += said.whole >= VERDICT_BETTER;
		}
		if (is_long())
			printf("# %zu campaigns without a difference, %d repeats: a verdict at a "
			       "point in %.2f %%, of the whole in %.2f %%\n",
			       campaigns, repeats[k], of(points, campaigns), of(whole, campaigns));
		/* 5 % of 20 is one: four are more than chance does in 1 of 60 such tests. */
		assert_true(points <= 3 + campaigns * 5 / 100);
		assert_true(whole <= 3 + campaigns * 5 / 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(nothing_from_nothing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
