# SPDX-License-Identifier: GPL-2.0-or-later
# Governors as rows: their names on the y axis, the first on top.
unset key
set yrange [n + 0.5:0.5]
set ytics ()
do for [i = 1:n] { set ytics add (tic(shown[i]) i) }
