"""The vertices of a graph that a forest file names, and the edges whose indices it states."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, first_true
from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.name_columns import checked_names, holds_text
from boruvka.graph.edge_lookup import ROW, NoSuchEdge, in_type, sorted_ends
from boruvka.graph.graph import Graph
from boruvka.graph.names import ends_text, name_hint
from boruvka.runtime.arguments import argument, is_command_running


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
    passed = f": read the graph with {argument('names', True)}" if graph.names is None else ""
    if passed and graph.annotations.pairs is not None:
        passed = f": pass {argument('id', 'COLUMN')} for points" if is_command_running() else ""
    if graph.names is not None:
        number: dict[Any, int] = {
            name: i for i, name in enumerate(map(str, checked_names(graph.names).tolist()))
        }
        found = (number.get(name, -1) for name in map(str, in_file.tolist()))
        vertices = np.fromiter(found, np.int64, in_file.size)
        if table.graph is not None and (vertices < 0).any():
            from boruvka.interop.geopandas import vertices_of_lines

            vertices = np.where(vertices < 0, vertices_of_lines(graph, table.graph), vertices)
    elif holds_text(in_file):
        raise GraphError(f"the forest names its vertices, but the graph does not{passed}")
    else:
        is_vertex = (in_file >= graph.first_id) & (in_file < graph.n + graph.first_id)
        vertices = np.where(is_vertex, in_file, 0).astype(np.int64) - graph.first_id
        vertices[~is_vertex] = -1
    u, v = vertices[table.u], vertices[table.v]
    if (row := first_true(np.minimum(u, v) < 0)) is not None:
        name = table.names.tolist()[(table.u if u[row] < 0 else table.v)[row]]
        lacks = "which the graph does not have" + (name_hint(number, name) if graph.has_names else "")
        raise GraphError(f"{ROW.format(row + 1)}: the vertex is {name!r}, {lacks}{passed}")
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
    (low, high), ends = sorted_ends(of_graph.u, of_graph.v), sorted_ends(table.u[rows], table.v[rows])
    stated, is_exact = in_type(table.w[rows], of_graph.w.dtype)
    equal = (low == ends[0]) & (high == ends[1]) & is_exact & (stated == of_graph.w)
    if (k := first_true(~equal)) is not None:
        row, i = int(rows[k]), int(index[k])
        in_file, in_graph = (
            f"{ends_text(graph.names, x.u[j], x.v[j], graph.first_id)} of weight {x.w[j]}"
            for x, j in ((table, row), (of_graph, k))
        )
        raise NoSuchEdge(f"{ROW.format(row + 1)}: it is edge {i} {in_file}, but edge {i} is {in_graph}")
    if edges.dtype == np.uint64 and edges.size and edges.max() >= 2**63:
        raise NoSuchEdge(f"the forest states the edge {edges.max()}, beyond the {graph.m} edges of the graph")
    return edges.astype(np.int64)
