"""Errors of other libraries that read files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from xml.etree.ElementTree import ParseError

from boruvka.errors import BoruvkaError, FormatError
from boruvka.formats.files import Source

__all__ = ["library_errors"]


@contextlib.contextmanager
def library_errors(source: Source, format: str) -> Iterator[None]:
    """Turn whatever a library raises into an error that names the file, and the line if it is known."""
    try:
        yield
    except (BoruvkaError, MemoryError):
        raise
    except Exception as error:  # of many types: damaged files also raise KeyError, IndexError and the like
        position = getattr(error, "position", None) if isinstance(error, ParseError) else None
        line = getattr(error, "lineno", None) if position is None else position[0]
        where = source.path if line is None else f"{source.path}:{line}"
        reason = str(error) if str(error) and not isinstance(error, KeyError) else repr(error)
        raise FormatError(f"{where}: cannot be read as {format}: {reason.splitlines()[0][:300]}") from None
