"""Parquet files: a chunk for each row group, in the order of the files' names and of the rows in each."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FileError, FormatError, GraphError
from boruvka.formats.binary.frames import FIRST_ID_KEY, first_id_of, named_edges, numbered_edges
from boruvka.formats.binary.parquet_check import check_footer
from boruvka.formats.edge_file import NamedEdges, NumberedEdges
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile, writing
from boruvka.formats.name_columns import check_names_are_numbered
from boruvka.formats.table_columns import choose_columns
from boruvka.graph.exact import common_type
from boruvka.interop.column_names import cost_columns
from boruvka.interop.missing_values import RowCounts, int_or_float
from boruvka.runtime.libraries import require
from boruvka.stream.sources.arrow_columns import check_valid, numbers_in
from boruvka.stream.sources.source import (
    EdgeBatch,
    EdgeSource,
    NamedEdgeBatch,
    checked_batch,
    named_batch,
    state_of_files,
)

__all__ = ["ParquetSource"]

ROWS_AT_ONCE = 1 << 18
"""Rows of a row group that are decoded at once."""
NAMED_ROWS_AT_ONCE, NAMED_BYTES_AT_ONCE, ROWS_TO_MEASURE = 1 << 15, 1 << 22, 1 << 10
"""With names: rows and approximate bytes that are decoded at once, and rows that show how long names are."""
BYTES_OF_NAMED_ROW = 120
"""Bytes of an edge with names beside their characters: offsets of strings, hashes and vertex numbers."""
BYTES_OF_READERS = 1 << 26
"""Maximum total bytes of concurrent readers of names; a single reader may exceed it. Names are numbered by
one reader at a time."""

FLOATS = {"halffloat": "float16", "float": "float32", "double": "float64"}
"""Arrow's names of types of floats."""


class RowGroup(NamedTuple):
    """A row group of one of the files."""

    file: int
    number: int
    first_row: int
    """Its first row in the file."""


