# SPDX-License-Identifier: GPL-2.0-or-later
# Of each state's periods of an idle trace: too deep, right, too shallow. A bar a state and set of CPUs.
load 'style.gp'
set title heading
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border lc rgb '#ffffff'
set boxwidth 0.6
set yrange [0:100]
set ylabel y_label
# Labels of three lines, which a key below would not make room for.
set bmargin at screen 110.0 / height
set key at screen 0.5,screen 25.0 / height center center maxrows 1
label(i) = strcol("state") . "\n" . strcol("set") . "\n" . strcol("periods")
plot data using (100.0 * column("too_deep") / column("periods")):xtic(label(0)) lc rgb '#c0392b' title 'too deep', \
	'' using (100.0 * column("ideal") / column("periods")) lc rgb '#7f8c8d' title 'right', \
	'' using (100.0 * column("too_shallow") / column("periods")) lc rgb '#2980b9' title 'too shallow'
