"""Births and deaths of components, as the page on persistence finds them, compared with GUDHI and Ripser."""

import runpy
from pathlib import Path

import numpy as np
import pytest

import boruvka

EXAMPLE = Path(__file__).parents[2] / "examples" / "how_to" / "persistence.py"


def deaths(points):
    tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    return np.append(np.sort(tree.w), [np.inf] * tree.n_components)


def point_sets():
    rng = np.random.default_rng(1)
    return [rng.random((40, 2)), rng.integers(0, 4, (30, 3)).astype(float), np.zeros((3, 2))]


@pytest.mark.parametrize("points", point_sets())
def test_points(points):
    """At each distance, as many components are alive as the graph of closer points has."""
    distance = np.sqrt(((points[:, None] - points) ** 2).sum(axis=-1))
    for most in [0.0, *np.unique(distance), np.inf]:
        label = np.arange(len(points))
        for _ in points:
            label = np.where(distance <= most, label, len(points)).min(axis=1)
        assert (deaths(points) > most).sum() == len(set(label.tolist())) - (most == np.inf)


@pytest.mark.parametrize("points", point_sets())
def test_points_by_ripser(points):
    ripser = pytest.importorskip("ripser")
    expected = ripser.ripser(points, maxdim=0)["dgms"][0][:, 1]
    found = deaths(points)
    np.testing.assert_allclose(found[found > 0], np.sort(expected[expected > 0]), rtol=1e-6)


@pytest.mark.parametrize("points", point_sets())
def test_points_by_gudhi(points):
    gudhi = pytest.importorskip("gudhi")
    tree = gudhi.RipsComplex(points=points).create_simplex_tree(max_dimension=1)
    found = sorted(d for dimension, (_, d) in tree.persistence(min_persistence=-1) if dimension == 0)
    np.testing.assert_allclose(deaths(points), found, rtol=1e-12)


def sublevel_pairs(monkeypatch, tmp_path, values):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    elder_rule = runpy.run_path(str(EXAMPLE))["elder_rule"]
    pyplot.close("all")
    u = np.arange(values.size - 1)
    forest = boruvka.minimum_spanning_forest((u, u + 1, np.maximum(values[u], values[u + 1])))
    return sorted(map(tuple, elder_rule(forest, values).tolist()))


def test_sublevels(monkeypatch, tmp_path):
    """At each value, as many components are alive as there are runs of values that are not larger."""
    values = np.random.default_rng(4).integers(0, 9, 60) / 4
    pairs = sublevel_pairs(monkeypatch, tmp_path, values)
    for most in np.unique(values):
        runs = np.count_nonzero(np.diff(np.append(False, values <= most).astype(int)) == 1)
        assert sum(birth <= most < death for birth, death in pairs) == runs


def test_sublevels_by_gudhi(monkeypatch, tmp_path):
    gudhi = pytest.importorskip("gudhi")
    values = np.random.default_rng(5).random(80)
    pairs = [pair for pair in sublevel_pairs(monkeypatch, tmp_path, values) if pair[0] < pair[1]]
    expected = gudhi.CubicalComplex(vertices=values).persistence()
    assert pairs == sorted(pair for dimension, pair in expected if dimension == 0)
