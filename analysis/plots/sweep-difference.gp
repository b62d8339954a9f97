# SPDX-License-Identifier: GPL-2.0-or-later
# Percent against the reference over a sweep: the reference is the line at 0, the grey band is the
# practical threshold, the coloured ones are intervals.
load 'style.gp'
load 'x-axis.gp'
set title heading . sprintf('; grey: practical threshold, %g %%', threshold)
set bmargin at screen below(102)
set key at screen 0.5, screen 9.0 / height center bottom horizontal
set ylabel y_label
set object 1 rectangle from graph 0, first -threshold to graph 1, first threshold fc rgb '#e8e8e8' fs solid noborder behind
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead lc rgb '#000000' lw 1.5 back
set yrange [*<-threshold * 1.5:threshold * 1.5<*]
load 'curves-dense.gp'
unset output
