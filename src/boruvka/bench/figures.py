"""Figures of results, and the functions that draw their parts, with matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boruvka.bench.results import GraphResult, Results
from boruvka.bench.tables import are_conversions, milliseconds, seconds_of_steps
from boruvka.formats.files import writing
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "INK", "bars", "cost_figures", "curves", "figures_of", "graph_figures", "legend", "panels", "save", "svg",
]  # fmt: skip

INK = "#010203"
"""The colour of text and axes, which is used for nothing else, so that a page can replace it by its own."""
COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
    "#aa3377", "#bbbbbb", "#994455", "#0099aa", "#997700",
)  # fmt: skip
"""Paul Tol's bright palette and some of his others: distinguishable by everyone, on light and dark."""
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "boruvka",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
DASHES = ("-", "--")
"""Line styles for one thread, and for more."""
POINTS = 3
"""Least number of points of a curve by size."""

Curves = Mapping[str, Sequence[tuple[Any, float]]]
"""The points (x, y) of each curve, by its name."""


def figures_of(results: Results) -> Iterator[tuple[str, Figure]]:
    """Draw every figure that results have data for: its name, and the figure."""
    yield from cost_figures(results)
    for graph in results.graphs:
        yield from graph_figures(graph)


def cost_figures(results: Results) -> Iterator[tuple[str, Figure]]:
    """Draw the figures of graphs that differ in size."""
    for family, graphs in _families(results).items():
        yield f"curve-{_slug(family)}", _costs(family, graphs)


def graph_figures(graph: GraphResult) -> Iterator[tuple[str, Figure]]:
    """Draw the figures of one graph; conversions have none."""
    if are_conversions(graph):
        return
    if any(entry.seconds for entry in graph.entries):
        yield f"times-{_slug(graph.name)}", _times(graph)
    if any(entry.rounds for entry in graph.entries):
        yield f"steps-{_slug(graph.name)}", _steps(graph)


def _times(graph: GraphResult) -> Figure:
    """Draw the time of each contestant on a graph, fastest first; streaming is a line."""
    entries = sorted((e for e in graph.entries if e.seconds), key=lambda e: e.seconds or 0)
    figure, axes = panels(height=0.9 + 0.28 * len(entries))
    values = [1e3 * (entry.seconds or 0) for entry in entries]
    ours = [entry.contestant.split(":")[0] == "boruvka" for entry in entries]
    drawn = axes.barh(
        [entry.title for entry in entries],
        values,
        color=[COLOURS[0] if mine else COLOURS[6] for mine in ours],
        xerr=[[0.0] * len(entries), [(e.spread or 0) * x for e, x in zip(entries, values, strict=True)]],
        ecolor=INK,
    )
    axes.bar_label(drawn, labels=[milliseconds(entry.seconds) for entry in entries], padding=4, fontsize=8)
    for limit in graph.limits:
        if limit.contestant == "streaming" and limit.seconds:
            dashes = DASHES[limit.threads > 1]
            axes.axvline(1e3 * limit.seconds, color=COLOURS[1], linestyle=dashes, label=limit.title)
    axes.set_xscale("log")
    axes.margins(x=0.1)
    axes.invert_yaxis()
    label(axes, "milliseconds", title=graph.title)
    legend(figure, 8)
    return figure


def _steps(graph: GraphResult) -> Figure:
    """Draw the time of our runs by step, summed over all rounds."""
    spent = {entry.title: seconds_of_steps(entry) for entry in graph.entries if entry.rounds}
    figure, axes = panels(height=1.6 + 0.32 * len(spent))
    in_ms = {
        title: {name: 1e3 * seconds for name, seconds in steps.items()} for title, steps in spent.items()
    }
    bars(axes, in_ms, "milliseconds", graph.title)
    legend(figure, 9)
    return figure


def _families(results: Results) -> dict[str, list[GraphResult]]:
    """Group generated graphs of a family and type that have at least three different sizes."""
    groups: dict[str, list[GraphResult]] = {}
    for graph in results.graphs:
        family, colon, arguments = graph.name.partition(":")
        others = [a for a in arguments.split(",") if not re.match(r"(n|m|scale|rows|cols)=", a)]
        if colon and graph.m and not are_conversions(graph):
            groups.setdefault(", ".join([family, graph.weights, *others]), []).append(graph)
    return {
        family: sorted(graphs, key=lambda graph: graph.m)
        for family, graphs in groups.items()
        if len({graph.m for graph in graphs}) >= POINTS
    }


