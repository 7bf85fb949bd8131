"""Counted edge list: ``n m`` on one line, or n and m on two, then ``u v w`` per line, ids from 1.

The form of course work and programming contests. m may be missing where n stands alone; then the
number of edges is not checked. Ids begin at 1 unless ``one_based=False``.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Line, Text, read_entries, whole_number
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["COUNTED"]

_COMMENTS = b"#%"


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    one_based = options.one_based is not False
    n, m, start, at = _counts(text)
    fields = len(next((line for _, line, _ in text.data_lines(_COMMENTS, at)), b"0 0 0").split())
    if options.unweighted and fields == 2:
        line = Line("'u v'", fields=2, w=-1, comments=_COMMENTS)
    elif options.unweighted:
        line = Line("'u v w'", w=-1, comments=_COMMENTS)
    else:
        line = Line("'u v w'", comments=_COMMENTS)
    hint = " (where ids begin at 0, pass one_based=False or --zero-based)" if one_based else ""
    entries = read_entries(text, at, line, n=n, one_based=one_based, hint=hint)
    if m is not None and entries.w.size != m:
        raise text.error(start, f"announces {m} edges, but the file holds {entries.w.size}")
    return Graph(n, entries.u, entries.v, entries.w)


def _counts(text: Text) -> tuple[int, int | None, int, int]:
    """Read n and m: both, the offset of the line of m, and the offset behind."""
    lines = text.data_lines(_COMMENTS)
    start, first, at = next(lines, (text.size, b"", text.size))
    counts = [whole_number(token) for token in first.split()]
    match counts:
        case [int(n), int(edges)]:
            return n, edges, start, at
        case [int(n)]:
            below, second, behind = next(lines, (text.size, b"0 0", text.size))
            m = whole_number(second)
            return (n, m, below, behind) if m is not None else (n, None, start, at)
    raise text.unexpected(start, "'n m'")


def _write(content: Content, file: BinaryIO) -> None:
    file.write(f"{content.n} {content.m}\n".encode())
    write_lines(file, content, base=1)


COUNTED = Format(
    name="counted",
    endings=(),
    description="Counted edge list: n m, then u v w, ids from 1",
    read=_read,
    write=_write,
    options=frozenset({"one_based", "unweighted"}),
)
