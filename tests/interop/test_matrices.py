"""Matrices as arrays, sparse arrays and frames: every function takes them."""

import numpy as np
import pytest

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest

networkx = pytest.importorskip("networkx")
pandas = pytest.importorskip("pandas")
sparse = pytest.importorskip("scipy.sparse")

WEIGHTS = np.array(
    [
        [0, 3, 0, 5, 2, 0],
        [3, 0, 5, 0, 2, 0],
        [0, 5, 0, 3, 0, 2],
        [5, 0, 3, 0, 0, 2],
        [2, 2, 0, 0, 0, 2],
        [0, 0, 2, 2, 2, 0],
    ]
)
U, V = np.nonzero(WEIGHTS)
LABELS = list("abcdef")
DISTANCES = np.abs(np.subtract.outer([1, 2, 4, 8, 16, 32], [1, 2, 4, 8, 16, 32]))
FRAME = pandas.DataFrame(DISTANCES, LABELS, LABELS)
FORMS = {
    "array": WEIGHTS,
    "sparse": sparse.csr_array(WEIGHTS),
    "NetworkX": networkx.from_numpy_array(WEIGHTS, create_using=networkx.Graph),
    "frame": pandas.DataFrame({"source": U, "target": V, "weight": WEIGHTS[U, V]}),
    "matrix": Graph.from_dense(WEIGHTS),
    "columns": (U, V, WEIGHTS[U, V]),
}
FUNCTIONS = {
    "steiner_tree": (lambda g: boruvka.steiner_tree(g, [0, 1, 2, 3]).weight, 10),  # tiny graphs are improved
    "improved": (lambda g: boruvka.steiner_tree(g, [0, 1, 2, 3], improve=True).weight, 10),
    "arborescence": (lambda g: boruvka.minimum_spanning_arborescence(g, 0).weight, 10),
    "best root": (lambda g: boruvka.minimum_spanning_arborescence(g).verify(), True),
    "random tree": (lambda g: boruvka.random_spanning_tree(g).edges.size, 5),
    "forests": (lambda g: boruvka.edge_disjoint_forests(g, 1)[0].weight, 10),
    "verify": (lambda g: bool(boruvka.verify(g, minimum_spanning_forest(g))), True),
    "removed": (lambda g: len(minimum_spanning_forest(g).update(removed=[0])), 5),
    "added": (lambda g: minimum_spanning_forest(g).update(([0], [5], [1])).weight, 9),
    "required": (lambda g: len(minimum_spanning_forest(g, required=[1])), 5),
    "sensitivity": (lambda g: int(minimum_spanning_forest(g).sensitivity().in_some.any()), 1),
}


@pytest.mark.filterwarnings("ignore:the list has each edge in both directions")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_takes_every_form(name, form):
    function, expected = FUNCTIONS[name]
    graph = FORMS[form]
    if form == "NetworkX" and name in ("arborescence", "best root"):
        graph = graph.to_directed()
    assert function(graph) == expected


def test_regions_of_any_form():
    expected = boruvka.segment(Graph.from_dense(WEIGHTS), 1).tolist()
    for form, graph in FORMS.items():
        if form != "array":
            assert boruvka.segment(graph, 1).tolist() == expected
    with pytest.raises(GraphTypeError, match=r"an array may be an image, pixel_graph\(image\), or a matrix"):
        boruvka.segment(WEIGHTS, 1)


def test_matrices_that_do_not_fit(monkeypatch):
    from boruvka.runtime import processors

    monkeypatch.setattr(processors, "free_memory", lambda: 0)
    matrix = np.ones((1_000, 1_000))
    with pytest.raises(boruvka.FileError, match="the list of the edges of the matrix: "):
        boruvka.steiner_tree(matrix, [0, 1])


