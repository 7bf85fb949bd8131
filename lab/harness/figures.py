"""Figures of the literature: curves or bars of the rows of a table, with matplotlib (extra ``plot``)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from boruvka.runtime.libraries import require
from lab.harness.results import Rows, Tables

COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
    "#aa3377", "#bbbbbb", "#994455", "#0099aa", "#997700",
)  # fmt: skip
"""Paul Tol's bright palette and some of his others: distinguishable by everyone."""
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "boruvka",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 8,
}


@dataclass(frozen=True)
class Figure:
    """Curves of the rows of a table, or bars.

    Attributes
    ----------
    table : str
        The name of the table.
    x : str
        The column on the x axis; of bars the ending of the columns that are stacked.
    y : str or sequence of str
        The column on the y axis; several make several panels. Rows without a value have no point.
    by : str or sequence of str
        The columns of which each combination of values is a curve, or a bar.
    per : str
        The column of which each value is a panel; none by default.
    log : str
        The logarithmic axes: "", "x", "y" or "xy".
    levels : dict of str to float
        Horizontal lines.
    is_bars : bool
        Whether each row is a horizontal bar, a stack of parts.
    """

    table: str
    x: str
    y: str | Sequence[str] = "ms"
    by: str | Sequence[str] = "contestant"
    per: str = ""
    log: str = "y"
    levels: Mapping[str, float] = field(default_factory=dict)
    is_bars: bool = False

    def panels(self, tables: Tables) -> Iterator[tuple[str, str, Rows]]:
        """List the title, the column on the y axis and the rows of each panel."""
        rows = tables.get(self.table, [])
        for value in dict.fromkeys(row.get(self.per) for row in rows):
            shown = [row for row in rows if row.get(self.per) == value]
            for y in [self.y] if isinstance(self.y, str) else self.y:
                yield "" if value is None else str(value).partition(",")[0], y, shown

    def name_of(self, row: Mapping[str, Any]) -> str:
        """Name the curve or bar of a row."""
        if isinstance(self.by, str):
            return str(row[self.by])
        first, *others = self.by
        return ", ".join([str(row[first]), *(f"{column} {row[column]}" for column in others)])

    def draw(self, axes: Any, title: str, y: str, rows: Rows) -> None:
        """Draw a panel into axes of matplotlib."""
        if self.is_bars:
            return self._draw_bars(axes, title, rows)
        axes.set(xlabel=self.x, ylabel=y, title=title)
        curves: dict[str, list[tuple[Any, Any]]] = {}
        for row in rows:
            curves.setdefault(self.name_of(row), []).extend([(row[self.x], row[y])] if row[y] else [])
        for i, (name, points) in enumerate(curves.items()):
            if points:
                colour = COLOURS[i % len(COLOURS)]
                columns = zip(*sorted(points), strict=True)
                axes.plot(*columns, label=name, color=colour, marker="o", markersize=3)
        for name, height in self.levels.items():
            axes.axhline(height, color="black", linewidth=0.8, linestyle="--", label=name)
        if "y" in self.log:
            axes.set_yscale("log")
        if "x" in self.log:
            axes.set_xscale("log", base=2)

    def _draw_bars(self, axes: Any, title: str, rows: Rows) -> None:
        axes.set(xlabel=self.x.strip(", "), title=title)
        names, left = [self.name_of(row) for row in rows], [0.0] * len(rows)
        for i, part in enumerate(column for column in rows[0] if column.endswith(self.x)):
            width = [row[part] for row in rows]
            label = part.removesuffix(self.x)
            axes.barh(names, width, left=left, label=label, color=COLOURS[i % len(COLOURS)])
            left = [a + b for a, b in zip(left, width, strict=True)]
        axes.invert_yaxis()


def draw(figures: Sequence[Figure], tables: Tables, path: Path) -> None:
    """Write all panels to one file, with one legend; remove an earlier file if there is nothing to draw."""
    panels = [(figure, *panel) for figure in figures for panel in figure.panels(tables)]
    if not panels:
        return path.unlink(missing_ok=True)  # it would show other results than those beside it
    columns = min(2, len(panels))
    rows = math.ceil(len(panels) / columns)
    # Without pyplot there is no window and no global state.
    with require("matplotlib", "plot").rc_context(STYLE):
        size = 8, 4.5 if rows == 1 else 1 + 2.5 * rows
        drawing = require("matplotlib.figure", "plot").Figure(figsize=size, layout="constrained")
        every = list(np.ravel(drawing.subplots(rows, columns)))
        for (figure, title, y, shown), axes in zip(panels, every, strict=False):
            figure.draw(axes, title, y, shown)
        for axes in every[len(panels) :]:
            axes.axis("off")
        found = [axes.get_legend_handles_labels() for axes in every]
        handles = {label: handle for pair in found for handle, label in zip(*pair, strict=True)}
        drawing.legend(handles.values(), handles, frameon=False, ncols=3, loc="outside lower center")
        drawing.savefig(path, metadata={"Date": None})
