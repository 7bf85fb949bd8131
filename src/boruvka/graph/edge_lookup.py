"""Find given edges in a graph: by their ends, in either order, and their weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, first_true, some_of
from boruvka.graph.exact import inexact
from boruvka.graph.names import ends_text
from boruvka.graph.validation import best_first, edge_weights, read_vertices
from boruvka.operators.counter_rng import mix

if TYPE_CHECKING:
    from boruvka.graph.graph import Graph

SLOTS_PER_ROW = 8
"""Slots of a table that has one bit for each row, so that few edges of the graph have the slot of a row."""
AT_ONCE = 1 << 20
"""Edges of the graph that are looked up at once."""


def edge_rows(edges: Any, weight: str) -> Any:
    """List edges that are given by their ends, as tuples (u, v) or (u, v, w); anything else stays as it is.

    They may be pairs or rows in a list, a set, an iterator or a two-dimensional array; a dict of attributes
    in a row holds the weight. Any other set or iterator becomes a list.
    """
    if isinstance(edges, Set) or (hasattr(edges, "__iter__") and not hasattr(edges, "__getitem__")):
        edges = list(edges)
    rows = edges.tolist() if isinstance(edges, np.ndarray) and edges.ndim == 2 else edges
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) and row for row in rows):
        return edges
    rows = [
        (*row[:2], row[-1].get(weight, row[-1].get("weight"))) if isinstance(row[-1], Mapping) else tuple(row)
        for row in rows
    ]
    return rows if set(map(len, rows)) in ({2}, {3}) else edges


def are_rows(edges: Any) -> bool:
    """Return whether `edge_rows` returned rows, which `edges_between` finds."""
    return isinstance(edges, list) and bool(edges) and all(isinstance(row, tuple) for row in edges)


def edges_between(graph: Graph, name: str, rows: Sequence[Any], maximum: bool = False) -> NDArray[np.int64]:
    """Return the edges that `find_edges` finds for rows (u, v) or (u, v, w)."""
    ends = read_vertices(graph, name, [end for row in rows for end in row[:2]]).reshape(-1, 2)
    w = edge_weights([row[2] for row in rows]) if rows and len(rows[0]) == 3 else None
    return find_edges(graph, name, ends[:, 0], ends[:, 1], w, maximum=maximum)


def find_edges(
    graph: Graph,
    name: str,
    u: NDArray[Any],
    v: NDArray[Any],
    w: NDArray[Any] | None = None,
    *,
    maximum: bool = False,
) -> NDArray[np.int64]:
    """Find edges in a graph by their ends, in either order, and their exact weights, if these are known.

    Without weights, only one edge may be between the ends; of the entries (i, j) and (j, i) of a matrix, the
    better counts. The k-th copy of an edge is the k-th of the graph's parallel edges of that weight, or the
    last. The edges of the graph are read in parts, and those of points are not listed.

    Parameters
    ----------
    graph : Graph
        The graph, on the host.
    name : str
        Name of the edges in errors, in which {} stands for the row.
    u, v : (k,) arrays of integers
        The ends of each edge; a number of n or more is no vertex.
    w : (k,) array, optional
        Their weights.
    maximum : bool
        Whether the heavier entry is better.

    Returns
    -------
    (k,) array of int64
        Indices of edges of the graph.

    Raises
    ------
    GraphError
        The graph has no such edge, or several.
    """
    stated, is_exact = (np.zeros(u.size), True) if w is None else in_type(w, graph.dtype)
    candidates = _candidates(graph, u, v, None if w is None else stated)
    if w is None:  # all weights count as equal, and the better entry is the first
        candidates = candidates[best_first(graph.take(candidates)[2], maximum)]
    a, b, weights = graph.take(candidates)
    found = a, b, (np.zeros(a.size) if w is None else weights)

    # Candidates and rows in the order of their ends and weights; of equal ones, candidates come first.
    a, b, weights = map(np.concatenate, zip(found, (u, v, stated), strict=True))
    low, high = sorted_ends(a, b)
    order = np.lexsort((weights, high, low))
    is_new = np.logical_or.reduce([x[order[1:]] != x[order[:-1]] for x in (low, high, weights)])
    start = np.maximum.accumulate(np.append(0, np.arange(1, is_new.size + 1) * is_new))[: order.size]

    def number(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Number those of a mask from 1 among the equal ones."""
        total = np.cumsum(mask)
        return total - (total - mask)[start]

    is_row = order >= candidates.size
    is_entry = np.append(candidates < graph.entry_count, np.zeros(u.size, bool))[order]
    is_choice = ~is_row & ~(is_entry & (number(is_entry) > 1))
    choices, rows = candidates[order[is_choice]], order[is_row] - candidates.size
    count, last = number(is_choice)[is_row], np.cumsum(is_choice)[is_row]
    is_found, edges = np.zeros(u.size, bool), np.zeros(u.size, np.int64)
    is_found[rows] = count == 1 if w is None else count > 0
    copy = np.minimum(number(is_row)[is_row], count)
    edges[rows] = np.append(choices, 0)[last - count + copy - 1]
    if (row := first_true(~(is_found & is_exact))) is not None:
        raise _not_found(graph, name.format(row), u[row], v[row], None if w is None else w[row])
    return edges


