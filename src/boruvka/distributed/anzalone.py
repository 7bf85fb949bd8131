"""Anzalone et al. (ETH Zürich): edges or vertices distributed among the ranks of MPI, seven strategies.

S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec, Efficient Parallelization of Borůvka's Minimum
Spanning Tree Algorithm, ETH Zürich. Beyond the source: the strategies return the forest, of any graph on any
number of ranks.

"Distribution by Edges": `rounds_by_edges`, with union-find or pointer jumping. Every rank knows the component
of every vertex. Each rank finds the lightest of its own edges that leaves each component, an all-reduce finds
the lightest of all ranks, and every rank merges all components alike. What a rank sends in a round: a key and
an end for each of n vertices, twice, in 4 log2(P) messages; 24 n bytes, or 40 n where keys hold no index.
There are at most log2(n) rounds. A rank holds m / P edges and arrays for n vertices.

"Distribution by Vertices", after S. Chung, A. Condon, ICPP 1996: `rounds_by_vertices`, with four ways to find
roots (`boruvka.distributed.root_finding`). A rank owns a block of vertices and gets all arcs that leave them,
so each edge is sent twice. In each round a rank finds the lightest of its arcs for each component, the owner
of the component's root chooses among the arcs of all ranks, and the components find their new roots (see
`boruvka.distributed.partitioned_components`). What a rank sends, with 64-bit keys and 32-bit ends: at the
start, each of its edges twice, 40 m / P bytes (56 where keys hold no index); then in each round as much as
`boruvka.distributed.filter_boruvka.by_vertices`. A rank holds n / P vertices, the arcs that leave them, and a
number for each vertex that these lead to.

Why they are right: see `boruvka.algorithms.boruvka`. By edges, all ranks have the same choices, so they merge
alike. By vertices, all arcs of a component are proposed to one owner; a component finds out that the other
one chose the same edge by a query of its choice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.backends.primitives import Backend
from boruvka.distributed import root_finding
from boruvka.distributed.lightest_edges import lightest_arcs, lightest_edges
from boruvka.distributed.local_edges import LocalEdges, compact_vertices
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.distributed.root_finding import FindRoots
from boruvka.distributed.strategies import strategy
from boruvka.distributed.vertices import VertexPartition
from boruvka.operators.boruvka_round import break_cycle, has_choice
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import is_root, make_set, pointer_jump, store_root, union_by_rank

SOURCE = "Anzalone, Marti, Kamm, Hannesdóttir, Hrabec, ETH Zürich"

# Distribution by edges


class Merger(ABC):
    """A way to merge components along their chosen edges.

    Attributes
    ----------
    label : (n,) array
        The component of each vertex.
    """

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        backend.for_each(make_set, n, self.label)

    @abstractmethod
    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        """Merge each component that made a choice with the other end of its edge."""


class UnionFind(Merger):
    """Union by rank; then the root of each vertex is stored as its label."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        super().__init__(backend, n, ids)
        self.parent, self.rank = backend.empty(n, ids), backend.zeros(n, np.uint8)
        backend.for_each(make_set, n, self.parent)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        """Merge components; see `Merger`."""
        n = self.label.size
        self.backend.for_each_in_order(union_choice, n, choice, other, self.parent, self.rank)
        self.backend.for_each(store_root, n, self.parent, self.label)


class PointerJumping(Merger):
    """Hook each component onto the one that it chose, then jump until all vertices point to roots."""

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        """Merge components; see `Merger`."""
        n = self.label.size
        self.backend.for_each(hook_root, n, choice, other, self.label)
        self.backend.for_each(break_root_cycle, n, choice, self.label)
        while self.backend.count(pointer_jump, n, self.label):
            pass


def union_choice(c, choice, other, parent, rank):
    """Merge component c with the other end of its choice, if it has one."""
    if choice[c] != NONE:
        union_by_rank(c, other[c], parent, rank)


def hook_root(x, choice, other, label):
    """Hook vertex x onto the component that its choice leads to, if it is a root that has one."""
    if choice[x] != NONE:
        label[x] = other[x]


def break_root_cycle(x, choice, label):
    """Break a cycle at vertex x if it is a root that made a choice; other vertices keep their label."""
    if choice[x] != NONE:
        break_cycle(x, choice, label)


class LabelledWorklistEdges(NamedTuple):
    """Worklist edges whose ends are vertices."""

    end: Any
    ends_xor: Any
    key: Any
    edge_id: Any
    label: Any
    """The component of each vertex."""


def read_labelled_worklist(i, edges):
    """Read worklist edge i, with the components of its ends as ends."""
    a = edges.end[i]
    return edges.label[a], edges.label[a ^ edges.ends_xor[i]], edges.key[i], edges.edge_id[i]


def keep_between_labels(i, edges):
    """Emit labelled edge i as it is if it joins two components."""
    a, ends_xor = edges.end[i], edges.ends_xor[i]
    return edges.label[a] != edges.label[a ^ ends_xor], a, ends_xor, edges.key[i], edges.edge_id[i]


