import pytest

from boruvka import Graph, minimum_spanning_forest
from boruvka.bench.contestants import Outcome
from boruvka.bench.graphs import graph_of
from experiments.adjacency_matrix import FROM_ARRAY, DenseSparseSmall, FromArray, array_of


def test_dense_sparse_small(results):
    (rows,) = results("iith_dense_sparse_small")["tables"].values()
    assert {row["kind"] for row in rows} == {"dense", "sparse", "small"}
    assert {row["contestant"] for row in rows} == {"sequential", "component-ranges", "auto", "dense"}
    for row in rows:
        assert (row["ms to list edges"] is None) == (row["contestant"] == "dense" or row["vertices"] > 20_000)
        if row["kind"] == "dense":
            assert row["edges"] == row["vertices"] * (row["vertices"] - 1) // 2
        if row["kind"] == "small":
            assert row["vertices"] < 100
        if row["contestant"] == "sequential":
            assert row["speed-up"] == 1


def test_an_array_keeps_the_lightest_of_parallel_edges():
    name = "random:n=6,m=200,weights=thousand,dtype=int32,seed=3"
    graph, original = DenseSparseSmall().made(name), graph_of(name)
    array = array_of(graph)
    assert (array == array.T).all()
    assert graph.m == 15
    assert (graph.u < graph.v).all()
    for u, v, w in zip(graph.u, graph.v, graph.w, strict=True):
        ends = {int(u), int(v)}
        between = [
            int(x)
            for a, b, x in zip(original.u, original.v, original.w, strict=True)
            if {int(a), int(b)} == ends
        ]
        assert w == array[u, v] == min(between)
    assert type(graph) is Graph  # a list, not the array itself


@pytest.mark.parametrize(
    "name", ["complete:n=20,weights=few,dtype=int32,seed=1", "random:n=9,m=8,dtype=int32"]
)
def test_answers_from_an_array_are_the_same_edges(name):
    graph, contestant = DenseSparseSmall().made(name), FromArray(FROM_ARRAY, FROM_ARRAY)
    array = contestant.prepare(graph)
    forest = minimum_spanning_forest(graph, backend="interpreted", algorithm="sequential")
    from_array = minimum_spanning_forest(array, backend="interpreted", algorithm=FROM_ARRAY)
    assert contestant.outcome(array, from_array) == Outcome.of(forest.w, forest.edges)


def test_large_graphs_have_no_array():
    graph = graph_of("path:n=20001,weights=thousand,dtype=int32,seed=1")
    assert "too large" in FromArray(FROM_ARRAY, FROM_ARRAY).refusal(graph)
    assert DenseSparseSmall()._ms_to_list(graph) is None
