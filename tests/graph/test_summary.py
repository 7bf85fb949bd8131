from boruvka import Graph
from boruvka.graph.summary import summarise


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


def test_an_empty_graph_is_summarised():
    summary = summarise(Graph(0, [], [], []))
    assert (summary["vertices"], summary["components"], summary["largest_degree"]) == (0, 0, 0)
    assert summary["smallest_weight"] is None
