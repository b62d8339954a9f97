/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is what was asked possible here? All checks come before the first change to the machine.
 */
#ifndef RUN_PREFLIGHT_H
#define RUN_PREFLIGHT_H

struct session;

/*
 * Every governor asked for: a typo is a usage error; one that the kernel lacks is warned about with
 * the option that would bring it; when none is offered at all, -ENODEV.
 */
int preflight_governors(const struct session *session);

/*
 * Where cpufreq governors are an axis: reads the policies as they are now, checks that each
 * governor is offered. Finds the temperature sensors in any case.
 */
int preflight_cpufreq(struct session *session);

/* Switching: may this user write the governor's file, and can the kernel switch at all? */
int preflight_rights(const struct session *session);

/*
 * What "check" says of this moment, as far as it concerns a run (run/facts.h): room for the results
 * (-ENOSPC), latency limits that forbid idle states and other work on half of all CPUs (-EBUSY,
 * unless --allow-busy; looked at for 0.1 s, and when that is too much for 1 s up to five times).
 * Frequency scaling is warned about. With --dry-run everything is a warning. -EINTR when a signal
 * came meanwhile.
 */
int preflight_conditions(const struct session *session);

#endif
