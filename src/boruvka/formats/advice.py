"""What a file that cannot be read as edges looks like, and what to pass: tried before it is said."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from boruvka.errors import BoruvkaError, FormatError, OptionError
from boruvka.formats import points
from boruvka.formats.binary.ply import is_ply
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.registry import TABLES, format_to_read, may_be_table
from boruvka.formats.tables import open_table
from boruvka.formats.text.lines import COMMENTS, is_number
from boruvka.graph.graph import Graph
from boruvka.graph.no_values import is_none
from boruvka.graph.profiles import NAMES
from boruvka.interop.column_names import WEIGHTS
from boruvka.runtime.arguments import hint, is_command_running

__all__ = ["advising"]

_HEAD, _ROWS = 1 << 16, 50
"""Bytes at the beginning of a file, and lines, that are looked at."""
_LEAST_LOCI = 4
"""Number of columns of whole numbers above which a table with names looks like profiles."""
_WORKBOOK = re.compile(rb"(?s)PK\x03\x04.{26}(\[Content_Types\]|_rels|docProps|xl)")
"""The beginning of a file of Excel, which is an archive."""
_VERTICES = {"id", "label", "name", "node", "key"}
"""Names of columns of a table of vertices."""


@contextmanager
def advising(source: InputFile, options: Options) -> Iterator[None]:
    """Add advice that works, if there is some, to an error about a file that is opened as edges."""
    try:
        yield
    except (FormatError, OptionError) as error:
        if not may_be_table(source) or options.format not in (None, *TABLES):
            raise
        advice: list[str] = []
        with warnings.catch_warnings(), suppress(BoruvkaError, ValueError):
            warnings.simplefilter("ignore")
            advice += islice(_advice(source, options), 2)
        looks = f"; it looks like {', or '.join(advice)}" if advice else ""
        raise type(error)(f"{error}{looks}") from None


def _advice(source: InputFile, options: Options) -> Iterator[str]:
    """Yield what a file looks like, and what to pass for this."""
    head = bytes(source.background_content[:_HEAD])
    if len(head) == _HEAD:
        head = head[: head.rfind(b"\n") + 1]
    if _WORKBOOK.match(head):
        yield f"a workbook of Excel: in Python, boruvka.as_graph(pandas.read_excel({source.path!r}))"
    elif is_ply(source):
        yield from _passed("points", {"is_points": True})
    elif head.startswith(b">"):
        fasta: dict[str, Any] = {"format": "fasta", "is_profiles": True}
        plain = list(_of_rows("aligned sequences", head, fasta))
        yield from plain or _of_rows("aligned sequences", head, fasta | {"missing": "ignore"})
    elif options.columns is None and len(columns := _columns(source, head)) > 1:
        if len(columns) <= len(_VERTICES) and {name.lower() for name, _ in columns} <= _VERTICES:
            yield "a table of vertices: name the file of the edges"
            return
        edges = [x for x in _as_edges(columns) if _are_edges(source, head, options._replace(**x))]
        for changes in edges[:1]:
            yield from _passed("edges", changes)
        if not edges or not columns[0][0]:
            yield from _of_table(head, _columns(source, head, b""))


def _of_table(head: bytes, columns: list[tuple[str, list[str]]]) -> Iterator[str]:
    """Yield advice on a table of points or profiles."""
    name = columns[0][0]
    is_known = name.strip().lower() in NAMES or name.startswith("#")
    id = {} if _are_numbers(columns[0][1]) else {"id": name or 0}
    if _are_loci(columns):
        is_whole = not any(is_none(x, "allele") for _, values in columns[1:] for x in values)
        passed = {"is_profiles": True, **({} if is_known else id)}
        yield from _of_rows("profiles of alleles", head, passed | ({} if is_whole else {"missing": "ignore"}))
    elif sum(_are_numbers(values) for _, values in columns) > 1:
        yield from _of_rows("points", head, {"is_points": True, **id})


def _columns(source: InputFile, head: bytes, comments: bytes = COMMENTS) -> list[tuple[str, list[str]]]:
    """Return the name of each column, empty if it has none, and its first fields."""
    table = open_table(InputFile.of_bytes(source.path, head, 0), "csv", comments=comments)
    names = table.names if table.is_named else [""] * len(table.columns)
    fields = ([field or "" for field in column[:_ROWS]] for column in table.columns)
    return list(zip(names, fields, strict=True))


def _as_edges(columns: list[tuple[str, list[str]]]) -> Iterator[dict[str, Any]]:
    """Yield options that may make edges of a table, the more likely ones first."""
    numbers = [k for k, (_, values) in enumerate(columns) if _are_numbers(values)]
    weights = [k for k in numbers if k > 1]
    if len(columns) == 2:
        yield {"unweighted": True}
        yield {"unweighted": True, "header": False}
    elif (0 in numbers) == (1 in numbers) and _are_whole(columns[0][1]) == _are_whole(columns[1][1]):
        known = [k for k in weights if columns[k][0].lower() in WEIGHTS] or weights
        chosen = (0, 1, *known[:1])
        named = tuple(columns[k][0] or k for k in chosen)
        if not (0 in numbers and not _are_whole(columns[0][1])):
            yield {"columns": named} if known else {"columns": named, "unweighted": True}


def _are_numbers(values: list[str]) -> bool:
    return all(is_number(value) or is_none(value, "number") for value in values)


def _are_whole(values: list[str]) -> bool:
    return all(value.isdecimal() for value in values)


def _are_loci(columns: list[tuple[str, list[str]]]) -> bool:
    """Return whether columns with names look like loci, after one of the names of strains."""
    loci = [values for name, values in columns[1:] if name]
    are_alleles = (all(x.isdecimal() or is_none(x, "allele") or "INF-" in x for x in x_) for x_ in loci)
    return len(loci) >= _LEAST_LOCI and all(are_alleles) and not _are_numbers(columns[0][1])


def _are_edges(source: InputFile, head: bytes, options: Options) -> bool:
    sample = InputFile.of_bytes(source.path, head, 0)

    def read() -> None:
        format_to_read(sample, options.format, options).codec.open(sample, options).all_edges()

    return _works(read)


def _of_rows(kind: str, head: bytes, passed: dict[str, Any]) -> Iterator[str]:
    """Yield advice to read points or profiles, if that works."""
    options = {
        name: value for name, value in passed.items() if name not in ("is_points", "is_profiles", "missing")
    }
    options.setdefault("format", "csv")

    def read() -> None:
        if "is_points" in passed:
            Graph.from_points(points.read_points(io.BytesIO(head), **options).coordinates)
            return
        found = points.read_profiles(io.BytesIO(head), **options)
        Graph.from_profiles(found.profiles, names=found.names, missing=passed.get("missing", "error"))

    if _works(read):
        if is_command_running():
            yield from _passed(kind, {name: value for name, value in passed.items() if name != "format"})
        else:
            reader = "read_points" if "is_points" in passed else "read_profiles"
            yield f"{kind}: boruvka.formats.points.{reader} reads them"


def _passed(kind: str, arguments: dict[str, Any]) -> Iterator[str]:
    """Yield what to pass, if the running command or function takes it."""
    if text := hint(" ".join(f"{{{name}}}" for name in arguments), **arguments):
        yield f"{kind}: pass {text}"


def _works(read: Callable[[], object]) -> bool:
    try:
        read()
    except (BoruvkaError, ValueError):
        return False
    return True
