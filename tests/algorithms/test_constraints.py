"""Required and excluded edges, removed edges, against Kruskal on what is left."""

import itertools
import warnings

import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, generators
from boruvka.graph.validation import edge_mask
from boruvka.trees.queries import update
from tests.oracles import is_forest, kruskal
from tests.strategies import graphs


def constrained_kruskal(graph, required, excluded, maximum):
    """Kruskal's algorithm with the required edges first."""
    rest = [i for i in range(graph.m) if i not in required and i not in excluded]
    rest = [rest[k] for k in _order(graph.w[rest], maximum)]
    listed = [*required, *rest]
    chosen = kruskal(graph.n, graph.u[listed], graph.v[listed], np.arange(len(listed)))
    return sorted(listed[k] for k in chosen)


def _order(w, maximum):
    weights = w.tolist() if w.dtype.itemsize <= 8 else list(w)
    return sorted(range(len(weights)), key=lambda k: (-weights[k] if maximum else weights[k], k))


@given(graphs(8, 20), st.data(), st.booleans())
def test_required_and_excluded_edges(graph, data, maximum):
    edges = st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=5 * bool(graph.m), unique=True)
    required = np.array(data.draw(edges), np.int64)
    excluded = np.setdiff1d(np.array(data.draw(edges), np.int64), required)
    given = excluded if data.draw(st.booleans()) else np.isin(np.arange(graph.m), excluded)
    how = {"required": required, "excluded": given, "maximum": maximum}
    if not is_forest(graph.n, graph.u, graph.v, required):
        ascending = np.sort(required)
        kept = kruskal(graph.n, graph.u[ascending], graph.v[ascending], np.zeros(required.size))
        first = np.delete(ascending, kept)[0]
        with pytest.raises(GraphError, match=rf"required edge {first} .* closes a cycle"):
            boruvka.minimum_spanning_forest(graph, **how)
        return
    forest = boruvka.minimum_spanning_forest(graph, **how)
    assert forest.edges.tolist() == constrained_kruskal(graph, required.tolist(), excluded.tolist(), maximum)
    assert forest.maximum == maximum


def test_all_algorithms_and_points():
    graph = generators.random(300, 2000, seed=1)
    required = boruvka.minimum_spanning_forest(graph, maximum=True).edges[::7]
    excluded = boruvka.minimum_spanning_forest(graph).edges[::5]
    excluded = np.setdiff1d(excluded, required)
    expected = constrained_kruskal(graph, required.tolist(), excluded.tolist(), False)
    for algorithm in "boruvka", "filter-boruvka", "kruskal", "block-boruvka":
        how = {"required": required, "excluded": excluded, "algorithm": algorithm}
        assert boruvka.minimum_spanning_forest(graph, **how).edges.tolist() == expected
    points = Graph.from_points(np.random.default_rng(0).random((40, 2)))
    forest = boruvka.minimum_spanning_forest(points, required=[5], excluded=np.array([0, 7]))
    listed = Graph(40, *points.edges_in_range(0, points.m))
    assert forest.edges.tolist() == constrained_kruskal(listed, [5], [0, 7], False)
    assert forest.graph.base is points
    assert (forest.required.tolist(), forest.removed.tolist()) == ([5], [0, 7])


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"required": [0, 1, 2]}, GraphError, r"required edge 2 \(2, 0\) closes a cycle"),
        ({"required": [1], "excluded": [1]}, GraphError, "edge 1 is both required and excluded"),
        ({"excluded": [3]}, GraphError, "excluded has 3: edges are numbers from 0 to 2"),
        ({"required": [-1]}, GraphError, "required has -1"),
        ({"required": [0.5]}, GraphTypeError, "required must be indices of edges, or a mask of 3 booleans"),
        ({"required": [True]}, GraphTypeError, r"this is bool of shape \(1,\)"),
    ],
)
def test_errors(how, error, message):
    with pytest.raises(error, match=message):
        boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [1, 2, 3]), **how)


NAMED = [("A", "B", 1), ("B", "H", 2), ("A", "H", 3), ("H", "A", 3), ("H", "C", 4)]


