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
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.sorted_arcs import sorted_arcs
from boruvka.formats.text.lines import Text, read_number_rows, write_number_lines
from boruvka.graph.graph import Graph

__all__ = ["GBBS"]

_HEADER = b"WeightedAdjacencyGraph"


def _read(source: Source, options: Options) -> Graph:
    text = Text.of(source)
    start, line, offset = text.first_data_line(b"")
    if line != _HEADER:
        raise text.unexpected(start, f"'{_HEADER.decode()}'")
    values = read_number_rows(text, offset, comment="#", expected="one number per line").values
    n, arcs = (_count(text, offset, values, i) for i in range(2))
    if values.size != 2 + n + 2 * arcs:
        raise text.error(
            start,
            f"announces {n} vertices and {arcs} arcs, which take {2 + n + 2 * arcs} numbers, "
            f"but the file holds {values.size}",
        )
    offsets, v, w = np.split(values[2:], [n, n + arcs])
    v = _whole_numbers(source, "neighbours", v, n - 1)
    ends = np.append(_whole_numbers(source, "offsets", offsets, arcs), arcs)
    if (ends[1:] < ends[:-1]).any() or (n and ends[0] != 0):
        raise source.error("offsets must begin at 0 and not decrease")
    u = np.repeat(np.arange(n), np.diff(ends))
    edges = _arc_of_each_edge(source, u, v, w)
    return Graph.from_edges(u[edges], v[edges], w[edges], n)


def _count(text: Text, offset: int, values: NDArray[Any], i: int) -> int:
    """Return the i-th number of the file as a count."""
    if values.size <= i or not 0 <= values[i] < 2**53 or values[i] % 1:
        raise text.unexpected(offset, "the numbers of vertices and of arcs")
    return int(values[i])


def _whole_numbers(source: Source, name: str, values: NDArray[Any], last: int) -> NDArray[np.int64]:
    """Check that values are whole numbers from 0 to last."""
    bad = (values < 0) | (values > last) | (values % 1 != 0)
    if bad.any():
        value = values[np.argmax(bad)]
        raise source.error(f"{name} must be whole numbers from 0 to {last}, found {value:g}")
    return values.astype(np.int64)


def _arc_of_each_edge(source: Source, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> NDArray[np.int64]:
    """Check that every arc has its reverse, and choose one arc of each pair."""
    forward, backward, loops = np.flatnonzero(u < v), np.flatnonzero(u > v), np.flatnonzero(u == v)
    forward = forward[np.lexsort((w[forward], v[forward], u[forward]))]
    backward = backward[np.lexsort((w[backward], u[backward], v[backward]))]
    loops = loops[np.lexsort((w[loops], u[loops]))]
    arcs, reverses = np.concatenate([forward, loops[::2]]), np.concatenate([backward, loops[1::2]])
    if arcs.size != reverses.size or not (
        np.array_equal(u[arcs], v[reverses])
        and np.array_equal(v[arcs], u[reverses])
        and np.array_equal(w[arcs], w[reverses])
    ):
        raise source.error("every edge must be listed at both its ends with the same weight")
    return np.sort(arcs)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.portable_weights()
    arcs = sorted_arcs(table)  # with neighbours sorted, because some programs use binary search
    file.write(_HEADER + f"\n{table.n}\n{arcs.head.size}\n".encode())
    for numbers in arcs.begins[:-1], arcs.head, w[arcs.edge]:
        write_number_lines(file, numbers)


GBBS = Codec(
    read=_read,
    write=_write,
)
