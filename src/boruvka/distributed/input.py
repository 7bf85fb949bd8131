"""Input on ranks: every rank reads, streams or generates its part of the edges of a graph."""

from __future__ import annotations

import os
from contextlib import closing
from functools import reduce
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.collective_errors import abort_on_error, collective_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.spanning_forest import threads_of_rank
from boruvka.errors import FormatError, GraphError
from boruvka.formats import read_chunk
from boruvka.formats.edge_file import EdgeBatch, FileChunk
from boruvka.formats.edge_table import ReadOptions, implied_n
from boruvka.formats.files import file_name
from boruvka.formats.reading import refuse_columns
from boruvka.generators import kronecker_edges
from boruvka.generators.edges import Kind, Type
from boruvka.graph.exact import common_type, converted
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import warn_of_similarities
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime import arguments
from boruvka.runtime.arguments import flag
from boruvka.stream.edge_pass import EdgePass, PassProgress, StreamedForest, numbered
from boruvka.stream.memory import SHARE, MemoryBudget, available_memory, parse_memory
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource


def read(
    path: str | bytes | os.PathLike[Any], comm: Any = None, **read_options: Unpack[ReadOptions]
) -> Graph:
    """Read this rank's part of the graph in a file that all ranks can open; all ranks must call it.

    The parts are in the order of the file, so that edges have the same indices as with `boruvka.read`. No
    rank reads the whole file, unless it is compressed, names its vertices, or is of a format that cannot be
    read in chunks (see `boruvka.formats.read_chunk`).

    Parameters
    ----------
    path : path-like
        The file.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    **read_options
        As for `boruvka.read`.

    Returns
    -------
    Graph
        The edges of this rank, between vertices of the whole graph.

    Raises
    ------
    FormatError, FileError, OptionError, GraphError
        As for `boruvka.read`, on all ranks if one rank fails.
    """
    with abort_on_error(Communicator(comm, "read")) as communicator:
        name, chunk = file_name(path), _chunk_of(communicator)
        edges = run_locally(communicator, lambda: read_chunk(path, chunk, **read_options))
        m = communicator.sum_of(edges.w.size)
        if edges.m is not None and edges.m != m:
            raise collective_error(FormatError(f"{name}: announces {edges.m} edges, but the file holds {m}"))
        dtype = edges.w.dtype if edges.w.size else None
        return _graph(communicator, name, edges, m, implied_n(edges.u, edges.v), dtype)


