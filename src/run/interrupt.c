/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A signalfd: no handler runs, so no system call is interrupted and nothing has to be
 * async-signal-safe.
 */
#include "run/interrupt.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static int fd = -1, signal_seen;

/* Under nohup SIGHUP stays ignored: a night's campaign outlives the terminal. */
static bool hangup_ignored(void)
{
	struct sigaction action;

	return !sigaction(SIGHUP, NULL, &action) && action.sa_handler == SIG_IGN;
}

static void set_of_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGQUIT);
	if (!hangup_ignored())
		sigaddset(set, SIGHUP);
}

int interrupt_start(void)
{
	sigset_t set;

	set_of_signals(&set);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return error_set(-errno, "cannot block signals: %m");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is a failed write, with the file's name */
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_set(-errno, "signalfd: %m") : 0;
}

int interrupt_fd(void)
{
	return fd;
}

int interrupt_pending(void)
{
	struct signalfd_siginfo info;

	if (!signal_seen && fd >= 0 && read(fd, &info, sizeof(info)) == sizeof(info))
		signal_seen = (int)info.ssi_signo;
	return signal_seen;
}

int interrupt_sleep(uint64_t until_ns)
{
	while (!interrupt_pending()) {
		uint64_t now = clock_now_ns(), left = until_ns > now ? until_ns - now : 0;
		struct timespec timeout = { (time_t)(left / 1000000000u),
					    (long)(left % 1000000000u) };
		struct pollfd signal_fd = { fd, POLLIN, 0 };

		if (!left)
			return 0;
		ppoll(&signal_fd, 1, &timeout, NULL);
	}
	return error_set(-EINTR, "interrupted");
}

void interrupt_child(void)
{
	sigset_t set;

	set_of_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

void interrupt_die(int number)
{
	interrupt_child();
	signal(number, SIG_DFL);
	raise(number);
	_exit(128 + number);
}
