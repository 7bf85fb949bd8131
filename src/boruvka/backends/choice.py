"""Which backend suits a graph: the GPU where there is one, if the graph is large and fits."""

from __future__ import annotations

import warnings
from importlib.util import find_spec

from boruvka.backends import why_not
from boruvka.errors import BackendError, BackendWarning
from boruvka.graph import Graph
from boruvka.pairs import PairGraph

__all__ = ["best_backend", "bytes_on_gpu", "check_fits"]

GPU_PAYS_FROM = 2_000_000
"""Edges: fewer are solved on the host in the time that copies and launches take. Not measured yet."""


def best_backend(graph: Graph) -> str:
    """Choose a backend for a graph.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    str
        "cuda" where the graph lies on a GPU, or is large, fits, and there is one; else "threads".

    Warns
    -----
    BackendWarning
        The graph does not fit the GPU.
    """
    if isinstance(graph, PairGraph) or not (graph.is_on_device or graph.m >= GPU_PAYS_FROM):
        return "threads"
    if not graph.is_on_device and not _is_gpu_here():
        return "threads"
    try:
        check_fits(graph)
    except BackendError as error:
        warnings.warn(f"{error}; threads of the host take its place", BackendWarning, stacklevel=3)
        return "threads"
    return "cuda"


def check_fits(graph: Graph) -> None:
    """Raise a `BackendError` if a graph is too large for what memory the GPU has left."""
    from boruvka.backends.cuda import free_bytes

    needed, free = bytes_on_gpu(graph), free_bytes()
    if needed > free:
        raise BackendError(
            f"the graph needs {needed / 1e9:.1f} GB on the GPU, where {free / 1e9:.1f} GB are free"
        )


def bytes_on_gpu(graph: Graph) -> int:
    """Estimate what the default algorithm takes on a GPU, with the graph itself.

    An edge takes its ends and weight, two flags and a mark; and a place in two work lists, for one is made
    from the other, unless it is dropped by the filter: of dense graphs few are listed. A vertex takes parent,
    best and chosen edge, and its numbers in all rounds.
    """
    ids, weight = graph.u.dtype.itemsize, graph.dtype.itemsize
    listed = min(graph.m, 2 * graph.n + graph.m // 4)
    a_place = 2 * ids + 8 + (8 if weight == 8 else 0)
    given = 0 if graph.is_on_device else 2 * ids + weight
    return graph.m * (given + 3) + 2 * listed * a_place + graph.n * (16 + 4 * ids)


def _is_gpu_here() -> bool:
    """Say whether there is a GPU, and at little cost where its libraries are not even installed."""
    if find_spec("cupy") is None:
        return False
    from numba import config

    return not config.ENABLE_CUDASIM and why_not("cuda") is None  # type: ignore[attr-defined]
