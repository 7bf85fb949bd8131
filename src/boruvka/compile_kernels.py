"""Compile kernels ahead of time, by small solves, verifications and files that use them all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import boruvka
from boruvka import generators, minimum_spanning_forest
from boruvka.errors import BackendError, BoruvkaError
from boruvka.kernels.kernel_cache import cache_folder
from boruvka.runtime.progress import Listener, listening, report

__all__ = ["warmup"]

USUAL_TYPES: Any = "float64", "float32", "int64"
ALL_TYPES: Any = *USUAL_TYPES, "int32", "int16", "int8"  # unsigned types share the kernels of signed ones
USUAL_FORMATS = "dimacs", "csv", "matrix-market"

Task = tuple[str, Callable[[], Any]]


def warmup(*, everything: bool = False, progress: bool | Listener = False) -> Path:
    """Compile kernels ahead, for an image or the nodes of a cluster.

    Kernels are compiled when they are first used, once for a machine and a type of weights, and kept in the
    user's cache folder, or in the folder that ``BORUVKA_CACHE_DIR`` names. This compiles the usual ones, in
    about half a minute: the default algorithms, streamed edges, points in two and three dimensions,
    clustering, text files and verification.

    Parameters
    ----------
    everything : bool
        Whether to compile the kernels of all algorithms, weight types, formats and distances, in minutes.
    progress : bool or callable
        As for `boruvka.minimum_spanning_forest`.

    Returns
    -------
    Path
        The folder of the kernels.

    Raises
    ------
    BackendError
        Kernels cannot be kept.
    """
    folder = cache_folder()
    if folder is None:
        raise BackendError(
            "compiled kernels cannot be kept: set BORUVKA_CACHE_DIR to a folder that only you can write"
        )
    with tempfile.TemporaryDirectory() as temporary, listening(progress):
        tasks = list(tasks_of(everything, Path(temporary)))
        for done, (name, task) in enumerate(tasks):
            report("compile", done, len(tasks), detail=name)
            task()
    return folder


def tasks_of(everything: bool, folder: Path) -> Iterator[Task]:
    """Yield tasks that together compile the kernels, each with its name; their files go to ``folder``."""
    from boruvka.graph.points.search_metric import SEARCH_METRICS

    for dtype in ALL_TYPES if everything else USUAL_TYPES:
        yield from _tasks_of_graphs(dtype, everything)
        yield from _tasks_of_formats(generators.random(100, 400, dtype=dtype), everything, folder)
    many = np.random.default_rng(0).random((60_000, 3))
    metrics = [metric.name for metric in SEARCH_METRICS.values()] if everything else ["euclidean"]
    for metric, d, samples in product(metrics, (2, 3), (None, 3)):
        if metric != "haversine" or d == 2:
            yield f"tree, {metric}, {d} coordinates", partial(_solve_points, many[:, :d], metric, samples)
    if find_spec("sklearn"):
        yield "clustering", partial(_cluster, many[:, :2])
    if everything:
        yield from _tasks_of_distances()


def _tasks_of_graphs(dtype: Any, everything: bool) -> Iterator[Task]:
    from boruvka.algorithms.registry import edge_list_algorithms
    from boruvka.backends import has_gpu

    random = generators.random(50_000, 500_000, dtype=dtype)  # enough for several threads and filters
    grid = generators.grid(250, 250, dtype=dtype)
    # There is one kernel if key and index together fit in 64 bits, and another if not.
    counted = boruvka.Graph(random.n, random.u, random.v, np.arange(random.m).astype(dtype))
    for graph in random, counted, grid, generators.random(100, 400, dtype=dtype):
        yield f"default algorithms, {dtype}", partial(_solve_and_verify, graph)
    yield f"streamed edges, {dtype}", partial(_solve_stream, random)
    if has_gpu():
        for name in "boruvka", "filter-boruvka":
            yield f"GPU, {dtype}", partial(minimum_spanning_forest, random, algorithm=name, backend="cuda")
    if everything:
        smaller = generators.random(2_000, 60_000, dtype=dtype)
        for name, threads in product(edge_list_algorithms(), {1, None}):
            solve = partial(minimum_spanning_forest, smaller, algorithm=name, threads=threads)
            yield f"{name}, {dtype}", solve


def _solve_and_verify(graph: boruvka.Graph) -> None:
    for name, threads in product(("auto", "boruvka", "filter-boruvka", "block-boruvka"), {1, None}):
        forest = minimum_spanning_forest(graph, threads=threads, algorithm=name)
    boruvka.verify(graph, forest)
    assert forest.labels.size == graph.n
    forest.weight  # noqa: B018


def _solve_stream(graph: boruvka.Graph) -> None:
    from boruvka import stream

    batches = (graph.edges_in_range(first, first + 20_000) for first in range(0, graph.m, 20_000))
    assert stream.minimum_spanning_forest(batches, n=graph.n).n == graph.n
    assert stream.minimum_spanning_forest([graph.edges_in_range(0, 100)], names=True).graph.m == 100


def _tasks_of_formats(graph: boruvka.Graph, everything: bool, folder: Path) -> Iterator[Task]:
    from boruvka.formats.registry import FORMATS

    def write_and_read(name: str) -> None:
        path = folder / f"graph-{name}"
        try:
            boruvka.write(graph, path, format=name)
            boruvka.read(path, format=name)
        except BoruvkaError:  # an extra is missing, or the format does not hold weights of this type
            return

    def read_unusual_lines() -> None:
        path = folder / "graph.el"
        path.write_text("0  1 5\n1  2 0.5\n")
        boruvka.read(path)

    yield "unusual lines of text", read_unusual_lines
    for name in [f.name for f in FORMATS] if everything else USUAL_FORMATS:
        yield f"format {name}", partial(write_and_read, name)


def _tasks_of_distances() -> Iterator[Task]:
    from boruvka.graph import distances

    for name in distances.__all__:
        points = np.arange(40).reshape(20, 2) % 7 + 1
        if name == "haversine":
            points %= 2  # radians
        for array in (points, points.astype(float)):
            yield f"distance {name}", partial(_solve_points, array, name)


def _cluster(points: NDArray[Any]) -> None:
    from boruvka.sklearn import HDBSCAN

    for some in points, points[:300]:  # of a few points, all pairs are compared
        model = HDBSCAN(min_cluster_size=20).fit(some)
        assert model.predict(some[:10]).size == 10


def _solve_points(points: NDArray[Any], metric: str, samples: int | None = None) -> None:
    graph = boruvka.Graph.from_points(points, metric, min_samples=samples)
    for threads in {1, None}:
        forest = minimum_spanning_forest(graph, threads=threads)
    assert boruvka.verify(graph, forest)
