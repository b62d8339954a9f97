/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are this machine's CPUs emulated in software (QEMU without KVM)? Then no time, and no figure made
 * of times, is a measurement, however real the kernel is that decides.
 */
#ifndef HW_EMULATOR_H
#define HW_EMULATOR_H

#include "lib/root.h"

/*
 * "QEMU TCG", or NULL: not emulated, or it cannot be told. Asked of the CPU (CPUID leaf 0x40000000,
 * as QEMU's target/i386/cpu.c answers it), so only of a live x86 machine: a guest of another
 * architecture, or one started with -cpu X,tcg-cpuid=off, is not recognised.
 */
const char *emulator_name(const struct root *root);

#endif
