"""The forest of a graph with more edges, or without some, from the forest before.

Edges that are removed leave subtrees, which the lightest edges between them join again: what survives
stays in the forest, by the cut property. One pass finds the edges between subtrees.

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

from collections.abc import Hashable
from contextlib import suppress
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.constraints import solve_constrained
from boruvka.algorithms.run import solve_graph
from boruvka.errors import GraphError, OptionError, shown, warn
from boruvka.graph.connected_components import label_components
from boruvka.graph.derived_graphs import ExtendedGraph, MaskedGraph, extended_coordinates
from boruvka.graph.graph import DistanceGraph, Graph, check_lists_edges, to_host
from boruvka.graph.labels import is_table, read_edges
from boruvka.graph.names import ends_text, number_of_name
from boruvka.graph.no_values import warn_of_alike_names
from boruvka.graph.numbering import number_names
from boruvka.graph.validation import PARALLEL_FROM, pair_keys, warn_of_copies
from boruvka.interop import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.kernels.team import map_ranges
from boruvka.trees.path_maxima import AHEAD, path_maxima
from boruvka.trees.structure import Structure

LIGHT_EDGES_PER_SUBTREE = 16
"""Number of edges per subtree that join nearly all subtrees again."""
SAMPLE, FEW = 1 << 14, 32
"""Number of edges of a sample, and least number of them below an estimate."""


def without(graph: Graph, structure: Structure, removed: Any) -> tuple[MaskedGraph, NDArray[np.int64]]:
    """Remove edges from a graph; return it, and the edges of its forest. Edges keep their indices.

    Parameters
    ----------
    graph : Graph
        The graph.
    structure : Structure
        The structure of its forest.
    removed : array_like
        As for `Forest.update`.
    """
    check_lists_edges(graph, "removed is for a graph that lists its edges, on the host")
    removed = read_edges(graph, "removed", removed)
    if (required := np.intersect1d(removed, structure.required)).size:
        raise GraphError(f"removed has edge {required[0]}, which the forest was required to have")
    remaining = MaskedGraph(graph, removed)
    places = _places_of(removed, structure.edges)
    edges = np.delete(structure.edges, places)
    if places.size:
        order, position, parent, edge = structure.roots
        u, v = structure.u[places], structure.v[places]
        below = np.where(edge[u] == places, u, v)
        label = np.zeros(structure.n, np.min_scalar_type(places.size))
        label[below] = np.arange(1, places.size + 1)
        _label_subtrees(order[position[below].min() :], parent, label)
        added = np.sort(_lightest_between(remaining, label, places.size + 1, structure.maximum))
        warn_of_copies(remaining.base, structure.edges[places], added)
        edges = np.insert(edges, np.searchsorted(edges, added), added)
    return remaining, edges


def _places_of(values: NDArray[np.int64], within: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places in an array of the values that are in it; both ascend."""
    places = np.searchsorted(within, values)
    is_there = places < within.size
    is_there[is_there] = within[places[is_there]] == values[is_there]
    return places[is_there]


def _lightest_between(
    remaining: MaskedGraph, label: NDArray[Any], subtrees: int, maximum: bool
) -> NDArray[np.int64]:
    """Find the edges that join subtrees again.

    A sample bounds the weights of edges that join nearly all subtrees. Others are read only if some are left.
    """
    graph, chosen = remaining.base, [np.empty(0, np.int64)]  # the arrays of the base are not copied
    bound = _bound(graph, label, subtrees, maximum)
    while subtrees > 1:
        edges = _crossing(graph, label, bound, maximum)
        edges = np.delete(edges, _places_of(remaining.removed, edges))
        a, b = label[graph.u[edges]], label[graph.v[edges]]
        new = solve_graph(Graph(subtrees, a, b, graph.w[edges]), maximum).edges
        chosen.append(edges[new])
        if bound is None:
            break
        merged = label_components(subtrees, a[new], b[new])
        label, subtrees, bound = merged.astype(label.dtype)[label], subtrees - new.size, None
    return np.concatenate(chosen)


