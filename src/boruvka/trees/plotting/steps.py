"""Kruskal's and Prim's algorithms edge by edge: a small graph, and the sorted list or the queue beside it.

The module `boruvka.trees.plotting.step_table` finds the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.edge_set import EdgeSet
from boruvka.trees.plotting import style
from boruvka.trees.plotting.animation import NEW, State
from boruvka.trees.plotting.coordinates import place_vertices
from boruvka.trees.plotting.curves import MAX_VERTICES, small_graph
from boruvka.trees.plotting.step_table import NO_EDGE, Course, course_of
from boruvka.trees.plotting.style import INK, counted
from boruvka.trees.plotting.textbook import Textbook

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from boruvka.trees.acyclic_edges import AcyclicEdges

MAX_LISTED = 100
"""Maximum number of edges of a graph whose list can be read beside it."""
ROWS = 30
"""Maximum number of rows of the list in a column."""
ROW, CHARACTER, FONT = 0.33, 0.125, 14.0
"""Height of a row and width of a character in inches, and size of the font in points."""
NAME = 16
"""Characters of a name in the list; longer ones are cut."""
HIGHLIGHT = "#ffe9a8"
MARKS = {"taken": "✓", "refused": "✗"}
LISTS = {"kruskal": "Edges", "prim": "Queue"}
IDEAS = {
    "kruskal": "Edges are sorted. In each step, the next edge is taken if it joins two components, and "
    "refused if it closes a cycle.",
    "prim": "A tree grows from one vertex. The queue holds edges of its vertices, which are dark. In each "
    "step, the first edge of the queue is taken if it leads to a new vertex, whose edges then join the "
    "queue, and refused if it closes a cycle. A plus marks edges that are new in the queue.",
}


def can_be_listed(tree: EdgeSet) -> bool:
    """Return whether a graph has few enough edges to show one after the other."""
    small = small_graph(tree, lists_edges=False)
    return small is not None and small.edges.size <= MAX_LISTED


def steps_of(tree: AcyclicEdges, algorithm: str, start: Any, coordinates: Any, system: str | None) -> Steps:
    """Prepare an animation of Kruskal's or Prim's algorithm.

    Parameters
    ----------
    tree, algorithm, start
        As for `course_of`.
    coordinates, system
        As for `place_vertices`; by default the vertices are laid out with all edges.
    """
    course = course_of(tree, algorithm, start, (MAX_VERTICES, MAX_LISTED))
    _, u, v, w = course.small
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    rounds = np.where(course.is_chosen, course.step_of, 0)
    places = course.order[course.is_chosen[course.order]]
    first = "heaviest" if tree.maximum else "lightest"
    heading = f"{LISTS[algorithm]}, {'required, then ' * bool(tree.required.size)}{first} first"
    return Steps(positions, u, v, rounds, w, course.names, places, course, heading)


@dataclass(eq=False)
class Steps(Textbook):
    """A drawing of a small graph, of which each frame shows a step.

    Parameters
    ----------
    positions, u, v, rounds, w, names, order
        As for `Textbook`; a round is a step.
    course : Course
        The course of the algorithm.
    heading : str
        The heading of the list.
    """

    course: Course
    heading: str

    arrow: ClassVar = 0.6  # the radius of a dot, and a little of the line
    noun: ClassVar = "Step"
    columns: ClassVar = ("Edge", "Weight", "Result", "Reason", "Sum of weights")
    drawn: ClassVar = (
        "The edge of the step is black. If it closes a cycle, it is dashed, and the cycle is black. "
        "Refused edges are dashed, and their weights are struck out."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.steps, self.step_of, self.cycles = self.course.steps, self.course.step_of, self.course.cycles
        self.last = len(self.steps) - 1
        self.algorithm, self.idea = self.course.algorithm.capitalize(), IDEAS[self.course.algorithm]
        columns = -(-max(len(step.listed) for step in self.steps) // ROWS) or 1
        self.per_column = -(-max(len(step.listed) for step in self.steps) // columns) or 1
        name = min(max(map(len, self.names), default=0), NAME)
        self.column = CHARACTER * (2 * name + max(map(len, self.weights), default=0) + 9)
        width, height = self.size
        panel = max(self.column * columns, CHARACTER * (len(self.heading) + 4))
        self.figure_size = width + panel, max(height, (self.per_column + 2) * ROW)
        self.frame = (0.0, 0.0, width / self.figure_size[0], 1.0)

    def states(self) -> Iterator[State]:
        """Yield the states; vertices that are in no tree have no color."""
        for state, step in zip(super().states(), self.steps, strict=True):
            yield state if step.trees is None else state._replace(color_ids=step.trees)

    def text(self, edge: int) -> str:
        """Return the names of the ends of an edge."""
        return " – ".join(style.short(self.names[x], NAME) for x in (self.u[edge], self.v[edge]))

    def result(self, edge: int) -> str:
        """Return the result of the step of an edge: "taken" or "refused"."""
        return "taken" if self.rounds[edge] else "refused"

    def cells(self, state: State) -> tuple[Any, ...]:
        """Return the edge of a step, its weight, its result, the reason, and the weight so far."""
        edge, why, *_ = self.steps[state.number]
        known = ("", "", "") if edge == NO_EDGE else (self.text(edge), self.weights[edge], self.result(edge))
        return *known, why, self.total(state)

    def caption(self, state: State) -> str:
        """Describe a step."""
        number, (edge, why, *_) = state.number, self.steps[state.number]
        if edge == NO_EDGE:
            return f"Step {number}: {why}" if number else f"Before step 1: {why}"
        said = f"Step {number}: {self.text(edge)} ({self.weights[edge]}) is {self.result(edge)}: {why}"
        said += f"; weight {self.total(state)}"
        left = int((self.step_of == 0).sum())
        if number == self.last and left:
            said += f". {counted(left, 'edge')} {'is' if left == 1 else 'are'} not looked at"
        return said

    def are_dropped(self, state: State) -> NDArray[np.bool_]:
        """Return which edges are refused up to a step."""
        return (self.step_of > 0) & (self.step_of <= state.number) & (self.rounds == 0)

    def chosen_edges(self, number: int, labels: NDArray[np.int64]) -> list[tuple[int, bool]]:
        """List nothing: no arrows are drawn."""
        return []

    def draw(self, figure: Figure, state: State) -> None:
        """Draw the graph, and the list beside it."""
        super().draw(figure, state)
        (width, height), left = self.figure_size, self.frame[2]
        ax = figure.add_axes((left, 0, 1 - left, 1))
        ax.set(xlim=(0, (1 - left) * width), ylim=(height, 0))
        ax.set_axis_off()
        step, before = self.steps[state.number], self.steps[max(state.number - 1, 0)].listed
        how: dict[str, Any] = {"fontsize": FONT, "color": INK, "va": "center", "parse_math": False}
        heading = self.heading if step.listed else f"{LISTS[self.course.algorithm]}: empty"
        ax.text(0, ROW, heading, weight="bold", **how)
        for k, edge in enumerate(step.listed):
            x, y = k // self.per_column * self.column, (k % self.per_column + 2) * ROW
            right = x + self.column - 3 * CHARACTER
            mark = "" if edge in before else "+"
            if 0 < self.step_of[edge] <= state.number:
                mark = MARKS[self.result(edge)]
            if edge == step.edge:
                ax.fill_between([x, right], y - ROW / 2, y + ROW / 2, color=HIGHLIGHT, linewidth=0)
            how["color"] = self.later if mark == MARKS["refused"] and edge != step.edge else INK
            ax.text(x, y, mark, **how)
            ax.text(x + 2.5 * CHARACTER, y, self.text(edge), **how)
            ax.text(right, y, self.weights[edge], ha="right", **how)

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw the queue, the edge of the step and its cycle; then weights and vertices."""
        step = self.steps[state.number]
        for k in () if step.trees is None else step.listed:
            if k != step.edge:
                ax.plot(*self.curves[k].T, color=INK, linewidth=self.widths[0], snap=False)
        if step.edge in self.cycles:
            ax.plot(*self.curves[step.edge].T, "--", color=NEW, linewidth=2.4, snap=False)
            for k in self.cycles[step.edge].tolist():
                ax.plot(*self.curves[k].T, color=NEW, linewidth=self.widths[-1], snap=False)
        super().annotate(ax, state, levels)
