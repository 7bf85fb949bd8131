"""What one rank has of the graph, and what all ranks agree on before they begin."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Operator, Segments, WorkList
from boruvka.distributed import operators as op
from boruvka.distributed.collective_errors import shared, together
from boruvka.distributed.communicator import World
from boruvka.distributed.unique_ids import distinct
from boruvka.distributed.vertex_partition import Blocks
from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.graph import Graph, as_graph, to_host
from boruvka.operators.sort_keys import (
    NONE,
    SortKeys,
    fit_packing,
    packing_of,
    unused_low_bits,
    weight_key_range,
)

__all__ = ["Share", "share_of"]

MOST_EDGES = 1 << 62


@dataclass(frozen=True, eq=False)
class Share:
    """The edges of one rank, in the order of their indices in the whole graph.

    Attributes
    ----------
    graph : Graph
        The edges; its vertices are those of the whole graph, or numbered for this rank (`compact`).
    n, m : int
        Vertices and edges of the whole graph.
    order : SortKeys
        The one order of all edges, as all ranks agree on it.
    maximum : bool
        Whether it is from the heaviest to the lightest.
    first : int
        Index in the whole graph of the first edge, where indices are consecutive.
    index : (graph.m,) array of uint64, optional
        Index of each edge, where they are not.
    sorting : (graph.m,) array of int64, optional
        Which of the edges that were passed each of them is, where they were in another order.
    in_forest : (graph.m,) array of bool
        Which edges are in the forest: strategies set it.
    """

    graph: Graph
    n: int
    m: int
    order: SortKeys
    maximum: bool
    first: int = 0
    index: NDArray[np.uint64] | None = None
    sorting: NDArray[np.int64] | None = None
    in_forest: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))

    def indices(self, places: NDArray[Any]) -> NDArray[np.uint64]:
        """Find the indices in the whole graph of edges of this rank."""
        if self.index is not None:
            return self.index[places]
        return places.astype(np.uint64) + np.uint64(self.first)

    def add(self, backend: Backend, names: NDArray[np.uint64]) -> None:
        """Put edges into the forest by their names, but for NONE; those of other ranks are theirs to add."""
        mask = self.order.index_mask
        if self.index is None:
            first, end = np.uint64(self.first), np.uint64(self.first + self.graph.m)
            backend.for_each(op.put, names.size, names, mask, first, end, self.in_forest)
            return
        indices = names[names != NONE] & mask
        place = np.searchsorted(self.index, indices)
        inside = place < self.index.size
        place = place[inside]
        self.in_forest[place[self.index[place] == indices[inside]]] = True

    def compact(self) -> tuple[NDArray[Any], Share]:
        """Number the vertices of this rank's edges from 0: these vertices, and the share by their numbers."""
        vertices, u, v = compact(self.n, self.graph.u, self.graph.v)
        return vertices, replace(self, graph=Graph(vertices.size, u, v, self.graph.w))

    def listed(self, backend: Backend) -> tuple[Segments, WorkList]:
        """List all edges of this rank but loops."""
        work = self.empty_worklist(backend)
        return backend.emit(op.enter, backend.split(self.graph.m), work, *self.given), work

    def sifted(self, backend: Backend, work: WorkList, member: Operator, *of: Any) -> Segments:
        """List the edges for which ``member(i, *of)`` holds but loops."""
        return backend.filter_emit(member, of, op.enter, backend.split(self.graph.m), work, *self.given)

    def empty_worklist(self, backend: Backend) -> WorkList:
        """Make room for the edges of this rank: (end, ends_xor, key), and index where keys do not hold it."""
        ids = self.graph.u.dtype
        return backend.empty_worklist(
            self.graph.m, (ids, ids, np.uint64, *([np.uint64] if self.order.wide else []))
        )

    @property
    def keys(self) -> tuple[Any, ...]:
        """What `boruvka.distributed.operators` make keys and indices of."""
        index = np.empty(0, np.uint64) if self.index is None else self.index
        return self.order.bits, self.order.packing, np.uint64(self.first), index

    @property
    def given(self) -> tuple[Any, ...]:
        """What `boruvka.distributed.operators.enter` makes a listed edge of."""
        return self.graph.u, self.graph.v, *self.keys


