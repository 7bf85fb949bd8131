"""Find given edges in a graph: by their ends, in either order, and their weights."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, first_true, some_of
from boruvka.graph.exact import inexact
from boruvka.graph.names import ends_text
from boruvka.graph.validation import best_first, edge_weights, first_entries, read_vertices
from boruvka.operators.counter_rng import mix

SLOTS_PER_ROW = 8
"""Slots of a table that has one bit for each row, so that few edges of the graph have the slot of a row."""
AT_ONCE = 1 << 20
"""Edges of the graph that are looked up at once."""


ROW = "row {} of the forest (from 1, without header or root)"
"""Name of an edge of a forest in messages, in memory and in a file."""


class NoSuchEdge(GraphError):
    """The graph does not have an edge."""


def edges_of_rows(graph: Any, name: str, edges: Any, maximum: bool = False) -> Any:
    """Find edges that are given by their ends, as (u, v) or (u, v, w); anything else stays as it is.

    They may be pairs or rows in a list, a set, an iterator or a two-dimensional array; a dict of attributes
    in a row holds the weight. Any other set or iterator becomes a list.
    """
    if isinstance(edges, Set) or (hasattr(edges, "__iter__") and not hasattr(edges, "__getitem__")):
        edges = list(edges)
    rows = edges.tolist() if isinstance(edges, np.ndarray) and edges.ndim == 2 else edges
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) and row for row in rows):
        return edges
    weight = graph.annotations.weight_column or "weight"
    rows = [
        (*row[:2], row[-1].get(weight, row[-1].get("weight"))) if isinstance(row[-1], Mapping) else row
        for row in rows
    ]
    sizes = set(map(len, rows))
    if sizes not in ({2}, {3}):
        return edges
    name = ROW if name == "forest" else name
    u, v = (read_vertices(graph, name, [row[k] for row in rows]) for k in (0, 1))
    w = edge_weights([row[2] for row in rows]) if sizes == {3} else None
    return find_edges(graph, name, u, v, w, maximum)


def find_edges(
    graph: Any, name: str, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any] | None, maximum: bool = False
) -> NDArray[np.int64]:
    """Find edges in a graph by their ends, in either order, and their exact weights.

    Without weights, only one edge may be between the ends; of the entries (i, j) and (j, i) of a matrix, the
    better counts. The k-th copy of an edge is the k-th of the graph's parallel edges of that weight, or the
    last. The edges of the graph are read in parts, and those of points are not listed.

    Parameters
    ----------
    graph : Graph
        The graph, on the host.
    name : str
        Name of the edges in errors, in which {} stands for the row, from 1.
    u, v : (k,) arrays of integers
        The ends of each edge; a number of n or more is no vertex.
    w : (k,) array or None
        Their weights, if these are known.
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
    candidates = _candidates(graph, u, v)
    a, b, weights = graph.take(candidates)
    if w is None:
        best = best_first(weights, maximum)
        best = best[first_entries(graph, candidates[best], a[best], b[best]) == np.arange(best.size)]
        candidates, a, b, weights = candidates[best], a[best], b[best], np.zeros(best.size)

    # Candidates and rows in the order of their ends and weights; of equal ones, candidates come first.
    low, high = sorted_ends(np.concatenate([a, u]), np.concatenate([b, v]))
    weights = np.concatenate([weights, stated])
    order = np.lexsort((weights, high, low))
    is_new = np.logical_or.reduce([x[order[1:]] != x[order[:-1]] for x in (low, high, weights)])
    start = np.maximum.accumulate(np.append(0, np.arange(1, is_new.size + 1) * is_new))
    is_candidate = order < candidates.size
    places = np.flatnonzero(~is_candidate)
    rows, start = order[places] - candidates.size, start[places]
    total = np.append(0, np.cumsum(is_candidate))
    count = total[places] - total[start]
    copy = np.minimum(places - start - count, count - 1)
    is_found, edges = np.zeros(u.size, bool), np.zeros(u.size, np.int64)
    is_found[rows] = count == 1 if w is None else count > 0
    edges[rows] = np.append(candidates, 0).take(order[start + copy], mode="clip")
    if (row := first_true(~(is_found & is_exact))) is not None:
        ends = [x == x[candidates.size + row] for x in (low, high)]
        between = candidates[np.logical_and(*ends)[: candidates.size]]
        raise _not_found(graph, name.format(row + 1), u[row], v[row], None if w is None else w[row], between)
    return edges


