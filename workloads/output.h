/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of --output, or the table on stdout; see docs/workload-interface.md. */
#ifndef WORKLOADS_OUTPUT_H
#define WORKLOADS_OUTPUT_H

#include "workloads/driver.h"

/* Writes everything that finish() gave. -ENODATA when a metric of the table was not given. */
int output_write(const struct driver *driver);

#endif
