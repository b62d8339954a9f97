# SPDX-License-Identifier: GPL-2.0-or-later
# One measure, governors in rows: a mark and a bar each.
load 'style.gp'
load 'rows.gp'
set title heading
set xlabel y_label
set offsets graph 0.08, graph 0.08, 0, 0
plot for [i = 1:n] data using (is(i) ? column("value") : NaN):(i):(column("value.lo")):(column("value.hi")) \
	with xerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 1
unset output
