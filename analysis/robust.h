/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Medians of points along a line: what finds steps and drifts must not follow a single odd point.
 * Inputs stay as they are; all values must be finite.
 */
#ifndef ANALYSIS_ROBUST_H
#define ANALYSIS_ROBUST_H

#include <stddef.h>

/* NAN when @n is 0. */
double robust_median(const double *value, size_t n);

/* As many of the weights, all above 0, lie on either side of it; of equal ones the same. */
double robust_weighted_median(const double *value, const double *weight, size_t n);

/* 1.4826 times the median distance from the median: a normal distribution's standard deviation. */
double robust_sigma(const double *value, size_t n);

/* Line through points: the median of all slopes (Theil, Sen), and the median height at @at. NAN
 * below two points of different x. */
struct robust_line {
	double slope, height;
};
struct robust_line robust_line(const double *x, const double *y, size_t n, double at);

/*
 * Two-sided p of Kendall's test of @y against its order (Mann, Econometrica 13 (1945)), by the
 * normal approximation with continuity correction and without ties: from 8 values on it is good to
 * some percent. NAN below 8.
 */
double robust_trend_p(const double *y, size_t n);

#define ROBUST_TREND_MIN 8

#endif
