"""Graphs whose arrays lie on a GPU already: they are used where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.backends.device_arrays import is_on_device, on_host
from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.validation import check_weights_dtype, vertex_count

__all__ = ["DeviceGraph"]


class DeviceGraph(AbstractGraph):
    """A graph whose arrays lie on the current GPU, as CuPy has them.

    Parameters
    ----------
    u, v : (m,) arrays of integers
        The ends of each edge, from 0. Arrays of the host are copied; those on the GPU are not, where their
        type allows.
    w : (m,) array of integers or floats of at most 64 bits
        The weight of each edge.
    n : int, optional
        Number of vertices; by default one more than the largest id.

    Raises
    ------
    GraphError
        An id is negative or not below ``n``, a weight is NaN, or lengths differ.
    GraphTypeError
        Ids that are not integers, or weights that are neither integers nor floats.
    BackendError
        There is no GPU.
    MissingExtraError
        The libraries for it are not installed.
    """

    def __init__(self, u: Any, v: Any, w: Any, n: int | None = None):
        from boruvka.backends.cuda.arrays import as_array

        u, v, w = (as_array(array) for array in (u, v, w))
        for name, array in ("u", u), ("v", v), ("w", w):
            if array.ndim != 1:
                raise GraphError(f"{name} must have one dimension, this one has shape {array.shape}")
        if not u.size == v.size == w.size:
            raise GraphError(
                f"u, v and w must have one entry per edge, but have {u.size}, {v.size} and {w.size} entries"
            )
        check_weights_dtype(w.dtype)
        if n is None:
            n = max((int(ends.max()) + 1 for ends in (u, v) if ends.size), default=0)
        n = vertex_count(n)
        self.n = n
        self.u = _ids("u", u, n)
        self.v = _ids("v", v, n)
        self.w = w
        if w.dtype.kind == "f" and w.size and np.isnan(float(w.min())):
            i = int((w != w).argmax())
            raise GraphError(f"edge {i} ({int(u[i])}, {int(v[i])}) has the weight NaN")

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays lie on a GPU: they do."""
        return True

    def take(self, edges: Any) -> tuple[Any, Any, Any]:
        """List (u, v, w) of edges by their indices, where these are: on the GPU or on the host."""
        from boruvka.backends.cuda.arrays import as_array

        there = as_array(edges)
        taken = self.u[there], self.v[there], self.w[there]
        return taken if is_on_device(edges) else tuple(map(on_host, taken))  # type: ignore[return-value]


def _ids(name: str, ids: Any, n: int) -> Any:
    """Check that ids are below n, and give them as unsigned ones, of 32 bits while they fit."""
    if ids.dtype.kind not in "iu":
        raise GraphTypeError(f"{name} must hold integers, this one has dtype {ids.dtype}")
    unsigned = ids.view(f"u{ids.dtype.itemsize}")  # so that negative ones are large
    if ids.size and int(unsigned.max()) >= n:
        i = int((unsigned >= n).argmax())
        raise GraphError(
            f"{name}[{i}] = {int(ids[i])} is not a vertex: the graph has n = {n} vertices, from 0"
        )
    return unsigned.astype(np.uint32 if n <= 2**32 else np.uint64, copy=False)
