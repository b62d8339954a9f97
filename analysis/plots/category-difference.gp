# SPDX-License-Identifier: GPL-2.0-or-later
# Percent against the reference, governors in rows. The reference has no row: it is the line at 0.
load 'style.gp'
load 'rows.gp'
set title heading . sprintf('; grey: practical threshold, %g %%', threshold)
set xlabel y_label
set offsets graph 0.08, graph 0.08, 0, 0
set object 1 rectangle from first -threshold, graph 0 to first threshold, graph 1 fc rgb '#e8e8e8' fs solid noborder behind
set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb '#000000' lw 1.5 back
set xrange [*<-threshold * 1.5:threshold * 1.5<*]
plot for [i = 1:n] data using (is(i) ? column("value") : NaN):(i):(column("value.lo")):(column("value.hi")) \
	with xerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 0.01, \
	for [i = 1:n] data using (is(i) ? column("value") : NaN):(i) \
	with points lc rgb colours[i] lw 2 pt point_type(i) ps 1
unset output
