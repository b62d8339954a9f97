# SPDX-License-Identifier: GPL-2.0-or-later
# A quantity of each idle state, governors in rows in a panel a state.
load 'style.gp'
panels = |state_key|
# Names of governors stand on the left of the left panels only.
left_px = 40 + 8 * longest
load 'panels.gp'
load 'rows.gp'
set format x '%g'
set xrange [0:0.01 < *]
set offsets 0, graph 0.05, 0, 0
do for [s = 1:panels] {
	set title state_name[s]
	do for [i = 1:n] { set ytics add ((left(s) ? tic(shown[i]) : '') i) }
	set xlabel (lowest(s) ? y_label : '')
	plot for [i = 1:n] data using (is(i) ? column(state_key[s]) : NaN):(i):(column(state_key[s] . '.lo')):(column(state_key[s] . '.hi')) \
		with xerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 0.9
	unset label 99
}
unset multiplot
unset output
