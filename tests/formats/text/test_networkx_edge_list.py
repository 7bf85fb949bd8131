"""Edge lists of NetworkX: numbers, names, dictionaries of attributes."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import minimum_spanning_forest
from boruvka.errors import OptionError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import assert_malformed, edges_of

WEIGHTS = st.integers(-(2**62), 2**62) | st.floats(-1e9, 1e9)
NAMES = st.text("abcXYZ0123é_-", min_size=1)


@st.composite
def networkx_graphs(draw, nodes):
    kind = draw(st.sampled_from([st.integers(-99, 99), st.floats(-1e9, 1e9)]))
    edges = draw(st.lists(st.tuples(nodes, nodes, kind), min_size=1, max_size=9))
    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    return graph


def named_edges(graph):
    """List the edges as the strings that NetworkX writes, and weights."""
    names = range(graph.n) if graph.names is None else graph.names.tolist()
    return [(str(names[u]), str(names[v]), w) for u, v, w in edges_of(graph)]


@pytest.mark.parametrize("nodes", [st.integers(0, 40), NAMES], ids=["numbers", "names"])
@pytest.mark.parametrize("more", [{}, {"colour": "{'red'}", "label": 'a "b" # c'}])
@pytest.mark.parametrize("plain", [True, False])
@given(data=st.data())
def test_what_networkx_writes(nodes, more, plain, data, tmp_path):
    graph, path = data.draw(networkx_graphs(nodes)), tmp_path / "a.edgelist"
    if plain:
        nx.write_weighted_edgelist(graph, path)
    else:
        nx.set_edge_attributes(graph, dict.fromkeys(graph.edges, more))
        nx.write_edgelist(graph, path)
    expected = [(str(u), str(v), w) for u, v, w in graph.edges(data="weight")]
    assert named_edges(read(path)) == expected
    unweighted = read(path, unweighted=True)
    assert named_edges(unweighted) == [(u, v, 1) for u, v, _ in expected]
    assert unweighted.w.dtype == np.uint8


@given(graph=networkx_graphs(st.integers(0, 40)))
def test_networkx_reads_what_we_write(graph, tmp_path):
    path, path2 = tmp_path / "a.edgelist", tmp_path / "b.edgelist"
    nx.write_edgelist(graph, path)
    ours = read(path)
    write(ours, path2)
    again = nx.read_weighted_edgelist(path2, nodetype=int)
    assert nx.utils.graphs_equal(again, graph)
    forest = minimum_spanning_forest(ours)
    write(forest, path2)
    assert sorted(read_forest(path2, ours).tolist()) == forest.edges.tolist()


def test_integers_stay_exact(file):
    big = 2**62 + 1
    for content in f"0 1 {big}\n", f"0 1 {{'weight': {big}}}\n", f"0 1 {{'a': 1, 'weight': {big}}}\n":
        assert read(file("a.edgelist", content)).w.tolist() == [big]


def test_numbers_of_numpy(file):
    path = file("a.edgelist", "0 1 {'weight': np.float64(0.5)}\n0 2 {'weight': np.int64(-3)}\n")
    assert edges_of(read(path)) == [(0, 1, 0.5), (0, 2, -3)]


def test_options(file):
    path = file("a.edgelist", "# comment\n1 2 {'cost': 3, 'weight': 9}\n\n2 3 {'cost': 4}\n")
    assert edges_of(read(path, columns=("cost",), one_based=True)) == [(0, 1, 3), (1, 2, 4)]
    assert read(path, columns=("cost",), n=9).n == 9
    only = file("b.edgelist", "1 2 {'cost': 3}\n")
    assert edges_of(read(only, columns=("cost",), one_based=True, n=7)) == [(0, 1, 3)]
    with pytest.raises(OptionError, match="columns must name one attribute of edges"):
        read(path, columns=(0, 1, 2))
    names = file("c.edgelist", "a b 3\n")
    for options in {"n": 4}, {"one_based": True}:
        with pytest.raises(OptionError, match="names are numbered as they appear: leave out"):
            read(names, **options)
    assert read(path, columns=("cost",), names=True).names.tolist() == [1, 2, 3]


def test_numbers_beyond_64_bits_are_names(file):
    assert named_edges(read(file("a.edgelist", f"0 {2**70} 3\n"))) == [("0", str(2**70), 3)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("0 1 2\n3\n", 2, "expected 'u v', 'u v w' or 'u v {...}', found '3'"),
        ("0 1 2\n0 2 x\n", 2, "expected 'u v', 'u v w' or 'u v {...}'"),
        ("0 1 2\n0 2 1_0\n", 2, "expected 'u v', 'u v w' or 'u v {...}'"),
        ("0 1\n", 1, "the edge lacks a weight; pass unweighted=True for weight 1"),
        ("0 1 {}\n", 1, "the edge lacks the attribute 'weight'; pass unweighted=True"),
        ("0 1 {'weight': 3}\n0 1 {'cost': 3}\n", 2, "the edge lacks the attribute 'weight'"),
        ("0 1 {'weight': 3}\n0 1 {'weight': 'a'}\n", 2, "expected a number as the weight"),
        ("0 1 {'weight': True}\n", 1, "expected a number as the weight"),
        ("a 1 nan\n", 1, "expected a number as the weight"),
        ("a b {'weight': 3\n", 1, "expected attributes of an edge"),
        ("0 1 {'weight': __import__('os').system('touch x')}\n", 1, "expected attributes of an edge"),
        ("0 1 {'weight', 3}\n", 1, "expected attributes of an edge"),
        (f"0 1 {{'weight': {'(' * 500}{')' * 500}}}\n", 1, "expected attributes of an edge"),
        (b"0 1 2\n\xff\xfe 1 2\n", 2, "expected text in UTF-8"),
        ("(0, 0) (0, 1) {}\n", 1, "expected 'u v', 'u v w' or 'u v {...}'"),
        (f"0 {2**60} {{'weight': 1, 'a': 2}}\n", None, "n must be between 0 and 2**48"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.edgelist", content), line, message)
