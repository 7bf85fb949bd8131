"""The minimum spanning network, compared with all spanning trees of small graphs, and with NetworkX."""

import json
import re
from itertools import combinations

import networkx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError
from boruvka.backends import get_backend
from boruvka.trees import network as module
from boruvka.trees.plotting.coordinates import place_vertices
from tests import oracles, validity
from tests.marks import long_but
from tests.strategies import graphs


def best_forests(graph, maximum=False):
    """Return the edges of each best spanning forest, found by trying all sets of edges."""
    size = graph.n - len(set(oracles.components(graph.n, graph.u, graph.v)))
    weights, sign = validity.exact(graph.w), -1 if maximum else 1
    trees = {
        edges: sign * sum(weights[i] for i in edges)
        for edges in combinations(range(graph.m), size)
        if oracles.is_forest(graph.n, graph.u, graph.v, np.array(edges, int))
    }
    least = min(trees.values())
    return [set(edges) for edges, total in trees.items() if total == least]


@st.composite
def multigraphs(draw):
    n = draw(st.integers(1, 5))
    ends = st.integers(0, n - 1)
    edges = st.tuples(ends, ends, st.sampled_from([-1.5, 0.1, 0.3]))
    return Graph.from_edges(*np.array(draw(st.lists(edges, max_size=9))).reshape(-1, 3).T, n=n)


@pytest.mark.filterwarnings("ignore:.*each edge in both directions")
@given(multigraphs(), st.booleans())
def test_all_spanning_forests(graph, maximum):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    best = best_forests(graph, maximum)
    expected, network = sorted(set.union(*best)), forest.network()
    assert validity.valid_network(forest, network).edges.tolist() == expected
    columns = network.to_pandas()[["edge", "alternative", "in_every"]].to_dict("list")
    assert columns.pop("edge") == expected
    assert columns["alternative"] == [i not in forest.edges for i in expected]
    assert columns["in_every"] == [i in set.intersection(*best) for i in expected]
    assert np.flatnonzero(forest.sensitivity().in_some).tolist() == expected
    assert forest.is_unique == (len(expected) == len(forest))


@pytest.mark.filterwarnings("ignore:.*each edge in both directions")
@given(graphs(7, 14), st.booleans())
def test_edges_that_sensitivity_finds_in_some_forest(graph, maximum):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    assert forest.network().edges.tolist() == np.flatnonzero(forest.sensitivity().in_some).tolist()


@pytest.mark.parametrize("second", [("A", "B", 1), ("B", "A", 1)])
def test_parallel_edges_of_equal_weight_are_different_edges(second):
    forest = boruvka.minimum_spanning_forest([("A", "B", 1), second])
    assert forest.network().edges.tolist() == [0, 1]
    assert [tree.edges.tolist() for tree in forest.ranked()] == [[0], [1]]
    assert not forest.sensitivity().in_every.any()


def test_both_entries_of_a_matrix_are_one_edge_also_after_updates():
    matrix = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    forest = boruvka.minimum_spanning_forest(Graph.from_dense(matrix, null_value=0))
    for changed in forest, forest.update(removed=[1]), forest.update([(0, 2, 9)]):
        assert len(changed.network()) == 2
        assert changed.sensitivity().in_every.sum() == 4  # both entries of both edges
    assert len(forest.update([(0, 1, 1)]).network()) == 3


def test_both_entries_of_sparse_matrices_and_of_dicts_are_one_edge(tmp_path):
    matrix = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    rows, columns = matrix.nonzero()
    dicts = {"ABC"[i]: {"ABC"[j]: int(w) for j, w in enumerate(row) if w} for i, row in enumerate(matrix)}
    lines = [f"{i + 1} {j + 1} {matrix[i, j]}" for i, j in zip(rows, columns, strict=True)]
    (tmp_path / "m.mtx").write_text(
        "%%MatrixMarket matrix coordinate integer general\n3 3 6\n" + "\n".join(lines)
    )
    for graph in scipy.sparse.csr_array(matrix), dicts, boruvka.read(tmp_path / "m.mtx"):
        forest = boruvka.minimum_spanning_forest(graph)
        assert forest.graph.m == 6
        assert len(forest.network()) == len(forest) == 2
        assert forest.sensitivity().in_every.sum() == 4
        assert [tree.weight for tree in forest.ranked()] == [3, 6, 7]


