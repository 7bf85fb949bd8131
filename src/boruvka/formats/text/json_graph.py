"""Graphs in JSON, as D3 and NetworkX write them: lists of objects for nodes, and for links or edges.

The ends of a link are ids of nodes, else their positions, from 0.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from boruvka.formats.attributed_graph import AttributedGraph, decoded
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.graph.graph import Graph

__all__ = ["JSON_GRAPH"]


def _read(source: InputFile, options: Options) -> Graph:
    content: Any = json.loads(decoded(bytes(source.content)))
    found: dict[str, Any] = content if isinstance(content, dict) else {}
    nodes, links = found.get("nodes", []), found.get("links", found.get("edges", ""))
    if not (_are_objects(nodes) and _are_objects(links)):
        raise source.error('expected an object with lists of objects "nodes", and "links" or "edges"')
    ids = [_text(node.get("id", node.get("name", k))) for k, node in enumerate(nodes)]
    known = set(ids)
    if len(known) < len(ids):
        ids, known = [str(k) for k in range(len(nodes))], set()

    def id_of(k: int, link: dict[str, Any], key: str) -> str:
        end = link.get(key)
        end = end.get("id", end.get("name")) if isinstance(end, dict) else end
        if _text(end) in known:
            return _text(end)
        if isinstance(end, int) and 0 <= end < len(ids):
            return ids[end]
        raise source.error(f"the {key} of link {k} is no node: {end!r:.100}")

    edges: list[Any] = [
        (*(id_of(k, link, key) for key in _ENDS[:2]), {x: y for x, y in link.items() if x not in _ENDS})
        for k, link in enumerate(links)
    ]
    return AttributedGraph(dict(zip(ids, nodes, strict=True)), edges).graph(
        source, options, ("name", "label")
    )


_ENDS = "source", "target", "key", "id"


def _are_objects(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, dict) for value in values)


def _text(id: Any) -> str:
    return id if isinstance(id, str) else json.dumps(id)


JSON_GRAPH = Codec(
    partial(WholeFile, _read), options=frozenset({"columns", "default", "missing", "unweighted"})
)
