"""Components that are partitioned among ranks, for graphs whose vertices do not fit one rank.

The owner of a vertex is the rank whose block contains it; the owner of a component is the owner of its
root. Besides its block, a rank knows the components that its own edges touch, and numbers them from 0.
Edges stay on their rank. In a round

1. every rank sends the lightest of its own edges for each component to the component's owner;
2. owners choose the lightest of all, hook the components, and find the new roots;
3. every rank queries the owners for the new roots of the components that it proposed edges for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.algorithms.filter_boruvka import mark_outside_largest, most_frequent
from boruvka.distributed import root_finding
from boruvka.distributed.communicator import VertexOwners
from boruvka.distributed.lightest_edges import lightest_arcs, lightest_edges
from boruvka.distributed.local_edges import LocalEdges, compact_vertices, forest_and_labels
from boruvka.distributed.root_finding import FindRoots
from boruvka.distributed.vertices import VertexPartition, unique_ids
from boruvka.operators.sort_keys import NONE


class PartitionedComponents:
    """The components that the edges of a rank touch, and those whose roots are in its block.

    Parameters
    ----------
    local : LocalEdges
        The edges of this rank.
    vertices : (k,) array, optional
        Their vertices in the whole graph, ascending, if ends are numbered from 0. By default the ends are
        vertices of the whole graph, and a worklist gets numbers (`number_vertices`).
    find_roots : FindRoots
        The method by which hooked components find their roots.

    Attributes
    ----------
    components : int
        Number of components that the worklist edges of this rank touch.
    root : (components,) array
        The root of each, a vertex of the whole graph.
    active : int
        Number of components of all ranks that may still have edges.
    partition : VertexPartition
        The blocks of vertices.
    parent : (partition.size,) array
        The vertex that each vertex of the block hooked onto, over all rounds.
    """

    def __init__(
        self,
        local: LocalEdges,
        vertices: NDArray[Any] | None,
        find_roots: FindRoots = root_finding.pointer_jumping,
    ):
        self.local, self.backend, self.find_roots = local, local.backend, find_roots
        self.communicator = communicator = local.communicator
        self.round_log, self.vertices = communicator.round_log, vertices
        self.ids = (local.graph.u if vertices is None else vertices).dtype  # of vertices of the whole graph
        self.root = np.empty(0, self.ids) if vertices is None else vertices
        self.n_components = self.root.size
        self.partition = VertexPartition(local.n, communicator.size, communicator.rank)
        self.owners = VertexOwners(communicator, local.backend, self.partition)
        self.parent = self.partition.vertices(self.ids)
        self.active = local.n
        self._lack_index = local.sort_keys.keys_lack_index
        self._chosen: list[tuple[NDArray[np.uint64], NDArray[np.uint32]]] = []

    # What differs in a worklist of arcs

    def lightest(self, edges: EdgeView) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List the components that have edges, and the position of the lightest edge of each."""
        choice, position = lightest_edges(edges, self.n_components, self._lack_index, self.round_log)
        proposing = np.flatnonzero(choice != NONE)
        return proposing, position[proposing].astype(np.int64)

    def holders(self, edges: EdgeView, positions: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the ranks that hold the edges at these positions of a worklist."""
        return np.full(positions.size, self.communicator.rank, np.uint32)

    def touched(self, proposing: NDArray[np.int64]) -> Any:
        """Return the components that are ends in the worklist: those for which an edge was proposed."""
        return proposing

    def contracted(self, edges: EdgeView, label: NDArray[Any]) -> EdgeView:
        """Keep the edges that join two of the new components, with these as ends."""
        return edges.contracted(label)

    # Before the rounds

    def number_vertices(self, edges: EdgeView) -> EdgeView:
        """Number the vertices at the ends of edges from 0, as the components of the first round."""
        end, ends_xor, *keys = edges.columns_without_gaps()
        vertices, a, b = compact_vertices(self.local.graph.n, end, end ^ ends_xor, self.backend)
        self.root = vertices if self.vertices is None else self.vertices[vertices]
        self.n_components = self.root.size
        return Worklist(self.backend, [a, a ^ b, *keys]).all_edges()

    def relabel_heavy(self, edges: EdgeView) -> EdgeView:
        """Keep the edges that join two components, with these as ends; finished ones become active again."""
        with self.round_log.step("filter"):
            edges = self.number_vertices(edges)
        root = self.owners.query_values(self.root, self.parent)
        with self.round_log.step("filter"):
            self.root, label = self.unique(root)
            self.n_components = self.root.size
            return self.contracted(edges, label)

    # A round

    def round(self, edges: EdgeView) -> EdgeView:
        """Do one round; return the edges that are left."""
        communicator, partition, step = self.communicator, self.partition, self.round_log.step
        self.round_log.begin("round", self.active, edges.count)
        proposing, proposals = self.propose(edges)
        received = communicator.exchange(proposals, partition.owner(proposals[0]))
        choice, parent, holder = self.choose(received)
        choosing = np.flatnonzero(choice != NONE)
        grandparent = self.owners.query_values(parent[choosing], parent)
        with step("merge"):
            itself = partition.vertices(parent.dtype)
            mutual = grandparent == itself[choosing]  # both chose the same edge: the smaller one is a root
            smaller = np.minimum(parent[choosing], itself[choosing])
            parent[choosing] = np.where(mutual, smaller, grandparent)
            is_root = parent[choosing] == itself[choosing]
            roots, hooked = choosing[is_root], choosing[~is_root]
            self._chosen.append((choice[hooked], holder[hooked]))
        self.active = communicator.sum_of(roots.size)
        root = self.find_roots(self.owners, parent)
        moved = np.flatnonzero(root != itself)
        self.parent[moved] = root[moved]
        touched = self.touched(proposing)
        new_root = self.owners.query_values(self.root[touched], root)
        with step("merge"):
            label = self.backend.empty(self.n_components, self.ids)
            self.root, label[touched] = self.unique(new_root)
            self.n_components = self.root.size
        with step("contract"):
            return self.contracted(edges, label)

    def propose(self, edges: EdgeView) -> tuple[NDArray[np.int64], tuple[NDArray[Any], ...]]:
        """Find the lightest of this rank's edges for each of its components.

        Returns the components that have one and, for each, its root, the root of the other end, the rank
        that holds the edge, the key, and the index where keys hold none.
        """
        proposing, at = self.lightest(edges)
        with self.round_log.step("select"):
            _, ends_xor, *keys = edges.columns
            other = proposing.astype(self.ids) ^ ends_xor[at]
            key_and_index = (column[at] for column in keys[: 1 + self._lack_index])
            holders = self.holders(edges, at)
            return proposing, (self.root[proposing], self.root[other], holders, *key_and_index)

    def choose(
        self, proposals: tuple[NDArray[Any], ...]
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.uint32]]:
        """Choose the lightest of the edges that ranks propose for the components of this block.

        Returns for each vertex of the block the edge id or NONE, the root of the other end or the vertex
        itself, and the rank that holds the edge.
        """
        (tail, head, holder, *keys), partition = proposals, self.partition
        with self.round_log.step("select"):
            choice, chosen_holder = np.full(partition.size, NONE), np.zeros(partition.size, np.uint32)
            parent, position = partition.vertices(tail.dtype), partition.position(tail)
            at = lightest_arcs(partition.size, position, *keys)
            choosing = position[at]
            choice[choosing] = keys[-1][at]  # the edge id: keys, or indices where keys hold none
            parent[choosing], chosen_holder[choosing] = head[at], holder[at]
        return choice, parent, chosen_holder

    def unique(self, x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Find unique vertices and the inverse."""
        return unique_ids(x, self.partition.n, self.backend)

    # After the rounds

    def solve_replicated(self, edges: EdgeView) -> None:
        """Send all edges to all ranks; every rank finds the rest of the forest."""
        partition, round_log = self.partition, self.round_log
        round_log.begin("finish", self.active, edges.count)
        end, ends_xor, *keys = edges.columns_without_gaps()
        a, b, *keys = self.communicator.gather((self.root[end], self.root[end ^ ends_xor], *keys))
        with round_log.step("merge"):
            vertices, a, b = compact_vertices(partition.n, a, b, self.backend)
            forest, tree = forest_and_labels([a, a ^ b, *keys], vertices.size, self.local)
            self.local.add_to_forest(forest[-1])
            smallest = np.empty_like(vertices)
            smallest[tree[::-1]] = vertices[::-1]  # the first of each tree is stored last
            own = (partition.first <= vertices) & (vertices < partition.first + partition.size)
            self.parent[partition.position(vertices[own])] = smallest[tree[own]]

    def begin_relabelling(self) -> None:
        """Do nothing: `parent` records all rounds."""

    def outside_largest(self) -> NDArray[np.uint64]:
        """Return one bit for each vertex of ``local.graph``: whether it is outside the largest component."""
        root, outside = self.roots(), self.backend.zeros((self.local.graph.n + 63) // 64, np.uint64)
        largest = self._most_frequent(root)
        if self.vertices is not None:
            arrays = self.owners.query_values(self.vertices, root), largest, outside
            with self.round_log.step("filter"):
                self.backend.for_each(mark_outside_largest, outside.size, *arrays)
            return outside
        with self.round_log.step("filter"):
            word, bit = divmod(self.partition.first, 64)
            bits = np.packbits(np.append(np.zeros(bit, bool), root != largest), bitorder="little")
            outside.view(np.uint8)[8 * word :][: bits.size] = bits
        return self.communicator.all_reduce_sum(outside)  # each bit belongs to one rank

    def _most_frequent(self, root: NDArray[Any]) -> int:
        """Return the most frequent root of most blocks, probably the root of most vertices."""
        own = int(most_frequent(root, self.backend)) if root.size else -1
        votes = self.communicator.all_gather_number(own)
        candidates, counts = np.unique(votes[votes >= 0], return_counts=True)
        return int(candidates[counts.argmax()])

    def roots(self) -> NDArray[Any]:
        """Return the root of each vertex of the block."""
        self.parent = root_finding.pointer_jumping(self.owners, self.parent)
        return self.parent

    def labels(self) -> NDArray[np.int64]:
        """Label the vertices of the block, numbered as in `boruvka.Forest.labels`.

        Each owner of a root finds the smallest vertex of the component. The owner of that vertex counts the
        smallest vertices before it; this number is the label, and goes back to the owner of the root.
        """
        communicator, partition, root = self.communicator, self.partition, self.roots()
        roots, position = np.unique(root, return_index=True)
        smallest_here = position.astype(self.ids) + self.ids.type(partition.first)
        owned, candidates = communicator.exchange((roots, smallest_here), partition.owner(roots))
        smallest = np.full(partition.size, np.iinfo(self.ids).max, self.ids)
        np.minimum.at(smallest, partition.position(owned), candidates)

        owned = partition.position(np.unique(owned))
        (received,) = communicator.exchange((smallest[owned],), partition.owner(smallest[owned]))
        is_smallest = np.zeros(partition.size, np.int64)
        is_smallest[partition.position(received)] = 1
        before = int(communicator.all_gather_number(int(is_smallest.sum()))[: communicator.rank].sum())
        number = before + np.cumsum(is_smallest) - is_smallest
        label_of_root = np.zeros(partition.size, np.int64)
        label_of_root[owned] = self.owners.query_values(smallest[owned], number)
        return self.owners.query_values(root, label_of_root)

    def return_choices(self) -> None:
        """Send the chosen edges back to the ranks that hold them, which add them to the forest."""
        none_yet = np.empty(0, np.uint64), np.empty(0, np.uint32)
        edge_ids, holders = (np.concatenate(column) for column in zip(none_yet, *self._chosen, strict=True))
        self.local.add_to_forest(*self.communicator.exchange((edge_ids,), holders))
