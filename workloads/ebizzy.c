/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that copy and search memory, and sleep by timer in between: each record chooses a chunk,
 * allocates as much, copies it, searches the copy and frees it.
 *
 * Elsewhere nothing is allocated inside the window; here allocating is the work. The time of the
 * allocator and of the page faults behind it is part of a record, as with any program that does so.
 */
#include "workloads/ebizzy.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/random.h"
#include "workloads/timed-sleep.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct param params[] = {
	[EBIZZY_THREADS] = { "threads", PARAM_COUNT, "128", 1, 4096,
			     .help = "Threads that work at the same time" },
	[EBIZZY_CHUNKS] = { "chunks", PARAM_COUNT, "10", 1, 100000,
			    .help = "Chunks to choose from, shared by all threads" },
	[EBIZZY_SIZE] = { "size", PARAM_BYTES, "512KiB", 4096, 1u << 30,
			  .help = "Size of a chunk, a multiple of 8B" },
	[EBIZZY_INTERVAL] = { "interval", PARAM_TIME, "10ms", 0, 1e10,
			      .help = "Sleep after a record; 0ms: none, records follow at once" },
	[EBIZZY_EVERY] = { "every", PARAM_COUNT, "1", 1, 1e9,
			   .help = "Sleep after every Nth record only" },
	[EBIZZY_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e15,
			   .help = "Records of each thread to count, instead of --window" },
	[EBIZZY_ALLOC] = { "alloc", PARAM_CHOICE, "malloc", .choices = "malloc|mmap",
			   .help = "Where a record's memory comes from: the C library as it is, or a "
				   "mapping of its own each time" },
	[EBIZZY_SEED] = { "seed", PARAM_COUNT, "1", 0, 1e15,
			  .help = "Of the random choices; each thread makes its own of it" },
	[EBIZZY_AFFINITY] = { "affinity", PARAM_CHOICE, "free", .choices = "pinned|free",
			      .help = "One CPU per thread in turn, or the scheduler's choice" },
	[EBIZZY_PARAMS] = { 0 },
};

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	bool pinned = values[EBIZZY_AFFINITY].choice == EBIZZY_PINNED;
	bool sleeps = values[EBIZZY_INTERVAL].number > 0;
	int threads = (int)values[EBIZZY_THREADS].number;

	if (!sleeps && values[EBIZZY_EVERY].given)
		return error_usage("every has no effect with interval 0: nothing sleeps");
	if ((uint64_t)values[EBIZZY_SIZE].number % sizeof(uint64_t))
		return error_usage("size: %.0fB is not a multiple of 8B",
				   values[EBIZZY_SIZE].number);
	*ret = (struct workload_needs){
		.tasks = threads,
		.cpus = pinned ? threads : 0,
		.wrap = pinned,
		.pinned = pinned,
		.timer_based = sleeps,
		.loop_ns = values[EBIZZY_INTERVAL].number / values[EBIZZY_EVERY].number,
	};
	return 0;
}

/* Memory that a machine cannot have would be promised all the same, and end in the OOM killer. */
static int check_memory(const struct driver *driver, const struct ebizzy *all)
{
	double have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	double want =
		((double)all->chunks + driver->needs.tasks) * (double)all->words * sizeof(uint64_t);

	if (have > 0 && want > have)
		return error_set(-ENOMEM,
				 "%llu chunks and %d records of %llu KiB need %.0f MiB, the "
				 "machine has %.0f MiB",
				 (unsigned long long)all->chunks, driver->needs.tasks,
				 (unsigned long long)(all->words * sizeof(uint64_t) >> 10),
				 want / (1 << 20), have / (1 << 20));
	return 0;
}

static int make_chunks(struct ebizzy *all)
{
	all->chunk = calloc(all->chunks, sizeof(*all->chunk));
	if (!all->chunk)
		return error_no_memory();
	for (uint64_t c = 0; c < all->chunks; c++) {
		uint64_t *chunk = malloc(all->words * sizeof(*chunk));

		if (!chunk)
			return error_no_memory();
		for (uint64_t w = 0; w < all->words; w++)
			chunk[w] = 2 * w;
		all->chunk[c] = chunk;
	}
	return 0;
}

