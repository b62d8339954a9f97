# SPDX-License-Identifier: GPL-2.0-or-later
# Percent against the reference over a sweep: the reference is the zero line, the grey band is the
# practical threshold, the bars are intervals.
load 'style.gp'
load 'x-axis.gp'
set title title_text . "\n" . subtitle . "\n" . bars . sprintf('; grey: practical threshold, %g %%', threshold)
set bmargin screen 95.0 / height
set key at screen 0.5, screen 12.0 / height center bottom horizontal
set ylabel y_label
set object 1 rectangle from graph 0, first -threshold to graph 1, first threshold fc rgb '#eeeeee' fs solid noborder behind
set yrange [*<-threshold * 1.5:threshold * 1.5<*]
plot 0 with lines lc rgb '#000000' lw 1.5 title 'reference', \
	for [i = 1:n] data using (xpos(column("x"))):(column(columns[i] . '.lo')):(column(columns[i] . '.hi')) \
	with filledcurves fc rgb colours[i] fs transparent solid 0.15 noborder notitle, \
	for [i = 1:n] data using (xpos(column("x"))):(column(columns[i])) \
	with linespoints lc rgb colours[i] lw 1.5 pt point_type(i) ps 0.5 title columns[i]
unset output
