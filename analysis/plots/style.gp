# SPDX-License-Identifier: GPL-2.0-or-later
# What all figures share. Set by the figure's own script: name, width, height, title_text, subtitle,
# bars, watermark, columns[], colours[], marks[]. format is 'svg' unless given with gnuplot -e.
if (!exists("format")) format = 'svg'
if (format eq 'png') {
	set terminal pngcairo size width,height noenhanced font 'sans,11' background '#ffffff'
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
if (strlen(watermark)) {
	set label 99 watermark at screen 0.5,0.5 center rotate by 25 font ',56' tc rgb '#f0c8c8' back
}
