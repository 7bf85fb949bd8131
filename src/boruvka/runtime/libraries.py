"""Optional libraries: their import, and their errors as errors of this package."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from boruvka.errors import BoruvkaError, FileError, FormatError, MissingExtraError
from boruvka.runtime.processors import advice_on_addresses
from boruvka.runtime.progress import is_of_listener

_SHOWN, _LONGEST = 300, 1000
"""Characters of a message of a library, and of one of this package without the path: names may be long."""


def require(library: str, extra: str, purpose: str = "") -> Any:
    """Import a library that an optional extra installs.

    Parameters
    ----------
    library : str
        The module to import, perhaps inside a package.
    extra : str
        The extra of this package that installs it.
    purpose : str, optional
        The inputs that need it, in the plural, for the error; others do not.

    Returns
    -------
    module

    Raises
    ------
    MissingExtraError
        It is not installed. An import error inside an installed library is raised unchanged.
    """
    if (module := optional(library)) is None:
        package = library.partition(".")[0]
        needed = f", and {purpose} need it" if purpose else ""
        raise MissingExtraError(
            f'{package} is not installed{needed}; install it with: pip install "boruvka[{extra}]"',
            name=package,
        )
    return module


def optional(library: str) -> Any:
    """Import a library, or return None if it is not installed.

    An import error inside an installed library is raised unchanged.
    """
    try:
        return importlib.import_module(library)
    except ModuleNotFoundError as error:
        if error.name not in (library, library.partition(".")[0]):
            raise
        return None


class _Library:
    """An optional library that `require` imports when one of its names is read."""

    def __init__(self, library: str, extra: str):
        self._library, self._extra = library, extra

    def __getattr__(self, name: str) -> Any:
        return getattr(require(self._library, self._extra), name)


if TYPE_CHECKING:  # so that annotations can name their types
    import pandas as pd
    import polars as pl
    import pyarrow as pa
else:
    pd, pl, pa = _Library("pandas", "pandas"), _Library("polars", "tables"), _Library("pyarrow", "arrow")
shapely, pyproj, gpd = (_Library(name, "geo") for name in ("shapely", "pyproj", "geopandas"))


@contextlib.contextmanager
def reading_errors(path: str, format: str = "") -> Iterator[None]:
    """Turn whatever is raised while a file is read into a `FormatError` or `FileError` that names it.

    Libraries raise many types for damaged files, KeyError and IndexError among them, and polars panics with a
    BaseException. Errors of this package, errors of listeners to progress, and interrupts are unchanged.

    Parameters
    ----------
    path : str
        The name of the file.
    format : str, optional
        The name of its format.
    """
    try:
        yield
    except BoruvkaError as error:
        if len(text := str(error)) <= len(path) + _LONGEST:
            raise
        raise type(error)(f"{text[: len(path) + _LONGEST]} ...") from None
    except MemoryError:
        raise FileError(
            f"{path}: there is not enough memory to read the file{advice_on_addresses()}"
        ) from None
    except BaseException as error:
        is_panic = type(error).__name__ == "PanicException"
        if is_of_listener(error) or not (isinstance(error, Exception) or is_panic):
            raise
        if isinstance(error, OSError) and error.errno is not None:
            raise FileError(f"{path}: {error.strerror or error}") from error
        reason = str(error).strip() if not isinstance(error, KeyError) else ""
        shown = (reason or repr(error)).splitlines()[0][:_SHOWN]
        if isinstance(error, ImportError) or "shared object" in reason:  # llvmlite raises an OSError
            unloaded = f"{path}: a library cannot be loaded: {shown.rstrip('.')}{advice_on_addresses()}"
            raise FileError(unloaded) from error
        as_format = f" as {format}" if format else ""
        raise FormatError(f"{path}{_line(error)}: cannot be read{as_format}: {shown}") from error


def _line(error: BaseException) -> str:
    """Return the line of the file that an error of a library names, as messages show it."""
    if isinstance(error, SyntaxError):  # of XML, or of a header of NumPy, which has no lines
        line = getattr(error, "position", [None])[0]
    else:
        line = getattr(error, "lineno", None)
    return "" if line is None else f":{line}"
