import functools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphTypeError, generators, verify
from tests import oracles
from tests.strategies import graphs

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


@given(graph=graphs(), maximum=st.booleans())
def test_the_forest_is_right(graph, maximum):
    answer = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert verify(graph, answer, maximum=maximum)
    assert verify(graph, minimum_spanning_forest(graph, maximum=maximum))


@given(graph=graphs(), maximum=st.booleans(), data=st.data())
def test_everything_else_is_wrong(graph, maximum, data):
    assume(graph.m)
    answer = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    other = data.draw(st.lists(st.integers(0, graph.m - 1), unique=True, max_size=len(answer) + 1))
    assert verify(graph, other, maximum=maximum).ok == (sorted(other) == answer)


@given(graph=graphs(), data=st.data())
def test_one_edge_exchanged_is_wrong(graph, data):
    answer = oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    outside = sorted(set(range(graph.m)) - set(answer))
    assume(answer and outside)
    wrong = list(answer)
    wrong[data.draw(st.integers(0, len(answer) - 1))] = data.draw(st.sampled_from(outside))
    result = verify(graph, wrong)
    assert not result
    assert result.edge is not None


SQUARE = Graph.from_edges([0, 1, 2, 3, 2], [1, 2, 3, 0, 2], [1, 1, 2, 3, 0])


@pytest.mark.parametrize(
    ("edges", "edge", "heavier", "message"),
    [
        ([0, 1, 9], 9, None, "there is no edge 9: the graph has 5 edges, from 0"),
        ([0, 1, -1], -1, None, "there is no edge -1"),
        ([0, 1, 1], 1, None, r"edge 1 \(1, 2\) is in the forest twice"),
        ([0, 1, 2, 3], 3, None, r"edge 3 \(3, 0\) of the forest closes a cycle"),
        ([0, 1, 2, 4], 4, None, r"edge 4 \(2, 2\) of the forest closes a cycle"),
        ([0, 1], 2, None, r"edge 2 \(2, 3\) joins two trees: the forest does not span"),
        ([], 0, None, r"edge 0 \(0, 1\) joins two trees"),
        ([0, 1, 3], 2, 3, r"edge 2 \(2, 3\) with weight 2 is lighter than edge 3 \(3, 0\) with weight 3"),
    ],
)
def test_what_is_wrong_has_a_witness(edges, edge, heavier, message):
    result = verify(SQUARE, edges)
    assert not result
    assert (result.edge, result.heavier) == (edge, heavier)
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(result.message)


def test_ties_go_to_the_smaller_index():
    graph = Graph.from_edges([0, 0], [1, 1], [5, 5])
    assert verify(graph, [0])
    result = verify(graph, [1])
    assert (result.edge, result.heavier) == (0, 1)
    assert "the smaller index goes first" in result.message
    assert not verify(graph, [1], maximum=True)


def test_right_message():
    assert verify(SQUARE, [0, 1, 2]).message == (
        "3 edges are the minimum spanning forest with 1 component; every edge was checked"
    )


@pytest.mark.parametrize("forest", [[0.5], "abc", [[0, 1]], [[1], [1, 2]], [None]])
def test_what_is_no_forest(forest):
    with pytest.raises(GraphTypeError):
        verify(SQUARE, forest)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_empty_graphs(n):
    assert verify(Graph(n, [], [], []), [])


def check_late_pieces(graph, answer):
    assert verify(graph, answer)
    without = verify(graph, np.delete(answer, -1))
    assert not without
    assert "does not span" in without.message
    last = np.setdiff1d(np.arange(graph.m), answer)[-1]
    exchanged = verify(graph, np.append(answer[:-1], last))
    assert not exchanged


def test_witness_in_a_late_piece(monkeypatch):
    monkeypatch.setattr("boruvka.forest.verify_edge_list.PIECE", 1000)
    graph = generators.random(1000, 20_000, seed=5, dtype="float64")
    check_late_pieces(graph, np.array(oracles.kruskal(graph.n, graph.u, graph.v, graph.w)))


@pytest.mark.long
def test_witness_in_a_late_piece_of_a_large_graph():
    graph = generators.random(300_000, 2_500_000, seed=5)
    check_late_pieces(graph, boruvka.minimum_spanning_forest(graph).edges)
