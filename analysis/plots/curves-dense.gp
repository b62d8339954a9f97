# SPDX-License-Identifier: GPL-2.0-or-later
# Curves of many points with bands, and marks on some of them. prefix: of the columns' names; keep(): x-axis.gp.
plot for [i = 1:n] data using (xpos(column("x"))):(keep(column(prefix . columns[i] . '.lo'))):(keep(column(prefix . columns[i] . '.hi'))) \
	with filledcurves fc rgb colours[i] fs transparent solid 0.18 noborder notitle, \
	for [i = 1:n] data using (xpos(column("x"))):(keep(column(prefix . columns[i]))) \
	with linespoints lc rgb colours[i] lw 1.5 dt dash(i) pt point_type(i) ps 0.6 pi mark_every title shown[i]
