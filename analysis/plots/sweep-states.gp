# SPDX-License-Identifier: GPL-2.0-or-later
# A quantity of each idle state over a sweep: a panel a state, a curve a governor.
load 'style.gp'
load 'x-axis.gp'
load 'panels.gp'
set key at screen 0.5, screen 14.0 / height center bottom horizontal
do for [s = 1:panels] {
	set title state_name[s]
	set ylabel (left(s) ? y_label : '')
	set xlabel (lowest(s) ? x_label : '')
	plot for [i = 1:n] data using (xpos(column("x"))):(column(state_key[s] . '/' . columns[i])):(column(state_key[s] . '/' . columns[i] . '.lo')):(column(state_key[s] . '/' . columns[i] . '.hi')) \
		with yerrorlines lc rgb colours[i] lw 1.3 pt point_type(i) ps 0.35 title columns[i]
	unset key
	unset label 99
}
unset multiplot
unset output
