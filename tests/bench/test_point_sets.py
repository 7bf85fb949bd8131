"""Points to measure: families, files, and what worker processes load."""

import numpy as np
import pytest

import boruvka
from boruvka.bench.graphs import names_of
from boruvka.bench.point_sets import POINT_FAMILIES, POINT_SUITES, PointSet, PointsTask
from boruvka.bench.worker import load_graph, save_graph
from boruvka.errors import FormatError, OptionError

PLAIN = PointsTask()


@pytest.mark.parametrize("family", POINT_FAMILIES)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_families(family, d):
    points = PLAIN.point_set(f"{family}:n=230,d={d},seed=3").points
    assert (points.shape, points.dtype) == ((230, d), np.float64)
    assert np.isfinite(points).all()
    np.testing.assert_array_equal(points, PLAIN.point_set(f"{family}:n=230,d={d},seed=3").points)
    assert (points != PLAIN.point_set(f"{family}:n=230,d={d},seed=4").points).any()


def test_shapes_of_families():
    lattice = PLAIN.point_set("lattice:n=27,d=3").points
    assert sorted(map(tuple, lattice.tolist())) == [
        (x, y, z) for x in range(3) for y in range(3) for z in range(3)
    ]
    far = PLAIN.point_set("far_clusters:n=100,d=2,distance=5000").points
    tree = boruvka.minimum_spanning_forest(PointSet(far, PLAIN).graph)
    assert np.sort(tree.w)[-1] > 4900
    assert np.sort(tree.w)[-2] < 10
    line = PLAIN.point_set("line:n=50,d=3").points
    assert (line == line[:, :1]).all()
    assert len(np.unique(PLAIN.point_set("equal:n=500,d=2,copies=50").points, axis=0)) == 10


def test_files(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("name,x,y\na,1,2\nb,4,6\n")
    found = PLAIN.point_set(str(path))
    assert (found.n, found.m, found.points.tolist()) == (2, 1, [[1, 2], [4, 6]])
    assert found.graph.w.tolist() == [5]
    path.write_text("x\n?\n1\n")
    with pytest.raises(FormatError, match=r"p\.csv:2: '\?' in column 'x' is not a number: correct it$"):
        PLAIN.point_set(str(path))


def test_suites_and_names():
    for suite in POINT_SUITES:
        assert names_of((), suite, POINT_SUITES, POINT_FAMILIES) == POINT_SUITES[suite]
    assert names_of((), None, POINT_SUITES, POINT_FAMILIES) == POINT_SUITES["quick"]
    for name, message in {
        "uniform:k=3": "uniform has no argument 'k'; it has n, d, seed",
        "kronecker": "no such file, and no such family: give uniform, normal",
        "uniform:n=many": "n must be a whole number, got 'many'",
    }.items():
        with pytest.raises(OptionError, match=message):
            names_of((name,), None, POINT_SUITES, POINT_FAMILIES)
    for name in "uniform:n=0", "normal:d=0", "equal:copies=0", "clusters:count=0":
        with pytest.raises(OptionError, match="must be an integer 1 or more"):
            PLAIN.point_set(name)


def test_workers_load_what_is_saved(tmp_path):
    task = PointsTask("manhattan", None, 7)
    save_graph(task.point_set("uniform:n=20,d=2"), tmp_path)
    loaded = load_graph(tmp_path)
    assert loaded.task == task
    np.testing.assert_array_equal(loaded.points, task.point_set("uniform:n=20,d=2").points)


def test_descriptions():
    assert PLAIN.description == ""
    assert (
        PointsTask("cosine", 5, 10).description
        == ", cosine, mutual reachability of 5, HDBSCAN from 10 points"
    )
