"""A file of edges that is opened once: its edges are read as a whole, or in chunks.

`boruvka.read` takes all edges, ranks and streams take chunks. A stream of compressed text passes its batches
of text to one open file in turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.name_columns import as_integers
from boruvka.formats.table_columns import EDGE_INDEX
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import EdgeListGraph, Graph
from boruvka.graph.no_values import warn_of_names
from boruvka.graph.numbering import number_names
from boruvka.graph.validation import warn_of_ids, warn_without_vertices
from boruvka.interop.column_names import Costs
from boruvka.interop.data_frames import SourceTable
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import argument


@dataclass(frozen=True)
class FileChunk:
    """Chunk ``index``, from 0, of the ``count`` chunks of a file, which are about equally large."""

    index: int
    count: int
    is_streamed: bool = False
    """Whether one process reads all chunks, and the first one before the others."""

    def edge_range(self, m: int) -> slice:
        """Return the range of edges of this chunk, out of m edges."""
        return slice(m * self.index // self.count, m * (self.index + 1) // self.count)


WHOLE_FILE = FileChunk(0, 1)
"""The whole file."""


class EdgeBatch(NamedTuple):
    """Edges that are in memory together: all of a file, or consecutive ones of a chunk.

    Parameters
    ----------
    u, v, w : arrays
        Ends and weight of each edge.
    n : int, optional
        Number of vertices if the file states it; else it is one more than the largest id of all batches.
    m : int, optional
        Number of edges of the whole file, if the file announces it.
    names : (n,) array, optional
        The name of each vertex.
    first_id : 0 or 1, optional
        The id of the first vertex in the file, None if the file does not say it.
    row_counts : RowCounts
        Counts of rows that a warning is about.
    costs : Costs, optional
        As for `EdgeFile`.
    largest : int
        The largest end, -1 without edges; of edges of a stream, which are checked.
    size : int
        Bytes of the source that the edges took, for progress.
    kept : dict, optional
        The columns that ``keep`` names, with a row for each edge.
    """

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    n: int | None = None
    m: int | None = None
    names: NDArray[Any] | None = None
    first_id: int | None = None
    row_counts: RowCounts = RowCounts()
    costs: Costs | None = None
    largest: int = -1
    size: int = 0
    kept: dict[str, Any] | None = None

    def after(self, k: int) -> EdgeBatch:
        """Return all edges but the first k."""
        return self._replace(u=self.u[k:], v=self.v[k:], w=self.w[k:])


class NamedEdgeBatch(NamedTuple):
    """Edges that are in memory together, and whose ends are names, numbered within the batch at most.

    Parameters
    ----------
    u, v : columns of polars, or lists of strings
        The names of both ends: strings, or integers of 64 bits. There are no nulls. Or, where there are
        ``names``, arrays of their numbers.
    w : array
        Weight of each edge.
    row_counts : RowCounts
        Counts of rows that a warning is about.
    where : str
        The position of the edges in the source, for errors.
    size : int
        Bytes of the source that the edges took, for progress.
    names : array, optional
        The different names, in the order in which they first appear in ``u``, then in ``v``.
    kept : dict, optional
        As for `EdgeBatch`.
    """

    u: Any
    v: Any
    w: NDArray[Any]
    row_counts: RowCounts = RowCounts()
    where: str = ""
    size: int = 0
    names: NDArray[Any] | None = None
    kept: dict[str, Any] | None = None


class EdgeFacts:
    """Facts about the edges in a file or another source whose head has been read.

    Attributes
    ----------
    has_names : bool
        Whether ends are names that have no numbers yet, as far as edges have been read.
    may_be_integers : bool
        Whether names become integers if all of them are written as integers.
    costs : Costs or None
        The columns of weights and of costs of the other direction, if there are both.
    weight_column : str or None
        The column of weights, if it has a name.
    column_names : list of str
        The names of all columns, if they have names.
    written_as : tuple of (str, bool or None)
        As for `Annotations`.
    """

    has_names: bool = False
    may_be_integers: bool = False
    costs: Costs | None = None
    weight_column: str | None = None
    column_names: Sequence[str] = ()
    written_as: tuple[str, bool | None] = ("", None)


class EdgeFile(EdgeFacts, ABC):
    """A file whose head has been read."""

    marked_number: str = ""
    """A weight that shows that there are decimal commas, or marks between thousands; empty without them."""

    @abstractmethod
    def edges(self) -> EdgeBatch | NamedEdgeBatch:
        """Read all edges."""

    def all_edges(self) -> EdgeBatch:
        """Read all edges, and number vertices that have names in the order in which these appear."""
        edges = self.edges()
        if isinstance(edges, EdgeBatch):
            return edges
        u, v, names = edges.u, edges.v, edges.names
        if names is None:
            u, v, names = number_names(u, v)
        integers = as_integers(names) if self.may_be_integers else None
        names = names if integers is None else integers
        numbered = EdgeBatch(u, v, edges.w, n=names.size, names=names, first_id=0, kept=edges.kept)
        return numbered._replace(row_counts=edges.row_counts)

    def chunk_edges(self, chunk: FileChunk) -> EdgeBatch:
        """Read the edges of a chunk; all edges are read first."""
        edges = self.all_edges()
        here = chunk.edge_range(edges.w.size)
        u, v, w = (column[here].copy() for column in (edges.u, edges.v, edges.w))
        return edges._replace(u=u, v=v, w=w, row_counts=edges.row_counts if chunk.index == 0 else RowCounts())

    def graph(self) -> Graph:
        """Read the graph of all edges.

        Warns
        -----
        GraphWarning
            Rows are left out, or weights, names or ids may mean something else: see `RowCounts`,
            `warn_of_names`, `warn_of_ids`. Or there are no rows.
        """
        graph, first_id = self.graph_and_first_id()
        warn_without_vertices(graph)
        if first_id is None:
            warn_of_ids(graph, f"pass {argument('one_based', True)}")
        return graph

    def forest(self) -> EdgeTable:
        """Read the edges of a forest, with their indices in the graph if the file states these."""
        graph, first_id = self.graph_and_first_id()
        return EdgeTable.of(graph)._replace(first_id=first_id, edges=self.edge_indices())

    def graph_and_first_id(self) -> tuple[Graph, int | None]:
        """Read the graph, and the id of its first vertex: None if the file does not say it."""
        edges = self.all_edges()
        self.check_count(edges.w.size)
        edges.row_counts.warn(edges.w.size, self.costs)
        if EDGE_INDEX not in self.column_names[:2]:  # else we wrote the names
            warn_of_names(edges.names)
        graph = EdgeListGraph.of_numbered(edges.n, edges.u, edges.v, edges.w, edges.names)
        first_id = 0 if edges.first_id is None and edges.n is not None else edges.first_id
        graph = graph.annotated(weight_column=self.weight_column, written_as=self.written_as)
        graph = graph.annotated(row_counts=edges.row_counts.found)
        if edges.kept:
            table = SourceTable(edges.kept, list(graph.annotations.columns), None)
            graph = graph.annotated(table=table, keep=tuple(edges.kept))
        return graph.with_first_id(first_id or 0), first_id

    def edge_indices(self) -> NDArray[Any] | None:
        """Read the indices of the edges of a forest; None if the file states none."""
        return None

    def check_count(self, m: int) -> None:  # most files announce no number
        """Raise an error if the file announces another number of edges than the m that it holds."""


class DivisibleFile(EdgeFile):
    """A file of which a chunk can be read without the others, unless vertices have names."""

    @abstractmethod
    def edges(self, chunk: FileChunk = WHOLE_FILE) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of a chunk."""

    def chunk_edges(self, chunk: FileChunk) -> EdgeBatch:
        """Read the edges of a chunk; all edges are read first if vertices have names."""
        edges = None if self.has_names else self.edges(chunk)
        return edges if isinstance(edges, EdgeBatch) else super().chunk_edges(chunk)


