# SPDX-License-Identifier: GPL-2.0-or-later
# Ends a multiplot with one key of the governors for all panels. A key is broken into rows by the
# width of its plot, so it gets an empty one as wide as the figure.
set lmargin at screen 0.01
set rmargin at screen 0.99
set bmargin at screen 0
set tmargin at screen bottom
unset logscale
unset title
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset label
unset arrow
set key at screen 0.5, screen 9.0 / height center bottom horizontal noreverse noinvert
plot [0:1] [0:1] for [i = 1:n] 2 with linespoints lc rgb colours[i] lw 1.5 dt dash(i) pt point_type(i) ps 0.6 title shown[i]
unset multiplot
unset output
