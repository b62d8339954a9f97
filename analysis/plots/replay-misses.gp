# SPDX-License-Identifier: GPL-2.0-or-later
# Of each governor's modelled periods: too deep, too shallow; of its decisions: other than the oracle's. Rows are governors.
load 'style.gp'
set title heading
set xlabel y_label
set xrange [0:*]
set key below
stats data using 2 nooutput
rows = STATS_records
set yrange [rows - 0.4:-0.6]
set style fill solid 0.8 border lc rgb '#ffffff'
plot data using (0):($0 - 0.25):(0):2:($0 - 0.37):($0 - 0.13):ytic(1) with boxxyerror lc rgb '#c0392b' title 'too deep', \
	'' using (0):($0):(0):3:($0 - 0.12):($0 + 0.12) with boxxyerror lc rgb '#2980b9' title 'too shallow', \
	'' using (0):($0 + 0.25):(0):4:($0 + 0.13):($0 + 0.37) with boxxyerror lc rgb '#7f8c8d' title 'other than the oracle''s'
