"""Real graphs hold the vertices and edges that their sources state."""

import numpy as np
import pytest

from boruvka.formats import read


def distinct_edges(graph):
    low, high = np.minimum(graph.u, graph.v).astype(np.uint64), np.maximum(graph.u, graph.v)
    return np.unique((low * np.uint64(graph.n) + high)[low != high]).size


@pytest.mark.parametrize(
    ("name", "n", "entries", "edges"),
    [
        ("roads/USA-road-d.NY.gr.gz", 264_346, 733_846, 365_050),
        ("roads/rome99.gr.gz", 3_353, 8_870, 4_831),
        ("roads/world-highways.csv.gz", 560_282, 822_234 + 7_745, 822_234),
        ("census/ak2010.gr.gz", 45_292, 108_549, 108_549),
    ],
)
def test_roads_and_census(data, name, n, entries, edges):
    graph = read(data / name)
    assert (graph.n, graph.m, distinct_edges(graph)) == (n, entries, edges)
    assert graph.w.dtype == np.int64


def test_steiner(data):
    files = sorted((data / "steiner").glob("track*.gr"))
    assert files
    for path in files:
        words = path.read_text().split()
        graph = read(path)
        assert graph.n == int(words[words.index("Nodes") + 1])
        assert graph.m == int(words[words.index("Edges") + 1]) == words.count("E")
