"""GraphML (``.graphml``), GEXF (``.gexf``) and GML (``.gml``), through NetworkX.

Every edge is kept, also parallel ones and both directions of a directed graph. Edges are numbered in the
order of ``g.edges``: by their first end, in the order of the vertices. In GML and GEXF, vertices are named by
their labels if all have one and no two are the same, else by their ids. Vertices without names are written as
numbers; if these begin at 1, the name of the graph says so.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.parsers import expat

import numpy as np

from boruvka.errors import FormatError, OptionError
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import check_name_types
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import WEIGHTS
from boruvka.interop.networkx import read_edges, with_places
from boruvka.interop.python_values import attribute_weights
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.libraries import require
from boruvka.runtime.processors import check_room

if TYPE_CHECKING:
    import networkx

__all__ = ["GEXF", "GML", "GRAPHML"]

_BYTES_OF_OBJECT = 500
"""Approximate memory of a vertex or an edge in NetworkX."""
_KNOWN_WEIGHTS = [*WEIGHTS, "value"]
"""Attribute names that are recognised as the weight; "value" is usual in GML."""
_WHOLE = re.compile("0|-?[1-9][0-9]{0,17}")
"""Whole numbers of at most 18 digits, without leading zeros."""
_INTEGER = re.compile("[+-]?[0-9]+")
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_COUNTED_FROM_1 = "boruvka: ids begin at 1"
"""The name of a graph whose nodes are numbers from 1 and no names."""
_GAPS = {"default": 1, "missing": "drop"}
"""Options for edges without a weight."""
_DATE = re.compile(r'\slastmodifieddate="[^"]*"')
"""The date in a GEXF file, which is removed so that equal graphs give equal files."""


def _read(source: InputFile, options: Options, *, format: str) -> Graph:
    require("networkx", "networkx")
    with source.binary() as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what is not read: ports of GraphML
        g = _parse(source, file, format)
    edges = read_edges(g)
    names = _names_from_text(edges.nodes if format == "GraphML" else _labels(g))
    first_id = int(g.graph.get("name") == _COUNTED_FROM_1 and names == list(range(1, len(g) + 1)))
    names = None if first_id else names
    u, v = edges.u, edges.v
    if options.unweighted:
        weights: Any = np.ones(edges.u.size, np.uint8)
    else:
        defaults = g.graph.get("edge_default", {})  # the values that GraphML and GEXF state once
        present = list(dict.fromkeys(chain(defaults, *edges.attributes)))
        weight = _weight_name(source, options, present, format) if edges.attributes else "weight"
        usual = defaults.get(weight)
        if options.default is None and (format, weight) == ("GEXF", "weight"):
            usual = 1.0 if usual is None else usual  # as its specification says
        values = [_number(each.get(weight, usual)) for each in edges.attributes]
        lacking = f"; {values.count(None):,} edges have none" if values.count(None) > 1 else ""
        advice = lacking + hint(
            "; pass {default} for a weight of such edges, {missing} to leave them out", **_GAPS
        )
        u, v, weights = attribute_weights(
            values, weight, options.default, (u, v), names, advice, options.missing
        )
    graph = Graph.from_edges(u, v, weights, n=len(g), names=names)
    return with_places(graph.with_first_id(first_id), g)


def _parse(source: InputFile, file: BinaryIO, format: str) -> networkx.Graph[Any]:
    import networkx

    if format == "GML":
        return networkx.parse_gml(file.read().decode("utf-8-sig").splitlines(), label=None)
    _refuse_doctype(source, file)
    if format == "GEXF":
        return networkx.read_gexf(file)
    return networkx.read_graphml(file, force_multigraph=True)


def _weight_name(source: InputFile, options: Options, present: list[str], format: str) -> str:
    """Choose the attribute of weights: the one of ``columns``, else the only one with a known name."""
    shown = ", ".join(map(str, present))[:80] or "none"
    if options.columns is not None:
        if len(options.columns) == 1 and options.columns[0] in present:
            return str(options.columns[0])
        raise OptionError(f"{argument('columns')} must name one attribute of edges; there are {shown}")
    known = [name for name in present if str(name).lower() in _KNOWN_WEIGHTS]
    if len(known) > 1:
        raise source.error(
            f"more than one attribute of edges may be the weight: {shown}"
            + hint("; say which, as {columns}", columns=(known[0],))
        )
    if known or format == "GEXF" or (not present and options.default is not None):
        return known[0] if known else "weight"
    raise source.error(
        f"cannot tell the weight among the attributes of edges ({shown})"
        + (hint("; say which, as {columns}", columns=(str(present[0]),)) if present else "")
        + hint("; pass {unweighted} for weight 1", unweighted=True)
    )


def _number(value: Any) -> Any:
    """Return the number that a text holds; anything else as it is."""
    if isinstance(value, str):
        with suppress(ValueError):
            return int(value) if _INTEGER.fullmatch(value) else float(value)
    return value


def _names_from_text(names: Sequence[Hashable]) -> Sequence[Hashable] | None:
    """Return the names of vertices: integers if all are whole numbers, and None if these are 0, 1, 2 ..."""
    if not all(type(name) is int or _WHOLE.fullmatch(str(name)) for name in names):
        return names
    numbers = [int(str(name)) for name in names]
    return None if numbers == list(range(len(numbers))) else numbers


def _labels(g: networkx.Graph) -> list[Hashable]:
    """Return the labels of the nodes if all have one and no two are the same; else the nodes."""
    labels = [label for _, label in g.nodes(data="label")]
    are_names = all(isinstance(label, str | int | float) for label in labels)
    return labels if are_names and len(set(map(str, labels))) == len(labels) else list(g)


def _refuse_doctype(source: InputFile, file: BinaryIO) -> None:
    """Raise an error if an XML file has a document type, in which entities are defined; rewind the file.

    Entities may expand to gigabytes, or name other files.
    """

    def refuse(*_: Any) -> None:
        raise source.error("has a DOCTYPE, which is not read, as it may define entities; remove it")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.ParseFile(file)
    file.seek(0)


def _write(table: EdgeTable, file: BinaryIO, *, format: str) -> None:
    check_room("the graph as an object of NetworkX", _BYTES_OF_OBJECT * (table.n + table.m))
    weights = table.portable_weights().tolist()
    if format == "GEXF" and any(float(w) != w for w in weights):
        raise FormatError(
            "weights of GEXF are float64, which cannot hold all of these; choose another format"
        )
    networkx = require("networkx", "networkx")
    g = networkx.MultiGraph(**({"name": _COUNTED_FROM_1} if table.base else {}))
    if table.names is None:
        names = [str(i) for i in range(table.base, table.n + table.base)]
    else:
        names = _names_as_text(table.names.tolist())
    places: Any = [{}] * table.n
    if table.coordinates is not None:
        places = [{"x": x, "y": y} for x, y in table.coordinates.tolist()]
    g.add_nodes_from(zip(names, places, strict=True))
    ends = zip(table.u.tolist(), table.v.tolist(), weights, strict=True)
    g.add_edges_from((names[u], names[v], i, {"weight": w}) for i, (u, v, w) in enumerate(ends))
    if format == "GraphML":
        networkx.write_graphml(g, file)
    elif format == "GML":
        file.write("".join(f"{line}\n" for line in networkx.generate_gml(g)).encode())
    else:
        file.write(_DATE.sub("", "\n".join(networkx.generate_gexf(g)), count=1).encode())


def _names_as_text(names: list[Any]) -> list[str]:
    """Return names as text, unless they would come back as others."""
    texts = [str(name) for name in names]
    for text in texts:
        if _CONTROL.search(text):
            raise FormatError(f"the name {text!r} has a character that cannot be written; rename the vertex")
    if len(set(texts)) < len(texts):
        raise FormatError("two vertices have names of the same text; rename them")
    if (_names_from_text(texts) or list(range(len(names)))) != names:
        raise FormatError(
            "names that are written like numbers would come back as numbers, or as text if they have many "
            "digits; choose csv, Parquet or npz"
        )
    return texts


def _codec(format: str) -> Codec:
    return Codec(
        partial(WholeFile, partial(_read, format=format)),
        partial(_write, format=format),
        frozenset({"columns", "default", "missing", "unweighted"}),
        Holds(names=check_name_types),
    )


GRAPHML, GEXF, GML = map(_codec, ("GraphML", "GEXF", "GML"))
