# SPDX-License-Identifier: GPL-2.0-or-later
# What all figures share. Set by the figure's own script: name, width, height, title_text, subtitle,
# bars, watermark, columns[], colours[], marks[]. format is 'svg' unless given with gnuplot -e.
# A governor is told from the others by colour, and in print by its mark and its line's dashes.
if (!exists("format")) format = 'svg'
if (format eq 'png') {
	set terminal pngcairo size width,height noenhanced font 'sans,10' background '#ffffff'
} else {
	set terminal svg size width,height dynamic noenhanced font 'sans-serif,13' background '#ffffff'
}
set output name . '.' . format
set encoding utf8
set datafile separator tab
set datafile columnheaders
set border 3 lc rgb '#555555'
set tics nomirror out
set grid lc rgb '#dddddd' lt 1 lw 0.7
n = |columns|
point_type(i) = word('7 5 9 11 13 6 4 8 10 12', 1 + (marks[i] - 1) % 10) + 0
dash(i) = word('1 2 4 5 3', 1 + (marks[i] - 1) % 5) + 0
# Rows of a long table that are governor i's.
is(i) = strcol("governor") eq columns[i]
# The label of a tic is a format: "%" in a unit or a name is doubled.
tic(s) = strstrt(s, '%') ? s[1:strstrt(s, '%')] . '%' . tic(s[strstrt(s, '%') + 1:*]) : s
# shown[]: the governors' names, long ones with their middle left out. Figures of a trace or replay do without it, and
# many of them are drawn by one gnuplot.
if (!exists("key_px") || exists("all_shown")) {
	all_shown = 1
	key_px = 0
	key_columns = 4
	array shown[n]
	do for [i = 1:n] { shown[i] = columns[i] }
}
longest = 0
do for [i = 1:n] { longest = strlen(shown[i]) > longest ? strlen(shown[i]) : longest }
# Of the figure's height: so many pixels, and the key's rows behind its first.
below(px) = (px + key_px) * 1.0 / height
set key maxcols key_columns
# "reset" keeps variables, and many figures are drawn by one gnuplot.
undefine left_px gap_px
heading = title_text . "\n" . subtitle . "\n" . bars
# A step between tics that a range of r has about four of: 1, 2 or 5 times a power of ten.
decade(r) = 10.0 ** floor(log10(r / 4))
step(r) = r <= 0 ? 1 : r / 4 / decade(r) < 1.5 ? decade(r) : r / 4 / decade(r) < 3.5 ? 2 * decade(r) : r / 4 / decade(r) < 7.5 ? 5 * decade(r) : 10 * decade(r)
if (strlen(watermark)) {
	set label 99 watermark at screen 0.5,0.5 center rotate by 25 font ',56' tc rgb '#f0c8c8' back
}