def compact(n: int, u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Number the vertices that occur from 0: the vertices, and the ends by their numbers.

    Where there are many edges for n vertices it looks them up, otherwise it sorts: memory is that of the
    edges.
    """
    if n > 4 * u.size:
        vertices, ends = distinct(np.concatenate([u, v]))
        return vertices, ends[: u.size], ends[u.size :]
    occurs = np.zeros(n, bool)
    occurs[u] = occurs[v] = True
    number = np.cumsum(occurs, dtype=u.dtype) - u.dtype.type(1)
    return np.flatnonzero(occurs).astype(u.dtype), number[u], number[v]


def share_of(world: World, local_edges: Any, index: Any, maximum: bool) -> Share:
    """Check what each rank passes, and agree on vertices, type of weights, indices and order."""
    local, first, index, sorting = together(world, lambda: _checked(local_edges, index))
    n = int(world.maximum(np.array([local.n], np.int64))[0])
    w = _of_one_type(world, local.w)
    graph = local if n == local.n and w is local.w else Graph(n, local.u, local.v, w)
    counts = world.of_each(graph.m)
    m = int(counts.sum())
    listed = world.any(index is not None)
    if world.any(first is not None) and not listed:
        _apart(world.of_each(first or 0), np.where(world.of_each(first is not None), counts, 0))
    if first is None:
        first = int(counts[: world.rank].sum())
    last = int(index[-1]) if index is not None and index.size else first + graph.m - 1
    end = int(world.maximum(np.array([max(last + 1, m)], np.int64))[0])
    order = _agreed_order(world, graph.w, bool(maximum), end.bit_length())
    share = Share(graph, n, m, order, bool(maximum), first, index, sorting, np.zeros(graph.m, bool))
    if listed:
        _once(world, end, share.indices(np.arange(graph.m)))
    return share


def _checked(local_edges: Any, index: Any) -> tuple[Graph, int | None, Any, Any]:
    """Check what a rank passes: its edges, the index of the first or of each, and their order."""
    graph = to_host(as_graph(local_edges))
    if not isinstance(graph, Graph):
        graph = Graph(graph.n, graph.u, graph.v, graph.w)
    if graph.dtype.itemsize > 8:
        raise GraphTypeError(f"weights on ranks have at most 64 bits, these have dtype {graph.dtype}")
    if index is None:
        return graph, None, None, None
    indices = np.asarray(index)
    if indices.dtype.kind not in "iu" or indices.ndim > 1:
        raise GraphTypeError("index must be a whole number, or one for each edge")
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= MOST_EDGES):
        raise GraphError("an index must not be negative, and below 2**62")
    if indices.ndim == 0:
        return graph, int(indices), None, None
    if indices.size != graph.m:
        raise GraphError(f"there are {graph.m} edges, but {indices.size} indices")
    sorting = np.argsort(indices, kind="stable")
    indices = indices[sorting].astype(np.uint64)
    same = indices[1:] == indices[:-1]
    if same.any():
        raise GraphError(f"the index {indices[int(np.argmax(same))]} occurs twice")
    return Graph(graph.n, *graph.take(sorting)), None, indices, sorting


def _apart(firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Refuse slices that have an edge in common."""
    order = [rank for rank in np.argsort(firsts, kind="stable").tolist() if counts[rank]]
    for one, next_one in pairwise(order):
        if firsts[one] + counts[one] > firsts[next_one]:
            raise shared(
                GraphError(
                    f"the edges of rank {one}, {counts[one]} from index {firsts[one]} on, reach into those "
                    f"of rank {next_one}, from {firsts[next_one]} on"
                )
            )


def _once(world: World, end: int, indices: NDArray[np.uint64]) -> None:
    """Refuse an index that two ranks have; every rank looks after a block of all below the end."""
    (arrived,) = world.exchange((indices,), Blocks(end, world.size, world.rank).owner(indices))
    arrived.sort(kind="stable")  # what each rank sent is in order
    twice = arrived[1:][arrived[1:] == arrived[:-1]]
    least = int(world.minimum(np.append(twice, NONE)[:1])[0])
    if least != NONE:
        raise shared(GraphError(f"the index {least} occurs twice: each edge of all ranks has its own"))


def _of_one_type(world: World, w: NDArray[Any]) -> NDArray[Any]:
    """Let ranks without edges take the type of the others."""
    code = ord(w.dtype.kind) << 8 | w.dtype.itemsize if w.size else 0
    codes = np.unique(world.of_each(code))
    kinds = [np.dtype(f"{chr(c >> 8)}{c & 255}") for c in codes.tolist() if c]
    if len(kinds) > 1:
        raise shared(
            GraphTypeError(
                f"weights must have one type on all ranks, but there are {', '.join(map(str, kinds))}"
            )
        )
    return w if w.size or not kinds else np.empty(0, kinds[0])


def _agreed_order(world: World, w: NDArray[Any], maximum: bool, index_bits: int) -> SortKeys:
    """Pack the weights of all ranks in one way: see `boruvka.operators.sort_keys.sort_keys_of`."""
    bits, whole = w.view(f"u{w.dtype.itemsize}"), packing_of(w.dtype, maximum)
    room = 64 - 8 * w.dtype.itemsize
    if index_bits <= room:
        return SortKeys(bits, whole._replace(index_bits=np.uint64(room)), wide=False)
    first, last = weight_key_range(w, whole) if w.size else (int(NONE), 0)
    low, high = world.minimum(np.array([first, int(NONE) - last], np.uint64)).tolist()
    if low > int(NONE) - high:  # no rank has an edge
        return SortKeys(bits, whole, wide=True)

    def unused() -> int:
        here = unused_low_bits(bits, whole.minus_zero) if w.size else 64
        return int(world.minimum(np.array([here], np.int64))[0])

    return SortKeys(bits, *fit_packing(whole, (low, int(NONE) - high), index_bits, unused))
