import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from boruvka import Graph, as_graph, minimum_spanning_forest
from boruvka.graph.summary import summarise


def neighbours(matrix):
    return {i: {j: row[j] for j in np.flatnonzero(row).tolist()} for i, row in enumerate(matrix)}


def test_a_graph_is_summarised():
    graph = Graph(6, [0, 1, 0, 2, 1], [1, 0, 1, 2, 4], [5.0, -1.5, 2.0, 3.0, 4.0])
    assert summarise(graph) == {
        "vertices": 6,
        "edges": 5,
        "self_loops": 1,
        "parallel_edges": 2,
        "isolated_vertices": 2,
        "components": 4,
        "mean_degree": 1.667,
        "largest_degree": 4,
        "weights": "float64",
        "smallest_weight": -1.5,
        "largest_weight": 5.0,
    }


@pytest.mark.parametrize("convert", [Graph.from_dense, sparse.csr_array, neighbours])
def test_both_entries_of_a_matrix_are_one_edge(convert):
    """Against NetworkX; some edges have one entry."""
    matrix = np.random.default_rng(4).integers(-3, 4, (9, 9))
    matrix[matrix < 0] = 0
    np.fill_diagonal(matrix, 0)
    graph, expected = as_graph(convert(matrix)), nx.Graph(list(zip(*np.nonzero(matrix), strict=True)))
    found = summarise(graph)
    assert (found["entries"], found["edges"]) == (np.count_nonzero(matrix), expected.number_of_edges())
    assert found["entries"] > found["edges"] > 9
    assert (found["parallel_edges"], found["weights"]) == (0, "int64")
    degrees = [degree for _, degree in expected.degree()]
    assert (found["largest_degree"], found["mean_degree"]) == (max(degrees), round(sum(degrees) / 9, 3))
    assert f"entries={graph.m}, weights" in repr(graph)
    assert ">entries</th>" in graph._repr_html_().replace(' scope="row" style="text-align: left"', "")
    assert f" of {graph.m} entries<" in minimum_spanning_forest(graph)._repr_html_()


def test_an_empty_graph_is_summarised():
    summary = summarise(Graph(0, [], [], []))
    assert (summary["vertices"], summary["components"], summary["largest_degree"]) == (0, 0, 0)
    assert summary["smallest_weight"] is None