def test_trees_in_the_words_of_the_graph():
    graph = Graph.from_dense(pandas.DataFrame(WEIGHTS, LABELS, LABELS))
    tree = boruvka.steiner_tree(graph, ["a", "b", "e"])
    frame = tree.to_pandas()
    rows = {(frozenset(ends), w) for *ends, w in frame[["source", "target", "weight"]].to_numpy()}
    assert rows == {(frozenset("ae"), 2), (frozenset("be"), 2)}
    assert sorted(tree.to_networkx().nodes) == ["a", "b", "e"]
    assert {frozenset(edge) for edge in tree.to_networkx().edges} == {frozenset("ae"), frozenset("be")}
    arcs = boruvka.minimum_spanning_arborescence(graph, "c")
    directed = arcs.to_networkx()
    assert networkx.is_arborescence(directed)
    assert next(networkx.topological_sort(directed)) == "c"
    assert arcs.to_pandas()["target"].tolist() == [v for _, v in sorted(directed.edges, key=lambda e: e[0])]
    igraph = pytest.importorskip("igraph")
    assert isinstance(arcs.to_igraph(), igraph.Graph)
    assert arcs.to_igraph().is_directed()
    assert not tree.to_igraph().is_directed()


def test_frames_of_distances():
    forest, expected = minimum_spanning_forest(FRAME), minimum_spanning_forest(Graph.from_distances(FRAME))
    assert forest.edges.tolist() == expected.edges.tolist()
    assert forest.weight == 31
    assert forest.to_pandas()["source"].tolist() == list("abcde")
    assert boruvka.steiner_tree(FRAME, ["a", "c"]).weight == 3
    numbered = pandas.DataFrame(DISTANCES)
    assert minimum_spanning_forest(numbered).weight == 31
    assert boruvka.as_graph(FRAME.set_axis(range(5, 11)).set_axis(range(5, 11), axis=1)).names.tolist() == [
        *range(5, 11)
    ]
    assert minimum_spanning_forest(FRAME.iloc[:3, :3]).weight == 3
    with pytest.warns(boruvka.GraphWarning, match="the lower half of distances is empty"):
        assert minimum_spanning_forest(pandas.DataFrame(np.triu(DISTANCES), LABELS, LABELS)).weight == 31


def test_frames_that_leave_something_open():
    adjacency = pandas.DataFrame(WEIGHTS, LABELS, LABELS)
    with pytest.raises(
        GraphError, match=r"12 entries off the diagonal are zero: write boruvka\.Graph\.from_dis"
    ):
        minimum_spanning_forest(adjacency)
    asymmetric = FRAME.copy()
    asymmetric.loc["a", "c"] = 7
    with pytest.raises(GraphError, match=r"distances\[0, 2\] is 7, but distances\[2, 0\] is 3"):
        minimum_spanning_forest(asymmetric)
    text = FRAME.astype(object)
    text.loc["a", "c"] = "x"
    with pytest.raises(
        GraphTypeError, match=r"entry \(0, 2\) of the matrix, in row 'a' and column 'c', is 'x': "
    ):
        minimum_spanning_forest(text)
    with pytest.raises(GraphTypeError, match=r"is 'x': expected an integer or a float, and NaN for none"):
        minimum_spanning_forest(text.astype(str))
    with pytest.raises(GraphTypeError, match=r"is '0': .* as matrix.astype\(float\) makes them of texts"):
        minimum_spanning_forest(FRAME.astype(str))
    missing = FRAME.astype(float)
    missing.loc["a", "c"] = missing.loc["c", "a"] = np.nan
    with pytest.raises(GraphError, match=r"entry \(0, 2\) of the matrix is NaN"):
        minimum_spanning_forest(missing)
    with pytest.raises(GraphError, match="row 0 has the label 'a', column 0 'f': both name a vertex"):
        minimum_spanning_forest(FRAME[LABELS[::-1]])
    with pytest.raises(OptionError, match=r"a matrix boruvka\.Graph\.from_distances\(frame\)"):
        minimum_spanning_forest(pandas.DataFrame(DISTANCES[:3, :3]))
