"""Kruskal's and Prim's algorithms edge by edge: a small graph, and the sorted list or the queue beside it.

Idea: the forest is unique, so an edge that one of them looks at is accepted if it is in the forest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.edge_set import EdgeSet
from boruvka.runtime.arguments import argument
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.plotting import style
from boruvka.trees.plotting.animation import NEW, State, counted
from boruvka.trees.plotting.coordinates import place_vertices
from boruvka.trees.plotting.curves import MAX_VERTICES, small_graph
from boruvka.trees.plotting.style import INK
from boruvka.trees.plotting.textbook import Textbook
from boruvka.trees.queries.paths import path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from boruvka.trees.structure import Structure

__all__ = ["MAX_LISTED", "NO_EDGE", "Step", "Steps", "can_be_listed", "steps_of"]

MAX_LISTED = 60
"""Maximum number of edges of a graph whose list can be read."""
ROWS = 30
"""Maximum number of rows of the list in a column."""
ROW, CHARACTER, FONT = 0.33, 0.125, 14.0
"""Height of a row and width of a character in inches, and size of the font in points."""
NAME = 16
"""Characters of a name in the list; longer ones are cut."""
NO_EDGE = -1
"""The edge of a step that has none, and the color of a vertex that has none."""
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


class Step(NamedTuple):
    """A step of an algorithm.

    Attributes
    ----------
    edge : int
        The edge that the step accepts or refuses; NO_EDGE at the start of a tree.
    effect : str
        The effect of an edge that is taken, or of the start.
    listed : list of int
        The edges beside the graph.
    trees : (n,) array of int64, optional
        For each vertex the number of its tree, -1 outside of trees; None if every vertex is in one.
    """

    edge: int
    effect: str
    listed: list[int]
    trees: NDArray[np.int64] | None = None


def _kruskal_steps(n: int, order: list[int], is_chosen: NDArray[np.bool_]) -> Iterator[Step]:
    """Accept or refuse edges in their order until there is one tree."""
    yield Step(
        NO_EDGE, f"{counted(n, 'component')}, each a vertex; {counted(len(order), 'sorted edge')}", order
    )
    for edge in order:
        if n == 1:
            break
        n -= int(is_chosen[edge])
        yield Step(edge, counted(n, "component"), order)


def _prim_steps(
    ends: list[tuple[int, int]], order: list[int], is_chosen: NDArray[np.bool_], start: int, names: list[str]
) -> Iterator[Step]:
    """Take the first edge of the queue until all vertices are in trees; where it is empty, start a tree."""
    rank, trees = np.argsort(order).tolist(), np.full(len(names), NO_EDGE)
    queue: list[int] = []  # of ranks, a heap

    def add(x: int, tree: int) -> None:
        trees[x] = tree
        for edge, (a, b) in enumerate(ends):
            if x in (a, b) and min(trees[a], trees[b]) == NO_EDGE:
                heappush(queue, rank[edge])

    def step(edge: int, effect: str) -> Step:
        queued = [order[k] for k in sorted(queue)]
        return Step(edge, effect, [edge] * (edge != NO_EDGE) + queued, trees.copy())

    for tree, root in enumerate((start, *range(len(names)))):
        if trees[root] != NO_EDGE:
            continue
        add(root, tree)
        before = "the queue was empty, another tree starts at" if tree else "the tree is"
        yield step(
            NO_EDGE, f"{before} {style.short(names[root])}; {counted(len(queue), 'edge')} in the queue"
        )
        while queue and trees.min() == NO_EDGE:
            edge = order[heappop(queue)]
            if is_chosen[edge]:
                add(next(x for x in ends[edge] if trees[x] == NO_EDGE), tree)
            yield step(edge, f"the tree has {np.count_nonzero(trees == tree)} vertices")


def can_be_listed(tree: EdgeSet) -> bool:
    """Return whether a graph has few enough edges to show one after the other."""
    small = small_graph(tree, lists_edges=False)
    return small is not None and small.edges.size <= MAX_LISTED


def steps_of(
    tree: EdgeSet, structure: Structure, algorithm: str, start: Any, coordinates: Any, system: str | None
) -> Steps:
    """Prepare an animation of Kruskal's or Prim's algorithm.

    Parameters
    ----------
    tree : Forest
        The forest.
    structure : Structure
        Its structure.
    algorithm : "kruskal" or "prim"
        The algorithm.
    start : name or int, optional
        The vertex where Prim's algorithm starts, by default the first.
    coordinates, system
        As for `place_vertices`; by default the vertices are laid out with all edges.
    """
    vertex = 0 if start is None else _vertex_of_id(tree, start)
    small = small_graph(tree, lists_edges=False)
    if algorithm == "prim" and not tree.n:
        raise GraphError(f"{argument('algorithm', 'prim')} starts at a vertex, and the graph has none")
    if small is None or small.edges.size > MAX_LISTED:
        count = tree.graph.m if small is None else small.edges.size
        raise GraphError(
            f"{argument('algorithm', algorithm)} shows each edge of a graph of up to {MAX_VERTICES} vertices "
            f"and {MAX_LISTED} edges, and this one has {tree.n:,} and {count:,}: take a part of it, or "
            f"{argument('algorithm', 'boruvka')}, which shows rounds"
        )
    edges, u, v, w = small
    is_chosen = np.isin(edges, tree.edges)
    order = sort_edges(w, structure.maximum)[0].astype(np.int64)
    order = order[
        np.argsort(~np.isin(edges[order], structure.required), kind="stable")
    ]  # these are chosen first
    ends = list(zip(u.tolist(), v.tolist(), strict=True))
    names = [str(name) for name in tree.graph.id_of(np.arange(tree.n))]
    if algorithm == "kruskal":
        steps = list(_kruskal_steps(tree.n, order.tolist(), is_chosen))
    else:
        steps = list(_prim_steps(ends, order.tolist(), is_chosen, vertex, names))
    step_of = np.zeros(edges.size, np.int64)
    for number, step in enumerate(steps):
        if step.edge != NO_EDGE:
            step_of[step.edge] = number
    cycles = {}
    for k in np.flatnonzero((step_of > 0) & ~is_chosen).tolist():
        between = path(structure, *ends[k])
        assert between is not None  # an edge joins its ends
        cycles[k] = np.searchsorted(edges, between)
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    rounds, places = np.where(is_chosen, step_of, 0), order[is_chosen[order]]
    first = "heaviest" if structure.maximum else "lightest"
    heading = f"{LISTS[algorithm]}, {'required, then ' * bool(structure.required.size)}{first} first"
    return Steps(positions, u, v, rounds, w, names, places, steps, cycles, step_of, algorithm, heading)


def _vertex_of_id(tree: EdgeSet, start: Any) -> int:
    """Return the number of a vertex that has a name, or an id that begins as in the file of the graph."""
    first = 0 if tree.graph.has_names else tree.graph.first_id
    if first and isinstance(start, Integral):
        number = int(start) - first
        if not 0 <= number < tree.n:
            known = f"vertices are numbers from {first} to {tree.n + first - 1}, as in the file"
            raise GraphError(f"{argument('start')} = {start} is not a vertex: {known}")
        return number
    return tree.vertex_number("start", start)


@dataclass(eq=False)
class Steps(Textbook):
    """A drawing of a small graph, of which each frame shows a step.

    Parameters
    ----------
    positions, u, v, rounds, w, names, order
        As for `Textbook`; a round is a step.
    steps : list of Step
        The steps; the first is the start.
    cycles : mapping of arrays of int64
        For each edge that is refused, the edges of the tree between its ends.
    step_of : (m,) array of int64
        The step that accepts or refuses each edge, 0 for none.
    name, heading : str
        The algorithm, and the heading of the list.
    """

    steps: list[Step]
    cycles: dict[int, NDArray[np.int64]]
    step_of: NDArray[np.int64]
    name: str
    heading: str

    noun: ClassVar = "Step"
    columns: ClassVar = ("Edge", "Weight", "Result", "Components")
    drawn: ClassVar = (
        "The edge of the step is black. If it closes a cycle, it is dashed, and the cycle is black. "
        "Refused edges are dashed, and their weights are struck out."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.last = len(self.steps) - 1
        self.algorithm, self.idea = self.name.capitalize(), IDEAS[self.name]
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
        """Return the edge of a step, its weight, its result, and the number of components."""
        edge, count = self.steps[state.number].edge, int(state.labels.max(initial=-1)) + 1
        known = ("", "", "") if edge == NO_EDGE else (self.text(edge), self.weights[edge], self.result(edge))
        return *known, count

    def caption(self, state: State) -> str:
        """Describe a step."""
        number, (edge, effect, *_) = state.number, self.steps[state.number]
        if edge == NO_EDGE:
            return f"Step {number}: {effect}" if number else f"Before step 1: {effect}"
        if not self.rounds[edge]:
            is_loop, length = self.u[edge] == self.v[edge], self.cycles[edge].size + 1
            effect = "it is a loop" if is_loop else f"it closes a cycle of {length} edges"
        said = f"Step {number}: {self.text(edge)} {self.weights[edge]} is {self.result(edge)}: {effect}"
        said += f"; weight {self.total(state)}"
        left = int((self.step_of == 0).sum())
        if number == self.last and left:
            said += f". The forest is complete without {counted(left, 'other edge')}"
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
        ax.text(0, ROW, self.heading if step.listed else "No edges", weight="bold", **how)
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
                ax.plot(*self.curves[k].T, color=INK, linewidth=self.widths[0])
        if step.edge in self.cycles:
            ax.plot(*self.curves[step.edge].T, "--", color=NEW, linewidth=2.4)
            for k in self.cycles[step.edge].tolist():
                ax.plot(*self.curves[k].T, color=NEW, linewidth=self.widths[-1])
        super().annotate(ax, state, levels)
