"""Spanning forests in order, the best first.

Idea: the second best forest differs from the best by one exchange of edges. Let the exchange remove the edge
e. The second best forest is the best of all forests without e. The other forests have e, and the second best
of these is found by another exchange. Each of both sets is given by required and excluded edges, and is
divided again in the same way. A queue has the second best forests of all sets.

An edge that leaves is exchanged for its replacement (`boruvka.trees.queries.sensitivity`).

Source: E. L. Lawler, A procedure for computing the K best solutions to discrete optimization problems, 1972;
H. N. Gabow, Two algorithms for generating weighted spanning trees in order, SIAM J. Computing 6 (1977).

Why ties are exact: forests are in the order in which they would be if a small number, twice as large for each
next edge, were added to weights. So edges are in the order (weight, index), and of two forests of equal
weights, the one whose edges, from the largest index down, are smaller at the first difference comes first.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, first_true
from boruvka.graph.graph import Graph, inf_advice
from boruvka.graph.validation import first_entries, warn_of_copies
from boruvka.runtime.processors import check_room
from boruvka.trees.acyclic_edges import NO_EDGES
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.queries.sensitivity import differences, replacements
from boruvka.trees.structure import Structure


class _ForestSet(NamedTuple):
    """All forests that have some edges and lack others, given by the best of them."""

    edges: NDArray[np.int64]
    """The edges of the best forest."""
    replaced: NDArray[np.int64]
    """The edge that replaces each of them, -1 if there is none."""
    excess: Fraction
    """Difference of its weight and the weight of the best forest of the graph, at least 0."""
    required: NDArray[np.int64]
    excluded: NDArray[np.int64]


class _Exchange(NamedTuple):
    """The second best forest of a set. They compare in the order of forests, by the first two fields."""

    excess: Fraction
    key: bytes
    """Its edges in descending order, as big-endian numbers, whose bytes compare as these do."""
    of_set: _ForestSet
    leaving: int
    """The edge of the best forest that it lacks."""


def ranked(graph: Graph, best: Structure) -> Iterator[NDArray[np.int64]]:
    """Return the edges of the forests of `Forest.ranked` that follow the best one, as they are asked for."""
    if graph.is_on_device:
        raise GraphTypeError("ranked needs a graph on the host: call forest.to_host().ranked()")
    check_room("the list of all edges", 32 * graph.m)
    graph.check()
    u, v, w = graph.edges_in_range(0, graph.m)
    if (edge := first_true(~np.isfinite(w))) is not None:
        raise GraphError(
            f"ranked needs finite weights, to add them: the weight of edge {edge} is {w[edge]}"
            + inf_advice(graph, w[edge])
        )
    return _generate(graph, best, u, v, w)


def _generate(
    graph: Graph, best: Structure, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]
) -> Iterator[NDArray[np.int64]]:
    order = sort_edges(w, best.maximum)[0].astype(np.int64)
    order = order[u[order] != v[order]]
    order = order[first_entries(graph, order, u[order], v[order]) == np.arange(order.size)]
    queue: list[_Exchange] = []

    def put(edges: Any, excess: Fraction, required: Any, excluded: Any) -> None:
        """Queue the second best forest of a set whose best forest has these edges."""
        is_other = np.ones(graph.m, bool)
        is_other[edges] = is_other[excluded] = False
        structure = replace(best, edges=edges, u=u[edges], v=v[edges], w=w[edges])
        replaced = replacements(graph, structure, order[is_other[order]], u, v)
        put_exchange(_ForestSet(edges, replaced, excess, required, excluded))

    def put_exchange(of_set: _ForestSet) -> None:
        """Queue the second best forest of a set, unless the set has one forest."""
        edges, replaced = of_set.edges, of_set.replaced
        places = np.flatnonzero((replaced >= 0) & ~np.isin(edges, of_set.required))
        if not places.size:
            return
        # Rounding keeps the order of differences: the smallest is among those that are smallest when rounded.
        rounded = differences(w[edges[places]], w[replaced[places]])
        places = places[rounded == rounded.min()]
        pairs = zip(edges[places].tolist(), replaced[places].tolist(), strict=True)
        more, _, leaving, entering = min((increase(a, b), _order(a, b), a, b) for a, b in pairs)
        after = np.sort(np.append(edges[edges != leaving], entering))
        key = after[::-1].astype(">i8").tobytes()
        heapq.heappush(queue, _Exchange(of_set.excess + more, key, of_set, leaving))

    def increase(leaving: int, entering: int) -> Fraction:
        a, b = (Fraction(*w[edge].item().as_integer_ratio()) for edge in (leaving, entering))
        return abs(b - a)

    warn_of_copies(graph, best.edges, order[~np.isin(order, best.edges)])
    put(best.edges, Fraction(0), best.required, NO_EDGES)
    while queue:
        excess, key, of_set, leaving = heapq.heappop(queue)
        edges = np.frombuffer(key, ">i8")[::-1].astype(np.int64)
        yield edges
        put_exchange(of_set._replace(required=np.append(of_set.required, leaving)))
        put(edges, excess, of_set.required, np.append(of_set.excluded, leaving))


def _order(leaving: int, entering: int) -> tuple[int, int]:
    """Order exchanges of one forest as their results: by the larger index, then by the other."""
    return (entering, -leaving) if entering > leaving else (-leaving, entering)
