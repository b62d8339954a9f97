# SPDX-License-Identifier: GPL-2.0-or-later
# Of each governor's modelled periods the share of every idle state, stacked. A bar a governor (and group of CPUs).
load 'style.gp'
set title heading
labels = ''
keys = ''
stats data using (labels = strstrt(labels, '|' . strcol("label") . '|') ? labels : labels . '|' . strcol("label") . '|', \
	keys = strstrt(keys, '|' . strcol("state") . '|') ? keys : keys . '|' . strcol("state") . '|', 0) nooutput
# The next name of a list "|a||b|", and what is behind it.
first(list) = list[2:strstrt(list[2:], '|')]
rest(list) = list[strlen(first(list)) + 3:]
place(list, what) = first(list) eq what ? 1 : 1 + place(rest(list), what)
rows = 0
all = labels
set ytics ()
while (strlen(all)) {
	rows = rows + 1
	set ytics add (first(all) rows)
	all = rest(all)
}
k = 0
array key_name[32]
all = keys
while (strlen(all) && k < 32) {
	k = k + 1
	key_name[k] = first(all)
	all = rest(all)
}
set yrange [rows + 0.6:0.4]
set xrange [0:100]
set xlabel y_label
set key below maxrows 3
set style fill solid 0.8 border lc rgb '#ffffff'
# Rows of a governor come together, states in order: each begins where the one before ended.
end = 0
before(i) = (strcol("state") eq key_name[1] ? (end = 0) : 0, end)
bar(i) = (from = before(i), end = from + column("pct"), strcol("state") eq key_name[i])
plot for [i = 1:k] data using (bar(i) ? from : NaN):(place(labels, strcol("label"))):(from):(end):(place(labels, strcol("label")) - 0.35):(place(labels, strcol("label")) + 0.35) \
	with boxxyerror title key_name[i]
