"""Edge-disjoint forests, batches of small graphs and random trees, against solves one by one."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, generators
from tests.oracles import components, is_forest, kruskal
from tests.strategies import graphs

# Edge-disjoint forests


@given(graphs(8, 30), st.integers(1, 4), st.booleans())
def test_each_forest_is_that_of_what_is_left(graph, k, maximum):
    left = np.arange(graph.m)
    found = boruvka.spanning_forests(graph, k, maximum=maximum)
    assert len(found) == k
    for forest in found:
        chosen = kruskal(graph.n, graph.u[left], graph.v[left], graph.w[left], maximum)
        assert forest.edges.tolist() == left[chosen].tolist()
        left = np.delete(left, chosen)


def test_forests_of_points():
    points = np.random.default_rng(0).random((30, 2))
    first, second = boruvka.spanning_forests(Graph.from_points(points), 2)
    assert first.edges.size == second.edges.size == 29
    assert not np.isin(first.edges, second.edges).any()
    with pytest.raises(OptionError, match="k must be an integer 1 or more"):
        boruvka.spanning_forests(Graph.from_points(points), 0)


# Batches


def assert_same_as_one_by_one(batch, graphs_of_batch):
    assert batch.offsets.size == len(graphs_of_batch) + 1
    for i, graph in enumerate(graphs_of_batch):
        edges, u, v, w = batch.forest(i)
        expected = kruskal(graph.n, graph.u, graph.v, graph.w)
        assert edges.tolist() == expected
        assert (u.tolist(), v.tolist()) == (graph.u[expected].tolist(), graph.v[expected].tolist())
        assert w.tolist() == graph.w[expected].tolist()
        assert batch.n_components[i] == graph.n - len(expected)
        if np.isfinite(w).all():
            assert batch.weights[i] == pytest.approx(sum(w.tolist()))


@given(st.lists(graphs(6, 12, [np.dtype("i4")]), max_size=5))
def test_lists_of_graphs(several):
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(several), several)


@given(st.lists(graphs(6, 12, [np.dtype("f4")]), min_size=1, max_size=5))
def test_edges_with_offsets(several):
    columns = tuple(np.concatenate([getattr(graph, c) for graph in several]) for c in "uvw")
    offsets = np.cumsum([0, *(graph.m for graph in several)])
    sizes = [int(max(g.u.max(), g.v.max())) + 1 if g.m else 0 for g in several]
    shrunk = [Graph(n, g.u, g.v, g.w) for n, g in zip(sizes, several, strict=True)]
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(columns, offsets), shrunk)


EXTREME = {
    "i1": [-128, 0, 127],
    "i8": [-(2**63), 2**53, 2**53 + 1, 2**63 - 1, 0],
    "u8": [0, 2**53 + 1, 2**53, 2**64 - 1, 2**63],
    "f2": [-1.5, 0.0, -0.0, np.inf],
    "f8": [0.1, 0.1 + 2**-56, 1e308, 5e-324, -0.0, 0.0],
    "g": [np.longdouble(1), np.longdouble(1) + np.finfo(np.longdouble).eps, np.longdouble(0.1)],
}


@st.composite
def any_graphs(draw):
    """Draw an object that `as_graph` takes; weights are hard to convert to another type."""
    kind = draw(st.sampled_from(list(EXTREME)))
    n = draw(st.integers(0, 5))
    m = draw(st.integers(0, 8)) if n else 0
    ends = draw(st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), min_size=m, max_size=m))
    weights = draw(st.lists(st.sampled_from(EXTREME[kind]), min_size=m, max_size=m))
    u, v, w = (
        np.array(ends, int).reshape(m, 2)[:, 0],
        np.array(ends, int).reshape(m, 2)[:, 1],
        np.array(weights, kind),
    )
    match draw(st.sampled_from(["graph", "sparse", "frame", "matrix"])):
        case "sparse" if kind not in ("f2", "g"):
            return sparse.coo_array((w, (u, v)), shape=(n, n))
        case "frame" if kind != "g":
            names = [f"v{x}" for x in range(n)]
            ends = [[names[x] for x in column] for column in (u, v)]
            return pandas.DataFrame({"source": ends[0], "target": ends[1], "weight": w})
        case "matrix" if kind != "g":
            a = np.zeros((n, n), kind)
            a[u, v] = w
            return Graph.from_dense(a, null_value=draw(st.sampled_from([None, 0])))
    return Graph(n, u, v, w)


@given(st.lists(any_graphs(), max_size=5), st.booleans())
def test_a_batch_of_mixed_graphs_is_solved_as_each(several, maximum):
    batch = boruvka.minimum_spanning_forests(several, maximum=maximum)
    expected = [boruvka.minimum_spanning_forest(graph, maximum=maximum) for graph in several]
    weights = batch.weights
    assert weights.size == len(several)
    for i, alone in enumerate(expected):
        edges, u, v, w = batch.forest(i)
        assert edges.tolist() == alone.edges.tolist()
        assert w.dtype == alone.w.dtype
        assert np.array_equal(w, alone.w)
        assert (u.tolist(), v.tolist()) == (alone.u.tolist(), alone.v.tolist())
        assert batch.n_components[i] == alone.n_components
        labels = Graph(alone.n, u, v, np.zeros(u.size))
        assert boruvka.minimum_spanning_forest(labels).labels.tolist() == alone.labels.tolist()
        assert weights[i] == alone.weight or (weights[i] != weights[i] and alone.weight != alone.weight)
        assert isinstance(weights[i].item() if hasattr(weights[i], "item") else weights[i], int | float)
    if len({graph.dtype for graph in (alone.graph for alone in expected) if graph.m}) == 1:
        assert batch.w.dtype.kind != "O"


def test_sums_of_a_batch_are_exact():
    large, small = ([0], [1], np.array([2**63], np.uint64)), ([0], [1], [-1])
    assert boruvka.minimum_spanning_forests([large, small]).weights.tolist() == [2**63, -1]
    assert boruvka.minimum_spanning_forests(
        [([0], [1], [2**53 + 1]), ([0], [1], [0.5])]
    ).weights.tolist() == [
        2**53 + 1,
        0.5,
    ]
    path = [0, 1], [1, 2], np.array([2**63 - 1] * 2)
    assert boruvka.minimum_spanning_forests([path]).weights.tolist() == [2**64 - 2]
    assert boruvka.minimum_spanning_forests([]).weights.size == 0


def test_graphs_are_numbered_as_in_lists():
    batch = boruvka.minimum_spanning_forests([([0], [1], [5]), ([0, 1], [1, 2], [3, 4])])
    assert batch.forest(-1)[3].tolist() == batch.forest(1)[3].tolist() == [3, 4]
    assert batch.forest(-2)[3].tolist() == batch.forest(np.int64(0))[3].tolist() == [5]
    for wrong in 2, -3, 0.0, slice(0, 1), None:
        with pytest.raises(OptionError, match="i must be an integer from -2 to 1"):
            batch.forest(wrong)
    with pytest.raises(OptionError, match="the batch has no graph"):
        boruvka.minimum_spanning_forests([]).forest(0)


@given(st.integers(0, 2**32), st.booleans())
def test_constraints_number_all_edges(seed, is_mask):
    """Required and excluded edges of lists and matrices, against solves one by one."""
    rng = np.random.default_rng(seed)
    stack = rng.integers(0, 4, (3, 5, 5)).astype(float)
    stack = np.maximum(stack, stack.transpose(0, 2, 1))
    rows, columns = np.triu_indices(5, 1)
    is_edge = stack[:, rows, columns] != 0
    excluded = (rng.random((3, 10)) < 0.2) & is_edge
    required = np.zeros((3, 10), bool)
    required[np.arange(3), rng.integers(0, 10, 3)] = True
    required &= is_edge & ~excluded

    def given_as(mask):
        return mask.ravel() if is_mask else np.flatnonzero(mask)

    how = {"required": given_as(required), "excluded": given_as(excluded)}
    batch = boruvka.minimum_spanning_forests(stack, null_value=0, **how)
    graphs = [Graph(5, rows, columns, matrix[rows, columns]) for matrix in stack]
    how["excluded"] = given_as(excluded | ~is_edge)
    of_list = boruvka.minimum_spanning_forests(graphs, **how)
    for i, graph in enumerate(graphs):
        alone = boruvka.minimum_spanning_forest(
            graph, required=required[i], excluded=excluded[i] | ~is_edge[i]
        )
        assert batch.forest(i)[0].tolist() == of_list.forest(i)[0].tolist() == alone.edges.tolist()


def test_a_required_pair_must_be_an_edge():
    stack = np.ones((2, 3, 3))
    stack[1, 0, 2] = stack[1, 2, 0] = 0
    with pytest.raises(GraphError, match=r"required has 4: matrix 1 has no edge \(0, 2\)"):
        boruvka.minimum_spanning_forests(stack, null_value=0, required=[4])


def test_a_null_value_is_exact():
    x = 2**53
    stack = np.array([[[0, x + 1], [x + 1, 0]]])
    assert boruvka.minimum_spanning_forests(stack, null_value=float(x)).edges.size == 1
    assert boruvka.minimum_spanning_forests(stack, null_value=x + 1).edges.size == 0
    with pytest.raises(OptionError, match="null_value must be a number"):
        boruvka.minimum_spanning_forests(stack, null_value="0")
    for several, offsets in ([([0], [1], [5])], None), (([0], [1], [5]), [0, 1]):
        with pytest.raises(
            OptionError, match=r"null_value is for matrices that are stacked .*Graph.from_dense"
        ):
            boruvka.minimum_spanning_forests(several, offsets, null_value=0)


def test_excluded_edges_are_in_no_forest():
    cycle = [0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4]
    found = boruvka.spanning_forests(cycle, 2, excluded=[1])
    assert [forest.edges.tolist() for forest in found] == [[0, 2], [3]]
    assert len(boruvka.spanning_forests(cycle, 1, excluded=None, required=None)) == 1
    with pytest.raises(OptionError, match="required edges would be in every forest"):
        boruvka.spanning_forests(cycle, 2, required=[0])
    with pytest.raises(GraphError, match="excluded has 4"):
        boruvka.spanning_forests(cycle, 2, excluded=[4])


@pytest.mark.parametrize("null", [None, 0.0])
def test_stacked_matrices(null):
    values = np.random.default_rng(1).integers(0, 5, (7, 6, 6)).astype(float)
    stack = values + values.transpose(0, 2, 1)
    stack[2, 1, 3] = stack[2, 3, 1] = np.nan
    batch = boruvka.minimum_spanning_forests(stack, null_value=null)
    rows, columns = np.triu_indices(6, 1)
    for i, matrix in enumerate(stack):
        w = matrix[rows, columns]
        kept = np.flatnonzero(~np.isnan(w) & ((null is None) | (w != 0)))
        chosen = kept[kruskal(6, rows[kept], columns[kept], w[kept])]
        edges, u, v, found = batch.forest(i)
        assert edges.tolist() == chosen.tolist()
        assert (u.tolist(), v.tolist()) == (rows[chosen].tolist(), columns[chosen].tolist())
        assert found.tolist() == w[chosen].tolist()


@pytest.mark.parametrize(
    ("batch", "offsets", "error", "message"),
    [
        (np.zeros((2, 3, 4)), None, GraphError, r"square matrices, these have the shape \(3, 4\)"),
        (np.arange(8).reshape(2, 2, 2), None, GraphError, r"graphs\[0\]\[0, 1\] is 1, but .* is symmetric"),
        (([0], [1], [2]), [0, 2], GraphError, "offsets must ascend from 0 to 1"),
        (([0], [1], [2]), [0.0, 1.0], GraphTypeError, "offsets must be integers"),
        (([0], [1], [2]), None, GraphTypeError, "needs offsets"),
        ([([0], [1], [2])], [0, 1], GraphTypeError, "needs offsets"),
        (3, None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ([Graph.from_points([[0], [1]])], None, GraphTypeError, "list their edges"),
        ([np.ones((2, 2))], None, GraphTypeError, r"zeros may be edges .* write Graph.from_dense\(matrix\)"),
        ("ab", None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ((["a"], ["b"], [2]), [0, 1], GraphTypeError, "numbers from 0"),
    ],
)
def test_what_is_no_batch(batch, offsets, error, message):
    with pytest.raises((error, GraphTypeError), match=message):
        boruvka.minimum_spanning_forests(batch, offsets)


def test_no_graphs():
    assert boruvka.minimum_spanning_forests([]).offsets.tolist() == [0]
    assert boruvka.minimum_spanning_forests(np.empty((0, 3, 3))).edges.size == 0


# Random trees


def probabilities(graph, weighted):
    """List all spanning trees, and how likely each is."""
    trees = {}
    for edges in combinations(range(graph.m), graph.n - 1):
        if is_forest(graph.n, graph.u, graph.v, np.array(edges)):
            trees[edges] = math.prod(graph.w[list(edges)].tolist()) if weighted else 1
    total = sum(trees.values())
    return {edges: value / total for edges, value in trees.items()}


def assert_likely(graph, draws, method="weighted"):
    """Compare trees with exact probabilities by the chi-squared test; rare trees count together."""
    ratios = [
        Fraction(*w.as_integer_ratio()) if hasattr(w, "as_integer_ratio") else Fraction(int(w))
        for w in graph.w
    ]
    products = {}
    for edges in combinations(range(graph.m), graph.n - 1):
        if is_forest(graph.n, graph.u, graph.v, np.array(edges)):
            products[edges] = math.prod(ratios[i] for i in edges) if method == "weighted" else 1
    total = sum(products.values())
    expected = {edges: float(draws * value / total) for edges, value in products.items()}
    drawn = [boruvka.random_spanning_tree(graph, seed, method) for seed in range(draws)]
    found = Counter(tuple(tree.edges.tolist()) for tree in drawn)
    assert set(found) <= set(expected)
    often = {edges: value for edges, value in expected.items() if value >= 5}
    rest = draws - sum(often.values())
    chi = sum((found[edges] - value) ** 2 / value for edges, value in often.items())
    chi += (draws - sum(found[edges] for edges in often) - rest) ** 2 / max(rest, 1)
    assert chi < len(often) + 1 + 6 * math.sqrt(2 * len(often) + 2)
    return {tree.algorithm for tree in drawn}


LONG, TINY = np.finfo(np.longdouble).max, np.finfo(np.longdouble).tiny
ENDS_OF_RANGES = {
    "largest": np.array([1.7e308, 8e307, 6e307, 1.7e308, 4e307, 8e307, 1.0, 3e307]),
    "smallest": 5e-324 * np.array([1, 2, 3, 1, 4, 2, 1, 5]),
    "float16": np.array([65504, 30000, 20000, 65504, 10000, 30000, 6e-8, 15000], np.float16),
    "int64": np.array([2**63 - 1, 2**62, 2**61, 2**63 - 1, 2**60, 2**62, 1, 2**61]),
    "uint64": np.array([2**64 - 1, 2**63, 2**62, 2**64 - 1, 2**61, 2**63, 1, 2**62], np.uint64),
    "long double": LONG / np.array([1, 2, 3, 1, 4, 2, LONG, 5], np.longdouble),
    "small long double": TINY * np.array([1, 2, 3, 1, 4, 2, 1, 5], np.longdouble),
}


@pytest.mark.parametrize("walks", [0, 6, 1 << 22])
@pytest.mark.parametrize("w", ENDS_OF_RANGES.values(), ids=ENDS_OF_RANGES)
def test_weights_at_the_ends_of_ranges(w, walks, monkeypatch):
    """Trees are as likely whether they are walked, eliminated, or whichever ends first."""
    monkeypatch.setattr("boruvka.trees.spanning_trees.WALK_STEPS", walks)
    monkeypatch.setattr("boruvka.trees.spanning_trees.WALK_STEPS_PER_EDGE", 0)
    graph = Graph(4, [0, 1, 2, 3, 0, 0, 2, 1], [1, 2, 3, 0, 2, 1, 2, 3], w)
    algorithms = assert_likely(graph, 1000)
    assert algorithms == (
        {"elimination"} if not walks else {"wilson"} if walks > 6 else {"elimination", "wilson"}
    )


@pytest.mark.parametrize(
    "w",
    [
        [1, 2, 3, 3, 2, 1, 1e-300, 2e-300, 3e-300],
        [1.7e308, 8e307, 6e307, 1, 2, 3, 5e-324, 1e-323, 1.5e-323],
        np.array([LONG, LONG / 2, LONG / 3, 1, 2, 3, TINY, 2 * TINY, 3 * TINY]),
        pytest.param([1, 1e-12, 1e-12, 1, 1e-12, 1e-12, 1e-24, 1e-24, 1e-24], marks=pytest.mark.long),
        pytest.param([3, 1, 2, 1e3, 1e3, 2e3, 1, 2, 1], marks=pytest.mark.long),
    ],
)
def test_heavy_parts_with_light_edges_between(w, monkeypatch):
    """A walk would not leave the triangles."""
    monkeypatch.setattr("boruvka.trees.spanning_trees.WALK_STEPS", 1000)
    monkeypatch.setattr("boruvka.trees.spanning_trees.WALK_STEPS_PER_EDGE", 0)
    assert_likely(Graph(6, [0, 1, 2, 3, 4, 5, 0, 1, 2], [1, 2, 0, 4, 5, 3, 3, 4, 5], np.array(w)), 1500)


def test_what_would_be_a_long_walk_ends():
    n = 50_000
    x = np.arange(n)
    path = Graph(n, x[:-1], x[1:], np.tile([1e-12, 1.0], n)[: n - 1])
    cycle = Graph(n, x, np.roll(x, -1), 10.0 ** (x % 600 - 300))
    for graph in path, cycle:
        for method in "uniform", "weighted":
            tree = boruvka.random_spanning_tree(graph, 3, method)
            assert len(tree) == n - 1
            assert tree.n_components == 1
    assert boruvka.random_spanning_tree(([0, 1], [1, 2], [1e-12, 1.0]), method="weighted").edges.tolist() == [
        0,
        1,
    ]


def test_hopeless_walks_are_refused(monkeypatch):
    for name, value in ("WALK_STEPS", 100), ("WALK_STEPS_PER_EDGE", 0):
        monkeypatch.setattr(f"boruvka.trees.spanning_trees.{name}", value)
    monkeypatch.setattr("boruvka.trees.vertex_elimination.MOST_STEPS", 0)
    graph = Graph(6, [0, 1, 2, 3, 4, 5, 0, 1], [1, 2, 0, 4, 5, 3, 3, 4], [1, 1, 1, 1, 1, 1, 1e-99, 1e-99])
    with pytest.raises(GraphError, match=r"more than 6,400 steps.* method='random-weights' does not walk"):
        boruvka.random_spanning_tree(graph, method="weighted")
    assert len(boruvka.random_spanning_tree(graph)) == 5  # the longer walk suffices


@pytest.mark.parametrize("method", ["uniform", "weighted"])
def test_trees_are_as_likely_as_they_should_be(method):
    """By the chi-squared test, of a graph with parallel edges and a loop."""
    graph = Graph(4, [0, 1, 2, 3, 0, 0, 2], [1, 2, 3, 0, 2, 1, 2], [1, 2, 3, 1, 4, 2, 9])
    expected = probabilities(graph, method == "weighted")
    draws = 6000
    drawn = (boruvka.random_spanning_tree(graph, seed, method) for seed in range(draws))
    found = Counter(tuple(tree.edges.tolist()) for tree in drawn)
    assert set(found) <= set(expected)
    chi = sum((found[tree] - draws * p) ** 2 / (draws * p) for tree, p in expected.items())
    assert chi < len(expected) + 6 * math.sqrt(2 * len(expected))


@given(graphs(9, 25, [np.dtype("u1")]), st.integers(0, 99), st.sampled_from(["uniform", "random-weights"]))
def test_every_component_has_a_tree(graph, seed, method):
    forest = boruvka.random_spanning_tree(graph, seed, method)
    assert is_forest(graph.n, graph.u, graph.v, forest.edges)
    assert forest.labels.tolist() == components(graph.n, graph.u, graph.v)
    assert boruvka.random_spanning_tree(graph, seed, method).edges.tolist() == forest.edges.tolist()


def test_mean_degree_is_that_of_kirchhoff():
    """The probability of an edge is its effective resistance."""
    g = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(3, 3))
    graph = boruvka.as_graph(g, default=1)
    laplacian = np.linalg.pinv(networkx.laplacian_matrix(g).toarray())
    counts = np.zeros(graph.m)
    for seed in range(3000):
        counts[boruvka.random_spanning_tree(graph, seed).edges] += 1
    u, v = graph.u, graph.v
    resistance = laplacian[u, u] + laplacian[v, v] - 2 * laplacian[u, v]
    assert counts / 3000 == pytest.approx(resistance, abs=0.05)


def test_walks_go_on_after_a_pause(monkeypatch):
    graph = generators.grid(30, 30)
    whole = boruvka.random_spanning_tree(graph, 5).edges.tolist()
    monkeypatch.setattr("boruvka.trees.spanning_trees.STEPS_AT_ONCE", 100)
    assert boruvka.random_spanning_tree(graph, 5).edges.tolist() == whole


def test_random_trees_refuse():
    graph = [(0, 1, 1.0), (1, 2, 0.0)]
    with pytest.raises(GraphError, match="positive and finite"):
        boruvka.random_spanning_tree(graph, method="weighted")
    with pytest.raises(OptionError, match="method must be"):
        boruvka.random_spanning_tree(graph, method="wilson")
    with pytest.raises(OptionError, match="seed must be"):
        boruvka.random_spanning_tree(graph, -1)
    with pytest.raises(GraphTypeError, match="list their edges"):
        boruvka.random_spanning_tree(Graph.from_points([[0], [1]]))
