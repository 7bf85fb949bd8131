"""Objects that arguments do not take raise errors of this package, whatever NumPy, pandas or polars raise."""

import importlib

import networkx as nx
import numpy as np
import pytest

import boruvka
from boruvka import Forest, GraphError, GraphTypeError, OptionError, as_graph, verify

pl = pytest.importorskip("polars")

GRAPH = as_graph(([0, 1, 2], [1, 2, 0], [1, 2, 3]))
FOREST = boruvka.minimum_spanning_forest(GRAPH)
LAZY = pl.LazyFrame({"u": [0], "v": [1], "w": [1], "day": ["x"]})
NO_HASH = memoryview(bytearray(b"a"))


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        pytest.param(
            lambda: GRAPH.with_coordinates(importlib.import_module("scipy.sparse").coo_array([1, 2, 3])),
            GraphTypeError,
            "coordinates cannot be",
            marks=pytest.mark.needs("scipy"),
        ),
        (lambda: GRAPH.with_coordinates(memoryview(np.ones(3, complex))), GraphTypeError, "must be numbers"),
        (
            lambda: boruvka.minimum_spanning_forests(memoryview(np.ones((2, 3)))),
            GraphTypeError,
            "graphs are a",
        ),
        (
            lambda: FOREST.to_nodes(memoryview(np.ones((3, 2)))),
            GraphTypeError,
            "metadata cannot be read as a",
        ),
        (lambda: as_graph(LAZY.select("zz")), GraphTypeError, "the table cannot be read: .*zz"),
        (
            lambda: as_graph(LAZY.with_columns(w=pl.col("day").str.to_date("%Y"))),
            GraphTypeError,
            "the table cannot be read: ",
        ),
        (
            lambda: boruvka.minimum_spanning_forest(
                as_graph(LAZY.with_columns(pl.col("day").str.to_date("%Y")))
            ).to_pandas("day"),
            GraphTypeError,
            "the table cannot be read: ",
        ),
        (
            lambda: as_graph(nx.path_graph(3), weight=memoryview(np.zeros((2, 2)))),
            OptionError,
            "weight must be the name of an attribute, got <memory",
        ),
        (lambda: GRAPH.with_names([NO_HASH, 1, 2]), GraphTypeError, "the name of a vertex cannot be a key"),
        (lambda: Forest(GRAPH, None), GraphTypeError, "the forest cannot be read as an array"),
        (
            lambda: Forest(GRAPH, [True, False]),
            GraphTypeError,
            "a forest is a Forest, the indices of its edges, a mask of 3 booleans",
        ),
        (lambda: Forest(GRAPH, [0, True]), GraphTypeError, "the forest has booleans among numbers"),
        (lambda: Forest(5, [0, 1]), GraphTypeError, "cannot make a graph of int"),
        (lambda: Forest(GRAPH, [0, 5]), GraphError, "there is no edge 5"),
        (lambda: Forest(GRAPH, [0, 0]), GraphError, r"edge 0 \(0, 1\) is in the forest twice"),
        (lambda: Forest(GRAPH, [0, 2, 1]), GraphError, r"edge 2 \(.*\) of the forest closes a cycle"),
        (lambda: Forest(GRAPH, [(0, 1), (0, 7)]), GraphError, "7"),
    ],
)
def test_errors(use, error, message):
    with pytest.raises(error, match=message):
        use()


@pytest.mark.parametrize("edges", [[0, 1], (0, 1), range(2), pl.Series([0, 1]), np.array([0, 1], np.uint8)])
def test_edges_of_a_forest_in_any_array(edges):
    forest = Forest(GRAPH, edges)
    assert verify(GRAPH, forest)
    assert forest.path(0, 2).tolist() == [0, 1]
    assert forest.sensitivity().rival.tolist() == [2, 2, 1]


def test_a_forest_of_no_edges():
    for edges in ([], (), np.array([])):
        assert Forest(GRAPH, edges).labels.tolist() == [0, 1, 2]
