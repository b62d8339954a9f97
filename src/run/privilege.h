/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Root only for what is done to the machine. Under sudo the runner keeps the user id 0, but the
 * kernel checks every file access with the rights of the user who called sudo (setfsuid), so that
 * results belong to that user and a planted link leads nowhere the user could not go anyway.
 * privilege_root() lends root's rights to the lines up to privilege_user(). Both do nothing where
 * nobody is to be acted for: not root, root without sudo, --run-as root.
 */
#ifndef RUN_PRIVILEGE_H
#define RUN_PRIVILEGE_H

/*
 * Once, before anything is opened and before threads exist: decides who is acted for (@run_as, a
 * name or number, NULL = SUDO_UID and SUDO_GID), acts for them, and cleans the environment. With
 * @root, a fake machine, nothing needs root, and it is given up for good. Usage error for a user
 * who does not exist and for --run-as without root; -EPERM when the kernel refuses.
 */
int privilege_start(const char *run_as, const char *root);

/* The name of who is acted for, NULL for nobody. */
const char *privilege_name(void);

/* Around what needs root: the governor, the journal, energy counters. They nest. For the main
 * thread; others inherit the state they are made in. */
void privilege_root(void);
void privilege_user(void);

/*
 * In a child before exec: closes all descriptors above 2 at exec, and becomes who is acted for, for
 * good, without capabilities and without a way to get any. Clears PR_SET_PDEATHSIG.
 */
int privilege_leave(void);

/*
 * Is @path, when it exists, a folder where nobody can plant links for us? -EPERM when it belongs to
 * another user and everybody may write to it; for root also when it belongs to another user at all.
 */
int privilege_check_folder(const char *path);

/* Makes the one folder when it is missing. -ELOOP for a symlink, else as privilege_check_folder().
 */
int privilege_make_folder(const char *path);

#endif
