# SPDX-License-Identifier: GPL-2.0-or-later
# Where the CPUs' time went over a sweep: a panel a governor, states stacked, the deepest lowest.
load 'style.gp'
load 'x-axis.gp'
panels = n
load 'panels.gp'
unset key
states = |state_key|
deep(s) = sum [k = s:states] column(state_key[k] . '/' . governor)
set yrange [0:100 < *] noextend
set grid front
do for [i = 1:n] {
	governor = columns[i]
	set title shown[i]
	set ylabel (left(i) ? y_label : '')
	set xlabel (lowest(i) ? x_label : '')
	plot data using (xpos(column("x"))):(deep(1) + column('not_idle.0/' . governor)) with filledcurves y=0 fc rgb '#d9d9d9' fs solid noborder, \
		for [s = 1:states] data using (xpos(column("x"))):(deep(s)) with filledcurves y=0 fc rgb state_colour[s] fs solid noborder, \
		for [s = 1:states] data using (xpos(column("x"))):(deep(s)) with lines lc rgb '#ffffff' lw 0.7
	unset label 99
}
# The states' key, in an empty plot as wide as the figure.
set lmargin at screen 0.01
set rmargin at screen 0.99
set bmargin at screen 0
set tmargin at screen bottom
unset logscale
unset title
unset border
unset tics
unset grid
unset xlabel
unset ylabel
set key at screen 0.5, screen 9.0 / height center bottom horizontal
plot [0:1] [0:1] for [s = states:1:-1] 2 with filledcurves y=3 fc rgb state_colour[s] fs solid noborder title state_short[s], \
	2 with filledcurves y=3 fc rgb '#d9d9d9' fs solid noborder title 'not idle'
unset multiplot
unset output