def by_networkx(graph):
    """Return the pairs whose ends are joined by no path of lighter edges, one weight after another."""
    g = networkx.Graph()
    g.add_nodes_from(range(graph.n))
    order = np.argsort(graph.w, kind="stable")
    found = set()
    for same in np.split(order, np.flatnonzero(np.diff(graph.w[order])) + 1):
        part = {x: k for k, nodes in enumerate(networkx.connected_components(g)) for x in nodes}
        edges = [(int(graph.u[i]), int(graph.v[i])) for i in same]
        found |= {(a, b) for a, b in edges if part[a] != part[b]}
        g.add_edges_from(edges)
    return found


METRICS = "euclidean", "sqeuclidean", "manhattan", "chebyshev", "hamming", "cosine", "great_circle"


@pytest.mark.parametrize("metric", long_but(METRICS, "euclidean", "hamming", "cosine"))
@pytest.mark.parametrize("min_samples", [None, 4])
def test_points(metric, min_samples, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 8)
    monkeypatch.setattr(module, "BLOCKS_AT_ONCE", 2)
    monkeypatch.setattr(module, "EDGES_AT_ONCE", 100)
    rng = np.random.default_rng(8)
    x = rng.integers(1, 9, (75, 2)) / 50
    x[60:] += 1.4, 0.6
    graph = Graph.from_points(x, metric, min_samples=min_samples)
    forest = boruvka.minimum_spanning_forest(graph)
    network = forest.network()
    assert set(zip(network.u.tolist(), network.v.tolist(), strict=True)) == by_networkx(graph)
    assert len(network) > len(forest)


@pytest.mark.long
def test_periodic_boxes(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 8)
    x = np.random.default_rng(3).integers(0, 8, (70, 3)).astype(float)
    for box in 8.0, [8.0, None, 8.0]:
        graph = Graph.from_points(x, box=box)
        network = boruvka.minimum_spanning_forest(graph).network()
        assert set(zip(network.u.tolist(), network.v.tolist(), strict=True)) == by_networkx(graph)


@pytest.mark.parametrize("box", [None, 1.0])
@pytest.mark.parametrize("ties", [0, 1])
def test_points_without_ties_are_not_compared(box, ties, monkeypatch):
    """One exact tie among points, of two that are as far from a third, is found all the same."""
    compared, near_pairs = [], module._near_pairs
    monkeypatch.setattr(module, "_near_pairs", lambda *given: compared.append(1) or near_pairs(*given))
    x = np.random.default_rng(1).random((60, 2))
    if ties:
        x[:3] = [[0.5, 0.5], [0.5 - 2**-12, 0.5], [0.5 + 2**-12, 0.5]]
        x[3:6] = x[:3] + np.array([0, 2**-12])  # a grid of two rows
    graph = Graph.from_points(x, box=box)
    forest = boruvka.minimum_spanning_forest(graph)
    found = forest.network()
    assert len(compared) == ties
    assert set(zip(found.u.tolist(), found.v.tolist(), strict=True)) == by_networkx(graph)
    assert len(found) == len(forest) + 2 * ties


def test_few_pairs_of_many_points_are_compared():
    x = np.random.default_rng(1).random((6000, 2))
    forest = boruvka.minimum_spanning_forest(Graph.from_points(x))
    backend = get_backend("threads", 1)
    near = module._near_pairs(forest.graph, forest.graph.pairs.search_metric, forest.structure, backend)
    pairs = sum(edges.size for edges, *_ in near)
    assert pairs < 200 * 6000


def test_profiles_and_names():
    rows = {"a": [1, 1, 1], "b": [1, 1, 2], "c": [1, 2, 1], "d": [1, 2, 2], "e": [5, 6, 2], "f": [1, 1, 1]}
    graph = Graph.from_profiles(list(rows.values()), names=list(rows), collapse=True)
    network = boruvka.minimum_spanning_forest(graph).network()
    assert (network.n, network.n_components) == (5, 1)
    found = {frozenset(row) for row in network.to_pandas()[["source", "target"]].itertuples(index=False)}
    assert found == {frozenset(pair) for pair in ("ab", "ac", "bd", "cd", "be", "de")}
    assert set(map(frozenset, network.to_networkx().edges)) == found
    tree = boruvka.minimum_spanning_forest(graph)
    assert network.edges[~network.alternatives].tolist() == tree.edges.tolist()


@pytest.mark.parametrize("null_value", [None, np.nan])
def test_matrices(null_value):
    matrix = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0.0]])
    if null_value is not None:
        matrix[0, 1] = matrix[1, 0] = np.nan
    network = boruvka.minimum_spanning_forest(Graph.from_dense(matrix, null_value=null_value)).network()
    assert len(network) == (4 if null_value is None else 3)
    assert network.to_scipy().max() == 1


