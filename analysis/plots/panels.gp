# SPDX-License-Identifier: GPL-2.0-or-later
# A grid of panels, one an idle state; the key stands once, below all of them.
panels = |state_key|
across = panels > 1 ? 2 : 1
down = (panels + across - 1) / across
# Pixels on the left (a label beside numbers as long as 1.25e-05), above, below, and between two rows: titles and axis labels have fixed sizes.
top = 125.0 / height
bottom = 104.0 / height
set multiplot layout down,across title title_text . "\n" . subtitle . "\n" . scope . ', requested states; ' . bars \
	margins screen 112.0 / width, screen 0.98, screen bottom, screen 1 - top \
	spacing screen 84.0 / width, screen 75.0 / height
set format y '%g'
set yrange [0:*]
set offsets 0, 0, graph 0.08, 0
# Labels only at the outside of the grid: y on the left, x at the bottom of each column.
left(s) = (s - 1) % across == 0
lowest(s) = s + across > panels
