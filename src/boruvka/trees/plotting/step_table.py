"""The steps of Kruskal's, Prim's and Borůvka's algorithms on a small graph: what they take, and why.

Idea: the forest is unique, so an edge that Kruskal's or Prim's algorithm looks at is taken if it is in the
forest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import takewhile
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.columns import ReadOnly
from boruvka.graph.connected_components import label_components
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.exact import exact_sum
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import optional, pd
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.plotting import style
from boruvka.trees.plotting.curves import SmallGraph, small_graph
from boruvka.trees.plotting.style import counted
from boruvka.trees.queries.paths import heaviest_on_paths, path

if TYPE_CHECKING:
    from boruvka.trees.acyclic_edges import AcyclicEdges

DIGITS = 6
"""Digits of weights that are not integers, unless more are needed to tell them apart."""
NO_EDGE = -1
"""The edge of a step that has none, and the color of a vertex that has none."""
LISTED = 1000, 5000
"""Maximum numbers of vertices and edges of a graph whose steps are listed; rounds need only few vertices."""
IN_COMPONENT = 6
"""Number of vertices of a component that are named."""


@dataclass(frozen=True, eq=False, repr=False)
class StepTable(ReadOnly):
    """The steps of an algorithm, in a row for each edge that it takes or refuses.

    The start of a further tree of Prim's algorithm is a row, too. It prints as a table, without the
    components and the queue. Its length is the number of rows; iterated over, it yields rows of all columns.
    """

    step: NDArray[np.int64]
    """(k,) array: the step, from 1; of Borůvka's algorithm, the round."""
    edge: NDArray[np.int64]
    """(k,) array: index of the edge in the graph; -1 at the start of a tree."""
    source: list[str]
    """One end of each edge, as a text; the vertex where a tree starts."""
    target: list[str]
    """The other end; empty at a start."""
    weight: Any
    """(k,) masked array: weight of the edge, masked at a start."""
    taken: NDArray[np.bool_]
    """(k,) array: whether the edge joins the forest."""
    total: list[int | float]
    """The exact weight of the forest after the step of the edge."""
    why: list[str]
    """The reason, and what changes."""
    components: NDArray[np.int64]
    """(k,) array: the number of components after the step of the edge."""
    queue: list[str]
    """The edges in the queue of Prim's algorithm after the step, the first one first; else empty texts."""
    _instead: ClassVar = {"steps.to_pandas(), a frame": "to_csv to_html to_latex to_markdown"}

    def __len__(self) -> int:
        return self.edge.size

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with these columns, whose ``to_markdown`` and ``to_latex`` write it for a report."""
        return pd.DataFrame(vars(self))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        columns = (x if isinstance(x, list) else x.tolist() for x in vars(self).values())
        return zip(*columns, strict=True)

    def _repr_html_(self) -> str | None:
        """Return a table for a notebook, if pandas is installed."""
        hidden = ["edge", "components", "queue"]
        return optional("pandas") and self.to_pandas().drop(columns=hidden).to_html(index=False, na_rep="")

    def __repr__(self) -> str:
        ends = [" – ".join(filter(None, pair)) for pair in zip(self.source, self.target, strict=True)]
        results = np.where(self.taken, "taken", np.where(self.edge == NO_EDGE, "start", "refused")).tolist()
        weights = np.full(len(self), "", object)
        weights[self.edge != NO_EDGE] = style.weight_texts(self.weight.compressed(), DIGITS)
        columns = [["step", *map(str, self.step.tolist())], ["edge", *ends], ["weight", *weights]]
        totals = style.weight_texts(np.array(self.total, object), DIGITS)
        columns += [["result", *results], ["total", *totals], ["why", *self.why]]
        step, edge, weight, result, total, _ = (max(map(len, column)) for column in columns)
        return "\n".join(
            f"{a:>{step}}  {b:<{edge}}  {c:>{weight}}  {d:<{result}}  {e:>{total}}  {why}"
            for a, b, c, d, e, why in zip(*columns, strict=True)
        )


class Step(NamedTuple):
    """A step of an algorithm.

    Attributes
    ----------
    edge : int
        The edge that the step accepts or refuses; NO_EDGE at the start of a tree.
    why : str
        The reason for which the edge is taken or refused, or the effect of the start.
    listed : list of int
        The edges beside the graph.
    trees : (n,) array of int64, optional
        For each vertex the number of its tree, -1 outside of trees; None if every vertex is in one.
    root : int
        The vertex where a tree starts.
    """

    edge: int
    why: str
    listed: list[int]
    trees: NDArray[np.int64] | None = None
    root: int = 0


def _kruskal_steps(n: int, order: list[int], is_chosen: NDArray[np.bool_]) -> Iterator[Step]:
    """Accept or refuse edges in their order until there is one tree."""
    yield Step(
        NO_EDGE, f"{counted(n, 'component')}, each a vertex; {counted(len(order), 'sorted edge')}", order
    )
    for edge in order:
        if n == 1:
            break
        n -= int(is_chosen[edge])
        yield Step(edge, f"it joins two components, {n} {'is' if n == 1 else 'are'} left", order)


def _prim_steps(ends: NDArray[np.int64], order: list[int], start: int, names: list[str]) -> Iterator[Step]:
    """Take the first edge of the queue until all vertices are in trees; where it is empty, start a tree."""
    rank, trees = np.argsort(order).tolist(), np.full(len(names), NO_EDGE)
    queue: list[int] = []  # of ranks, a heap

    def add(x: int, tree: int) -> None:
        trees[x] = tree
        leaves = (ends == x).any(axis=0) & (trees[ends].min(axis=0) == NO_EDGE)
        for edge in np.flatnonzero(leaves).tolist():
            heappush(queue, rank[edge])

    def step(edge: int, effect: str) -> Step:
        queued = [order[k] for k in sorted(queue)]
        return Step(edge, effect, [edge] * (edge != NO_EDGE) + queued, trees.copy(), root)

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
            new = [x for x in ends[:, edge].tolist() if trees[x] == NO_EDGE]
            for x in new:
                add(x, tree)
            to = "".join(style.short(names[x]) for x in new)
            yield step(edge, f"it leads to {to}, the tree has {np.count_nonzero(trees == tree)} vertices")


class Course(NamedTuple):
    """The course of Kruskal's or Prim's algorithm on a small graph, whose edges have places from 0.

    Attributes
    ----------
    algorithm : "kruskal" or "prim"
        The algorithm.
    small : SmallGraph
        The edges.
    names : list of str
        The names of the vertices.
    is_chosen : (m,) array of bool
        The edges of the forest.
    order : (m,) array of int64
        The edges, sorted.
    steps : list of Step
        The steps; the first is the start.
    cycles : mapping of arrays of int64
        For each edge that is refused, the edges of the tree between its ends.
    step_of : (m,) array of int64
        The step that accepts or refuses each edge, 0 for none.
    """

    algorithm: str
    small: SmallGraph
    names: list[str]
    is_chosen: NDArray[np.bool_]
    order: NDArray[np.int64]
    steps: list[Step]
    cycles: Mapping[int, NDArray[np.int64]]
    step_of: NDArray[np.int64]


class Ties:
    """The edges of a small graph in the order in which they are chosen, and what ties there mean.

    Parameters
    ----------
    tree : Forest
        The forest.
    small : SmallGraph
        The edges of its graph.
    names : list of str
        The names of the vertices.
    """

    def __init__(self, tree: AcyclicEdges, small: SmallGraph, names: list[str]):
        edges, u, v, w = small
        order = sort_edges(w, tree.maximum)[0].astype(np.int64)
        self.order = order[np.argsort(~np.isin(edges[order], tree.required), kind="stable")]
        self.ends, self.names, self.rank = np.stack([u, v]), names, np.argsort(self.order)
        last, _ = heaviest_on_paths(tree.structure, u, v, by_choice=True)
        at = np.searchsorted(edges, np.maximum(last, 0))
        can_replace = (last >= 0) & (w[at] == w) & (last != edges) & ~np.isin(last, tree.required)
        self.replaced = np.where(can_replace, self.rank[at], NO_EDGE)

    def text(self, edge: int, later: list[int]) -> str:
        """Name one of the later edges of the same weight: one that would change the tree, if there is one.

        In place of the edge, it would be in the tree, and the last edge on the path between its ends not.
        """
        changing = [k for k in later if self.replaced[k] >= self.rank[edge]]
        ends = " – ".join(
            style.short(self.names[x]) for k in (changing or later)[:1] for x in self.ends[:, k]
        )
        tree = "another" if changing else "the same"
        return f"; tie with {ends}, later in the list: {tree} tree" if later else ""


def course_of(tree: AcyclicEdges, algorithm: str, start: Any, most: tuple[int, int] = LISTED) -> Course:
    """Run Kruskal's or Prim's algorithm on a graph of so many vertices and edges at most.

    Parameters
    ----------
    tree : Forest
        The forest.
    algorithm : "kruskal" or "prim"
        The algorithm.
    start : name or int, optional
        The vertex where Prim's algorithm starts, by default the first.
    most : (int, int)
        Maximum numbers of vertices and edges.
    """
    vertex = 0 if start is None else _vertex_of_id(tree, start)
    if algorithm == "prim" and not tree.n:
        raise GraphError(f"{argument('algorithm', 'prim')} starts at a vertex, and the graph has none")
    small = small_graph(tree, lists_edges=False, most=LISTED)
    if small is None or tree.n > most[0] or small.edges.size > most[1]:
        entries = f"{tree.graph.m:,}{' entries' * bool(tree.graph.entry_count)}"
        count = entries if small is None else f"{small.edges.size:,}"
        tables = "; steps() (.csv) lists them" if small is not None else ""
        raise GraphError(
            f"{argument('algorithm', algorithm)} shows each edge of a graph of up to {most[0]:,} vertices "
            f"and {most[1]:,} edges, and this one has {tree.n:,} and {count}: take a part of it, or "
            f"{argument('algorithm', 'boruvka')}, which shows rounds{tables}"
        )
    names = vertex_texts(tree)
    ties, is_chosen, weights = Ties(tree, small, names), np.isin(small.edges, tree.edges), small.w.tolist()
    if algorithm == "kruskal":
        steps = list(_kruskal_steps(tree.n, ties.order.tolist(), is_chosen))
    else:
        steps = list(_prim_steps(ties.ends, ties.order.tolist(), vertex, names))
    step_of, cycles = np.zeros(small.edges.size, np.int64), {}
    for number, (edge, why, *_) in enumerate(steps):
        if edge == NO_EDGE:
            continue
        step_of[edge] = number
        if is_chosen[edge]:
            listed = steps[number - 1].listed
            later = takewhile(lambda k: weights[k] == weights[edge], listed[listed.index(edge) + 1 :])  # noqa: B023
            because = "it is required, and " * (small.edges[edge] in tree.required)
            why = f"{because}{why}{ties.text(edge, [*later])}"
        else:
            between = path(tree.structure, *ties.ends[:, edge].tolist())
            assert between is not None  # an edge joins its ends
            cycles[edge] = np.searchsorted(small.edges, between)
            why = f"it closes a cycle of {between.size + 1} edges" if between.size else "it is a loop"
        steps[number] = steps[number]._replace(why=why)
    return Course(algorithm, small, names, is_chosen, ties.order, steps, cycles, step_of)


def table_of(tree: AcyclicEdges, algorithm: str, start: Any) -> StepTable:
    """Implement `Forest.steps`; parameters as for `course_of`, also for "boruvka"."""
    if algorithm == "boruvka":
        return _table_of_rounds(tree)
    course = course_of(tree, algorithm, start)
    (edges, u, v, w), names, (_, *steps) = course.small, course.names, course.steps
    queues = [""] * len(steps)
    if algorithm == "prim":
        rows = zip(u.tolist(), v.tolist(), style.weight_texts(w, DIGITS), strict=True)
        texts = [f"{names[a]} – {names[b]} {weight}" for a, b, weight in rows]
        queues = [", ".join(texts[k] for k in x.listed[x.edge != NO_EDGE :]) for x in steps]
    looked_at = [NO_EDGE if x.edge == NO_EDGE else edges.item(x.edge) for x in steps]
    each = enumerate(zip(looked_at, steps, queues, strict=True), 1)
    return _table(tree, names, [(k, edge, step.root, step.why, queue) for k, (edge, step, queue) in each])


def _table_of_rounds(tree: AcyclicEdges) -> StepTable:
    """List the edges that rounds add, and the components that choose each."""
    if tree.n > LISTED[0]:
        raise GraphError(
            f"steps are shown for up to {LISTED[0]:,} vertices, and this graph has {tree.n:,}: "
            "forest.edge_rounds has the round of each edge"
        )
    names, small = vertex_texts(tree), small_graph(tree, lists_edges=False, most=LISTED)
    ties = None if small is None else Ties(tree, small, names)
    order, rounds, rows = tree.structure.by_choice.places, tree.edge_rounds, []
    for number in range(1, int(rounds.max(initial=0)) + 1):
        before = rounds < number
        labels = label_components(tree.n, tree.u[before], tree.v[before])
        choosers: dict[int, dict[int, str]] = {}
        for edge, is_first in chosen_edges(order[~before[order]], tree.u, tree.v, labels):
            end = (tree.u if is_first else tree.v)[edge]
            inside = [names[x] for x in np.flatnonzero(labels == labels[end]).tolist()]
            more = ["…"] * (len(inside) > IN_COMPONENT)
            text = "{" + ", ".join(inside[:IN_COMPONENT] + more) + "}"
            choosers.setdefault(tree.edges.item(edge), {})[int(labels[end])] = text
        for edge, components in sorted(choosers.items()):
            why = f"{'required, and ' * (edge in tree.required)}chosen by {' and '.join(components.values())}"
            if small is not None and ties is not None:
                k = int(np.searchsorted(small.edges, edge))
                ends = labels[ties.ends]
                are_ties = (ends[0] != ends[1]) & np.isin(ends, [*components]).any(axis=0)
                are_ties &= (small.w == small.w[k]) & (ties.rank > ties.rank[k])
                why += ties.text(k, np.flatnonzero(are_ties).tolist())
            rows.append((number, edge, 0, why, ""))
    return _table(tree, names, rows)


def _table(tree: AcyclicEdges, names: list[str], rows: list[tuple[int, int, int, str, str]]) -> StepTable:
    """Make the table of rows: the step, the edge, the root where there is no edge, the reason, the queue."""
    steps, edges, roots, why, queue = map(list, zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    number, edge = np.array(steps, np.int64), np.array(edges, np.int64)
    is_edge, taken = edge != NO_EDGE, np.isin(edge, tree.edges)
    u, v, w = tree.graph.take(edge[is_edge])
    ends = np.stack([np.array(roots, np.int64), np.full(edge.size, len(names))])
    ends[:, is_edge] = u, v
    source, target = ([(*names, "")[x] for x in row] for row in ends.tolist())
    weight = np.ma.MaskedArray(np.zeros(edge.size, w.dtype), ~is_edge)
    weight[is_edge] = w
    after = np.searchsorted(number, number, side="right")  # edges of a round join the forest together
    total = [exact_sum(weight.data[:k][taken[:k]]) for k in after.tolist()]
    components = (len(names) - np.cumsum(taken))[after - 1]
    return StepTable(number, edge, source, target, weight, taken, total, why, components, queue)


def vertex_texts(tree: EdgeSet) -> list[str]:
    """Return the name or the id of each vertex as a text."""
    return [str(name) for name in tree.graph.id_of(np.arange(tree.n))]


def chosen_edges(
    edges: NDArray[np.int64], u: NDArray[Any], v: NDArray[Any], labels: NDArray[np.int64]
) -> list[tuple[int, bool]]:
    """List what components choose in a round: an edge, and whether the component is at its u.

    The lightest edge that leaves a component is in the tree.

    Parameters
    ----------
    edges : array of int64
        The edges of the tree that are not chosen before the round, the first to choose first.
    u, v : arrays
        The ends of all edges.
    labels : (n,) array
        The components before the round.
    """
    chosen: dict[int, tuple[int, bool]] = {}
    for edge in edges.tolist():
        for end, is_first in ((u[edge], True), (v[edge], False)):
            chosen.setdefault(int(labels[end]), (edge, is_first))
    return list(chosen.values())


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
