"""The input of an algorithm: ends and sort keys of edges, or a graph whose edges are computed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.protocol import Backend, WorkList
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.operators.sort_keys import Packing, SortKeys, sort_keys_of


class EdgeList(NamedTuple):
    """What an algorithm reads of a graph: ``n`` vertices, ``m`` edges, their ends and sort keys."""

    n: int
    u: Any
    v: Any
    sort_keys: SortKeys

    @classmethod
    def of(cls, graph: Any, maximum: bool, backend: Backend) -> EdgeList:
        """Bring the edges of a graph, anything with ``n``, ``u``, ``v`` and ``w``, to a backend."""
        bits, packing, wide = sort_keys_of(graph.w, maximum)
        keys = SortKeys(backend.to_device(bits), packing, wide)
        return cls(graph.n, backend.to_device(graph.u), backend.to_device(graph.v), keys)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.u.size

    @property
    def columns(self) -> tuple[Any, ...]:
        """What operators on input edges take: (u, v, bits, packing)."""
        return self.u, self.v, self.sort_keys.bits, self.sort_keys.packing

    @property
    def index_dtype(self) -> np.dtype[Any]:
        """A type that holds the index of every edge, and one more value for none."""
        return np.dtype(np.uint32 if self.m < 2**32 else np.uint64)

    def empty_worklist(self, backend: Backend) -> WorkList:
        """Allocate a worklist for all edges: (end, ends_xor, key), and index where keys do not hold it."""
        ids = self.u.dtype
        index = [self.index_dtype] if self.sort_keys.wide else []
        return backend.empty_worklist(self.m, (ids, ids, np.uint64, *index))


class ImplicitEdges(NamedTuple):
    """A graph whose edges are computed, and the packing that makes keys of its weights."""

    graph: ImplicitGraph
    packing: Packing