def test_edges_by_their_ends():
    solve = boruvka.minimum_spanning_forest
    forest = solve(NAMED)
    for name in "required", "excluded":
        for pairs, indices in [([("H", "B")], [1]), ([("H", "C"), ("A", "B")], [0, 4])]:
            assert np.array_equal(solve(NAMED, **{name: pairs}).edges, solve(NAMED, **{name: indices}).edges)
    assert forest.update(removed=[("B", "A")]).removed.tolist() == [0]
    heavier = forest.update([("A", "B", 100)], removed=[("A", "B")])
    assert heavier.weight == solve([("A", "B", 100), *NAMED[1:]]).weight
    numbered = ([0, 1, 2], [1, 2, 0], [1, 2, 3])
    assert solve(numbered, excluded=[(2, 1)]).edges.tolist() == [0, 2]


@settings(max_examples=30)
@given(
    st.integers(0, 2**32), st.booleans(), st.booleans(), st.sampled_from(["dense", "coo", "dict", "frame"])
)
def test_entries_of_matrices_by_their_indices(seed, maximum, is_symmetric, kind):
    """Both entries are one edge, of which the better counts: the oracle is NetworkX, which has each once."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 6, (6, 6)) * (rng.random((6, 6)) < 0.7)
    matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T if is_symmetric else matrix
    rows = {i: {j: w for j, w in enumerate(row) if w} for i, row in enumerate(matrix.tolist())}
    graph = {
        "dense": lambda: Graph.from_dense(matrix),
        "coo": lambda: scipy.sparse.coo_array(matrix),
        "dict": lambda: rows,
        "frame": lambda: Graph.from_dense(np.ma.masked_equal(matrix, 0)),
    }[kind]()
    one, better = networkx.Graph(), max if maximum else min
    one.add_nodes_from(range(6))
    for i, j in np.argwhere(matrix).tolist():
        w = int(matrix[i, j])
        one.add_edge(i, j, weight=better(w, one.edges[i, j]["weight"]) if one.has_edge(i, j) else w)
    one.remove_edges_from(list(networkx.selfloop_edges(one)))

    def best(g):
        tree = (networkx.maximum_spanning_tree if maximum else networkx.minimum_spanning_tree)(g)
        return int(tree.size(weight="weight"))

    def solve(**how):
        with warnings.catch_warnings(action="ignore"):
            return boruvka.minimum_spanning_forest(graph, maximum=maximum, **how)

    forest = solve()
    assert forest.weight == best(one)
    others = []
    for edge in range(forest.graph.m):
        i, j = int(forest.graph.u[edge]), int(forest.graph.v[edge])
        if i == j:
            continue
        rest = one.copy()
        rest.remove_edge(i, j)
        mask = np.arange(forest.graph.m) == edge
        found = solve(excluded=mask), solve(excluded=[(i, j)]), forest.update(removed=[edge])
        assert {x.weight for x in found} == {best(rest)}
        others += [best(rest)] if edge in forest.edges and len(found[0]) == len(forest) else []
        first = one.copy()
        first.edges[i, j]["weight"] = 1_000 if maximum else -1_000
        expected = best(first) - first.edges[i, j]["weight"] + one.edges[i, j]["weight"]
        assert solve(required=mask).weight == solve(required=[(j, i)]).weight == expected
        with pytest.raises(GraphError, match="is both required and excluded"):
            solve(required=[edge], excluded=[(j, i)])
    second = next(itertools.islice(forest.ranked(), 1, None), None)
    assert (second and int(second.weight)) == (better(others) if others else None)
    taken = [
        set(map(frozenset, zip(x.u.tolist(), x.v.tolist(), strict=True)))
        for x in boruvka.edge_disjoint_forests(forest.graph, 3, maximum=maximum)
    ]
    assert sum(map(len, taken)) == len(set().union(*taken))


@pytest.mark.parametrize("kind", [Graph.from_dense, lambda a: Graph.from_scipy(scipy.sparse.csr_array(a))])
@pytest.mark.parametrize("maximum", [False, True])
def test_edges_of_matrices_by_their_ends(kind, maximum):
    """Both entries are one edge; the list of edges, each once, has the same forests."""
    weights = np.triu(np.random.default_rng(0).integers(1, 4, (7, 7)), 1)
    matrix, once = kind(weights + weights.T), Graph.from_edges(*np.nonzero(weights), weights[weights > 0])

    def solve(graph, **how):
        return boruvka.minimum_spanning_forest(graph, maximum=maximum, **how)

    for name in "required", "excluded":
        pairs = [(5, 2), (2, 1)]
        assert solve(matrix, **{name: pairs}).weight == solve(once, **{name: pairs}).weight
    found, expected = (solve(x).update(removed=[(6, 3), (0, 4)]) for x in (matrix, once))
    assert (found.weight, found.removed.size) == (expected.weight, 4)
    unequal = kind(np.array([[0, 3], [5, 0]]))  # the better entry counts
    for edge in (1, 0), np.int64(0), np.int64(1):
        assert solve(unequal, excluded=[edge]).weight == 0
        assert solve(unequal, required=[edge]).weight == (5 if maximum else 3)
    with pytest.raises(GraphError, match="edge 0 is both required and excluded"):
        solve(unequal, required=[1], excluded=[0])


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (
            [("A", "H")],
            r"2 edges between \('A', 'H'\), with the indices \[2, 3\]: write the weight, .* use indices",
        ),
        ([("A", "B"), ("A", "C")], r"required: no edge is between \('A', 'C'\)"),
        ([("A", "Z")], "'Z'"),
        (3, r"this is int64 of shape \(\): for edges by their ends, write \[\('A', 'B'\)\]"),
        ({("A", "B", -1)}, r"required: edge \('A', 'B'\) weighs -1, in the graph "),
        (("A", "B"), r"for edges by their ends, write \[\('A', 'B'\)\]"),
    ],
)
def test_wrong_ends(pairs, message):
    with pytest.raises((GraphError, GraphTypeError), match=message):
        boruvka.minimum_spanning_forest(NAMED, required=pairs)


def test_masks():
    assert edge_mask("edges", None, 3).tolist() == [False] * 3
    assert edge_mask("edges", [], 3).tolist() == [False] * 3
    assert edge_mask("edges", np.array([2, 2], np.uint8), 3).tolist() == [False, False, True]


@pytest.mark.parametrize("few", [update.FEW, 1])
@given(graphs(9, 30), st.data(), st.booleans())
def test_edges_are_taken_away(few, graph, data, maximum):
    """In two steps, and with new edges between them; weights are bounded by a sample of the given size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(update, "FEW", few)
        patch.setattr(update, "LIGHT_EDGES_PER_SUBTREE", 1 if few == 1 else update.LIGHT_EDGES_PER_SUBTREE)
        take_edges_away(graph, data, maximum)


