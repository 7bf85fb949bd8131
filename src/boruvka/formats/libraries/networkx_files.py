"""GraphML (``.graphml``), GEXF (``.gexf``) and GML (``.gml``), through NetworkX.

Every edge is kept, also parallel ones and both directions of a directed graph. Edges are numbered in the
order of ``g.edges``: by their first end, in the order of the vertices. In GML and GEXF, vertices are named by
their labels if all have one and no two are the same, else by their ids.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO
from xml.parsers import expat

from boruvka.errors import FormatError
from boruvka.formats.attributes import (
    KNOWN_WEIGHTS,
    graph_with_attributes,
    names_as_text,
    names_from_text,
    number_ends,
)
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require
from boruvka.runtime.processors import check_room

if TYPE_CHECKING:
    import networkx

__all__ = ["GEXF", "GML", "GRAPHML"]

_XML_PIECE = 1 << 16
_BYTES_OF_OBJECT = 500
"""Approximate memory of a vertex or an edge in NetworkX."""
_STATED = re.compile("boruvka: names are (integers|strings)")
"""The name of a graph whose names of vertices would be read as another type."""
_DATE = re.compile(r'\slastmodifieddate="[^"]*"')
"""The date in a GEXF file, which is removed so that equal graphs give equal files."""


_Parse = Callable[[Any, BinaryIO], Any]
"""(NetworkX, file) -> graph of NetworkX."""
_Save = Callable[[Any, BinaryIO], None]
"""(graph of NetworkX, file) -> None."""


def _networkx() -> Any:
    return require("networkx", "networkx")


def _read(source: InputFile, options: Options, *, format: str, parse: _Parse) -> Graph:
    networkx = _networkx()
    with source.binary() as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what is not read: ports of GraphML
        if format != "GML":
            _refuse_doctype(source, file)
        g = parse(networkx, file)
    defaults = g.graph.get("edge_default", {})
    edges = list(g.edges(data=True))
    attributes = [{**defaults, **values} for _, _, values in edges] if defaults else [e[2] for e in edges]
    u, v = number_ends(source, list(g), (edge[:2] for edge in edges))
    if format == "GEXF" and not any(
        str(name).lower() in KNOWN_WEIGHTS for values in attributes for name in values if name != "weight"
    ):
        attributes = [{"weight": 1.0, **values} for values in attributes]  # its specification says so
    stated = _STATED.fullmatch(str(g.graph.get("name")))
    texts = list(g) if format == "GraphML" else _labels(g)
    names = names_from_text(texts, stated[1] if stated else "")
    return graph_with_attributes(source, options, len(g), names, u, v, attributes)


def _labels(g: networkx.Graph) -> list[Hashable]:
    """Return the labels of the nodes if all have one and no two are the same; else the nodes."""
    labels = [label for _, label in g.nodes(data="label")]
    are_names = all(isinstance(label, str | int | float) for label in labels)
    return labels if are_names and len(set(map(str, labels))) == len(labels) else list(g)


def _refuse_doctype(source: InputFile, file: BinaryIO) -> None:
    """Raise an error if an XML file has a document type, in which entities are defined; rewind the file.

    Entities may expand to gigabytes, or name other files.
    """

    class Root(Exception):
        """Raised at the first element: a document type can only precede it."""

    def refuse(*_: Any) -> None:
        raise source.error("has a DOCTYPE, which is not read, as it may define entities; remove it")

    def stop(*_: Any) -> None:
        raise Root

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = refuse, stop
    try:
        while piece := file.read(_XML_PIECE):
            parser.Parse(piece)
    except Root:
        pass
    file.seek(0)


def _write(table: EdgeTable, file: BinaryIO, *, save: _Save) -> None:
    check_room("the graph as an object of NetworkX", _BYTES_OF_OBJECT * (table.n + table.m))
    g = _networkx().MultiGraph()
    names, kind = names_as_text(table)
    if kind:
        g.graph["name"] = f"boruvka: names are {kind}"
    g.add_nodes_from(names)
    ends = zip(table.u.tolist(), table.v.tolist(), table.portable_weights().tolist(), strict=True)
    g.add_edges_from((names[u], names[v], i, {"weight": w}) for i, (u, v, w) in enumerate(ends))
    save(g, file)


def _save_gexf(g: networkx.MultiGraph, file: BinaryIO) -> None:
    weights = [w for _, _, w in g.edges(data="weight")]
    if any(float(w) != w for w in weights):
        raise FormatError(
            "weights of GEXF are float64, which cannot hold all of these; choose another format"
        )
    text = "\n".join(_networkx().generate_gexf(g))
    file.write(_DATE.sub("", text, count=1).encode())


def _save_gml(g: networkx.MultiGraph, file: BinaryIO) -> None:
    for line in _networkx().generate_gml(g):
        file.write(f"{line}\n".encode())


def _codec(format: str, parse: _Parse, save: _Save) -> Codec:
    return Codec(
        read=partial(_read, format=format, parse=parse),
        write=partial(_write, save=save),
        options=frozenset({"columns", "unweighted"}),
        holds_names=True,
        import_library=_networkx,
    )


GRAPHML = _codec(
    "GraphML",
    lambda networkx, file: networkx.read_graphml(file, force_multigraph=True),
    lambda g, file: _networkx().write_graphml(g, file),
)
GEXF = _codec("GEXF", lambda networkx, file: networkx.read_gexf(file), _save_gexf)
GML = _codec(
    "GML",
    lambda networkx, file: networkx.parse_gml(file.read().decode("utf-8-sig").splitlines(), label=None),
    _save_gml,
)
