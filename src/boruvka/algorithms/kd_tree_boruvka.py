"""Borůvka's algorithm on points: the lightest edges of components are found in a kd-tree.

Idea: the complete graph of n points has too many edges to list. In each round, a component needs only the
lightest edge that leaves it. The nearest neighbours of every point are listed once; in most rounds, the
first one of another component is in the list. Where a point that is not listed may be nearer, the tree is
searched, and subtrees that are too far or in the same component are left out.

Source: J. L. Bentley, J. H. Friedman, Fast algorithms for constructing minimal spanning trees in coordinate
spaces, IEEE Transactions on Computers, 1978 (lists of neighbours, and a kd-tree where they do not suffice);
W. B. March, P. Ram, A. G. Gray, Fast Euclidean minimum spanning tree: algorithm, analysis, and applications,
KDD 2010 (rounds of Borůvka's algorithm in a tree of boxes, without the subtrees in one component).

Why it is right: as `boruvka.algorithms.boruvka`. Edges are compared as `dense` does, by the distance that the
graph computes, then by index: reduced distances only prune, and are never above the reduced distances of the
points in a box, after rounding too (see `boruvka.graph.points.search_metric`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from boruvka.algorithms import foreign_neighbours as point_ops
from boruvka.algorithms.building_blocks.components import Components
from boruvka.algorithms.building_blocks.edge_list import ImplicitEdges
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend, Operator, Scratch
from boruvka.errors import OptionError
from boruvka.graph.graph import DistanceGraph
from boruvka.graph.points import neighbors
from boruvka.graph.points.kd_tree import STACK_ARRAYS, pull_up
from boruvka.graph.points.point_index import PointIndex
from boruvka.graph.points.search_metric import SEARCH_METRICS, SearchMetric
from boruvka.kernels.kernel_functions import PERIODIC
from boruvka.operators.boruvka_round import break_cycle
from boruvka.operators.sort_keys import NONE, U64
from boruvka.runtime.arguments import argument
from boruvka.runtime.round_log import RoundLog

MAX_POINTS = 2**32 - 1
PAIRS_AT_ONCE = 1 << 16
"""Number of pairs whose edges are found together."""


@algorithm(
    "kd-tree-boruvka",
    source="Bentley, Friedman 1978; March, Ram, Gray 2010",
    complexity="O(n log² n) expected in few dimensions",
    use="points in up to 16 dimensions, or 32 correlated ones: Euclidean, Manhattan, Chebyshev, great-circle",
    implicit_graphs="points, as Graph.from_points(points, metric) makes them",
)
def kd_tree_boruvka(implicit_edges: ImplicitEdges, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning tree of points.

    Parameters
    ----------
    implicit_edges : ImplicitEdges
        Points with a metric that a kd-tree can search.

    Raises
    ------
    GraphError
        A coordinate is not finite, or distances overflow.
    OptionError
        The graph has no points or another metric, or a maximum spanning forest is wanted.
    """
    points = check(implicit_edges, "kd-tree-boruvka", SEARCH_METRICS.values())
    if points.n < 2:
        return backend.empty(0, np.int64)
    pairs, _ = find_pairs(points, backend, round_log)
    with round_log.step("list"):
        backend.sort(pairs)
        return edges_of(pairs, points)


def edges_of(pairs: Any, points: DistanceGraph) -> Any:
    """Replace pairs by the indices of edges, in batches, because the memory of the rounds is still kept."""
    for first in range(0, pairs.size, PAIRS_AT_ONCE):
        batch = pairs[first : first + PAIRS_AT_ONCE]
        i, j = (batch >> point_ops.HALF).astype(np.int64), (batch & point_ops.MIXED).astype(np.int64)
        batch[:] = points.edges_at(i, j).view(np.uint64)
    return pairs.view(np.int64)


def find_pairs(points: DistanceGraph, backend: Backend, round_log: RoundLog) -> tuple[Any, bool]:
    """Find the edges of the tree, as `foreign_neighbours.pair_key` numbers them.

    Also return whether no index decided between edges of equal weight. Then every component had one lightest
    edge in each round. An edge that alone is the lightest of a cut is in all minimum spanning trees, so there
    is no other tree.
    """
    round_log.begin("index", points.n, points.n)
    with round_log.step("index"):
        index = points.point_index(backend)
    pairs = np.empty(points.n - 1, np.uint64)
    pairs[: index.equal_pairs.size] = index.equal_pairs
    rounds = KdTreeRounds(index, pairs[index.equal_pairs.size :], backend, round_log)
    while rounds.n_components > 1:
        rounds.round()
    return pairs, not rounds.rows.is_tied[0]