def take_edges_away(graph, data, maximum):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    gone, kept = set(), graph
    for step in range(3):
        edges = st.lists(st.integers(0, max(kept.m - 1, 0)), max_size=8 * bool(kept.m), unique=True)
        removed = data.draw(edges)
        gone |= set(removed)
        if step == 1 and data.draw(st.booleans()):
            more = data.draw(graphs(9, 6, [graph.dtype]))
            forest = forest.update((more.u, more.v, more.w), removed=removed)
            kept = forest.graph
        else:
            forest = forest.update(removed=removed)
        rest = np.setdiff1d(np.arange(kept.m), list(gone))
        expected = [int(rest[k]) for k in kruskal(kept.n, kept.u[rest], kept.v[rest], kept.w[rest], maximum)]
        assert forest.edges.tolist() == expected
        assert forest.removed.tolist() == sorted(gone)
        assert boruvka.verify(forest.graph, forest)


@pytest.mark.parametrize("maximum", [False, True])
def test_many_edges_are_taken_away(maximum):
    graph = generators.random(20_000, 400_000, seed=5)
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    rng = np.random.default_rng(1)
    for removed in rng.choice(graph.m, 30_000, replace=False), rng.choice(forest.edges, 200, replace=False):
        found = forest.update(removed=np.isin(np.arange(graph.m), removed))
        expected = boruvka.minimum_spanning_forest(graph, excluded=removed, maximum=maximum)
        assert found.edges.tolist() == expected.edges.tolist()
    with pytest.raises(GraphTypeError, match="removed is for a graph that lists its edges"):
        boruvka.minimum_spanning_forest(Graph.from_points([[0], [1]])).update(removed=[0])
    with pytest.raises(GraphError, match="removed has 400000: edges"):
        forest.update(removed=[400_000])
