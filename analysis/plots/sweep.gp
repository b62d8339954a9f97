# SPDX-License-Identifier: GPL-2.0-or-later
# One measure over a sweep: a curve a governor, bars from NAME.lo to NAME.hi.
load 'style.gp'
load 'x-axis.gp'
set title title_text . "\n" . subtitle . "\n" . bars
set bmargin screen 95.0 / height
set key at screen 0.5, screen 12.0 / height center bottom horizontal
set ylabel y_label
if (log_y) {
	set logscale y
	set format y '%g'
}
plot for [i = 1:n] data using (xpos(column("x"))):(column(columns[i])):(column(columns[i] . '.lo')):(column(columns[i] . '.hi')) \
	with yerrorlines lc rgb colours[i] lw 1.5 pt point_type(i) ps 0.5 title columns[i]
unset output
