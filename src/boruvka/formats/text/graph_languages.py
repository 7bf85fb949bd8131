"""GraphML, GEXF and GML as graph programs write them: yEd, Gephi, Cytoscape, igraph, NetworkX, graph-tool.

Name spaces of XML are ignored, so every version of GEXF is read. Attributes need not be declared. Parallel
edges of GML need no line ``multigraph 1``.
"""

from __future__ import annotations

import re
from html.entities import name2codepoint
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from boruvka.errors import FormatError
from boruvka.formats.attributed_graph import AttributedGraph, Edge
from boruvka.formats.files import InputFile
from boruvka.formats.text.lines.text import Text

_GML = re.compile(r'\s*+(?:#.*+\s*+)*+(?:"([^"]*)"|([\[\]])|([^\s\[\]"]+)|\Z)')
"""Comments, and then a text, a bracket, a word or the end."""
_ENTITY = re.compile("&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]*));")


def read_xml(source: InputFile) -> AttributedGraph:
    """Read GraphML or GEXF: the first graph of the file, with the graphs that are nested in it.

    An edge that has both directions in a directed graph becomes two.
    """
    root = _root(source)
    graph = root.find("graph")
    if graph is None:
        raise source.error("No <graph> element")
    if graph.find(".//hyperedge") is not None:
        raise source.error("has a hyperedge, which has more than two ends")
    nodes: dict[str, dict[str, Any]] = {}
    declared, defaults = _declared(root, "node")
    for node in graph.iter("node"):
        _check_id(source, nodes, node.get("id"))
        nodes[node.get("id", "")] = defaults | _attributes(node, declared)
    edges: list[Edge] = []
    is_directed = "directed" in (graph.get("edgedefault"), graph.get("defaultedgetype"))
    declared, defaults = _declared(root, "edge")
    for edge in graph.iter("edge"):
        ends = edge.get("source", ""), edge.get("target", "")
        if not all(ends):
            raise source.error(f"edge {len(edges)} has no source or no target")
        for end in ends:
            nodes.setdefault(end, {})
        edges.append((*ends, defaults | _attributes(edge, declared)))
        if is_directed and (edge.get("directed") == "false" or edge.get("type") in ("mutual", "undirected")):
            edges.append((*ends[::-1], edges[-1][2]))
    facts = _attributes(graph, _declared(root, "graph")[0])
    title = facts.get("name") or graph.get("name") or ""
    return AttributedGraph(nodes, edges, title, facts.get("crs"))


def _check_id(source: InputFile, nodes: dict[str, dict[str, Any]], id: Any) -> None:
    """Raise an error unless a node has an id, which is a text that no other node has."""
    if not isinstance(id, str) or id in nodes:
        raise source.error(f"node {len(nodes)} has {'the id of another' if isinstance(id, str) else 'no id'}")


