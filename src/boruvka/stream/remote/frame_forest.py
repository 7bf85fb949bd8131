"""The front of `boruvka.dask` and `boruvka.spark`: a frame or files become a forest, as frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphTypeError, OptionError
from boruvka.graph.no_values import check_missing_options
from boruvka.runtime.libraries import pa
from boruvka.stream.remote.driver import Solved, minimum_spanning_forest
from boruvka.stream.remote.reading import ColumnNames
from boruvka.stream.remote.row_groups import ParquetParts
from boruvka.stream.remote.tasks import Engine
from boruvka.trees.forest import Forest
from boruvka.trees.queries.single_linkage import cluster_columns, smallest_vertices

EDGE = "edge"


class RemoteEdges(NamedTuple):
    """Edges in a frame, or in Parquet files that tasks read."""

    columns: ColumnNames
    files: ParquetParts | None
    """The files; None for a frame."""

    @classmethod
    def of(
        cls, frame: Any, kind: str, method: str, wanted: Sequence[str | None], index: str | None, **gaps: Any
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
            files = ParquetParts.of(frame, wanted, **gaps)
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
        return Forest(graph, forest.edges, forest.maximum, record=forest.record)

    def __len__(self) -> int:
        return len(self._solved.forest)

    def __repr__(self) -> str:
        return f"Frame{self._solved.forest!r}"

    def _ids(self, vertices: NDArray[Any]) -> Any:
        """Return the ids that vertices have in the input."""
        names = self._solved.names
        numbers = pa.array(vertices.astype(np.int64))
        return numbers if names is None else names.take(numbers)

    def _frame(self, columns: dict[str, Any]) -> Any:
        return self._make_frame(pa.table(columns))
