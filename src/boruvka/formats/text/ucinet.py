"""UCINET DL (``.dl``): ``dl n=4 format=edgelist1``, labels, and after ``data:`` a matrix or lists of edges.

Source: S. Borgatti, M. Everett, L. Freeman, "UCINET for Windows" (2002). Zeros of a matrix are no edges. A
symmetric matrix holds each edge twice, and is read once; in another one every entry is an edge, as for
`Graph.from_dense`. Where edges have values, an edge without one has 1. Labels are the names of vertices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from boruvka.errors import GraphError
from boruvka.formats.edge_table import Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.name_columns import names_of_words
from boruvka.formats.text.lines.numbers import whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph
from boruvka.graph.text_numbers import number_of_text

_BEGIN = re.compile(rb"\s*dl\b", re.IGNORECASE)
_DATA = re.compile(rb"\bdata\s*:", re.IGNORECASE)
_LABELS = re.compile(rb"\b(?:row\w*\s+)?(col\w*\s+)?labels\s*:", re.IGNORECASE)
_SETTING = re.compile(rb"\b(\w++)\s*+=\s*+(\w+)")
_EMBEDDED = re.compile(rb"\blabels\s+embedded\b", re.IGNORECASE)
_WORD = re.compile(r'"([^"\n]*)"|([^\s,"]+)')
_NO_DIAGONAL = re.compile(rb"\bdiagonal\s*+=?\s*+absent\b", re.IGNORECASE)
_MATRICES = (b"fullmatrix", b"lowerhalf", b"upperhalf")
_FORMS = (*_MATRICES, b"edgelist1", b"nodelist1")
_Rows = Iterator[tuple[int, list[str]]]
"""Offsets of lines, and words in them."""


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    begin = _BEGIN.match(text.array, text.start)  # type: ignore[call-overload]
    data = begin and _DATA.search(text.array, begin.end())  # type: ignore[call-overload]
    before = text.decoded(begin.end(), data.start()).encode() if data else b""
    head, *labelled = _LABELS.split(before)
    settings = {key.lower(): value.lower() for key, value in _SETTING.findall(head)}
    size, form = settings.get(b"n", settings.get(b"nr", b"")), settings.get(b"format", _FORMS[0])
    n, is_square = whole_number(size), settings.get(b"nc", size) == size and b"nm" not in settings
    if n is None or not is_square or form not in _FORMS:
        others = (other.decode() for other in _FORMS[1:])
        expected = f"'DL n = 4, format = fullmatrix' (or {', '.join(others)}), and later 'DATA:'"
        raise text.unexpected(text.start, expected)
    lines = (
        (start, _words(text.decoded(start, after))) for start, _, after in text.data_lines(b"", data.end())
    )
    labels: dict[str, int] | None = {} if _EMBEDDED.search(head) else None

    def vertex(word: str) -> int:
        if labels is None:
            return range(1, n + 1).index(int(word))
        return labels.setdefault(word, len(labels))

    edges = []
    has_diagonal = not _NO_DIAGONAL.search(head)
    for line, words in _edges(text, form, n, lines, labels is not None, has_diagonal):
        try:
            u, v, *value = words
            edges.append((vertex(u), vertex(v), number_of_text(*value) if value else None))
        except GraphError as error:
            raise text.error(line, str(error)) from None
        except (TypeError, ValueError):
            raise text.unexpected(line, f"edges of {n} vertices as {form.decode()}") from None
    if form in _MATRICES:
        edges = _edges_of_entries(edges)
    weights = [1 if options.unweighted else w for _, _, w in edges]
    if edges and weights.count(None) == len(edges):
        raise text.error(text.start, f"the edges have no values{weight_1()}")
    w = [1 if weight is None else weight for weight in weights]
    ends = [edge[0] for edge in edges], [edge[1] for edge in edges]
    of_rows = (part for kind, part in zip(labelled[::2], labelled[1::2], strict=True) if not kind)
    listed = next(of_rows, b"")
    names = names_of_words(labels or _words(listed.decode()))
    return Graph.from_edges(*ends, w, n=n, names=names).with_first_id(0 if names is not None else 1)


def _edges(text: Text, form: bytes, n: int, lines: _Rows, has_labels: bool, has_diagonal: bool) -> _Rows:
    """Yield the words of each edge: the ends, and a value if there is one."""
    if form == b"edgelist1":
        yield from lines
    elif form == b"nodelist1":
        for start, (vertex, *neighbours) in lines:
            yield from ((start, [vertex, neighbour]) for neighbour in neighbours)
    else:
        cells = [(start, word) for start, words in lines for word in words]
        columns, count = (cells[:n], n) if has_labels else ([], 0)
        count += (n * n if form == b"fullmatrix" else n * (n + 1) // 2) - (0 if has_diagonal else n)
        if len(cells) - len(columns) != count:
            found = len(cells) - len(columns)
            raise text.error(text.start, f"expected a matrix of {n} rows, but there are {found} numbers")
        names, rest = [word for _, word in columns], iter(cells[len(columns) :])
        names = names or list(map(str, range(1, n + 1)))
        for i in range(n):
            name = next(rest)[1] if has_labels else names[i]
            first, end = i if form == b"upperhalf" else 0, i + 1 if form == b"lowerhalf" else n
            for j in range(first, end):
                if has_diagonal or j != i:
                    start, value = next(rest)
                    ends = [name, names[j]]
                    yield start, [*(reversed(ends) if form == b"lowerhalf" else ends), value]


def _edges_of_entries(entries: list[tuple[int, int, Any]]) -> list[tuple[int, int, Any]]:
    """Return the entries of a matrix that are edges."""
    weight = {(u, v): w for u, v, w in entries if w and u != v}
    is_symmetric = all(weight.get((v, u)) == w for (u, v), w in weight.items())
    return [(u, v, w) for (u, v), w in weight.items() if u < v or not is_symmetric]


def _words(text: str) -> list[str]:
    return [quoted or plain for quoted, plain in _WORD.findall(text)]


UCINET = Codec(_read, options=frozenset({"unweighted"}))