def rounds_by_edges(local: LocalEdges, make_merger: Callable[..., Merger], reduced: bool = False) -> None:
    """Do rounds until no component has an edge.

    With ``reduced``, edges inside a component leave the worklist; otherwise every round reads all edges.
    """
    n, backend, round_log = local.n, local.backend, local.communicator.round_log
    among = local.sort_keys.keys_lack_index, round_log, local.communicator.all_reduce_min
    round_log.begin("distribute", n, local.graph.m)
    with round_log.step("distribute"):
        edges = local.worklist_edges()
        merger = make_merger(backend, n, local.graph.u.dtype)
    while True:
        round_log.begin("round", backend.count(is_root, n, merger.label), edges.count)
        choice, other = lightest_edges(with_labels(edges, merger.label), n, *among)
        with round_log.step("merge"):
            if not backend.count(has_choice, n, choice):
                return
            local.add_to_forest(choice)
            merger.merge(choice, other)
        if reduced:
            with round_log.step("reduce"):
                edges = edges.into.emit(keep_between_labels, with_labels(edges, merger.label))


def with_labels(edges: EdgeView, label: NDArray[Any]) -> EdgeView:
    """Return worklist edges whose ends are vertices, with the labels of these as ends."""
    columns = LabelledWorklistEdges._make([*edges.columns, label])
    return EdgeView(read_labelled_worklist, columns, edges.segments, edges.into)


for _method, _merger, _reduced in (
    ("union-find", UnionFind, False),
    ("union-find-reduced", UnionFind, True),
    ("pointer-jumping", PointerJumping, False),
):
    strategy("edges", _method, SOURCE)(partial(rounds_by_edges, make_merger=_merger, reduced=_reduced))


# Distribution by vertices


class PartitionedArcs(PartitionedComponents):
    """Components with a worklist of arcs: (tail, ends_xor, key, holder, edge_id)."""

    def lightest(self, edges: EdgeView) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List the components that have arcs, and the position of the lightest arc of each."""
        with self.round_log.step("select"):
            positions = edges.segments.positions_of(np.arange(edges.count))
            tail, _, *keys = (column[positions] for column in edges.columns)
            at = lightest_arcs(self.n_components, tail, *keys)
            return tail[at].astype(np.int64), positions[at]

    def holders(self, edges: EdgeView, positions: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the ranks that hold the edges of the arcs at these positions."""
        return edges.into.columns[3][positions]

    def touched(self, proposing: NDArray[np.int64]) -> Any:
        """Return all components, because some occur as heads only."""
        return slice(None)

    def contracted(self, edges: EdgeView, label: NDArray[Any]) -> EdgeView:
        """Keep the arcs that join two of the new components, with these as ends."""
        return edges.into.emit(contract_arc, edges, edges.into.columns[3], label)


def contract_arc(i, arcs, holder, new):
    """Emit arc i if it joins two of the new components."""
    a = arcs.end[i]
    b = a ^ arcs.ends_xor[i]
    return new[a] != new[b], new[a], new[a] ^ new[b], arcs.key[i], holder[i], arcs.edge_id[i]


def rounds_by_vertices(local: LocalEdges, find_roots: FindRoots) -> PartitionedComponents:
    """Distribute the arcs, and do rounds until none is left."""
    communicator, backend, round_log = local.communicator, local.backend, local.communicator.round_log
    partition = VertexPartition(local.n, communicator.size, communicator.rank)
    round_log.begin("distribute", local.n, local.graph.m)
    with round_log.step("distribute"):
        end, ends_xor, *keys = local.worklist_edges().columns_without_gaps()
        u, v = np.concatenate([end, end ^ ends_xor]), np.concatenate([end ^ ends_xor, end])
        keys = [np.concatenate([column, column]) for column in keys]
        holder = np.full(u.size, communicator.rank, np.uint32)
        owner = partition.owner(u)
    u, v, key, holder, *index = communicator.exchange((u, v, keys[0], holder, *keys[1:]), owner)
    with round_log.step("distribute"):
        vertices, tail, head = compact_vertices(local.n, u, v, backend)
        edge_id = index[0] if index else key
        edges = Worklist(backend, [tail, tail ^ head, key, holder, edge_id]).all_edges()
    forest = PartitionedArcs(local, vertices, find_roots)
    while communicator.any(edges.count > 0):
        edges = forest.round(edges)
    forest.return_choices()
    return forest


for _method, _find_roots, _source in (
    ("union-find", root_finding.union_find, SOURCE),
    ("iterative", root_finding.iterative, SOURCE),
    ("pointer-jumping", root_finding.pointer_jumping, SOURCE),
    ("supervertex", root_finding.supervertex, f"Chung, Condon 1996; {SOURCE}"),
):
    strategy("vertices", _method, _source)(partial(rounds_by_vertices, find_roots=_find_roots))
