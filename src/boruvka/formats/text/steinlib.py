"""SteinLib and PACE (``.stp``, ``.gr``): ``SECTION Graph``, ``Nodes n``, ``Edges m``, then ``E u v w``.

Source: T. Koch, A. Martin, S. Voss, "SteinLib: an updated library on Steiner tree problems in graphs"
(2000), and PACE 2018. Ids begin at 1; other sections (terminals, coordinates) are passed over.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Line, Text, read_entries, whole_number
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["STEINLIB"]

_MAGIC = "33D32945 STP File, STP Format Version 1.0"
_SECTION = re.compile(rb"\s*section\s+graph\s*", re.IGNORECASE)
_KINDS = {
    b"edges": Line("'E u v w'", letter="e", comments=b"#"),
    b"arcs": Line("'A u v w'", letter="a", comments=b"#"),
}


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    at = _section(text)
    n, at, _, _ = _count(text, at, b"nodes")
    m, at, kind, start = _count(text, at, *_KINDS)
    line = _KINDS[kind]
    entries = read_entries(text, at, line, n=n, one_based=True)
    last, _ = text.line(entries.end)
    if last.lower() != b"end":
        raise text.unexpected(entries.end, f"{line.shown} or 'END'")
    if entries.w.size != m:
        raise text.error(start, f"announces {m} {kind.decode()}, but the section holds {entries.w.size}")
    return Graph(n, entries.u, entries.v, entries.w)


def _section(text: Text) -> int:
    """The offset behind the line that opens the graph."""
    for _, line, behind in text.lines():
        if _SECTION.fullmatch(line):
            return behind
    raise text.unexpected(text.size, "'SECTION Graph'")


def _count(text: Text, at: int, *keys: bytes) -> tuple[int, int, bytes, int]:
    """Read a line with a key and a count: the count, the offset behind, the key, the offset of the line."""
    start, line, behind = next(text.data_lines(b"#", at), (text.size, b"", text.size))
    match line.lower().split():
        case [key, number] if key in keys and (count := whole_number(number)) is not None:
            return count, behind, key, start
    raise text.unexpected(start, " or ".join(f"'{key.decode().capitalize()} <number>'" for key in keys))


def _write(content: Content, file: BinaryIO) -> None:
    file.write(f"{_MAGIC}\n\nSECTION Graph\nNodes {content.n}\nEdges {content.m}\n".encode())
    write_lines(file, content, base=1, letter="E")
    file.write(b"END\n\nEOF\n")


def _recognises(source: Source) -> bool:
    _, first, _ = next(source.text.data_lines(b"#"), (0, b"", 0))
    return first[:7].lower() == b"section" or first[:8].lower() == b"33d32945"


STEINLIB = Format(
    name="steinlib",
    endings=(".stp", ".gr"),
    description="SteinLib and PACE: SECTION Graph, Nodes n, Edges m, then E u v w",
    read=_read,
    write=_write,
    recognises=_recognises,
)
