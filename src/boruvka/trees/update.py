"""The forest of a graph with more edges, or without some, from the forest before.

Edges that are removed leave pieces of trees, which the lightest edges between them join again: what survives
stays in the forest, by the cut property. One pass finds the edges between pieces.

If edges are added, only edges on paths between their ends can leave the forest. For each two consecutive ends
in leaf order (see `boruvka.trees.path_maxima`), take the heaviest edge on the path between them. At every
weight threshold, these *path edges* connect the ends exactly as the forest does. The minimum spanning forest
of the path edges and the new edges therefore determines the update: path edges outside it are removed, and
new edges in it are added.

Source: the path edges are the compressed path trees of D. Anderson, G. E. Blelloch, K. Tangwongsan,
Work-efficient batch-incremental minimum spanning trees with applications to the sliding-window model, 2020,
found in leaf order instead of a tree of clusters.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.connected_components import label_components
from boruvka.graph.edge_sets import check_lists_edges, edge_indices
from boruvka.graph.extended_graph import ExtendedGraph, extended_places
from boruvka.graph.graph import to_host
from boruvka.graph.labelled_values import in_edge_order
from boruvka.graph.masked_graph import MaskedGraph
from boruvka.graph.numbering import number_names
from boruvka.interop.as_graph import as_graph, as_graph_with_names
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.kernels.team import map_ranges
from boruvka.operators.union_find import union
from boruvka.trees.path_maxima import AHEAD, path_maxima, sort_edges, widened

if TYPE_CHECKING:
    from boruvka.trees.forest import Forest

__all__ = ["update"]

LIGHT_EDGES_PER_PIECE = 16
"""Number of edges, per piece of a tree, that join nearly all pieces again."""
SAMPLE, FEW = 1 << 14, 32
"""Number of edges of a sample, and least number of them below an estimate."""
NEW_EDGES_PER_VERTEX = 1 / 8
"""Maximum number of new edges per vertex for which the leaf order of an earlier forest is used."""


def update(forest: Forest, new_edges: Any, removed: Any) -> Forest:
    """Implement `Forest.update`."""
    forest._check_optimal("update")
    forest.graph.check()
    if removed is not None:
        forest = _without(forest, removed)
    return forest if new_edges is None else _with(forest, new_edges)


def _without(forest: Forest, removed: Any) -> Forest:
    """Find the forest without some edges; those of the graph keep their indices."""
    start, graph = time.perf_counter(), forest.graph
    check_lists_edges(graph, "removed is for a graph that lists its edges, on the host")
    removed = edge_indices("removed", in_edge_order(graph, "removed", removed), graph.m)
    if (required := np.intersect1d(removed, forest.required)).size:
        raise GraphError(f"removed has edge {required[0]}, which the forest was required to have")
    remaining = MaskedGraph(graph, removed)
    places = _places_of(removed, forest.edges)
    edges = np.delete(forest.edges, places)
    if places.size:
        _, position, parent, edge = rooted = forest._rooted
        u, v = forest.u[places], forest.v[places]
        below = np.where(edge[u] == places, u, v)
        label = np.zeros(forest.n, np.min_scalar_type(places.size))
        label[below] = np.arange(1, places.size + 1)
        _label_pieces(rooted.order[position[below].min() :], parent, label)
        added = np.sort(_lightest_between(remaining, label, places.size + 1, forest.maximum))
        edges = np.insert(edges, np.searchsorted(edges, added), added)
    seconds = time.perf_counter() - start
    return _updated(forest, remaining, edges, seconds)


def _updated(forest: Forest, graph: AbstractGraph, edges: NDArray[np.int64], seconds: float) -> Forest:
    how = forest.maximum, "update", "threads"
    return type(forest)(graph, edges, *how, seconds=seconds, required=forest.required)


def _places_of(values: NDArray[np.int64], within: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places of those of some values that are in an array; both ascend."""
    places = np.searchsorted(within, values)
    is_there = places < within.size
    is_there[is_there] = within[places[is_there]] == values[is_there]
    return places[is_there]


