# SPDX-License-Identifier: GPL-2.0-or-later
# Panels below one another over one time axis: a line a governor with a band over its runs.
load 'style.gp'
panels = |panel_name|
top = 105.0 / height
bottom = below(102)
set multiplot layout panels,1 title heading \
	margins screen 112.0 / width, screen 0.98, screen bottom, screen 1 - top \
	spacing screen 0, screen 26.0 / height
unset key
set format y '%g'
stats data using (column("t_s")) nooutput
end = STATS_max > 0 ? STATS_max * 1.02 : 1
here(i) = is(i) && strcol("panel") eq panel_name[s]
do for [s = 1:panels] {
	set format x (s == panels ? '%g' : '')
	set xlabel (s == panels ? x_label : '')
	set title panel_label[s] offset 0,-0.7
	set xrange [*:*]
	set yrange [*:*]
	stats data using (strcol("panel") eq panel_name[s] ? column("lo") : NaN):(strcol("panel") eq panel_name[s] ? column("hi") : NaN) nooutput
	# A flat line stands in the middle of a range of its own size.
	span = STATS_max_y - STATS_min_x
	room = span > 0 ? 0.08 * span : STATS_max_y != 0 ? 0.5 * abs(STATS_max_y) : 1
	set xrange [0:end]
	set yrange [STATS_min_x - room:STATS_max_y + room]
	set ytics out nomirror step((span + 2 * room) * 1.2)
	plot for [i = 1:n] data using (here(i) ? column("t_s") : NaN):(column("lo")):(column("hi")) \
		with filledcurves fc rgb colours[i] fs transparent solid 0.15 noborder, \
		for [i = 1:n] data using (here(i) ? column("t_s") : NaN):(column("value")) \
		with linespoints lc rgb colours[i] lw 1.5 dt dash(i) pt point_type(i) ps 0.5 pi 10
	unset label 99
}
load 'key.gp'
