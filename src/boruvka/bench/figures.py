"""Results as figures; needs matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boruvka.bench.results import GraphResult, Results
from boruvka.bench.tables import milliseconds, seconds_of_steps, title_of, who
from boruvka.formats.files import writing
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "FORMATS",
    "INK",
    "curves",
    "figures_of",
    "legend",
    "panels",
    "save",
    "steps",
    "svg",
    "times",
]

FORMATS = ("svg", "png")
INK = "#010203"
"""The colour of text and axes, unlike any other, so that a page can put its own in its place."""
COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
    "#aa3377", "#bbbbbb", "#994455", "#0099aa", "#997700",
)  # fmt: skip
"""Paul Tol's bright palette, and some of his others: to be told apart by everyone, on light and dark."""
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
}
DASHES = ("-", "--")
"""Lines of one thread, and of more."""
POINTS = 3
"""A curve has at least as many."""


def figures_of(results: Results) -> Iterator[tuple[str, Figure]]:
    """Draw every figure that results have data for: a name for each, and the figure."""
    for family, graphs in families(results).items():
        yield f"curve-{slug(family)}", curves(family, graphs)
    for graph in results.graphs:
        if any(entry.seconds for entry in graph.entries):
            yield f"times-{slug(graph.name)}", times(graph)
        if any(entry.rounds for entry in graph.entries):
            yield f"steps-{slug(graph.name)}", steps(graph)


def times(graph: GraphResult) -> Figure:
    """Draw the time of each contestant on a graph, fastest first; streaming is a line."""
    entries = sorted((e for e in graph.entries if e.seconds), key=lambda e: e.seconds or 0)
    figure, axes = panels(height=0.9 + 0.28 * len(entries))
    values = [entry.seconds or 0 for entry in entries]
    ours = [entry.contestant.split(":")[0] == "boruvka" for entry in entries]
    bars = axes.barh(
        [who(e) for e in entries],
        [1e3 * value for value in values],
        color=[COLOURS[0] if mine else COLOURS[6] for mine in ours],
        xerr=[[0.0] * len(entries), [1e3 * (e.spread or 0) * (e.seconds or 0) for e in entries]],
        ecolor=INK,
    )
    axes.bar_label(bars, labels=[milliseconds(value) for value in values], padding=4, fontsize=8)
    for limit in graph.limits:
        if limit.contestant == "streaming" and limit.seconds:
            dashes = DASHES[limit.threads > 1]
            axes.axvline(1e3 * limit.seconds, color=COLOURS[1], linestyle=dashes, label=who(limit))
    axes.set_xscale("log")
    axes.margins(x=0.1)
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds")
    axes.set_title(title_of(graph), fontsize=9)
    legend(figure, 8)
    return figure


def steps(graph: GraphResult) -> Figure:
    """Draw where the time of our runs goes, step by step over all rounds."""
    entries = [entry for entry in graph.entries if entry.rounds]
    spent = [seconds_of_steps(entry) for entry in entries]
    names = list(dict.fromkeys(name for seconds in spent for name in seconds))
    figure, axes = panels(height=1.6 + 0.32 * len(entries))
    left = [0.0] * len(entries)
    for i, name in enumerate(names):
        width = [1e3 * seconds.get(name, 0.0) for seconds in spent]
        axes.barh([who(e) for e in entries], width, left=left, label=name, color=COLOURS[i % len(COLOURS)])
        left = [a + b for a, b in zip(left, width, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds")
    axes.set_title(title_of(graph), fontsize=9)
    legend(figure, 9)
    return figure


def families(results: Results) -> dict[str, list[GraphResult]]:
    """Group generated graphs that differ in size: those of a family and type, of three sizes at least."""
    groups: dict[str, list[GraphResult]] = {}
    for graph in results.graphs:
        family, colon, arguments = graph.name.partition(":")
        others = [a for a in arguments.split(",") if not re.match(r"(n|m|scale|rows|cols)=", a)]
        if colon and graph.m:
            groups.setdefault(", ".join([family, graph.weights, *others]), []).append(graph)
    return {
        family: sorted(graphs, key=lambda graph: graph.m)
        for family, graphs in groups.items()
        if len({graph.m for graph in graphs}) >= POINTS
    }


def curves(family: str, graphs: list[GraphResult]) -> Figure:
    """Draw the cost of an edge by the number of edges, beside that of reading it and of random accesses."""
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
    axes.set_xlabel("edges")
    axes.set_ylabel("nanoseconds an edge")
    axes.set_title(f"cost of an edge, by contestant and threads: {family}", fontsize=9)
    legend(figure, 5)
    return figure


def svg(figure: Figure, prefix: str = "") -> str:
    """Write a figure as SVG for the inside of a page.

    Parameters
    ----------
    figure : Figure
    prefix : str
        What goes before every id: several figures share a page.
    """
    buffer = io.StringIO()
    with require("matplotlib", "plot").rc_context(STYLE):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", text)


def save(figure: Figure, path: Path) -> None:
    """Write a figure to a file, whole or not at all; its ending says how."""
    kind = path.suffix[1:]
    with require("matplotlib", "plot").rc_context(STYLE), writing(path) as file:
        metadata = {"Date": None} if kind == "svg" else {}
        figure.savefig(file, format=kind, dpi=150, metadata=metadata)


def slug(name: str) -> str:
    """Make a name of a file of any name."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


def panels(height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, Any]:
    """Begin a figure: it, and its axes, an array of them where there are several."""
    # Without pyplot: no window, and nothing global.
    with require("matplotlib", "plot").rc_context(STYLE):
        figure = require("matplotlib.figure", "plot").Figure(figsize=(8, height), layout="constrained")
        return figure, figure.subplots(rows, columns)


def legend(figure: Figure, columns: int) -> None:
    """Put one legend of all axes below the figure, if they have labels; a label is there once."""
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
