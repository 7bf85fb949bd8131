"""Pajek (``.net``, ``.pajek``): ``*Vertices n``, labels, then ``*Edges`` or ``*Arcs`` u v w, ids from 1.

Vertices are named by their labels if all have one and no two are the same. Every edge and arc is kept, in the
order of the file. Adjacency lists (``*Edgeslist``, ``*Arcslist``) hold no weights.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, BinaryIO

from boruvka.errors import FormatError
from boruvka.formats.attributes import graph_with_attributes, names_as_text, whole_numbers
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.text.lines import Text, whole_number, write_edge_lines
from boruvka.graph.graph import Graph

__all__ = ["PAJEK"]

_VERTEX = re.compile(r"([0-9]+)(?:\s+(?:\"([^\"]*)\"|([^\"\s]\S*)))?(?:\s.*)?", re.DOTALL)
_EDGES, _LISTS = (b"*edges", b"*arcs"), (b"*edgeslist", b"*arcslist")


def _read(source: Source, options: Options) -> Graph:
    text = Text.of(source)
    labels: dict[int, str] = {}
    n = 0
    u: list[int] = []
    v: list[int] = []
    attributes: list[Mapping[str, Any]] = []
    section, announced = b"", False
    for offset, line, _ in text.data_lines(b"%"):
        if line[:1] == b"*":
            words = line.split()
            section = words[0].lower()
            if section == b"*vertices" and not announced:
                stated = whole_number(words[1]) if len(words) > 1 else None
                if stated is None:
                    raise text.unexpected(offset, "*Vertices n")
                n, announced = stated, True
            elif section not in (b"*network", *_EDGES, *_LISTS) or not (announced or section == b"*network"):
                raise text.unexpected(offset, "*Vertices n, then *Edges, *Arcs, *Edgeslist or *Arcslist")
        elif section == b"*vertices":
            _read_label(text, offset, line, n, labels)
        elif section in _EDGES:
            ends, weight = _ends(text, offset, line.split()[:2], n), line.split()[2:3]
            u.append(ends[0])
            v.append(ends[1])
            attributes.append({"weight": weight[0].decode("ascii", "replace")} if weight else {})
        elif section in _LISTS:
            first, *others = _ends(text, offset, line.split(), n)
            u += [first] * len(others)
            v += others
            attributes += [{}] * len(others)
        else:
            raise text.unexpected(offset, "*Vertices n")
    if not announced:
        raise text.unexpected(text.size, "*Vertices n")
    return graph_with_attributes(source, options, _names(labels, n), u, v, attributes)


def _read_label(text: Text, offset: int, line: bytes, n: int, labels: dict[int, str]) -> None:
    found = _VERTEX.fullmatch(line.decode("utf-8", "backslashreplace"))
    number = None if found is None else whole_number(found[1].encode())
    if found is None or number is None or not 1 <= number <= n:
        raise text.unexpected(offset, f'a vertex between 1 and {n} and its "label"')
    if (label := found[2] or found[3]) is not None:
        labels[number - 1] = label


def _ends(text: Text, offset: int, words: Sequence[bytes], n: int) -> list[int]:
    """Return vertices, counted from 0."""
    numbers = [whole_number(word) for word in words]
    if len(numbers) < 2 or not all(number is not None and 1 <= number <= n for number in numbers):
        raise text.unexpected(offset, f"two vertices between 1 and {n}")
    return [number - 1 for number in numbers if number is not None]


def _names(labels: dict[int, str], n: int) -> Sequence[Hashable]:
    if len(labels) < n or len(set(labels.values())) < n:
        return range(n)
    return whole_numbers([labels[i] for i in range(n)])


def _write(table: EdgeTable, file: BinaryIO) -> None:
    labels = names_as_text(table)
    if wrong := next((label for label in labels if '"' in label), None):
        raise FormatError(f"labels of Pajek have no quotation marks, but a vertex is called {wrong!r}")
    file.write(f"*Vertices {table.n}\n".encode())
    file.write("".join(f'{i} "{label}"\n' for i, label in enumerate(labels, 1)).encode())
    file.write(b"*Edges\n")
    write_edge_lines(file, table, base=1)


PAJEK = Codec(
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
    holds_names=True,
)
