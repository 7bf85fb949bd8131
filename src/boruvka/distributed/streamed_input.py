"""Files larger than the memory of the ranks: each rank keeps the forest of its part of the edges."""

from __future__ import annotations

from contextlib import closing
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.collective_errors import abort_on_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.mpi import MPI
from boruvka.distributed.solve import ranks_on_this_machine, threads_of_rank
from boruvka.errors import FormatError, GraphError
from boruvka.formats.edge_file import FileChunk
from boruvka.graph.exact import common_type, converted
from boruvka.graph.graph import Graph
from boruvka.interop.notes import Notes
from boruvka.runtime.arguments import flag
from boruvka.runtime.round_log import RoundLog
from boruvka.stream.edge_pass import PassProgress, numbered, read_all_edges
from boruvka.stream.memory import SHARE, MemoryBudget, available_memory, parse_memory
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource
from boruvka.stream.streamed_forest import StreamedForest

__all__ = ["StreamedPart", "stream"]


class StreamedPart(NamedTuple):
    """The forest of the edges of one rank, which replaces them (cycle property)."""

    graph: Graph
    """Its edges; the vertices are those of the whole graph."""
    indices: NDArray[np.int64]
    """The index of each edge in the whole graph."""
    m: int
    """Number of streamed edges of all ranks."""


def stream(
    path: Any,
    comm: Any = None,
    *,
    memory: int | str | None = None,
    maximum: bool = False,
    threads: int | None = None,
    **how: Any,
) -> StreamedPart:
    """Read this rank's part of a file that does not fit the memory of the ranks; all ranks must call it.

    Edges are streamed as in `boruvka.stream.minimum_spanning_forest`: a rank keeps the forest of its part,
    at most n - 1 edges, so its memory depends on the number of vertices alone. Pass the edges and their
    indices to `boruvka.distributed.minimum_spanning_forest`, with the same ``maximum``.

    A rank reads consecutive row groups of Parquet, or chunks of a few MB of text. Compressed text can only be
    read sequentially, by one rank.

    Parameters
    ----------
    path : path-like
        A file, a folder of Parquet files, or a pattern, as for `boruvka.stream.minimum_spanning_forest`.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    memory : int or str, optional
        Memory limit of this rank; by default three quarters of the available memory, divided by the number of
        ranks on the machine.
    maximum : bool
        Whether a maximum spanning forest is to be found.
    threads : int, optional
        Number of threads of each rank; by default the cores of a machine divided by its ranks.
    **how
        As for `boruvka.read`.

    Returns
    -------
    StreamedPart

    Raises
    ------
    FileError, FormatError, OptionError, GraphError, GraphTypeError, MissingExtraError
        As for `boruvka.stream.minimum_spanning_forest`, on all ranks if one rank fails.
    """
    communicator = Communicator(MPI.COMM_WORLD if comm is None else comm, RoundLog())
    communicator.round_log.begin("read", 0, 0)
    with abort_on_error(communicator):
        ranks_here = ranks_on_this_machine(communicator.comm)

        def open_it() -> tuple[EdgeSource, int, int, bool]:
            is_maximum, size = flag("maximum", maximum), parse_memory(memory)
            size = int(SHARE * available_memory() / ranks_here) if size is None else size
            source = open_source(path, how)
            if source.has_names:
                source.close()
                raise FormatError(
                    f"{source.name}: vertices have names, which ranks do not number: solve it on one"
                )
            return source, size, threads_of_rank(threads, ranks_here), is_maximum

        source, size, count, is_maximum = run_locally(communicator, open_it)
        with closing(source):
            return _stream(communicator, source, size, is_maximum, count)


def _stream(
    communicator: Communicator, source: EdgeSource, memory: int, maximum: bool, threads: int
) -> StreamedPart:
    passed = PassProgress.nothing(source.chunks)
    passed.complete[:] = True
    passed.complete[FileChunk(communicator.rank, communicator.size).edge_range(source.chunks)] = False

    def keep_forest() -> StreamedForest:
        budget = MemoryBudget.of(source, memory, threads)
        forest = StreamedForest(source.n or 0, maximum, budget.max_pending, threads)
        read_all_edges(source, forest, Numbering(), passed, threads)
        return forest

    forest = run_locally(communicator, keep_forest)
    counts = communicator.all_gather_number(int(passed.rows.sum()))
    m, before = int(counts.sum()), int(counts[: communicator.rank].sum())
    run_locally(communicator, lambda: source.check_count(m))
    notes = communicator.all_reduce_sum(passed.notes)
    if communicator.rank == 0:
        Notes(*notes.tolist()).warn(m, source.costs)
    n = communicator.max_of(forest.n) if source.n is None else source.n
    types = communicator.comm.allgather(None if forest.dtype is None else forest.dtype.str)

    def kept_edges() -> StreamedPart:
        edges = numbered(forest.kept(source.weight_type), passed.rows)
        try:
            dtype = reduce(
                common_type, [np.dtype(kind) for kind in types if kind is not None] or [edges.w.dtype]
            )
            graph = Graph(n, edges.u, edges.v, converted(edges.w, dtype))
            return StreamedPart(graph.with_first_id(source.first_id), edges.indices + before, m)
        except GraphError as error:
            raise FormatError(f"{source.name}: {error}") from None

    return run_locally(communicator, kept_edges)
