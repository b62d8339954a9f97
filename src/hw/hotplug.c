/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket of the kernel's object events, in their raw form: ACTION@DEVPATH, NUL, then variables.
 */
#include "hw/hotplug.h"
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define GROUP_KERNEL 1 /* 2 is what udev sends on */
#define EVENT_MAX 4096 /* lib/kobject_uevent.c: 2 KiB of variables */

int hotplug_watch(const struct root *root)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = GROUP_KERNEL };
	int fd = root->live ? socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
				     NETLINK_KOBJECT_UEVENT)
			    : -1;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool hotplug_describe(const char *event, size_t length, char *text, size_t size)
{
	static const struct {
		const char *action, *words;
	} known[] = {
		{ "offline", "went offline" },
		{ "online", "came online" },
		{ "remove", "was removed" },
		{ "add", "was added" },
	};
	char action[16], cpu[16];

	if (strnlen(event, length) == length ||
	    sscanf(event, "%15[a-z]@/devices/system/cpu/%15[a-z0-9]", action, cpu) != 2 ||
	    strncmp(cpu, "cpu", 3) || !cpu[3] || strspn(cpu + 3, "0123456789") != strlen(cpu + 3))
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(action, known[i].action)) {
			snprintf(text, size, "%s %s", cpu, known[i].words);
			return true;
		}
	}
	return false;
}

bool hotplug_happened(int fd, char *text, size_t size)
{
	char event[EVENT_MAX], one[48];
	struct sockaddr_nl from;
	socklen_t length = sizeof(from);
	size_t used = 0;
	ssize_t got;

	text[0] = '\0';
	if (fd < 0)
		return false;
	while ((got = recvfrom(fd, event, sizeof(event), 0, (struct sockaddr *)&from, &length)) >
	       0) {
		length = sizeof(from);
		if (from.nl_pid || !hotplug_describe(event, (size_t)got, one, sizeof(one)) ||
		    used + strlen(one) + 3 > size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", one);
	}
	return used > 0;
}
