"""From the edges of a file back to their indices in a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.formats.format import Content
from boruvka.graph.graph import Graph

__all__ = ["find_edges", "stated_edges"]


def stated_edges(content: Content, graph: Graph) -> NDArray[np.int64]:
    """The indices that a file states, checked against the ends and weights that it states beside them.

    Indices beyond the graph are passed on: saying so is for whoever verifies the forest.

    Raises
    ------
    GraphError
        The graph has another edge there; the message names the row.
    """
    edges = np.asarray(content.edges)
    rows = np.flatnonzero((edges >= 0) & (edges < graph.m))
    index = edges[rows].astype(np.int64)
    same = np.ones(rows.size, bool)
    for ours, theirs in zip(_ends(graph), _ends(content), strict=True):
        same &= ours[index] == theirs[rows]
    for our, their in zip(_exact(graph.w[index]), _exact(content.w[rows]), strict=True):
        same &= our == their
    if not same.all():
        row, i = int(rows[np.argmin(same)]), int(index[np.argmin(same)])
        raise GraphError(
            f"row {row} of the forest is edge {i} ({content.u[row]}, {content.v[row]}) of weight "
            f"{content.w[row]}, but the graph's edge {i} is ({graph.u[i]}, {graph.v[i]}) "
            f"of weight {graph.w[i]}"
        )
    if edges.dtype == np.uint64 and edges.size and edges.max() >= 2**63:
        raise GraphError(f"the forest states the edge {edges.max()}, beyond any graph")
    return edges.astype(np.int64)


def find_edges(content: Content, graph: Graph) -> NDArray[np.int64]:
    """Find the edges of a file in a graph by their ends, in either order, and their exact weight.

    The k-th copy of an edge in the file is the k-th of the graph's parallel edges of that weight.

    Raises
    ------
    GraphError
        The graph has no such edge, or fewer copies of it; the message names the row.
    """
    import polars as pl

    key = ["low", "high", "weight", "last_bits"]

    def table(x: Graph | Content, name: str) -> pl.DataFrame:
        columns = zip(key, (*_ends(x), *_exact(x.w)), strict=True)
        return pl.DataFrame({name: np.arange(x.m), **dict(columns)})

    def number_copies(frame: pl.DataFrame, name: str) -> pl.DataFrame:
        return frame.sort(name).with_columns(copy=pl.int_range(pl.len()).over(key))

    rows = table(content, "row")
    candidates = table(graph, "index").join(rows, on=key, how="semi")
    found = number_copies(rows, "row").join(number_copies(candidates, "index"), on=[*key, "copy"], how="left")
    index = found.sort("row")["index"]
    if index.null_count():
        row = int(np.argmax(index.is_null().to_numpy()))
        raise GraphError(
            f"row {row} of the forest, ({content.u[row]}, {content.v[row]}) of weight {content.w[row]}, "
            "is not an edge of the graph, or stands there fewer times"
        )
    return index.to_numpy().astype(np.int64)


def _ends(x: Graph | Content) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The smaller and the larger end of every edge, in one type for every graph."""
    return np.minimum(x.u, x.v).astype(np.uint64), np.maximum(x.u, x.v).astype(np.uint64)


def _exact(w: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int16]]:
    """Two columns that are equal where two numbers of up to 64 bits are equal, whatever their types.

    Integers that round to the same float64 differ by at most 2048, so in their last twelve bits.
    """
    rounded = w.astype(np.float64) + 0.0  # without the sign of a zero
    if w.dtype.kind == "f":
        last = np.floor(np.mod(np.where(np.isfinite(rounded), rounded, 0.0), 4096.0))
    else:
        last = w.astype(np.uint64) & np.uint64(4095)
    return rounded, last.astype(np.int16)
