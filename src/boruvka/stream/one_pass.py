"""The minimum spanning forest of streamed edges, in memory for the vertices only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.run import solve_graph
from boruvka.backends import get_backend
from boruvka.backends.memory_pool import release_memory
from boruvka.errors import FileError, FormatError, GraphError, OptionError, warn
from boruvka.formats.binary.frames import joined
from boruvka.formats.edge_file import NamedEdgeBatch
from boruvka.formats.edge_table import ReadOptions
from boruvka.formats.files import is_stream
from boruvka.graph.graph import Graph
from boruvka.graph.labels import take_rows
from boruvka.graph.validation import check_maximum
from boruvka.interop.column_names import warn_of_similarities
from boruvka.interop.data_frames import SourceTable
from boruvka.interop.missing_values import RowCounts
from boruvka.operators.counter_rng import mix
from boruvka.runtime.arguments import argument, flag, one_of
from boruvka.runtime.libraries import pl
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import Listener, is_listening, listening, report
from boruvka.runtime.round_log import Round, SolveRecord
from boruvka.stream.checkpoint import Checkpoint
from boruvka.stream.edge_pass import EdgePass, PassProgress, StreamedForest, numbered
from boruvka.stream.memory import MemoryBudget, TooLittleMemory, as_text, parse_memory, used_memory
from boruvka.stream.numbering import Numbering, copied
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource
from boruvka.stream.streamed_graph import StreamedGraph, warn_of_streamed_ids
from boruvka.trees.forest import Forest

SECONDS_BETWEEN_CHECKPOINTS, SECONDS_WITHOUT_CHECKPOINT = 5.0, 30.0
"""Minimum and approximate maximum seconds between two checkpoints. At the maximum, the pending edges are
merged before saving."""
NOTHING_SAVED = "nothing was saved yet, and the same command starts over"
SMALLEST = 1 << 16
"""Number of the smallest hashes of names that are kept. If there are more names, the error of their estimated
number has a standard deviation of ``SMALLEST ** -0.5``, or 0.4 %."""
MARGIN = 1.02
"""Factor by which an estimated number of vertices is raised, so that it is hardly ever too low."""


def minimum_spanning_forest(
    source: Any,
    /,
    *,
    memory: int | str | None = None,
    maximum: bool = False,
    threads: int | None = None,
    backend: str = "threads",
    checkpoint: Any = None,
    progress: bool | Listener = False,
    **read_options: Unpack[ReadOptions],
) -> Forest:
    """Find the minimum spanning forest of a graph whose edges do not fit the memory.

    All edges are read once. Memory holds the forest of the edges read so far, a filter of one byte per
    vertex, and a buffer of pending edges. The forest is exactly that which `boruvka.minimum_spanning_forest`
    finds of the same edges in memory.

    Parameters
    ----------
    source : object
        A file: Parquet, or one of tables, edge lists, DIMACS (also compressed) and npz; a folder of Parquet
        files, or a pattern such as ``"edges/*.parquet"``, whose edges are numbered in the order of the names
        of the files; a reader, table or dataset of Arrow, a frame of polars (also lazy) or pandas, a relation
        of DuckDB; a binary file object, with its format; or an iterator of batches ``(u, v, w)``.
    memory : int or str, optional
        Memory limit of the whole process, in bytes or as "2G"; by default three quarters of the available
        memory.
    maximum : bool
        Find a maximum spanning forest instead; equal weights are still ordered by ascending index.
    threads : int, optional
        Number of threads; by default one for each core.
    backend : "threads" or "cuda"
        With "cuda", a GPU drops edges and merges the others into the forest; it needs memory for some edges a
        vertex.
    checkpoint : path-like, optional
        Checkpoint folder. If it holds a checkpoint of the same files and options, the solve resumes from it,
        and reads only what has not been read. The first event of its progress says where.
        The state stays when the forest is complete, so that the same call returns it again at once: when the
        forest is written, remove the state by `boruvka.stream.remove_checkpoint`.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.
    **read_options
        How to read a file or a table, as for `boruvka.read`: format, columns, header, one_based, n,
        unweighted, names, missing, default, bad_rows, keep. With ``keep``, files are read once more for these
        columns, whose values for the edges of the forest must fit the memory, too.

    Returns
    -------
    Forest
        Its graph holds the edges of the forest alone. Its ``rounds`` are the merges of pending edges into the
        forest; the rest of its ``seconds`` is spent on reading. Names of vertices are in a temporary file:
        ``forest.graph.name_of`` reads some, ``forest.graph.names`` all of them.

    Raises
    ------
    FileError
        The file cannot be read, the memory is too small for the vertices, or the checkpoint is damaged or of
        another input.
    FormatError
        The file is malformed, or of a format that cannot be read in chunks.
    GraphError, GraphTypeError, OptionError
        As for `boruvka.minimum_spanning_forest`.
    MissingExtraError
        pyarrow, which reads Parquet, is not installed.

    Warns
    -----
    GraphWarning
        A checkpoint of compressed text saves hardly any time: it is read again as a whole. Or names or ids
        may mean something else, as for `boruvka.read`; of more than 50,000 names, a sample is compared.

    Examples
    --------
    >>> import numpy as np
    >>> from boruvka import stream
    >>> batches = (tuple(np.random.default_rng(k).integers(0, 9, (3, 100))) for k in range(5))
    >>> forest = stream.minimum_spanning_forest(batches)
    >>> forest.graph.m, forest.n_components
    (500, 1)
    """
    request = StreamRequest(
        memory=parse_memory(memory),
        maximum=flag("maximum", maximum),
        threads=thread_count(threads),
        checkpoint=checkpoint,
        progress=progress,
        read_options=read_options,
        backend=one_of("backend", backend, ("threads", "cuda")),
    )
    return find_forest(source, request)


def find_forest(source: Any, request: StreamRequest) -> Forest:
    """Implement `minimum_spanning_forest`."""
    begin = time.perf_counter()
    options = request.read_options
    if keep := options.get("keep"):
        if is_stream(source):
            raise OptionError(f"{argument('keep')} reads the edges again: write them to a file")
        open_source(source, options).close()  # an error about its columns comes first
    request = request._replace(read_options={name: options[name] for name in options if name != "keep"})
    get_backend(request.backend, request.threads)  # raises an error if it cannot run
    try:
        found, rounds = _find(source, request)
    except TooLittleMemory as error:
        refused = error.with_traceback(None)  # which holds what was in memory
    else:
        seconds = time.perf_counter() - begin
        record = SolveRecord("stream", request.backend, request.threads, rounds, seconds)
        if keep:
            frame = _kept_columns(source, options, found, request.memory)
            table = SourceTable(frame.to_dict(), list(found.annotations.columns), None, found.kept.indices)
            found = found.annotated(table=table, keep=tuple(frame.columns))
        return Forest(found, found.kept.indices, request.maximum, record=record, _is_optimal=True)
    with closing(open_source(source, request.read_options)) as edges_source, listening(request.progress):
        if edges_source.identity() is not None:  # an iterator cannot be read again
            refused.budget.max_pending(count_vertices(edges_source))  # the error says how much they need
    raise refused


def _find(source: Any, request: StreamRequest) -> tuple[StreamedGraph, tuple[Round, ...]]:
    with closing(open_source(source, request.read_options)) as edges_source:
        check_maximum(edges_source.written_as, request.maximum)
        request.on_open(edges_source)
        with _checkpoint(edges_source, request) as checkpoint:
            return _Pass(edges_source, request, checkpoint).run()


def _kept_columns(source: Any, options: Mapping[str, Any], graph: StreamedGraph, memory: int | None) -> Any:
    """Make a frame of the columns that ``keep`` names, for the edges of a forest, in another pass."""
    edges, first = graph.kept.indices, 0
    parts = list[Any]()
    with closing(open_source(source, options)) as opened:
        for batch in opened.read_all():
            begin, end = np.searchsorted(edges, [first, first + batch.w.size])
            rows, kept = edges[begin:end] - first, batch.kept or {}
            columns = (pl.Series(name, take_rows(column, rows)) for name, column in kept.items())
            parts.append(pl.DataFrame(list(map(copied, columns))))
            first += batch.w.size
            report("read", first, graph.m, "edges")
            if memory is not None and used_memory() > memory:
                keep = argument("keep", ",".join(kept))
                needed = used_memory() + sum(x.estimated_size() for x in parts) * (graph.m - first) // first
                way = f"keep fewer columns, or pass at least {argument('memory', as_text(needed))}"
                raise FileError(f"{opened.name}: {keep} does not fit the memory: {way}")
    if first != graph.m:
        raise FormatError(f"{opened.name}: was changed while it was read")
    parts = parts or [pl.DataFrame()]
    return joined(parts, [opened.name] * len(parts))


def count_vertices(source: EdgeSource) -> int:
    """Count the vertices of a source in little memory; the number of names is an estimate.

    Source: Z. Bar-Yossef, T. Jayram, R. Kumar, D. Sivakumar, L. Trevisan, Counting Distinct Elements in a
    Data Stream, RANDOM 2002, section 2: the k-th smallest of n uniform hashes is about k / n.
    """
    n, hashes, done = source.n or 0, np.empty(0, np.uint64), 0
    for rows in source.read_all():
        if isinstance(rows, NamedEdgeBatch):
            for ends in rows.u, rows.v:
                is_integer = ends.dtype.is_integer()
                more = mix(ends.to_numpy().view(np.uint64)) if is_integer else ends.hash().to_numpy()
                hashes = _smallest(hashes, more)
        else:
            n = max(n, rows.largest + 1)
        done += rows.size
        report("read", done, source.size or None, "bytes")
    if hashes.size < SMALLEST:
        return max(n, hashes.size)
    return int(MARGIN * SMALLEST * 2.0**64 / float(hashes[-1]))


def _smallest(hashes: NDArray[np.uint64], more: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if hashes.size == SMALLEST:
        more = more[more < hashes[-1]]
    return np.unique(np.concatenate([hashes, more]))[:SMALLEST]


class StreamRequest(NamedTuple):
    """The arguments of `minimum_spanning_forest`."""

    memory: int | None
    maximum: bool
    threads: int
    checkpoint: Any
    progress: bool | Listener
    read_options: Mapping[str, Any]
    backend: str = "threads"
    on_open: Callable[[EdgeSource], object] = lambda source: None
    """Called with the open source, before its edges are read."""
    on_resume: Callable[[int, str], object] = lambda rows, message: None
    """Called with the number of edges that were read before a checkpoint, and a message that says so."""


class _Pass:
    """A pass over the edges of a source, which saves its state from time to time, and at the end."""

    def __init__(self, source: EdgeSource, request: StreamRequest, checkpoint: Checkpoint | None):
        self._source, self._request, self._checkpoint = source, request, checkpoint
        solve_graph(Graph.from_edges([0], [1], [1.0]))  # loads code, whose memory is part of what is used
        self._budget = MemoryBudget.of(source, request.memory, request.threads)
        self._numbering = Numbering(None if self._checkpoint is None else self._checkpoint.names_path)
        self._forest = StreamedForest(
            source.n or 0, request.maximum, self._budget.max_pending, request.threads, request.backend
        )
        self._passed = PassProgress.nothing(source.chunks)
        if self._checkpoint is not None:
            self._passed = self._checkpoint.load(self._forest, self._numbering, self._passed)
        self._saved, self._saved_rows = time.monotonic(), self._rows

    def run(self) -> tuple[StreamedGraph, tuple[Round, ...]]:
        """Return the graph, with the edges of the forest alone, and the merges of pending edges."""
        with listening(self._request.progress), self._saying_what_is_saved():
            if self._rows:
                self._tell_resumed()
            edge_pass = EdgePass(self._source, self._forest, self._numbering, self._passed)
            edge_pass.run(self._request.threads, self._after_batch)
        m = self._rows
        self._source.check_count(m)
        row_counts = RowCounts(*self._passed.row_counts.tolist())
        row_counts.warn(m, self._source.costs)
        warn_of_similarities(self._source.weight_column, self._request.maximum)
        self._save()
        graph = self._graph().annotated(row_counts=row_counts.found)
        names = None if graph.stored_names is None else graph.stored_names.batches()
        warn_of_streamed_ids(graph, names, self._source.ids_are_stated)
        return graph, tuple(self._forest.round_log.rounds)

    @contextmanager
    def _saying_what_is_saved(self) -> Iterator[None]:
        """Add a note to an interruption that says where the next solve resumes."""
        try:
            yield
        except KeyboardInterrupt as error:
            if self._checkpoint is not None:
                saved = f"{self._saved_rows:,} edges are saved in {self._checkpoint.path.parent}"
                error.add_note(
                    f"{saved}: the same command resumes there" if self._saved_rows else NOTHING_SAVED
                )
            raise

    def _graph(self) -> StreamedGraph:
        source, m = self._source, self._rows
        edges, names = numbered(self._forest.kept(source.weight_type), self._passed.rows), None
        n = self._forest.n if source.n is None else source.n
        if source.has_names:
            n, names = len(self._numbering), self._numbering.names
            numbers = self._numbering.finish()
            edges = edges._replace(u=numbers[edges.u], v=numbers[edges.v])
            names.check_room = partial(self._budget.check_room_for_names, n)
            if source.may_be_integers:
                names.read_as_integers()
            release_memory()  # writers need some
        return StreamedGraph(n, m, edges, source.name, names, source.first_id)

    @property
    def _rows(self) -> int:
        """Number of edges that were read."""
        return int(self._passed.rows.sum())

    def _tell_resumed(self) -> None:
        """Report how many edges a checkpoint has, so that the solve resumes there."""
        source, rows, total = self._source, self._rows, f"{self._source.m or self._rows:,}"
        if source.m is None and not self._passed.complete.all():
            estimate = rows * source.size // max(int(self._passed.bytes_read[0]), 1)
            total = f"about {estimate / 1e6:,.0f}M" if estimate >= 1e6 else f"about {estimate:,}"
        message = f"resumed at {rows:,} of {total} edges"
        if source.is_sequential and not self._passed.complete.all():
            self._passed.bytes_read[0] = 0
            message += "; compressed text is decompressed again up to there"
        self._request.on_resume(rows, message)
        self._report(message)

    def _report(self, detail: str) -> None:
        source, done = self._source, int(self._passed.bytes_read[0])
        if source.m and not source.is_sequential:  # chunks that are skipped have edges, too
            done = source.size * self._rows // source.m
        report("solve", done, source.size or None, "bytes", detail=detail)

    def _after_batch(self, is_merged: bool) -> None:
        """Report progress, and save the state from time to time."""
        if is_listening():
            self._report(f"{self._rows:,} edges, {self._forest.m:,} kept")
        if self._checkpoint is None:
            return
        seconds = time.monotonic() - self._saved
        if not is_merged and seconds > SECONDS_WITHOUT_CHECKPOINT:
            self._forest.merge_pending()
            is_merged = True
        if is_merged and seconds > SECONDS_BETWEEN_CHECKPOINTS:
            self._save()

    def _save(self) -> None:
        if self._checkpoint is not None and self._forest.m:
            self._checkpoint.save(self._forest, self._numbering, self._passed)
            self._saved, self._saved_rows = time.monotonic(), self._rows


@contextmanager
def _checkpoint(source: EdgeSource, request: StreamRequest) -> Iterator[Checkpoint | None]:
    """Open the folder that was asked for."""
    if request.checkpoint is None:
        yield None
        return
    identity = source.identity()
    if identity is None:
        raise GraphError(
            f"{argument('checkpoint')} is for files: {source.name} cannot be read again from a place"
        )
    options = sorted(request.read_options.items())
    if source.is_sequential:
        warn(
            f"{source.name} is compressed, and can only be read from its beginning: a solve that is stopped "
            "reads all of it again, and a checkpoint saves hardly any time; decompress it first"
        )
    of_source, of_options = repr((identity, source.chunks)), repr((request.maximum, options))
    with closing(Checkpoint(request.checkpoint, of_source, of_options)) as checkpoint:
        yield checkpoint
