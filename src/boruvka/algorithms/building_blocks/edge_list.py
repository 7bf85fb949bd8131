"""The edges of an algorithm: its input, worklists, and what a round reads of either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Backend, Segments, WorkList, size_of
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.operators import Operator
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.edges import InputEdges, Reader, WorklistEdges, read_input, read_worklist
from boruvka.operators.sort_keys import Packing, SortKeys, edge_key, sort_keys_of


class EdgeList(NamedTuple):
    """Input of an algorithm: ``n`` vertices, ``m`` edges, their ends and sort keys."""

    n: int
    u: Any
    v: Any
    sort_keys: SortKeys

    @classmethod
    def of(cls, graph: Any, maximum: bool, backend: Backend) -> EdgeList:
        """Bring the edges of a graph, anything with ``n``, ``u``, ``v`` and ``w``, to a backend."""
        bits, packing, keys_lack_index = sort_keys_of(graph.w, maximum)
        keys = SortKeys(backend.to_device(bits), packing, keys_lack_index)
        return cls(graph.n, backend.to_device(graph.u), backend.to_device(graph.v), keys)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.u.size

    @property
    def columns(self) -> InputEdges:
        """Arrays that operators on input edges read."""
        return InputEdges(self.u, self.v, self.sort_keys.bits, self.sort_keys.packing)

    @property
    def index_dtype(self) -> np.dtype[Any]:
        """A type that holds the index of every edge, and one more value for none."""
        return np.dtype(np.uint32 if self.m < 2**32 else np.uint64)

    def keys(self, backend: Backend) -> Any:
        """Compute the keys of the edges; equal keys, which lack the index, are compared by index."""
        key = backend.empty(self.m, np.uint64)
        backend.for_each(store_edge_key, self.m, self.sort_keys.bits, self.sort_keys.packing, key)
        return key

    def empty_worklist(self, backend: Backend) -> Worklist:
        """Allocate a worklist for all edges: (end, ends_xor, key), and index where keys do not hold it."""
        ids = self.u.dtype
        index = [self.index_dtype] if self.sort_keys.keys_lack_index else []
        return Worklist(backend, self.m, (ids, ids, np.uint64, *index))

    def all_edges(self, backend: Backend) -> Edges:
        """Return all edges of the input; those that a round leaves go into a new worklist."""
        return Edges(read_input, self.columns, backend.split(self.m), self.empty_worklist(backend))


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of the input or of a worklist, as a round reads them."""

    read: Reader
    columns: InputEdges | WorklistEdges
    segments: Segments
    """Positions of the edges in the columns."""
    into: Worklist
    """Worklist for the edges that are left: for worklist edges their own."""

    @property
    def count(self) -> int:
        """Number of edges."""
        return size_of(self.segments)

    @property
    def are_input(self) -> bool:
        """Whether these are edges of the input, whose positions are their indices."""
        return self.read is read_input

    def contracted(self, label: Any) -> Edges:
        """Keep the edges that join two new components, with these as ends; ``label`` is that of each end."""
        return self.into.emit(round_ops.contract(self.read), self, label)


class Worklist:
    """Storage of edges: parallel columns, which are overwritten by the edges that are left.

    Parameters
    ----------
    backend : Backend
    size : int
        Maximum number of edges.
    dtypes : sequence of dtype
        Types of the columns (end, ends_xor, key) or (end, ends_xor, key, index).
    """

    def __init__(self, backend: Backend, size: int, dtypes: Sequence[Any]):
        self.backend = backend
        self.columns: WorkList = backend.empty_worklist(size, dtypes)

    def edges(self, segments: Segments) -> Edges:
        """Return the edges at some positions."""
        return Edges(read_worklist, columns_of(self.columns), segments, self)

    def emit(self, operator: Operator, edges: Edges, *arrays: Any) -> Edges:
        """Store the edges that an operator emits."""
        return self.edges(self.backend.emit(operator, edges.segments, self.columns, edges.columns, *arrays))

    def emit_members(self, member: Operator, member_arrays: tuple[Any, ...], edges: Edges) -> Edges:
        """Store the edges for which a predicate holds, except loops; fast if they are few."""
        emit = round_ops.emit(edges.read)
        segments = self.backend.filter_emit(
            member, member_arrays, emit, edges.segments, self.columns, edges.columns
        )
        return self.edges(segments)

    def like(self, size: int) -> Worklist:
        """Allocate a worklist with columns of the same types."""
        return Worklist(self.backend, size, [column.dtype for column in self.columns])


def columns_of(worklist: WorkList) -> WorklistEdges:
    """Return the columns of a worklist as operators read them."""
    end, ends_xor, key = worklist[:3]
    return WorklistEdges(end, ends_xor, key, worklist[-1])


def store_edge_key(i, bits, packing, key):
    """Store the key of edge i."""
    key[i] = edge_key(i, bits, packing)


class ImplicitEdges(NamedTuple):
    """A graph whose edges are computed, and the packing that makes keys of its weights."""

    graph: ImplicitGraph
    packing: Packing
