# SPDX-License-Identifier: GPL-2.0-or-later
# What is shown at each load on the way up (full line) and down (broken line, open marks).
load 'style.gp'
panels = |panel_name|
load 'panels.gp'
unset key
set format y '%g'
set yrange [0:0.01 < *]
set xrange [-2:102]
set offsets 0, 0, graph 0.08, 0
open_type(i) = word('6 4 8 10 12 7 5 9 11 13', 1 + (marks[i] - 1) % 10) + 0
here(i, w) = is(i) && strcol("panel") eq panel_name[s] && strcol("way") eq w
do for [s = 1:panels] {
	set title panel_label[s]
	set xlabel (lowest(s) ? x_label : '')
	plot for [i = 1:n] data using (here(i, 'up') ? column("load_pct") : NaN):(column("value")) \
		with linespoints lc rgb colours[i] lw 1.5 pt point_type(i) ps 0.6, \
		for [i = 1:n] data using (here(i, 'down') ? column("load_pct") : NaN):(column("value")) \
		with linespoints lc rgb colours[i] lw 1.5 dt 2 pt open_type(i) ps 0.7
	unset label 99
}
load 'key.gp'
