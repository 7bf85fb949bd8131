"""Node-link JSON (``.json``), as NetworkX and D3 hold graphs: objects of nodes and of edges (or links).

Vertices are named by the ``id`` of their nodes; if no node has one, edges refer to nodes by position.
Every edge is kept, in the order of the file.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from typing import Any, BinaryIO

from boruvka.formats.attributes import graph_with_attributes, number_ends
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.libraries.shared import library_errors
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import hint

__all__ = ["NODE_LINK"]


def _read(source: Source, options: Options) -> Graph:
    with library_errors(source, "JSON"):
        data = json.loads(bytes(source.content))
    nodes = _objects(source, data, ("nodes",))
    edges = _objects(source, data, ("edges", "links"))
    with_id = sum("id" in node for node in nodes)
    if 0 < with_id < len(nodes):
        raise source.error(f"{len(nodes) - with_id} of the {len(nodes)} nodes have no 'id'")
    names = [_hashable(node["id"]) for node in nodes] if with_id else range(len(nodes))
    for i, edge in enumerate(edges):
        if "source" not in edge or "target" not in edge:
            raise source.error(f"edge {i} has no 'source' or no 'target'")
    ends = [(_hashable(edge.pop("source")), _hashable(edge.pop("target"))) for edge in edges]
    u, v = number_ends(source, names, ends)
    return graph_with_attributes(source, options, names, u, v, edges)


def _objects(source: Source, data: Any, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the list of objects under the first key that is present."""
    found = next((data[key] for key in keys if key in data), None) if isinstance(data, dict) else None
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        shown, passed = " or ".join(map(repr, keys)), hint("; for GeoJSON pass {format}", format="lines")
        raise source.error(f"expected node-link JSON, with a list of objects under {shown}{passed}")
    return found


def _hashable(name: Any) -> Hashable:
    """Return a hashable name; a list becomes a tuple, because JSON writes tuples as lists."""
    if isinstance(name, list):
        return tuple(map(_hashable, name))
    return name if isinstance(name, Hashable) else json.dumps(name)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    names = list(range(table.n)) if table.names is None else table.names.tolist()
    columns = zip(table.u.tolist(), table.v.tolist(), table.portable_weights().tolist(), strict=True)
    data = {
        "directed": False,
        "multigraph": True,
        "graph": {},
        "nodes": [{"id": name} for name in names],
        "edges": [
            {"source": names[u], "target": names[v], "key": i, "weight": w}
            for i, (u, v, w) in enumerate(columns)
        ],
    }
    file.write(json.dumps(data, default=str).encode())


NODE_LINK = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "unweighted"}),
    holds_names=True,
)
