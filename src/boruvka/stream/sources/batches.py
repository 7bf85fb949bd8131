"""Batches of edges that an object gives one after the other: tables, queries, readers, iterators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from boruvka.errors import FormatError, GraphError, GraphTypeError, OptionError
from boruvka.formats.format import Options
from boruvka.interop.as_graph import as_graph
from boruvka.interop.data_frames import graph_from
from boruvka.stream.sources.source import EdgeSource, Rows, checked_rows

__all__ = ["BatchSource", "is_table"]

ROWS_AT_ONCE = 1 << 18
"""Rows that are asked of a table at once."""
READERS: tuple[tuple[str, Callable[[Any], Iterable[Any]]], ...] = (
    ("collect_batches", lambda frame: frame.collect_batches(chunk_size=ROWS_AT_ONCE)),  # a lazy frame
    ("iter_slices", lambda frame: frame.iter_slices(ROWS_AT_ONCE)),  # a frame of polars
    ("to_arrow_reader", lambda relation: relation.to_arrow_reader(ROWS_AT_ONCE)),  # DuckDB from 1.4 on
    ("fetch_arrow_reader", lambda relation: relation.fetch_arrow_reader(ROWS_AT_ONCE)),  # older DuckDB
    ("to_batches", lambda table: table.to_batches()),  # a table or dataset of Arrow
    ("read_next_batch", lambda reader: reader),  # a reader of Arrow
    ("iloc", lambda frame: (frame.iloc[i : i + ROWS_AT_ONCE] for i in range(0, len(frame), ROWS_AT_ONCE))),
)
"""What a kind of table has, and how it gives its rows in batches."""


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
        How tables are read: columns and n.
    """

    rows_at_once = ROWS_AT_ONCE

    def __init__(self, source: Any, options: Options):
        if other := options.names_set() - {"columns", "n"}:
            raise OptionError(f"{', '.join(sorted(other))}: batches of edges take only columns and n")
        self.name, self.n, self._columns = type(source).__name__, options.n, options.columns
        read = next((read for name, read in READERS if hasattr(source, name)), iter)
        self._batches = read(source)

    def read(self, chunk: int) -> Iterator[Rows]:
        """Read all batches."""
        for k, batch in enumerate(self._batches):
            where = f"batch {k} of {self.name}"
            try:
                graph = self._graph(batch)
            except GraphTypeError as error:
                raise GraphTypeError(f"{where}: {error}") from None
            except GraphError as error:
                raise FormatError(f"{where}: {error}") from None
            if graph.names is not None:
                raise FormatError(
                    f"{where}: vertices have names, which are numbered only where all edges are in memory"
                )
            rows = checked_rows(where, graph.u, graph.v, graph.w, self.n, 0)
            yield rows._replace(largest=max(rows.largest, graph.n - 1))  # a batch may state n

    def _graph(self, batch: Any) -> Any:
        if is_table(batch) or hasattr(batch, "schema"):
            u, v, w = map(str, self._columns) if self._columns else (None, None, None)
            return graph_from(batch, u, v, w)
        return as_graph(batch)
