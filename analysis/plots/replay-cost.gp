# SPDX-License-Identifier: GPL-2.0-or-later
# A point a governor: modelled energy over the energy oracle's, and latency over the label oracle's. Left and low is better.
load 'style.gp'
set title heading
set xlabel 'added latency of a wake, us (lower is better)'
set ylabel y_label . ' (lower is better)'
set key off
set offsets graph 0.05, graph 0.2, graph 0.05, graph 0.05
plot data using 2:3 with points pt 7 ps 0.9 lc rgb '#2980b9', \
	'' using 2:3:1 with labels left offset 0.8,0 font ',10' tc rgb '#555555'
