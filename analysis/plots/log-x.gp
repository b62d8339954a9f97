# SPDX-License-Identifier: GPL-2.0-or-later
# A logarithmic x axis from x_lo to x_hi with tics that are read: of few decades 1, 2 and 5 as well.
set logscale x
set format x '%g'
set xrange [x_lo / 1.05:x_hi * 1.05]
# Each by its place: a step of 10 alone counts from wherever the range begins.
set xtics ()
do for [e = floor(log10(x_lo)):ceil(log10(x_hi))] {
	do for [k in (x_hi < 300 * x_lo ? '1 2 5' : '1')] { set xtics add ((k * 10.0 ** e < 9999 ? sprintf('%g', k * 10.0 ** e) : sprintf('%gk', k * 10.0 ** (e - 3))) k * 10.0 ** e) }
}
