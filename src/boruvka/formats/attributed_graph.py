"""Vertices and edges with attributes, as files of graph programs hold them, and the graph that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import OptionError, shown, warn
from boruvka.formats.edge_table import Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.libraries.vector_maps import attached
from boruvka.formats.name_columns import names_of_words
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import WEIGHTS
from boruvka.interop.networkx import with_attributes
from boruvka.interop.python_values import attribute_weights
from boruvka.runtime.arguments import argument, hint

COUNTED_FROM_1 = "boruvka: ids begin at 1"
"""The name of a graph whose nodes are numbers from 1 and no names."""
_FOR_GAPS = {"default": 1, "missing": "drop"}
"""Options for edges without a weight."""


Edge = tuple[str, str, dict[str, Any]]
"""The ids of the ends of an edge, and its attributes."""


class AttributedGraph(NamedTuple):
    """The vertices and the edges of a file.

    Parameters
    ----------
    nodes : dict
        The attributes of each vertex, by its id.
    edges : list of Edge
        The edges, in the order of the file.
    title : str
        The name of the graph.
    crs : str, optional
        The reference system of its coordinates.
    """

    nodes: dict[str, dict[str, Any]]
    edges: list[Edge]
    title: str = ""
    crs: str | None = None

    def graph(self, source: InputFile, options: Options, names: Sequence[str], weight: str = "") -> Graph:
        """Make the graph.

        Parameters
        ----------
        source : InputFile
            The file, for errors.
        options : Options
            The options of reading it.
        names : sequence of str
            The attributes that may be the names of vertices, the preferred one first.
        weight : str
            The attribute of weights whose value is 1 where an edge has none.

        Warns
        -----
        GraphWarning
            Names are not used, as two vertices have the same; or edges without a weight are left out.
        """
        number = {node: i for i, node in enumerate(self.nodes)}
        ends = np.array([(number[u], number[v]) for u, v, _ in self.edges], np.int64).reshape(-1, 2)
        ids = names_from_text(self._names(names))
        is_counted = self.title == COUNTED_FROM_1 and ids == list(range(1, len(number) + 1))
        u, v = ends.T
        kept, w = np.arange(len(ends)), np.ones(len(ends), np.uint8)
        if not options.unweighted:
            present = list(dict.fromkeys(name for *_, attributes in self.edges for name in attributes))
            chosen = _weight_name(source, options, present, weight) if self.edges else ""
            usual = 1 if options.default is None and chosen == weight else None
            values = [attributes.get(chosen, usual) for *_, attributes in self.edges]
            lacking = f"; {values.count(None):,} edges have none" if values.count(None) > 1 else ""
            passed = hint(
                "; pass {default} for a weight of such edges, {missing} to leave them out", **_FOR_GAPS
            )
            advice = f"{lacking}{passed}"
            kept, w = attribute_weights(values, chosen, options.default, (u, v), ids, advice, options.missing)
        graph = Graph.from_edges(u[kept], v[kept], w, n=len(number), names=None if is_counted else ids)
        graph = graph.with_first_id(int(is_counted))
        attributes = [attributes for *_, attributes in self.edges]
        return attached(with_attributes(graph, self.nodes.values(), attributes, kept, self.crs), options)

    def _names(self, keys: Sequence[str]) -> list[str]:
        """Return the values of the first attribute that is a name of each vertex; else the ids."""
        repeated = ""
        for key in keys:
            found = [_attribute(attributes, key) for attributes in self.nodes.values()]
            known = [name for name in found if name is not None]
            if len(known) == len(found) == len(set(known)):
                return known
            twice = Counter(filter(None, known)).most_common(1)
            if twice and twice[0][1] > 1:
                repeated = repeated or f"{shown(twice[0][0])} is the {key} of {twice[0][1]:,}"
        if repeated:
            warn(f"vertices are called by their ids, as {repeated}")
        return list(self.nodes)


def _attribute(attributes: dict[str, Any], key: str) -> str | None:
    """Return an attribute that is a text, whatever the case of its name; None if there is none."""
    found = next((value for name, value in attributes.items() if name.lower() == key), None)
    return found if isinstance(found, str) else None


def _weight_name(source: InputFile, options: Options, present: list[str], usual: str) -> str:
    """Choose the attribute of weights: the one of ``columns``, else the only one with a known name."""
    listed = ", ".join(present)[:80] or "none"
    if options.columns is not None:
        if len(options.columns) == 1 and options.columns[0] in present:
            return str(options.columns[0])
        raise OptionError(f"{argument('columns')} must name one attribute of edges; there are {listed}")
    known = [name for name in present if name.lower() in WEIGHTS]
    if len(known) > 1:
        raise source.error(
            f"more than one attribute of edges may be the weight: {listed}"
            + hint("; say which, as {columns}", columns=(known[0],))
        )
    if known or usual or (not present and options.default is not None):
        return known[0] if known else usual or "weight"
    raise source.error(
        f"cannot tell the weight among the attributes of edges ({listed})"
        + (hint("; say which, as {columns}", columns=(present[0],)) if present else "")
        + weight_1()
    )


def names_from_text(names: Iterable[str]) -> Sequence[Hashable] | None:
    """Return names by the rule of `names_of_words`; None if they are the numbers 0, 1, 2 ..."""
    found = names_of_words(list(names))
    items = [] if found is None else found.tolist()
    return None if items == list(range(len(items))) else items
