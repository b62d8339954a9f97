/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runner's question between the blocks of a sequential campaign: what is decided? */
#ifndef ANALYSIS_DECIDE_H
#define ANALYSIS_DECIDE_H

/* "decide DIR": STORE_DECISION_COLUMNS and a row for each comparison on stdout. */
int decide_main(int argc, char **argv);

#endif
