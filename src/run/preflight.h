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

/* Switching: may this user write the governor's file, and can the kernel switch at all? */
int preflight_rights(const struct session *session);

#endif
