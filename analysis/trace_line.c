/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "COMM-PID [CPU] FLAGS SECONDS.FRACTION: [SYSTEM:]EVENT: KEY=VALUE ...", the flags missing in some
 * tools' text, and perf without the dash. A task's name may hold anything, so the CPU is looked for
 * from the time backwards.
 */
#include "analysis/trace_line.h"
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CPU_MAX (TRACE_CPUS_MAX - 1)

static const struct row {
	const char *name;
	enum event event;
	const char *key[EVENT_FIELDS_MAX];
} table[] = {
	{ "cpu_idle", EVENT_IDLE, { "state", "cpu_id" } },
	{ "cpu_idle_miss", EVENT_MISS, { "state", "type" } },
	{ "tick_stop", EVENT_TICK_STOP, { "success" } },
	{ "hrtimer_start", EVENT_HRTIMER_START, { "hrtimer", "function", "expires" } },
	{ "hrtimer_cancel", EVENT_HRTIMER_CANCEL, { "hrtimer" } },
	{ "hrtimer_expire_entry", EVENT_HRTIMER_EXPIRE, { "hrtimer", "function", "now" } },
	{ "timer_start", EVENT_TIMER_START, { "timer" } },
	{ "timer_cancel", EVENT_TIMER_CANCEL, { "timer" } },
	{ "timer_expire_entry", EVENT_TIMER_EXPIRE, { "timer" } },
	{ "local_timer_entry", EVENT_IRQ_TIMER, { NULL } },
	{ "reschedule_entry", EVENT_IRQ_RESCHEDULE, { NULL } },
	{ "call_function_entry", EVENT_IRQ_CALL, { NULL } },
	{ "call_function_single_entry", EVENT_IRQ_CALL_SINGLE, { NULL } },
	{ "irq_work_entry", EVENT_IRQ_WORK, { NULL } },
	{ "ipi_entry", EVENT_IRQ_IPI, { NULL } },
	{ "x86_platform_ipi_entry", EVENT_IRQ_PLATFORM, { NULL } },
	{ "thermal_apic_entry", EVENT_IRQ_THERMAL, { NULL } },
	{ "threshold_apic_entry", EVENT_IRQ_THRESHOLD, { NULL } },
	{ "deferred_error_apic_entry", EVENT_IRQ_DEFERRED, { NULL } },
	{ "error_apic_entry", EVENT_IRQ_ERROR, { NULL } },
	{ "spurious_apic_entry", EVENT_IRQ_SPURIOUS, { NULL } },
	{ "irq_handler_entry", EVENT_IRQ_DEVICE, { NULL } },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "763120.481960:" with 1 to 9 digits behind the point: ns. Returns behind the colon, or NULL. */
static const char *read_time(const char *at, uint64_t *ret_ns)
{
	uint64_t seconds = 0, fraction = 0;
	int digits = 0;

	if (!is_digit(*at))
		return NULL;
	for (; is_digit(*at); at++) {
		seconds = seconds * 10 + (uint64_t)(*at - '0');
		if (seconds > 4000000000u)
			return NULL;
	}
	if (*at++ != '.')
		return NULL;
	for (; is_digit(*at) && digits < 9; at++, digits++)
		fraction = fraction * 10 + (uint64_t)(*at - '0');
	if (!digits || *at != ':')
		return NULL;
	for (; digits < 9; digits++)
		fraction *= 10;
	*ret_ns = seconds * 1000000000u + fraction;
	return at + 1;
}

/* The row of the event whose name stands at @at; *@ret is behind its colon. */
static const struct row *find_row(const char *at, const char **ret)
{
	size_t n;

	at += strspn(at, " \t");
	n = strcspn(at, ": \t");
	if (at[n] == ':' && at[n + 1] && at[n + 1] != ' ' && at[n + 1] != '\t') { /* "power:" */
		at += n + 1;
		n = strcspn(at, ": \t");
	}
	if (at[n] != ':')
		return NULL;
	*ret = at + n + 1;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strlen(table[i].name) == n && !strncmp(table[i].name, at, n))
			return &table[i];
	return NULL;
}

/* What is behind "key=" or "key:", as a word; NULL = not there. */
static const char *value_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; (at = strstr(at, key)); at += n)
		if ((at == text || at[-1] == ' ' || at[-1] == '\t') && at[n] == '=')
			return at + n + 1;
	return NULL;
}

static bool is_word(const char *at, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(at, word, n) && (!at[n] || strchr(" \t,", at[n]));
}

/* A function is a name, a miss is "above" or "below", everything else a number. */
static bool read_value(const char *key, const char *at, uint64_t *ret)
{
	char *end;

	if (!strcmp(key, "function")) {
		*ret = is_word(at, "tick_nohz_handler") || is_word(at, "tick_sched_timer")
			       ? TRACE_LINE_TICK
			       : TRACE_LINE_OTHER;
		return true;
	}
	if (!strcmp(key, "type")) {
		*ret = is_word(at, "below");
		return *ret || is_word(at, "above");
	}
	errno = 0;
	if (!strcmp(key, "hrtimer") || !strcmp(key, "timer"))
		*ret = strtoull(at, &end, 16);
	else if (is_digit(*at))
		*ret = strtoull(at, &end, 10);
	else
		return false;
	return end != at && !errno && (!*end || strchr(" \t,", *end));
}

