"""Minimum spanning forests of edges on Spark: of a DataFrame, or of Parquet files that tasks read."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from boruvka.errors import OptionError
from boruvka.interop.column_names import columns_by_role, roles_of_columns
from boruvka.runtime.libraries import pa, require
from boruvka.stream.remote.frame_forest import FrameForest, RemoteEdges, RowGroups
from boruvka.stream.remote.names import KEYS, PLACES, NamesRequest, names_of_part
from boruvka.stream.remote.reading import Batches
from boruvka.stream.remote.tasks import Engine, Task, run_task, workers_ended

__all__ = ["FrameForest", "minimum_spanning_forest"]

ROWS_AT_ONCE = 1 << 18
"""Rows of a partition that are processed at once; Spark's batches have 10,000."""
BYTES_AT_ONCE = 1 << 28
"""Bytes of workers' answers that are fetched to this process at once."""
SIGNS_OF_LOST_WORKERS = "Python worker exited unexpectedly", "ExecutorLostFailure", "MemoryError"
"""Parts of Spark's messages where processes of workers ended, or had no memory."""
TASKS_PER_CORE = 2
"""Spark tasks per core for row groups of files; each task has an overhead of 50 ms."""


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
    session: Any = None,
) -> FrameForest:
    """Find the minimum spanning forest of edges on Spark.

    The forest is exactly the one that `boruvka.minimum_spanning_forest` finds in memory for the same edges,
    ordered by (weight, index). Workers read their edges three times (four times with names) and send few
    to the driver, which needs about 150 bytes a vertex; for more vertices than fit in its memory use
    `boruvka.distributed`.

    The index of an edge is the number in the column ``index``. Without one it is the row in the order of the
    partitions, as `RDD.zipWithIndex` counts. Spark keeps this order as long as a plan only reads and filters
    files or a table; after a shuffle (a join, `repartition`, `distinct`) rows may come in another order each
    time. This is detected, also if Spark repeats the task of a lost worker, and raises an error; a wrong
    forest is never returned. For such frames name an ``index``, such as a number that was written with the
    edges (not `monotonically_increasing_id`, which changes with the order), or write the frame to files.

    Parameters
    ----------
    frame : Spark DataFrame or path-like
        The edges, a row each, in a classic session (not Spark Connect); or a Parquet file, a folder of such
        files, or a pattern. Tasks read the row groups of files themselves, which is faster than a frame, so
        all workers need access to them. Edges in files are numbered in the order of the files' names, then
        of their rows.
    source, target, weight, columns, index, maximum, n, names, missing, default
        The columns of edges, and how rows become edges, as for `boruvka.dask.minimum_spanning_forest`.
    session : SparkSession, optional
        The session that reads files; by default the active one. A DataFrame has its own.

    Returns
    -------
    FrameForest
        Its ``edges`` and ``clusters`` are Spark DataFrames.

    Raises
    ------
    GraphError, GraphTypeError, FormatError, FileError, OptionError
        As for `boruvka.dask.minimum_spanning_forest`; or there is no session, or one is
        passed beside a DataFrame.
    BackendError
        Workers end again and again, as they do for want of memory.
    MissingExtraError
        PySpark is not installed.

    Notes
    -----
    Workers must run the driver's version of Python: set ``PYSPARK_PYTHON`` if their default is another.
    In local mode Spark repeats a failed task only if the master says how often, as ``local[2,4]`` does.
    """
    sql = require("pyspark.sql", "spark")
    wanted, how = roles_of_columns(columns_by_role(locals())), {"missing": missing, "default": default}
    edges = RemoteEdges.of(frame, "Spark DataFrame", "mapInArrow", wanted, index, names, **how)
    chosen, files = edges
    if files is None:
        if session is not None:
            raise OptionError("session is for files: a DataFrame has its session, so leave out session")
        session = frame.sparkSession
        # Tasks give the columns their names again: mapInArrow rejects names with dots.
        selected = frame.selectExpr(*(f"{_quoted(name)} AS c{k}" for k, name in enumerate(chosen.read)))
        engine = Spark(
            session, selected, columns=chosen.read, parts=None, id_type=lambda: selected.schema[0].dataType
        )
    else:
        session = session or sql.SparkSession.getActiveSession()
        if session is None:
            raise OptionError("there is no active Spark session: make one, or pass session")
        file = files.files[0]
        engine = Spark(
            session,
            None,
            columns=[],
            parts=files.parts,
            id_type=lambda: session.read.parquet(file).schema[chosen.u].dataType,
        )
    return edges.solve(engine, session.createDataFrame, maximum=maximum, n=n, names=names)


