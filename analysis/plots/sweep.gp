# SPDX-License-Identifier: GPL-2.0-or-later
# One measure over a sweep: a curve a governor, from NAME.lo to NAME.hi bars, of many points a band.
load 'style.gp'
load 'x-axis.gp'
set title heading
set bmargin at screen below(102)
set key at screen 0.5, screen 9.0 / height center bottom horizontal
set ylabel y_label
if (log_y) {
	set logscale y
	set format y '%g'
}
load (dense ? 'curves-dense.gp' : 'curves.gp')
unset output
