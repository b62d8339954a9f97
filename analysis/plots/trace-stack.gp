# SPDX-License-Identifier: GPL-2.0-or-later
# Stacked bars of an idle trace: data "panel label key low high", every key at every bar, panels beside one another.
load 'style.gp'
set ylabel y_label
set yrange [0:*]
set style fill solid 0.85 border lc rgb '#ffffff'
set key below maxrows 3
set xtics rotate by -35 left
panels = ''
keys = ''
stats data using (panels = strstrt(panels, '|' . strcol("panel") . '|') ? panels : panels . '|' . strcol("panel") . '|', \
	keys = strstrt(keys, '|' . strcol("key") . '|') ? keys : keys . '|' . strcol("key") . '|', 0) nooutput
first(list) = list[2:strstrt(list[2:], '|')]
rest(list) = list[strlen(first(list)) + 3:]
array key_name[32]
k = 0
while (strlen(keys) && k < 32) {
	k = k + 1
	key_name[k] = first(keys)
	keys = rest(keys)
}
set multiplot title heading layout 1,(strlen(rest(panels)) ? 2 : 1)
while (strlen(panels)) {
	panel = first(panels)
	panels = rest(panels)
	bars_n = 0
	labels = ''
	stats data using (strcol("panel") eq panel && !strstrt(labels, '|' . strcol("label") . '|') ? \
		(bars_n = bars_n + 1, labels = labels . '|' . strcol("label") . '|') : 0, 0) nooutput
	array bar[bars_n]
	unset xtics
	set xtics nomirror out rotate by -35 left ('' 0)
	do for [i = 1:bars_n] {
		bar[i] = first(labels)
		labels = rest(labels)
		set xtics add (tic(bar[i]) i)
	}
	# The bar that a row is of.
	at(s) = sum [i = 1:bars_n] (bar[i] eq s ? i : 0)
	set xrange [0.4:bars_n + 0.6]
	set title panel
	plot for [i = 1:k] data using (strcol("panel") eq panel && strcol("key") eq key_name[i] ? at(strcol("label")) : NaN):(column("low")):\
		(at(strcol("label")) - 0.36):(at(strcol("label")) + 0.36):(column("low")):(column("high")) \
		with boxxyerror lt i title key_name[i]
}
unset multiplot
