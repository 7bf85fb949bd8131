"""The nearest vertices against all distances."""

import numpy as np
import pandas as pd
import pytest

import boruvka
from boruvka import Graph
from boruvka.errors import GraphError, GraphWarning, OptionError


def nearest_of(distances, vertices, k, maximum=False):
    """List the rows of `Forest.nearest` by definition; NaN means that there is no edge."""
    rows = []
    for x in vertices:
        others = [(w, y) for y, w in enumerate(distances[x]) if y != x and not np.isnan(w)]
        others.sort(key=lambda pair: (-pair[0] if maximum else pair[0], pair[1]))
        last = [w for w, _ in others[:k]][-1:]
        far = [(w > last[0]) != maximum and w != last[0] for w, _ in others]
        rows += [[x, y, w] for (w, y), is_far in zip(others, far, strict=True) if not is_far]
    return rows


def distances_of_profiles(profiles, missing):
    both = (profiles[:, None] > 0) & (profiles > 0)
    differ = ((profiles[:, None] != profiles) & both).sum(axis=2)
    if missing == "ignore":
        return differ.astype(float)
    loci = profiles.shape[1]
    return np.where(both.any(axis=2), np.floor(differ * (loci / both.sum(axis=2).clip(1)) + 0.5), loci)


@pytest.mark.parametrize("missing", ["ignore", "scale"])
@pytest.mark.parametrize("k", [1, 3, 99])
def test_strains(missing, k):
    rng = np.random.default_rng(k)
    profiles = rng.integers(0, 4, (25, 9))
    table = pd.DataFrame(profiles, columns=[f"g{k}" for k in range(9)], index=[f"S{k}" for k in range(25)])
    forest = boruvka.minimum_spanning_forest(Graph.from_profiles(table, missing=missing))
    chosen = [7, 0, 24]
    found = forest.nearest([f"S{x}" for x in chosen], k)
    expected = nearest_of(distances_of_profiles(profiles, missing), chosen, k)
    assert found.values.tolist() == [[f"S{x}", f"S{y}", w] for x, y, w in expected]
    assert found.columns.tolist() == ["strain", "nearest", "weight"]
    assert forest.nearest("S7", k).equals(found[found["strain"] == "S7"])


@pytest.mark.parametrize("maximum", [False, True])
def test_matrices_and_lists_of_edges(maximum):
    """Parallel edges, loops, entries without a distance, and all vertices, of which some have no edge."""
    rng = np.random.default_rng(5)
    u, v, w = rng.integers(0, 12, (3, 40))
    best = np.full((14, 14), np.nan)
    for a, b, weight in zip(u.tolist(), v.tolist(), w.tolist(), strict=True):
        pair = [weight, best[a, b]]
        best[a, b] = best[b, a] = (np.nanmax if maximum else np.nanmin)(pair)
    forest = boruvka.minimum_spanning_forest((u, v, w, 14), maximum=maximum)
    expected = nearest_of(best, range(14), 2, maximum)
    assert forest.nearest(k=2).values.tolist() == expected
    matrix = boruvka.minimum_spanning_forest(Graph.from_dense(best, null_value=np.nan), maximum=maximum)
    assert matrix.nearest(k=2).values.tolist() == expected
    assert list(forest.nearest([], k=2)) == ["vertex", "nearest", "weight"]


@pytest.mark.parametrize("kind", ["random", "grid", "copies"])
def test_points(kind):
    """A tree finds the neighbours of many points; ties and equal points are compared with all."""
    rng = np.random.default_rng(3)
    points = rng.integers(0, 30, (220, 2)).astype(float) if kind == "grid" else rng.random((220, 2))
    points[: 60 * (kind == "copies")] = points[0]
    graph = Graph.from_points(points)
    distances = np.full((220, 220), np.nan)
    distances[np.triu_indices(220, 1)] = graph.w
    distances = np.fmax(distances, distances.T)
    forest = boruvka.minimum_spanning_forest(graph)
    for k in 1, 4:
        assert forest.nearest(k=k).values.tolist() == nearest_of(distances, range(220), k)


def test_removed_edges_do_not_count():
    forest = boruvka.minimum_spanning_forest([("a", "b", 1), ("a", "c", 2), ("b", "c", 3)])
    assert forest.nearest("a").values.tolist() == [["a", "b", 1]]
    assert forest.update([], removed=[0]).nearest("a").values.tolist() == [["a", "c", 2]]


def test_names_of_strains():
    strains = pd.DataFrame({"l1": [1, 1, 2], "l2": [1, 2, 2]}, index=["a.fasta", "b.fasta", "c.fasta"])
    forest = boruvka.minimum_spanning_forest(Graph.from_profiles(strains))
    for names, whole in ("a", "a.fasta"), (["c", "a.fasta"], ["c.fasta", "a.fasta"]):
        with pytest.warns(GraphWarning, match="matched by names without folders and endings"):
            assert forest.nearest(names).equals(forest.nearest(whole))


def test_wrong_questions():
    strains = pd.DataFrame({"l1": [1, 1, 2], "l2": [1, 1, 1]}, index=["a", "b", "c"])
    forest = boruvka.minimum_spanning_forest(Graph.from_profiles(strains))
    with pytest.raises(GraphError, match="'x' is the name of no vertex"):
        forest.nearest("x")
    with pytest.raises(OptionError, match="k must be an integer 1 or more, got 0"):
        forest.nearest(k=0)
    groups = boruvka.minimum_spanning_forest(Graph.from_profiles(strains, collapse=True))
    for several in groups, forest.collapse_at(0), forest.collapse_at(-1):
        with pytest.raises(GraphError, match="vertices are several strains: make the forest without"):
            several.nearest()
