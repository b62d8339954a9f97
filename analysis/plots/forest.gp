# SPDX-License-Identifier: GPL-2.0-or-later
# Differences in rows: a mark and its interval a governor, rows of a measure together. Beyond far
# values the axis is compressed, so that 1 % and 300 % can be read in one picture.
load 'style.gp'
bottom = below(98)
set multiplot
set title heading
set lmargin at screen (label_width * 7.0 + 24 < 0.5 * width ? label_width * 7.0 + 24 : 0.5 * width) / width
set rmargin at screen 1 - 165.0 / width
set bmargin at screen bottom
unset key
set xlabel x_label
set xrange [-1.05 * reach:1.05 * reach]
set yrange [y_min:0.7]
set ytics () scale 0
do for [k = 1:|group_text|] { set ytics add (tic(group_text[k]) group_y[k]) }
set border 1
set grid xtics noytics
if (far) {
	set nonlinear x via asinh(x / 5) inverse 5 * sinh(x)
	set xtics (0)
	do for [v in (reach > 2000 ? '10 100 1000 10000 100000 1000000 10000000' : '5 20 100 500')] {
		at = v + 0
		if (at <= reach) { set xtics add (at, -at) }
	}
}
set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb '#000000' lw 1.2 front
text(v) = strcol("verdict") eq v ? sprintf('%+.2f %%  %s', column("pct"), v) : ''
plain(x) = strcol("verdict") eq 'better' || strcol("verdict") eq 'worse' ? '' : sprintf('%+.2f %%  %s', x, strcol("verdict"))
plot data using (0):(column("y")):(-column("threshold")):(column("threshold")):(column("y") - 0.5):(column("y") + 0.5) \
	with boxxyerror fc rgb '#e8e8e8' fs solid noborder notitle, \
	for [i = 1:n] data using (is(i) ? column("pct") : NaN):(column("y")):(column("lo")):(column("hi")) \
	with xerrorbars lc rgb colours[i] lw 2 pt point_type(i) ps 0.01 notitle, \
	for [i = 1:n] data using (is(i) ? column("pct") : NaN):(column("y")) \
	with points lc rgb colours[i] lw 2 pt point_type(i) ps 0.9 title shown[i], \
	data using (1.05 * reach):(column("y")):(text('better')) with labels left offset 1,0 tc rgb '#0a6b3d' notitle, \
	data using (1.05 * reach):(column("y")):(text('worse')) with labels left offset 1,0 tc rgb '#a3230c' notitle, \
	data using (1.05 * reach):(column("y")):(plain(column("pct"))) with labels left offset 1,0 tc rgb '#555555' notitle
unset nonlinear x
set xtics autofreq
load 'key.gp'