class ParquetSource(EdgeSource):
    """Parquet files.

    Parameters
    ----------
    paths : list of str
        The files.
    options : Options
        How to read them: columns, n, one_based, unweighted.
    packed : InputFile, optional
        The only file, if it is compressed or a file object: its content is put into a temporary file.

    Raises
    ------
    FileError, FormatError, OptionError
        A file cannot be read, or lacks the columns of an edge.
    MissingExtraError
        pyarrow is not installed.
    """

    def __init__(self, paths: list[str], options: Options, packed: InputFile | None = None):
        self._parquet = require("pyarrow.parquet", "arrow")
        self._packed, self._files = packed, paths
        if packed is not None:
            folder = tempfile.mkdtemp()
            self._remove_copy = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._files = [os.path.join(folder, "edges.parquet")]
            with writing(self._files[0]) as file:
                file.writelines(packed.decompressed())
        self.rows_at_once = ROWS_AT_ONCE
        self.name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        self._paths, self._options = paths, options
        self._local, self._positions = threading.local(), dict[int, dict[str, int]]()
        self._footers = [self._footer(k) for k in range(len(paths))]
        self._columns = [self._choose_columns(k) for k in range(len(paths))]
        self._check_flat()
        names = [self._footers[k].schema.to_arrow_schema().names for k in range(len(paths))]
        costs = (cost_columns(names[k], [w] if w else []) for k, (_, _, w) in enumerate(self._columns))
        self.costs = next(filter(None, costs), None)
        types = [self._weight_type(k) for k in range(len(paths))]
        self.weight_type = reduce(common_type, types)
        self._unsigned = next((k for k, dtype in enumerate(types) if dtype == np.uint64), None)
        self._row_groups = []
        for k, footer in enumerate(self._footers):
            first = 0
            for number in range(footer.num_row_groups):
                self._row_groups.append(RowGroup(k, number, first))
                first += footer.row_group(number).num_rows
        self.chunks = len(self._row_groups)
        self.m = None if self._options.fills_gaps else sum(footer.num_rows for footer in self._footers)
        self.size = sum(self._bytes(chunk) for chunk in range(self.chunks))
        self.has_names = any(map(self._has_names, range(len(paths))))
        if self.has_names:
            check_names_are_numbered(options)
            self._measure_names()
            return
        self.first_id = self._first_id(0) if paths else 0
        self.n = options.n if options.n is not None else self._stated_n()

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read a row group."""
        k, number, _ = self._row_groups[chunk]
        u, v, w = self._columns[k]
        part = self._bytes(chunk) / max(self._footers[k].row_group(number).num_rows, 1)
        for where, batch in self.batches(chunk, as_stored=self._options.fills_gaps):
            size = int(part * batch.num_rows)
            if self._options.fills_gaps:
                yield self._without_gaps(where, batch, size, [name for name in (u, v, w) if name is not None])
                continue
            weights = np.ones(batch.num_rows, np.uint8) if w is None else numbers_in(where, batch, w)
            self._check_signs(where, weights)
            row_counts = RowCounts().with_costs(self.costs, weights)
            if self.has_names:
                first, second = self._names(where, batch, [u, v])
                yield named_batch(where, first, second, weights, size)._replace(row_counts=row_counts)
            else:
                first, second = (numbers_in(where, batch, name) for name in (u, v))
                numbered = checked_batch(where, first, second, weights, self.n, size, self.first_id)
                yield numbered._replace(row_counts=row_counts)

    def batches(
        self, chunk: int, columns: list[str] | None = None, *, as_stored: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """Read columns of a row group, by default those of edges, as batches of Arrow; say where each is.

        Ids that are no names count from 0, unless rows are wanted as they are stored.
        """
        k, number, row = self._row_groups[chunk]
        path, wanted = self._paths[k], columns or [name for name in self._columns[k] if name is not None]
        try:
            file = self._open(k)
            for batch in file.iter_batches(self.rows_at_once, [number], wanted, use_threads=False):
                where = f"{path}, rows from {row:,} on"
                yield where, batch if as_stored else self._from_zero(k, where, batch)
                row += batch.num_rows
        except OSError as error:
            raise self._error(path, error) from None
        except require("pyarrow", "arrow").ArrowException as error:
            raise self._error(path, error) from None

    @property
    def readers(self) -> int:
        """All row groups, or with names as many as fit some memory."""
        return max(1, min(self.chunks, BYTES_OF_READERS // max(self.bytes_at_once, 1)))

    def _measure_names(self) -> None:
        """Choose how many rows are decoded at once, and find out how much memory this takes.

        Names may be long, and Arrow decodes the dictionaries of a row group before its first row.
        """
        arrow = require("pyarrow", "arrow")
        self.rows_at_once, before = ROWS_TO_MEASURE, arrow.total_allocated_bytes()
        batches = self.batches(max(range(self.chunks), key=self._bytes)) if self.chunks else iter(())
        _, batch = next(batches, ("", None))
        if batch is None:
            return
        row = batch.nbytes // batch.num_rows + 1
        held = arrow.total_allocated_bytes() - before
        self.rows_at_once = max(1, min(NAMED_ROWS_AT_ONCE, NAMED_BYTES_AT_ONCE // row))
        self.bytes_at_once = held + self.rows_at_once * (2 * row + BYTES_OF_NAMED_ROW)

    @property
    def row_groups(self) -> list[tuple[str, int, int]]:
        """File, number in the file, and number of rows of each chunk."""
        return [
            (self._paths[k], number, self._footers[k].row_group(number).num_rows)
            for k, number, _ in self._row_groups
        ]

    def close(self) -> None:
        """Remove a temporary file."""
        if self._packed is not None:
            self._remove_copy()

    def identity(self) -> str | None:
        """Return names, sizes and times of the files."""
        if self._packed is not None and self._packed.is_stream:
            return None
        return state_of_files(self._paths)

    def bounds(self, chunk: int) -> tuple[int, Any, Any] | None:
        """Return number, smallest and largest weight of a row group, if its statistics say so."""
        k, number, _ = self._row_groups[chunk]
        w, group = self._columns[k][2], self._footers[k].row_group(number)
        if w is None or self._options.fills_gaps:
            return None
        statistics = group.column(self._position(k, w)).statistics
        if statistics is None or not statistics.has_min_max or statistics.null_count:
            return None
        if not isinstance(statistics.min, int | float):  # of float16 they are bytes
            return None
        if self.costs is not None and statistics.min < 0:
            return None  # negative costs are counted
        return group.num_rows, statistics.min, statistics.max

    def dtype(self, chunk: int) -> np.dtype[Any]:
        """Return the type of the weights of a row group, as its file states it."""
        return self._weight_type(self._row_groups[chunk].file)

    def _weight_type(self, k: int) -> np.dtype[Any]:
        path, w = self._paths[k], self._columns[k][2]
        if w is None:
            return np.dtype(np.uint8)
        kind = str(self._footers[k].schema.to_arrow_schema().field(w).type)
        if kind == "null" and self._options.default is not None:
            return np.asarray(int_or_float(self._options.default)).dtype
        self._check_number(path, w, kind)
        return np.dtype(FLOATS.get(kind, kind))

    def _check_number(self, where: str, name: str, kind: str) -> None:
        if not kind.startswith(("int", "uint", "float", "double", "halffloat")):
            raise FormatError(f"{where}: expected numbers in column {name!r}, found {kind}")

    def _check_flat(self) -> None:
        """Raise an error for columns of lists or structures."""
        for k, chosen in enumerate(self._columns):
            for name in filter(None, chosen):
                if self._position(k, name) is None:
                    kind = self._footers[k].schema.to_arrow_schema().field(name).type
                    raise FormatError(
                        f"{self._paths[k]}: expected a value in each row of column {name!r}, found {kind}"
                    )

    def _check_signs(self, where: str, w: NDArray[Any]) -> None:
        """Raise an error for negative weights where those of another file are unsigned."""
        if self._unsigned is not None and w.dtype.kind == "i" and w.size and w.min() < 0:
            raise FormatError(
                f"{where}: the weight {w.min()} is negative, but those of {self._paths[self._unsigned]} are "
                f"uint64, and no integer type holds both: cast one of the columns of weights"
            )

    def _has_names(self, k: int) -> bool:
        """Return whether the ends of edges of a file are names, as for `boruvka.read`."""
        if self._options.names is not None:
            return self._options.names
        schema = self._footers[k].schema.to_arrow_schema()
        kinds = [str(schema.field(name).type) for name in self._columns[k][:2]]
        integers = (self._footers[k].metadata or {}).get(b"boruvka.names") == b"integers"
        return integers or any("string" in kind for kind in kinds)

    def _stated_n(self) -> int | None:
        """Return the number of vertices, from the metadata of a file of ours, or from statistics."""
        stated = (self._footers[0].metadata or {}).get(b"boruvka.n", b"")
        if len(self._paths) == 1 and stated:
            if not (stated.isdigit() and len(stated) < 19):
                raise FormatError(
                    f"{self._paths[0]}: expected a whole number as boruvka.n in the metadata, "
                    f"found {stated[:40].decode(errors='backslashreplace')!r}"
                )
            return int(stated)
        largest = None if self._options.fills_gaps else self.largest  # a row that is left out may have it
        return None if largest is None else largest + 1

    def _first_id(self, k: int) -> int:
        """Return the id of the first vertex in a file."""
        stated = (self._footers[k].metadata or {}).get(FIRST_ID_KEY.encode())
        return first_id_of(self._options, None if stated is None else stated.decode(errors="replace")) or 0

    def _from_zero(self, k: int, where: str, batch: Any) -> Any:
        """Return a batch of a file whose ids count from 0."""
        if self.has_names or not self._first_id(k):
            return batch
        arrow = require("pyarrow", "arrow")
        compute = require("pyarrow.compute", "arrow")
        for name in {*self._columns[k][:2]} & {*batch.schema.names}:
            ids = batch.column(name)
            self._check_number(where, name, str(ids.type))
            smallest = compute.min(ids).as_py()
            if smallest is not None and smallest < 1:
                raise FormatError(f"{where}: the id {smallest} is below 1: expected ids from 1")
            one = arrow.scalar(1, ids.type)
            batch = batch.set_column(batch.schema.get_field_index(name), name, compute.subtract(ids, one))
        return batch

    @property
    def largest(self) -> int | None:
        """The largest id, counted from 0, if all statistics say so and no id is too small."""
        largest = -1
        for k, number, _ in self._row_groups:
            group, first_id = self._footers[k].row_group(number), self._first_id(k)
            for name in self._columns[k][:2]:
                statistics = group.column(self._position(k, name)).statistics
                if statistics is None or not statistics.has_min_max or not isinstance(statistics.max, int):
                    return None
                if statistics.min < first_id:
                    return None
                largest = max(largest, statistics.max - first_id)
        return largest

    def _footer(self, k: int) -> Any:
        path = self._paths[k]
        check_footer(path, InputFile(self._files[k]).content)
        try:
            return self._parquet.ParquetFile(self._files[k], pre_buffer=False).metadata
        except (OSError, require("pyarrow", "arrow").ArrowException) as error:
            raise self._error(path, error) from None

    def _error(self, path: str, error: Exception) -> Exception:
        if isinstance(error, OSError) and error.strerror:
            return FileError(f"{path}: {os.strerror(error.errno)}" if error.errno else f"{path}: {error}")
        return FormatError(f"{path}: cannot be read as Parquet: {error}")

    def _choose_columns(self, k: int) -> tuple[str, str, str | None]:
        path, names = self._paths[k], self._footers[k].schema.to_arrow_schema().names
        chosen = choose_columns(
            len(names), names, self._options, lambda message: FormatError(f"{path}: {message}")
        )
        u, v, w = chosen
        return names[u], names[v], names[w] if w >= 0 else None

    def _position(self, k: int, name: str) -> int | None:
        """Return the position of a column among those of the row groups; None if its values are nested."""
        if k not in self._positions:
            schema = self._footers[k].schema
            self._positions[k] = {schema.column(i).path: i for i in range(len(schema))}
        return self._positions[k].get(name)

    def _bytes(self, chunk: int) -> int:
        """Count the compressed bytes of the columns of a row group."""
        k, number, _ = self._row_groups[chunk]
        group = self._footers[k].row_group(number)
        wanted = {name for name in self._columns[k] if name is not None}
        columns = (group.column(i) for i in range(group.num_columns))
        return sum(column.total_compressed_size for column in columns if column.path_in_schema in wanted)

    def _open(self, k: int) -> Any:
        """Open a file, once in each thread."""
        if getattr(self._local, "number", None) != k:
            self._local.file = self._parquet.ParquetFile(
                self._files[k], metadata=self._footers[k], pre_buffer=False
            )
            self._local.number = k
        return self._local.file

    def _without_gaps(
        self, where: str, batch: Any, size: int, chosen: list[str]
    ) -> EdgeBatch | NamedEdgeBatch:
        """Leave out rows that have no end or no weight, and fill in weights, as the options say."""
        import polars as pl

        for name in chosen:
            check_valid(where, batch.column(name), name)
        source, frame = InputFile.of_bytes(where, b"", 0), cast(pl.DataFrame, pl.from_arrow(batch))
        edges: NumberedEdges | NamedEdges
        rows: EdgeBatch | NamedEdgeBatch
        try:
            if self.has_names:
                edges = named_edges(source, frame, chosen, self._options)
                rows = named_batch(where, edges.u, edges.v, edges.w, size)
            else:
                edges = numbered_edges(source, frame, chosen, self._options, self.first_id)
                rows = checked_batch(where, edges.u, edges.v, edges.w, self.n, size, self.first_id)
        except GraphError as error:
            raise source.error(str(error)) from None
        self._check_signs(where, rows.w)
        return rows._replace(row_counts=edges.row_counts.with_costs(self.costs, rows.w))

    def _names(self, where: str, batch: Any, ends: list[str]) -> tuple[Any, Any]:
        """Return the columns of the names of both ends."""
        import polars as pl

        for name in ends:
            check_valid(where, batch.column(name), name)
        frame: Any = pl.from_arrow(batch.select(ends))
        return named_edges(InputFile.of_bytes(where, b"", 0), frame, ends, Options(unweighted=True))[:2]