def _costs(family: str, graphs: list[GraphResult]) -> Figure:
    """Draw the time per edge by the number of edges, beside those of streaming reads and random accesses."""
    figure, axes = panels(height=5)
    lines: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for graph in graphs:
        for entry in (*graph.entries, *graph.limits):
            if entry.seconds:
                line = lines.setdefault((entry.contestant, entry.threads), [])
                line.append((graph.m, 1e9 * entry.seconds / graph.m))
    limits = {entry.contestant for graph in graphs for entry in graph.limits}
    names = list(dict.fromkeys(name for name, _ in lines if name not in limits))
    for (name, threads), points in lines.items():
        axes.plot(
            *zip(*points, strict=True),
            label=f"{name}, {threads}",
            color=INK if name in limits else COLOURS[names.index(name) % len(COLOURS)],
            linestyle=DASHES[threads > 1],
            linewidth=0.8 if name in limits else 1.6,
            marker={"streaming": "", "random-access": "x"}.get(name, "o"),
            markersize=3,
        )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    title = f"cost of an edge, by contestant and threads: {family}"
    label(axes, "edges", "nanoseconds an edge", title)
    legend(figure, 5)
    return figure


def curves(axes: Any, lines: Curves, x: str, y: str, title: str = "", log: str = "") -> None:
    """Draw curves; a curve without points only reserves its colour.

    Parameters
    ----------
    axes : matplotlib Axes
    lines : dict of str to sequence of (x, y)
    x, y : str
        Labels of the axes.
    title : str
    log : str
        The logarithmic axes: "", "x", "y" or "xy".
    """
    for i, (name, points) in enumerate(lines.items()):
        if points:
            colour = COLOURS[i % len(COLOURS)]
            axes.plot(*zip(*points, strict=True), label=name, color=colour, marker="o", markersize=3)
    if "x" in log:
        axes.set_xscale("log", base=2)
    if "y" in log:
        axes.set_yscale("log")
    label(axes, x, y, title)


def bars(axes: Any, stacks: Mapping[str, Mapping[str, float]], x: str, title: str = "") -> None:
    """Draw horizontal bars, one below the other, each a stack of named parts."""
    left = [0.0] * len(stacks)
    for i, part in enumerate(dict.fromkeys(part for parts in stacks.values() for part in parts)):
        width = [parts.get(part, 0.0) for parts in stacks.values()]
        axes.barh(list(stacks), width, left=left, label=part, color=COLOURS[i % len(COLOURS)])
        left = [a + b for a, b in zip(left, width, strict=True)]
    axes.invert_yaxis()
    label(axes, x, title=title)


def label(axes: Any, x: str, y: str = "", title: str = "") -> None:
    """Write the labels of the axes, and a title."""
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, fontsize=9)


def panels(height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, Any]:
    """Make a figure, and return it with its axes (an array if there are several)."""
    # Without pyplot there is no window and no global state.
    with require("matplotlib", "plot").rc_context(STYLE):
        figure = require("matplotlib.figure", "plot").Figure(figsize=(8, height), layout="constrained")
        return figure, figure.subplots(rows, columns)


def legend(figure: Figure, columns: int) -> None:
    """Put one legend for all axes below the figure; each label appears once."""
    found = [axes.get_legend_handles_labels() for axes in figure.axes]
    if handles := {label: handle for pair in found for handle, label in zip(*pair, strict=True)}:
        figure.legend(
            handles.values(),
            handles,
            fontsize=8,
            frameon=False,
            ncols=min(len(handles), columns),
            loc="outside lower center",
        )


def svg(figure: Figure, prefix: str) -> str:
    """Format a figure as SVG inside a page, with a prefix for every id: several figures share the page."""
    buffer = io.StringIO()
    with require("matplotlib", "plot").rc_context(STYLE):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", text)


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file, whole or not at all, in the format of its ending."""
    kind = path.suffix[1:]
    with require("matplotlib", "plot").rc_context(STYLE), writing(path) as file:
        figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {})


def _slug(name: str) -> str:
    """Convert a name to a file name."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
