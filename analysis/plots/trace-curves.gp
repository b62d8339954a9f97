# SPDX-License-Identifier: GPL-2.0-or-later
# How many of an idle trace's periods (or wakes) took at most x: a curve a state, cause or task, a panel a set of CPUs.
load 'style.gp'
set logscale x
set xlabel 'us'
set ylabel y_label
set yrange [0:100]
set key below maxrows 4
panels = ''
keys = ''
stats data using (panels = strstrt(panels, '|' . strcol("panel") . '|') ? panels : panels . '|' . strcol("panel") . '|', \
	keys = strstrt(keys, '|' . strcol("governor") . '|') ? keys : keys . '|' . strcol("governor") . '|', 0) nooutput
# The next name of a list "|a||b|", and what is behind it.
first(list) = list[2:strstrt(list[2:], '|')]
rest(list) = list[strlen(first(list)) + 3:]
# The panels beside one another.
set multiplot title heading layout 1,(strlen(rest(panels)) ? 2 : 1)
while (strlen(panels)) {
	panel = first(panels)
	panels = rest(panels)
	all = keys
	array key_name[32]
	k = 0
	while (strlen(all) && k < 32) {
		k = k + 1
		key_name[k] = first(all)
		all = rest(all)
	}
	set title panel
	plot for [i = 1:k] data using (strcol("panel") eq panel && strcol("governor") eq key_name[i] ? column("us") : NaN):(column("pct")) \
		with steps lw 1.7 title key_name[i]
}
unset multiplot