static bool read_cpu(const char *begin, const char *end, int *ret)
{
	const char *at = end;
	long cpu;
	char *stop;

	while (at > begin && *at != '[')
		at--;
	if (*at != '[' || !is_digit(at[1]))
		return false;
	cpu = strtol(at + 1, &stop, 10);
	*ret = (int)cpu;
	return *stop == ']' && cpu <= CPU_MAX;
}

/*
 * "expires=4294937500 [timeout=250] bucket_expiry=4294937504 cpu=1 idx=80 flags=D|P", of which old
 * kernels have less. What does not say when and where it is due is taken for one that wakes nobody.
 */
static void read_wheel(const char *text, struct trace_line *ret)
{
	const char *expires = value_of(text, "expires"), *bucket = value_of(text, "bucket_expiry"),
		   *timeout = strstr(text, "[timeout="), *cpu = value_of(text, "cpu"),
		   *flags = value_of(text, "flags"), *index = value_of(text, "idx");
	bool known = expires && timeout && is_digit(*expires);

	ret->in.value[3] = TRACE_LINE_DEFERRABLE;
	if (!known)
		return;
	ret->in.value[1] = strtoull(expires, NULL, 10);
	ret->in.value[2] = ret->in.value[1] - (uint64_t)strtoll(timeout + 9, NULL, 10);
	if (bucket && is_digit(*bucket))
		ret->in.value[1] = strtoull(bucket, NULL, 10);
	else if (index && is_digit(*index))
		ret->in.value[1] = timers_bucket(ret->in.value[1], ret->in.value[2],
						 (unsigned int)strtoul(index, NULL, 10));
	if (!flags || !memchr(flags, 'D', strcspn(flags, " \t")))
		ret->in.value[3] = cpu && is_digit(*cpu) ? strtoul(cpu, NULL, 10) & CPU_MAX
							 : (uint64_t)ret->cpu;
}

static bool read_fields(const struct row *row, const char *text, struct trace_line *ret)
{
	for (int f = 0; f < EVENT_FIELDS_MAX && row->key[f]; f++) {
		const char *at = value_of(text, row->key[f]);

		if (!at && row->event == EVENT_HRTIMER_EXPIRE && f == 2) /* now: made by hand */
			break;
		if (!at || !read_value(row->key[f], at, &ret->in.value[f])) {
			ret->what = row->key[f];
			return false;
		}
	}
	if (row->event == EVENT_TIMER_START)
		read_wheel(text, ret);
	return true;
}

/* "CPU:3 [LOST 123 EVENTS]" of ftrace, "CPU:3 [123 EVENTS DROPPED]" of trace-cmd. */
static bool read_lost(const char *line, struct trace_line *ret)
{
	const char *at = strstr(line, "CPU:");
	char *end;
	long cpu;

	if (!at || !is_digit(at[4]))
		return false;
	cpu = strtol(at + 4, &end, 10);
	end += strspn(end, " ");
	if (cpu > CPU_MAX || *end != '[' || (!strstr(end, "DROPPED") && strncmp(end, "[LOST ", 6)))
		return false;
	end += strcspn(end, "0123456789");
	ret->cpu = (int)cpu;
	ret->lost = strtoull(end, NULL, 10);
	if (!ret->lost)
		ret->lost = 1; /* "EVENTS DROPPED" without a number */
	return true;
}

enum trace_line_type trace_line_read(const char *line, struct trace_line *ret)
{
	const struct row *row = NULL;
	const char *at, *behind = NULL;

	*ret = (struct trace_line){ 0 };
	if (*line == '#')
		return TRACE_LINE_NONE;
	if (!strncmp(line, "cpus=", 5) && is_digit(line[5])) {
		long n = strtol(line + 5, NULL, 10);

		ret->cpu = n > CPU_MAX ? CPU_MAX : (int)n;
		return TRACE_LINE_CPUS;
	}
	if (read_lost(line, ret))
		return TRACE_LINE_LOST;
	for (at = line; *at && !row; at++) {
		if (at > line && at[-1] != ' ' && at[-1] != '\t')
			continue;
		behind = read_time(at, &ret->in.t_ns);
		row = behind ? find_row(behind, &behind) : NULL;
		if (row)
			break;
	}
	if (!row)
		return TRACE_LINE_NONE;
	ret->in.event = row->event;
	ret->what = "CPU";
	if (!read_cpu(line, at, &ret->cpu) || !read_fields(row, behind, ret))
		return TRACE_LINE_BAD;
	/* The CPU that is meant is the event's, should another one have written the line. */
	if (row->event == EVENT_IDLE && ret->in.value[1] <= CPU_MAX)
		ret->cpu = (int)ret->in.value[1];
	return TRACE_LINE_EVENT;
}
