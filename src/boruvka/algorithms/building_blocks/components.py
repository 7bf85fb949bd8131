"""The components of a growing forest, numbered from 0 in every round."""

from __future__ import annotations

from typing import Any

from boruvka.backends.protocol import Backend, Operator, Segments, WorkList
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op


class Components:
    """The components that a growing forest makes of the vertices.

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
    components : int
        Number of components that still have edges.
    parent : (n,) array
        What each component hooks onto in the current round.
    """

    def __init__(self, n: int, ids: Any, backend: Backend, round_log: RoundLog):
        self.ids, self.backend, self.round_log = ids, backend, round_log
        self.components = n
        self.parent = backend.empty(n, ids)
        self._relabellings: list[list[tuple[Any, int, int]]] = []

    def contract(
        self,
        segments: Segments,
        worklist: WorkList,
        operator: Operator,
        edges: tuple[Any, ...],
        chosen: Any,
        none: Any,
    ) -> Segments:
        """Make components of the hooked trees, and collect in ``worklist`` the edges that join two of them.

        ``operator(i, *edges, number)`` emits these edges with the numbers of the new components. A root
        takes part in the next round if its element of ``chosen`` is not ``none``.
        """
        n, backend, step, parent = self.components, self.backend, self.round_log.step, self.parent
        with step("relabel"):
            number = backend.empty(n, self.ids)
            self.components = backend.number(op.is_growing_root, n, number, 0, parent, chosen, none)
            if self._relabellings:
                growing = self.components
                finished = backend.number(op.is_finished_root, n, number, growing, parent, chosen, none)
                self._relabellings[-1].append((number, growing, finished))
            backend.for_each(op.relabel_to_root, n, parent, number)
        with step("contract"):
            return backend.emit(operator, segments, worklist, *edges, number)

    def finish(self, number: Any, trees: int) -> None:
        """Make whole trees of all components that are left; ``number`` is the tree of each component."""
        if self._relabellings:
            self._relabellings[-1].append((number, 0, trees))
        self.components = 0

    def begin_relabelling(self) -> None:
        """Record the relabelling of every round from here on."""
        self._relabellings.append([])

    def end_relabelling(self) -> Any:
        """Compose the recorded relabellings to one label per component; finished trees become active again.

        They are composed from the last to the first, so that the first ones, the longest, are passed once.
        """
        recorded = self._relabellings.pop()
        label: Any = None
        with self.round_log.step("compose labels"):
            for number, growing, finished in reversed(recorded):
                if label is not None:
                    arrays = number, growing, label, self.components
                    self.backend.for_each(op.compose_labels, number.size, *arrays)
                label = number
                self.components += finished
        if self._relabellings:
            self._relabellings[-1].append((label, self.components, 0))
        return label
