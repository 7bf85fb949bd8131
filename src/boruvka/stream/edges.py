"""Some edges of a graph whose other edges are elsewhere: each has its index in the whole graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError

__all__ = ["Edges", "common_type", "converted", "in_order"]


class Edges(NamedTuple):
    """Parallel arrays, ascending by index."""

    edges: NDArray[np.int64]
    """The index of each edge in the whole graph."""
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]

    @property
    def size(self) -> int:
        """Number of edges."""
        return self.edges.size

    def take(self, places: NDArray[Any]) -> Edges:
        """Return the edges at some places."""
        return Edges(*(column[places] for column in self))

    def between(self, first: int, last: int) -> Edges:
        """Return the edges at places from ``first`` to ``last - 1``, as views."""
        return Edges(*(column[first:last] for column in self))

    @staticmethod
    def none(ids: Any, dtype: Any) -> Edges:
        """Return no edges, of some types."""
        return Edges(*(np.empty(0, kind) for kind in (np.int64, ids, ids, dtype)))


def in_order(runs: list[Edges]) -> Edges:
    """Join runs of edges in the order of their indices; the list is empty afterwards.

    The first run may have edges between those of the others, but the others have disjoint ranges of indices
    with no edge of the first inside. Columns are joined one after the other, and freed as soon as they are.
    """
    starts = [run.edges[0] for run in runs[1:]]
    order = np.argsort(starts, kind="stable").tolist()
    cuts = [0, *np.searchsorted(runs[0].edges, [starts[k] for k in order]).tolist(), runs[0].size]
    columns = [list(column) for column in zip(*runs, strict=True)]
    runs.clear()
    joined = []
    while columns:
        first, *others = columns.pop(0)
        pieces = [first[: cuts[1]]]
        for k, begin, end in zip(order, cuts[1:-1], cuts[2:], strict=True):
            pieces += others[k], first[begin:end]
        joined.append(np.concatenate(pieces))
        del first, others, pieces
    return Edges(*joined)


def common_type(one: Any, other: Any) -> np.dtype[Any]:
    """Return the type of the weights of a file of which parts have these types: text has integers or floats.

    Where both are 64-bit integers, only one of which has a sign, weights are unsigned.
    """
    if one == other:
        return np.dtype(one)
    if {np.dtype(one).str[1:], np.dtype(other).str[1:]} == {"i8", "u8"}:
        return np.dtype(np.uint64)
    return np.promote_types(one, other)


def converted(w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Convert weights to another type, exactly.

    Raises
    ------
    GraphError
        The type does not hold one of them.
    """
    if w.dtype == dtype:
        return w
    if dtype.itemsize > 8:
        raise GraphTypeError(f"weights of edges that pass by have at most 64 bits, not {dtype}")
    if dtype.kind == "u" and w.dtype.kind == "i" and w.size and w.min() < 0:
        raise GraphError("no 64-bit integer type holds both negative weights and weights above 2**63 - 1")
    result = w.astype(dtype)
    if dtype.kind == "f" and w.dtype.kind != "f":
        large: Sequence[int] = np.flatnonzero(np.abs(result) >= 2.0**53).tolist()
        for i in large:
            if int(result[i]) != int(w[i]):
                raise GraphError(
                    f"the integer {w[i]} has no exact float64, but other weights are fractions: write all "
                    "weights as integers, or round it"
                )
    return result
