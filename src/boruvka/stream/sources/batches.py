"""Batches of edges that an object gives one after the other: tables, queries, readers, iterators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from boruvka.errors import FormatError, GraphError, GraphTypeError, OptionError, shown
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.formats.edge_table import Options
from boruvka.formats.name_columns import check_names_are_numbered, integer_array
from boruvka.graph.columns import are_names
from boruvka.graph.exact import check_float_types
from boruvka.interop.as_graph import as_graph_with_names, as_part_of_graph
from boruvka.interop.column_names import choose_column_names, roles_of_columns
from boruvka.interop.data_frames import column_names, edge_columns
from boruvka.runtime.arguments import argument
from boruvka.stream.sources.source import EdgeSource, ReadAhead, checked_batch

ROWS_AT_ONCE = 1 << 18
"""Rows that are asked of a table at once."""
BYTES_OF_NAMES = 120 << 20
"""Bytes for the names of these rows, and for polars if this is its first import."""
GAPS = {"default", "missing"}
"""Options for the gaps of tables."""
TAKEN = {"columns", "n", "names"} | GAPS
"""Options for reading that batches take."""
READERS: tuple[tuple[str, Callable[[Any], Iterable[Any]]], ...] = (
    ("collect_batches", lambda frame: frame.collect_batches(chunk_size=ROWS_AT_ONCE)),  # a lazy frame
    ("iter_slices", lambda frame: frame.iter_slices(ROWS_AT_ONCE)),  # a frame of polars
    ("to_arrow_reader", lambda relation: relation.to_arrow_reader(ROWS_AT_ONCE)),  # DuckDB from 1.4 on
    ("fetch_arrow_reader", lambda relation: relation.fetch_arrow_reader(ROWS_AT_ONCE)),  # older DuckDB
    ("to_batches", lambda table: table.to_batches()),  # a table or dataset of Arrow
    ("read_next_batch", lambda reader: reader),  # a reader of Arrow
    ("iloc", lambda frame: (frame.iloc[i : i + ROWS_AT_ONCE] for i in range(0, len(frame), ROWS_AT_ONCE))),
)
"""Kinds of tables: an attribute that identifies each, and a function that iterates over its batches."""


def is_table(source: Any) -> bool:
    """Return whether an object is a table that gives its rows in batches."""
    return any(hasattr(source, name) for name, _ in READERS)


class BatchSource(EdgeSource):
    """Batches of edges.

    Parameters
    ----------
    source : object
        A table, or an iterable whose items are tables or ``(u, v, w)``.
    options : Options
        Options for reading, of which `TAKEN` are allowed. ``missing`` and ``default`` are for tables only.
    """

    rows_at_once = ROWS_AT_ONCE

    def __init__(self, source: Any, options: Options):
        if other := options.names_set() - TAKEN:
            refused, taken = ", ".join(sorted(other)), ", ".join(sorted(TAKEN))
            raise OptionError(f"{refused}: batches of edges take only {taken}")
        self._wanted = [name if name is None else str(name) for name in roles_of_columns(options.columns)]
        self.name, self.n, self._options = type(source).__name__, options.n, options
        self._has_numbers, self._places = False, dict[np.dtype[Any], str]()
        read = next((read for name, read in READERS if hasattr(source, name)), iter)
        try:
            self._batches = iter(read(source))
        except (TypeError, NotImplementedError) as error:  # of an array without dimensions, for example
            raise GraphTypeError(f"cannot read batches (u, v, w) of {shown(source)}: {error}") from error
        self._ahead: ReadAhead[Any] | None = None

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read all batches."""
        self._ahead = ReadAhead(self._batches, most=1)
        for k, batch in enumerate(self._ahead):
            where = f"batch {k} of {self.name}"
            try:
                rows = self._rows(where, batch)
            except GraphTypeError as error:
                raise GraphTypeError(f"{where}: {error}") from None
            except GraphError as error:
                raise FormatError(f"{where}: {error}") from None
            if rows.w.size:
                self._places.setdefault(rows.w.dtype, where)
                check_float_types(self._places.items())
                self.has_names |= (named := isinstance(rows, NamedEdgeBatch))
                self.bytes_at_once = BYTES_OF_NAMES * self.has_names
                self._has_numbers |= not named
                if self.has_names and self._has_numbers:
                    names = argument("names", True)
                    raise FormatError(f"{where}: some ends are names, others numbers; pass {names} for names")
            yield rows

    def close(self) -> None:
        """Stop waiting for a batch."""
        if self._ahead is not None:
            self._ahead.close()

    def _rows(self, where: str, batch: Any) -> EdgeBatch | NamedEdgeBatch:
        options = self._options
        if is_table(batch) or hasattr(batch, "schema"):
            u, v, w = choose_column_names(column_names(batch), self._wanted)
            columns = edge_columns(batch, u, v, w, options.missing, options.default)
            first, second, weights = columns.read()
            if options.names or are_names(first) or are_names(second):
                rows = self._named(where, first, second, weights)
            else:
                rows = checked_batch(where, EdgeBatch(first, second, weights), self.n, 0)
            self.costs, self.weight_column = columns.costs, columns.names[2]
            self.ids_are_stated = self.n is not None
            return rows._replace(row_counts=columns.row_counts)
        if refused := sorted(options.names_set() & GAPS):
            given = argument(refused[0], getattr(options, refused[0]))
            raise OptionError(f"{given} is for tables: batches (u, v, w) have no gaps")
        graph = as_graph_with_names(batch) if options.names else as_part_of_graph(batch)
        if graph.names is not None:
            names = graph.names
            if names.dtype == object and {type(name) for name in names.tolist()} == {int}:
                names = integer_array(names)
            return self._named(where, names[graph.u], names[graph.v], graph.w)
        checked = checked_batch(where, EdgeBatch(graph.u, graph.v, graph.w), self.n, 0)
        assert isinstance(checked, EdgeBatch)
        return checked._replace(largest=max(checked.largest, graph.n - 1))  # a batch may state n

    def _named(self, where: str, u: Any, v: Any, w: Any) -> EdgeBatch | NamedEdgeBatch:
        check_names_are_numbered(self._options)
        if not len(u):  # of a batch without edges, no type is known
            nothing = np.empty(0, np.uint32)
            return checked_batch(where, EdgeBatch(nothing, nothing, w), None, 0)
        return checked_batch(where, NamedEdgeBatch(u, v, w), None, 0)
