"""What the memory of the machine allows: one streaming read of the edges, and random accesses.

They take their turns like everyone else, so that their times are of the same machine in the same state.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.backends.compiler import kernel
from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph

__all__ = ["PROBES", "RandomAccess", "Streaming"]


class Native(NamedTuple):
    """What a probe reads, and where."""

    graph: Graph
    words: tuple[NDArray[np.uint64], ...]
    best: NDArray[np.uint64]
    pool: ThreadPoolExecutor


class Probe(Contestant):
    """Something that reads memory and solves nothing."""

    parallel = True

    def __init__(self) -> None:
        self.threads = 1

    def load(self, threads: int) -> None:
        self.threads = threads

    def outcome(self, native: Native, answer: Any) -> Outcome:
        return Outcome(0, 0)

    def map(self, native: Native, size: int, read: Callable[[np.uint64, np.uint64], Any]) -> list[Any]:
        """Run on equal ranges of 0..size, one a thread, as our backend does."""
        segments = get_backend("threads", self.threads).split(size)
        if len(segments) == 1:
            return [read(*segments[0])]
        return list(native.pool.map(read, *zip(*segments, strict=True)))


class Streaming(Probe):
    """Read u, v and w once, from front to back: no solver that looks at every edge can be faster."""

    name = "streaming"

    def prepare(self, graph: Graph) -> Native:
        words = tuple(_words(array) for array in (graph.u, graph.v, graph.w))
        return Native(graph, words, np.empty(0, np.uint64), ThreadPoolExecutor(self.threads))

    def solve(self, native: Native) -> list[Any]:
        return [self.map(native, words.size, partial(_stream, words)) for words in native.words]


class RandomAccess(Probe):
    """Look up a 64-bit value for both ends of every edge: what one round costs that caches do not help."""

    name = "random-access"

    def prepare(self, graph: Graph) -> Native:
        return Native(graph, (), np.ones(graph.n, np.uint64), ThreadPoolExecutor(self.threads))

    def solve(self, native: Native) -> list[Any]:
        u, v, best = native.graph.u, native.graph.v, native.best
        return self.map(native, u.size, partial(_gather, u, v, best))


PROBES = (Streaming, RandomAccess)


def _words(array: NDArray[Any]) -> NDArray[np.uint64]:
    """View an array as 64-bit words; the last bytes that fill none are left out."""
    whole = array.nbytes // 8 * 8 // array.itemsize
    return array[:whole].view(np.uint64)


@kernel
def _stream(words, first, last):
    total = np.uint64(0)
    for i in range(first, last):
        total ^= words[i]
    return total


@kernel
def _gather(u, v, best, first, last):
    total = np.uint64(0)
    for i in range(first, last):
        total += best[u[i]] ^ best[v[i]]
    return total
