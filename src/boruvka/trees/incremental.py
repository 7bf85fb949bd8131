"""The minimum spanning forest of edges that come one by one.

Idea: a tree need not have the edges of the forest, if the path between each two vertices has the same
heaviest edge. So a vertex may be moved up. If the edge to its parent is heavier than that above it, the
grandparent becomes its parent; otherwise the vertex takes the place of its parent, which is then below it.
Vertices with most of the tree of their parent below them are moved up, which keeps paths short: an insertion
takes O(log n) amortised. It moves one end to the root, and the other one below it. The edge between them is
then the heaviest on their path, and the heavier of this edge and the new one leaves.

Source: X. Ding, Y. Gu, Y. Sun, New algorithms for incremental minimum spanning trees and temporal graph
applications, ACDA 2025 (arXiv 2504.04619): the anti-monopoly tree, lazy, with links by perch.
"""

from __future__ import annotations

import os
import threading
from typing import Any, NamedTuple
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError
from boruvka.graph.columns import read_numbers, read_only
from boruvka.graph.connected_components import label_components
from boruvka.graph.exact import exact_sum, inexact
from boruvka.graph.graph import Graph
from boruvka.graph.labels import in_order_of_rows
from boruvka.graph.validation import check_equal_sizes, vertex_count, vertex_ids, vertex_ids_below
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.runtime.arguments import argument, flag, one_of
from boruvka.trees.queries.paths import Bottlenecks

