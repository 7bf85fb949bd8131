"""Every kind of tree is converted, written, drawn and copied as a forest is; the rounds of its edges.

Rounds are compared with Borůvka's algorithm on the whole graph, in plain Python.
"""

import copy
import pickle
from importlib.util import find_spec

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Forest, Graph, GraphTypeError, stream
from boruvka.trees.acyclic_edges import AcyclicEdges
from tests.strategies import graphs

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

NAMES = ["Brno", "Graz", "Linz", "Wien", "Zlín"]
EDGES = [(0, 3, 5.0), (3, 1, 2.0), (1, 2, 4.0), (2, 3, 1.5), (0, 4, 3.0), (3, 4, 9.0), (4, 0, 7.0)]
PLACES = [[16.6, 49.2], [15.4, 47.1], [14.3, 48.3], [16.4, 48.2], [17.7, 49.2]]


def named_graph():
    u, v, w = zip(*EDGES, strict=True)
    return Graph.from_edges(u, v, w, n=5).with_names(NAMES).with_coordinates(PLACES, "lonlat")


def windows():
    matrices = np.random.default_rng(3).random((3, 6, 6))
    matrices += matrices.swapaxes(1, 2)
    matrices[:, range(6), range(6)] = 0
    matrices[1, 2, 4] = matrices[1, 4, 2] = np.nan
    return boruvka.minimum_spanning_forests(matrices, null_value=np.nan)


TREES = {
    "forest": lambda: boruvka.minimum_spanning_forest(named_graph()),
    "maximum forest": lambda: boruvka.minimum_spanning_forest(named_graph(), maximum=True),
    "second forest": lambda: boruvka.edge_disjoint_forests(named_graph(), 2)[1],
    "random tree": lambda: boruvka.random_spanning_tree(named_graph(), seed=2),
    "Steiner tree": lambda: boruvka.steiner_tree(named_graph(), ["Graz", "Zlín"]),
    "arborescence": lambda: boruvka.minimum_spanning_arborescence(named_graph(), "Brno"),
    "updated": lambda: boruvka.minimum_spanning_forest(named_graph()).update(removed=[4]),
    "window": lambda: windows()[0],
    "window with a gap": lambda: windows()[1],
}


@pytest.fixture(params=TREES.values(), ids=TREES)
def tree(request):
    return request.param()


def rows_of(tree):
    """Return (edge, end, end, weight) of each edge, read from the graph."""
    u, v, w = tree.graph.u, tree.graph.v, tree.graph.w
    name = tree.graph.name_of(np.arange(tree.graph.n)).tolist()
    return [(int(i), name[int(u[i])], name[int(v[i])], float(w[i])) for i in tree.edges]


def test_columns(tree):
    assert isinstance(tree, AcyclicEdges)
    rows = rows_of(tree)
    assert len(tree) == len(rows) == tree.edge_mask.sum()
    name = tree.graph.name_of
    found = zip(
        tree.edges.tolist(), name(tree.u).tolist(), name(tree.v).tolist(), tree.w.tolist(), strict=True
    )
    assert list(found) == rows
    assert tree.weight == pytest.approx(sum(row[3] for row in rows))


def test_components(tree):
    g = networkx.Graph(zip(tree.u.tolist(), tree.v.tolist(), strict=True))
    g.add_nodes_from(tree.vertices.tolist())
    parts = sorted(map(sorted, networkx.connected_components(g)))
    assert tree.n_components == len(parts)
    expected = np.full(tree.n, -1)
    for label, part in enumerate(parts):
        expected[part] = label
    assert tree.labels.tolist() == expected.tolist()


def test_tables(tree):
    rows = rows_of(tree)
    assert list(tree.to_pandas().itertuples(index=False, name=None)) == rows
    assert tree.to_polars().rows() == rows
    assert list(zip(*tree.to_arrow().to_pydict().values(), strict=True)) == rows


def test_graphs_of_other_libraries(tree):
    rows = rows_of(tree)
    g = tree.to_networkx()
    assert {(frozenset((a, b)), d["edge"], d["weight"]) for a, b, d in g.edges(data=True)} == {
        (frozenset((a, b)), edge, w) for edge, a, b, w in rows
    }
    assert list(g) == tree.graph.name_of(tree.vertices).tolist()
    if find_spec("scipy"):
        matrix = tree.to_scipy()
        assert (matrix.shape, matrix.nnz) == ((tree.n, tree.n), len(rows))
        assert matrix[tree.u, tree.v].tolist() == tree.w.tolist()
    igraph = pytest.importorskip("igraph")
    assert isinstance(tree.to_igraph(), igraph.Graph)
    assert tree.to_igraph().es["edge"] == tree.edges.tolist()
    assert tree.to_newick().count(";") == tree.n_components


def test_nodes(tree):
    nodes = tree.to_nodes()
    assert nodes["component"].tolist() == tree.labels.tolist()
    ends = pandas.concat([pandas.Series(tree.u), pandas.Series(tree.v)]).astype(int)
    assert nodes["degree"].tolist() == [int((ends == x).sum()) for x in range(tree.n)]


