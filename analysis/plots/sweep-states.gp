# SPDX-License-Identifier: GPL-2.0-or-later
# A quantity of each idle state over a sweep: a panel a state, a curve a governor.
load 'style.gp'
load 'x-axis.gp'
load 'panels.gp'
unset key
do for [s = 1:panels] {
	set title state_name[s]
	set ylabel (left(s) ? y_label : '')
	set xlabel (lowest(s) ? x_label : '')
	plot for [i = 1:n] data using (xpos(column("x"))):(column(state_key[s] . '/' . columns[i])):(column(state_key[s] . '/' . columns[i] . '.lo')):(column(state_key[s] . '/' . columns[i] . '.hi')) \
		with yerrorlines lc rgb colours[i] lw 1.3 pt point_type(i) ps 0.35
	unset label 99
}
# A key is broken into rows by the width of its plot, so it gets an empty one as wide as the figure.
set lmargin at screen 0.01
set rmargin at screen 0.99
set bmargin at screen 0
set tmargin at screen bottom
unset logscale
unset title
unset border
unset tics
unset xlabel
unset ylabel
set key at screen 0.5, screen 14.0 / height center bottom horizontal
plot [0:1] [0:1] for [i = 1:n] 2 with linespoints lc rgb colours[i] lw 1.3 pt point_type(i) ps 0.5 title columns[i]
unset multiplot
unset output
