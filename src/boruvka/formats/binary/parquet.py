"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Ends that are strings are names of vertices; integers are, too, if ``names=`` or the metadata says so. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from numpy.typing import NDArray

from boruvka.formats.binary.frames import (
    FIRST_ID_KEY,
    edge_indices,
    first_id_of,
    is_text,
    named_edges,
    numbered_edges,
    write_edges,
)
from boruvka.formats.binary.parquet_check import check_footer, check_pages
from boruvka.formats.edge_file import WHOLE_FILE, DivisibleFile, FileChunk, NamedEdges, NumberedEdges
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import name_lookup
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.interop.column_names import cost_columns
from boruvka.runtime.processors import check_addresses_of_polars

if TYPE_CHECKING:
    import polars

__all__ = ["PARQUET", "read_frame"]

_N_KEY, _NAMES_KEY = "boruvka.n", "boruvka.names"


def read_frame(source: InputFile) -> polars.DataFrame:
    """Read all columns of a file."""
    check_pages(source.path, source.content, check_footer(source.path, source.content))
    return _read_columns(source, None)


def _read_columns(
    source: InputFile, columns: list[str] | None, chunk: FileChunk = WHOLE_FILE
) -> polars.DataFrame:
    """Read columns of a file that has been checked; of one chunk of the rows, only their row groups."""
    import polars as pl

    with source.binary() as file:
        if chunk == WHOLE_FILE:
            return pl.read_parquet(file, columns=columns)
        rows = pl.scan_parquet(file).select(pl.len()).collect().item()
        file.seek(0)
        chosen = chunk.edge_range(rows)
        return pl.scan_parquet(file).select(columns).slice(chosen.start, chosen.stop - chosen.start).collect()


class _ParquetFile(DivisibleFile):
    """An open file, whose footer has been read."""

    def __init__(self, source: InputFile, options: Options):
        self._source, self._options = source, options
        self._chunks = check_footer(source.path, source.content)
        self._dtypes, self._metadata = _schema(source)
        columns = list(self._dtypes)
        chosen = choose_columns(len(columns), columns, options, source.error)
        self._chosen = [columns[i] for i in chosen if i >= 0]
        self.costs = cost_columns(columns, self._chosen[2:])
        are_names = self._metadata.get(_NAMES_KEY) == "integers"
        are_names |= any(is_text(self._dtypes[name]) for name in self._chosen[:2])
        self.has_names = are_names if options.names is None else options.names

    def edges(self, chunk: FileChunk = WHOLE_FILE) -> NumberedEdges | NamedEdges:
        """Read the edges in the rows of a chunk."""
        source, options = self._source, self._options
        check_pages(source.path, source.content, self._chunks, chunk.count)
        edges: NumberedEdges | NamedEdges
        if self.has_names:
            edges = named_edges(source, _read_columns(source, self._chosen), self._chosen, options)
        else:
            options, metadata = options._replace(n=self._stated_n()), self._metadata
            first_id = first_id_of(options, metadata.get(FIRST_ID_KEY, "0" if _N_KEY in metadata else None))
            frame = _read_columns(source, self._chosen, chunk)
            edges = numbered_edges(source, frame, self._chosen, options, first_id)
        return edges._replace(row_counts=edges.row_counts.with_costs(self.costs, edges.w))

    def _stated_n(self) -> int | None:
        """Return the number of vertices that the caller states, or else the metadata."""
        stated = self._metadata.get(_N_KEY) if self._options.n is None else str(self._options.n)
        if stated is not None and not (stated.isdigit() and len(stated) < 19):
            raise self._source.error(
                f"expected a whole number as {_N_KEY} in the metadata, found {stated[:40]!r}"
            )
        return None if stated is None else int(stated)

    def _edge_indices(self) -> NDArray[Any] | None:
        if EDGE_INDEX not in self._dtypes:
            return None
        return edge_indices(self._source, _read_columns(self._source, [EDGE_INDEX])[EDGE_INDEX])


def _schema(source: InputFile) -> tuple[dict[str, polars.DataType], dict[str, str]]:
    """Return the types of columns by name, and the metadata."""
    check_addresses_of_polars()
    import polars as pl

    with source.binary() as file:
        dtypes = dict(pl.read_parquet_schema(file))
        file.seek(0)
        return dtypes, pl.read_parquet_metadata(file)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    if table.names is None:
        metadata = {_N_KEY: str(table.n)} | ({FIRST_ID_KEY: "1"} if table.base else {})
    else:
        metadata = {_NAMES_KEY: "strings" if is_text(name_lookup(table.names).dtype) else "integers"}
    write_edges(table, lambda frame: frame.sink_parquet(file, metadata=metadata))


PARQUET = Codec(
    _ParquetFile,
    _write,
    frozenset({"columns", "default", "missing", "n", "names", "one_based", "unweighted"}),
    Holds(names=name_lookup, division="rows"),
)