class Spark(Engine):
    """Spark as an engine.

    Parameters
    ----------
    session : SparkSession
        The session.
    frame : DataFrame or None
        The columns of edges; its partitions are the parts.
    columns : list of str
        The names that tasks give to the columns of the frame, in their order.
    parts : list of RowGroups or None
        The parts, if there is no frame.
    id_type : callable
        Returns the type that ids have in Spark.
    """

    name = "spark"

    def __init__(
        self,
        session: Any,
        frame: Any,
        columns: list[str],
        parts: list[RowGroups] | None,
        id_type: Callable[[], Any],
    ):
        self._columns, self._parts, self._id_type = columns, parts, id_type
        try:
            self._context = session.sparkContext
        except Exception:  # PySparkAttributeError, which is not imported for this
            raise OptionError("Spark Connect has no broadcast variables: use a classic session") from None
        if parts is not None:
            tasks = max(1, min(len(parts), TASKS_PER_CORE * self._context.defaultParallelism))
            self._frame, self.parts = session.range(0, len(parts), 1, tasks), len(parts)
        else:
            self._frame, self.parts = frame, frame.rdd.getNumPartitions()

    def _send(self, task: Task, shared: Any) -> Any:
        """Send a task and its arguments to all workers."""
        return self._context.broadcast(_Work(task, shared, columns=self._columns, row_groups=self._parts))

    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part; a few results at a time come to this process."""
        known = self._send(task, shared)

        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            return _answers(known.value, batches)

        answers = self._frame.mapInArrow(run, "part long, size long, answer binary").persist()
        try:
            sizes = _fetched(answers.select("part", "size")).to_pydict()
            for parts in _grouped(sizes["part"], sizes["size"]):
                some = (
                    answers if len(parts) == len(sizes["part"]) else answers.where(answers.part.isin(parts))
                )
                for batch in _fetched(some.select("part", "answer")).to_batches():
                    for part, answer in zip(*batch.columns, strict=True):
                        yield part.as_py(), pickle.loads(answer.as_buffer())
        finally:
            answers.unpersist()
            known.destroy()

    def collect_names(self, shared: NamesRequest) -> pa.Table:
        """Merge the names of all parts on workers."""
        from pyspark.sql import functions
        from pyspark.sql.pandas.types import to_arrow_type

        kind = "long"
        if not shared.are_integers:
            id_type = self._id_type()
            ids, kind = to_arrow_type(id_type), id_type.simpleString()
        known = self._send(names_of_part, shared)

        def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for _, table in _run(known.value, batches):
                position = table.schema.get_field_index("id")
                column = table["id"] if shared.are_integers else table["id"].cast(ids)
                yield from table.set_column(position, "id", column).to_batches()

        try:
            names = self._frame.mapInArrow(run, f"id {kind}, part long, digest long, u long, v long")
            first = (functions.min(name).alias(name) for name in PLACES)
            return _fetched(names.groupBy(*KEYS).agg(*first))
        finally:
            known.destroy()


def _fetched(frame: Any) -> pa.Table:
    """Compute a frame; raise an error that names the memory if it failed with its workers."""
    try:
        return frame.toArrow()
    except Exception as error:  # of Py4J or of PySpark, which wraps those of workers
        if any(sign in str(error) for sign in SIGNS_OF_LOST_WORKERS):
            memory = "spark.executor.memoryOverhead, spark.executor.memory"
            raise workers_ended("Spark", memory, "spark.executor.cores") from None
        raise


class _Work(NamedTuple):
    """Data that workers get before they read their partitions."""

    task: Task
    shared: Any
    columns: list[str]
    """The names of the columns of the frame, in their order; unused if there are row groups."""
    row_groups: list[RowGroups] | None
    """The parts, if there is no frame."""


def _run(work: _Work, batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Any]]:
    """Run a task on a worker: for the batches of a partition, or for the row groups that they list."""
    from pyspark import TaskContext

    if work.row_groups is not None:
        for part in (part for batch in batches for part in batch.column(0).to_pylist()):
            yield part, run_task(work.task, part, work.row_groups[part].read, work.shared)
        return
    context = TaskContext.get()
    assert context is not None, "this runs on a worker"
    part = context.partitionId()
    yield part, run_task(work.task, part, partial(_larger, batches, part, work.columns), work.shared)


def _answers(work: _Work, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Run a task on a worker; return part numbers and pickled results."""
    for part, result in _run(work, batches):
        answer = pickle.dumps(result, 5)
        yield pa.record_batch({"part": [part], "size": [len(answer)], "answer": [answer]})


def _larger(batches: Iterator[pa.RecordBatch], part: int, names: list[str], columns: list[str]) -> Batches:
    """Join batches to larger ones, to spend less time on Python calls, and select columns by name.

    Parameters
    ----------
    batches : iterator of pyarrow.RecordBatch
        The batches of a partition.
    part : int
        The number of the partition.
    names : list of str
        The names of all columns of the batches, in their order.
    columns : list of str
        The names of the columns that are read.
    """
    first, rows, some = 0, 0, []
    for batch in batches:
        some.append(batch.rename_columns(names).select(columns))
        rows += batch.num_rows
        if rows >= ROWS_AT_ONCE:
            yield f"partition {part}, rows from {first:,} on", pa.concat_batches(some)
            first, rows, some = first + rows, 0, []
    if some:
        yield f"partition {part}, rows from {first:,} on", pa.concat_batches(some)


def _grouped(parts: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """Group parts so that the answers of each group have few bytes."""
    group: list[int] = []
    total = 0
    for part, size in zip(parts, sizes, strict=True):
        if group and total + size > BYTES_AT_ONCE:
            yield group
            group, total = [], 0
        group.append(part)
        total += size
    if group:
        yield group


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
