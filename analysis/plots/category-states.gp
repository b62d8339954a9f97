# SPDX-License-Identifier: GPL-2.0-or-later
# A quantity of each idle state, governors side by side in a panel a state.
load 'style.gp'
load 'panels.gp'
unset key
set xrange [0.5:n + 0.5]
set xtics ()
do for [i = 1:n] { set xtics add (columns[i] i) }
do for [s = 1:panels] {
	set title state_name[s]
	set ylabel (left(s) ? y_label : '')
	plot for [i = 1:n] data every ::i - 1::i - 1 using (column("x")):(column(state_key[s])):(column(state_key[s] . '.lo')):(column(state_key[s] . '.hi')) \
		with yerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 0.8
	unset label 99
}
unset multiplot
unset output
