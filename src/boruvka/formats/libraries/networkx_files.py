"""GraphML (``.graphml``), GEXF (``.gexf``) and GML (``.gml``), which NetworkX writes.

Every edge is kept, also parallel ones and both directions of a directed graph, in the order of the file.
Vertices are named by their attribute ``name`` or ``label`` if all have one and no two are the same, else by
their ids. Vertices without names are written as numbers; if these begin at 1, the name of the graph says so.
Columns of vertices, and of edges the members that they join and correlations, are written as attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.attributed_graph import COUNTED_FROM_1, AttributedGraph, names_from_text
from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import check_name_types
from boruvka.formats.text.graph_languages import read_gml, read_xml
from boruvka.interop.as_graph import OF_LINES
from boruvka.interop.geopandas import reference_system
from boruvka.runtime.libraries import require
from boruvka.runtime.processors import check_room

_BYTES_OF_OBJECT = 500
"""Approximate memory of a vertex or an edge in NetworkX."""
_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BLANK = re.compile("[\t\n\r]")
_RESERVED = re.compile("(?i)id|name|label|x|y|pos|key|pid|start|end|parents|slices|spells|viz")
"""Attributes of vertices, to which readers or NetworkX give a meaning."""
_DATE = re.compile(r'\slastmodifieddate="[^"]*"')
"""The date in a GEXF file, which is removed so that equal graphs give equal files."""


def _write(table: EdgeTable, file: BinaryIO, *, format: str) -> None:
    check_room("the graph as an object of NetworkX", _BYTES_OF_OBJECT * (table.n + table.m))
    weights = table.portable_weights().tolist()
    if format == "GEXF" and any(float(w) != w for w in weights):
        raise FormatError(
            "weights of GEXF are float64, which cannot hold all of these; choose another format"
        )
    networkx = require("networkx", "networkx")
    facts = {"name": COUNTED_FROM_1} if table.base else {}
    has_places = format == "GraphML" and table.coordinates is not None
    if has_places and (crs := reference_system(table.graph)) is not None:
        facts["crs"] = str(crs)  # as OSMnx writes it
    g = networkx.MultiGraph(**facts)
    if table.names is None:
        names = [str(i) for i in range(table.base, table.n + table.base)]
    else:
        names = _names_as_text(table.names.tolist())
    columns: dict[str, list[Any]] = {}
    if table.coordinates is not None:
        columns = dict(zip("xy", table.coordinates.T.tolist(), strict=True))
    for name, values in table.vertex_columns:
        while _RESERVED.fullmatch(name) or name in columns:
            name += "_given"
        columns[name] = values
        if format == "GML" and not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
            raise FormatError(f"GML holds no column {name!r}: rename it, with letters, digits and _ alone")
    g.add_nodes_from(zip(names, _attributes(columns, table.n), strict=True))
    given = table.more_columns(slice(None)).items()
    more = {name: x.tolist() if isinstance(x, np.ndarray) else list(map(str, x)) for name, x in given}
    of_edges = _attributes({"weight": weights} | more, table.m)
    ends = zip(table.u.tolist(), table.v.tolist(), of_edges, strict=True)
    edges = [(names[u], names[v], i, values) for i, (u, v, values) in enumerate(ends)]
    # Writers ask the graph for its edges, which it lists in the order of vertices, not of their indices.
    g.edges = lambda keys=False, **_: edges if keys else [(u, v, data) for u, v, _, data in edges]
    if format == "GraphML":
        networkx.write_graphml(g, file)
    elif format == "GML":
        file.write("".join(f"{line}\n" for line in networkx.generate_gml(g)).encode())
    else:
        file.write(_DATE.sub("", "\n".join(networkx.generate_gexf(g)), count=1).encode())


def _attributes(columns: dict[str, list[Any]], count: int) -> list[dict[str, Any]]:
    """Return the attributes of each vertex, or of each edge, that are not None."""
    for name, values in columns.items():
        if any(isinstance(x, str) and _CONTROL.search(_BLANK.sub("", x)) for x in values):
            raise FormatError(f"the column {name!r} has a character that cannot be written; leave it out")
    rows = zip(*columns.values(), strict=True) if columns else [()] * count
    return [{name: x for name, x in zip(columns, row, strict=True) if x is not None} for row in rows]


def _names_as_text(names: list[Any]) -> list[str]:
    """Return names as text, unless they would come back as others."""
    texts = [str(name) for name in names]
    for text in texts:
        if not text or _CONTROL.search(text):
            problem = "has a character that cannot be written" if text else "is blank"
            raise FormatError(f"the name {text!r} {problem}; rename the vertex")
    if len(set(texts)) < len(texts):
        raise FormatError("two vertices have names of the same text; rename them")
    if (names_from_text(texts) or list(range(len(names)))) != names:
        raise FormatError(
            "names that are written like numbers would come back as numbers, or as text if they have many "
            "digits; choose csv, Parquet or npz"
        )
    return texts


def _codec(
    format: str, read: Callable[[InputFile], AttributedGraph], names: tuple[str, ...], weight: str = ""
) -> Codec:
    return Codec(
        lambda source, options: read(source).graph(source, options, names, weight),
        partial(_write, format=format),
        frozenset({"columns", "default", "missing", "unweighted", *OF_LINES}),
        Holds(names=check_name_types, columns=["vertices"]),
    )


GRAPHML = _codec("GraphML", read_xml, ("name", "label"))
GEXF = _codec("GEXF", read_xml, ("label", "name"), "weight")
GML = _codec("GML", read_gml, ("label", "name"))
