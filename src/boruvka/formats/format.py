"""The interface of a file format: what a format offers, and the data that readers and writers exchange.

How to add a format:

1. Write ``text/<name>.py``, ``binary/<name>.py`` or, if an optional library reads it,
   ``libraries/<name>.py``. It has a function ``_read`` that returns a graph, a function ``_write`` (none if
   files are only read), and a constant of type `Codec` with the name of the format. If files are not always
   read whole, a class of `boruvka.formats.edge_file` stands in place of ``_read``:

   - `DivisibleFile`: ``edges(chunk)`` reads a chunk without the others, so ranks and streams divide the file.
   - `LineFile`: each line holds an edge, and ``edges_in(text, offset)`` reads lines; pipes are streamed, too.

   Such a class may also define ``edge_indices()``, if files state the indices of the edges of a forest;
   ``check_count(m)``, if they announce a number of edges; and ``graph_and_first_id()``, if they hold more
   than edges, such as coordinates. Their docstrings in `EdgeFile` say what they return.

   `boruvka.formats.text.lines` reads and writes lines of numbers and makes errors that name the line;
   ``text/dimacs.py`` is an example. Errors in a file as a whole are ``source.error(...)``; whatever a library
   raises becomes one in `boruvka.runtime.libraries`. Make advice on which argument or option to pass
   with `boruvka.runtime.arguments.hint`.
2. Enter name, endings, module and description in `FORMATS` of ``registry.py``, and how files begin in
   `_BEGINS`.
3. Add a row to the table in ``docs/formats.md``.

The tests of round trips, endings, compression, names and damaged files, and the fuzzing, run for every format
of the registry. Errors of one format only are tested in ``tests/formats/text/test_<name>.py``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.formats.edge_file import DivisibleFile, EdgeFile, LineFile, WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.runtime.arguments import taking
from boruvka.runtime.libraries import reading_errors


class Holds(NamedTuple):
    """Properties of the files of a format, beside the ends and the weights of edges.

    Parameters
    ----------
    n : bool
        Whether a file states its number of vertices; if not, only graphs whose last vertex has an edge are
        written.
    names : callable, optional
        Names -> None. Raises `FormatError` if a file cannot hold one of them. None if files hold no names of
        vertices: then only graphs without names are written.
    lines : bool
        Whether files hold lines between the coordinates of vertices, whatever the names of these.
    columns : collection of str
        "vertices" if files hold columns of vertices, such as metadata; "edges" if they hold columns of the
        edges of a result, such as those that ``keep`` names.
    """

    n: bool = True
    names: Callable[[NDArray[Any]], object] | None = None
    lines: bool = False
    columns: Collection[str] = ()


class Codec(NamedTuple):
    """Reader and writer of the files of a format.

    Parameters
    ----------
    reader : callable
        A function (source, options) -> graph, for files that are always read whole; or a class of
        `boruvka.formats.edge_file.EdgeFile`, or a `functools.partial` of one: (source, options) -> open file.
    write : callable, optional
        (edge table, binary file) -> None. Raises `FormatError` if the format cannot hold the edges. None if
        files are only read.
    options : frozenset of str
        The options that the reader takes.
    holds : Holds
        The properties of the files.
    uses_polars : bool
        Whether polars writes the files, for which a process needs addresses.
    """

    reader: Callable[[InputFile, Options], Any]
    write: Callable[[EdgeTable, BinaryIO], None] | None = None
    options: frozenset[str] = frozenset()
    holds: Holds = Holds()
    uses_polars: bool = False

    @property
    def file_class(self) -> type[EdgeFile]:
        """The class of open files."""
        reader = getattr(self.reader, "func", self.reader)
        return reader if isinstance(reader, type) else WholeFile

    def open(self, source: InputFile, options: Options) -> EdgeFile:
        """Open a file, which then reads the edges."""
        if self.file_class is WholeFile:
            return WholeFile(self.reader, source, options)
        return self.reader(source, options)

    @property
    def is_divisible(self) -> bool:
        """Whether chunks of a file can be read without the others."""
        return issubclass(self.file_class, DivisibleFile)

    @property
    def has_edge_lines(self) -> bool:
        """Whether each line of a file holds an edge, so that the edges of a pipe can be streamed, too."""
        return issubclass(self.file_class, LineFile)


class Format(NamedTuple):
    """A file format.

    Parameters
    ----------
    name : str
        The value of ``format=`` that selects it.
    endings : tuple of str
        File name endings, in lower case and without the ending of a compression; the usual one first.
    module : str
        The module of this package that has its `Codec`, imported when it is needed: a constant with the name
        of the format, such as ``MATRIX_MARKET`` for matrix-market.
    description : str
        One line for `boruvka formats` and for errors.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    description: str

    @property
    def codec(self) -> Codec:
        """Its reader and writer."""
        constant = self.name.upper().replace("-", "_")
        return getattr(importlib.import_module(f"boruvka.formats.{self.module}"), constant)


@contextmanager
def errors_of_file(source: InputFile, format: Format) -> Iterator[None]:
    """Turn errors about the graph in a file, and errors of libraries, into errors that name the file.

    They advise no options that the format does not take.
    """
    try:
        with taking("format", "is_points", *format.codec.options), reading_errors(source.path, format.name):
            yield
    except (GraphError, GraphTypeError) as error:
        raise source.error(str(error)) from None
