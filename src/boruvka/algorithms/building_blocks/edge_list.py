"""The input of an algorithm: an edge list with sort keys, or a graph whose edges are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Backend
from boruvka.graph.graph import ImplicitGraph
from boruvka.operators.sort_keys import Packing, SortKeys, edge_key, sort_keys_of

if TYPE_CHECKING:
    from boruvka.operators.edges import InputEdges


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
        from boruvka.operators import edges  # not for a small graph

        return edges.InputEdges(self.u, self.v, self.sort_keys.bits, self.sort_keys.packing)

    @property
    def index_dtype(self) -> np.dtype[Any]:
        """A type that holds the index of every edge, and one more value for none."""
        return np.dtype(np.uint32 if self.m < 2**32 else np.uint64)

    def keys(self, backend: Backend) -> Any:
        """Compute the keys of the edges; equal keys, which lack the index, are compared by index."""
        key = backend.empty(self.m, np.uint64)
        backend.for_each(store_edge_key, self.m, self.sort_keys.bits, self.sort_keys.packing, key)
        return key


def store_edge_key(i, bits, packing, key):
    """Store the key of edge i."""
    key[i] = edge_key(i, bits, packing)


class ImplicitEdges(NamedTuple):
    """A graph whose edges are computed, and the packing that makes keys of its weights."""

    graph: ImplicitGraph
    packing: Packing
