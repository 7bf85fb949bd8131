"""Two results beside each other: which edges both have, and which only one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, warn
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph, ImplicitGraph
from boruvka.graph.validation import first_entries, pair_keys
from boruvka.interop import geopandas as maps
from boruvka.interop.data_frames import column_names, to_frame
from boruvka.runtime.libraries import pd


def compare(first: EdgeSet, second: Any) -> Any:
    """Implement `SelectedEdges.compare`."""
    if not isinstance(second, EdgeSet):
        raise GraphTypeError(f"expected a result of boruvka, such as a tree, got {type(second).__name__}")
    lines = [maps.lines_of(tree.graph) for tree in (first, second)]
    have_lines = lines[0] is not None
    if have_lines != (lines[1] is not None):
        raise GraphError("one plan is a map and the other a table: compare two of one kind, such as .gpkg")
    if have_lines and (lines[0].crs is None) != (lines[1].crs is None):
        raise GraphError("only one plan has a coordinate reference system: set_crs of geopandas sets it")
    if have_lines and len(first) and len(second) and maps.has_lengths(first) != maps.has_lengths(second):
        warn("the weights of one plan are lengths, and those of the other are not: their sums differ in kind")
    are_alike = _are_alike(first.graph, second.graph)
    at, known = pd.factorize((_common_indices if are_alike else _keys)(first, second))
    at, columns = at[len(first) :], {"plan": np.empty(known.size, object)}
    for name, (values, others) in _amounts(first, second).items():
        both = np.full((2, known.size), np.nan)
        both[0, : len(first)], both[1, at] = values, others
        columns |= {f"{name}_first": both[0], f"{name}_second": both[1]}
    is_in = [~np.isnan(columns[name]) for name in ("weight_first", "weight_second")]
    columns["plan"][:] = np.select([is_in[0] & is_in[1], is_in[0]], ["both", "only first"], "only second")
    trees = EdgeSet(first.graph, first.edges), EdgeSet(second.graph, second.edges[at >= len(first)])
    if have_lines:
        frame, other = map(maps.to_geopandas, trees)
        if frame.crs != other.crs:
            converted = f"the second plan is in {other.crs.name}, and converted to {frame.crs.name}"
            warn(f"{converted}: edges whose ends differ by more than a micrometre are not the same")
            other = other.to_crs(frame.crs)
        return maps.with_columns(pd.concat([frame, other]), **columns)
    tables = [to_frame(tree, "pandas").iloc[:, :4] for tree in trees]
    return pd.concat([tables[0], tables[1].set_axis(tables[0].columns, axis=1)]).assign(**columns)


def is_comparison(graph: Graph) -> bool:
    """Return whether a graph was read from a table that `compare` made."""
    return {"plan", "weight_first", "weight_second"} <= _columns_of(graph)


def _columns_of(graph: Graph) -> set[str]:
    """Return the names of the columns of the table that a graph was read from."""
    if (table := graph.annotations.table) is None:
        return set()
    return {*(table.names if callable(table.frame) else column_names(table.frame))}


def _amounts(first: EdgeSet, second: EdgeSet) -> dict[str, list[Any]]:
    """Return the weights of the edges of both, and their loads if both have them."""
    found, loads = {"weight": [first.w, second.w]}, list[Any]()
    for tree in first, second:
        if "load" in tree.edge_columns:
            loads.append(tree.edge_columns["load"])
        elif "load" in _columns_of(tree.graph):
            loads.append(np.asarray(tree.graph.annotations.table.take("load", tree.edges)))
    has_loads = len(loads) == 2 and all(load.dtype.kind in "iuf" for load in loads)
    return found | ({"load": loads} if has_loads else {})


def _are_alike(first: Graph, second: Graph) -> bool:
    """Return whether two graphs have the same vertices and edges, which may have other weights."""
    a, b = _base(first), _base(second)
    if a is b or a.m != b.m or isinstance(a, ImplicitGraph) or isinstance(b, ImplicitGraph):
        return a is b
    return all(np.array_equal(getattr(a, x), getattr(b, x)) for x in ("n", "names", "u", "v"))


def _base(graph: Graph) -> Graph:
    return graph.base if isinstance(graph, MaskedGraph) else graph


def _common_indices(first: EdgeSet, second: EdgeSet) -> NDArray[np.int64]:
    """Return the indices of the edges of both; of the entries (i, j) and (j, i) of a matrix, one stands."""
    edges, u, v = (np.append(getattr(first, x), getattr(second, x)) for x in ("edges", "u", "v"))
    return np.asarray(edges[first_entries(first.graph, edges, u, v)])


def _keys(first: EdgeSet, second: EdgeSet) -> NDArray[np.int64]:
    """Return a number for each edge of both, the same for edges of two graphs that have the same ends.

    Lengths or weights must be the same, too, to 4 digits, where a graph has parallel edges, in maps, and
    where graphs of two sizes have vertices without names.

    Raises
    ------
    GraphError
        The graphs have no vertex in common.
    """
    names = second.graph.name_of(np.arange(second.n)).tolist()
    number = first.number_of_name or {k: k for k in range(first.n)}
    found = np.array([number.get(name, first.n + k) for k, name in enumerate(names)], np.uint64)
    if (found >= first.n).any():  # names of crossings are coordinates, perhaps of another reference system
        at = maps.vertices_of_lines(first.graph, second.graph)
        found = np.where((found >= first.n) & (at >= 0), at.astype(np.uint64), found)
    if (found >= first.n).all():
        raise GraphError("the graphs of both have no vertex in common, so that there is nothing to compare")
    trees = (first, np.arange(first.n, dtype=np.uint64)), (second, found)
    are_arcs, n = first.is_directed and second.is_directed, first.n + second.n

    def pairs(tree: EdgeSet, place: NDArray[np.uint64]) -> NDArray[np.uint64]:
        u, v = place[tree.u], place[tree.v]
        return u * np.uint64(n) + v if are_arcs else pair_keys(n, u, v)

    parallel, tables = [np.empty(0, np.uint64)], []
    for tree, place in trees:
        graph = _base(tree.graph)  # in a matrix, the entries (i, j) and (j, i) are not parallel
        start = graph.m if isinstance(graph, ImplicitGraph) else graph.entry_count
        ends, counts = np.unique(pairs(EdgeSet(graph, np.arange(start, graph.m)), place), return_counts=True)
        parallel.append(ends[counts > 1])
    needs_size = first.n != second.n and not (first.graph.has_names and second.graph.has_names)
    needs_size |= any(maps.lines_of(tree.graph) is not None for tree, _ in trees)
    for tree, place in trees:
        lengths = np.empty(0) if maps.lines_of(tree.graph) is None else maps.lengths_of_edges(tree)[0]
        ends, sizes = pairs(tree, place), lengths if lengths.size else tree.w
        sizes = np.where(np.isin(ends, np.concatenate(parallel)) | needs_size, sizes, 0)
        table = pd.DataFrame({"ends": ends, "size": map("{:.4g}".format, sizes.tolist())})
        tables.append(table.assign(copy=table.groupby(["ends", "size"]).cumcount()))
    return pd.concat(tables).groupby(["ends", "size", "copy"], sort=False).ngroup().to_numpy()
