"""Edges with attributes and vertices with names, as GraphML, GML and GEXF files hold them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from boruvka.errors import FormatError, OptionError
from boruvka.formats.files import InputFile
from boruvka.formats.format import EdgeTable, Options
from boruvka.graph.graph import Graph
from boruvka.graph.vertex_names import ends_text
from boruvka.interop.column_names import WEIGHTS
from boruvka.runtime.arguments import argument, hint

__all__ = ["KNOWN_WEIGHTS", "graph_with_attributes", "names_as_text", "names_from_text", "number_ends"]

KNOWN_WEIGHTS = [*WEIGHTS, "value"]
"""Attribute names that are recognised as the weight; "value" is usual in GML."""
_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
"""Whole numbers of at most 18 digits, without leading zeros."""
_INTEGER = re.compile("[+-]?[0-9]+")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def graph_with_attributes(
    source: InputFile,
    options: Options,
    n: int,
    names: Sequence[Hashable] | None,
    u: Sequence[int],
    v: Sequence[int],
    attributes: Sequence[Mapping[str, Any]],
) -> Graph:
    """Make a graph of edges with attributes, one of which is the weight.

    Parameters
    ----------
    source : InputFile
        The file, for errors.
    options : Options
        ``columns`` names the attribute; by default it is the only one with a known name.
    n : int
        Number of vertices.
    names : sequence, optional
        The name of each vertex.
    u, v : sequence of int
        The ends of each edge, as positions of names.
    attributes : sequence of mappings
        The attributes of each edge.

    Raises
    ------
    FormatError
        It is not clear which attribute is the weight, or an edge has none.
    OptionError
        ``columns`` does not name one attribute.
    """
    if options.unweighted:
        return Graph.from_edges(u, v, np.ones(len(u), np.uint8), n, names)
    weights = []
    weight = _weight_name(source, options, attributes)
    for i, values in enumerate(attributes):
        value = values.get(weight)
        number = _number(value)
        if number is None:
            found = "has no" if value is None else f"has {value!r}, which is no number, as"
            ends = ends_text(None if names is None else np.array(names, object), u[i], v[i])
            raise source.error(
                f"edge {i} {ends} {found} {weight!r}"
                + hint("; pass {unweighted} for weight 1", unweighted=True)
            )
        weights.append(number)
    w: Any = weights
    if all(type(number) is int and 0 <= number < 2**64 for number in weights):
        w = np.array(weights, np.int64 if max(weights, default=0) < 2**63 else np.uint64)
    return Graph.from_edges(u, v, w, n, names)


def names_from_text(names: Sequence[Hashable], stated: str = "") -> Sequence[Hashable] | None:
    """Return the names of vertices that are read as text.

    By default they are integers if each is a whole number, and None if these are 0, 1, 2 and so on. A file of
    our own states their type, "integers" or "strings", where this differs.
    """
    are_whole = all(type(name) is int or _WHOLE.fullmatch(str(name)) for name in names)
    if stated == "strings" or not (are_whole or stated):
        return names
    numbers = [int(str(name)) for name in names]
    return None if not stated and numbers == list(range(len(numbers))) else numbers


def number_ends(
    source: InputFile, names: Sequence[Hashable], ends: Iterable[tuple[Hashable, Hashable]]
) -> tuple[list[int], list[int]]:
    """Find the positions of the ends of edges among the names of vertices.

    Raises
    ------
    FormatError
        Two vertices have the same name, or the end of an edge is not a vertex.
    """
    position = {name: i for i, name in enumerate(names)}
    if len(position) < len(names):
        twice = next(name for i, name in enumerate(names) if position[name] != i)
        raise source.error(f"two vertices are called {twice!r}")
    try:
        both = [position[end] for end in chain.from_iterable(ends)]
    except KeyError as error:
        raise source.error(f"an edge ends at {error.args[0]!r}, which is not among the vertices") from None
    return both[::2], both[1::2]


def names_as_text(table: EdgeTable) -> tuple[list[str], str]:
    """Return the name of each vertex as text, its number if it has none, and what to state of their type.

    Raises
    ------
    FormatError
        Two names have the same text, or one has a control character.
    """
    if table.names is None:
        return [str(i) for i in range(table.n)], ""
    names = table.names.tolist()
    texts = [str(name) for name in names]
    for text in texts:
        if _CONTROL.search(text):
            raise FormatError(f"the name {text!r} has a character that cannot be written; rename the vertex")
    if len(set(texts)) < len(texts):
        raise FormatError("two vertices have names of the same text; rename them")
    if names_from_text(texts) == names:
        return texts, ""
    return texts, "strings" if all(isinstance(name, str) for name in names) else "integers"


def _weight_name(source: InputFile, options: Options, attributes: Sequence[Mapping[str, Any]]) -> str:
    """Choose the attribute that is the weight: that of ``columns``, else the only one with a known name."""
    present = list(dict.fromkeys(chain.from_iterable(attributes)))
    shown = ", ".join(map(str, present))[:80] or "none"
    if options.columns is not None:
        if len(options.columns) == 1 and (options.columns[0] in present or not attributes):
            return str(options.columns[0])
        raise OptionError(f"{argument('columns')} must name one attribute of edges; there are {shown}")
    known = [name for name in present if str(name).lower() in KNOWN_WEIGHTS]
    if len(known) == 1 or not attributes:
        return known[0] if known else "weight"
    if known:
        raise source.error(
            f"more than one attribute of edges may be the weight: {shown}"
            + hint("; say which, as {columns}", columns=(known[0],))
        )
    raise source.error(
        f"cannot tell the weight among the attributes of edges ({shown})"
        + (hint("; say which, as {columns}", columns=(str(present[0]),)) if present else "")
        + hint("; pass {unweighted} for weight 1", unweighted=True)
    )


def _number(value: Any) -> int | float | None:
    """Return a number, or the number that a text holds; None if there is none."""
    if isinstance(value, str):
        try:
            return int(value) if _INTEGER.fullmatch(value) else float(value)
        except ValueError:
            return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
