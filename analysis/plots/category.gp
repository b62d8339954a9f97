# SPDX-License-Identifier: GPL-2.0-or-later
# One measure, governors side by side: a point and a bar each.
load 'style.gp'
set title title_text . "\n" . subtitle . "\n" . bars
unset key
set ylabel y_label
set xrange [0.5:n + 0.5]
set xtics ()
do for [i = 1:n] { set xtics add (columns[i] i) }
set offsets 0, 0, graph 0.15, graph 0.15
plot for [i = 1:n] data every ::i - 1::i - 1 using (column("x")):(column("value")):(column("value.lo")):(column("value.hi")) \
	with yerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 1
unset output