class StreamedPart(NamedTuple):
    """The forest of the edges of one rank, which replaces them (cycle property)."""

    graph: Graph
    """Its edges, between vertices of the whole graph."""
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
    **read_options: Unpack[ReadOptions],
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
    **read_options
        As for `boruvka.read`.

    Returns
    -------
    StreamedPart

    Raises
    ------
    FileError, FormatError, OptionError, GraphError, GraphTypeError, MissingExtraError
        As for `boruvka.stream.minimum_spanning_forest`, on all ranks if one rank fails.
    """
    with abort_on_error(Communicator(comm, "read")) as communicator:
        ranks_here = communicator.ranks_on_this_machine()

        def open_it() -> tuple[EdgeSource, int, int, bool]:
            is_maximum, size = flag("maximum", maximum), parse_memory(memory)
            size = int(SHARE * available_memory() / ranks_here) if size is None else size
            refuse_columns(read_options.get("keep"))
            source = open_source(path, read_options)
            if source.has_names:
                source.close()
                raise FormatError(
                    f"{source.name}: vertices have names, which ranks do not number: solve it on one"
                )
            warn_of_similarities(source.weight_column, is_maximum or communicator.rank > 0)
            return source, size, threads_of_rank(threads, ranks_here), is_maximum

        source, size, count, is_maximum = run_locally(communicator, open_it)
        with closing(source):
            return _stream(communicator, source, size, is_maximum, count)


def _stream(
    communicator: Communicator, source: EdgeSource, memory: int, maximum: bool, threads: int
) -> StreamedPart:
    passed = PassProgress.nothing(source.chunks)
    passed.complete[:] = True
    passed.complete[_chunk_of(communicator).edge_range(source.chunks)] = False

    def keep_forest() -> StreamedForest:
        budget = MemoryBudget.of(source, memory, threads)
        forest = StreamedForest(source.n or 0, maximum, budget.max_pending, threads)
        EdgePass(source, forest, Numbering(), passed).run(threads)
        return forest

    forest = run_locally(communicator, keep_forest)
    counts = communicator.all_gather_number(int(passed.rows.sum()))
    m, before = int(counts.sum()), int(counts[: communicator.rank].sum())
    run_locally(communicator, lambda: source.check_count(m))
    kept = numbered(forest.kept(source.weight_type), passed.rows)
    row_counts = RowCounts(*passed.row_counts.tolist())
    edges = EdgeBatch(kept.u, kept.v, kept.w, n=source.n, first_id=source.first_id, row_counts=row_counts)
    edges = edges._replace(costs=source.costs)
    graph = _graph(communicator, source.name, edges, m, forest.n, forest.dtype)
    return StreamedPart(graph, kept.indices + before, m)


def _chunk_of(communicator: Communicator) -> FileChunk:
    """Return the chunk of the edges, or of the chunks of a source, that this rank reads."""
    return FileChunk(communicator.rank, communicator.size)


def _graph(
    communicator: Communicator, name: str, edges: EdgeBatch, m: int, implied_n: int, dtype: np.dtype | None
) -> Graph:
    """Make the graph of the edges of this rank, and let the first rank warn of what all of them left out.

    Parameters
    ----------
    communicator : Communicator
    name : str
        The name of the file, for errors.
    edges : EdgeBatch
        The edges of this rank.
    m : int
        Number of edges of all ranks.
    implied_n : int
        One more than the largest vertex that this rank read: the number of vertices if the file states none.
    dtype : dtype, optional
        The type of the weights that this rank read, None if there were none. The weights of all ranks get a
        common type.
    """
    row_counts = communicator.all_reduce_sum(np.array(edges.row_counts))
    if communicator.rank == 0:
        RowCounts(*row_counts.tolist()).warn(m, edges.costs)
    n = communicator.max_of(implied_n) if edges.n is None else edges.n
    types = communicator.comm.allgather(None if dtype is None else dtype.str)

    def make_graph() -> Graph:
        known = [np.dtype(kind) for kind in types if kind is not None]
        try:
            w = converted(edges.w, reduce(common_type, known or [edges.w.dtype]))
            graph = Graph.from_edges(edges.u, edges.v, w, n=n, names=edges.names)
        except GraphError as error:
            raise FormatError(f"{name}: {error}") from None
        return graph.with_first_id(edges.first_id or 0)

    return run_locally(communicator, make_graph)


def kronecker(
    scale: int = 16,
    edge_factor: int = 16,
    comm: Any = None,
    *,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate this rank's part of a Kronecker graph; the graph does not depend on the number of ranks.

    Parameters
    ----------
    scale, edge_factor : int
        As for `boruvka.generators.kronecker`.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    seed, weights, dtype
        As for `boruvka.generators.kronecker`.

    Returns
    -------
    Graph
        The edges of this rank, between vertices of the whole graph.

    Raises
    ------
    OptionError
        As for `boruvka.generators.kronecker`; only this rank's part must fit into memory.
    """
    communicator = Communicator(comm, "generate")

    def generate() -> Graph:
        factor = arguments.integer("edge_factor", edge_factor, 1, 2**20)
        m = factor << arguments.integer("scale", scale, 0, 40)
        own = _chunk_of(communicator).edge_range(m)
        u, v, w = kronecker_edges(scale, edge_factor, seed, own.start, own.stop, weights=weights, dtype=dtype)
        return Graph(2**scale, u, v, w)

    with abort_on_error(communicator):
        return run_locally(communicator, generate)
