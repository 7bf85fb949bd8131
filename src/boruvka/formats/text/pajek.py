"""Pajek (``.net``, ``.paj``): ``*Vertices n`` and labels, then ``*Arcs`` and ``*Edges`` with ``u v w``.

Source: V. Batagelj, A. Mrvar, "Pajek: reference manual". Ids begin at 1; labels are the names of vertices.
A line without a value has weight 1. Lists of neighbours (``*Arcslist``, ``*Edgeslist``) and matrices are
read, too: a zero of a matrix means that there is no edge, and a symmetric matrix is read once. The first
network of a project is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from boruvka.errors import FormatError, GraphError, warn
from boruvka.formats.attributed_graph import COUNTED_FROM_1, AttributedGraph, Edge
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.graph_languages import unescaped
from boruvka.formats.text.lines.numbers import whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph
from boruvka.graph.no_values import is_none
from boruvka.graph.text_numbers import number_of_text
from boruvka.runtime.processors import check_room

_WORD = re.compile(r'"(.*?)"(?=\s|$)|(\S+)')
"""A text between quotes, which may contain others, or a word."""
_OTHER_OBJECTS = "*partition", "*vector", "*permutation", "*cluster", "*hierarchy"
"""Sections of a project that hold no network; they may have a line ``*Vertices``."""
_BYTES_OF_VERTEX = 500


def _read(source: InputFile, options: Options) -> Graph:
    found = AttributedGraph({}, [], COUNTED_FROM_1)
    nodes, edges = found.nodes, found.edges
    section, is_network, rows, cells = "", True, 0, list[tuple[str, Any]]()
    for number, words in _lines(source):
        if is_head := words[0].startswith("*"):
            section = words[0].lower()
            is_network = section not in _OTHER_OBJECTS and (is_network or section == "*network")
            if is_network and nodes and section in ("*network", "*vertices"):
                warn(f"{source.path}: only the first network is read: save the others as files of their own")
                break
        if not is_network:
            continue
        try:
            match section, is_head:
                case "*vertices", True:
                    n, rows = _whole(words[1]), _whole(words[2] if words[2:] else words[1])
                    check_room(source.path, _BYTES_OF_VERTEX * n)
                    nodes.update((str(i), {"label": str(i)}) for i in range(1, n + 1))
                case "*vertices", _:
                    count = 2 if words[2:4] == ["0.0", "0.0"] else 4  # NetworkX writes these for no place
                    known = zip(("label", "x", "y"), words[1:count], strict=False)
                    nodes[_id(nodes, words[0])] |= {key: unescaped(word) for key, word in known}
                case "*network" | "*arcs" | "*edges" | "*arcslist" | "*edgeslist" | "*matrix", True:
                    pass
                case "*arcs" | "*edges", _:
                    weight = {} if not words[2:] or _is_property(words[2]) else {"weight": words[2]}
                    edges.append((_id(nodes, words[0]), _id(nodes, words[1]), weight))
                case "*arcslist" | "*edgeslist", _:
                    first, *others = (_id(nodes, word) for word in words)
                    edges += [(first, other, {}) for other in others]
                case "*matrix", _:
                    cells += [(word, _number(word)) for word in words]
                case _:
                    raise ValueError
        except GraphError as error:
            raise FormatError(f"{source.path}:{number}: {error}") from None
        except (ValueError, LookupError):
            expected = f"a line of {section} with ids from 1 to {len(nodes)}" if nodes else "'*Vertices n'"
            expected = "a row of numbers" if section == "*matrix" and nodes else expected
            text = " ".join(words)[:50]
            raise FormatError(f"{source.path}:{number}: expected {expected}, found {text!r}") from None
    edges += _edges_of_matrices(source, cells, rows, len(nodes))
    return found.graph(source, options, ("label",), "weight")


def _edges_of_matrices(source: InputFile, cells: list[tuple[str, Any]], rows: int, n: int) -> Iterator[Edge]:
    """Yield the edges of matrices, whose cells have their text and number; a symmetric one has each once."""
    columns = n - rows or rows
    if len(cells) % max(rows * columns, 1):
        raise source.error(f"expected a matrix of {rows} x {columns} numbers, found {len(cells)}")
    matrix = np.array([value for _, value in cells], object).reshape(-1, rows or 1, columns or 1)
    if rows == columns and (matrix == matrix.transpose(0, 2, 1)).all():
        matrix = np.triu(matrix)
    for k, i, j in np.argwhere(matrix).tolist():
        weight, _ = cells[(k * rows + i) * columns + j]
        yield str(i + 1), str(n - columns + j + 1), {"weight": weight}


def _lines(source: InputFile) -> Iterator[tuple[int, list[str]]]:
    """Return the words of each line with its number, without comments."""
    for number, line in enumerate(re.split(r"\r\n?|\n", Text.of(source).decoded()), 1):
        if (words := _WORD.findall(line)) and not line.lstrip().startswith(("%", "/*")):
            yield number, [quoted or word for quoted, word in words]


def _whole(word: str) -> int:
    """Return a count or an id; raise a `ValueError` for another word."""
    if (found := whole_number(word.encode())) is None:
        raise ValueError(word)
    return found


def _number(word: str) -> float:
    """Return a number of a matrix, NaN where a word says that there is none."""
    return math.nan if is_none(word, "number") else number_of_text(word)


def _id(nodes: Mapping[str, object], word: str) -> str:
    """Return the id of a vertex, which must exist."""
    found = str(_whole(word))
    if found not in nodes:
        raise LookupError
    return found


def _is_property(word: str) -> bool:
    """Return whether a word is not a value, but a property, such as ``c`` for a colour, or an interval."""
    return word[:1] == "[" or (word[:1].islower() and word.lower() not in ("nan", "inf"))


PAJEK = Codec(_read, options=frozenset({"default", "missing", "unweighted"}))
