"""Kruskal's and Prim's algorithms edge by edge: a small graph, and the sorted list or the queue beside it.

Idea: the forest is unique, so an edge that one of them looks at is accepted if it is in the forest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
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

    from boruvka.trees.forest import Forest

__all__ = ["MAX_LISTED", "Kruskal", "Prim", "Step", "kruskal_steps", "prim_steps", "steps_of"]

MAX_LISTED = 60
"""Maximum number of edges of a graph whose list can be read."""
ROWS = 30
"""Maximum number of rows of the list in a column."""
ROW, CHARACTER = 0.33, 0.125
"""Height of a row and width of a character in inches."""
FONT = 14.0
NAME = 16
"""Characters of a name in the list; longer ones are cut."""
NO_EDGE = -1
HIGHLIGHT = "#ffe9a8"
MARKS = {"taken": "✓", "refused": "✗", "added": "+"}


class Step(NamedTuple):
    """What an algorithm does in one step.

    Attributes
    ----------
    edge : int
        The edge that it looks at; NO_EDGE where it starts, or starts another tree.
    start : int
        The vertex where the tree started (Prim).
    queue : list of int
        The edges in the queue after the step, in their order (Prim), or those that come next (Kruskal).
    """

    edge: int
    start: int
    queue: list[int]


def kruskal_steps(n: int, order: list[int], is_chosen: NDArray[np.bool_]) -> Iterator[Step]:
    """Look at edges in their order until there is one tree."""
    yield Step(NO_EDGE, 0, order)
    trees = n
    for k, edge in enumerate(order):
        if trees == 1:
            break
        trees -= int(is_chosen[edge])
        yield Step(edge, 0, order[k + 1 :])


def prim_steps(
    ends: list[tuple[int, int]], order: list[int], is_chosen: NDArray[np.bool_], start: int, n: int
) -> Iterator[Step]:
    """Take the first edge of the queue until all vertices are in trees; where it is empty, start a tree."""
    rank = np.argsort(order).tolist()
    incident: list[list[int]] = [[] for _ in range(n)]
    for edge, both in enumerate(ends):
        for x in set(both):
            incident[x].append(edge)
    inside: set[int] = set()
    queue: list[int] = []  # ranks, as a heap

    def add(x: int) -> list[int]:
        inside.add(x)
        for edge in incident[x]:
            if not inside.issuperset(ends[edge]):
                heappush(queue, rank[edge])
        return [order[k] for k in sorted(queue)]

    for root in (start, *range(n)):
        if root in inside:
            continue
        yield Step(NO_EDGE, root, add(root))
        while queue and len(inside) < n:
            edge = order[heappop(queue)]
            new = [x for x in ends[edge] if x not in inside]
            yield Step(edge, root, add(new[0]) if is_chosen[edge] else [order[k] for k in sorted(queue)])


def steps_of(tree: Forest, algorithm: str, start: Any, coordinates: Any, system: str | None) -> Steps:
    """Prepare an animation of Kruskal's or Prim's algorithm.

    Parameters
    ----------
    tree : Forest
        The forest.
    algorithm : "kruskal" or "prim"
        The algorithm.
    start : name or int, optional
        The vertex where Prim's algorithm starts, by default the first.
    coordinates, system
        As for `place_vertices`; by default the vertices are laid out with all edges.
    """
    vertex = 0 if start is None else tree.vertex_number("start", start)
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
    order = sort_edges(w, tree.maximum)[0].astype(np.int64)
    order = order[np.argsort(~np.isin(edges[order], tree.required), kind="stable")]  # these are chosen first
    ends = list(zip(u.tolist(), v.tolist(), strict=True))
    if algorithm == "kruskal":
        steps = list(kruskal_steps(tree.n, order.tolist(), is_chosen))
    else:
        steps = list(prim_steps(ends, order.tolist(), is_chosen, vertex, tree.n))
    taken = np.zeros(edges.size, np.int64)
    for number, step in enumerate(steps):
        if step.edge != NO_EDGE:
            taken[step.edge] = number
    cycles = {}
    for k in np.flatnonzero((taken > 0) & ~is_chosen).tolist():
        between = path(tree.structure, *ends[k])
        assert between is not None  # an edge joins its ends
        cycles[k] = np.searchsorted(edges, between)
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    names = [str(name) for name in tree.graph.shown_id(np.arange(tree.n))]
    first = "heaviest" if tree.maximum else "lightest"
    rounds, places = np.where(is_chosen, taken, 0), order[is_chosen[order]]
    kind = Kruskal if algorithm == "kruskal" else Prim
    return kind(positions, u, v, rounds, w, names, places, steps, cycles, taken, first)


@dataclass(eq=False)
class Steps(Textbook):
    """A drawing of a small graph, of which each frame shows a step.

    Parameters
    ----------
    positions, u, v, rounds, w, names, order
        As for `Textbook`; a round is a step.
    steps : list of Step
        What the algorithm does; the first is the start.
    cycles : mapping of arrays of int64
        For each edge that is refused, the edges of the tree between its ends.
    looked_at : (m,) array of int64
        The step that looks at each edge, 0 for none.
    first : str
        Which edges come first: "lightest" or "heaviest".
    """

    steps: list[Step]
    cycles: dict[int, NDArray[np.int64]]
    looked_at: NDArray[np.int64]
    first: str

    noun: ClassVar = "Step"
    columns: ClassVar = ("Edge", "Weight", "Result", "Components")
    drawn: ClassVar = (
        "The edge of the step is black. If it closes a cycle, it is dashed, and the cycle is black. "
        "Refused edges are dashed, and their weights are struck out."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.last = len(self.steps) - 1
        self.exact = [f"{x:.6g}" if x % 1 else str(x).removesuffix(".0") for x in self.w.tolist()]
        rows = max(len(self.rows(number)) for number in range(self.last + 1))
        columns = max(-(-rows // ROWS), 1)
        self.per_column = max(-(-rows // columns), 1)
        name = min(max(map(len, self.names), default=0), NAME)
        self.column = CHARACTER * (2 * name + max(map(len, self.exact), default=0) + 9)
        width, height = self.size
        panel = max(self.column * columns, CHARACTER * 26)
        self.figure_size = width + panel, max(height, (self.per_column + 2) * ROW)
        self.frame = (0.0, 0.0, width / self.figure_size[0], 1.0)

    def rows(self, number: int) -> list[int]:
        """List the edges beside the graph after a step."""
        raise NotImplementedError

    def heading(self) -> str:
        """Return what the list is."""
        raise NotImplementedError

    def text(self, edge: int) -> str:
        """Return the names of the ends of an edge."""
        a, b = (style.short(self.names[x], NAME) for x in (self.u[edge], self.v[edge]))
        return f"{a} – {b}"

    def result(self, edge: int) -> str:
        """Return what becomes of an edge: "taken" or "refused"."""
        return "taken" if self.rounds[edge] else "refused"

    def cells(self, state: State) -> tuple[Any, ...]:
        """Return the edge of a step, its weight, what becomes of it, and the number of components."""
        edge, count = self.steps[state.number].edge, int(state.labels.max(initial=-1)) + 1
        if edge == NO_EDGE:
            return "", "", "", count
        return self.text(edge), self.exact[edge], self.result(edge), count

    def are_dropped(self, state: State) -> NDArray[np.bool_]:
        """Return which edges are refused up to a step."""
        return (self.looked_at > 0) & (self.looked_at <= state.number) & (self.rounds == 0)

    def chosen_edges(self, number: int, labels: NDArray[np.int64]) -> list[tuple[int, bool]]:
        """List nothing: no arrows are drawn."""
        return []

    def draw(self, figure: Figure, state: State) -> None:
        """Draw the graph, and the list beside it."""
        super().draw(figure, state)
        width, height = self.figure_size
        left = self.frame[2]
        ax = figure.add_axes((left, 0, 1 - left, 1))
        ax.set(xlim=(0, (1 - left) * width), ylim=(height, 0))
        ax.set_axis_off()
        how: dict[str, Any] = {"fontsize": FONT, "color": INK, "va": "center", "parse_math": False}
        rows, step = self.rows(state.number), self.steps[state.number]
        ax.text(0, ROW, self.heading() if rows else "No edges", weight="bold", **how)
        before = set(self.steps[max(state.number - 1, 0)].queue)
        for k, edge in enumerate(rows):
            x, y = k // self.per_column * self.column, (k % self.per_column + 2) * ROW
            right = x + self.column - 3 * CHARACTER
            is_known = 0 < self.looked_at[edge] <= state.number
            mark = self.result(edge) if is_known else "added" if edge not in before else ""
            if edge == step.edge:
                ax.axhspan(
                    y - ROW / 2, y + ROW / 2, x / ax.get_xlim()[1], right / ax.get_xlim()[1], color=HIGHLIGHT
                )
            how["color"] = self.later if mark == "refused" and edge != step.edge else INK
            ax.text(x, y, MARKS.get(mark, ""), **how)
            ax.text(x + 2.5 * CHARACTER, y, self.text(edge), **how)
            ax.text(right, y, self.exact[edge], ha="right", **how)

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw what the step is about, then weights and vertices."""
        edge = self.steps[state.number].edge
        if edge != NO_EDGE and not self.rounds[edge]:
            ax.plot(*self.curves[edge].T, "--", color=NEW, linewidth=2.4)
            for k in self.cycles[edge].tolist():
                ax.plot(*self.curves[k].T, color=NEW, linewidth=self.widths[-1])
        super().annotate(ax, state, levels)

    def caption(self, state: State) -> str:
        """Describe a step."""
        step = self.steps[state.number]
        if step.edge == NO_EDGE:
            return self.start_caption(state)
        edge = step.edge
        said = f"Step {state.number}: {self.text(edge)} {self.exact[edge]} is {self.result(edge)}"
        if self.rounds[edge]:
            said += f", {self.gain(state)}"
        elif self.u[edge] == self.v[edge]:
            said += ": it is a loop"
        else:
            said += f": it closes a cycle of {self.cycles[edge].size + 1} edges"
        if state.number == self.last and step.queue:
            said += f". This completes the forest, without a look at {counted(len(step.queue), 'other edge')}"
        return said

    def gain(self, state: State) -> str:
        """Describe what an edge that is taken brings."""
        return counted(int(state.labels.max()) + 1, "component")

    def start_caption(self, state: State) -> str:
        """Describe a step without an edge."""
        raise NotImplementedError


