"""Edges that a round reads, of the input or of a worklist, and the worklist of those that are left."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.primitives import Backend, Columns, Member, Segments
from boruvka.operators import Operator
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.edges import Reader, WorklistEdges, read_input, read_worklist


@dataclass(frozen=True)
class EdgeView:
    """Edges of the input or of a worklist, as a round reads them."""

    read: Reader
    columns: Any
    """Arrays that ``read`` takes: `InputEdges`, `WorklistEdges` or others."""
    segments: Segments
    """Positions of the edges in the columns."""
    into: Worklist
    """Worklist for the edges that are left: for worklist edges their own."""

    @classmethod
    def of(cls, edge_list: EdgeList, backend: Backend) -> EdgeView:
        """Return all edges of the input; those that a round leaves go into a new worklist."""
        return cls(
            read_input, edge_list.columns, backend.positions(edge_list.m), Worklist.of(edge_list, backend)
        )

    @functools.cached_property
    def packed(self) -> Any:
        """The columns as an argument of operators."""
        return self.into.backend.packed(self.columns)

    @property
    def count(self) -> int:
        """Number of edges."""
        return self.segments.size

    @property
    def are_input(self) -> bool:
        """Whether these are edges of the input, whose positions are their indices."""
        return self.read is read_input

    def columns_without_gaps(self) -> list[Any]:
        """Return the columns of worklist edges without the gaps between their segments."""
        return [self.segments.taken_from(column) for column in self.into.columns]

    def contracted(self, label: Any) -> EdgeView:
        """Keep the edges whose ends have two labels, with these as ends."""
        return self.into.emit(round_ops.contract(self.read), self, label)


class Worklist:
    """Storage of edges: parallel columns, which are overwritten by the edges that are left.

    Parameters
    ----------
    backend : Backend
    columns : arrays
        The columns (end, ends_xor, key) or (end, ends_xor, key, index).
    """

    def __init__(self, backend: Backend, columns: Columns):
        self.backend, self.columns = backend, columns

    @classmethod
    def allocate(cls, backend: Backend, size: int, dtypes: Sequence[Any]) -> Worklist:
        """Allocate a worklist of columns of these types, with room for ``size`` edges."""
        return cls(backend, backend.empty_worklist(size, dtypes))

    @classmethod
    def of(cls, edge_list: EdgeList, backend: Backend) -> Worklist:
        """Allocate a worklist for all edges: (end, ends_xor, key), and index where keys do not hold it."""
        ids = edge_list.u.dtype
        index = [edge_list.index_dtype] if edge_list.sort_keys.keys_lack_index else []
        return cls.allocate(backend, edge_list.m, (ids, ids, np.uint64, *index))

    def all_edges(self) -> EdgeView:
        """Return the edges at all positions."""
        return self.edges(self.backend.positions(self.columns[0].size))

    def edges(self, segments: Segments) -> EdgeView:
        """Return the edges at some positions."""
        return EdgeView(read_worklist, columns_of(self.columns), segments, self)

    def emit(self, operator: Operator, edges: EdgeView, *arrays: Any) -> EdgeView:
        """Store the edges that an operator emits."""
        return self.edges(self.backend.emit(operator, edges.segments, self.columns, edges.packed, *arrays))

    def emit_members(self, member: Member, edges: EdgeView) -> EdgeView:
        """Store the edges for which a predicate holds, except loops; fast if they are few."""
        emit = round_ops.emit(edges.read)
        return self.edges(self.backend.filter_emit(member, emit, edges.segments, self.columns, edges.packed))

    def emit_few_members(self, member: Member, edges: EdgeView, index_mask: np.uint64) -> EdgeView:
        """Store input edges as `emit_members` does, and loops; fast if so few that most reads miss the cache.

        Ends are read in a loop of their own: without a branch between them, many reads are under way at once.
        """
        end, ends_xor, *columns = self.columns
        emit = round_ops.emit_key(edges.read)
        segments = self.backend.filter_emit(member, emit, edges.segments, columns, edges.packed)
        ends = edges.columns.u, edges.columns.v, end, ends_xor
        self.backend.for_each(round_ops.store_ends, segments, columns[-1], index_mask, *ends)
        return self.edges(segments)

    def like(self, size: int) -> Worklist:
        """Allocate a worklist with columns of the same types."""
        return Worklist.allocate(self.backend, size, [column.dtype for column in self.columns])


def columns_of(worklist: Columns) -> WorklistEdges:
    """Return the columns of a worklist as operators read them."""
    end, ends_xor, key = worklist[:3]
    return WorklistEdges(end, ends_xor, key, worklist[-1])
