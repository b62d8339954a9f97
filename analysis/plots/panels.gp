# SPDX-License-Identifier: GPL-2.0-or-later
# A grid of panels; a key stands once, below all of them. panels: how many.
across = panels > 1 ? 2 : 1
down = (panels + across - 1) / across
# Pixels on the left (a label beside numbers as long as 1.25e-05), above, below, and between two rows: titles and axis labels have fixed sizes.
if (!exists("left_px")) left_px = 112
if (!exists("gap_px")) gap_px = 84
top = 125.0 / height
bottom = below(108)
set multiplot layout down,across title heading \
	margins screen left_px * 1.0 / width, screen 0.98, screen bottom, screen 1 - top \
	spacing screen gap_px * 1.0 / width, screen 88.0 / height
# Labels only at the outside of the grid: y on the left, x at the bottom of each column.
left(s) = (s - 1) % across == 0
lowest(s) = s + across > panels
