# SPDX-License-Identifier: GPL-2.0-or-later
# Curves of few points, each with its bar. prefix: of the columns' names; keep(): x-axis.gp.
plot for [i = 1:n] data using (xpos(column("x"))):(keep(column(prefix . columns[i]))):(keep(column(prefix . columns[i] . '.lo'))):(keep(column(prefix . columns[i] . '.hi'))) \
	with yerrorbars lc rgb colours[i] lw 1.2 pt point_type(i) ps 0.01 notitle, \
	for [i = 1:n] data using (xpos(column("x"))):(keep(column(prefix . columns[i]))) \
	with linespoints lc rgb colours[i] lw 1.5 dt dash(i) pt point_type(i) ps 0.7 title shown[i]
