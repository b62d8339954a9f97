/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setfsuid() and not seteuid(): the capabilities that perf events and signals to the workload need
 * stay, those that open any file go (capabilities(7)), and the signals that glibc sends to all
 * threads for seteuid() never come into a window.
 */
#include "run/privilege.h"
#include "lib/error.h"
#include "lib/units.h"
#include "run/environment.h"
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GROUPS_MAX 65536 /* NGROUPS_MAX of the kernel */
#define CLOSE_ON_EXEC 4u /* CLOSE_RANGE_CLOEXEC, Linux 5.11 */

static struct {
	bool given; /* somebody is acted for */
	bool left; /* root is given up for good */
	int lent; /* depth of privilege_root() */
	uid_t uid;
	gid_t gid;
	char *name, *home;
} user;

static int parse_id(const char *variable, const char *text, id_t *ret)
{
	char quoted[ERROR_QUOTE_SIZE];
	uint64_t value;

	if (!*text || text[strspn(text, "0123456789")] || units_parse_count(text, &value) ||
	    value >= UINT32_MAX)
		return error_usage("%s: '%s' is not a number of a user or group", variable,
				   error_quote(text, quoted));
	*ret = (id_t)value;
	return 0;
}

static int take(const struct passwd *entry, gid_t gid)
{
	if (!entry->pw_uid)
		return 0;
	user.uid = entry->pw_uid;
	user.gid = gid;
	user.name = strdup(entry->pw_name);
	user.home = strdup(entry->pw_dir);
	user.given = user.name && user.home;
	return user.given ? 0 : error_no_memory();
}

static int find_named(const char *run_as, const struct passwd **ret)
{
	const struct passwd *entry = getpwnam(run_as);
	char quoted[ERROR_QUOTE_SIZE];
	id_t id;

	if (!entry && !parse_id("--run-as", run_as, &id))
		entry = getpwuid(id);
	if (!entry)
		return error_usage("--run-as: this machine has no user '%s'",
				   error_quote(run_as, quoted));
	*ret = entry;
	return 0;
}

/* sudo tells the group that its caller had: one of the user's own. */
static bool is_member(const struct passwd *entry, gid_t gid)
{
	int n = GROUPS_MAX;
	gid_t *list = calloc((size_t)n, sizeof(*list));
	bool found = false;

	if (list && getgrouplist(entry->pw_name, entry->pw_gid, list, &n) >= 0)
		for (int i = 0; i < n && !found; i++)
			found = list[i] == gid;
	free(list);
	return found;
}

static int take_sudo(void)
{
	const char *uid_text = getenv("SUDO_UID"), *gid_text = getenv("SUDO_GID");
	const struct passwd *entry;
	id_t uid, gid;
	int err;

	if (!uid_text)
		return 0;
	err = parse_id("SUDO_UID", uid_text, &uid);
	if (err || !uid)
		return err;
	entry = getpwuid(uid);
	if (!entry)
		return error_usage("SUDO_UID: this machine has no user %u (--run-as names another)",
				   uid);
	gid = entry->pw_gid;
	if (gid_text)
		err = parse_id("SUDO_GID", gid_text, &gid);
	if (!err && !is_member(entry, gid))
		err = error_usage(
			"SUDO_GID: user %s is not in group %u (--run-as says who is meant)",
			entry->pw_name, gid);
	return err ? err : take(entry, gid);
}

static int decide(const char *run_as)
{
	const struct passwd *entry = NULL;
	int err;

	if (getuid() != geteuid())
		return error_set(-EPERM, "not made to be installed setuid: use sudo");
	if (!run_as)
		return geteuid() ? 0 : take_sudo();
	err = find_named(run_as, &entry);
	if (err)
		return err;
	if (!geteuid())
		return take(entry, entry->pw_gid);
	return entry->pw_uid == geteuid() ? 0
					  : error_usage("--run-as %s needs root: use sudo", run_as);
}

static bool act_as(uid_t uid, gid_t gid)
{
	/* Neither call tells failure; -1 is no id, so the second one only asks. */
	setfsgid(gid);
	setfsuid(uid);
	return setfsgid((gid_t)-1) == (int)gid && setfsuid((uid_t)-1) == (int)uid;
}

