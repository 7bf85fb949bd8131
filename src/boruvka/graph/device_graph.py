"""Graphs whose arrays are on a GPU, and stay there."""

from __future__ import annotations

from typing import Any

from boruvka.backends.device_arrays import is_on_device, on_host
from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype
from boruvka.graph.validation import (
    check_again,
    check_equal_sizes,
    check_ids_below,
    check_no_nan,
    check_one_dimensional,
    check_weight_dtype,
    unsigned_ids,
    vertex_count,
)

__all__ = ["DeviceGraph"]


class DeviceGraph(AbstractGraph):
    """A graph whose arrays are CuPy arrays on the current GPU.

    Parameters
    ----------
    u, v : (m,) arrays of integers
        The ends of each edge, from 0. Arrays on the host are copied; arrays on the GPU are copied only
        where their type must change.
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
        The CUDA libraries are not installed.
    """

    def __init__(self, u: Any, v: Any, w: Any, n: int | None = None):
        from boruvka.backends.cuda.arrays import as_array

        u, v, w = (as_array(array) for array in (u, v, w))
        for name, array in ("u", u), ("v", v), ("w", w):
            check_one_dimensional(name, array)
        check_equal_sizes(u, v, w)
        check_weight_dtype(w.dtype)
        (first, largest_u), (second, largest_v) = unsigned_ids("u", u), unsigned_ids("v", v)
        n = vertex_count(n, largest_u, largest_v)
        check_ids_below(n, "u", first, largest_u)
        check_ids_below(n, "v", second, largest_v)
        u, v = (ids.astype(vertex_dtype(n), copy=False) for ids in (first, second))
        check_no_nan(u, v, w)
        self._initialise(n=n, u=u, v=v, w=w)

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays are in the memory of a GPU: always true."""
        return True

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        check_again(self, ("u", "v", "w"))

    def take(self, edges: Any) -> tuple[Any, Any, Any]:
        """Return (u, v, w) of the edges with these indices, on the GPU exactly if the indices are there."""
        from boruvka.backends.cuda.arrays import as_array

        on_gpu = as_array(edges)
        taken = self.u[on_gpu], self.v[on_gpu], self.w[on_gpu]
        return taken if is_on_device(edges) else tuple(map(on_host, taken))  # type: ignore[return-value]