PARENT, KEY, EDGE, SIZE = range(4)
"""Columns of a vertex: its parent, -1 of a root; weight and number of the edge to it; vertices below."""
AHEAD = 8
"""Edges whose ends are fetched into the cache ahead."""
MONOPOLY = 1.5
"""A child stays below a parent whose part of the tree is at least this many times as large."""
N, M = range(2)
"""Counts of a tree."""
AT_ONCE = 1 << 18
"""Edges or pairs of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""


class IncrementalForest:
    """The minimum spanning forest of the edges inserted so far, which are numbered from 0.

    Several threads may use it: calls wait for each other, and each is done whole or not at all, also if it is
    interrupted. A copy is independent.

    Parameters
    ----------
    n : int
        Number of vertices; an edge with a larger number adds vertices.
    maximum : bool
        Keep the maximum spanning forest instead.
    dtype : "float64" or "int64"
        The type of weights. Other weights are converted if it holds them exactly.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.IncrementalForest()
    >>> forest.insert([0, 1, 2], [1, 2, 0], [5.0, 7.0, 6.0])
    array([-1, -1,  1])
    >>> forest.edges, forest.weight
    (array([0, 2]), 11.0)
    """

    is_optimal = True
    """Whether this is the best forest of its edges, as a `Forest` of `random_spanning_tree` is not."""

    def __init__(self, n: int = 0, *, maximum: bool = False, dtype: str = "float64"):
        self.maximum = flag("maximum", maximum)
        self._dtype = np.dtype(one_of("dtype", dtype, ("float64", "int64")))
        n = vertex_count(n, -1)
        self._tree = _Tree(np.array([n, 0]), _single_vertices(n))
        self._lock = _new_lock()

    @property
    def n(self) -> int:
        """Number of vertices."""
        return int(self._tree.counts[N])

    @property
    def m(self) -> int:
        """Number of edges that were inserted."""
        return int(self._tree.counts[M])

    def insert(self, u: ArrayLike, v: ArrayLike, w: ArrayLike) -> Any:
        """Insert an edge, or several in order.

        Parameters
        ----------
        u, v : int or (m,) array_like of int
            The ends: numbers from 0.
        w : number or (m,) array_like of numbers
            The weight.

        Returns
        -------
        int64 or (m,) array of int64
            For each edge the number of the edge that is in the forest no longer: one that it replaces, or the
            edge itself if it does not enter; -1 if it connects two trees.

        Raises
        ------
        GraphError, GraphTypeError
            An end is not a vertex, a weight is not a number, or the type of weights does not hold it exactly.
            Then no edge is inserted.
        """
        u, v, w = in_order_of_rows(u=u, v=v, w=w)
        graph = Graph(None, _column("u", u), _column("v", v), _column("w", w))
        keys = self._keys(graph.w)
        left = np.empty(graph.m, np.int64)
        columns = graph.u.astype(np.int64), graph.v.astype(np.int64), keys, left
        with self._lock:
            tree = self._tree
            if graph.n > len(tree.nodes) or graph.m > AT_ONCE:  # an interrupt leaves the tree as it was
                tree = tree.copy(graph.n)
            for first in range(0, max(graph.m, 1), AT_ONCE):
                here = (column[first : first + AT_ONCE] for column in columns)
                _insert(*here, np.int64(graph.n), tree.counts, tree.nodes, tree.nodes.reshape(-1))
            self._tree = tree
        return left.reshape(np.shape(u))[()]

    def bottleneck(self, us: ArrayLike, vs: ArrayLike) -> Bottlenecks:
        """Find the heaviest edge on the path between two vertices, for many pairs at once.

        Of a maximum spanning forest it is the lightest edge.

        Parameters
        ----------
        us, vs : int or (p,) array_like of int
            The vertices of each pair.

        Returns
        -------
        Bottlenecks
            The named tuple ``(edges, weights)``, in the shape of the pairs. Where no path connects a pair, or
            its vertices are the same, the edge is -1 and the weight is masked.

        Raises
        ------
        GraphError, GraphTypeError
            A number is not the number of a vertex.
        """
        us, vs = in_order_of_rows(us=us, vs=vs)
        pairs = [self._vertices("us", us), self._vertices("vs", vs)]
        check_equal_sizes(pairs[0], pairs[1], pairs[0])
        found, keys = np.empty(pairs[0].size, np.int64), np.zeros(pairs[0].size, np.int64)
        for first in range(0, found.size, AT_ONCE):
            here = (column[first : first + AT_ONCE] for column in (*pairs, found, keys))
            with self._lock:  # a query balances the tree, too
                _find_bottlenecks(*here, self._tree.nodes)
        shape = np.shape(us)
        return Bottlenecks.of(found.reshape(shape), self._weights(keys).reshape(shape))

    def _vertices(self, argument: str, values: Any) -> NDArray[np.int64]:
        """Check numbers of vertices."""
        ids, largest = vertex_ids(argument, _column(argument, values))
        return vertex_ids_below(self.n, argument, ids, largest).astype(np.int64)

    @property
    def edges(self) -> NDArray[np.int64]:
        """The numbers of the edges of the forest, ascending."""
        return np.sort(self._edges()[:, EDGE])

    @property
    def weight(self) -> int | float:
        """Total weight: an exact int, or the float64 nearest to the exact sum."""
        return exact_sum(self._weights(self._edges()[:, KEY]))

    @property
    def labels(self) -> NDArray[np.int64]:
        """The component of each vertex, numbered in the order of their first vertices."""
        with self._lock:
            n, parents = self.n, self._tree.nodes[: self.n, PARENT].copy()
        below = np.flatnonzero(parents >= 0)
        return read_only(label_components(n, below.view(np.uint64), parents[below].view(np.uint64)))

    def _edges(self) -> NDArray[np.int64]:
        """Return a copy of the rows of vertices that have a parent."""
        with self._lock:
            return self._tree.nodes[self._tree.nodes[:, PARENT] >= 0]

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle needs: copies of the arrays, and no lock."""
        with self._lock:
            tree = self._tree.copy(0)
        return {"maximum": self.maximum, "_dtype": self._dtype, "_tree": tree}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=_new_lock())

    def _keys(self, w: NDArray[Any]) -> NDArray[np.int64]:
        """Convert weights to integers in the order of the forest."""
        if (wrong := inexact(w, self._dtype)) is not None:
            i = int(np.argmax(wrong))
            other = "int64" if self._dtype.kind == "f" else "float64"
            way = f"{argument('dtype', other)} holds it"
            if inexact(w[i : i + 1], np.dtype(other)) is not None:
                way = f"round it, as numpy.{self._dtype}(w)"
            kind = f" as {w.dtype}" if w.dtype.itemsize > 8 else ""  # 0.1 is another number there
            raise GraphError(
                f"w[{i}] = {w[i]}{kind} has no exact {self._dtype}, the type of weights here: {way}"
            )
        converted = w.astype(self._dtype, copy=False)
        if self._dtype.kind == "f":
            converted = _with_sign_and_amount((converted + 0.0).view(np.int64))  # minus zero is zero
        return ~converted if self.maximum else converted

    def _weights(self, keys: NDArray[np.int64]) -> NDArray[Any]:
        """Return the weights of keys."""
        keys = ~keys if self.maximum else keys
        return _with_sign_and_amount(keys).view(np.float64) if self._dtype.kind == "f" else keys

    def __repr__(self) -> str:
        return f"IncrementalForest(n={self.n}, m={self.m}, edges={len(self._edges())})"


