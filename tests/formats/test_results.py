"""Every public result and every format: the file reads back to the same edges, or an error leaves no file."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import boruvka
from boruvka import BoruvkaError, Graph, GraphTypeError, stream
from boruvka.distributed import ForestPart, StreamedPart
from boruvka.formats import FORMATS, read

EDGES = [("a", "b", 4), ("b", "c", 2), ("a", "c", 3), ("c", "d", 7)]
NUMBERED = Graph(4, [0, 1, 0, 2], [1, 2, 2, 3], [4, 2, 3, 7])
NAMED = Graph.from_edges(*zip(*EDGES, strict=True))
PLACED = NUMBERED.with_coordinates([(0, 0), (1, 0), (0, 1), (2, 2)])
MATRIX = Graph.from_dense([[0, 1, 0, 2], [1, 0, 3, 0], [0, 3, 0, 4], [2, 0, 4, 0]])
POINTS = Graph.from_points([(0, 0), (1, 0), (0, 3), (2, 2)])
WRITTEN = [chosen for chosen in FORMATS if chosen.codec.write]
FORESTS = {
    name: boruvka.minimum_spanning_forest(graph) for name, graph in (("numbered", NUMBERED), ("named", NAMED))
}


def edges_of(graph, edges=slice(None)):
    u, v = (graph.name_of(getattr(graph, end)[edges]).tolist() for end in "uv")
    return Counter(
        (frozenset(map(str, ends)), float(w)) for *ends, w in zip(u, v, graph.w[edges], strict=True)
    )


def written():
    """Yield what is written, its name and its edges."""
    for name, graph in {
        "numbered": NUMBERED,
        "named": NAMED,
        "placed": PLACED,
        "matrix": MATRIX,
        "points": POINTS,
    }.items():
        yield f"graph {name}", graph, edges_of(graph)
        forest = boruvka.minimum_spanning_forest(graph)
        yield f"forest {name}", forest, edges_of(graph, forest.edges)
        excluded = boruvka.minimum_spanning_forest(graph, excluded=forest.edges[:1])
        yield f"constrained {name}", excluded, edges_of(graph, excluded.edges)
    for name, graph in {"numbered": NUMBERED, "named": NAMED, "placed": PLACED}.items():
        a, b = graph.name_of(np.array([0, 3])).tolist()
        tree = boruvka.steiner_tree(graph, [a, b])
        yield f"Steiner tree {name}", tree, edges_of(graph, tree.edges)
        tree = boruvka.minimum_spanning_arborescence(graph, a)
        yield f"arborescence {name}", tree, edges_of(graph, tree.edges)
        update = boruvka.minimum_spanning_forest(graph).update(removed=[1])
        yield f"update {name}", update, edges_of(graph, update.edges)
        random = boruvka.random_spanning_tree(graph)
        yield f"random {name}", random, edges_of(graph, random.edges)
        second = boruvka.edge_disjoint_forests(graph, 2)[1]
        yield f"second forest {name}", second, edges_of(graph, second.edges)
    yield "tuple", ([0, 1], [1, 2], [5, 6]), edges_of(Graph(3, [0, 1], [1, 2], [5, 6]))
    frame = pd.DataFrame(
        {"source": [0, 1], "target": [1, 2], "weight": [5, 6], "edges": [7, 8], "graph": [0, 0]}
    )
    yield "frame", frame, edges_of(Graph(3, [0, 1], [1, 2], [5, 6]))


def refused():
    forest, batch = FORESTS["named"], boruvka.minimum_spanning_forests([NUMBERED, NUMBERED])
    one = np.zeros(1, np.int64)
    part = ForestPart(4, 4, 3, one, one, 2, NUMBERED, one)
    for other in batch, boruvka.IncrementalForest(3), part, StreamedPart(NUMBERED, one, 4), forest.rooted():
        yield other, f"{type(other).__name__} is not a graph"
    for other in (
        *(
            forest.cuts([1]),
            forest.sensitivity(),
            forest.bottleneck(["a"], ["b"]),
            forest.rooted().diameter(),
        ),
        *(boruvka.verify(NAMED, forest), forest.linkage(), forest.labels, forest.edges, forest.to_newick()),
        *(
            forest.to_nodes(),
            forest.rounds,
            forest.weight,
            forest.path("a", "d"),
            [forest, forest],
            3,
            None,
            "graph.csv",
        ),
        *(
            b"graph.csv",
            float("nan"),
            Graph,
            read,
            {1, 2},
            {"a": 1},
            object(),
            pd.DataFrame({"edges": [1, 2]}),
        ),
    ):
        yield other, None


IF_INSTALLED = [
    pytest.param(f, marks=pytest.mark.needs("polars") if f.codec.uses_polars else (), id=f.name)
    for f in WRITTEN
]


@pytest.mark.parametrize("chosen", IF_INSTALLED)
def test_what_is_written_reads_back_to_the_same_edges(chosen, tmp_path):
    path, count = tmp_path / f"output{chosen.endings[0]}", 0
    for name, result, edges in written():
        path.write_bytes(b"before")
        try:
            boruvka.write(result, path, format=chosen.name)
        except BoruvkaError:
            assert path.read_bytes() == b"before"
            continue
        count += 1
        if chosen.codec.holds.lines:
            weights = sorted(read(path, columns=("weight",)).w.tolist())
            assert weights == sorted(w for _, w in edges.elements()), name
        else:
            back = edges_of(read(path, format=chosen.name))
            twice = chosen.name == "matrix" and back.total() > edges.total()
            assert back == (edges + edges if twice else edges), name
    assert [item.name for item in tmp_path.iterdir()] == [path.name]
    assert count >= 5


@pytest.mark.parametrize("chosen", IF_INSTALLED)
def test_other_results_are_refused_and_leave_no_file(chosen, tmp_path):
    format = chosen.name
    path = tmp_path / "output"
    for result, message in refused():
        with pytest.raises(BoruvkaError, match=message):
            boruvka.write(result, path, format=format)
    assert not path.exists()


def test_the_advice_for_a_result_works(tmp_path):
    batch = boruvka.minimum_spanning_forests([NUMBERED, NUMBERED])
    with pytest.raises(GraphTypeError, match=r"ForestBatch is not a graph: .*batch.to_pandas\(\).to_csv"):
        boruvka.minimum_spanning_forest(batch)
    path = tmp_path / "forest.csv"
    boruvka.write(batch[1], path)
    assert edges_of(read(path)) == edges_of(NUMBERED, FORESTS["numbered"].edges)

    forest = boruvka.IncrementalForest()
    forest.insert(NUMBERED.u, NUMBERED.v, NUMBERED.w)
    u, v, w = (getattr(NUMBERED, name) for name in "uvw")
    boruvka.write(Graph.from_edges(u[forest.edges], v[forest.edges], w[forest.edges], n=forest.n), path)
    assert edges_of(read(path)) == edges_of(NUMBERED, FORESTS["numbered"].edges)

    tree = boruvka.steiner_tree(NAMED, ["a", "d"])
    graph = Graph.from_edges(tree.u, tree.v, tree.w, n=tree.graph.n, names=tree.graph.names)
    assert edges_of(graph) == edges_of(NAMED, tree.edges)


def test_a_tree_is_written_as_a_forest_of_its_edges(tmp_path):
    tree = boruvka.steiner_tree(NAMED, ["a", "d"])
    boruvka.write(tree, tmp_path / "tree.csv")
    boruvka.write(boruvka.Forest(NAMED, tree.edges), tmp_path / "forest.csv")
    assert (tmp_path / "tree.csv").read_bytes() == (tmp_path / "forest.csv").read_bytes()
    assert boruvka.formats.read_forest(tmp_path / "tree.csv", NAMED).tolist() == tree.edges.tolist()


def test_a_streamed_forest_is_written(tmp_path):
    boruvka.write(NUMBERED, tmp_path / "graph.csv")
    boruvka.write(stream.minimum_spanning_forest(tmp_path / "graph.csv"), tmp_path / "forest.csv")
    assert edges_of(read(tmp_path / "forest.csv")) == edges_of(NUMBERED, FORESTS["numbered"].edges)
