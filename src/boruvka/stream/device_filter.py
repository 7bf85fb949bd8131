"""The filter of a stream on a GPU: edges go there, and the positions of those that pass come back."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.operators.sort_keys import U64, weight_key
from boruvka.stream.bottleneck_filter import NO_INDICES, BottleneckFilter, bits_of, may_be_in_forest

__all__ = ["DeviceFilter"]


class DeviceFilter(BottleneckFilter):
    """A `BottleneckFilter` whose arrays are on the GPU."""

    __slots__ = ()

    @classmethod
    def of(cls, edge_filter: BottleneckFilter) -> Self:
        """Copy a filter to the GPU."""
        to_device = get_backend("cuda", 1).to_device
        arrays = {
            name: to_device(value)
            for name, value in edge_filter._asdict().items()
            if isinstance(value, np.ndarray)
        }
        return cls(**edge_filter._asdict() | arrays)

    def surviving(
        self, first: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], n: int
    ) -> NDArray[np.uint32]:
        """Find the edges that the filter does not drop; the index of the first edge is given."""
        backend = get_backend("cuda", 1)
        edges = map(backend.to_device, (NO_INDICES, u, v, bits_of(w)))
        bounds = self.level, self.level_key, self.level_index, self.tree
        found = backend.empty_worklist(u.size, [np.uint32])
        kept = backend.emit(
            _emit_surviving, backend.positions(u.size), found, np.int64(first), *edges, self.packing, *bounds
        )
        return backend.to_host(kept.taken_from(found[0]))


def _emit_surviving(k, first, index, u, v, bits, packing, level, level_key, level_index, tree):
    """Emit the position of an edge that may be in the forest; vertices without a level have no bound."""
    a, b = U64(u[k]), U64(v[k])
    if max(a, b) >= U64(level.size):
        return a != b, k
    key = weight_key(U64(bits[k]), packing)
    passes = may_be_in_forest(k, first, index, a, b, key, level, level_key, level_index, tree)
    return passes != U64(0), k
