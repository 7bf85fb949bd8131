"""Columns of streamed edges that the result has, too: read in another pass, for the edges of the forest."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FileError, FormatError
from boruvka.formats.binary.frames import joined
from boruvka.graph.labels import take_rows
from boruvka.interop.data_frames import SourceTable
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import require
from boruvka.runtime.progress import report
from boruvka.stream.memory import used_memory
from boruvka.stream.sources.open import open_source
from boruvka.stream.stored_names import copied
from boruvka.stream.streamed_graph import StreamedGraph


class KeptTable(SourceTable):
    """A table with a row for each edge of a forest; ``rows`` are the indices of these edges, ascending."""

    def rows_of(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of edges of the forest."""
        return np.searchsorted(self.rows, edges)

    def of_edges(self, edges: NDArray[np.int64]) -> SourceTable:
        """Return the table of some of the edges, which get new numbers."""
        return SourceTable(self.frame, self.columns, self.rows_of(edges))


def table_of(source: Any, options: Mapping[str, Any], graph: StreamedGraph, memory: int | None) -> KeptTable:
    """Read the columns of the edges of a forest that ``keep`` names.

    Raises
    ------
    FileError
        They do not fit the memory of the process.
    FormatError
        The source has other edges than before, or no type holds the values of a column.
    """
    polars, edges, first = require("polars", "tables"), graph.kept.indices, 0
    parts = list[Any]()
    with closing(open_source(source, options)) as opened:
        for chunk in range(opened.chunks):
            for batch in opened.read(chunk):
                begin, end = np.searchsorted(edges, [first, first + batch.w.size])
                rows, kept = edges[begin:end] - first, batch.kept or {}
                columns = (polars.Series(name, take_rows(column, rows)) for name, column in kept.items())
                parts.append(polars.DataFrame(list(map(copied, columns))))
                first += batch.w.size
                report("read", first, graph.m, "edges")
                if memory is not None and used_memory() > memory:
                    kept_names = argument("keep", ",".join(kept))
                    raise FileError(
                        f"{opened.name}: {kept_names} does not fit the memory: keep fewer columns"
                    )

    def error(message: str) -> FormatError:
        return FormatError(f"{opened.name}: {message}")

    if first != graph.m:
        raise error("was changed while it was read")
    parts = parts or [polars.DataFrame()]
    return KeptTable(joined(parts, [error] * len(parts)), list(graph.annotations.columns), edges)