static int setup(struct driver *driver)
{
	const struct param_value *values = driver->values;
	struct ebizzy *all = calloc(1, sizeof(*all));
	void *memory;
	int rc;

	if (!all)
		return error_no_memory();
	driver->data = all;
	driver->threads = true;
	all->chunks = (uint64_t)values[EBIZZY_CHUNKS].number;
	all->words = (uint64_t)values[EBIZZY_SIZE].number / sizeof(uint64_t);
	all->interval_ns = (uint64_t)values[EBIZZY_INTERVAL].number;
	all->every = (uint64_t)values[EBIZZY_EVERY].number;
	all->seed = (uint64_t)values[EBIZZY_SEED].number;
	all->mapped = values[EBIZZY_ALLOC].choice == EBIZZY_MMAP;
	if (!all->interval_ns && driver->options.slack_given)
		return error_usage("--timer-slack has no effect with interval 0: nothing sleeps");
	rc = check_memory(driver, all);
	if (!rc)
		rc = make_chunks(all);
	if (!rc)
		rc = driver_alloc((size_t)driver->needs.tasks * sizeof(*all->thread), &memory);
	if (rc)
		return rc;
	all->thread = memory;
	for (int i = 0; i < driver->needs.tasks; i++)
		snprintf(driver->task[i].role, sizeof(driver->task[i].role), "ebizzy");
	return 0;
}

static uint64_t *get_memory(const struct ebizzy *all)
{
	size_t size = all->words * sizeof(uint64_t);
	void *memory;

	if (!all->mapped)
		return malloc(size);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static void put_memory(const struct ebizzy *all, uint64_t *memory)
{
	if (all->mapped)
		munmap(memory, all->words * sizeof(uint64_t));
	else
		free(memory);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int one_record(const struct ebizzy *all, uint64_t *random)
{
	const uint64_t *chunk = all->chunk[random_below(random, all->chunks)], *found;
	uint64_t place = random_below(random, all->words), wanted = 2 * place;
	uint64_t *copy = get_memory(all);
	bool right;

	if (!copy)
		return error_set(-ENOMEM, "no memory for a record: %s", strerror(errno));
	memcpy(copy, chunk, all->words * sizeof(*copy));
	__asm__ volatile("" : : "r"(copy) : "memory"); /* searched is the copy, not the chunk */
	found = bsearch(&wanted, copy, all->words, sizeof(*copy), compare);
	right = found == copy + place;
	put_memory(all, copy);
	return right ? 0 : error_set(-EIO, "a copied chunk is not what it was copied from");
}

/* The calling thread's own part, beside what it counts. */
struct turn {
	const struct ebizzy *all;
	struct ebizzy_thread *own;
	uint64_t t0, t1, period;
	uint64_t random;
	uint64_t unslept; /* records since the last sleep */
	bool counts; /* t0 is over */
};

/* Sleeps when it is time to, and returns when the next record begins; UINT64_MAX: never. */
static uint64_t rest(struct turn *turn, uint64_t now)
{
	const struct ebizzy *all = turn->all;
	uint64_t due = now + all->interval_ns, late;

	if (!all->interval_ns || ++turn->unslept < all->every)
		return now;
	turn->unslept = 0;
	if (due > turn->t1) {
		timed_sleep_beyond(turn->t1, due);
		return UINT64_MAX;
	}
	late = timed_sleep(due);
	if (turn->counts && due + late <= turn->t1)
		hist_add(&turn->own->overshoot, late);
	return due + late;
}

static void count(struct turn *turn, uint64_t begin, uint64_t end)
{
	struct ebizzy_thread *own = turn->own;
	uint64_t batch = (end - turn->t0) / turn->period;

	own->records++;
	own->end_ns = end;
	hist_add(&own->record, end - begin);
	if (batch < BLOCKS_MAX)
		own->batch[batch]++;
}

static int run_turn(struct turn *turn, struct driver_task *task, uint64_t loops)
{
	uint64_t begin = clock_now_ns(), end;
	int rc;

	for (; begin <= turn->t1; begin = rest(turn, end)) {
		if (!turn->counts && begin >= turn->t0) {
			turn->counts = true;
			driver_mark(&task->start);
			begin = clock_now_ns();
		}
		rc = one_record(turn->all, &turn->random);
		if (rc)
			return rc;
		end = clock_now_ns();
		if (end > turn->t1)
			break;
		if (turn->counts)
			count(turn, begin, end);
		if (turn->own->records == loops)
			break;
	}
	if (!turn->counts)
		driver_mark(&task->start);
	driver_mark(&task->end);
	task->done_ns = turn->own->end_ns;
	return 0;
}

static int task(struct driver *driver, int index)
{
	struct ebizzy *all = driver->data;
	struct turn turn = {
		.all = all,
		.own = &all->thread[index],
		.t0 = driver->gate->t0_ns,
		.t1 = driver->gate->t1_ns,
		.random = all->seed,
	};

	for (int i = 0; i <= index; i++)
		turn.random = random_next(&turn.random); /* far apart, whatever the seeds */
	turn.period = ebizzy_period_ns(turn.t0, turn.t1, driver->loops);
	return run_turn(&turn, &driver->task[index], driver->loops ? driver->loops : UINT64_MAX);
}

const struct workload workload_ebizzy = {
	.name = "ebizzy",
	.about = "Threads copy chunks of memory, search the copies, and sleep for an interval "
		 "after each.",
	.timer_note = "unless interval is 0",
	.params = params,
	.metrics = ebizzy_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = ebizzy_finish,
};
