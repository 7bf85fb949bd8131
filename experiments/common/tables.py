"""Tables of experiments: rows of named values, and their derived columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from boruvka.bench.results import GraphResult
from boruvka.bench.tables import Table, three_figures

__all__ = ["MS", "Rows", "Tables", "as_text", "lines_of", "ms_where", "seconds_of", "times_of"]

Rows = list[dict[str, Any]]
Tables = dict[str, Rows]
MS = pl.col("ms")


def times_of(graphs: Iterable[GraphResult]) -> pl.DataFrame:
    """List the times of all contestants on graphs."""
    rows = [
        {
            "graph": graph.name,
            "vertices": graph.n,
            "edges": graph.m,
            "contestant": entry.contestant,
            "threads": entry.threads,
            "ms": None if entry.seconds is None else 1e3 * entry.seconds,
            "spread %": None if entry.spread is None else 100 * entry.spread,
            "converged": entry.converged,
            "error": entry.error,
        }
        for graph in graphs
        for entry in graph.entries
    ]
    return pl.DataFrame(
        rows, infer_schema_length=None, schema_overrides={"ms": pl.Float64, "spread %": pl.Float64}
    )


def ms_where(contestant: str, *over: str, threads: int | None = None) -> pl.Expr:
    """Return the time of a contestant, the first with this number of threads, within groups of rows."""
    wanted = pl.col("contestant") == contestant
    if threads is not None:
        wanted &= pl.col("threads") == threads
    return MS.filter(wanted).first().over(over or ("graph",))


def seconds_of(graph: GraphResult, contestant: str, threads: int | None = None) -> float | None:
    """Return the time of a contestant with a number of threads, or the first of them."""
    return next(
        e.seconds for e in graph.entries if e.contestant == contestant and threads in (None, e.threads)
    )


def lines_of(rows: Iterable[Mapping[str, Any]], by: str | Sequence[str], x: str, y: str) -> dict[str, Any]:
    """Collect points (x, y) by the values of one column or more; rows without a y have no point."""
    lines: dict[str, list[tuple[Any, float]]] = {}
    for row in rows:
        name = row[by] if isinstance(by, str) else f"{row[by[0]]}, {by[1]} {row[by[1]]}"
        points = lines.setdefault(name, [])
        if row[y]:
            points.append((row[x], row[y]))
    return lines


def as_text(name: str, rows: Rows) -> Table:
    """Format a table."""
    return Table(name, tuple(rows[0]), tuple(tuple(map(_cell, row.values())) for row in rows))


def _cell(x: Any) -> str:
    match x:
        case None:
            return ""
        case bool():
            return "yes" if x else "no"
        case int():
            return f"{x:,}"
        case float():
            return three_figures(x)
        case _:
            return str(x)