class Kruskal(Steps):
    """Kruskal's algorithm: all edges are listed, sorted, and marked when they are looked at."""

    algorithm: ClassVar = "Kruskal"
    idea: ClassVar = (
        "Edges are sorted. In each step, the next edge is taken if it joins two components, and refused if "
        "it closes a cycle."
    )

    def rows(self, number: int) -> list[int]:
        """List all edges."""
        return self.steps[0].queue

    def heading(self) -> str:
        """Return what the list is."""
        return f"Edges, {self.first} first"

    def start_caption(self, state: State) -> str:
        """Describe the start."""
        components, edges = counted(len(self.names), "component"), counted(self.w.size, "sorted edge")
        return f"Before step 1: {components}, each a vertex; {edges}"


class Prim(Steps):
    """Prim's algorithm: the edges that leave the tree are in a queue, and the first is looked at."""

    algorithm: ClassVar = "Prim"
    idea: ClassVar = (
        "A tree grows from one vertex. The queue holds edges of its vertices, which are dark. In each step, "
        "the first edge of the queue is taken if it leads to a new vertex, whose edges then join the queue, "
        "and refused if it closes a cycle."
    )
    later: ClassVar = "#b8b8b8"

    def rows(self, number: int) -> list[int]:
        """List the edge of the step, and the queue after it."""
        step = self.steps[number]
        return [step.edge] * (step.edge != NO_EDGE) + step.queue

    def heading(self) -> str:
        """Return what the list is."""
        return f"Queue, {self.first} first"

    def states(self) -> Iterator[State]:
        """Yield the states; vertices that are in no tree have no color."""
        inside: dict[int, int] = {}
        for state in super().states():
            step = self.steps[state.number]
            joined = [step.start] if step.edge == NO_EDGE else [self.u[step.edge], self.v[step.edge]]
            tree = max(inside.values(), default=-1) + (step.edge == NO_EDGE)
            for x in joined:
                inside.setdefault(int(x), tree)
            yield state._replace(color_ids=np.array([inside.get(x, NO_EDGE) for x in range(len(self.names))]))

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw the edges in the queue."""
        for k in self.steps[state.number].queue:
            ax.plot(*self.curves[k].T, color=INK, linewidth=1.2)
        super().annotate(ax, state, levels)

    def gain(self, state: State) -> str:
        """Describe how the tree grows."""
        tree = state.labels == state.labels[self.steps[state.number].start]
        return f"the tree has {np.count_nonzero(tree)} vertices"

    def start_caption(self, state: State) -> str:
        """Describe the start of a tree."""
        step = self.steps[state.number]
        name, edges = style.short(self.names[step.start]), counted(len(step.queue), "edge")
        if state.number == 0:
            return f"Before step 1: the tree is {name}; {edges} in the queue"
        return (
            f"Step {state.number}: the queue was empty, another tree starts at {name}; {edges} in the queue"
        )