class _Tree(NamedTuple):
    """A tree, and what is counted with every insertion."""

    counts: NDArray[np.int64]
    """Number of vertices, and of edges that were inserted: only `_insert` changes them, as one step."""
    nodes: NDArray[np.int64]
    """A row has all of a vertex, so that it is in one cache line; there is room for more vertices."""

    def copy(self, n: int) -> _Tree:
        """Return a copy with room for n vertices; memory doubles, so that few at a time cost no more."""
        more = 0 if n <= len(self.nodes) else max(n, 2 * len(self.nodes)) - len(self.nodes)
        return _Tree(self.counts.copy(), np.concatenate([self.nodes, _single_vertices(more)]))


def _single_vertices(n: int) -> NDArray[np.int64]:
    return np.full((n, 4), [-1, 0, -1, 1])


_locks: WeakSet[threading.Lock] = WeakSet()
_held: list[threading.Lock] = []
"""Locks that are held while the process forks, so that trees are whole in the child, and not locked."""


def _new_lock() -> threading.Lock:
    lock = threading.Lock()
    _locks.add(lock)
    return lock


def _hold_locks() -> None:
    for lock in list(_locks):
        lock.acquire()
        _held.append(lock)


def _release_locks() -> None:
    while _held:
        _held.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_locks, after_in_parent=_release_locks, after_in_child=_release_locks)


def _column(name: str, values: Any) -> NDArray[Any]:
    """Return one value, or several, as an array."""
    return np.atleast_1d(read_numbers(name, values))


def _with_sign_and_amount(bits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Convert the bits of floats to integers in the same order, and back."""
    return bits ^ ((bits >> 63) & np.int64(2**63 - 1))


@kernel
def _insert(u, v, keys, left, n, counts, nodes, words):
    """Insert edges, and count them and n vertices; store for each edge the one that leaves.

    ``words`` are the nodes in one dimension.
    """
    first = counts[M]
    for k in range(u.size):
        if k + AHEAD < u.size:
            prefetch(words, np.uint64(4 * u[k + AHEAD]))
            prefetch(words, np.uint64(4 * v[k + AHEAD]))
        a, b, index = u[k], v[k], first + k
        left[k] = index
        if a == b:
            continue
        _bring_together(a, b, nodes)
        if nodes[a, PARENT] == b:
            if _is_later(nodes[a, KEY], nodes[a, EDGE], keys[k], index):
                left[k] = nodes[a, EDGE]
                nodes[a, KEY], nodes[a, EDGE] = keys[k], index
        else:
            if nodes[a, SIZE] > nodes[b, SIZE]:
                a, b = b, a
            left[k] = -1
            nodes[a, PARENT], nodes[a, KEY], nodes[a, EDGE] = b, keys[k], index
            nodes[b, SIZE] += nodes[a, SIZE]
    counts[M] = first + u.size
    counts[N] = max(counts[N], n)


@kernel
def _find_bottlenecks(u, v, found, keys, nodes):
    """Store the last edge on the path between each two vertices, and its key."""
    for k in range(u.size):
        a, b = u[k], v[k]
        found[k] = -1
        if a != b:
            _bring_together(a, b, nodes)
            if nodes[a, PARENT] == b:
                found[k], keys[k] = nodes[a, EDGE], nodes[a, KEY]


def _bring_together(a, b, nodes):
    """Make b the root of its tree, and a its child, or the root of another tree."""
    _balance(a, nodes)
    _balance(b, nodes)
    while nodes[b, PARENT] >= 0:
        _move_up(b, nodes)
    while nodes[a, PARENT] >= 0 and nodes[a, PARENT] != b:
        _move_up(a, nodes)


def _balance(x, nodes):
    """Move vertices above x up until none has most of the tree of its parent."""
    while nodes[x, PARENT] >= 0:
        if nodes[x, SIZE] * MONOPOLY <= nodes[nodes[x, PARENT], SIZE]:
            x = nodes[x, PARENT]
        else:
            _move_up(x, nodes)


def _move_up(x, nodes):
    """Make a vertex a child of its grandparent, and its parent its child if its own edge is lighter."""
    y = nodes[x, PARENT]
    nodes[x, PARENT] = nodes[y, PARENT]
    nodes[y, SIZE] -= nodes[x, SIZE]
    if nodes[y, PARENT] < 0 or _is_later(nodes[y, KEY], nodes[y, EDGE], nodes[x, KEY], nodes[x, EDGE]):
        nodes[x, SIZE] += nodes[y, SIZE]
        nodes[x, KEY], nodes[y, KEY] = nodes[y, KEY], nodes[x, KEY]
        nodes[x, EDGE], nodes[y, EDGE] = nodes[y, EDGE], nodes[x, EDGE]
        nodes[y, PARENT] = x


def _is_later(key, index, other_key, other_index):
    """Return whether an edge is after another one in the order (weight, index)."""
    return key > other_key or (key == other_key and index > other_index)