class KdTreeRounds(Components):
    """Rounds over the rows of a tree.

    Parameters
    ----------
    index : PointIndex
        The tree, and the lists of neighbours of its rows.
    pairs : array of uint64
        Receives the edges found.
    backend : Backend
    round_log : RoundLog
    """

    def __init__(self, index: PointIndex, pairs: Any, backend: Backend, round_log: RoundLog):
        n = int(index.tree.n)
        super().__init__(n, np.uint32, backend, round_log)
        self.index, self.pairs, self.found = index, pairs, 0
        self.best, self.chosen = backend.empty(n, np.uint64), backend.empty(n, np.uint64)
        self.label = backend.empty(n, np.uint32)
        self.rows = point_ops.PointState(
            component=np.arange(n, dtype=np.uint32),
            unlisted_bound=index.neighbours.last,
            first_foreign=backend.zeros(n, np.uint8 if int(index.neighbours.k) < 2**8 else np.uint32),
            weight=backend.empty(n, np.float64),
            foreign_row=np.arange(n, dtype=np.uint32),
            core=index.core,
            is_tied=np.full(1, index.equal_pairs.size > 0),
        )
        leaves = index.tree.leaves
        self.nodes = point_ops.NodeState(
            component=backend.empty(2 * leaves, np.uint32),
            least_core=index.least_cores(backend),
            has_edges=backend.empty(leaves, bool),
            unlisted_bound=backend.zeros(leaves, np.float64),
        )
        self.packed_tree, self.packed_neighbours = map(backend.packed, (index.tree, index.neighbours))
        self.packed_rows, self.packed_nodes = map(backend.packed, (self.rows, self.nodes))
        self.rows.weight.fill(0)
        self.nodes.has_edges.fill(True)
        self.relabel_rows(self.rows.component)  # which are numbers from 0 to n - 1 already

    def round(self) -> None:
        """Join every component with another along its lightest edge."""
        n, backend, step, index = self.n_components, self.backend, self.round_log.step, self.index
        points, rows, nodes, best = index.searched, self.packed_rows, self.packed_nodes, self.best[:n]
        chosen, parent = self.chosen[:n], self.parent
        self.round_log.begin("tree", n, int(index.tree.n))
        with step("propose"):
            best.fill(point_ops.INFINITE)
            propose = point_ops.propose_operator(*index.operator_key)
            self.for_leaves(propose, points, self.packed_neighbours, rows, nodes, best)
        with step("search"):
            local = [*STACK_ARRAYS, neighbors.bounds_array(index.tree)]
            search = point_ops.search_operator(*index.operator_key)
            self.for_leaves(search, points, rows, nodes, best, local=local)
        if int(index.tree.n) < backend.tuning.fusing_pays_below:
            with step("merge"):
                self.merge_in_one_loop()
            return
        with step("hook"):
            chosen.fill(NONE)
            self.for_leaves(point_ops.propose_pairs, rows, nodes, best, chosen)
            self.for_leaves(point_ops.hook_rows, rows, nodes, best, chosen, parent)
            backend.for_each(break_cycle, n, chosen, parent)
            self.add_chosen(n)
        label = self.relabel(chosen, NONE)
        with step("relabel"):
            self.relabel_rows(label)

    def merge_in_one_loop(self) -> None:
        """Hook components, add the chosen edges, and relabel: of few rows, a launch for each takes longer."""
        counts = np.array([self.n_components, self.found], np.uint64)
        arrays = self.best, self.chosen, self.parent, self.label, self.pairs, counts, NONE
        packed = self.packed_tree, self.packed_rows, self.packed_nodes
        self.backend.for_each_in_order(point_ops.merge_components, 1, *packed, *arrays)
        self.n_components, self.found = map(int, counts)

    def for_leaves(self, operator: Operator, *arrays: Any, local: Scratch = ()) -> None:
        """Run an operator on all leaves, or one that needs scratch arrays, which is much work, on ranges."""
        operator = operator if local else point_ops.over_leaves(operator)
        most = neighbors.RANGES_OF_A_THREAD if local else neighbors.LIGHT_RANGES_OF_A_THREAD
        ranges = neighbors.ranges_of_leaves(self.index.tree, self.backend, most)
        arrays = U64(ranges), self.packed_tree, *arrays
        self.backend.for_each_block(operator, ranges, local, *arrays, atomic=True)

    def relabel_rows(self, label: Any) -> None:
        """Give rows the new numbers of their components, and find which nodes lie in one component."""
        self.for_leaves(point_ops.relabel_rows, self.packed_rows, self.packed_nodes, label)
        pull_up(point_ops.label_node, int(self.index.tree.height), self.backend, self.nodes.component)

    def add_chosen(self, n: int) -> None:
        """Add the edges that components chose, each once: the edge of a root is also its child's."""
        into: Any = [self.best[:n]]  # which is not needed any more in this round
        segments = self.backend.emit(emit_chosen, self.backend.positions(n), into, self.chosen, self.parent)
        begin, self.found = self.found, self.found + segments.size
        self.pairs[begin : self.found] = segments.taken_from(into[0])


def emit_chosen(c, chosen, parent):
    """Emit the edge that component c chose unless c is a root."""
    return parent[c] != c, chosen[c]


def check(implicit_edges: ImplicitEdges, name: str, metrics: Collection[SearchMetric]) -> DistanceGraph:
    """Return the graph of points, or raise an `OptionError` that says what to use instead of an algorithm."""
    points, packing = implicit_edges
    if not isinstance(points, DistanceGraph):
        raise OptionError(
            f"{name} takes points, as Graph.from_points(points, metric) makes them; "
            f"for other graphs use {argument('algorithm', 'auto')}"
        )
    if points.pairs.search_metric not in metrics:
        names = ", ".join(metric.name for metric in metrics if not metric.norm & PERIODIC)
        raise OptionError(
            f"{name} takes the metrics {names}, not {points.distance.__name__}: "
            f"use {argument('algorithm', 'dense')}"
        )
    if packing.flip:
        raise OptionError(f"{name} finds no maximum spanning forest: use {argument('algorithm', 'dense')}")
    if points.n > MAX_POINTS:
        raise OptionError(f"{name} takes at most {MAX_POINTS} points, not {points.n}")
    return points