def _root(source: InputFile) -> Element:
    """Parse XML without name spaces; a document type, which may define entities, is an error.

    Entities may expand to gigabytes, or name other files.
    """

    def refuse(*_: Any) -> None:
        raise source.error("has a DOCTYPE, which is not read, as it may define entities; remove it")

    builder, parser = TreeBuilder(), expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    # Prefixes are removed here, since the parser would refuse those that are not declared.
    parser.StartElementHandler = lambda tag, values: builder.start(tag.rpartition(":")[2], values)
    parser.EndElementHandler = lambda tag: builder.end(tag.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    with source.binary() as file:
        parser.ParseFile(file)
    return builder.close()


def _declared(root: Element, kind: str) -> tuple[dict[str | None, str], dict[str, Any]]:
    """Return the names of attributes of nodes, edges or the graph, by their ids, and the default values."""
    found = [key for key in root.iter("key") if key.get("for", kind) in (kind, "all")]
    for group in root.iter("attributes"):
        found += group.iter("attribute") if group.get("class") == kind else []
    declared: dict[str | None, str] = {}
    defaults: dict[str, Any] = {}
    for key in found:
        name = key.get("attr.name") or key.get("title") or key.get("yfiles.type") or key.get("id") or ""
        declared[key.get("id")] = name
        if (default := key.findtext("default")) is not None:
            defaults[name] = default
    return declared, defaults


def _attributes(element: Element, declared: dict[str | None, str]) -> dict[str, Any]:
    """Return the attributes of a node or an edge, as texts; some values at several times as one text."""
    found: dict[str, Any] = {}
    for data in element.findall("data"):
        key = data.get("key")
        if not len(data):
            found[declared.get(key, key or "")] = data.text or ""
        for part in data.iter() if len(data) else ():  # as yEd writes
            if part.tag in ("NodeLabel", "EdgeLabel") and (part.text or "").strip():
                found.setdefault("label", (part.text or "").strip())
            elif part.tag == "Geometry":
                found |= {"x": part.get("x"), "y": part.get("y")}
    for value in element.iterfind("attvalues/attvalue"):
        key = value.get("for") or value.get("id")
        name, text = declared.get(key, key or ""), value.get("value")
        found[name] = f"{found[name]}, {text}" if name in found else text
    return found | {key: element.attrib[key] for key in ("label", "weight") if key in element.attrib}


def read_gml(source: InputFile) -> AttributedGraph:
    """Read GML."""
    graphs = [value for key, value in _gml_values(source) if key == "graph" and isinstance(value, list)]
    if len(graphs) != 1:
        raise source.error(f"expected one graph, found {len(graphs)}")
    (graph,) = graphs
    nodes: dict[str, dict[str, Any]] = {}
    for node in _records(source, graph, "node"):
        _check_id(source, nodes, node.get("id"))
        nodes[node["id"]] = node
    edges: list[Edge] = []
    for edge in _records(source, graph, "edge"):
        for end in "source", "target":
            if not isinstance(edge.get(end), str) or edge[end] not in nodes:
                raise source.error(f"edge {len(edges)} has the undefined {end} {edge.get(end)}")
        edges.append((edge.pop("source"), edge.pop("target"), edge))
    return AttributedGraph(nodes, edges, dict(graph).get("name", ""))


def _records(source: InputFile, graph: list[tuple[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Return the attributes of all nodes, or of all edges, of a graph in GML."""
    found = [value for key, value in graph if key == kind]
    if (word := next((value for value in found if isinstance(value, str)), None)) is not None:
        raise source.error(f"expected [ after {kind}, found {word[:20]!r}")
    return [dict(value) for value in found]


def _gml_values(source: InputFile) -> list[tuple[str, Any]]:
    """Return the keys of a GML file with their values: texts, or lists of the same kind."""
    text, end, key = Text.of(source).decoded(), 0, ""
    values: list[tuple[str, Any]] = []
    stack = [values]
    for match in _GML.finditer(text):
        string, bracket, word = match.groups()
        is_end = match.lastindex is None
        if match.start() != end or (key and (is_end or bracket == "]")):
            break
        if key:
            value: Any = [] if bracket else word if string is None else unescaped(string)
            stack[-1].append((key, value))
            stack += [value] if bracket else []
            key = ""
        elif word:
            key = word
        elif is_end and len(stack) == 1:
            return values
        elif bracket == "]" and len(stack) > 1:
            stack.pop()
        else:
            break
        end = match.end()
    rest = text[end:].lstrip()
    line = text.count("\n", 0, len(text) - len(rest)) + 1
    expected = f"a value of {key}" if key else "a key or ]" if len(stack) > 1 else "a key"
    raise FormatError(f"{source.path}:{line}: expected {expected}, found {rest[:20] or 'the end'!r}")


def unescaped(text: str) -> str:
    """Replace entities such as ``&#227;`` and ``&auml;`` by their characters."""

    def character(match: re.Match[str]) -> str:
        decimal, hexadecimal, name = match.groups()
        code = int(decimal or "0") or int(hexadecimal or "0", 16) or name2codepoint.get(name, 0)
        return chr(code) if 0 < code <= 0x10FFFF else match[0]

    return _ENTITY.sub(character, text) if "&" in text else text
