"""Base class of the sources of edges, and checks of the edges that they yield."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphError, GraphTypeError, shown
from boruvka.graph.numbering import name_columns
from boruvka.graph.validation import check_equal_sizes, check_no_nan, edge_weights, vertex_ids
from boruvka.interop.column_names import Costs
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import hint

__all__ = ["EdgeBatch", "EdgeSource", "NamedEdgeBatch", "checked_batch", "named_batch", "state_of_files"]


class EdgeBatch(NamedTuple):
    """Edges that follow each other in a chunk."""

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    largest: int
    """The largest end, -1 without edges."""
    size: int
    """Bytes of the source that they took, for progress."""
    row_counts: RowCounts = RowCounts()

    def after(self, k: int) -> EdgeBatch:
        """Return all edges but the first k."""
        return self._replace(u=self.u[k:], v=self.v[k:], w=self.w[k:])


class NamedEdgeBatch(NamedTuple):
    """Edges that follow each other in a chunk, whose ends are names that have no numbers yet."""

    where: str
    """Their position in the source, for errors."""
    u: Any
    """A column of polars: strings, or integers of 64 bits."""
    v: Any
    w: NDArray[Any]
    size: int
    row_counts: RowCounts = RowCounts()

    def after(self, k: int) -> NamedEdgeBatch:
        """Return all edges but the first k."""
        return self._replace(u=self.u[k:], v=self.v[k:], w=self.w[k:])


class EdgeSource(ABC):
    """Edges in chunks, numbered from 0. The edges of all chunks in order are those of the graph.

    Attributes
    ----------
    name : str
        Its name, for messages.
    chunks : int
        Number of chunks, each of which can be read alone, several at once.
    n : int or None
        Number of vertices, if it is stated; otherwise it is one more than the largest id.
    m : int or None
        Number of edges, if it is stated.
    size : int
        Bytes, for progress; 0 if unknown.
    rows_at_once : int
        The most edges that `read` gives at once.
    bytes_at_once : int
        Bytes that `read` holds beside them.
    has_names : bool
        Whether vertices have names, as far as edges have been read.
    first_id : int
        The id of the first vertex in the source; edges that are read count from 0.
    weight_type : dtype or None
        Type of the weights where there is no edge, if it is stated.
    is_sequential : bool
        Whether a pass that is resumed has to read everything again.
    may_be_integers : bool
        Whether names that are strings become integers if all of them are written so.
    costs : Costs or None
        The columns of weights and of costs of the other direction, if there are both.
    """

    name: str
    chunks: int = 1
    n: int | None = None
    m: int | None = None
    size: int = 0
    rows_at_once: int
    bytes_at_once: int = 0
    has_names: bool = False
    first_id: int = 0
    weight_type: np.dtype[Any] | None = None
    may_be_integers: bool = False
    is_sequential: bool = False
    costs: Costs | None = None

    @property
    def readers(self) -> int:
        """The most chunks that are to be read at once."""
        return self.chunks

    @abstractmethod
    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read a chunk; its edges are checked."""

    def identity(self) -> str | None:
        """Return a string that identifies the source and its state (name, size, time), None without one."""
        return None

    def bounds(self, chunk: int) -> tuple[int, Any, Any] | None:
        """Return number, smallest and largest weight of the edges of a chunk, if known without reading it."""
        return None

    def dtype(self, chunk: int) -> np.dtype[Any]:
        """Return the type of the weights of a chunk that has bounds."""
        raise NotImplementedError

    def check_count(self, m: int) -> None:
        """Raise an error if the source holds m edges, but announces others."""
        if self.m is not None and self.m != m:
            raise FormatError(f"{self.name}: announces {self.m} edges, but holds {m}")

    def close(self) -> None:  # noqa: B027, most sources have nothing to stop
        """Stop background reading; the source is not read any further."""


def state_of_files(paths: list[str]) -> str:
    """Return names, sizes and times of files."""
    states = [(os.path.abspath(path), os.stat(path)) for path in paths]
    return repr([(path, state.st_size, state.st_mtime_ns) for path, state in states])


def checked_batch(
    where: str, u: Any, v: Any, w: Any, n: int | None, size: int, first_id: int = 0
) -> EdgeBatch:
    """Check edges that were read.

    Parameters
    ----------
    where : str
        Their position in the source, for errors.
    u, v, w : arrays
        The edges.
    n : int or None
        Number of vertices, if it is stated.
    size : int
        Bytes that they took.
    first_id : int
        The id of the first vertex in the source, for errors.

    Raises
    ------
    FormatError
        They are not the edges of a graph.
    """
    try:
        (first, largest_u), (second, largest_v) = vertex_ids("u", u), vertex_ids("v", v)
        weights = edge_weights(w)
        check_equal_sizes(first, second, weights)
        if first_id and weights.dtype.kind == "f" and weights.size and np.isnan(weights.min()):
            raise GraphError(f"edge {np.argmax(np.isnan(weights))} has the weight NaN")
        check_no_nan(first, second, weights)
        largest = max(largest_u, largest_v)
        limit = 2**32 if n is None else n
        if largest >= limit:
            raise GraphError(
                f"{largest + first_id} is not a vertex: the graph has n = {n} vertices, from {first_id}"
                if n is not None
                else f"the vertex {largest} needs more than 32 bits, so memory for all vertices up to it"
                + hint("; {names} numbers only the ids that occur", names=True)
            )
        _check_weight_type(weights)
    except (GraphError, GraphTypeError) as error:
        raise FormatError(f"{where}: {error}") from None
    ids = np.uint32 if largest < 2**32 else np.uint64
    return EdgeBatch(first.astype(ids, copy=False), second.astype(ids, copy=False), weights, largest, size)


def named_batch(where: str, u: Any, v: Any, w: Any, size: int) -> NamedEdgeBatch:
    """Check a batch whose ends are names; parameters and errors are as for `checked_batch`."""
    try:
        columns = name_columns(u, v)
        if columns is None:
            raise GraphTypeError("names of vertices in a stream are all strings, or all integers of 64 bits")
        weights = edge_weights(w)
        if weights.size != len(u):
            raise GraphError(
                f"u, v and w must have one entry per edge, but w has {weights.size} for {len(u)}"
            )
        if weights.dtype.kind == "f" and np.isnan(weights).any():
            i = int(np.argmax(np.isnan(weights)))
            raise GraphError(f"edge {i} ({shown(columns[0][i])}, {shown(columns[1][i])}) has the weight NaN")
        _check_weight_type(weights)
    except (GraphError, GraphTypeError) as error:
        raise FormatError(f"{where}: {error}") from None
    return NamedEdgeBatch(where, *columns, weights, size)


def _check_weight_type(w: NDArray[Any]) -> None:
    if w.dtype.itemsize > 8:
        raise GraphTypeError(f"weights of streamed edges have at most 64 bits, not {w.dtype}")
