"""The edges of a forest file are found in its graph, or the error names the row."""

import re

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError, GraphError
from boruvka.formats import read_forest, write
from boruvka.formats.edge_lookup import check_edge_indices
from boruvka.formats.edge_table import EdgeTable
from boruvka.graph.edge_lookup import ROW, find_edges
from tests.formats.helpers import forest_of

GRAPH = Graph(4, [0, 1, 0, 2, 1], [1, 0, 1, 3, 1], [5, 5, 6, 2**53 + 1, 0])
FIRST, SECOND = (ROW.format(row) for row in (1, 2))


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("p sp 4 2\na 1 2 5\na 4 3 9007199254740993\n", [0, 3]),
        ("p sp 4 3\na 2 1 5\na 2 2 0\na 1 2 5\n", [0, 4, 1]),
        ("p sp 4 1\na 1 2 6\n", [2]),
        ("p sp 4 1\na 1 2 6.0\n", [2]),
        ("p sp 4 3\na 1 2 5\na 1 2 5\na 1 2 5\n", [0, 1, 1]),  # which the verifier refuses
        ("p sp 4 0\n", []),
    ],
)
def test_edges_are_found_by_ends_and_weight(file, content, found):
    edges = read_forest(file("a.gr", content), GRAPH)
    assert edges.tolist() == found
    assert edges.dtype == np.int64


@pytest.mark.parametrize(
    ("content", "row"),
    [
        ("p sp 4 2\na 1 2 5\na 1 3 5\n", f"{SECOND}: no edge is between (0, 2)"),
        ("p sp 4 1\na 1 2 7\n", f"{FIRST}: edge (0, 1) weighs 7, in the graph 5 or 6"),
        ("p sp 4 1\na 1 2 5.5\n", f"{FIRST}: edge (0, 1) weighs 5.5, in the graph 5 or 6"),
        (
            "p sp 4 1\na 3 4 9007199254740992\n",
            f"{FIRST}: edge (2, 3) weighs 9007199254740992, in the graph 9007199254740993",
        ),
        ("p sp 4 1\na 3 4 9007199254740992.0\n", f"{FIRST}: edge (2, 3) weighs"),
        ("p sp 9 1\na 8 9 5\n", f"{FIRST}: no edge is between (7, 8)"),
        ("p sp 4 1\na 1 2 inf\n", f"{FIRST}: edge (0, 1) weighs inf, in the graph 5 or 6"),
    ],
)
def test_an_edge_that_the_graph_has_not(file, content, row):
    path = file("a.gr", content)
    with pytest.raises(GraphError, match=re.escape(f"{path}: {row}")):
        read_forest(path, GRAPH)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("edge,source,target,weight\n3,2,3,9007199254740993\n1,0,1,5\n", [3, 1]),
        ("u,v,w,edge\n3,2,9007199254740993,3\n", [3]),
        ("edge,source,target,weight\n7,2,3,5\n-1,0,1,5\n", [7, -1]),
        ("u,v,w\n1,0,5\n1,0,5\n", [0, 1]),
        ("edge,source,target,weight\n", []),
    ],
)
def test_stated_indices(file, content, found):
    assert read_forest(file("a.csv", content), GRAPH).tolist() == found


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("edge,source,target,weight\n0,0,1,5\n3,2,1,9007199254740993\n", f"{SECOND}: it is edge 3 (2, 1)"),
        (
            "edge,source,target,weight\n3,2,3,9007199254740992\n",
            f"{FIRST}: it is edge 3 (2, 3) of weight 9007199254740992",
        ),
        (f"edge,source,target,weight\n{2**63},0,1,5\n", f"the forest states the edge {2**63}"),
    ],
)
def test_stated_indices_of_other_edges(file, content, message):
    with pytest.raises(GraphError, match=re.escape(message)):
        read_forest(file("a.csv", content), GRAPH)


def test_fractional_indices(file):
    with pytest.raises(FormatError, match=r"a\.csv:2: .*whole numbers only, found '0\.5,0,1,5'"):
        read_forest(file("a.csv", "edge,source,target,weight\n0.5,0,1,5\n"), GRAPH)


@pytest.mark.parametrize("ending", [".gr", ".csv", ".npz", ".parquet", ".adj", ".mtx"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint64])
def test_weights_of_every_type_are_found(tmp_path, ending, dtype):
    graph = Graph(
        5, [0, 1, 2, 3], [1, 2, 3, 4], np.array([0.1, 7, 100, 0.3], np.float64).astype(dtype) + dtype(1)
    )
    write(forest_of(graph, [0, 2, 3]), tmp_path / f"a{ending}")
    assert read_forest(tmp_path / f"a{ending}", graph).tolist() == [0, 2, 3]


def test_many_edges(tmp_path):
    random = np.random.default_rng(3)
    u, v, w = random.integers(0, 50, 5000), random.integers(0, 50, 5000), random.integers(0, 3, 5000)
    graph = Graph(50, u, v, w)
    chosen = np.sort(random.choice(5000, 300, replace=False))
    write(forest_of(graph, chosen), tmp_path / "a.gr")
    found = read_forest(tmp_path / "a.gr", graph)
    assert np.unique(found).size == 300

    def keys(edges):
        return np.stack([np.minimum(u, v)[edges], np.maximum(u, v)[edges], w[edges]])

    assert np.array_equal(keys(found), keys(chosen))


