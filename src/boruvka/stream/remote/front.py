"""Requests to `boruvka.dask` and `boruvka.spark`: files that tasks read, or a frame with a row per edge."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from boruvka.errors import GraphTypeError, OptionError
from boruvka.interop.column_names import choose_columns, cost_columns
from boruvka.interop.missing_values import check_options
from boruvka.stream.remote.reading import ColumnNames
from boruvka.stream.remote.row_groups import ParquetParts

__all__ = ["Request"]


class Request(NamedTuple):
    """The columns of edges in files or in a frame, and arguments for the driver."""

    columns: ColumnNames
    files: ParquetParts | None
    """The files; None for a frame."""
    how: dict[str, Any]
    """Arguments for `boruvka.stream.remote.driver.minimum_spanning_forest`."""

    @classmethod
    def of(
        cls,
        frame: Any,
        kind: str,
        method: str,
        wanted: tuple[str | None, str | None, str | None],
        index: str | None,
        missing: str,
        default: float | None,
        **how: Any,
    ) -> Request:
        """Look at what the caller passes as frame.

        Parameters
        ----------
        frame : path-like or frame
            The files, or the frame.
        kind, method : str
            The kind of frame, for errors, and a method that other objects do not have.
        wanted : tuple
            The columns of u, v and w; None for the column with a known name.
        index : str, optional
            The column of the indices of edges.
        missing, default
            As for `boruvka.read`.
        **how
            Arguments for the driver, as the caller passes them.

        Raises
        ------
        GraphTypeError
            It is neither.
        FileError, FormatError, OptionError
            There is no file, or there are not these columns.
        """
        check_options(missing, default)
        if isinstance(frame, str | bytes | os.PathLike):
            if index is not None:
                raise OptionError("index is for frames: edges in files are numbered by their rows")
            files = ParquetParts.of(frame, wanted, missing, default)
            return cls(files.columns, files, how | files.known(how["n"], how["names"]))
        if hasattr(frame, method) and hasattr(frame, "columns"):
            names = list(frame.columns)
            u, v, w = choose_columns(names, wanted)
            columns = ColumnNames(u, v, w, index, missing, default, cost_columns(names, [w]))
            return cls(columns, None, how)
        raise GraphTypeError(f"expected a {kind} or Parquet files, got {type(frame).__name__}")
