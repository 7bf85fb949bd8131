import numpy as np
import pytest

import boruvka
from boruvka.errors import FormatError, GraphError, GraphTypeError
from boruvka.formats.edge_table import EdgeTable
from boruvka.stream import verify
from tests.stream.helpers import random_graph, write_text


def claim(graph, edges):
    """Return edges of a graph as a forest that a file states."""
    edges = np.asarray(edges, np.int64)
    return EdgeTable(graph.n, graph.u[edges], graph.v[edges], graph.w[edges], edges)


def wrong_forests(graph):
    """Forests that miss an edge, have one more, another one, or one twice."""
    right = boruvka.minimum_spanning_forest(graph).edges
    outside = np.setdiff1d(np.flatnonzero(graph.u != graph.v), right)
    for k in range(right.size):
        yield np.delete(right, k)
    for edge in outside[:9]:
        yield np.sort(np.append(right, edge))
        for k in range(0, right.size, 5):
            yield np.sort(np.append(np.delete(right, k), edge))
    yield np.sort(np.append(right, right[2]))


def test_messages_are_those_of_the_check_in_memory(tmp_path, tiny_limits):
    graph = random_graph(18, 60, distinct=9)
    path = write_text(tmp_path / "a.txt", graph)
    for edges in wrong_forests(graph):
        expected = boruvka.verify(graph, edges)
        assert not expected
        assert verify(path, claim(graph, edges), threads=1) == expected
    right = boruvka.minimum_spanning_forest(graph)
    assert verify(path, right) == boruvka.verify(graph, right)
    assert not verify(path, right, maximum=True)


def test_first_witness_before_an_unknown_vertex():
    """The edge 2 comes before the edge 3, of a vertex that the forest does not have."""
    graph = boruvka.Graph.from_edges([0, 1, 2, 5, 4], [1, 2, 0, 5, 0], [9, 1, 1, 0, 1])
    edges = [0, 1]
    expected = boruvka.verify(graph, edges)
    assert expected.edge == 2
    assert verify([(graph.u, graph.v, graph.w)], claim(graph, edges)) == expected


def test_edges_that_the_graph_does_not_have(tmp_path):
    graph = random_graph(18, 60)
    right = boruvka.minimum_spanning_forest(graph)
    path = write_text(tmp_path / "a.txt", graph)
    other = claim(graph, right.edges)
    for w in other.w + 1, other.w - 1:
        found = verify(path, other._replace(w=w))
        assert found.message.startswith("the forest has edge ")
        assert found.edge == right.edges[0]
    beyond = claim(boruvka.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, 1, 1]), [0, 1, 2])
    beyond = beyond._replace(edges=np.array([0, 1, 99]))
    found = verify([([0, 1], [1, 2], [1, 1])], beyond)
    assert found.message == "there is no edge 99: the graph has 2 edges, from 0"
    with pytest.raises(GraphTypeError, match="expected a Forest"):
        verify(path, right.edges)


def test_announced_number_of_edges(tmp_path):
    (tmp_path / "a.gr").write_text("p sp 2 2\na 1 2 1\n")
    table = EdgeTable(2, np.array([0]), np.array([1]), np.array([1]), np.array([0]))
    with pytest.raises(FormatError, match=r"a\.gr: announces 2 edges, but holds 1"):
        verify(tmp_path / "a.gr", table)


def test_removed_edges_do_not_count():
    graph = random_graph(18, 60, distinct=9)
    forest = boruvka.minimum_spanning_forest(graph)
    forest = forest.update(removed=forest.edges[[1, 5]]).update(removed=[0])
    for end in 1, 17, 40, 60, *forest.removed.tolist():
        batches = [graph.edges_in_range(0, end), graph.edges_in_range(end, 60)]
        assert verify(batches, forest) == boruvka.verify(graph, forest)
        assert verify(batches, forest).ok
    assert not verify([graph.edges_in_range(0, 60)], claim(graph, forest.edges))


def test_required_edges_are_for_the_check_in_memory():
    edges = [0, 1, 2], [1, 2, 0], [1, 2, 3]
    forest = boruvka.minimum_spanning_forest(edges, required=[2])
    assert boruvka.verify(edges, forest)
    with pytest.raises(GraphError, match="required edges is checked in memory"):
        verify([edges], forest)
