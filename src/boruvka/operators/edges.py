"""Edges as operators read them: from the arrays of a graph, or from a worklist.

A *reader* ``read(i, edges)`` returns the two ends of edge i, its key, and its edge id. Values that an
operator does not use are not loaded: the compiler removes these reads.

An *input* edge is in the arrays of the graph. Its ends are vertices, and its key is computed from the bits of
its weight. A *worklist* edge has components as ends and is never a loop. It is stored with the exclusive or
of both ends (``ends_xor``), so that the other end follows from either with one read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from boruvka.operators.sort_keys import NONE, U64, Packing, edge_key, edge_key_with_index

Reader = Callable[[Any, Any], tuple[Any, Any, Any, Any]]
"""(i, edges) -> (a, b, key, edge_id)."""


class InputEdges(NamedTuple):
    """The edges of a graph."""

    u: Any
    v: Any
    bits: Any
    """The bits of the weights."""
    packing: Packing


class WorklistEdges(NamedTuple):
    """The columns of a worklist."""

    end: Any
    ends_xor: Any
    key: Any
    edge_id: Any
    """The same column as ``key`` where keys hold the index."""


def read_input(i, edges):
    """Read input edge i."""
    return edges.u[i], edges.v[i], edge_key(i, edges.bits, edges.packing), U64(i)


def read_worklist(i, edges):
    """Read worklist edge i."""
    a = edges.end[i]
    return a, a ^ edges.ends_xor[i], edges.key[i], edges.edge_id[i]


# The edges of one rank of MPI


class LocalInputEdges(NamedTuple):
    """The input edges of a rank."""

    u: Any
    v: Any
    bits: Any
    packing: Packing
    first: Any
    """Index of the first edge, if indices are consecutive."""
    index: Any
    """Index of each edge; empty if indices are consecutive."""


def read_local_input(i, edges):
    """Read input edge i of a rank."""
    x = edges.index[i] if edges.index.size else edges.first + U64(i)
    return edges.u[i], edges.v[i], edge_key_with_index(i, edges.bits, edges.packing, x), x


def mark_local(i, edge_ids, index_mask, first, last, in_forest):
    """Mark the i-th of these edges, if it is an edge of this rank: indices from first to last - 1."""
    index = edge_ids[i] & index_mask
    if edge_ids[i] != NONE and first <= index < last:
        in_forest[index - first] = True
