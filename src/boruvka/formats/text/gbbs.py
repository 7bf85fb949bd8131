"""GBBS and Ligra weighted adjacency graph: a header, n, arcs, offsets, neighbours, weights, one per line.

Source: L. Dhulipala, G. Blelloch, J. Shun, Theoretically Efficient Parallel Graph Algorithms Can Be Fast
and Scalable, SPAA 2018; also PBBS. Every edge is an arc at both its ends, with one weight; a self-loop
is two arcs at its vertex. An edge is read once, in the order of its smaller end.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Text, read_rows
from boruvka.formats.text.output import text_weights
from boruvka.graph.graph import Graph

__all__ = ["GBBS"]

_HEADER = b"WeightedAdjacencyGraph"
_BATCH = 1 << 20


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    start, first, at = next(text.data_lines(b""), (text.size, b"", text.size))
    if first != _HEADER:
        raise text.unexpected(start, f"'{_HEADER.decode()}'")
    rows = read_rows(text, at, comment="#", shown="one number per line")
    values = rows.values
    n, arcs = (_count(text, at, values, i) for i in range(2))
    if values.size != 2 + n + 2 * arcs:
        raise text.error(
            start,
            f"announces {n} vertices and {arcs} arcs, which take {2 + n + 2 * arcs} numbers, "
            f"but the file holds {values.size}",
        )
    offsets, v, w = np.split(values[2:], [n, n + arcs])
    v = _whole(source, "neighbours", v, n - 1)
    ends = np.append(_whole(source, "offsets", offsets, arcs), arcs)
    if (ends[1:] < ends[:-1]).any() or (n and ends[0] != 0):
        raise source.error("offsets must begin at 0 and not fall")
    u = np.repeat(np.arange(n), np.diff(ends))
    once = _both_ways(source, u, v, w)
    return Graph.from_edges(u[once], v[once], w[once], n)


def _count(text: Text, at: int, values: NDArray[Any], i: int) -> int:
    if values.size <= i or not 0 <= values[i] < 2**53 or values[i] % 1:
        raise text.unexpected(at, "the numbers of vertices and of arcs")
    return int(values[i])


def _whole(source: Source, name: str, values: NDArray[Any], last: int) -> NDArray[np.int64]:
    """Check that numbers are whole and from 0 to a last one."""
    bad = (values < 0) | (values > last) | (values % 1 != 0)
    if bad.any():
        value = values[np.argmax(bad)]
        raise source.error(f"{name} must be whole numbers from 0 to {last}, found {value:g}")
    return values.astype(np.int64)


def _both_ways(source: Source, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> NDArray[np.int64]:
    """Check that every arc has its reverse; choose one of the two."""
    up, down, loops = np.flatnonzero(u < v), np.flatnonzero(u > v), np.flatnonzero(u == v)
    forth = up[np.lexsort((w[up], v[up], u[up]))]
    back = down[np.lexsort((w[down], u[down], v[down]))]
    here = loops[np.lexsort((w[loops], u[loops]))]
    ones, others = np.concatenate([forth, here[::2]]), np.concatenate([back, here[1::2]])
    if ones.size != others.size or not (
        np.array_equal(u[ones], v[others])
        and np.array_equal(v[ones], u[others])
        and np.array_equal(w[ones], w[others])
    ):
        raise source.error("every edge must be listed at both its ends with the same weight")
    return np.sort(ones)


def _write(content: Content, file: BinaryIO) -> None:
    import polars as pl

    u, v = np.concatenate([content.u, content.v]), np.concatenate([content.v, content.u])
    w = np.tile(text_weights(content.w), 2)
    order = np.lexsort((v, u))  # some programs search a list of neighbours
    offsets = np.searchsorted(u[order], np.arange(content.n))
    file.write(_HEADER + f"\n{content.n}\n{u.size}\n".encode())
    for column in offsets, v[order], w[order]:
        for start in range(0, column.size, _BATCH):
            lines = pl.DataFrame({"": column[start : start + _BATCH]}).write_csv(include_header=False)
            file.write(lines.encode())


GBBS = Format(
    name="gbbs",
    endings=(),
    description="GBBS, Ligra, PBBS weighted adjacency graph: offsets, neighbours, weights",
    read=_read,
    write=_write,
)
