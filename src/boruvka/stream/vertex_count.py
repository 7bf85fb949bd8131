"""Count the vertices of a source of edges in little memory, for the error that says how much they need."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.edge_file import NamedEdgeBatch
from boruvka.operators.counter_rng import mix
from boruvka.runtime.progress import report
from boruvka.stream.sources.source import EdgeSource

__all__ = ["count_vertices"]

SMALLEST = 1 << 16
"""Number of the smallest hashes of names that are kept. If there are more names, the error of their estimated
number has a standard deviation of ``SMALLEST ** -0.5``, or 0.4 %."""
MARGIN = 1.02


def count_vertices(source: EdgeSource) -> int:
    """Count the vertices of a source; names are estimated, hardly ever too low.

    Source: Z. Bar-Yossef, T. Jayram, R. Kumar, D. Sivakumar, L. Trevisan, Counting Distinct Elements in a
    Data Stream, RANDOM 2002, section 2: the k-th smallest of n uniform hashes is about k / n.
    """
    n, hashes, done = source.n or 0, np.empty(0, np.uint64), 0
    for chunk in range(source.chunks):
        for rows in source.read(chunk):
            if isinstance(rows, NamedEdgeBatch):
                for ends in rows.u, rows.v:
                    hashes = _smallest(hashes, _hashes(ends))
            else:
                n = max(n, rows.largest + 1)
            done += rows.size
            report("read", done, source.size or None, "bytes")
    if hashes.size < SMALLEST:
        return max(n, hashes.size)
    return int(MARGIN * SMALLEST * 2.0**64 / float(hashes[-1]))


def _smallest(hashes: NDArray[np.uint64], more: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if hashes.size == SMALLEST:
        more = more[more < hashes[-1]]
    return np.unique(np.concatenate([hashes, more]))[:SMALLEST]


def _hashes(names: Any) -> NDArray[np.uint64]:
    if names.dtype.is_integer():
        return mix(names.to_numpy().view(np.uint64))
    return names.hash().to_numpy()
