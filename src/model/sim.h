/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of one simulated run: CPUs, tasks, and the functions by which they meet. Only for the
 * files of this layer.
 *
 * A CPU has one event at a time. It runs (a task, an interrupt's work) until the event, or is idle
 * until the event that it knows of; who is woken by another before that is taken out at once. What
 * lies between a wake and the first instruction is no event: it only moves the run's beginning.
 */
#ifndef MODEL_SIM_H
#define MODEL_SIM_H

#include "lib/random.h"
#include "model/energy.h"
#include "model/model.h"
#include "model/tree.h"

#define SIM_NEVER TREE_NEVER
#define SIM_SLICE_NS 3000000 /* of a task while others wait for its CPU */
#define SIM_NO_TASK (-1)

/* What a CPU runs when it is no task. */
enum { SIM_NOTHING = -1, SIM_INTERRUPT = -2, SIM_BACKGROUND = -3 };

enum sim_cause { SIM_BY_TASK, SIM_BY_TICK, SIM_BY_BACKGROUND, SIM_BY_LIMIT };

struct sim_task {
	double left_ns; /* of its stage, at full speed */
	double shared; /* of full speed: the stage's while a sibling runs */
	double packet_ns; /* of it, units of work: timed workloads */
	int64_t due_ns; /* its timer */
	int64_t begun_ns; /* first instruction after it was woken */
	int64_t mark_ns; /* the workload's: begin of what it measures */
	uint64_t step; /* the workload's: which round */
	uint64_t done; /* loops, in the window */
	uint64_t migrations;
	int64_t end_ns; /* when it had done all its loops; 0 = not yet */
	int cpu; /* where it is, or was last */
	int next, child; /* in a run queue, or in a CPU's timers */
	int pending; /* wakes that found it awake */
	uint16_t stage; /* the workload's */
	uint16_t kind; /* the workload's: of the operation */
	bool waiting; /* for a wake */
	bool fresh; /* woken and not yet begun */
};

struct sim_cpu {
	struct governor_cpu governor;
	int64_t begin_ns; /* of what runs, or of what is left of it; may lie ahead */
	double left_ns; /* of it, at full speed */
	double shared; /* as the task's */
	double rate, pace; /* of full speed; 1 / rate */
	int64_t slice_ns; /* end of the task's slice, if others wait */
	int64_t entry_ns; /* of the idle state */
	int64_t timer_ns, tick_at_ns; /* what ends it; SIM_NEVER: the tick is stopped */
	int64_t background_ns; /* the next background timer */
	int64_t busy_ns; /* it runs since then */
	int64_t changed_ns; /* last change between running and idle */
	double util; /* at changed_ns, 0 to 1024 */
	int current; /* task, or SIM_... */
	int head, tail; /* run queue */
	int timers; /* root of the timers' heap */
	int core;
	int state; /* while idle: the governor's */
	int hard_state; /* what the hardware makes of it */
	int64_t idle_mean_ns; /* of the last idle times, without exits */
	bool idle, tick_stopped;
	struct model_cpu_count count;
};

/* What a task does when a stage has ended. */
struct sim_action {
	enum { SIM_GO, SIM_SLEEP, SIM_WAIT } what;
	double path_ns, work_ns; /* its next stage, at full speed: in the kernel, units of work */
	int64_t until_ns; /* SIM_SLEEP */
};

struct sim;

struct sim_load {
	/* Puts the tasks to their beginning; all wait. */
	void (*begin)(struct sim *sim);
	/* The task's stage has ended at sim->now_ns. */
	struct sim_action (*step)(struct sim *sim, int task);
};

struct sim_role {
	struct hist *hist;
	uint64_t block_n; /* since the last sample */
	uint64_t block_ns;
};

struct sim {
	const struct model_setup *setup;
	const struct model_machine *machine;
	const struct governor *governor;
	const struct model_workload *workload;
	const struct sim_load *load;
	int64_t now_ns;
	int64_t next_tick_ns; /* after now; the ticks of all CPUs are one grid */
	int64_t poll_limit_ns; /* by the core's rule */
	uint64_t random;
	struct tree tree;
	struct energy energy;
	struct sim_cpu *cpu;
	struct sim_task *task;
	int cpus, tasks;
	int queued; /* tasks in run queues */
	double speed; /* of the highest frequency */
	double alone_rate; /* of full speed: a thread without a sibling that runs, ticks taken out
			    */
	int *running; /* threads of each core */

	/* The window. */
	bool counting;
	int64_t start_ns;
	uint64_t loops; /* of each ring or thread; 0 = none */
	int unfinished; /* rings or threads that have loops to do */
	uint64_t events;
	uint64_t overruns, missed;
	int64_t longest_overrun_ns;
	double bytes; /* carried */
	double worked_ns; /* in packets that are done, at full speed */
	int roles;
	struct sim_role *role;
};

/* sim_core.c */
double sim_decay(int64_t ns); /* what is left of utilisation after @ns */
double sim_util(const struct sim *sim, const struct sim_cpu *cpu, int64_t now);
int sim_core_state(const struct sim *sim, int cpu); /* the shallowest of its core's threads */
double sim_rate(const struct sim *sim, int cpu); /* of full speed, now */
void sim_set_rate(struct sim *sim, int cpu);
void sim_progress(struct sim *sim, int cpu); /* accounts what it did until now */
void sim_arm(struct sim *sim, int cpu); /* sets the event of a CPU that runs */
void sim_change(struct sim *sim, int cpu, bool idle, int state); /* it runs, or is idle in @state */

/* sim_idle.c */
void sim_go_idle(struct sim *sim, int cpu); /* one pass of the idle loop */
/* The CPU wakes; when its exit is over. It still has to be told what to run. @own_timer: no other
 * CPU woke it. */
int64_t sim_leave_idle(struct sim *sim, int cpu, enum sim_cause cause, bool own_timer);
static inline bool sim_polls(const struct sim *sim, int state)
{
	return sim->machine->table.polling >> state & 1;
}

/* sim_cpu.c */
void sim_cpu_begin(struct sim *sim); /* all CPUs go idle at 0 */
void sim_cpu_event(struct sim *sim, int cpu); /* the CPU's event is due at sim->now_ns */
void sim_wake_on(struct sim *sim, int task, int cpu); /* a task that is to run there */
struct model_cpu_count sim_cpu_count(const struct sim *sim, int cpu); /* up to now */

/* sim_task.c */
void sim_signal(struct sim *sim, int task); /* wakes it, or notes that it need not wait */
void sim_timer(struct sim *sim, int task, int cpu, int64_t due_ns); /* wakes it then */
int sim_timer_pop(struct sim *sim, int cpu); /* the first, which there is */
static inline int64_t sim_timer_first(const struct sim *sim, int cpu)
{
	int root = sim->cpu[cpu].timers;

	return root < 0 ? SIM_NEVER : sim->task[root].due_ns;
}
void sim_wake(struct sim *sim, int task); /* places it and wakes it there */
int sim_steal(struct sim *sim); /* a free task that waits elsewhere, or SIM_NO_TASK */

/* sim_load.c, sim_timed.c */
extern const struct sim_load sim_load_ping_pong, sim_load_timed, sim_load_ebizzy,
	sim_load_client_server, sim_load_fork_chain, sim_load_idle;

/* Its next stage. */
void sim_stage(const struct sim *sim, struct sim_task *task, double path_ns, double work_ns);
/* A loop of role @role took @ns. */
void sim_record(struct sim *sim, int role, int64_t ns);
/* Of a ramp: which step it is at @now, and its share of the work; 0 before the window. */
int64_t sim_ramp_step(const struct sim *sim, int64_t now);
double sim_ramp_level(const struct sim *sim, int64_t step);
/* One more loop of task @task is done: false when it was the last that was asked for. */
bool sim_loop_done(struct sim *sim, int task);

/* metrics.c */
/* @all: all roles in one; @seconds: of the whole window. */
void sim_metrics(const struct sim *sim, double seconds, double stretch, const struct hist *all,
		 struct model_result *result);
void sim_role_name(const struct sim *sim, int role, char *text, size_t size);
/* Series: one of each role, and with a ramp the steps of each. */
int sim_series_count(const struct sim *sim);
/* Series @i in the interval from @since_ns to now. */
double sim_series(const struct sim *sim, int i, int64_t since_ns, char *name, size_t size);

/* 0 up to 1. */
static inline double sim_uniform(struct sim *sim)
{
	return (double)(random_next(&sim->random) >> 11) * 0x1p-53;
}

/* @ns, more or less by up to @share of it. */
static inline int64_t sim_about(struct sim *sim, int64_t ns, double share)
{
	if (!ns || share <= 0)
		return ns;
	return ns + (int64_t)((double)ns * share * (2 * sim_uniform(sim) - 1));
}

/* A path of the kernel's. */
static inline int64_t sim_path(struct sim *sim, int64_t ns)
{
	return sim_about(sim, ns, sim->machine->jitter);
}

#endif
