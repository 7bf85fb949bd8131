"""The front of `boruvka.dask` and `boruvka.spark`: a frame or files become a forest, as frames.

Files are read by tasks: a part is some consecutive row groups.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphTypeError, OptionError
from boruvka.formats.binary.parquet import parquet_files
from boruvka.formats.edge_table import Options
from boruvka.graph.no_values import check_missing_options
from boruvka.runtime.libraries import pa, require
from boruvka.runtime.output_files import file_errors
from boruvka.stream.remote.driver import Solved, minimum_spanning_forest
from boruvka.stream.remote.reading import Batches, ColumnNames
from boruvka.stream.remote.tasks import Engine
from boruvka.stream.sources.parquet import ParquetSource
from boruvka.trees.forest import Forest
from boruvka.trees.queries.single_linkage import cluster_columns, smallest_vertices

ROWS_OF_PART = 1 << 20
"""Edges of a part, unless a row group has more."""


class RowGroups(NamedTuple):
    """Consecutive row groups of a file."""

    path: str
    options: Options
    first: int
    last: int
    """One past the last row group."""
    version: tuple[int, int]
    """Size and time of the file, which must not change between passes."""

    def read(self, columns: list[str]) -> Batches:
        """Read the row groups on a worker that has access to the file."""
        source = _open(self.path, self.options, self._checked())
        for group in range(self.first, self.last):
            yield from source.batches(group, columns)
        self._checked()

    def _checked(self) -> tuple[int, int]:
        """Return the version of the file; an error if it is not the one that was divided into parts."""
        if _version(self.path) != self.version:
            raise FormatError(f"{self.path}: the file changed while it was read: write it to another name")
        return self.version


class ParquetParts(NamedTuple):
    """Files, and their division into parts."""

    files: list[str]
    columns: ColumnNames
    parts: list[RowGroups]
    largest: int | None
    """The largest id, if the files have statistics; then no id is negative, and none is a name."""
    n: int | None
    """The number of vertices, if this package wrote the files and their metadata state it."""
    has_names: bool
    """Whether ends are strings, or integers that the metadata state to be names."""
    first_id: int
    """The id of the first vertex, if ends are numbers."""

    def known(self, n: int | None, names: bool | None) -> dict[str, Any]:
        """Return arguments for the driver; ``n`` and ``names`` are what the caller says."""
        names = (self.has_names or None) if names is None else names
        stated = self.n if n is None and not names else n
        return {"n": stated, "names": names, "largest": self.largest, "first_id": self.first_id}

    @classmethod
    def of(
        cls, path: Any, wanted: Sequence[str | None], names: bool | None = None, **gaps: Any
    ) -> ParquetParts:
        """Split the Parquet files that a path names into parts; only their footers are read.

        Parameters
        ----------
        path : path-like
            The file, folder or pattern.
        wanted : sequence
            The columns of u, v and w; None for the column with a known name.
        names : bool, optional
            Whether integers are names, too, which are as in the file, wherever its ids begin.
        gaps
            The arguments ``missing`` and ``default`` of `boruvka.read`.

        Raises
        ------
        FileError, FormatError, OptionError
            There is no file, or it does not have these columns.
        """
        name = os.path.abspath(os.fsdecode(path))
        files = parquet_files(name) or [name]
        pq = require("pyarrow.parquet", "arrow")
        try:
            with file_errors(files[0]):
                os.stat(files[0])
                found = pq.read_schema(files[0]).names
        except pa.ArrowException as error:
            raise FormatError(
                f"{files[0]}: cannot be read as Parquet: {error} Pass other files as a frame, which "
                "dask.dataframe.read_csv or spark.read.csv makes of text."
            ) from None
        columns = ColumnNames.choose(found, wanted, is_stable=True, **gaps)
        options = Options(columns=columns[:3], names=names or None, **gaps)
        versions = {file: _version(file) for file in files}
        source = ParquetSource(files, options)
        parts: list[RowGroups] = []
        rows_of_part = ROWS_OF_PART
        for file, group, rows in source.row_groups:
            if group and rows_of_part + rows <= ROWS_OF_PART:
                parts[-1] = parts[-1]._replace(last=group + 1)
            else:
                parts.append(RowGroups(file, options, first=group, last=group + 1, version=versions[file]))
                rows_of_part = 0
            rows_of_part += rows
        largest = None if columns.fills_gaps else source.largest
        stated = None if largest is not None and source.n == largest + 1 else source.n
        return cls(files, columns, parts, largest, stated, source.has_names, source.first_id)


@lru_cache(maxsize=4)
def _open(path: str, options: Options, version: tuple[int, int]) -> ParquetSource:
    """Open a file, once for all tasks of a worker until it changes."""
    return ParquetSource([path], options)


def _version(path: str) -> tuple[int, int]:
    with file_errors(path):
        found = os.stat(path)
    return found.st_size, found.st_mtime_ns


EDGE = "edge"


class RemoteEdges(NamedTuple):
    """Edges in a frame, or in Parquet files that tasks read."""

    columns: ColumnNames
    files: ParquetParts | None
    """The files; None for a frame."""

    @classmethod
    def of(
        cls,
        frame: Any,
        kind: str,
        method: str,
        wanted: Sequence[str | None],
        index: str | None,
        names: bool | None,
        **gaps: Any,
    ) -> RemoteEdges:
        """Choose the columns of what the caller passes as frame.

        Parameters
        ----------
        frame : path-like or frame
            The files, or the frame.
        kind, method : str
            The kind of frame, for errors, and a method that other objects do not have.
        wanted : sequence
            The columns of u, v and w; None for the column with a known name.
        index : str, optional
            The column of the indices of edges.
        names : bool, optional
            Whether integers are names, too.
        gaps
            The arguments ``missing`` and ``default`` of `boruvka.read`.

        Raises
        ------
        GraphTypeError
            It is neither.
        FileError, FormatError, OptionError
            There is no file, or there are not these columns.
        """
        check_missing_options(**gaps)
        if isinstance(frame, str | bytes | os.PathLike):
            if index is not None:
                raise OptionError("index is for frames: edges in files are numbered by their rows")
            files = ParquetParts.of(frame, wanted, names, **gaps)
            return cls(files.columns, files)
        if hasattr(frame, method) and hasattr(frame, "columns"):
            return cls(ColumnNames.choose(list(frame.columns), wanted, index, **gaps), None)
        raise GraphTypeError(f"expected a {kind} or Parquet files, got {type(frame).__name__}")

    def solve(
        self, engine: Engine, make_frame: Callable[..., Any], maximum: bool, n: int | None, names: bool | None
    ) -> FrameForest:
        """Find the forest on an engine that reads these edges; ``make_frame`` makes frames of tables."""
        known = {"n": n, "names": names} if self.files is None else self.files.known(n, names)
        solved = minimum_spanning_forest(engine, self.columns, maximum=maximum, **known)
        return FrameForest(solved, self.columns, make_frame)


class FrameForest:
    """A minimum (or maximum) spanning forest of the edges of a frame.

    It is in the memory of this process; its frames are made on demand.

    Attributes
    ----------
    received : int
        Bytes of edges that workers sent to this process.
    sent : int
        Bytes that this process sent to each worker.
    """

    received: int
    sent: int

    def __init__(self, solved: Solved, columns: ColumnNames, make_frame: Callable[[pa.Table], Any]):
        self._solved, self._columns, self._make_frame = solved, columns, make_frame
        self.received, self.sent = solved.received, solved.sent

    @property
    def weight(self) -> int | float:
        """Total weight: an exact int; for floats the float64 (or inf) nearest to the exact sum."""
        return self._solved.forest.weight

    @property
    def n_components(self) -> int:
        """Number of components (trees)."""
        return self._solved.forest.n_components

    @property
    def edges(self) -> Any:
        """A frame with a row per edge, in ascending order of index.

        Its columns are ``edge`` (the index), and the columns of the ends and the weight as in the input.
        """
        forest, (u, v, w, edge) = self._solved.forest, self._columns[:4]
        ends = {u: self._ids(forest.u), v: self._ids(forest.v)}
        return self._frame({edge or EDGE: forest.edges, **ends, w: forest.w})

    def clusters(self, heights: Iterable[float]) -> Any:
        """Return the clusters at several heights as a frame with a row per vertex.

        A cluster is a connected component of the edges with weights of at most the height; in a maximum
        forest, of at least the height.

        Parameters
        ----------
        heights : iterable of numbers
            The heights, in any order.

        Returns
        -------
        frame
            The columns are ``vertex``, in the order of vertex numbers, and for each height, such as 0.95,
            a column ``cluster_0_95``: the vertex of the cluster with the smallest number. These are integers
            themselves; names are numbered in the order in which they first appear as u, then as v.

        Raises
        ------
        OptionError
            A height is NaN or not a number, or is given twice.
        """
        columns, _ = cluster_columns(self._solved.forest.structure, heights)
        return self._frame({name: self._ids(vertices) for name, vertices in columns.items()})

    def sizes(self, heights: Iterable[float]) -> Any:
        """Return the sizes of the clusters at several heights as a frame with a row per cluster.

        Parameters
        ----------
        heights : iterable of numbers
            As for `clusters`.

        Returns
        -------
        frame
            The columns are ``height``, ``cluster`` (its first vertex, as in `clusters`) and ``size``.

        Raises
        ------
        OptionError
            A height is NaN or not a number.
        """
        cuts = self._solved.forest.cuts(heights)
        vertices = [smallest_vertices(cuts[k]) for k in range(len(cuts))]
        columns = {
            "height": np.repeat(np.array(cuts.heights, np.float64), cuts.n_clusters),
            "cluster": self._ids(np.concatenate([np.empty(0, np.int64), *vertices])),
            "size": np.concatenate([np.empty(0, np.int64), *cuts.sizes]),
        }
        return self._frame(columns)

    @cached_property
    def forest(self) -> Forest:
        """The forest as a `boruvka.Forest`, for cuts, linkage, paths and tables."""
        forest, names = self._solved.forest, self._solved.names
        if names is None:
            return forest
        graph = forest.graph.with_names(names.to_numpy(zero_copy_only=False))
        return Forest(graph, forest.edges, forest.maximum, record=forest.record, _is_optimal=True)

    def __len__(self) -> int:
        return len(self._solved.forest)

    def __repr__(self) -> str:
        return f"Frame{self._solved.forest!r}"

    def _ids(self, vertices: NDArray[Any]) -> Any:
        """Return the ids that vertices have in the input."""
        names = self._solved.names
        numbers = vertices.astype(np.int64)
        return (
            pa.array(numbers + self._solved.forest.graph.first_id) if names is None else names.take(numbers)
        )

    def _frame(self, columns: dict[str, Any]) -> Any:
        return self._make_frame(pa.table(columns))
