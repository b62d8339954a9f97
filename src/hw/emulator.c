// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypervisor's signature in CPUID. No file of the kernel has it: what /proc/cpuinfo says, one
 * bit for any hypervisor, is the same with and without KVM.
 */
#include "hw/emulator.h"
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#if defined(__x86_64__) || defined(__i386__)
#define LEAF_FEATURES 1u
#define LEAF_HYPERVISOR 0x40000000u
#define HYPERVISOR_PRESENT (1u << 31) /* of ECX of LEAF_FEATURES */

static int read_signature(char signature[13])
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(LEAF_FEATURES, &a, &b, &c, &d) || !(c & HYPERVISOR_PRESENT))
		return 0;
	__cpuid(LEAF_HYPERVISOR, a, b, c, d);
	memcpy(signature, &b, 4);
	memcpy(signature + 4, &c, 4);
	memcpy(signature + 8, &d, 4);
	signature[12] = '\0';
	return 1;
}
#else
static int read_signature(char signature[13])
{
	signature[0] = '\0';
	return 0;
}
#endif

const char *emulator_name(const struct root *root)
{
	char signature[13];

	if (!root->live || !read_signature(signature))
		return NULL;
	return strcmp(signature, "TCGTCGTCGTCG") ? NULL : "QEMU TCG";
}
