"""Graphs in JSON, as D3, NetworkX, vis.js and Cytoscape.js have them: lists of objects for nodes and edges.

The ends of all links are ids of nodes, else all are positions, from 0.
"""

from __future__ import annotations

import json
from typing import Any

from boruvka.formats.attributed_graph import AttributedGraph
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph


def _read(source: InputFile, options: Options) -> Graph:
    content: Any = json.loads(Text.of(source).decoded())
    found: dict[str, Any] = content if isinstance(content, dict) else {}
    found = found.get("elements", found)  # of Cytoscape.js
    nodes, links = found.get("nodes", []), found.get("links", found.get("edges", ""))
    if not (_are_objects(nodes) and _are_objects(links)):
        advice = "; neighbours or edges are taken in Python, boruvka.as_graph(json.load(open(path)))"
        raise source.error(
            f'expected an object with lists of objects "nodes", and "links" or "edges"{advice}'
        )
    nodes, links = ([each.get("data", each) for each in objects] for objects in (nodes, links))
    ids = [_text(node.get("id", node.get("name", k))) for k, node in enumerate(nodes)]
    positions = list(map(str, range(len(nodes))))
    ends = [tuple(_end_of(link, keys) for keys in _ENDS) for link in links]
    used = {end for pair in ends for end in pair}
    ids = ids if used <= {*ids} and len({*ids}) == len(ids) else positions
    for k, pair in enumerate(ends if not used <= {*ids} else ()):
        for keys, end in zip(_ENDS, pair, strict=True):
            if end not in ids:
                raise source.error(f"the {keys[0]} of link {k} is no node: {end:.100}")
    edges = [(u, v, _attributes(link)) for (u, v), link in zip(ends, links, strict=True)]
    named = [{"id": _text(node["id"]), **_attributes(node)} if "id" in node else node for node in nodes]
    graph = AttributedGraph(dict(zip(ids, named, strict=True)), edges)
    return graph.graph(source, options, ("name", "label", "id"))


_ENDS = ("source", "from"), ("target", "to")
_NO_ATTRIBUTES = {"source", "from", "target", "to", "key", "id"}


def _end_of(link: dict[str, Any], keys: tuple[str, ...]) -> str:
    """Return the id, or the position, of one end of a link; D3 replaces both by the node."""
    end = next((link[key] for key in keys if key in link), None)
    return _text(end.get("id", end.get("name")) if isinstance(end, dict) else end)


def _attributes(link: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in link.items() if name not in _NO_ATTRIBUTES}


def _are_objects(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, dict) for value in values)


def _text(id: Any) -> str:
    return id if isinstance(id, str) else json.dumps(id)


JSON = Codec(_read, options=frozenset({"columns", "default", "missing", "unweighted"}))