def _candidates(graph: Any, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any] | None) -> NDArray[np.int64]:
    """List edges of a graph, ascending: all with the ends, and weights, of a row, and perhaps some others."""
    low, high = (ends.astype(np.int64) for ends in sorted_ends(u, v))
    if hasattr(type(graph), "pair_weight"):  # points: an index follows from the ends
        is_pair = (low < high) & (high < graph.n)
        return np.unique(graph.edges_at(low[is_pair], high[is_pair]))
    slots = 1 << (SLOTS_PER_ROW * u.size).bit_length()
    is_end, has_row = np.zeros(graph.n, bool), np.zeros(slots, bool)
    is_end[low[low < graph.n]] = is_end[high[high < graph.n]] = True
    has_row[_slots(u, v, w, slots)] = True
    found = [np.empty(0, np.int64)]
    for first in range(0, graph.m, AT_ONCE):
        a, b, weights = graph.edges_in_range(first, min(first + AT_ONCE, graph.m))
        near = np.flatnonzero(is_end[a] & is_end[b])
        slot = _slots(a[near], b[near], None if w is None else weights[near], slots)
        found.append(first + near[has_row[slot]])
    return np.concatenate(found)


def _slots(u: NDArray[Any], v: NDArray[Any], w: NDArray[Any] | None, count: int) -> NDArray[np.uint64]:
    """Return a slot of a table for each edge, equal for equal ends, in either order, and equal weights."""
    low, high = sorted_ends(u, v)
    slot = mix(low + mix(high))
    if w is not None:
        slot = mix(slot ^ (w.astype(np.float64) + 0.0).view(np.uint64))  # zeros of both signs are equal
    return slot & np.uint64(count - 1)


def _not_found(graph: Graph, name: str, u: Any, v: Any, w: Any) -> GraphError:
    """Make the error about an edge that the graph does not have, or has several times."""
    pair = np.array([u]), np.array([v])
    ends = ends_text(graph.names if max(u, v) < graph.n else None, u, v, graph.first_id)
    edges = _candidates(graph, *pair, None)
    between, weights = sorted_ends(*graph.take(edges)[:2]), graph.take(edges)[2]
    is_between = np.logical_and(*(x == y for x, y in zip(between, sorted_ends(*pair), strict=True)))
    edges, known = edges[is_between], weights[is_between].tolist()
    if not known:
        return GraphError(f"{name}: no edge is between {ends}")
    if w is None:
        return GraphError(
            f"{name}: there are {len(known)} edges between {ends}, with the indices {edges.tolist()}: write "
            f"the weight, such as {ends[:-1]}, {known[0]}), or use indices"
        )
    texts = some_of([*dict.fromkeys(map(str, known))], separator=" or ")
    return GraphError(f"{name}: edge {ends} weighs {w}, in the graph {texts}")


def sorted_ends(u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the smaller and the larger end of every edge, as uint64 for every graph."""
    return np.minimum(u, v).astype(np.uint64), np.maximum(u, v).astype(np.uint64)


def in_type(w: NDArray[Any], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Convert weights to the type of a graph's weights, and say which of them it holds exactly."""
    wrong = inexact(w, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return w.astype(dtype), np.ones(w.size, bool) if wrong is None else ~wrong
