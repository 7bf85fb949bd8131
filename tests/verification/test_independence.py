"""The check runs without the code of solvers, queries and streams."""

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import boruvka
from boruvka import generators
from boruvka.formats import read_forest_edges

CHECK = """
import sys
import numpy as np
import boruvka
u, v, w, edges = (np.load(f"{name}.npy") for name in ("u", "v", "w", "edges"))
"""
IN_MEMORY = "assert boruvka.verify(boruvka.Graph(1000, u, v, w), edges)\n"
POINTS = """
points = np.load("points.npy")
assert boruvka.verify(boruvka.Graph.from_points(points), np.load("tree.npy"))
"""
STREAMED = """
from boruvka import stream
from boruvka.formats import read_forest_edges
batches = [(u[:500], v[:500], w[:500]), (u[500:], v[500:], w[500:])]
assert stream.verify(batches, read_forest_edges("forest.csv"))
"""
SOLVERS = (
    "algorithms",
    "backends.sorting",
    "trees.minimum_spanning",
    "operators.boruvka_round",
    "operators.union_find",
)
QUERIES = "trees.path_maxima", "trees.structure", "trees.queries"
STREAMS = "stream.bottleneck_filter", "stream.edge_pass", "stream.one_pass"


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Write a graph, points and their forests."""
    folder = tmp_path_factory.mktemp("answers")
    graph = generators.random(1000, 4000, seed=1)
    forest = boruvka.minimum_spanning_forest(graph)
    boruvka.write(forest, folder / "forest.csv")
    assert read_forest_edges(folder / "forest.csv").edges is not None
    points = np.random.default_rng(1).random((1500, 2))
    tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points)).edges
    arrays = {"u": graph.u, "v": graph.v, "w": graph.w, "edges": forest.edges, "points": points, "tree": tree}
    for name, array in arrays.items():
        np.save(folder / name, array)
    return folder


@pytest.mark.parametrize(
    ("check", "unused"),
    [
        (IN_MEMORY, ("trees", "stream", "backends.threads", *SOLVERS)),
        (POINTS, ("trees", "stream", "algorithms", "operators.boruvka_round")),
        (STREAMED, (*QUERIES, *STREAMS, *SOLVERS)),
    ],
    ids=["edges", "points", "stream"],
)
def test_what_is_not_imported(answers, check, unused):
    assert all(find_spec(f"boruvka.{name}") for name in unused)  # else nothing would be tested
    code = f"{CHECK}{check}print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=answers
    )
    loaded = set(run.stdout.split())
    assert "boruvka.verification.edges" in loaded
    assert loaded & {f"boruvka.{name}" for name in unused} == set()


def test_the_function_and_the_room_have_different_names():
    code = """
import boruvka.stream, boruvka.verification.verify
from boruvka.stream import verify as streamed
assert callable(boruvka.verify) and boruvka.verify is boruvka.verification.verify.verify is not streamed
assert boruvka.verify(([0], [1], [2]), [0])
"""
    subprocess.run([sys.executable, "-c", code], check=True)
