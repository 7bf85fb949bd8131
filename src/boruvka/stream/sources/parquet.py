"""Parquet files: a chunk for each row group, in the order of the files' names and of the rows in each."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import FormatError, GraphError
from boruvka.formats.binary.frames import FrameHead
from boruvka.formats.binary.parquet import check_alike, read_head
from boruvka.formats.binary.parquet_check import check_footer
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.graph.exact import common_type
from boruvka.runtime.libraries import pa, pl, reading_errors, require
from boruvka.runtime.output_files import writing
from boruvka.stream.sources.source import EdgeSource, checked_batch, state_of_files

ROWS_AT_ONCE = 1 << 18
"""Rows of a row group that are decoded at once."""
NAMED_ROWS_AT_ONCE, NAMED_BYTES_AT_ONCE, ROWS_TO_MEASURE = 1 << 15, 1 << 22, 1 << 10
"""With names: rows and approximate bytes that are decoded at once, and rows that show how long names are."""
BYTES_OF_NAMED_ROW = 120
"""Bytes of an edge with names beside their characters: offsets of strings, hashes and vertex numbers."""
BYTES_OF_READERS = 1 << 26
"""Maximum total bytes of concurrent readers of names; a single reader may exceed it. Names are numbered by
one reader at a time."""


def check_valid(where: str, column: Any, name: str) -> None:
    """Raise an error if a column of Arrow is damaged: a string that is not UTF-8, for example."""
    try:
        column.validate(full=True)
    except ValueError as error:  # errors of Arrow are such errors, too
        raise FormatError(f"{where}: the column {name!r} is damaged: {error}") from None


class ParquetFile(NamedTuple):
    """One of the files, whose head has been read."""

    path: str
    """Its name, for errors."""
    place: str
    """The file that is read, which may be an unpacked copy."""
    head: FrameHead
    footer: Any
    """Its metadata in pyarrow."""
    weight_type: np.dtype[Any]

    @classmethod
    def of(cls, path: str, place: str, options: Options) -> ParquetFile:
        """Read the footer of a file.

        Raises
        ------
        FileError, FormatError, OptionError
            The file cannot be read, or lacks the columns of an edge.
        """
        parquet = require("pyarrow.parquet", "arrow")

        error = InputFile(path).error
        with reading_errors(path, "Parquet"):
            source = InputFile(place)
            check_footer(path, source.content)
            head = read_head(source, options, error)
            footer = parquet.ParquetFile(place, pre_buffer=False).metadata
        return cls(path, place, head, footer, head.weight_type(error))

    def row_groups(self, file: int) -> Iterator[RowGroup]:
        """Return the row groups; ``file`` is the number of the file."""
        schema, first = self.footer.schema, 0
        positions = {schema.column(i).path: i for i in range(len(schema))}
        for number in range(self.footer.num_row_groups):
            group = self.footer.row_group(number)
            columns = {name: group.column(positions[name]) for name in self.head.columns_to_read}
            yield RowGroup(file, number, first, group.num_rows, columns)
            first += group.num_rows

    def from_zero(self, where: str, batch: Any) -> Any:
        """Return a batch of Arrow whose ids count from 0, unless they are names."""
        if self.head.has_names or not self.head.first_id:
            return batch
        compute = require("pyarrow.compute", "arrow")
        for name in {*self.head.columns[:2]} & {*batch.schema.names}:
            ids = batch.column(name)
            if not (pa.types.is_integer(ids.type) or pa.types.is_floating(ids.type)):
                raise FormatError(f"{where}: expected numbers in column {name!r}, found {ids.type}")
            smallest = compute.min(ids).as_py()
            if smallest is not None and smallest < 1:
                raise FormatError(f"{where}: the id {smallest} is below 1: expected ids from 1")
            one = pa.scalar(1, ids.type)
            batch = batch.set_column(batch.schema.get_field_index(name), name, compute.subtract(ids, one))
        return batch


class RowGroup(NamedTuple):
    """A row group of one of the files."""

    file: int
    number: int
    first_row: int
    """Its first row in the file."""
    rows: int
    columns: dict[str, Any]
    """The metadata of the columns of edges in pyarrow."""

    @property
    def size(self) -> int:
        """Compressed bytes of the columns of edges."""
        return sum(column.total_compressed_size for column in self.columns.values())


class ParquetSource(EdgeSource):
    """Parquet files.

    Parameters
    ----------
    paths : list of str
        The files.
    options : Options
        How to read them: the options that the format takes.
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
        self._paths, self._packed, places = paths, packed, paths
        if packed is not None:
            folder = tempfile.mkdtemp()
            self._remove_copy = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            places = [os.path.join(folder, "edges.parquet")]
            with writing(places[0]) as file:
                file.writelines(packed.decompressed())
        self.rows_at_once = ROWS_AT_ONCE
        self.name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        self._options, self._local = options, threading.local()
        self._files = [ParquetFile.of(*both, options) for both in zip(paths, places, strict=True)]
        heads = [file.head for file in self._files]
        check_alike(heads, paths)
        self.costs = next((head.costs for head in heads if head.costs is not None), None)
        self.weight_column, self.column_names = heads[0].weight_column, list(heads[0].dtypes)
        self.written_as = paths[0], heads[0].is_maximum
        self.weight_type = reduce(common_type, [file.weight_type for file in self._files])
        self._unsigned = next((file.path for file in self._files if file.weight_type == np.uint64), None)
        self._row_groups = [group for k, file in enumerate(self._files) for group in file.row_groups(k)]
        self.chunks = len(self._row_groups)
        self.m = None if options.fills_gaps else sum(group.rows for group in self._row_groups)
        self.size = sum(group.size for group in self._row_groups)
        self.has_names = heads[0].has_names
        if self.has_names:
            self._measure_names()
            return
        self.first_id = heads[0].first_id or 0
        self.n = heads[0].n if len(paths) == 1 else options.n
        self.ids_are_stated = not (self.n is None and heads[0].first_id is None)
        if self.n is None and not options.fills_gaps and self.largest is not None:
            self.n = self.largest + 1

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read a row group."""
        group = self._row_groups[chunk]
        file, bytes_of_row = self._files[group.file], group.size / max(group.rows, 1)
        for where, batch in self._stored_batches(chunk, file.head.columns_to_read):
            error = InputFile(where).error
            for name in file.head.columns_to_read:
                check_valid(where, batch.column(name), name)
            frame: Any = pl.from_arrow(batch)
            try:
                edges = file.head.edges(frame, error)
            except GraphError as problem:
                raise error(str(problem)) from None
            w = edges.w
            if self._unsigned is not None and w.dtype.kind == "i" and w.size and w.min() < 0:
                found = f"the weight {w.min()} is negative, but {self._unsigned} has weights of uint64"
                raise error(f"{found}, and no integer type holds both: cast one of the columns of weights")
            yield checked_batch(where, edges, self.n, int(bytes_of_row * batch.num_rows))

    def batches(self, chunk: int, columns: list[str]) -> Iterator[tuple[str, Any]]:
        """Read columns of a row group as batches of Arrow, whose ids count from 0; say where each is."""
        file = self._files[self._row_groups[chunk].file]
        for where, batch in self._stored_batches(chunk, columns):
            yield where, file.from_zero(where, batch)

    @property
    def readers(self) -> int:
        """All row groups, or with names as many as fit some memory."""
        return max(1, min(self.chunks, BYTES_OF_READERS // max(self.bytes_at_once, 1)))

    @property
    def row_groups(self) -> list[tuple[str, int, int]]:
        """File, number in the file, and number of rows of each chunk."""
        return [(self._paths[group.file], group.number, group.rows) for group in self._row_groups]

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
        group = self._row_groups[chunk]
        weights = [*group.columns.values()][2:3]
        if not weights or self._options.fills_gaps or self.costs is not None:
            return None
        statistics = weights[0].statistics
        if statistics is None or not statistics.has_min_max or statistics.null_count:
            return None
        if not isinstance(statistics.min, int | float):  # of float16 they are bytes
            return None
        return group.rows, statistics.min, statistics.max

    def dtype(self, chunk: int) -> np.dtype[Any]:
        """Return the type of the weights of a row group, as its file states it."""
        return self._files[self._row_groups[chunk].file].weight_type

    @property
    def largest(self) -> int | None:
        """The largest id, counted from 0, if all statistics say so and no id is too small."""
        largest = -1
        for group in self._row_groups:
            first_id = self._files[group.file].head.first_id or 0
            for ends in [*group.columns.values()][:2]:
                statistics = ends.statistics
                if statistics is None or not statistics.has_min_max or not isinstance(statistics.max, int):
                    return None
                if statistics.min < first_id:
                    return None
                largest = max(largest, statistics.max - first_id)
        return largest

    def _stored_batches(self, chunk: int, columns: list[str]) -> Iterator[tuple[str, Any]]:
        """Read columns of a row group as they are stored, as batches of Arrow; say where each is."""
        group = self._row_groups[chunk]
        path, row = self._paths[group.file], group.first_row
        with reading_errors(path, "Parquet"):
            file = self._open(group.file)
            for batch in file.iter_batches(self.rows_at_once, [group.number], columns, use_threads=False):
                yield f"{path}, rows from {row:,} on", batch
                row += batch.num_rows

    def _open(self, k: int) -> Any:
        """Open a file, once in each thread."""
        if getattr(self._local, "number", None) != k:
            file = self._files[k]
            self._local.file = self._parquet.ParquetFile(file.place, metadata=file.footer, pre_buffer=False)
            self._local.number = k
        return self._local.file

    def _measure_names(self) -> None:
        """Choose how many rows are decoded at once, and find out how much memory this takes.

        Names may be long, and Arrow decodes the dictionaries of a row group before its first row.
        """
        if not self._row_groups:
            return
        self.rows_at_once, before = ROWS_TO_MEASURE, pa.total_allocated_bytes()
        largest = max(range(self.chunks), key=lambda chunk: self._row_groups[chunk].size)
        columns = self._files[self._row_groups[largest].file].head.columns_to_read
        _, batch = next(self._stored_batches(largest, columns), ("", None))
        if batch is None:
            return
        row = batch.nbytes // batch.num_rows + 1
        held = pa.total_allocated_bytes() - before
        self.rows_at_once = max(1, min(NAMED_ROWS_AT_ONCE, NAMED_BYTES_AT_ONCE // row))
        self.bytes_at_once = held + self.rows_at_once * (2 * row + BYTES_OF_NAMED_ROW)
