# SPDX-License-Identifier: GPL-2.0-or-later
# A quantity of each idle state over a sweep: a panel a state, a curve a governor.
load 'style.gp'
load 'x-axis.gp'
panels = |state_key|
load 'panels.gp'
unset key
set format y '%g'
set yrange [0:0.01 < *]
set offsets 0, 0, graph 0.08, 0
do for [s = 1:panels] {
	set title state_name[s]
	set ylabel (left(s) ? y_label : '')
	set xlabel (lowest(s) ? x_label : '')
	prefix = state_key[s] . '/'
	load (dense ? 'curves-dense.gp' : 'curves.gp')
	unset label 99
}
load 'key.gp'
