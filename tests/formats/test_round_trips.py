"""Round trips through every format, compressed or not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.errors import FormatError, GraphError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import (
    COMPRESSED_FORMATS,
    WRITTEN,
    assert_same,
    canonical,
    edges_of,
    floats,
    forest_of,
    graphs,
    path_for,
)

ORDERS_EDGES = ("metis", "matrix")
STATES_EDGES = ("csv", "tsv", "parquet", "arrow", "npz")
KEEPS_DTYPES = ("npz", "parquet", "arrow")
LIMITED = {
    "metis": graphs(weights=(np.int64, st.integers(1, 2**63 - 1)), simple=True),
    "matrix": graphs(weights=(np.float64, floats.filter(lambda w: w and np.isfinite(w))), simple=True),
    "gexf": graphs().filter(lambda graph: all(w == float(w) for w in graph.w.tolist())),
    "npy": graphs().filter(lambda graph: graph.m != 3),
}
"""The weights and graphs of formats that do not hold every graph."""


@pytest.mark.filterwarnings("ignore:(vertex 0 has no edge|.*entries of the matrix are)")
@pytest.mark.parametrize("chosen", WRITTEN, ids=lambda chosen: chosen.name)
@pytest.mark.parametrize("chunks", ["small_chunks", "tmp_path"], ids=["small chunks", ""])
@given(data=st.data())
def test_graph_comes_back(chosen, chunks, data, tmp_path, request):
    request.getfixturevalue(chunks)
    graph = data.draw(LIMITED.get(chosen.name, graphs()))
    if not chosen.codec.holds.n:
        graph = Graph(None, graph.u, graph.v, graph.w)
    path, how = path_for(tmp_path, chosen.name)
    write(graph, path, **how)
    back = read(path, **how)
    assert back.n == graph.n
    if chosen.name in ORDERS_EDGES:
        assert canonical(back) == sorted(canonical(graph) * (2 if chosen.name == "matrix" else 1))
    else:
        assert_same(back, graph)
    assert back.w.dtype == graph.w.dtype or chosen.name not in KEEPS_DTYPES


@pytest.mark.parametrize("name", [f.name for f in WRITTEN if f.codec.holds.n])
@given(data=st.data())
def test_forest_comes_back(name, data, tmp_path):
    limited = graphs(weights=(np.int64, st.integers(1, 9)), simple=True)
    graph = data.draw(limited if name in LIMITED else graphs())
    edges = sorted(data.draw(st.sets(st.integers(0, graph.m - 1)))) if graph.m else []
    path, how = path_for(tmp_path, name)
    write(forest_of(graph, edges), path, **how)
    found = read_forest(path, graph, **how)
    assert found.dtype == np.int64
    if name in STATES_EDGES:
        assert found.tolist() == edges
    else:
        low, high = np.minimum(graph.u, graph.v).tolist(), np.maximum(graph.u, graph.v).tolist()
        keys = list(zip(low, high, graph.w.tolist(), strict=True))
        assert len(set(found.tolist())) == len(edges)
        assert sorted(keys[i] for i in found) == sorted(keys[i] for i in edges)


@pytest.mark.parametrize(("chosen", "compression"), COMPRESSED_FORMATS)
def test_every_ending_and_compression(chosen, compression, tmp_path):
    n = 5 if chosen.codec.holds.n else 4
    graph = Graph(n, [0, 1, 2, 0], [1, 2, 3, 3], [3, 1, 2, 9])
    forest = forest_of(graph, [1, 2])
    for ending in chosen.endings:
        path = tmp_path / f"Graph{ending.upper()}{compression}"
        write(graph, path)
        back = read(path)
        assert back.n == n
        assert sorted(set(canonical(back))) == canonical(graph)
        write(forest, path)
        assert read_forest(path, graph).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("graph", "name", "message"),
    [
        (Graph(2, [0], [1], [0.5]), "metis", "METIS weights are whole numbers, not float64"),
        (Graph(2, [0], [1], [0]), "metis", r"edge 0 \(0, 1\) has a weight below 1"),
        (Graph(2, [0, 1], [1, 1], [1, 1]), "metis", r"edge 1 \(1, 1\) is a self-loop"),
        (Graph(2, [0, 1], [1, 0], [1, 1]), "metis", "has a parallel edge"),
        (Graph(2, [0], [1], [0.0]), "matrix", r"edge 0 \(0, 1\) has weight 0"),
        (Graph(10**6, [0], [1], [1]), "matrix", "1000000 vertices is too large"),
        (Graph(4, [0, 1, 2], [1, 2, 3], [1, 1, 1]), "npy", "three edges has the shape 3 x 3"),
        (Graph(2, [0], [1], [2**60 + 1]), "gexf", "weights of GEXF are float64"),
        (Graph(5, [], [], []), "npy", "does not state the number of vertices, so the last 5, which"),
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
        "a.csv": "# boruvka n=4\nsource,target,weight\n0,1,5.0\n1,2,0.1\n",
        "a.tsv": "# boruvka n=4\nsource\ttarget\tweight\n0\t1\t5.0\n1\t2\t0.1\n",
        "a.adj": "# boruvka zero_is_no_edge\n4\n0 5.0 0 0\n5.0 0 0.1 0\n0 0.1 0 0\n0 0 0 0\n",
    }
    for name, text in expected.items():
        write(graph, tmp_path / name)
        assert (tmp_path / name).read_text() == text
    write(Graph(5, [1, 3], [0, 1], [5, 2]), tmp_path / "a.graph")
    assert (tmp_path / "a.graph").read_text() == "5 2 001\n2 5\n1 5 4 2\n\n2 2\n\n"
    write(Graph(3, [0, 1], [1, 2], [5, 2]), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "source,target,weight\n0,1,5\n1,2,2\n"
    write(forest, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "# boruvka n=4\nedge,source,target,weight\n1,1,2,0.1\n"
    write(forest, tmp_path / "a.stp")
    assert (
        (tmp_path / "a.stp").read_text().endswith("SECTION Graph\nNodes 4\nEdges 1\nE 2 3 0.1\nEND\n\nEOF\n")
    )


KINDS_OF_NAMES = {
    "strings": st.text(max_size=4),
    "odd strings": st.sampled_from(
        ["6", "06", "6 ", " 6", "+6", "-0", "1e3", "nan", "null", "", "a,b", 'q"', "#c", "x\ny", "x\r"]
    ),
    "odder strings": st.sampled_from(
        [*"\0é\u2028\x85<\ufeff\ud800[%\t", "a\0", "&amp;", "&#65;", "]]>", "a b"]
    ),
    "numbers as strings": st.integers(0, 30).map(str),
    "integers": st.integers(-(2**63), 2**63 - 1),
    "small integers": st.integers(0, 5),
    "unsigned": st.integers(2**63 - 2, 2**64 - 1),
    "beyond 64 bits": st.integers(2**64, 2**70) | st.integers(-3, 3),
    "fractions": st.floats(allow_nan=False),
    "booleans": st.booleans(),
    "pairs": st.tuples(st.floats(0, 3), st.floats(0, 3)),
    "bytes": st.binary(max_size=3),
    "mixed": st.integers(0, 9) | st.integers(0, 9).map(str),
    "NumPy's": st.sampled_from([np.int64(7), np.int64(10**12), np.int32(5)]),
    "NumPy's strings": st.sampled_from([np.str_("7"), np.str_("a")]),
}


def by_name(graph):
    """List edges by the names of their ends, with the types of names."""
    names = [(type(name), name) for name in (range(graph.n) if graph.names is None else graph.names.tolist())]
    return names, sorted((*sorted((repr(names[u]), repr(names[v]))), w) for u, v, w in edges_of(graph))


@pytest.mark.filterwarnings("ignore:.*is the name of a vertex")
@pytest.mark.parametrize("name", [f.name for f in WRITTEN])
@given(kind=st.sampled_from(list(KINDS_OF_NAMES)), data=st.data())
@settings(max_examples=5 * settings.default.max_examples)
def test_names_come_back_with_their_type_or_are_refused(name, kind, data, tmp_path):
    """Isolated vertices and their names, too."""
    names = data.draw(
        st.lists(KINDS_OF_NAMES[kind], min_size=1, max_size=6, unique_by=lambda x: (type(x), x))
    )
    vertex = st.integers(0, len(names) - 1)
    pairs = data.draw(st.sets(st.tuples(vertex, vertex).filter(lambda ends: ends[0] < ends[1]), max_size=8))
    array = np.empty(len(names), object)
    array[:] = names
    u, v = zip(*pairs, strict=True) if pairs else ((), ())
    path, how = path_for(tmp_path, name)
    path.unlink(missing_ok=True)
    try:
        graph = Graph(len(names), u, v, np.arange(1, len(pairs) + 1)).with_names(array)
        write(graph, path, **how)
    except (FormatError, GraphError):
        assert list(tmp_path.iterdir()) == []
        return
    plain = {np.int64: int, np.int32: int, np.str_: str}
    back = read(path, **how)
    names, edges = by_name(back)
    expected, expected_edges = by_name(graph.with_names([plain.get(type(x), lambda y: y)(x) for x in array]))
    assert edges == expected_edges
    assert sorted(names, key=repr) == sorted(expected, key=repr)
