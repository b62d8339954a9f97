/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verb "explain": why one decision is what it is, by the steps that make it. */
#ifndef ANALYSIS_EXPLAIN_H
#define ANALYSIS_EXPLAIN_H

/* The verb "explain". */
int explain_main(int argc, char **argv);

#endif
