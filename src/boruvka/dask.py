"""Minimum spanning forests of edges on Dask: of a dask DataFrame, or of Parquet files that tasks read.

The name of this module does not shadow the library: ``import dask`` imports Dask everywhere.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import Any

from boruvka.interop.column_names import columns_by_role, roles_of_columns
from boruvka.runtime.libraries import pa, pd, require
from boruvka.runtime.processors import UNLIMITED
from boruvka.stream.remote.frame_forest import FrameForest, RemoteEdges, RowGroups
from boruvka.stream.remote.names import merged, names_of_part
from boruvka.stream.remote.reading import Batches
from boruvka.stream.remote.tasks import Engine, Task, run_task, workers_ended

__all__ = ["FrameForest", "minimum_spanning_forest"]

ROWS_AT_ONCE = 1 << 18
"""Rows of a partition that are processed at once."""
MERGED_AT_ONCE = 4
"""Tables of names that a task merges."""
ROWS_OF_PARTITION = 1 << 20
"""Rows of a partition of a result."""


def minimum_spanning_forest(
    frame: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    columns: str | Sequence[str | None] | None = None,
    index: str | None = None,
    maximum: bool = False,
    n: int | None = None,
    names: bool | None = None,
    missing: str = "error",
    default: float | None = None,
    client: Any = None,
) -> FrameForest:
    """Find the minimum spanning forest of edges on Dask.

    The forest is exactly the one that `boruvka.minimum_spanning_forest` finds in memory: edges are ordered by
    (weight, index), where the index of an edge is its row in the order of the partitions. Workers read their
    edges three times (four times with names) and send few to this process, which needs about 150 bytes a
    vertex; for more vertices than fit in its memory use `boruvka.distributed`.

    Lost workers do not change the result: Dask repeats their tasks. If the rows of a partition come in
    another order when it is computed again, as after a shuffle, an error is raised; use ``index`` for such
    frames. If computing the partitions takes long, pass ``frame.persist()``.

    Parameters
    ----------
    frame : dask DataFrame or path-like
        The edges, a row each; or a Parquet file, a folder of such files, or a pattern. Tasks read the row
        groups of files themselves, so all workers need access to them. Edges in files are numbered in the
        order of the files' names, then of their rows.
    source, target : str, optional
        The columns of the ends: integers, strings, or any type of Arrow and polars except floats. By default
        columns with known names, as for `boruvka.as_graph`.
    weight : str, optional
        The column of weights, integers or floats of up to 64 bits; by default one with a known name.
    columns : sequence of str, optional
        All three instead, as ``("u", "v", "km")``; one name is the column of weights.
    index : str, optional
        A column of unique integers, the indices of the edges; for frames.
    maximum : bool
        Find a maximum spanning forest instead; equal weights are still ordered by ascending index.
    n : int, optional
        Number of vertices, if ids are numbers from 0; by default one more than the largest.
    names : bool, optional
        True if integers are names, too, so that only those that occur are vertices: large ids with gaps, or
        negative ones. Names are numbered in the order in which they first appear as u, then as v.
    missing : str
        The rule for rows that have no end or no weight: "error", or "drop" to leave them out; edges are then
        numbered without them.
    default : number, optional
        The weight of edges that have none.
    client : distributed.Client, optional
        The cluster; by default the current client, or if there is none, Dask's scheduler in this process.

    Returns
    -------
    FrameForest
        Its ``edges`` and ``clusters`` are dask DataFrames, whose rows are on workers of the client: if one is
        lost, ask for the frame again.

    Raises
    ------
    GraphError, GraphTypeError, FormatError
        The values do not make a graph (one is missing, for example), or rows changed between passes.
    FileError
        A file cannot be read.
    OptionError
        There is no such column, or none has a known name.
    BackendError
        Workers end again and again, as they do for want of memory.
    MissingExtraError
        Dask is not installed.

    Warns
    -----
    GraphWarning
        Rows are left out, or a cost is negative beside a column reverse_cost.
    """
    dd = require("dask.dataframe", "dask")
    client = _current_client() if client is None else client
    wanted, how = roles_of_columns(columns_by_role(locals())), {"missing": missing, "default": default}
    edges = RemoteEdges.of(frame, "dask DataFrame", "to_delayed", wanted, index, names, **how)
    parts = frame[edges.columns.read].to_delayed() if edges.files is None else edges.files.parts

    def make_frame(table: pa.Table) -> Any:
        made = dd.from_pandas(table.to_pandas(), npartitions=table.num_rows // ROWS_OF_PARTITION + 1)
        if client is None:
            return made
        # Whoever computes the frame would send its rows with the graph, each time.
        partitions = require("dask", "dask").compute(*made.to_delayed(), scheduler="synchronous")
        return dd.from_delayed(client.scatter(partitions), meta=made._meta, divisions=made.divisions)

    return edges.solve(Dask(client, parts), make_frame, maximum=maximum, n=n, names=names)


class Dask(Engine):
    """Dask as an engine.

    Parameters
    ----------
    client : distributed.Client or None
        The cluster; None for Dask's scheduler in this process.
    parts : list of RowGroups or of delayed partitions
        The parts.
    """

    name = "dask"

    def __init__(self, client: Any, parts: list[Any]):
        self.parts, self._client, self._parts = len(parts), client, parts

    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part; results come to this process one after the other."""
        dask = require("dask", "dask")
        if self._client is None:
            run = dask.delayed(partial(_run, task, shared), pure=False)
            yield from dask.compute(*(run(k, part) for k, part in enumerate(self._parts)))
            return
        known = self._send(shared)
        run = dask.delayed(partial(_run, task), pure=False)
        futures = self._start([run(known, k, part) for k, part in enumerate(self._parts)])
        done = require("distributed", "dask").as_completed(futures)
        del futures
        for future in done:
            with _naming_memory():
                result = future.result()
            yield result

    def collect_names(self, shared: Any) -> pa.Table:
        """Merge the names of all parts on workers, a few tables at a time."""
        dask = require("dask", "dask")
        known = shared if self._client is None else self._send(shared)
        run, merge = (dask.delayed(task, pure=False) for task in (_names, _merged))
        tables = [merge([]), *(run(known, k, part) for k, part in enumerate(self._parts))]
        while len(tables) > 1:
            tables = [merge(tables[i : i + MERGED_AT_ONCE]) for i in range(0, len(tables), MERGED_AT_ONCE)]
        if self._client is None:
            return pickle.loads(tables[0].compute())
        with _naming_memory():
            return pickle.loads(self._start(tables[0]).result())

    def _start(self, tasks: Any) -> Any:
        """Start tasks on workers; return their futures.

        If a frame was made of data in this process, its rows are in the graph of tasks, of which Dask would
        warn. They stay there, so that tasks can be repeated: rows that are scattered are lost with a worker.
        """
        config = require("dask.config", "dask")
        with config.set({"distributed.admin.large-graph-warning-threshold": UNLIMITED}):
            return self._client.compute(tasks)

    def _send(self, shared: Any) -> Any:
        """Return a task that others get something from; it is pickled, as Dask would split a named tuple.

        Dask repeats a task whose result is lost with a worker. It may wait for ever for what is scattered to
        all workers while one of them ends.
        """
        return require("dask", "dask").delayed(pickle.loads, pure=False)(pickle.dumps(shared, 5))


