"""``boruvka warmup``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boruvka import Graph

USUAL_TYPES: Any = "float64", "float32", "int64"
ALL_TYPES: Any = *USUAL_TYPES, "int32", "int16", "int8"  # unsigned types share the kernels of signed ones

Task = tuple[str, Callable[[], Any]]


@click.command()
@click.option(
    "--all", "everything", is_flag=True, help="All algorithms, types of weights, formats, distances."
)
def warmup(everything: bool) -> None:
    """Compile kernels ahead, for an image or the nodes of a cluster.

    Kernels are compiled when they are first used, once for a machine and a type of weights, and kept in the
    user's cache folder, or in the folder BORUVKA_CACHE_DIR. This compiles the usual ones: the default
    algorithms, streamed edges, points in two and three dimensions, reading text files, verification.
    """
    from boruvka.backends.kernel_cache import cache_folder
    from boruvka.errors import BackendError
    from boruvka.runtime.progress import Progress, ProgressBar

    folder = cache_folder()
    if folder is None:
        raise BackendError(
            "compiled kernels cannot be kept: set BORUVKA_CACHE_DIR to a folder that only you can write"
        )
    with tempfile.TemporaryDirectory() as temporary:
        tasks = list(tasks_of(everything, Path(temporary)))
        with ProgressBar() as bar:
            for done, (name, task) in enumerate(tasks):
                bar(Progress("compile", done, len(tasks), detail=name))
                task()
    click.echo(f"{len(list(folder.glob('*.kernel')))} kernels are in {folder}")


def tasks_of(everything: bool, folder: Path) -> Iterator[Task]:
    """List small solves, verifications and files that together compile the kernels."""
    import numpy as np

    from boruvka import Graph, generators
    from boruvka.backends.cuda import has_gpu

    for dtype in ALL_TYPES if everything else USUAL_TYPES:
        random = generators.random(60_000, 300_000, dtype=dtype)  # enough for several threads
        grid = generators.grid(250, 250, dtype=dtype)
        # There is one kernel if key and index together fit in 64 bits, and another if not.
        counted = Graph(random.n, random.u, random.v, np.arange(random.m).astype(dtype))
        for graph in (random, counted, grid, generators.random(100, 400, dtype=dtype)):
            yield f"default algorithms, {dtype}", partial(_solve_and_verify, graph)
        yield f"streamed edges, {dtype}", partial(_solve_stream, random)
        if has_gpu():
            yield f"GPU, {dtype}", partial(_solve_on_gpu, random)
        if everything:
            yield from _tasks_of_algorithms(generators.random(2_000, 60_000, dtype=dtype), dtype)
        yield from _tasks_of_formats(generators.random(100, 400, dtype=dtype), everything, folder)
    yield from _tasks_of_trees(everything)
    if everything:
        yield from _tasks_of_distances()


def _solve_and_verify(graph: Graph) -> None:
    import boruvka

    for threads in {1, None}:
        for algorithm in ("auto", "boruvka", "filter-boruvka", "block-boruvka"):
            forest = boruvka.minimum_spanning_forest(graph, threads=threads, algorithm=algorithm)
    boruvka.verify(graph, forest)
    assert forest.labels.size == graph.n
    forest.weight  # noqa: B018


def _solve_on_gpu(graph: Graph) -> None:
    import boruvka

    for algorithm in ("boruvka", "filter-boruvka"):
        boruvka.minimum_spanning_forest(graph, algorithm=algorithm, backend="cuda")


def _solve_stream(graph: Graph) -> None:
    from boruvka import stream

    pieces = (graph.edge_slice(first, first + 20_000) for first in range(0, graph.m, 20_000))
    assert stream.minimum_spanning_forest(pieces, n=graph.n).n == graph.n
    assert stream.minimum_spanning_forest([graph.edge_slice(0, 100)], names=True).graph.m == 100


def _tasks_of_algorithms(graph: Graph, dtype: str) -> Iterator[Task]:
    from boruvka import minimum_spanning_forest
    from boruvka.algorithms.registry import EDGE_LIST_ALGORITHMS

    for name in EDGE_LIST_ALGORITHMS:
        for threads in {1, None}:
            yield (
                f"{name}, {dtype}",
                partial(minimum_spanning_forest, graph, algorithm=name, threads=threads),
            )


def _tasks_of_formats(graph: Graph, everything: bool, folder: Path) -> Iterator[Task]:
    from boruvka.errors import BoruvkaError, MissingExtraError
    from boruvka.formats.registry import FORMATS

    def write_and_read(name: str) -> None:
        import boruvka

        path = folder / f"graph-{name}"
        try:
            boruvka.write(graph, path, format=name)
            boruvka.read(path, format=name)
        except (MissingExtraError, BoruvkaError):  # not every format supports every type
            return

    def read_unusual_lines() -> None:
        import boruvka

        path = folder / "graph.el"
        path.write_text("0  1 5\n1  2 0.5\n")
        boruvka.read(path)

    yield "unusual lines of text", read_unusual_lines
    for name in [f.name for f in FORMATS] if everything else ["dimacs", "csv", "matrix-market"]:
        yield f"format {name}", partial(write_and_read, name)


def _tasks_of_trees(everything: bool) -> Iterator[Task]:
    import numpy as np

    from boruvka.graph.points.search_metric import SEARCH_METRICS

    for metric in SEARCH_METRICS.values():
        if everything or metric.name == "euclidean":
            for d in (2,) if metric.name == "haversine" else (2, 3):
                many = np.random.default_rng(0).random((60_000, d))
                for samples in (None, 3):
                    name = f"tree, {metric.name}, {d} coordinates"
                    yield name, partial(_solve_points, many, metric.name, samples)


def _tasks_of_distances() -> Iterator[Task]:
    import numpy as np

    from boruvka.graph import distances

    for name in distances.__all__:
        points = np.arange(40).reshape(20, 2) % 7 + 1
        if name == "haversine":
            points %= 2  # radians
        for array in (points, points.astype(float)):
            yield f"distance {name}", partial(_solve_points, array, name)


def _solve_points(points: NDArray[Any], distance: str, samples: int | None = None) -> None:
    import boruvka

    graph = boruvka.Graph.from_points(points, distance, min_samples=samples)
    for threads in {1, None}:
        forest = boruvka.minimum_spanning_forest(graph, threads=threads)
    assert boruvka.verify(graph, forest)