def _lightest_between(
    remaining: MaskedGraph, label: NDArray[Any], pieces: int, maximum: bool
) -> NDArray[np.int64]:
    """Find the edges that join pieces of trees again.

    A sample bounds the weights of edges that join nearly all pieces. Others are read only if some are left.
    """
    graph, chosen = remaining.base, [np.empty(0, np.int64)]  # the arrays of the base are not copied
    bound = _bound(graph, label, pieces, maximum)
    while pieces > 1:
        edges = _crossing(graph, label, bound, maximum)
        edges = np.delete(edges, _places_of(remaining.removed, edges))
        a, b, w = label[graph.u[edges]], label[graph.v[edges]], widened(graph.w[edges])
        new, merged = _join(pieces, a, b, w, maximum)
        chosen.append(edges[new])
        if bound is None:
            break
        label, pieces, bound = merged[label], int(merged.max()) + 1, None
    return np.concatenate(chosen)


def _bound(graph: AbstractGraph, label: NDArray[Any], pieces: int, maximum: bool) -> Any:
    """Estimate the weight up to which edges join nearly all pieces; None if few edges are between pieces."""
    sample = np.arange(0, graph.m, max(graph.m // SAMPLE, 1))
    w = graph.w[sample[label[graph.u[sample]] != label[graph.v[sample]]]]
    few = max(LIGHT_EDGES_PER_PIECE * pieces * sample.size // max(graph.m, 1), FEW)
    if w.size < 2 * few:
        return None
    place = w.size - few if maximum else few
    return np.partition(w, place)[place]


def _crossing(graph: AbstractGraph, label: NDArray[Any], bound: Any, maximum: bool) -> NDArray[np.int64]:
    """List the edges between pieces, ascending; only those up to a weight, if one is given."""
    parts = {0: np.empty(0, np.int64)}
    u, v, w = graph.u, graph.v, graph.w

    def find(part: slice) -> None:
        is_light = np.empty(0, bool)
        if bound is not None:
            is_light = w[part] >= bound if maximum else w[part] <= bound
        found = np.empty(part.stop - part.start, np.int64)  # the system provides only pages that are written
        count = _list_crossing(np.uint64(part.start), np.uint64(part.stop), u, v, label, is_light, found)
        parts[part.start] = found[:count].copy()

    map_ranges(find, graph.m)
    return np.concatenate([parts[start] for start in sorted(parts)])


def _join(
    pieces: int, a: NDArray[Any], b: NDArray[Any], w: NDArray[Any], maximum: bool
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Join pieces along edges by Borůvka's rounds; return the edges that are taken, and the new labels."""
    left, merged, chosen = np.arange(a.size), np.arange(pieces), [np.empty(0, np.int64)]
    ids = a.dtype
    while left.size:
        best = np.full(pieces, -1)
        _propose(a, b, w, maximum, best)
        found = np.unique(best[best >= 0])
        chosen.append(left[found])
        label = label_components(pieces, a[found], b[found])
        merged, pieces = label[merged], int(label.max()) + 1
        a, b = label[a].astype(ids), label[b].astype(ids)
        crossing = a != b
        left, a, b, w = left[crossing], a[crossing], b[crossing], w[crossing]
    return np.concatenate(chosen), merged.astype(ids)


def _with(forest: Forest, new_edges: Any) -> Forest:
    """Find the forest with more edges."""
    start = time.perf_counter()
    known = {}
    if forest.graph.names is None:
        new = to_host(as_graph(new_edges))
        if new.names is not None:
            raise GraphError(
                "vertices of the new edges have names, and those of the graph have none: give numbers, or "
                "solve graph.with_names(...)"
            )
        graph = _extended(forest.graph, new, new.u, new.v, max(forest.n, new.n))
    else:
        graph, known["_number_of_name"] = _with_new_names(forest, to_host(as_graph_with_names(new_edges)))
    before = _prepared(forest)
    removed, added = _exchange(before, graph)
    edges = np.concatenate([np.delete(before.edges, removed), added])
    seconds = time.perf_counter() - start
    updated = _updated(forest, graph, edges, seconds)
    vars(updated).update(known, _before=before)
    return updated


def _extended(
    graph: AbstractGraph,
    new: AbstractGraph,
    u: NDArray[Any],
    v: NDArray[Any],
    n: int,
    names: NDArray[Any] | None = None,
    numbers: NDArray[np.int64] | None = None,
) -> AbstractGraph:
    """Add the edges of a graph, with other ends, to a graph that may lack some of its own.

    ``numbers`` are those of the vertices of the new graph; by default the same.
    """
    own = graph.base if isinstance(graph, MaskedGraph) else graph
    places = partial(extended_places, own, n, new, numbers)
    extended = ExtendedGraph(own, u, v, new.w, n, names, places)
    return MaskedGraph(extended, graph.removed) if graph.removed.size else extended


def _with_new_names(forest: Forest, new: AbstractGraph) -> tuple[AbstractGraph, dict[Hashable, int]]:
    """Add edges between named vertices to a graph; return it, and the number of each name."""
    u, v, names = (new.u, new.v, new.names) if new.names is not None else number_names(new.u, new.v)
    numbers = forest._number_of_name
    listed = names.tolist()
    unknown = [name for name in listed if name not in numbers]
    if unknown:
        numbers = numbers | dict(zip(unknown, range(forest.n, forest.n + len(unknown)), strict=True))
    place = np.fromiter(map(numbers.__getitem__, listed), np.int64, len(listed))
    old = forest.graph.name_of(slice(None))
    joined = np.fromiter(numbers, object, len(numbers)) if unknown else old
    if unknown and old.dtype.kind in "iu" and all(type(name) is int for name in unknown):
        with suppress(OverflowError):
            joined = joined.astype(old.dtype)
    is_named = new.names is not None  # else the numbers of its vertices, which may have places, are names
    graph = _extended(
        forest.graph, new, place[u], place[v], len(numbers), joined, place if is_named else None
    )
    return graph, numbers


def _prepared(forest: Forest) -> Forest:
    """Choose the forest whose leaf order is used: an earlier one, unless many edges have been added since."""
    before = forest._before
    if before is None or "_choice_leaf_order" in vars(forest):
        return forest
    new = forest.graph.m - before.graph.m
    return before if new <= NEW_EDGES_PER_VERTEX * before.n else forest


def _exchange(forest: Forest, graph: AbstractGraph) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Find the positions of the edges that leave a forest, and the indices of the new edges that join it."""
    m = forest.graph.m
    u, v, w = graph.edge_slice(m, graph.m)
    ends, where = np.unique(np.concatenate([u, v]), return_inverse=True)
    leaves, table = forest._choice_leaf_order
    known = ends < forest.n  # other vertices are new
    by_position = np.argsort(leaves.position[ends[known]])
    number = np.arange(ends.size)
    number[by_position] = np.arange(by_position.size)
    in_order = ends[known][by_position]
    ranks = np.empty(max(in_order.size - 1, 0), leaves.position.dtype)
    path_maxima(in_order[:-1], in_order[1:], leaves.position, table, ranks)
    left = np.flatnonzero(ranks < len(forest))
    places = leaves.order[ranks[left]]
    by_index = np.argsort(places)
    left, places = left[by_index], places[by_index]

    first, second = number[where].reshape(2, -1)
    a, b = np.concatenate([left, first]), np.concatenate([left + 1, second])
    order, _ = sort_edges(np.concatenate([forest.w[places], w]), forest.maximum)
    if forest.required.size:
        is_required = np.isin(order, np.flatnonzero(np.isin(forest.edges[places], forest.required)))
        order = order[np.argsort(~is_required, kind="stable")]
    chosen = np.zeros(order.size, bool)
    _kruskal(order, a.astype(np.uint64), b.astype(np.uint64), np.arange(ends.size, dtype=np.uint64), chosen)
    return places[~chosen[: places.size]], m + np.flatnonzero(chosen[places.size :])


@kernel
def _kruskal(order, a, b, parent, chosen):
    """Choose the edges that connect two trees, in order."""
    for k in range(order.size):
        i = np.uint64(order[k])
        chosen[i] = union(a[i], b[i], parent)


@kernel
def _label_pieces(order, parent, label):
    """Give the vertices without a label that of their parent, parents first."""
    for k in range(np.uint64(order.size)):
        if k + AHEAD < order.size:
            prefetch(parent, np.uint64(order[k + AHEAD]))
        x = np.uint64(order[k])
        if parent[x] >= 0 and label[x] == 0:
            label[x] = label[np.uint64(parent[x])]


@kernel
def _list_crossing(first, stop, u, v, label, is_light, found):
    """List the edges between pieces, in a range; only light ones, unless all are."""
    count = np.uint64(0)
    for i in range(first, stop):
        if (is_light.size == 0 or is_light[i - first]) and label[u[i]] != label[v[i]]:
            found[count] = i
            count += np.uint64(1)
    return count


@kernel
def _propose(a, b, w, maximum, best):
    """Find the best edge of each piece; of equal weights, that of the smallest index."""
    for i in range(a.size):
        for x in (a[i], b[i]):
            j = best[x]
            if j < 0 or (w[i] > w[j] if maximum else w[i] < w[j]):
                best[x] = i
