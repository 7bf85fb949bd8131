"""What is written is read back, in every format, compressed or not."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import FORMATS, read, read_forest, write

NAMES = [f.name for f in FORMATS]
EXACT = [name for name in NAMES if name not in ("metis", "matrix", "graph-tool", "pbbs", "gbbs")]
KEEPS_TYPES = ("npz", "parquet")
COMPRESSIONS = ["", ".gz", ".zst"]

integers = st.integers(-(2**63), 2**63 - 1)
large = st.integers(0, 2**64 - 1)
floats = st.floats(allow_nan=False, allow_infinity=True)
WEIGHTS = [
    (np.int64, integers),
    (np.int64, st.integers(-9, 9)),
    (np.uint64, large),
    (np.float64, floats),
    (np.float32, st.floats(allow_nan=False, width=32)),
    (np.float16, st.floats(allow_nan=False, width=16)),
    (np.int8, st.integers(-128, 127)),
]


@st.composite
def graphs(draw, weights=None, simple=False):
    n = draw(st.integers(0, 12))
    vertex = st.integers(0, max(n - 1, 0))
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=20 if n else 0))
    if simple:
        pairs = list({tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]})
    dtype, values = weights or draw(st.sampled_from(WEIGHTS))
    w = draw(st.lists(values, min_size=len(pairs), max_size=len(pairs)))
    return Graph(n, [a for a, _ in pairs], [b for _, b in pairs], np.array(w, dtype))


def forest_of(graph, edges):
    return SimpleNamespace(
        n=graph.n, edges=np.asarray(edges, np.int64), u=graph.u[edges], v=graph.v[edges], w=graph.w[edges]
    )


def path_for(tmp_path, name, compression=""):
    return tmp_path / f"graph{compression}", {"format": name}


def assert_same(a, b):
    assert a.n == b.n
    assert a.u.tolist() == b.u.tolist()
    assert a.v.tolist() == b.v.tolist()
    assert a.w.tolist() == b.w.tolist()


def canonical(graph):
    return sorted(
        (min(u, v), max(u, v), w)
        for u, v, w in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    )


@pytest.mark.parametrize("name", EXACT)
@given(graph=graphs())
@settings(max_examples=60)
def test_graph_comes_back_exactly(name, graph, tmp_path):
    path, how = path_for(tmp_path, name)
    write(graph, path, **how)
    back = read(path, **how)
    assert_same(back, graph)
    if name in KEEPS_TYPES:
        assert back.w.dtype == graph.w.dtype


@pytest.mark.parametrize("name", EXACT)
@given(graph=graphs())
@settings(max_examples=25)
def test_graph_comes_back_through_small_chunks(name, graph, tmp_path, small_chunks):
    path, how = path_for(tmp_path, name)
    write(graph, path, **how)
    assert_same(read(path, **how), graph)


@given(graph=graphs(weights=(np.int64, st.integers(1, 2**63 - 1)), simple=True))
def test_metis_keeps_a_simple_graph(graph, tmp_path):
    path, how = path_for(tmp_path, "metis")
    write(graph, path, **how)
    back = read(path, **how)
    assert back.n == graph.n
    assert canonical(back) == canonical(graph)


@given(graph=graphs())
def test_gbbs_keeps_a_graph_with_loops_and_parallel_edges(graph, tmp_path):
    path, how = path_for(tmp_path, "gbbs")
    write(graph, path, **how)
    back = read(path, **how)
    assert back.n == graph.n
    assert canonical(back) == canonical(graph)


@given(graph=graphs())
def test_pbbs_keeps_a_graph_whose_last_vertex_has_an_edge(graph, tmp_path):
    path, how = path_for(tmp_path, "pbbs")
    whole = Graph.from_edges(graph.u, graph.v, graph.w)
    write(whole, path, **how)
    assert_same(read(path, **how), whole)
    if graph.n > whole.n:
        with pytest.raises(FormatError, match=f"the last {graph.n - whole.n}, which have no edges"):
            write(graph, path, **how)


def test_what_pbbs_and_gbbs_programs_read(tmp_path):
    graph = Graph(3, [2, 0, 1], [1, 2, 1], [0.5, 2, 3])
    write(graph, tmp_path / "pbbs", format="pbbs")
    assert (tmp_path / "pbbs").read_text() == "WeightedEdgeArray\n2 1 0.5\n0 2 2.0\n1 1 3.0\n"
    write(graph, tmp_path / "gbbs", format="gbbs")
    lines = (tmp_path / "gbbs").read_text().split()
    assert lines[:6] == ["WeightedAdjacencyGraph", "3", "6", "0", "1", "4"]
    assert lines[6:12] == ["2", "1", "1", "2", "0", "1"]
    assert lines[12:] == ["2.0", "3.0", "3.0", "0.5", "2.0", "0.5"]


@given(graph=graphs(weights=(np.float64, floats.filter(bool)), simple=True))
def test_matrix_keeps_a_simple_graph_in_both_directions(graph, tmp_path):
    path, how = path_for(tmp_path, "matrix")
    write(graph, path, **how)
    back = read(path, **how)
    assert back.n == graph.n
    assert canonical(back) == sorted(2 * canonical(graph))


def test_matrix_keeps_the_lightest_parallel_edge(tmp_path):
    write(Graph(3, [0, 1, 0, 2], [1, 0, 1, 2], [7, 5, 6, 1]), tmp_path / "a.adj")
    assert (tmp_path / "a.adj").read_text() == "3\n0 5 0\n5 0 0\n0 0 1\n"


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("chosen", FORMATS, ids=NAMES)
def test_every_ending_and_compression(chosen, compression, tmp_path):
    graph = Graph(5, [0, 1, 2], [1, 2, 3], [3, 1, 2])
    forest = forest_of(graph, [1, 2])
    for ending in chosen.endings:
        path = tmp_path / f"Graph{ending.upper()}{compression}"
        write(graph, path)
        back = read(path)
        assert back.n == 5
        assert sorted(set(canonical(back))) == canonical(graph)
        write(forest, path)
        assert read_forest(path, graph).tolist() == [1, 2]


@pytest.mark.parametrize("name", EXACT)
@given(graph=graphs(), data=st.data())
@settings(max_examples=40)
def test_forest_comes_back(name, graph, data, tmp_path):
    chosen = data.draw(st.sets(st.integers(0, graph.m - 1))) if graph.m else set()
    edges = np.array(sorted(chosen), np.int64)
    path, how = path_for(tmp_path, name)
    write(forest_of(graph, edges), path, **how)
    found = read_forest(path, graph, **how)
    assert found.dtype == np.int64
    keys = [
        (min(u, v), max(u, v), w)
        for u, v, w in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    ]
    if name in ("csv", "tsv", *KEEPS_TYPES):
        assert found.tolist() == edges.tolist()
    else:
        assert len(set(found.tolist())) == edges.size
        assert [keys[i] for i in found] == [keys[i] for i in edges]


@pytest.mark.parametrize("name", ["metis", "matrix", "gbbs", "pbbs"])
@given(graph=graphs(weights=(np.int64, st.integers(1, 9)), simple=True), data=st.data())
@settings(max_examples=40)
def test_forest_comes_back_from_formats_that_order_edges(name, graph, data, tmp_path):
    chosen = data.draw(st.sets(st.integers(0, graph.m - 1))) if graph.m else set()
    path, how = path_for(tmp_path, name)
    forest = forest_of(graph, sorted(chosen))
    assume(name != "pbbs" or not graph.n or graph.n - 1 in (*forest.u, *forest.v))
    write(forest, path, **how)
    assert set(read_forest(path, graph, **how).tolist()) == chosen


@pytest.mark.parametrize(
    ("graph", "name", "message"),
    [
        (Graph(2, [0], [1], [0.5]), "metis", "METIS weights are whole numbers, not float64"),
        (Graph(2, [0], [1], [0]), "metis", r"edge 0 \(0, 1\) has a weight below 1"),
        (Graph(2, [0, 1], [1, 1], [1, 1]), "metis", r"edge 1 \(1, 1\) is a self-loop"),
        (Graph(2, [0, 1], [1, 0], [1, 1]), "metis", "has a parallel edge"),
        (Graph(2, [0], [1], [0.0]), "matrix", r"edge 0 \(0, 1\) has weight 0"),
        (Graph(10**6, [0], [1], [1]), "matrix", "1000000 vertices is too large"),
        (Graph(5, [], [], []), "pbbs", "does not state the number of vertices, so the last 5, which"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(graph, name, message, tmp_path):
    path = tmp_path / "x"
    with pytest.raises(FormatError, match=rf"^{path}: .*{message}.*choose another format"):
        write(graph, path, format=name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="long double is double here")
def test_long_double_is_written_only_where_text_holds_it(tmp_path):
    write(Graph(2, [0], [1], np.array([0.5], np.longdouble)), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").w.tolist() == [0.5]
    with pytest.raises(FormatError, match="of edge 0 has no exact float64"):
        write(Graph(2, [0], [1], [1 / np.longdouble(3)]), tmp_path / "a.csv")


def test_a_graph_is_also_what_the_solver_accepts(tmp_path):
    write(([0, 1], [1, 2], [5, 6], 4), tmp_path / "a.gr")
    assert (tmp_path / "a.gr").read_text() == "p sp 4 2\na 1 2 5\na 2 3 6\n"


def test_texts_that_are_written(tmp_path):
    graph = Graph(4, [0, 1], [1, 2], [5.0, 0.1])
    forest = forest_of(graph, [1])
    expected = {
        "a.gr": "p sp 4 2\na 1 2 5.0\na 2 3 0.1\n",
        "a.mtx": "%%MatrixMarket matrix coordinate real general\n4 4 2\n1 2 5.0\n2 3 0.1\n",
        "a.el": "# boruvka n=4\n0 1 5.0\n1 2 0.1\n",
        "a.csv": "# boruvka n=4\nu,v,w\n0,1,5.0\n1,2,0.1\n",
        "a.tsv": "# boruvka n=4\nu\tv\tw\n0\t1\t5.0\n1\t2\t0.1\n",
        "a.adj": "4\n0 5.0 0 0\n5.0 0 0.1 0\n0 0.1 0 0\n0 0 0 0\n",
    }
    for name, text in expected.items():
        write(graph, tmp_path / name)
        assert (tmp_path / name).read_text() == text
    write(Graph(5, [1, 3], [0, 1], [5, 2]), tmp_path / "a.graph")
    assert (tmp_path / "a.graph").read_text() == "5 2 001\n2 5\n1 5 4 2\n\n2 2\n\n"
    write(Graph(3, [0, 1], [1, 2], [5, 2]), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "u,v,w\n0,1,5\n1,2,2\n"
    write(forest, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "# boruvka n=4\nedge,u,v,w\n1,1,2,0.1\n"
    write(forest, tmp_path / "a.stp")
    assert (
        (tmp_path / "a.stp").read_text().endswith("SECTION Graph\nNodes 4\nEdges 1\nE 2 3 0.1\nEND\n\nEOF\n")
    )
