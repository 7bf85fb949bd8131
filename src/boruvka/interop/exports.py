"""Conversion of a forest to a sparse array of SciPy, and to Newick, the format of trees in phylogenetics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.edge_set import EdgeSet
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    from scipy import sparse

PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>_-]+")
"""Labels that need no quotation marks."""


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
    text: list[str] = []
    order = order[np.isin(order, forest.vertices)]
    left: list[int | str] = order[parent[order] < 0].tolist()[::-1]  # subtrees and texts, the next one last
    while left:
        item = left.pop()
        if isinstance(item, str):
            text.append(item)
            continue
        end = labels[item] + (";\n" if parent[item] < 0 else lengths[edge[item]])
        if not children[item]:
            text.append(end)
            continue
        text.append("(")
        left.append(f"){end}")
        for child in children[item][:0:-1]:
            left += [child, ","]
        left.append(children[item][0])
    return "".join(text)


def _quoted(label: str) -> str:
    return label if PLAIN.fullmatch(label) else "'" + label.replace("'", "''") + "'"
