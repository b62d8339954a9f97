# SPDX-License-Identifier: GPL-2.0-or-later
# How many of the events took at most x: a panel a role or point, a curve a governor.
load 'style.gp'
panels = |panel_name|
load 'panels.gp'
unset key
do for [s = 1:panels] {
	set title panel_name[s]
	set ylabel (left(s) ? y_label : '')
	set xlabel (lowest(s) ? x_label : '')
	unset logscale x
	set xrange [*:*]
	set yrange [*:*]
	stats data using (strcol("panel") eq panel_name[s] ? column("us") : NaN) nooutput
	# A point of a sweep need not have the role: its panel is empty.
	none = !exists("STATS_min")
	x_lo = none ? 1 : STATS_min
	x_hi = none ? 10 : STATS_max
	if (none) { set label 98 'none' at graph 0.5,0.5 center }
	load 'log-x.gp'
	set yrange [0:100]
	plot for [i = 1:n] data using (is(i) && strcol("panel") eq panel_name[s] ? column("us") : NaN):(column("pct")) \
		with linespoints lc rgb colours[i] lw 1.7 dt dash(i) pt point_type(i) ps 0.5 pi 25
	unset label 98
	unset label 99
}
load 'key.gp'
