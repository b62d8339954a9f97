# SPDX-License-Identifier: GPL-2.0-or-later
# One measure over another: a curve a governor through the points of its sweep.
load 'style.gp'
set title heading
set bmargin at screen below(102)
set key at screen 0.5, screen 9.0 / height center bottom horizontal
set xlabel x_label
set ylabel y_label
x_lo = 1e300
x_hi = 0
do for [i = 1:n] {
	stats data using (column(columns[i] . '.x')) nooutput
	x_lo = STATS_min < x_lo ? STATS_min : x_lo
	x_hi = STATS_max > x_hi ? STATS_max : x_hi
}
load 'log-x.gp'
set offsets 0, 0, graph 0.05, graph 0.05
plot for [i = 1:n] data using (column(columns[i] . '.x')):(column(columns[i])):(column(columns[i] . '.lo')):(column(columns[i] . '.hi')) \
	with yerrorbars lc rgb colours[i] lw 1.2 pt point_type(i) ps 0.01 notitle, \
	for [i = 1:n] data using (column(columns[i] . '.x')):(column(columns[i])) \
	with linespoints lc rgb colours[i] lw 1.5 dt dash(i) pt point_type(i) ps 0.7 title shown[i]
unset output
