"""Two results beside each other: which edges both have, and which only one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from typing import Any

import numpy as np

from boruvka.errors import BoruvkaError, GraphError, GraphTypeError
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph, ImplicitGraph
from boruvka.graph.validation import first_entries
from boruvka.interop.data_frames import column_names, to_frame
from boruvka.interop.geopandas import lengths_of_edges, lines_of, to_geopandas, with_columns
from boruvka.runtime.libraries import pd


def compare(first: EdgeSet, second: Any) -> Any:
    """Implement `SelectedEdges.compare`."""
    if not isinstance(second, EdgeSet):
        raise GraphTypeError(f"expected a result of boruvka, such as a tree, got {type(second).__name__}")
    lines = [lines_of(tree.graph) for tree in (first, second)]
    have_lines = lines[0] is not None
    if have_lines != (lines[1] is not None):
        raise GraphError("one plan is a map and the other a table: compare two of one kind, such as .gpkg")
    if have_lines and lines[0].crs != lines[1].crs:
        raise GraphError("the streets of both have different reference systems: convert them before")
    are_alike = _are_alike(first.graph, second.graph)
    keys = _common_indices(first, second) if are_alike else [_keys(first, tree) for tree in (first, second)]
    place = {key: k for k, key in enumerate(keys[0])}
    at = np.array([place.setdefault(key, len(place)) for key in keys[1]], np.int64)
    weights = np.full((2, len(place)), np.nan)
    weights[0, : len(first)], weights[1, at] = first.w, second.w
    is_in = ~np.isnan(weights)
    plan = np.select([is_in.all(axis=0), is_in[0]], ["both", "only first"], "only second")
    columns = {"plan": plan, "weight_first": weights[0], "weight_second": weights[1]}
    trees = EdgeSet(first.graph, first.edges), EdgeSet(second.graph, second.edges[at >= len(first)])
    if have_lines:
        return with_columns(pd.concat([to_geopandas(tree) for tree in trees]), **columns)
    tables = [to_frame(tree, "pandas").iloc[:, :4] for tree in trees]
    return pd.concat([tables[0], tables[1].set_axis(tables[0].columns, axis=1)]).assign(**columns)


def is_comparison(graph: Graph) -> bool:
    """Return whether a graph was read from a table that `compare` made."""
    columns = list[str]()
    with suppress(BoruvkaError, AttributeError):  # there is no table, or the format has no columns
        columns = column_names(graph.annotations.table.loaded().frame)
    return {"plan", "weight_first", "weight_second"} <= {*columns}


def _are_alike(first: Graph, second: Graph) -> bool:
    """Return whether two graphs have the same vertices and edges, which may have other weights."""
    a, b = (graph.base if isinstance(graph, MaskedGraph) else graph for graph in (first, second))
    if a is b or a.m != b.m or isinstance(a, ImplicitGraph) or isinstance(b, ImplicitGraph):
        return a is b
    return all(np.array_equal(getattr(a, x), getattr(b, x)) for x in ("n", "names", "u", "v"))


def _common_indices(first: EdgeSet, second: EdgeSet) -> list[list[int]]:
    """Return the indices of the edges of both; of the entries (i, j) and (j, i) of a matrix, one stands."""
    edges, u, v = (np.append(getattr(first, x), getattr(second, x)) for x in ("edges", "u", "v"))
    indices = edges[first_entries(first.graph, edges, u, v)].tolist()
    return [indices[: len(first)], indices[len(first) :]]


def _keys(first: EdgeSet, tree: EdgeSet) -> list[Hashable]:
    """Return what tells edges of two graphs apart: their ends, and their lengths or weights to 4 digits.

    Raises
    ------
    GraphError
        The graphs have no vertex in common.
    """
    names = tree.graph.name_of(np.arange(tree.n)).tolist()
    number = first.number_of_name or {k: k for k in range(first.n)}
    found = np.array([number.get(name, first.n + k) for k, name in enumerate(names)], np.int64)
    if (found >= first.n).all():
        raise GraphError("the graphs of both have no vertex in common, so that there is nothing to compare")
    lengths = np.empty(0) if lines_of(tree.graph) is None else lengths_of_edges(tree)[0]
    sizes = map("{:.4g}".format, (lengths if lengths.size else tree.w).tolist())
    seen, keys = Counter[Hashable](), list[Hashable]()
    for key in zip(*np.sort([found[tree.u], found[tree.v]], axis=0).tolist(), sizes, strict=True):
        keys.append((key, seen[key]))
        seen[key] += 1
    return keys
