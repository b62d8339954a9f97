# SPDX-License-Identifier: GPL-2.0-or-later
# Cuts of a sweep, each with axes of its own: the short end, and where a curve steps.
load 'style.gp'
panels = |cut_name|
load 'panels.gp'
unset key
# Bars of points outside of a cut would stretch its y axis.
xpos(x) = x
keep(y) = column("x") >= cut_lo[s] && column("x") <= cut_hi[s] ? y : NaN
prefix = ''
set format y '%g'
mark_every = 1
do for [s = 1:panels] {
	set title cut_name[s]
	set ylabel (left(s) ? y_label : '')
	set xlabel (lowest(s) ? x_label : '')
	set xrange [cut_lo[s]:cut_hi[s]]
	load (dense ? 'curves-dense.gp' : 'curves.gp')
	unset label 99
}
load 'key.gp'
