# SPDX-License-Identifier: GPL-2.0-or-later
# Percent against the reference, governors side by side. The reference has no row to draw: it is 0.
load 'style.gp'
set title title_text . "\n" . subtitle . "\n" . bars . sprintf('; grey: practical threshold, %g %%', threshold)
unset key
set ylabel y_label
set xrange [0.5:n + 0.5]
set xtics ()
do for [i = 1:n] { set xtics add (columns[i] i) }
set offsets 0, 0, graph 0.1, graph 0.1
set object 1 rectangle from graph 0, first -threshold to graph 1, first threshold fc rgb '#eeeeee' fs solid noborder behind
set yrange [*<-threshold * 1.5:threshold * 1.5<*]
plot 0 with lines lc rgb '#000000' lw 1.5, \
	for [i = 1:n] data every ::i - 1::i - 1 using (column("x")):(column("value")):(column("value.lo")):(column("value.hi")) \
	with yerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 0.01, \
	for [i = 1:n] data every ::i - 1::i - 1 using (column("x")):(column("value")) \
	with points lc rgb colours[i] lw 2 pt point_type(i) ps 1
unset output
