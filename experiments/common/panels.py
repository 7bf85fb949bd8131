"""Figures of experiments: panels of curves or bars, in the style of `boruvka report`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.bench.figures import INK, bars, curves, legend, panels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Panel", "figure_of"]

DASHES = ("--", ":", "-.")
SHADE = "#eeeeee"


@dataclass(frozen=True)
class Panel:
    """Curves or stacked bars.

    Attributes
    ----------
    x, y, title : str
        Labels.
    lines : dict of str to list of (x, y)
        Curves; one without points only reserves its colour.
    stacks : dict of str to dict of str to float
        Bars of named parts, instead of curves.
    log : str
        The logarithmic axes: "", "x", "y" or "xy".
    levels : dict of str to float
        Horizontal lines.
    ticks : sequence of int
        Numbers of threads or ranks to mark on a logarithmic x axis.
    integers : bool
        Mark only integers on the x axis.
    shared_from : float, optional
        From here on ranks share processors: the background is grey.
    """

    x: str
    y: str = ""
    title: str = ""
    lines: Mapping[str, Any] = field(default_factory=dict)
    stacks: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    log: str = ""
    levels: Mapping[str, float] = field(default_factory=dict)
    ticks: Sequence[int] = ()
    integers: bool = False
    shared_from: float | None = None

    def draw(self, axes: Any) -> None:
        """Draw into axes of matplotlib."""
        if self.stacks:
            bars(axes, self.stacks, self.x, self.title)
            return
        curves(axes, self.lines, self.x, self.y, self.title, self.log)
        for (name, height), dashes in zip(self.levels.items(), DASHES, strict=False):
            axes.axhline(height, color=INK, linewidth=0.8, linestyle=dashes, label=name)
        if self.ticks:
            axes.set_xscale("log", base=2)
            axes.set_xticks(self.ticks, [str(count) for count in self.ticks])
            axes.xaxis.minorticks_off()
        if self.integers:
            axes.locator_params(axis="x", integer=True)
        if self.shared_from is not None:
            axes.axvspan(
                self.shared_from, self.ticks[-1] * 2**0.1, color=SHADE, zorder=0, label="shared processors"
            )


def figure_of(drawn: Sequence[Panel], columns: int) -> Figure:
    """Draw panels side by side and below one another, with one legend."""
    columns = min(columns, len(drawn))
    rows = math.ceil(len(drawn) / columns)
    figure, grid = panels(4.5 if rows == 1 else 1 + 2.5 * rows, rows, columns)
    every = list(np.ravel(grid))
    for panel, axes in zip(drawn, every, strict=False):
        panel.draw(axes)
    for axes in every[len(drawn) :]:
        axes.axis("off")
    legend(figure, 3)
    return figure
