// SPDX-License-Identifier: GPL-2.0
/*
 * haltpoll as this kernel version has it. In the kernel it registers itself under KVM only, and has
 * tracepoints that a module cannot have.
 */
#define LAB_NAME "haltpoll"
#include "labgov.h"
#include <linux/kvm_para.h>
#include <trace/events/power.h>
#undef trace_guest_halt_poll_ns_grow
#undef trace_guest_halt_poll_ns_shrink
#define trace_guest_halt_poll_ns_grow(new, old)                                                    \
	do {                                                                                       \
	} while (0)
#define trace_guest_halt_poll_ns_shrink(new, old)                                                  \
	do {                                                                                       \
	} while (0)
#define kvm_para_available() true
#include "haltpoll.c"
LAB_GOVERNOR;