@pytest.mark.parametrize("weights", [[0, 1], [2**53, 2**53 + 1], [0.1, np.nan], [-0.0, 0.5], [-np.inf, 3.0]])
@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.float32, np.float64])
def test_edges_are_found_exactly_as_by_brute_force(weights, dtype, monkeypatch):
    """Some rows are in the graph, some only if their weights are rounded to its type."""
    monkeypatch.setattr("boruvka.graph.edge_lookup.AT_ONCE", 7)
    random = np.random.default_rng(1)
    with np.errstate(invalid="ignore"):
        w = np.nan_to_num(np.array(weights).astype(dtype), nan=1, neginf=-9)
    graph = Graph(5, random.integers(0, 5, 60), random.integers(0, 5, 60), random.choice(w, 60))
    for _ in range(40):
        u, v, row = (random.choice(x, 2) for x in (range(6), range(6), weights))
        stated = [x.item() for x in row]
        equal = [
            [i for i in range(60) if {graph.u[i], graph.v[i]} == {a, b} and graph.w[i].item() == c]
            for a, b, c in zip(u, v, stated, strict=True)
        ]
        if equal[0] and equal[1]:
            copy = int({u[0], v[0]} == {u[1], v[1]} and row[0] == row[1])
            expected = [equal[0][0], equal[1][min(copy, len(equal[1]) - 1)]]
            assert find_edges(graph, "x", u, v, row).tolist() == expected
        else:
            with pytest.raises(GraphError, match=f"row {1 + bool(equal[0])}: .*(between|in the graph)"):
                find_edges(graph, "row {}", u, v, row)


def test_entries_of_a_matrix_are_one_edge():
    graph = Graph.from_dense([[0, 3, 2], [4, 0, 2], [2, 2, 0]])
    pairs = np.array([0, 1, 2]), np.array([1, 2, 1])
    assert find_edges(graph, "x", *pairs, None).tolist() == [0, 3, 3]
    assert find_edges(graph, "x", *pairs, None, maximum=True).tolist() == [2, 3, 3]
    assert find_edges(graph, "x", *pairs, np.array([4, 2, 2])).tolist() == [2, 3, 5]


def test_the_answer_of_the_solver(tmp_path):
    from boruvka import minimum_spanning_forest

    forest = minimum_spanning_forest(GRAPH, backend="interpreted")
    for ending in ".csv", ".npz", ".gr":
        write(forest, tmp_path / f"a{ending}")
        assert read_forest(tmp_path / f"a{ending}", GRAPH).tolist() == forest.edges.tolist()


def test_edges_of_points_are_found_without_a_list_of_all():
    x = np.random.default_rng(3).random((300, 2))
    points = Graph.from_points(x)
    edges = np.array([4, 299, 44849, 0, 30000])
    u, v, w = points.take(edges)
    table = EdgeTable(300, v, u, w)
    assert find_edges(points, ROW, v, u, w).tolist() == edges.tolist()
    assert find_edges(points, ROW, v, u, None).tolist() == edges.tolist()
    assert check_edge_indices(table._replace(edges=edges), points).tolist() == edges.tolist()
    for wrong, row in (
        (table._replace(w=np.nextafter(w, 9)), 1),
        (table._replace(v=np.append(u[:-1], v[-1])), 5),
        (table._replace(u=np.append(v[:-1], 300).astype(np.uint32)), 5),
    ):
        with pytest.raises(
            GraphError, match=f"row {row} of the forest.*: .*(in the graph|no edge is between)"
        ):
            find_edges(points, ROW, wrong.u, wrong.v, wrong.w)
    with pytest.raises(
        GraphError, match=r"row 1 of the forest .*it is edge 5 \(5, 0\) of .* edge 5 is \(0, 6\)"
    ):
        check_edge_indices(table._replace(edges=edges + 1), points)
    assert "_edge_list" not in vars(points)


def test_a_pair_of_a_point_that_the_graph_does_not_have():
    """Its index would be the index of the pair (1, 2), which weighs as much."""
    graph = Graph.from_points([[0.0], [1.0], [2.0]])
    with pytest.raises(GraphError, match=r"x: no edge is between \(0, 3\)"):
        find_edges(graph, "x", np.array([0]), np.array([3]), np.array([1.0]))


def test_stated_weights_are_not_rounded_to_the_type_of_the_graph():
    graph = Graph(2, [0], [1], np.array([0.1], np.float32))
    table = EdgeTable(2, graph.u, graph.v, np.array([0.1]), np.array([0]))
    assert check_edge_indices(table._replace(w=graph.w.astype(np.float64)), graph).tolist() == [0]
    with pytest.raises(GraphError, match=r"row 1 of the forest .*it is edge 0 \(0, 1\) of weight 0\.1, but"):
        check_edge_indices(table, graph)
