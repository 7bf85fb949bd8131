"""Curves and stacked bars, as the figures of `boruvka report` look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boruvka.bench.figures import COLOURS, INK
from boruvka.bench.results import GraphResult

__all__ = ["Curves", "at_threads", "curves", "curves_by_threads", "level", "stacks"]

Curves = Mapping[str, Sequence[tuple[Any, float]]]
"""The points (x, y) of each curve, by its name."""


def curves(axes: Any, lines: Curves, x: str, y: str, title: str = "", log: str = "") -> None:
    """Draw curves, each in the colour of its place; one without points only keeps its colour from others.

    Parameters
    ----------
    axes : matplotlib Axes
    lines : dict of str to sequence of (x, y)
    x, y : str
        What is along the axes.
    title : str
    log : str
        Which axes are logarithmic: "", "x", "y" or "xy".
    """
    for i, (name, points) in enumerate(lines.items()):
        if points:
            axes.plot(
                *zip(*points, strict=True),
                label=name,
                color=COLOURS[i % len(COLOURS)],
                marker="o",
                markersize=3,
            )
    if "x" in log:
        axes.set_xscale("log", base=2)
    if "y" in log:
        axes.set_yscale("log")
    axes.set_xlabel(x, fontsize=8)
    axes.set_ylabel(y, fontsize=8)
    axes.set_title(title, fontsize=9)
    axes.tick_params(labelsize=8)


def curves_by_threads(graph: GraphResult) -> dict[str, list[tuple[int, float]]]:
    """Collect the milliseconds of each contestant on a graph by its number of threads."""
    lines: dict[str, list[tuple[int, float]]] = {entry.contestant: [] for entry in graph.entries}
    for entry in graph.entries:
        if entry.seconds:
            lines[entry.contestant].append((entry.threads, 1e3 * entry.seconds))
    return lines


def at_threads(axes: Any, counts: Sequence[int]) -> None:
    """Mark numbers of threads as they are, on an axis of powers of two."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.xaxis.minorticks_off()


def level(axes: Any, value: float, label: str, dashes: str = "--") -> None:
    """Draw a line at a height."""
    axes.axhline(value, color=INK, linewidth=0.8, linestyle=dashes, label=label)


def stacks(axes: Any, bars: Mapping[str, Mapping[str, float]], x: str, title: str = "") -> None:
    """Draw bars of parts, one below the other, by the names of bars and of parts."""
    left = [0.0] * len(bars)
    for i, part in enumerate(dict.fromkeys(part for parts in bars.values() for part in parts)):
        width = [parts.get(part, 0.0) for parts in bars.values()]
        axes.barh(list(bars), width, left=left, label=part, color=COLOURS[i % len(COLOURS)])
        left = [a + b for a, b in zip(left, width, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel(x, fontsize=8)
    axes.set_title(title, fontsize=9)
    axes.tick_params(labelsize=8)
