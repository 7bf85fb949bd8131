"""Find the edges of a forest file in a graph: by their stated indices, or by ends and weight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, first_true
from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.name_columns import checked_names, holds_text
from boruvka.graph.exact import inexact
from boruvka.graph.graph import Graph
from boruvka.graph.names import ends_text
from boruvka.operators.counter_rng import mix
from boruvka.runtime.arguments import argument, is_command_running

if TYPE_CHECKING:
    from boruvka.graph.graph import DistanceGraph

_SLOTS_PER_ROW = 8
"""Slots of a table that has one bit for each row, so that few edges of the graph have the slot of a row."""
_AT_ONCE = 1 << 20
"""Edges of the graph that are looked up at once."""


def with_vertices_of(graph: Graph, table: EdgeTable) -> EdgeTable:
    """Replace the vertices of a file by the vertices of a graph that have the same names.

    Names are compared as text. If the graph has no names, integer names in the file are its ids. Lines may be
    in another coordinate reference system.
    If the file has no names, the table is returned as it is.

    Raises
    ------
    GraphError
        The graph has no vertex with a name in the file; the message names the row.
    """
    if table.names is None:
        return table
    in_file = checked_names(table.names)
    if graph.names is not None:
        number = {name: i for i, name in enumerate(map(str, checked_names(graph.names).tolist()))}
        found = (number.get(name, -1) for name in map(str, in_file.tolist()))
        vertices = np.fromiter(found, np.int64, in_file.size)
        if table.graph is not None and (vertices < 0).any():
            from boruvka.interop.geopandas import vertices_of_lines

            vertices = np.where(vertices < 0, vertices_of_lines(graph, table.graph), vertices)
    elif holds_text(in_file):
        passed = f": pass {argument('id', 'COLUMN')} for points" if is_command_running() else ""
        raise GraphError(f"the forest names its vertices, but the graph does not{passed}")
    else:
        is_vertex = (in_file >= graph.first_id) & (in_file < graph.n + graph.first_id)
        vertices = np.where(is_vertex, in_file, 0).astype(np.int64) - graph.first_id
        vertices[~is_vertex] = -1
    u, v = vertices[table.u], vertices[table.v]
    if (row := first_true(np.minimum(u, v) < 0)) is not None:
        name = table.names.tolist()[(table.u if u[row] < 0 else table.v)[row]]
        raise GraphError(f"row {row} of the forest has the vertex {name!r}, which the graph does not have")
    return table._replace(n=graph.n, u=u, v=v, names=graph.names)


def check_edge_indices(table: EdgeTable, graph: Graph) -> NDArray[np.int64]:
    """Check the edge indices that a file states against the ends and weights beside them.

    Indices outside the graph are returned as they are: the verifier reports them.

    Returns
    -------
    (k,) int64 array
        The indices.

    Raises
    ------
    GraphError
        The graph has a different edge at an index; the message names the row.
    """
    edges = np.asarray(table.edges)
    rows = np.flatnonzero((edges >= 0) & (edges < graph.m))
    index = edges[rows].astype(np.int64)
    of_graph = EdgeTable(graph.n, *graph.take(index))
    equal = np.ones(rows.size, bool)
    for in_graph, in_file in zip(
        _sorted_ends(of_graph.u, of_graph.v), _sorted_ends(table.u, table.v), strict=True
    ):
        equal &= in_graph == in_file[rows]
    stated, is_exact = _in_type(table.w[rows], of_graph.w.dtype)
    equal &= is_exact & (stated == of_graph.w)
    if (k := first_true(~equal)) is not None:
        row, i = int(rows[k]), int(index[k])
        raise GraphError(
            f"row {row} of the forest is edge {i} {_ends(graph, table, row)} of weight "
            f"{table.w[row]}, but the graph's edge {i} is {_ends(graph, of_graph, k)} "
            f"of weight {of_graph.w[k]}"
        )
    if edges.dtype == np.uint64 and edges.size and edges.max() >= 2**63:
        raise GraphError(f"the forest states the edge {edges.max()}, beyond the {graph.m} edges of the graph")
    return edges.astype(np.int64)


def find_edges(table: EdgeTable, graph: Graph) -> NDArray[np.int64]:
    """Find the edges of a file in a graph by their ends, in either order, and their exact weight.

    The k-th copy of an edge in the file is the k-th of the graph's parallel edges of that weight.

    Returns
    -------
    (k,) int64 array
        Indices of edges of the graph, in the order of the file.

    Raises
    ------
    GraphError
        The graph has no such edge, or fewer copies of it; the message names the row.
    """
    from boruvka.graph.graph import DistanceGraph

    if isinstance(graph, DistanceGraph):
        return _find_pairs(table, graph)
    stated, is_exact = _in_type(table.w, graph.dtype)
    if (row := first_true(~is_exact)) is not None:
        raise _no_such_edge(graph, table, row)

    slots = 1 << (_SLOTS_PER_ROW * table.m).bit_length()
    may_be_stated = np.zeros(slots, bool)
    may_be_stated[_slots(table.u, table.v, stated, slots)] = True
    found = [np.empty(0, np.int64)]
    for start in range(0, graph.m, _AT_ONCE):
        here = slice(start, start + _AT_ONCE)
        wanted = may_be_stated[_slots(graph.u[here], graph.v[here], graph.w[here], slots)]
        found.append(start + np.flatnonzero(wanted))
    candidates = np.concatenate(found)

    # Rows and candidates in the order of their ends and weights; of equal ones, rows come first.
    both = zip((table.u, table.v, stated), graph.take(candidates), strict=True)
    rows, (u, v, w) = table.m, map(np.concatenate, both)
    low, high = _sorted_ends(u, v)
    order = np.lexsort((w, high, low))
    differs = [x[order[1:]] != x[order[:-1]] for x in (low, high, w)]
    group = np.append(0, np.cumsum(np.logical_or.reduce(differs)))[: order.size]
    of_rows = np.flatnonzero(order < rows)
    copies = np.bincount(group[of_rows], minlength=1)
    partner = of_rows + copies[group[of_rows]]
    exists = np.append(group, -1)[np.minimum(partner, order.size)] == group[of_rows]
    if not exists.all():
        raise _no_such_edge(graph, table, int(order[of_rows[~exists]].min()))
    index = np.empty(rows, np.int64)
    index[order[of_rows]] = candidates[order[partner] - rows]
    return index


def _slots(u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], count: int) -> NDArray[np.uint64]:
    """Return a slot of a table for each edge, equal for equal ends, in either order, and equal weights."""
    low, high = _sorted_ends(u, v)
    weights = (w.astype(np.float64) + 0.0).view(np.uint64)  # zeros of both signs are equal
    return mix(mix(low + mix(high)) ^ weights) & np.uint64(count - 1)


def _find_pairs(table: EdgeTable, graph: DistanceGraph) -> NDArray[np.int64]:
    """Find the edges of a file in the complete graph of points, whose edges are not listed."""
    low, high = (ends.astype(np.int64) for ends in _sorted_ends(table.u, table.v))
    exists = (low < high) & (high < graph.n)
    edges = np.zeros(table.m, np.int64)
    edges[exists] = graph.edges_at(low[exists], high[exists])
    rows = np.flatnonzero(exists)
    weights = graph.take(edges[rows])[2]
    stated, is_exact = _in_type(table.w[rows], weights.dtype)
    exists[rows] &= is_exact & (stated == weights)
    if (row := first_true(~exists)) is not None:
        raise _no_such_edge(graph, table, row)
    return edges


def _no_such_edge(graph: Graph, table: EdgeTable, row: int) -> GraphError:
    return GraphError(
        f"row {row} of the forest, {_ends(graph, table, row)} of weight {table.w[row]}, "
        "is not an edge of the graph, or the graph has fewer copies of it"
    )


def _ends(graph: Graph, x: Graph | EdgeTable, row: int) -> str:
    """Return the ends of an edge as an error shows them: by name, if the graph names vertices."""
    u, v = x.u[row], x.v[row]
    return ends_text(graph.names if max(u, v) < graph.n else None, u, v, graph.first_id)


def _sorted_ends(u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the smaller and the larger end of every edge, as uint64 for every graph."""
    return np.minimum(u, v).astype(np.uint64), np.maximum(u, v).astype(np.uint64)


def _in_type(w: NDArray[Any], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Convert weights of a file to the type of a graph's weights, and say which of them it holds exactly."""
    wrong = inexact(w, dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return w.astype(dtype), np.ones(w.size, bool) if wrong is None else ~wrong
