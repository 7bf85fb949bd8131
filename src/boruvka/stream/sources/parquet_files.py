"""The Parquet files that a folder or a pattern names."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from boruvka.errors import FileError
from boruvka.runtime.arguments import argument
from boruvka.runtime.output_files import file_errors

__all__ = ["parquet_files"]


def parquet_files(path: str) -> list[str] | None:
    """List the Parquet files that a folder or a pattern names, in order; None for any other path.

    Raises
    ------
    FileError
        There is none.
    """
    if os.path.isdir(path):
        with file_errors(path):  # a folder in it may be removed meanwhile
            found = (file for ending in ("parquet", "pq") for file in Path(path).rglob(f"*.{ending}"))
            files = sorted(str(f) for f in found if not _is_hidden(f.relative_to(path)) and f.is_file())
    elif not os.path.exists(path) and glob.has_magic(path):
        files = sorted(glob.glob(path, recursive=True))
    else:
        return None
    if not files:
        what = "is a directory without" if os.path.isdir(path) else "matches no"
        raise FileError(f"{path}: {what} Parquet files; for another {argument('format')}, name a file")
    return files


def _is_hidden(path: Path) -> bool:
    """Return whether writers keep a file beside the data, as in the log of a Delta table."""
    return any(part.startswith(("_", ".")) for part in path.parts)