def find_entries(
    graph: Any, name: str, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], maximum: bool = False
) -> NDArray[np.int64]:
    """Find the entries of a matrix as `find_edges` finds edges.

    If all are 1, and these are not the weights, they only say which edges are meant.
    """
    try:
        return find_edges(graph, name, u, v, w, maximum)
    except NoSuchEdge:
        if not (w == 1).all():
            raise
        return find_edges(graph, name, u, v, None, maximum)


def _candidates(graph: Any, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    """List edges of a graph, ascending: all with the ends of a row, and perhaps some others."""
    low, high = sorted_ends(u, v)
    low, high = low[high < graph.n].astype(np.int64), high[high < graph.n].astype(np.int64)
    if hasattr(type(graph), "pair_weight"):  # points: an index follows from the ends
        return np.unique(graph.edges_at(low[low < high], high[low < high]))
    slots = 1 << (SLOTS_PER_ROW * u.size).bit_length()
    is_end, has_row = np.zeros(graph.n, bool), np.zeros(slots, bool)
    is_end[low] = is_end[high] = has_row[_slots(low, high, slots)] = True
    found = [np.empty(0, np.int64)]
    for first in range(0, graph.m, AT_ONCE):
        a, b, _ = graph.edges_in_range(first, min(first + AT_ONCE, graph.m))
        near = np.flatnonzero(is_end[a] & is_end[b])
        found.append(first + near[has_row[_slots(a[near], b[near], slots)]])
    return np.concatenate(found)


def _slots(u: NDArray[Any], v: NDArray[Any], count: int) -> NDArray[np.uint64]:
    """Return a slot of a table for each edge, equal for equal ends, in either order."""
    low, high = sorted_ends(u, v)
    return mix(low + mix(high)) & np.uint64(count - 1)


def _not_found(graph: Any, name: str, u: Any, v: Any, w: Any, between: NDArray[np.int64]) -> GraphError:
    """Make the error about an edge that the graph does not have, or has several times."""
    ends = ends_text(graph.names, u, v, graph.first_id)
    known = graph.take(between)[2].tolist()
    if not known:
        return NoSuchEdge(f"{name}: no edge is between {ends}")
    if w is None:
        return GraphError(
            f"{name}: there are {len(known)} edges between {ends}, with the indices "
            f"{sorted(between.tolist())}: write the weight, such as {ends[:-1]}, {known[0]}), or use indices"
        )
    texts = some_of([*dict.fromkeys(map(str, known))], separator=" or ")
    is_near = np.isclose(np.array(known, float), float(w), rtol=1e-6, atol=0).any()
    more = ": if rounding changed it, pass the ends alone, as list(tree.edges) of NetworkX" if is_near else ""
    more = more or "; ends alone are enough" * (len(known) == 1)
    kind = GraphError if is_near else NoSuchEdge
    return kind(f"{name}: edge {ends} weighs {w}, in the graph {texts}{more}")


def sorted_ends(u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the smaller and the larger end of every edge, as uint64 for every graph."""
    return np.minimum(u, v).astype(np.uint64), np.maximum(u, v).astype(np.uint64)


def in_type(w: NDArray[Any], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Convert weights to the type of a graph's weights, and say which of them it holds exactly."""
    wrong = inexact(w, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return w.astype(dtype), np.ones(w.size, bool) if wrong is None else ~wrong
