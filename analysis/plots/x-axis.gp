# SPDX-License-Identifier: GPL-2.0-or-later
# The axis of a sweep: words, linear, or logarithmic with the point 0 set one step left of the rest.
# Of y what is drawn: all.
keep(y) = y
xpos(x) = (log_x && x == 0) ? zero_at : x
set xlabel x_label
if (words) {
	set xrange [-0.5:words - 0.5]
	set xtics ()
	do for [i = 1:words] { set xtics add (tic(word_text[i]) i - 1) }
} else {
	set xrange [x_min:x_max]
	if (log_x) {
		set logscale x
		set format x '%g'
		if (zero_at > 0) {
			# No decade of its own between 0 and the first point: it would say nothing.
			set xtics 10.0 ** ceil(log10(first_x) - 1e-9), 10
			set xtics add ('0' zero_at)
		}
	}
}