def _bound(graph: Graph, label: NDArray[Any], subtrees: int, maximum: bool) -> Any:
    """Estimate the weight up to which edges join nearly all subtrees; None if few edges are between them."""
    sample = np.arange(0, graph.m, max(graph.m // SAMPLE, 1))
    w = graph.w[sample[label[graph.u[sample]] != label[graph.v[sample]]]]
    few = max(LIGHT_EDGES_PER_SUBTREE * subtrees * sample.size // max(graph.m, 1), FEW)
    if w.size < 2 * few:
        return None
    place = w.size - few if maximum else few
    return np.partition(w, place)[place]


def _crossing(graph: Graph, label: NDArray[Any], bound: Any, maximum: bool) -> NDArray[np.int64]:
    """List the edges between subtrees, ascending; only those up to a weight, if one is given."""
    crossing = {0: np.empty(0, np.int64)}
    u, v, w = graph.u, graph.v, graph.w

    def find(here: slice) -> None:
        is_light = np.empty(0, bool)
        if bound is not None:
            is_light = w[here] >= bound if maximum else w[here] <= bound
        found = np.empty(here.stop - here.start, np.int64)  # the system provides only pages that are written
        count = _list_crossing(np.uint64(here.start), np.uint64(here.stop), u, v, label, is_light, found)
        crossing[here.start] = found[:count].copy()

    map_ranges(find, graph.m)
    return np.concatenate([crossing[start] for start in sorted(crossing)])


def extend(
    graph: Graph, new_edges: Any, numbers: dict[Hashable, int] | None, options: as_graph.GraphOptions
) -> tuple[Graph, dict[Hashable, int] | None]:
    """Add edges to a graph; return it, and the vertex of each name.

    Parameters
    ----------
    graph : Graph
        The graph.
    new_edges : object
        As for `Forest.update`.
    numbers : dict, optional
        The vertex of each name of the graph; None where vertices have no names.
    options : GraphOptions
        Options of `as_graph` for the new edges.
    """
    columns = _columns_of(graph, new_edges, options)
    if numbers is not None:
        return _with_new_names(graph, to_host(as_graph.as_graph_with_names(new_edges, **columns)), numbers)
    new = to_host(as_graph.as_part_of_graph(new_edges, **columns))
    if new.names is not None and not graph.n:  # which has no ids
        return _with_new_names(graph.with_names([]), new, {})
    if new.names is not None:
        raise GraphError(
            "vertices of the new edges have names, but the graph has no names: give numbers, or "
            "solve graph.with_names(...)"
        )
    return _extended(graph, new, (new.u, new.v), max(graph.n, new.n)), None


def _columns_of(graph: Graph, new_edges: Any, options: as_graph.GraphOptions) -> as_graph.GraphOptions:
    """Return options, for edges with the columns or the attribute that the graph was made from."""
    options = as_graph.with_roles(options)
    if not as_graph.is_table_of_edges(new_edges):
        return {**as_graph.options_like(graph, new_edges), **options}
    named, lacking = as_graph.columns_like(graph, new_edges)
    wanted = [role for role in lacking if role not in options]
    if not wanted:
        return cast(as_graph.GraphOptions, named) | options
    has_frame = is_table(getattr(graph.annotations.table, "frame", None))
    is_default = not has_frame and [*named.values()] == [*named]
    if is_default or len(lacking) == len(named):
        return options
    name = shown(named[wanted[0]])
    raise OptionError(f"the new edges have no column {name}, as the first table has: write {wanted[0]}=")


def _extended(
    graph: Graph, new: Graph, ends: tuple[Any, Any], n: int, names: Any = None, numbers: Any = None
) -> Graph:
    """Add the edges of a graph, with other ends, to a graph that may lack some of its own.

    ``numbers`` are the vertices of the new graph among the n; by default the same numbers.
    """
    (u, v), own = ends, graph.base if isinstance(graph, MaskedGraph) else graph
    coordinates = partial(extended_coordinates, own, n, new, numbers)
    extended = ExtendedGraph(own, u, v, new.w, n, names, coordinates, new.annotations.table)
    if graph.m < PARALLEL_FROM and not isinstance(getattr(own, "base", own), DistanceGraph):
        _warn_of_parallel_edges(graph, u, v, extended)
    return MaskedGraph(extended, graph.removed) if graph.removed.size else extended


def _warn_of_parallel_edges(graph: Graph, u: NDArray[Any], v: NDArray[Any], extended: Graph) -> None:
    """Warn of new edges between the ends of an edge that the graph has; removed ones are loops there."""
    old_u, old_v, _ = graph.edges_in_range(0, graph.m)
    near = np.isin(old_u, [u, v]) & np.isin(old_v, [u, v])
    old = pair_keys(extended.n, old_u[near], old_v[near])
    twice = np.flatnonzero(np.isin(pair_keys(extended.n, u, v), old) & (u != v))
    if twice.size:
        ends = ends_text(extended.names, u[twice[0]], v[twice[0]])
        warn(
            f"{twice.size:,} of {u.size:,} new edges join vertices that an edge joins already, as {ends}: "
            f"both stay in the graph; to change a weight, pass the old edge too, as removed=[{ends}]"
        )


def _with_new_names(
    graph: Graph, new: Graph, numbers: dict[Hashable, int]
) -> tuple[Graph, dict[Hashable, int]]:
    """Add edges between named vertices to a graph; return it, and the number of each name."""
    u, v, names = (new.u, new.v, new.names) if new.names is not None else number_names(new.u, new.v)
    listed = names.tolist()
    unknown = [name for name in listed if name not in numbers]
    if unknown:
        numbers = numbers | dict(zip(unknown, range(graph.n, graph.n + len(unknown)), strict=True))
    place = np.fromiter(map(numbers.__getitem__, listed), np.int64, len(listed))
    old = graph.name_of(slice(None))
    joined = np.fromiter(numbers, object, len(numbers)) if unknown else old
    if unknown and old.dtype.kind in "iu" and all(type(name) is int for name in unknown):
        with suppress(OverflowError):
            joined = joined.astype(old.dtype)
    warn_of_alike_names(joined if unknown else None)
    is_named = new.names is not None  # else the numbers of its vertices, which may have places, are names
    place_of_vertex = place if is_named else None
    extended = _extended(graph, new, (place[u], place[v]), len(numbers), joined, place_of_vertex)
    return extended, numbers


def with_vertices(graph: Graph, names: list[str]) -> Graph:
    """Return a graph that also has the vertices of some names, without an edge if it did not have them."""
    names = [*filter(None, dict.fromkeys(names))]
    more = Graph(len(names), [], [], np.empty(0, graph.dtype)).with_names(names)
    return _with_new_names(graph, more, number_of_name(graph.name_of(slice(None))))[0]


def with_new_edges(graph: Graph, structure: Structure, m: int) -> NDArray[np.int64]:
    """Find the edges of the forest of a graph, ascending, from the forest of its first m edges.

    For each two consecutive ends of new edges in leaf order, the heaviest edge on the path between them is a
    path edge. The forest of the path edges and the new edges determines which edges leave and which join.
    """
    u, v, w = graph.edges_in_range(m, graph.m)
    ends, where = np.unique(np.concatenate([u, v]), return_inverse=True)
    leaves, table = structure.choice_leaves
    known = ends < structure.n  # other vertices are new
    by_position = np.argsort(leaves.position[ends[known]])
    number = np.arange(ends.size)
    number[by_position] = np.arange(by_position.size)
    in_order = ends[known][by_position]
    ranks = np.empty(max(in_order.size - 1, 0), leaves.position.dtype)
    path_maxima(in_order[:-1], in_order[1:], leaves.position, table, ranks)
    left = np.flatnonzero(ranks < structure.size)
    places = leaves.order[ranks[left]]
    by_index = np.argsort(places)
    left, places = left[by_index], places[by_index]

    first, second = number[where].reshape(2, -1)
    a, b = np.concatenate([left, first]), np.concatenate([left + 1, second])
    small = Graph(ends.size, a, b, np.concatenate([structure.w[places], w]))
    if structure.required.size:
        required = np.flatnonzero(np.isin(structure.edges[places], structure.required))
        chosen = solve_constrained(small, required, None, structure.maximum).edges
    else:
        chosen = solve_graph(small, structure.maximum).edges
    kept, joined = np.split(chosen, [np.searchsorted(chosen, places.size)])
    left_out = np.delete(places, kept)
    return np.concatenate([np.delete(structure.edges, left_out), m + joined - places.size])


@kernel
def _label_subtrees(order, parent, label):
    """Give the vertices without a label the label of their parent, parents first."""
    for k in range(np.uint64(order.size)):
        if k + AHEAD < order.size:
            prefetch(parent, np.uint64(order[k + AHEAD]))
        x = np.uint64(order[k])
        if parent[x] >= 0 and label[x] == 0:
            label[x] = label[np.uint64(parent[x])]


@kernel
def _list_crossing(first, stop, u, v, label, is_light, found):
    """List the edges between subtrees, in a range; only light ones, unless all are."""
    count = np.uint64(0)
    for i in range(first, stop):
        if (is_light.size == 0 or is_light[i - first]) and label[u[i]] != label[v[i]]:
            found[count] = i
            count += np.uint64(1)
    return count
