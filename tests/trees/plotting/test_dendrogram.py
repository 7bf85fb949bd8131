import numpy as np
import pytest

import boruvka
from boruvka.errors import GraphError, OptionError


@pytest.fixture
def points():
    rng = np.random.default_rng(1)
    return np.concatenate([rng.normal(centre, 0.3, (20, 2)) for centre in ((0, 0), (3, 1), (1, 4))])


@pytest.fixture
def forest(points):
    return boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))


def heights_of(axes):
    """Return the heights of all links of a drawing."""
    paths = [path for collection in axes.collections for path in collection.get_paths()]
    return sorted(float(path.vertices[1, 1]) for path in paths)


@pytest.mark.needs("scipy")
def test_the_links_are_the_last_merges(forest):
    from scipy.cluster import hierarchy

    axes = forest.plot_dendrogram(leaves=10)
    expected = hierarchy.dendrogram(forest.linkage(), p=10, truncate_mode="lastp", no_plot=True)
    assert heights_of(axes) == pytest.approx(sorted(d[1] for d in expected["dcoord"]))
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == expected["ivl"]
    assert len(labels) == 10
    assert sum(int(label[1:-1]) if label.startswith("(") else 1 for label in labels) == 60


def test_clusters_below_a_height_have_colors(forest):
    axes = forest.plot_dendrogram(leaves=60, height=1.0)
    assert len(set(forest.cut_at(1.0))) == 3
    colors = {
        tuple(color.tolist())
        for collection in axes.collections
        for color, path in zip(collection.get_edgecolors(), collection.get_paths(), strict=True)
        if path.vertices[1, 1] <= 1
    }
    assert len(colors) == 3
    assert axes.lines[-1].get_ydata()[0] == 1.0
    assert len(heights_of(forest.plot_dendrogram(leaves=60))) == 59


def test_names_and_long_chains():
    forest = boruvka.minimum_spanning_forest([("a", "b", 2), ("b", "<c>", 5)], backend="interpreted")
    axes = forest.plot_dendrogram()
    assert {label.get_text() for label in axes.get_xticklabels()} == {"a", "b", "<c>"}
    n = 50_000  # deeper than Python recurses
    chain = boruvka.minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.arange(1, n)))
    axes = chain.plot_dendrogram(leaves=100)
    assert heights_of(axes) == list(range(n - 99, n))
    assert 0 < axes.get_ylim()[0] < n - 99  # empty space below the merges is cut off


def test_what_has_no_dendrogram(forest):
    for graph in (([0], [1], [5], 3), ([], [], [], 1)):
        with pytest.raises(GraphError, match=r"one component|at least two"):
            boruvka.minimum_spanning_forest(graph, backend="interpreted").plot_dendrogram()
    for leaves in (1, 101, "many"):
        with pytest.raises(OptionError, match="leaves must be an integer from 2 to 100"):
            forest.plot_dendrogram(leaves=leaves)
    with pytest.raises(OptionError, match="height must be a number"):
        forest.plot_dendrogram(height=-1)
