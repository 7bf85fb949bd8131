"""Parquet files whose row groups are read by tasks: a part is some consecutive row groups."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from boruvka.errors import FormatError
from boruvka.formats.binary.parquet import parquet_files
from boruvka.formats.edge_table import Options
from boruvka.runtime.libraries import pa, require
from boruvka.runtime.output_files import file_errors
from boruvka.stream.remote.reading import Batches, ColumnNames
from boruvka.stream.sources.parquet import ParquetSource

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

    def known(self, n: int | None, names: bool | None) -> dict[str, Any]:
        """Return arguments for the driver; ``n`` and ``names`` are what the caller says."""
        names = (self.has_names or None) if names is None else names
        stated = self.n if n is None and not names else n
        return {"n": stated, "names": names, "largest": self.largest}

    @classmethod
    def of(cls, path: Any, wanted: Sequence[str | None], **gaps: Any) -> ParquetParts:
        """Split the Parquet files that a path names into parts; only their footers are read.

        Parameters
        ----------
        path : path-like
            The file, folder or pattern.
        wanted : sequence
            The columns of u, v and w; None for the column with a known name.
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
                names = pq.read_schema(files[0]).names
        except pa.ArrowException as error:
            raise FormatError(
                f"{files[0]}: cannot be read as Parquet: {error} Pass other files as a frame, which "
                "dask.dataframe.read_csv or spark.read.csv makes of text."
            ) from None
        columns = ColumnNames.choose(names, wanted, is_stable=True, **gaps)
        options = Options(columns=columns[:3], **gaps)
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
        return cls(files, columns, parts, largest=largest, n=stated, has_names=source.has_names)


@lru_cache(maxsize=4)
def _open(path: str, options: Options, version: tuple[int, int]) -> ParquetSource:
    """Open a file, once for all tasks of a worker until it changes."""
    return ParquetSource([path], options)


def _version(path: str) -> tuple[int, int]:
    with file_errors(path):
        found = os.stat(path)
    return found.st_size, found.st_mtime_ns
