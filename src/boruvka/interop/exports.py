"""Conversion of a forest to a sparse array of SciPy, to Newick of phylogenetics, and to attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.columns import list_column
from boruvka.graph.edge_set import EdgeSet
from boruvka.interop.python_values import python_weights
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    from scipy import sparse

PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>_-]+")
"""Labels that need no quotation marks."""


def edge_attributes(forest: EdgeSet) -> dict[str, list[Any]]:
    """Return the attributes of the edges of a forest, by name, as values of Python."""
    columns = {"weight": python_weights(forest.w), "edge": forest.edges.tolist()}
    return columns | {name: list_column(column) for name, column in forest.edge_columns.items()}


def to_scipy(forest: EdgeSet) -> sparse.csr_array:
    """Implement `Forest.to_scipy`."""
    sparse = require("scipy.sparse", "scipy")
    index = np.int32 if forest.n <= np.iinfo(np.int32).max else np.int64
    weight = forest.w.astype(np.float32) if forest.w.dtype == np.float16 else forest.w
    ends = forest.u.astype(index), forest.v.astype(index)
    return sparse.csr_array((weight, ends), shape=(forest.n, forest.n))


def to_newick(
    forest: EdgeSet, order: NDArray[np.int64], parent: NDArray[np.int64], edge: NDArray[np.int64]
) -> str:
    """Implement `Forest.to_newick`, for vertices from the roots down, their parents and edges to these."""
    labels = [_quoted(str(name)) for name in forest.graph.shown_id(np.arange(forest.n)).tolist()]
    lengths = [f":{x}" for x in forest.w.tolist()]
    children: list[list[int]] = [[] for _ in range(forest.n)]
    for vertex, its_parent in zip(order.tolist(), parent[order].tolist(), strict=True):
        if its_parent >= 0:
            children[its_parent].append(vertex)
    ends = [
        label + (";\n" if k < 0 else lengths[i])
        for label, k, i in zip(labels, parent.tolist(), edge.tolist(), strict=True)
    ]
    profiles = forest.graph.profiles
    if profiles is not None and profiles.names is not None:
        # Names other than the first, which is the name of the vertex.
        for row in np.setdiff1d(np.arange(profiles.vertex_of.size), profiles.first_rows).tolist():
            children[profiles.vertex_of[row]].append(len(ends))
            children.append([])
            ends.append(f"{_quoted(str(profiles.names[row]))}:0")
    order = order[np.isin(order, forest.vertices)]
    return _text(order[parent[order] < 0].tolist(), children, ends)


def dendrogram_to_newick(forest: EdgeSet, merges: Iterable[tuple[int, int, float]]) -> str:
    """Write single linkage as Newick, for the edges (u, v, height) in the order of the merges.

    Merges at the same height are one node. Tips are vertices, or the profiles that these were made from.
    """
    graph = forest.graph
    profiles, names = graph.profiles, None if graph.profiles is None else graph.profiles.names
    if names is None:
        profiles, names = None, graph.shown_id(np.arange(forest.n))
    labels = [_quoted(str(name)) for name in names.tolist()]
    tips = len(labels)
    children: list[list[int]] = [[] for _ in range(tips)]
    heights = [0.0] * tips
    root_of: list[int] = []  # of the dendrogram of each vertex, if it is the root of its component
    rows = [[k] for k in range(tips)]
    if profiles is not None:
        by_vertex = np.argsort(profiles.vertex_of, kind="stable")
        rows = [x.tolist() for x in np.split(by_vertex, np.cumsum(profiles.sizes)[:-1])]
    for its_rows in rows:
        root_of.append(its_rows[0] if len(its_rows) == 1 else len(children))
        if len(its_rows) > 1:
            children.append(its_rows)
            heights.append(0.0)
    parent = list(range(forest.n))
    for u, v, height in merges:
        a, b = _root(parent, u), _root(parent, v)
        parent[max(a, b)] = min(a, b)
        node, other = sorted(
            (root_of[a], root_of[b]),
            key=lambda x: (heights[x] != height or not children[x], -len(children[x])),
        )
        if heights[node] != height or not children[node]:
            children.append([node])
            heights.append(height)
            node = len(children) - 1
        if heights[other] == height and children[other]:
            children[node] += children[other]
            children[other] = []
        else:
            children[node].append(other)
        root_of[min(a, b)] = node
    ends = [*labels, *[""] * (len(children) - tips)]
    for above, below in enumerate(children):
        for k in below:
            ends[k] += f":{(heights[above] - heights[k]) / 2:.15g}"
    roots = [root_of[k] for k in forest.vertices.tolist() if parent[k] == k]
    for k in roots:
        ends[k] += ";\n"
    return _text(roots, children, ends)


def _root(parent: list[int], x: int) -> int:
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


def _text(roots: list[int], children: list[list[int]], ends: list[str]) -> str:
    """Write trees as Newick; ``ends`` has the label and the length of each node."""
    text: list[str] = []
    left: list[int | str] = [*roots[::-1]]  # subtrees and texts, the next one last
    while left:
        item = left.pop()
        if isinstance(item, str):
            text.append(item)
            continue
        if not children[item]:
            text.append(ends[item])
            continue
        text.append("(")
        left.append(f"){ends[item]}")
        for child in children[item][:0:-1]:
            left += [child, ","]
        left.append(children[item][0])
    return "".join(text)


def _quoted(label: str) -> str:
    return label if PLAIN.fullmatch(label) else "'" + label.replace("'", "''") + "'"
