# SPDX-License-Identifier: GPL-2.0-or-later
# Where the CPUs' time went, a stacked bar a governor, the deepest state first.
load 'style.gp'
load 'rows.gp'
states = |state_key|
share(s) = column(state_key[s])
# A label that is not wanted is empty, not at NaN: gnuplot 5.4 crashes on labels none of which has a place.
# From the deepest to state s; states + 1: nothing.
deep(s) = s > states ? 0 : (sum [k = s:states] share(k))
set title heading
set xlabel y_label
set xrange [0:100 < *] noextend
set bmargin at screen below(104)
set key at screen 0.5, screen 8.0 / height center bottom horizontal
set style fill solid 1 border rgb '#ffffff'
unset grid
plot for [s = states:1:-1] data using (0):(column("x")):(deep(s + 1)):(deep(s)):(column("x") - 0.38):(column("x") + 0.38) \
	with boxxyerror fc rgb state_colour[s] title state_short[s], \
	data using (0):(column("x")):(deep(1)):(deep(1) + column("not_idle.0")):(column("x") - 0.38):(column("x") + 0.38) \
	with boxxyerror fc rgb '#d9d9d9' title 'not idle', \
	for [s = states:1:-1] data using (share(s) >= 5 ? (deep(s + 1) + deep(s)) / 2 : 0):(column("x")):(share(s) >= 5 ? sprintf('%.0f', share(s)) : '') \
	with labels tc rgb (s > states / 2 && s > 2 ? '#ffffff' : '#000000') notitle, \
	data using (column("not_idle.0") >= 5 ? deep(1) + column("not_idle.0") / 2 : 0):(column("x")):(column("not_idle.0") >= 5 ? sprintf('%.0f', column("not_idle.0")) : '') \
	with labels tc rgb '#000000' notitle
unset output
