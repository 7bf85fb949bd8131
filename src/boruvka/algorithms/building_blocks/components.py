"""The components of a growing forest, numbered from 0 in every round."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from boruvka.backends.primitives import Backend
from boruvka.operators import boruvka_round as round_ops
from boruvka.runtime.round_log import RoundLog


def step(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a method of an object with a ``round_log``: its time counts for this step of the round."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def timed(self, *arguments):
            with self.round_log.step(name):
                return method(self, *arguments)

        return timed

    return decorate


class Components:
    """The components of the vertices in a growing forest.

    Parameters
    ----------
    n : int
        Number of vertices.
    ids : dtype
        The type of component numbers.
    backend : Backend
    round_log : RoundLog

    Attributes
    ----------
    n_components : int
        Number of components that still have edges.
    parent : (n,) array
        The component that each component hooks onto in the current round; itself for a root.
    """

    def __init__(self, n: int, ids: Any, backend: Backend, round_log: RoundLog):
        self.ids, self.backend, self.round_log = ids, backend, round_log
        self.n_components = n
        self.parent = backend.empty(n, ids)
        self._relabellings: list[list[tuple[Any, int, int]]] = []

    @step("relabel")
    def relabel(self, chosen: Any, none: Any) -> Any:
        """Turn the hooked trees into new components; return the number of the new component of each old one.

        A root takes part in the next round if its element of ``chosen`` is not ``none``.
        """
        n, backend, parent = self.n_components, self.backend, self.parent
        label = backend.empty(n, self.ids)
        is_growing, is_finished = round_ops.is_growing_root, round_ops.is_finished_root
        self.n_components = growing = backend.number(is_growing, n, label, 0, parent, chosen, none)
        if self._relabellings:
            finished = backend.number(is_finished, n, label, growing, parent, chosen, none)
            self._relabellings[-1].append((label, growing, finished))
        backend.for_each(round_ops.relabel_to_root, n, parent, label)
        return label

    def finish(self, label: Any, trees: int) -> None:
        """Finish all components: ``label`` is the final tree of each, from 0 to ``trees - 1``."""
        if self._relabellings:
            self._relabellings[-1].append((label, 0, trees))
        self.n_components = 0

    def begin_relabelling(self) -> None:
        """Record the relabelling of every round from here on."""
        self._relabellings.append([])

    def end_relabelling(self) -> Any:
        """Compose the recorded relabellings to one label per component; finished trees become active again.

        They are composed from the last to the first, so that the first ones, the longest, are read once.
        """
        *earlier, (composed, _, trees) = self._relabellings.pop()
        self.n_components += trees
        for label, growing, finished in reversed(earlier):
            with self.round_log.step("compose labels"):
                arrays = label, growing, composed, self.n_components
                self.backend.for_each(round_ops.compose_labels, label.size, *arrays)
            composed = label
            self.n_components += finished
        if self._relabellings:
            self._relabellings[-1].append((composed, self.n_components, 0))
        return composed