def _run(task: Task, shared: Any, part: int, rows: Any) -> tuple[int, Any]:
    """Run a task on a worker."""
    read = rows.read if isinstance(rows, RowGroups) else partial(_batches, rows, part)
    return part, run_task(task, part, read, shared)


def _names(shared: Any, part: int, rows: Any) -> bytes:
    """List the names of a part on a worker; pickled, because Dask would not align the buffers of Arrow."""
    return pickle.dumps(_run(names_of_part, shared, part, rows)[1], 5)


def _merged(tables: list[bytes]) -> bytes:
    return pickle.dumps(merged([pickle.loads(table) for table in tables]), 5)


def _batches(partition: pd.DataFrame, part: int, columns: list[str]) -> Batches:
    for first in range(0, len(partition), ROWS_AT_ONCE):
        some = partition.iloc[first : first + ROWS_AT_ONCE]
        table = pa.Table.from_pandas(some, columns=columns, preserve_index=False)
        for batch in table.combine_chunks().to_batches():  # columns of texts may have several chunks
            yield f"partition {part}, rows from {first:,} on", batch


@contextmanager
def _naming_memory() -> Iterator[None]:
    """Raise an error that names the memory if a task failed with its workers, or for what they had lost."""
    try:
        yield
    except (require("distributed", "dask").KilledWorker, CancelledError, MemoryError):
        raise workers_ended("Dask", "memory_limit of the cluster", "threads_per_worker") from None


def _current_client() -> Any:
    try:
        return require("distributed", "dask").default_client()
    except ValueError:  # there is none
        return None
