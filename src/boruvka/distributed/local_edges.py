"""The edges of one rank: what all ranks agree on before they solve, and the forest of these edges alone.

The *index* of an edge is its index in the whole graph.

The forest of the edges of one rank can replace them. The heaviest edge of a cycle is in no minimum spanning
forest (cycle property), and a cycle of edges of one rank is a cycle of the whole graph. Fewer edges are left
than there are components; of parallel edges, only the lightest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.algorithms.run import algorithm_for
from boruvka.backends.primitives import Backend
from boruvka.distributed.collective_errors import collective_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.vertices import VertexPartition, is_ascending, unique_ids
from boruvka.errors import GraphError, GraphTypeError, first_true
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import EdgeListGraph, Graph, to_host
from boruvka.graph.labels import in_order_of_rows
from boruvka.interop.as_graph import as_part_of_graph
from boruvka.operators.boruvka_round import emit as emit_edge
from boruvka.operators.edges import LocalInputEdges, mark_local, read_local_input
from boruvka.operators.sort_keys import NONE, SortKeys, sort_keys_of
from boruvka.runtime.round_log import RoundLog

INDEX_LIMIT = 1 << 62
"""Indices of edges are smaller."""


@dataclass(frozen=True, eq=False)
class LocalEdges:
    """The edges of one rank, ordered by their indices in the whole graph.

    Attributes
    ----------
    communicator, backend : Communicator, Backend
        The ranks, and what runs operators on this one.
    graph : Graph
        The edges, between vertices of the whole graph or vertices of this rank (`compact_vertices`).
    n, m : int
        Vertices and edges of the whole graph.
    sort_keys : SortKeys
        The sort keys of these edges, packed alike on all ranks.
    maximum : bool
        Whether edges are sorted from the heaviest to the lightest.
    first : int
        Index of the first edge, where indices are consecutive.
    index : (graph.m,) array of uint64, optional
        Index of each edge, where indices are not consecutive.
    input_position : (graph.m,) array of int64, optional
        Position of each edge in the input of this rank, where that had another order.
    in_forest : (graph.m,) array of bool
        Mask of the edges in the forest; strategies set it.
    """

    communicator: Communicator
    backend: Backend
    graph: Graph
    n: int
    m: int
    sort_keys: SortKeys
    maximum: bool
    first: int = 0
    index: NDArray[np.uint64] | None = None
    input_position: NDArray[np.int64] | None = None
    in_forest: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))

    def indices(self, positions: NDArray[Any]) -> NDArray[np.uint64]:
        """Return the indices in the whole graph of the edges at these positions."""
        if self.index is not None:
            return self.index[positions]
        return positions.astype(np.uint64) + np.uint64(self.first)

    def add_to_forest(self, edge_ids: NDArray[np.uint64]) -> None:
        """Add edges to the forest by their ids; NONE and edges of other ranks are skipped."""
        mask = self.sort_keys.index_mask
        if self.index is None:
            first, last = np.uint64(self.first), np.uint64(self.first + self.graph.m)
            self.backend.for_each(mark_local, edge_ids.size, edge_ids, mask, first, last, self.in_forest)
            return
        indices = edge_ids[edge_ids != NONE] & mask
        position = np.searchsorted(self.index, indices)
        inside = position < self.index.size
        position = position[inside]
        self.in_forest[position[self.index[position] == indices[inside]]] = True

    def compact_vertices(self) -> tuple[NDArray[Any], LocalEdges]:
        """Number the vertices of this rank's edges from 0: return these vertices and the renumbered edges."""
        vertices, u, v = compact_vertices(self.n, self.graph.u, self.graph.v, self.backend)
        return vertices, replace(self, graph=Graph(vertices.size, u, v, self.graph.w))

    def input_edges(self) -> EdgeView:
        """Return all edges as they are in the input; others go into a new worklist."""
        ids = self.graph.u.dtype
        index = [np.uint64] if self.sort_keys.keys_lack_index else []
        worklist = Worklist.allocate(self.backend, self.graph.m, (ids, ids, np.uint64, *index))
        return EdgeView(read_local_input, self.columns, self.backend.positions(self.graph.m), worklist)

    def worklist_edges(self) -> EdgeView:
        """Copy all edges except loops into a worklist."""
        everything = self.input_edges()
        return everything.into.emit(emit_edge(everything.read), everything)

    @property
    def columns(self) -> LocalInputEdges:
        """The arrays that operators on these edges read."""
        index = np.empty(0, np.uint64) if self.index is None else self.index
        keys = self.sort_keys.bits, self.sort_keys.packing, np.uint64(self.first), index
        return LocalInputEdges(self.graph.u, self.graph.v, *keys)


