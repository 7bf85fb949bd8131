"""Memory limits of the machine: one streaming read of the edges, and random accesses.

They take turns with the contestants, so that both are timed on the machine in the same state.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.backends.kernel import kernel
from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph

__all__ = ["PROBES", "RandomAccess", "Streaming"]


class Native(NamedTuple):
    """The arrays that a probe reads, and its threads."""

    graph: Graph
    words: tuple[NDArray[np.uint64], ...]
    pool: ThreadPoolExecutor


class Probe(Contestant):
    """A contestant that reads memory and solves nothing."""

    parallel = True
    is_probe = True

    def prepare(self, graph: Graph) -> Native:
        return Native(graph, self.words_of(graph), ThreadPoolExecutor(self.threads))

    def words_of(self, graph: Graph) -> tuple[NDArray[np.uint64], ...]:
        """Return the arrays of 64-bit words to read."""
        raise NotImplementedError

    def outcome(self, native: Native, answer: Any) -> Outcome:
        return Outcome(0, 0)

    def map(self, native: Native, size: int, read: Callable[[np.uint64, np.uint64], Any]) -> list[Any]:
        """Run ``read`` on equal ranges of 0..size, one per thread, as our backend does."""
        segments = get_backend("threads", self.threads).split(size)
        if len(segments) == 1:
            return [read(*segments[0])]
        return list(native.pool.map(read, *zip(*segments, strict=True)))


class Streaming(Probe):
    """Read u, v and w once, from front to back: no solver that looks at every edge can be faster."""

    name = "streaming"

    def words_of(self, graph: Graph) -> tuple[NDArray[np.uint64], ...]:
        """View the columns as words; trailing bytes that do not fill a word are left out."""
        columns = graph.u, graph.v, graph.w
        return tuple(c[: c.nbytes // 8 * 8 // c.itemsize].view(np.uint64) for c in columns)

    def solve(self, native: Native) -> list[Any]:
        return [self.map(native, words.size, partial(_xor_all, words)) for words in native.words]


class RandomAccess(Probe):
    """Look up a 64-bit value for both ends of every edge: the cost of one round without help of caches."""

    name = "random-access"

    def words_of(self, graph: Graph) -> tuple[NDArray[np.uint64], ...]:
        return (np.ones(graph.n, np.uint64),)

    def solve(self, native: Native) -> list[Any]:
        u, v = native.graph.u, native.graph.v
        return self.map(native, u.size, partial(_gather, u, v, *native.words))


PROBES = (Streaming, RandomAccess)


@kernel
def _xor_all(words, first, last):
    total = np.uint64(0)
    for i in range(first, last):
        total ^= words[i]
    return total


@kernel
def _gather(u, v, values, first, last):
    total = np.uint64(0)
    for i in range(first, last):
        total += values[u[i]] ^ values[v[i]]
    return total
