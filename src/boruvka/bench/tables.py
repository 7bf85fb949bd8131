"""Results as tables of text, for the terminal, Markdown and HTML."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from boruvka.bench.contestants.conversions import OBJECTS, WALK
from boruvka.bench.results import Entry, GraphResult, Results
from boruvka.errors import OptionError

__all__ = [
    "Table",
    "are_conversions",
    "check_baseline",
    "markdown",
    "milliseconds",
    "steps_table",
    "three_figures",
    "times_table",
]

OURS = "boruvka"
"""The default baseline."""
OUTSIDE = "outside"
"""The name for time that a run spends outside of all steps."""


@dataclass(frozen=True)
class Table:
    """A title, a header, rows of text, and remarks below."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()


def check_baseline(results: Sequence[Results], baseline: str) -> None:
    """Raise an `OptionError` if no contestant has this name."""
    found = dict.fromkeys(e.contestant for r in results for graph in r.graphs for e in graph.entries)
    if found and baseline not in found and baseline != OURS:
        raise OptionError(f"there is no contestant {baseline!r} in the results; there are {', '.join(found)}")


def times_table(graph: GraphResult, baseline: str = OURS) -> Table:
    """Compare the contestants on one graph.

    Times are divided by those of the baseline on as many threads (if it ran only on other numbers, on the
    smallest), and by one streaming read of the edges, except on points. Conversions have their own table.
    """
    if are_conversions(graph):
        return conversions_table(graph)
    rows = []
    unit, size = ("a point", graph.n) if graph.is_points else ("an edge", graph.m)
    for entry in (*graph.entries, *graph.limits):
        peak = entry.solve_peak
        rows.append(
            {
                "contestant": entry.contestant,
                "threads": str(entry.threads),
                "convert ms": milliseconds(entry.convert_seconds),
                "solve ms": milliseconds(entry.seconds),
                "±": _spread(entry),
                f"/ {baseline}": _ratio(entry, graph.entries, baseline),
                "/ streaming": _ratio(entry, graph.limits, "streaming"),
                f"bytes {unit}": "" if peak is None or not size else f"{peak / size:.1f}",
                "error": entry.error,
            }
        )
        if graph.is_points:  # no contestant reads the edges
            del rows[-1]["/ streaming"]
    if not any(row["error"] for row in rows):
        for row in rows:
            del row["error"]
    remarks = _left_out(graph)
    if any(row["±"].endswith("*") for row in rows):
        remarks = ("* the runs are not as close to one another as the scheme asks", *remarks)
    header = tuple(rows[0]) if rows else ()
    return Table(graph.title, header, tuple(tuple(row.values()) for row in rows), remarks)


def are_conversions(graph: GraphResult) -> bool:
    """Return whether results are of conversions and of walks over the same objects."""
    return any(entry.contestant.startswith(WALK) for entry in graph.limits)


def conversions_table(graph: GraphResult) -> Table:
    """Compare conversions with walks over the same objects: medians of times, and of the ratios per turn."""
    walks = {walk.contestant.removeprefix(WALK): walk for walk in graph.limits}
    rows = []
    for entry in graph.entries:
        walk = walks.get(entry.contestant, Entry("", "", 1))  # it may be missing after an interrupt
        pairs = list(zip(entry.samples, walk.samples, strict=False))
        ratio = three_figures(statistics.median(a / b for a, b in pairs)) if pairs else ""
        seconds = [statistics.median(e.samples) if e.samples else None for e in (entry, walk)]
        described = OBJECTS[entry.contestant].description if entry.contestant in OBJECTS else ""
        error = entry.error or walk.error
        rows.append(
            (entry.contestant, *map(milliseconds, seconds), "" if error else ratio, error or described)
        )
    header = ("object", "conversion ms", "walk ms", "ratio", "walk")
    return Table(graph.title, header, tuple(rows), _left_out(graph))


def steps_table(entry: Entry) -> Table:
    """List the steps of each round of the fastest of our runs."""
    rows = [
        (
            str(i),
            round_.phase,
            f"{round_.components:,}",
            f"{round_.edges:,}",
            step.name,
            f"{1e3 * step.seconds:.3f}",
            three_figures(step.bytes / 1e6) if step.bytes is not None else "",
            f"{step.bytes / step.seconds / 1e9:.1f}" if step.bytes and step.seconds else "",
        )
        for i, round_ in enumerate(entry.rounds, 1)
        for step in round_.steps
    ]
    rows.append(("", "", "", "", OUTSIDE, f"{1e3 * seconds_of_steps(entry)[OUTSIDE]:.3f}", "", ""))
    header = ("round", "phase", "components", "edges", "step", "ms", "MB", "GB/s")
    return Table(f"{entry.title}: steps of the fastest run", header, tuple(rows))


def seconds_of_steps(entry: Entry) -> dict[str, float]:
    """Add up each step over all rounds of the fastest run, and the time outside of steps."""
    spent: dict[str, float] = {}
    for step in (step for round_ in entry.rounds for step in round_.steps):
        spent[step.name] = spent.get(step.name, 0.0) + step.seconds
    return {**spent, OUTSIDE: max(0.0, min(entry.samples, default=0.0) - sum(spent.values()))}


def markdown(table: Table) -> str:
    """Format a table as Markdown."""
    lines = [f"### {table.title}", "", _line(table.header), "|---" * len(table.header) + "|"]
    lines += [_line(row) for row in table.rows]
    lines += [f"\n{remark}" for remark in table.remarks]
    return "\n".join(lines) + "\n"


def facts(results: Results) -> dict[str, str]:
    """Describe the machine, the versions and the scheme of a measurement."""
    numbers = ", ".join(f"{name} {value}" for name, value in results.scheme.items() if name != "name")
    return {**results.machine, **results.versions, "scheme": f"{results.scheme['name']} ({numbers})"}


def milliseconds(seconds: float | None) -> str:
    """Format seconds as milliseconds."""
    return "" if seconds is None else three_figures(1e3 * seconds)


def three_figures(x: float) -> str:
    """Format a number to three significant digits and at most four decimals, without an exponent."""
    places = 2 - math.floor(math.log10(x)) if x > 0 else 0
    return f"{x:,.{min(max(places, 0), 4)}f}"


def _left_out(graph: GraphResult) -> tuple[str, ...]:
    return tuple(f"{name} left out: {reason}" for name, reason in graph.left_out.items())


def _ratio(entry: Entry, others: Sequence[Entry], name: str) -> str:
    """Divide a time by that of another contestant, on as many threads or else on the fewest."""
    found = [other for other in others if other.contestant == name]
    other = min(found, key=lambda e: (e.threads != entry.threads, e.threads), default=None)
    if other is None or not entry.seconds or not other.seconds:
        return ""
    return three_figures(entry.seconds / other.seconds)


def _spread(entry: Entry) -> str:
    if entry.seconds is None:
        return ""
    spread = "" if entry.spread is None else f"{100 * entry.spread:.1f} %"
    return spread if entry.converged else f"{spread} *".strip()


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
