"""Edge lists of NetworkX (``.edgelist``): ``u v``, ``u v w`` or ``u v {'weight': w}`` per line.

Lines that begin with ``#`` are comments. Vertices are numbers if all ids are whole numbers, else they have
names. What `networkx.write_edgelist` and `networkx.write_weighted_edgelist` write is read; edges are written
as ``u v w``.
"""

from __future__ import annotations

import ast
import io
import re

import numpy as np

from boruvka.errors import FormatError, OptionError
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, Options
from boruvka.formats.name_columns import check_names_are_numbered
from boruvka.formats.text.delimited import EDGES
from boruvka.formats.text.lines import Text, whole_number
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import argument, hint

__all__ = ["NETWORKX_EDGE_LIST"]

_COMMENTS = b"#"
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]*\.?[0-9]+|[0-9]+\.)([eE][+-]?[0-9]+)?|[+-]?inf|nan")
_NUMPY_SCALAR = re.compile(r"\bnp\.\w+\(([^()]*)\)")
"""A number as NumPy 2 shows it in a dictionary, such as ``np.float64(1.5)``."""


def _read(source: Source, options: Options) -> Graph:
    text = Text.of(source)
    has_attributes = b"{" in text.first_data_line(_COMMENTS)[1]
    weight = _attribute(options) if has_attributes else "weight"
    if options.names:
        return _read_any_lines(text, weight, options)
    try:
        if has_attributes:
            return _read_one_attribute(
                text, weight, options._replace(columns=None, header=False, names=False)
            )
        return EDGES.read(source, options._replace(header=False, names=False))
    except FormatError:
        return _read_any_lines(text, weight, options)


def _attribute(options: Options) -> str:
    """Return the attribute of edges that is the weight."""
    match options.columns or ("weight",):
        case (str(name),):
            return name
    raise OptionError(f"{argument('columns')} must name one attribute of edges, such as weight")


def _read_one_attribute(text: Text, weight: str, options: Options) -> Graph:
    """Read lines whose only attribute is the weight, and whose ids are numbers."""
    text.wait()
    plain = text.content[:].replace(f"{{'{weight}': ".encode(), b"").replace(b"}", b"")
    return EDGES.read(Source(io.BytesIO(plain)), options)


def _read_any_lines(text: Text, weight: str, options: Options) -> Graph:
    """Read lines with any attributes and any ids."""
    u: list[str] = []
    v: list[str] = []
    w: list[int | float] = []
    for start, line, _ in text.data_lines(_COMMENTS):
        try:
            ends = line.decode().split(maxsplit=2)
        except UnicodeDecodeError:
            raise text.unexpected(start, "text in UTF-8") from None
        if len(ends) < 2:
            raise text.unexpected(start, "'u v', 'u v w' or 'u v {...}'")
        u.append(ends[0])
        v.append(ends[1])
        w.append(1 if options.unweighted else _weight(text, start, "".join(ends[2:]), weight))
    weights = np.ones(len(w), np.uint8) if options.unweighted else w
    numbers = [[whole_number(id.encode()) for id in ends] for ends in (u, v)]
    if None not in numbers[0] and None not in numbers[1]:
        first, second = (np.array(ids, np.int64) for ids in numbers)
        if not options.names:
            base = bool(options.one_based)
            return Graph(options.n, first - base, second - base, weights)
        check_names_are_numbered(options)
        return Graph.from_edges(first, second, weights, names=True)
    check_names_are_numbered(options)
    return Graph.from_edges(u, v, weights)


def _weight(text: Text, start: int, after_ends: str, weight: str) -> int | float:
    """Parse what follows the ends of an edge: a number, or a dictionary of attributes."""
    value: object = None
    if after_ends.startswith("{"):
        try:
            value = ast.literal_eval(_NUMPY_SCALAR.sub(r"\1", after_ends)).get(weight)
        except (ValueError, TypeError, SyntaxError, AttributeError, MemoryError, RecursionError):
            raise text.unexpected(start, "attributes of an edge as {'name': value, ...}") from None
    elif _INTEGER.fullmatch(after_ends):
        value = int(after_ends)
    elif _FLOAT.fullmatch(after_ends):
        value = float(after_ends)
    elif after_ends:
        raise text.unexpected(start, "'u v', 'u v w' or 'u v {...}'")
    if value is None:
        missing = f"the attribute {weight!r}" if after_ends else "a weight"
        passed = hint("; pass {unweighted} for weight 1", unweighted=True)
        raise text.error(start, f"the edge lacks {missing}{passed}: {text.quote(start)}")
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise text.unexpected(start, "a number as the weight")
    return value


NETWORKX_EDGE_LIST: Codec = EDGES._replace(
    read=_read,
    options=EDGES.options - {"header"},
    read_part=None,
    read_piece=None,
    is_cut_off=None,
    end_of_first_edge=None,
    read_forest=None,
)