def test_a_network_is_drawn_and_written(tmp_path):
    pytest.importorskip("matplotlib").use("agg")
    graph = Graph.from_edges([0, 1, 2, 3, 1], [1, 2, 3, 0, 0], [1, 1, 1, 1, 2], n=5, names=list("abcde"))
    network = boruvka.minimum_spanning_forest(graph).network()
    assert repr(network) == "Network(n=5, edges=4, components=2)"
    assert "spanning network" in network._repr_html_()
    assert network.to_nodes()["degree"].tolist() == [2, 2, 2, 2, 0]
    axes = network.plot(colors=list("xxyyy"))
    assert [style for _, style in axes.collections[0].get_linestyles()].count(None) == 1
    legend = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert legend[0] == "alternatives (1)"
    network.plot(graph_edges=True)
    network.to_html(tmp_path / "network.html")
    page = (tmp_path / "network.html").read_text()
    levels = json.loads(re.search('"edge_level": *(.*?])', page)[1])
    assert levels == network.alternatives.tolist()  # the second level is dashed
    boruvka.write(network, tmp_path / "network.csv")
    assert boruvka.read(tmp_path / "network.csv").m == 4
    with pytest.raises(OptionError, match="by='round' is for trees"):
        network.plot(by="round")


@pytest.mark.parametrize("kind", ["weight", "log"])
def test_lengths_are_those_of_the_first_forest(kind):
    """Alternatives join the same places."""
    graph = Graph.from_edges([0, 1, 2, 3, 0, 4], [1, 2, 3, 0, 4, 5], [5, 5, 5, 5, 9, 0])
    forest = boruvka.minimum_spanning_forest(graph)
    places = [place_vertices(each, kind).points for each in (forest, forest.network())]
    assert np.array_equal(*places)
    assert len(forest.network()) == len(forest) + 1


def test_errors():
    square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1, 1, 1, 1])
    with pytest.raises(GraphError, match="solve without required="):
        boruvka.minimum_spanning_forest(square, required=[0]).network()
    collapsed = boruvka.minimum_spanning_forest(square).collapse_at(0)
    with pytest.raises(
        GraphError, match=r"write forest.network\(\).collapse_at\(height\) if it is collapsed"
    ):
        collapsed.network()
    with pytest.raises(GraphError, match="this is a random tree"):
        boruvka.random_spanning_tree(square, seed=1).network()
    with pytest.raises(GraphError, match=r"edge 2 \(2, 3\) joins two trees"):
        boruvka.Forest(square, [0, 1]).network()
    points = Graph.from_points(np.eye(3))
    with pytest.raises(GraphError, match="joins two trees"):
        boruvka.Forest(points, [0]).network()
    for n in 0, 1, 3:
        assert len(boruvka.minimum_spanning_forest(Graph.from_edges([], [], [], n=n)).network()) == 0
    assert len(boruvka.minimum_spanning_forest(Graph.from_points([[1.0, 2]])).network()) == 0


def test_device_graphs_are_copied_first():
    class OnDevice:
        is_on_device = True

    forest = boruvka.minimum_spanning_forest(([0], [1], [1]))
    with pytest.raises(GraphTypeError, match="to_host"):
        module.network(OnDevice(), forest.structure)


def test_lists_of_each_edge_in_both_directions():
    """As snp-dists writes its molten form; or a row that is there twice."""
    edges = [("a", "b", 3), ("b", "c", 4), ("c", "d", 1), ("a", "d", 9)]
    molten = edges + [(v, u, w) for u, v, w in edges]
    with pytest.warns(boruvka.GraphWarning, match="seems to be maximum$"):
        boruvka.minimum_spanning_forest(molten, maximum=True).network()
    with pytest.warns(boruvka.GraphWarning, match=r"^edges of the network \(3\) have the ends"):
        assert len(boruvka.minimum_spanning_forest(molten).network()) == 6
    assert len(boruvka.minimum_spanning_forest(edges).network()) == 3
    with pytest.warns(
        boruvka.GraphWarning, match=r"^edges of the network \(1\) have the ends and the weight of"
    ):
        assert len(boruvka.minimum_spanning_forest(edges + edges[:1]).network()) == 4
    matrix = np.zeros((4, 4))
    for u, v, w in molten:
        matrix["abcd".index(u), "abcd".index(v)] = w
    assert len(boruvka.minimum_spanning_forest(Graph.from_dense(matrix)).network()) == 3