void privilege_root(void)
{
	if (user.lent++ == 0 && user.given && !user.left && !act_as(0, 0))
		abort();
}

void privilege_user(void)
{
	/* It worked at the start. Going on as root would be the one thing promised not to happen.
	 */
	if (--user.lent == 0 && user.given && !user.left && !act_as(user.uid, user.gid))
		abort();
}

static int no_capabilities(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capset, &header, none) ? -1 : 0;
}

/* Whatever the kernel was told: is there really no way back? */
static bool is_left(void)
{
	uid_t r, e, s;
	gid_t gr, ge, gs;

	if (getresuid(&r, &e, &s) || getresgid(&gr, &ge, &gs))
		return false;
	return r == user.uid && e == user.uid && s == user.uid && gr == user.gid &&
	       ge == user.gid && gs == user.gid && setuid(0) != 0 &&
	       setfsuid((uid_t)-1) == (int)user.uid;
}

static int become(void)
{
	/* The bounding set needs CAP_SETPCAP, which a container may lack: the rest is enough. */
	for (unsigned long c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
		prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
	if (setresgid(user.gid, user.gid, user.gid) || setresuid(user.uid, user.uid, user.uid) ||
	    no_capabilities() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return error_set(-errno, "cannot become user %s: %m", user.name);
	return is_left() ? 0 : error_set(-EPERM, "cannot become user %s for good", user.name);
}

int privilege_leave(void)
{
	/* A kernel before 5.11 has no such call; each of ours is marked anyhow. */
	syscall(SYS_close_range, 3u, ~0u, CLOSE_ON_EXEC);
	return user.given && !user.left ? become() : 0;
}

/* Asked with the user's own rights. A path that is not there is refused later, by name. */
static bool is_fake(const char *root)
{
	char path[PATH_MAX];

	return root && (!realpath(root, path) || strcmp(path, "/"));
}

int privilege_start(const char *run_as, const char *root)
{
	bool privileged = geteuid() == 0;
	int err = decide(run_as);

	if (!err)
		err = environment_clean(privileged, user.home);
	if (err || !user.given)
		return err;
	if (initgroups(user.name, user.gid) || !act_as(user.uid, user.gid))
		return error_set(-EPERM, "cannot act for user %s (--run-as root is the other way)",
				 user.name);
	if (is_fake(root)) {
		err = become();
		user.left = !err;
	}
	return err;
}

const char *privilege_name(void)
{
	return user.given ? user.name : NULL;
}

static int judge(const char *path, const struct stat *status)
{
	uid_t own = user.given ? user.uid : geteuid();
	bool others = status->st_uid && status->st_uid != own;
	bool open_to_all = status->st_mode & S_IWOTH, sticky = status->st_mode & S_ISVTX;
	const struct passwd *owner = others ? getpwuid(status->st_uid) : NULL;

	if (others && open_to_all)
		return error_set(-EPERM,
				 "%s: everybody may write to this folder and it belongs to %s, who "
				 "could lead what is written elsewhere: take another one",
				 path, owner ? owner->pw_name : "another user");
	if (open_to_all && !sticky && (own == 0 || status->st_uid != own))
		return error_set(-EPERM,
				 "%s: everybody may write to this folder: chmod o-w it, or take "
				 "another one",
				 path);
	/* A number without a user (an archive from elsewhere) is nobody who could do harm. */
	if (own == 0 && owner)
		return error_set(
			-EPERM,
			"%s belongs to %s, who could lead what root writes elsewhere: give "
			"--run-as %s",
			path, owner->pw_name, owner->pw_name);
	return 0;
}

int privilege_check_folder(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", path);
	return S_ISDIR(status.st_mode) ? judge(path, &status) : 0;
}

int privilege_make_folder(const char *path)
{
	struct stat status;
	int made = mkdir(path, 0775) ? -errno : 0;

	if (lstat(path, &status))
		return error_set(made ? made : -errno, "%s: %s", path,
				 strerror(made ? -made : errno));
	if (S_ISLNK(status.st_mode))
		return error_set(-ELOOP, "%s is a symbolic link: it is not followed", path);
	if (!S_ISDIR(status.st_mode))
		return error_set(-ENOTDIR, "%s is no folder", path);
	return judge(path, &status);
}