@pytest.mark.parametrize("ending", ["csv", "parquet", "npz", "graphml"])
def test_files(tree, ending, tmp_path):
    path = tmp_path / f"tree.{ending}"
    boruvka.write(tree, path)
    if ending != "graphml":
        assert boruvka.formats.read_forest(path, tree.graph).tolist() == tree.edges.tolist()
    graph = boruvka.read(path)
    name = graph.name_of(np.arange(graph.n)).tolist()
    found = [
        ({str(name[int(a)]), str(name[int(b)])}, float(w))
        for a, b, w in zip(graph.u, graph.v, graph.w, strict=True)
    ]
    expected = [({str(a), str(b)}, w) for _, a, b, w in rows_of(tree)]
    assert sorted(found, key=repr) == sorted(expected, key=repr) or all(row in expected for row in found)
    assert len(found) == len(expected)


@pytest.mark.parametrize("by", ["round", "component", "weight"])
def test_pictures(tree, by):
    ax = tree.plot(by=by)
    ends = np.concatenate([path.vertices for path in ax.collections[0].get_paths()])
    assert len(ends) == 2 * len(tree)
    dots = np.array(ax.lines[0].get_xydata())
    assert len(dots) == len(ax.texts) == tree.vertices.size
    assert {text.get_text() for text in ax.texts} == set(map(str, tree.graph.name_of(tree.vertices)))
    assert {tuple(end) for end in ends} <= set(map(tuple, dots))
    matplotlib.pyplot.close(ax.figure)


def test_copies_are_equal_and_read_only(tree):
    for other in copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)):
        assert type(other) is type(tree)
        assert other.edges.tolist() == tree.edges.tolist()
        with pytest.raises(AttributeError, match="cannot assign to 'edges'"):
            other.edges = np.arange(2)
        with pytest.raises(AttributeError, match="cannot delete 'graph'"):
            del other.graph
        with pytest.raises(ValueError, match="read-only"):
            other.edges[:1] = 3


def test_lines_of_edges(tree):
    pytest.importorskip("geopandas")
    if tree.graph.coordinates is None:
        with pytest.raises(boruvka.GraphTypeError, match="the vertices have no coordinates"):
            tree.to_geopandas()
        return
    lines = tree.to_geopandas()
    assert lines["weight"].tolist() == tree.w.tolist()
    at = tree.graph.coordinates
    for line, a, b in zip(lines.geometry, tree.u, tree.v, strict=True):
        assert list(line.coords) == [tuple(at[a]), tuple(at[b])]


def test_a_forest_of_a_batch_answers_questions():
    batch = windows()
    for i in range(3):
        forest = batch[i]
        assert isinstance(forest, Forest)
        assert boruvka.verify(forest.graph, forest)
        assert forest.cut(6).tolist() == list(range(6))
        assert forest.weight == pytest.approx(batch.weight[i])
    assert batch[1].graph.m == 28
    assert pickle.loads(pickle.dumps(batch))[1].edges.tolist() == batch[1].edges.tolist()


@pytest.mark.parametrize("kind", ["Steiner tree", "arborescence"])
def test_other_trees_are_not_taken_for_forests(kind):
    tree = TREES[kind]()
    with pytest.raises(GraphTypeError, match="verify is for spanning forests"):
        boruvka.verify(tree.graph, tree)
    with pytest.raises(GraphTypeError, match=f"expected a Forest, .* got {type(tree).__name__}"):
        stream.verify([(tree.graph.u, tree.graph.v, tree.graph.w)], tree)
    with pytest.raises(GraphTypeError, match="is not a graph; "):
        boruvka.segment(tree, 1)


def test_an_incremental_forest_is_taken_for_a_forest():
    u, v, w = [0, 1, 2], [1, 2, 0], [5.0, 7.0, 6.0]
    forest = boruvka.IncrementalForest()
    forest.insert(u, v, w)
    assert boruvka.verify((u, v, w), forest)
    assert not boruvka.verify((u, v, [5.0, 7.0, 8.0]), forest)


def rounds_by_brute_force(graph, maximum):
    """Run Borůvka's algorithm on all edges, one component at a time: the round that adds each edge."""
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    keys = [(-w if maximum else w, i) for i, w in enumerate(weights)]
    component, added, number = list(range(graph.n)), {}, 0
    while True:
        lightest = {}
        for i, (a, b) in enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True)):
            if component[a] != component[b]:
                for c in (component[a], component[b]):
                    lightest[c] = min(lightest.get(c, i), i, key=keys.__getitem__)
        if not lightest:
            return added
        number += 1
        for i in set(lightest.values()):
            added[i] = number
            old, new = component[graph.u[i]], component[graph.v[i]]
            component = [new if c == old else c for c in component]


@given(graphs(), st.booleans())
def test_rounds_are_those_of_the_whole_graph(graph, maximum):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum, backend="interpreted")
    expected = rounds_by_brute_force(graph, maximum)
    assert dict(zip(forest.edges.tolist(), forest.edge_rounds.tolist(), strict=True)) == expected
    assert forest.edge_mask.dtype == bool
    assert np.flatnonzero(forest.edge_mask).tolist() == forest.edges.tolist() == sorted(expected)


def test_the_number_of_rounds():
    """With the weights of a ruler a path takes log2(n) rounds, with ascending weights one."""
    weights = np.array([(k & -k).bit_length() for k in range(1, 1024)])
    ends = np.arange(1023), np.arange(1, 1024)
    assert boruvka.minimum_spanning_forest((*ends, weights)).edge_rounds.max() == 10
    assert set(boruvka.minimum_spanning_forest((*ends, np.arange(1023))).edge_rounds) == {1}
    assert boruvka.minimum_spanning_forest(([], [], [], 5)).edge_rounds.size == 0