def compact_vertices(
    n: int, u: NDArray[Any], v: NDArray[Any], backend: Backend
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Number the vertices that occur in edges from 0: return these vertices, ascending, and both new ends."""
    vertices, ends = unique_ids(np.concatenate([u, v]), n, backend)
    return vertices, ends[: u.size], ends[u.size :]


def prepare_local_edges(
    communicator: Communicator, backend: Backend, local_edges: Any, index: Any, maximum: bool
) -> LocalEdges:
    """Validate the input of each rank, and agree on vertices, type of weights, indices and sort keys.

    If the input of a rank is invalid or does not fit the input of the others, all ranks raise.
    """
    edges, first, index, input_position = run_locally(communicator, lambda: _validate(local_edges, index))
    n = communicator.max_of(edges.n)
    w = _with_common_type(communicator, edges.w)
    graph = edges if n == edges.n and w is edges.w else Graph(n, edges.u, edges.v, w)
    counts = communicator.all_gather_number(graph.m)
    m = int(counts.sum())
    has_index_arrays = communicator.any(index is not None)
    if communicator.any(first is not None) and not has_index_arrays:
        firsts = communicator.all_gather_number(first or 0)
        _check_disjoint(firsts, np.where(communicator.all_gather_number(first is not None), counts, 0))
    if first is None:
        first = int(counts[: communicator.rank].sum())
    last = int(index[-1]) if index is not None and index.size else first + graph.m - 1
    index_end = communicator.max_of(max(last + 1, m))

    def minima(numbers: list[int]) -> list[int]:
        return communicator.all_reduce_min(np.array(numbers, np.uint64)).tolist()

    sort_keys = sort_keys_of(graph.w, maximum, index_end.bit_length(), minima)
    indices = first, index, input_position, np.zeros(graph.m, bool)
    local = LocalEdges(communicator, backend, graph, n, m, sort_keys, maximum, *indices)
    if has_index_arrays:
        _check_unique(communicator, index_end, local.indices(np.arange(graph.m)))
    return local


def _validate(local_edges: Any, index: Any) -> tuple[Graph, int | None, Any, Any]:
    """Validate the input of one rank, and order its edges by index.

    Returns the edges; the index of the first, where one is passed; the index of each and its position in
    the input, where an array is passed.
    """
    graph = to_host(as_part_of_graph(local_edges))
    if not isinstance(graph, EdgeListGraph):
        graph = Graph(graph.n, graph.u, graph.v, graph.w)
    if graph.dtype.itemsize > 8:
        raise GraphTypeError(f"weights on ranks have at most 64 bits, these have dtype {graph.dtype}")
    if index is None:
        return graph, None, None, None
    first = local_edges[0] if isinstance(local_edges, tuple) else local_edges
    indices = np.asarray(in_order_of_rows(local_edges=first, index=index)[1])
    if indices.dtype.kind not in "iu" or indices.ndim > 1:
        raise GraphTypeError("index must be an integer, or one integer for each edge")
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= INDEX_LIMIT):
        raise GraphError("an index must not be negative, and must be less than 2**62")
    if indices.ndim == 0:
        return graph, int(indices), None, None
    if indices.size != graph.m:
        raise GraphError(f"there are {graph.m} edges, but {indices.size} indices")
    input_position = np.argsort(indices, kind="stable")
    indices = indices[input_position].astype(np.uint64)
    if (same := first_true(indices[1:] == indices[:-1])) is not None:
        raise GraphError(f"the index {indices[same]} occurs twice")
    return Graph(graph.n, *graph.take(input_position)), None, indices, input_position


def _check_disjoint(firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Raise on all ranks if the index ranges of two ranks have an edge in common."""
    order = [rank for rank in np.argsort(firsts, kind="stable").tolist() if counts[rank]]
    for one, next_one in pairwise(order):
        if firsts[one] + counts[one] > firsts[next_one]:
            raise collective_error(
                GraphError(
                    f"rank {one} has {counts[one]} edges from index {firsts[one]}, but the edges of rank "
                    f"{next_one} begin at index {firsts[next_one]}: index ranges must not overlap"
                )
            )


def _check_unique(communicator: Communicator, index_end: int, indices: NDArray[np.uint64]) -> None:
    """Raise on all ranks if two ranks have the same index; each rank checks a range of all indices."""
    ranges = VertexPartition(index_end, communicator.size, communicator.rank)
    (received,) = communicator.exchange((indices,), ranges.owner(indices))
    received.sort(kind="stable")  # fast: the elements of each sender are in order
    duplicates = received[1:][received[1:] == received[:-1]]
    smallest = int(communicator.all_reduce_min(np.append(duplicates, NONE)[:1])[0])
    if smallest != NONE:
        raise collective_error(GraphError(f"the index {smallest} occurs twice: indices must be unique"))


def _with_common_type(communicator: Communicator, w: NDArray[Any]) -> NDArray[Any]:
    """Check that weights have one type on all ranks; a rank without edges takes the type of the others."""
    types = communicator.comm.allgather(w.dtype.str if w.size else None)
    kinds = {np.dtype(kind) for kind in types if kind is not None}
    if len(kinds) > 1:
        names = ", ".join(sorted(map(str, kinds)))
        raise collective_error(
            GraphTypeError(f"weights must have one type on all ranks, but there are {names}")
        )
    return w if w.size or not kinds else np.empty(0, kinds.pop())


# The forest of the edges of one rank


def forest_of_graph(graph: Graph, maximum: bool, backend: Backend) -> NDArray[np.int64]:
    """Find the edges of the forest of a graph on this rank, by the algorithm that suits it."""
    return algorithm_for("auto", graph, backend).run(
        EdgeList.of(graph, maximum, backend), backend, RoundLog()
    )


def forest_of_worklist(
    columns: Sequence[NDArray[Any]], components: int, local: LocalEdges
) -> list[NDArray[Any]]:
    """Keep the edges of a worklist, without gaps and ordered by index, that are in its forest."""
    end, ends_xor, key = columns[:3]
    weight_key = np.right_shift(key, local.sort_keys.packing.index_bits)  # the position breaks ties
    graph = Graph(components, end, np.bitwise_xor(end, ends_xor), weight_key)
    kept = forest_of_graph(graph, False, local.backend)
    return [column[kept] for column in columns]


def forest_and_labels(
    columns: Sequence[NDArray[Any]], components: int, local: LocalEdges
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Keep the edges of a worklist in any order that are in its forest; number the tree of each component."""
    index = columns[-1] & local.sort_keys.index_mask
    if not is_ascending(index):
        by_index = np.argsort(index, kind="stable")
        columns = [column[by_index] for column in columns]
    forest = forest_of_worklist(columns, components, local)
    return forest, label_components(components, forest[0], np.bitwise_xor(forest[0], forest[1]))
