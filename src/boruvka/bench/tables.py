"""Results as tables: what the terminal, Markdown and HTML show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from boruvka.bench.results import Entry, GraphResult, Results
from boruvka.errors import OptionError

__all__ = ["Table", "check_baseline", "markdown", "steps_table", "times_table"]

OURS = "boruvka"
"""The contestant that others are compared with unless another is named."""
OUTSIDE = "outside"
"""What the time of a run that is spent in no step is called."""


@dataclass(frozen=True)
class Table:
    """A title, a header, rows of text, and remarks below."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()


def check_baseline(results: Sequence[Results], baseline: str) -> None:
    """Insist that somebody of this name was measured.

    Raises
    ------
    OptionError
        Nobody was.
    """
    found = dict.fromkeys(e.contestant for r in results for graph in r.graphs for e in graph.entries)
    if found and baseline not in found and baseline != OURS:
        raise OptionError(f"there is no contestant {baseline!r} in the results; there are {', '.join(found)}")


def times_table(graph: GraphResult, baseline: str = OURS) -> Table:
    """Compare the contestants on one graph.

    Times are set against the baseline on as many threads (where it ran on other numbers only, on the
    smallest), and against one streaming read of the edges.
    """
    rows: list[tuple[str, ...]] = []
    loose = False
    for entry in (*graph.entries, *graph.limits):
        loose |= entry.seconds is not None and not entry.converged
        rows.append(
            (
                entry.contestant,
                str(entry.threads),
                milliseconds(entry.convert_seconds),
                milliseconds(entry.seconds),
                _spread(entry),
                ratio(entry, partner(graph.entries, baseline, entry.threads)),
                ratio(entry, partner(graph.limits, "streaming", entry.threads)),
                _per_edge(entry.solve_peak, graph.m),
                entry.error,
            )
        )
    remarks = [f"{name} left out: {reason}" for name, reason in graph.left_out.items()]
    if loose:
        remarks.insert(0, "* the runs did not come as close together as the scheme asks")
    header: tuple[str, ...] = (
        "contestant",
        "threads",
        "convert ms",
        "solve ms",
        "±",
        f"/ {baseline}",
        "/ streaming",
        "bytes an edge",
        "error",
    )
    if not any(row[-1] for row in rows):
        header, rows = header[:-1], [row[:-1] for row in rows]
    return Table(title_of(graph), header, tuple(rows), tuple(remarks))


def steps_table(entry: Entry) -> Table:
    """List the steps of each round of one of our runs, its fastest."""
    rows = []
    for i, round_ in enumerate(entry.rounds, 1):
        for step in round_.steps:
            rows.append(
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
            )
    rest = seconds_of_steps(entry)[OUTSIDE]
    rows.append(("", "", "", "", OUTSIDE, f"{1e3 * rest:.3f}", "", ""))
    header = ("round", "phase", "components", "edges", "step", "ms", "MB", "GB/s")
    return Table(f"{who(entry)}: steps of the fastest run", header, tuple(rows))


def seconds_of_steps(entry: Entry) -> dict[str, float]:
    """Add up each step over all rounds of the fastest run, and what is spent outside of steps."""
    spent: dict[str, float] = {}
    for step in (step for round_ in entry.rounds for step in round_.steps):
        spent[step.name] = spent.get(step.name, 0.0) + step.seconds
    return {**spent, OUTSIDE: max(0.0, min(entry.samples, default=0.0) - sum(spent.values()))}


def markdown(table: Table) -> str:
    """Write a table as Markdown."""
    lines = [f"### {table.title}", "", _line(table.header), "|---" * len(table.header) + "|"]
    lines += [_line(row) for row in table.rows]
    lines += [f"\n{remark}" for remark in table.remarks]
    return "\n".join(lines) + "\n"


def title_of(graph: GraphResult) -> str:
    """Name a graph and its size."""
    return f"{graph.name} ({graph.n:,} vertices, {graph.m:,} edges, {graph.weights})"


def scheme_arguments(results: Results) -> str:
    """Tell with what arguments a measuring scheme was used."""
    return ", ".join(f"{name} {value}" for name, value in results.scheme.items() if name != "name")


def who(entry: Entry) -> str:
    """Name a contestant and its threads."""
    return f"{entry.contestant}, {entry.threads} thread{'s' * (entry.threads > 1)}"


def partner(entries: Sequence[Entry], name: str, threads: int) -> Entry | None:
    """Find the entry of a name on as many threads, else on the fewest."""
    found = [entry for entry in entries if entry.contestant == name]
    return min(found, key=lambda entry: (entry.threads != threads, entry.threads), default=None)


def ratio(entry: Entry, other: Entry | None) -> str:
    """How many times as long as another."""
    if other is None or not entry.seconds or not other.seconds:
        return ""
    return three_figures(entry.seconds / other.seconds)


def milliseconds(seconds: float | None) -> str:
    """Seconds as milliseconds."""
    return "" if seconds is None else three_figures(1e3 * seconds)


def three_figures(x: float) -> str:
    """A number to three figures and at most four places, never as a power of ten."""
    places = 2 - math.floor(math.log10(x)) if x > 0 else 0
    return f"{x:,.{min(max(places, 0), 4)}f}"


def _spread(entry: Entry) -> str:
    if entry.seconds is None:
        return ""
    spread = "" if entry.spread is None else f"{100 * entry.spread:.1f} %"
    return spread if entry.converged else f"{spread} *".strip()


def _per_edge(peak: int | None, m: int) -> str:
    return "" if peak is None or not m else f"{peak / m:.1f}"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
