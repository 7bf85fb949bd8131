"""Graphs keep views of arrays: whatever is written to them, no call crashes or raises a foreign error."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import boruvka
from boruvka import Graph, GraphError
from tests.graph.changed_arrays import GRAPHS


@pytest.mark.long
def test_public_functions_of_changed_graphs(tmp_path):
    """All in one process; the end of its errors names the call that crashes."""
    command = [sys.executable, "-m", "tests.graph.changed_arrays", str(tmp_path)]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | path)
    assert run.returncode == 0, run.stderr[-300:]
    assert run.stdout == ""


@pytest.mark.parametrize("m", [5, 1 << 20])
@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (0, 7, r"u\[3\] = 7 is not a vertex: the graph has n = 7 vertices"),
        (1, 2**32 - 1, r"v\[3\] = 4294967295 is not a vertex"),
        (2, np.nan, "edge 3 .* has the weight NaN"),
    ],
)
def test_messages(m, column, value, message):
    arrays = np.arange(m, dtype=np.uint32) % 7, np.arange(1, m + 1, dtype=np.uint32) % 7, np.ones(m)
    graph = Graph(7, *arrays)
    graph.check()
    arrays[column][3] = value
    changed = f"{message}.*: an array was changed after the graph was made of it; make the graph of a copy"
    for function in (
        boruvka.minimum_spanning_forest,
        boruvka.as_graph,
        pickle.loads(pickle.dumps(graph)).check,
    ):
        with pytest.raises(GraphError, match=changed):
            function(graph) if function.__name__ != "check" else function()


def test_a_changed_matrix():
    matrix = np.array([[0.0, 1, 0, 2], [1, 0, 3, 0], [0, 3, 0, 4], [2, 0, 4, 0]])
    graph = Graph.from_dense(matrix)
    forest = boruvka.minimum_spanning_forest(graph)
    matrix[0, 1] = matrix[1, 0] = 0
    with pytest.raises(GraphError, match="a row of the matrix has another number of edges than before"):
        boruvka.minimum_spanning_forest(graph)
    matrix[:] = 0
    with pytest.raises(GraphError, match="a row of the matrix has another number of edges than before"):
        _ = forest.w
    matrix[:] = np.nan
    with pytest.raises(GraphError, match="an entry of the matrix is NaN: it was changed"):
        _ = forest.w


@pytest.mark.parametrize("make", [Graph.from_dense, Graph.from_distances])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("nan", [np.nan, -np.nan])
@pytest.mark.parametrize("changed", [[(0, 1), (1, 0)], [(0, 1)], [(1, 0)], [(299, 4)]])
def test_a_matrix_that_becomes_nan(make, dtype, nan, changed):
    matrix = np.ones((300, 300), dtype)
    graph = make(matrix)
    matrix[7, 7] = nan  # the diagonal does not matter
    assert len(boruvka.minimum_spanning_forest(graph)) == 299
    for i, j in changed:
        matrix[i, j] = nan
    for maximum in (False, True):
        for algorithm in ("auto", "dense", "kruskal"):
            with pytest.raises(GraphError, match="an entry of the matrix is NaN: it was changed"):
                boruvka.minimum_spanning_forest(graph, maximum=maximum, algorithm=algorithm)


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("wrong", [-1, 2**40])
def test_a_forest_of_edges_that_are_none(kind, wrong):
    graph, _ = GRAPHS[kind](np.random.default_rng(2))
    edges = boruvka.minimum_spanning_forest(graph).edges.copy()
    forest = boruvka.Forest(graph, edges, _is_optimal=True)
    edges[2] = wrong
    for query in (
        lambda: forest.w,
        lambda: forest.labels,
        lambda: forest.path(0, 1),
        forest.linkage,
        lambda: forest.update(([0], [1], [0.5])).labels,
    ):
        with pytest.raises(GraphError, match=rf"there is no edge {wrong}: (edges are|the graph has)"):
            query()
