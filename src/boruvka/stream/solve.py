"""The minimum spanning forest of edges that pass by, in memory for the vertices."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

from boruvka.errors import FormatError, GraphError
from boruvka.forest.forest import Forest
from boruvka.runtime.argument_names import argument
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import ProgressBar
from boruvka.stream.checkpoint import Checkpoint
from boruvka.stream.growing_forest import GrowingForest
from boruvka.stream.memory import available_memory, edges_that_may_wait, parse_memory, used_memory
from boruvka.stream.passing import Passed, numbered, pass_over
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource
from boruvka.stream.streamed_graph import StreamedGraph

__all__ = ["SHARE", "MemoryPlan", "minimum_spanning_forest"]

SHARE = 0.75
"""How much of the free memory is used if no amount is given."""
SECONDS_BETWEEN_CHECKPOINTS, SECONDS_WITHOUT_CHECKPOINT = 5.0, 30.0
"""Seconds between two checkpoints: at least, and about at most; then edges that wait are solved first."""


def minimum_spanning_forest(
    source: Any,
    *,
    memory: int | str | None = None,
    maximum: bool = False,
    threads: int | None = None,
    checkpoint: Any = None,
    progress: bool = False,
    **how: Any,
) -> Forest:
    """Find the minimum spanning forest of a graph whose edges do not fit the memory.

    All edges are read once. In memory are the forest of those that have passed by, a byte for each vertex
    that tells which edges cannot be in it, and some edges that wait. The forest is exactly that which
    `boruvka.minimum_spanning_forest` finds of the same edges in memory.

    Parameters
    ----------
    source : object
        A file: Parquet, or one of tables, edge lists, DIMACS (also compressed) and npz; a folder of Parquet
        files, or a pattern such as "edges/*.parquet", whose edges are numbered in the order of the names of
        the files; a reader, table or dataset of Arrow, a frame of polars (also lazy) or pandas, a relation of
        DuckDB; a binary file object, with its format; or an iterator of batches ``(u, v, w)``.
    memory : int or str, optional
        The memory of this process altogether, in bytes or as "2G"; by default three quarters of what is free.
    maximum : bool
        Find a maximum spanning forest instead; equal weights are still ordered by ascending index.
    threads : int, optional
        Number of threads; by default one for each core.
    checkpoint : path-like, optional
        A folder for the state of the pass. Where it holds one, of the same files and options, the pass goes
        on from there. It is removed at the end.
    progress : bool
        Show a progress bar on standard error if it takes long.
    **how
        How to read a file, as for `boruvka.read`: format, columns, header, one_based, n, unweighted.

    Returns
    -------
    Forest
        Its graph holds the edges of the forest alone.

    Raises
    ------
    FileError
        The file cannot be read, the memory is too small for the vertices, or the checkpoint is damaged or of
        another input.
    FormatError
        The file is malformed, or of a format that cannot be read in parts.
    GraphError, GraphTypeError, OptionError
        As for `boruvka.minimum_spanning_forest`.
    MissingExtraError
        pyarrow, which reads Parquet, is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from boruvka import stream
    >>> batches = (tuple(np.random.default_rng(k).integers(0, 9, (3, 100))) for k in range(5))
    >>> forest = stream.minimum_spanning_forest(batches)
    >>> forest.graph.m, forest.components
    (500, 1)
    """
    begin, count = time.perf_counter(), thread_count(threads)
    bytes_given = parse_memory(memory)
    with closing(open_source(source, how)) as edges_source:
        found = _solve(edges_source, bytes_given, bool(maximum), count, checkpoint, progress, how)
    return Forest(
        found,
        found.kept.edges,
        maximum=bool(maximum),
        algorithm="stream",
        backend="threads",
        threads=count,
        seconds=time.perf_counter() - begin,
    )


def _solve(
    edges_source: EdgeSource,
    bytes_given: int | None,
    maximum: bool,
    count: int,
    checkpoint: Any,
    progress: bool,
    how: dict[str, Any],
) -> StreamedGraph:
    """Return the graph, of which the edges of the forest are kept."""
    plan = MemoryPlan(
        edges_source, int(SHARE * available_memory()) if bytes_given is None else bytes_given, count
    )
    forest = GrowingForest(edges_source.n or 0, maximum, plan.waiting, count)
    passed = Passed.nothing(edges_source.chunks)
    state = None if checkpoint is None else _checkpoint(checkpoint, edges_source, maximum, how)
    if state is not None:
        passed = state.load(forest, passed)
    saved = time.monotonic()

    def is_due() -> bool:
        return state is not None and time.monotonic() - saved > SECONDS_WITHOUT_CHECKPOINT

    def settled() -> None:
        nonlocal saved
        if state is not None and forest.size and time.monotonic() - saved > SECONDS_BETWEEN_CHECKPOINTS:
            state.save(forest, passed)
            saved = time.monotonic()

    with ProgressBar(edges_source.size, visible=progress) as bar:
        done = 0

        def tell(size: int) -> None:
            nonlocal done
            done += size
            bar.update(done, f"{int(passed.rows.sum()):,} edges, {forest.size:,} kept")

        try:
            pass_over(edges_source, forest, passed, count, tell, is_due, settled)
            forest.settle(guard=False)
        except GraphError as error:  # types of weights that do not go together
            raise FormatError(f"{edges_source.name}: {error}") from None
    edges_source.check_count(int(passed.rows.sum()))
    edges = numbered(forest.kept(), passed.rows)
    if state is not None:
        state.remove()
    n = forest.n if edges_source.n is None else edges_source.n
    return StreamedGraph(n, int(passed.rows.sum()), edges, edges_source.name)


class MemoryPlan:
    """How the memory is shared between vertices, edges that wait, and readers."""

    def __init__(self, source: EdgeSource, memory: int, threads: int):
        self._source, self._memory, self._used = source, memory, used_memory()
        self._rows = source.rows_at_once * 3 * min(threads, source.chunks)

    def waiting(self, n: int) -> int:
        """Return how many edges may wait beside a forest of n vertices."""
        return edges_that_may_wait(self._memory, self._used, n, self._rows, self._source.name)


def _checkpoint(folder: Any, source: EdgeSource, maximum: bool, how: dict[str, Any]) -> Checkpoint:
    identity = source.identity()
    if identity is None:
        raise GraphError(
            f"{argument('checkpoint')} is for files: {source.name} cannot be read again from a place"
        )
    return Checkpoint(folder, repr((identity, source.chunks, maximum, sorted(how.items()))))
