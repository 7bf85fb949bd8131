"""Real graphs with known answers."""

import re

import numpy as np
import pytest

import boruvka
from boruvka import Graph, minimum_spanning_forest
from boruvka.trees.segmentation import pixel_graph
from tests.other_files import read_counted, read_graph_tool


def check(graph, weight, components=1, approx=False):
    forest = minimum_spanning_forest(graph)
    assert forest.weight == (pytest.approx(weight, abs=5e-5) if approx else weight)
    assert forest.n_components == components
    assert boruvka.verify(graph, forest)


@pytest.mark.parametrize(
    ("file", "weight", "components"),
    [
        ("roads/USA-road-d.NY.gr.gz", 261159288, 1),
        ("roads/rome99.gr.gz", 1186386, 1),
        ("roads/world-highways.csv.gz", 1835255766, 1198),
        ("census/ak2010.gr.gz", 5414746115, 50),
    ],
)
def test_roads_and_census(data, file, weight, components):
    check(boruvka.read(data / file), weight, components)


def test_course_tests(data):
    files = sorted((data / "course_tests").glob("input_random_*.txt"))
    assert len(files) == 34
    for file in files:
        answer = int((file.parent / file.name.replace("input", "output")).read_text())
        assert minimum_spanning_forest(read_counted(file)).weight == answer


@pytest.mark.parametrize(
    ("name", "weight"), [("tiny", 1.81), ("medium", 10.46351), ("1000", 20.77320), ("10000", 65.24072)]
)
def test_sedgewick_and_wayne(data, name, weight):
    graph = read_counted(data / "course_tests" / f"{name}EWG.txt", first=0)
    check(graph, weight, approx=True)


@pytest.mark.needs("scipy")
def test_steiner(data):
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    files = sorted((data / "steiner").glob("*.gr"))
    assert len(files) == 12
    for file in files:
        text = file.read_text()
        n = int(re.search(r"Nodes (\d+)", text)[1])
        u, v, w = np.array(re.findall(r"^E (\d+) (\d+) (\d+)", text, re.MULTILINE), np.int64).T
        other = sparse.coo_array((w, (u - 1, v - 1)), shape=(n, n)).tocsr()
        assert other.nnz == w.size  # no parallel edges, which SciPy would add
        assert minimum_spanning_forest(boruvka.read(file)).weight == minimum_spanning_tree(other).sum()


def test_collaboration(data):
    graph = read_graph_tool(data / "collaboration" / "cond-mat-2005.gt.gz")
    assert (graph.n, graph.m) == (40421, 175693)
    assert np.isinf(graph.w).any()
    check(graph, 15494.8103, 1798, approx=True)


@pytest.mark.parametrize(
    ("name", "edges", "weight"), [("face", 3140354, 6135006), ("ascent", 1045506, 491172)]
)
def test_images(data, name, edges, weight):
    with np.load(data / "images" / "face_ascent.npz") as images:
        graph = pixel_graph(images[name])
    assert graph.m == edges
    check(graph, weight)


@pytest.mark.long
def test_all_strains(data):
    """The complete graph on 10,780 strains: 58 million edges."""
    text = (data / "epidemiology" / "saureus-mlst-profiles.tsv").read_text().splitlines()[1:]
    profiles = np.array([line.split("\t")[1:8] for line in text])
    _, codes = np.unique(profiles, return_inverse=True)
    codes = codes.reshape(profiles.shape).astype(np.int32)
    n = len(codes)
    distances = np.zeros((n, n), np.uint8)
    for locus in codes.T:
        distances += locus[:, None] != locus[None, :]
    u, v = (ends.astype(np.uint32) for ends in np.triu_indices(n, 1))
    check(Graph(n, u, v, distances[u, v]), 12553)