class LineFile(DivisibleFile):
    """A text whose lines hold an edge each, after a head.

    Attributes
    ----------
    text : Text
        The text.
    offset : int
        The offset of the first line after the head.
    """

    text: Text
    offset: int

    @abstractmethod
    def edges_in(self, text: Text, offset: int) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of all lines after an offset of a text, which may be another batch of the file."""

    def edges(self, chunk: FileChunk = WHOLE_FILE) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of a chunk."""
        return self.edges_in(*self.text.cut(self.offset, chunk.index, chunk.count))


class WholeFile(EdgeFile):
    """A file that is always read whole.

    Parameters
    ----------
    read : callable
        (source, options) -> graph.
    source : InputFile
    options : Options
    """

    def __init__(self, read: Callable[[InputFile, Options], Graph], source: InputFile, options: Options):
        self._read, self._source, self._options = read, source, options

    def graph_and_first_id(self) -> tuple[Graph, int | None]:
        """Read the graph, which knows the id of its first vertex."""
        graph = self._read(self._source, self._options)
        return graph, graph.first_id

    def edges(self) -> EdgeBatch:
        """Read all edges of the graph."""
        table = EdgeTable.of(self.graph())
        u, v, w = table.u, table.v, table.w
        return EdgeBatch(u, v, w, n=table.n, names=table.names, first_id=table.first_id)
