from collections import Counter, defaultdict

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex

import boruvka
from boruvka.errors import GraphError, OptionError
from boruvka.trees.plotting.dendrogram import STRIP
from boruvka.trees.plotting.style import INK


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


def test_heights_that_are_angles(points):
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points, "haversine", degrees=True))
    axes = forest.plot_dendrogram(height="30'", leaves=60)
    assert axes.lines[0].get_ydata()[0] == pytest.approx(0.5, rel=1e-15)
    colors = {to_hex(color) for collection in axes.collections for color in collection.get_colors()}
    sizes = np.bincount(forest.cut_at(np.radians(0.5)))
    assert len(colors - {to_hex(INK)}) == np.count_nonzero(sizes > 1)
    with pytest.warns(
        boruvka.GraphWarning, match=r"height=2.0 \(114.592 degrees\) is not .*weight \(degrees\) \d"
    ):
        forest.plot_dendrogram(height=2)
    assert max(heights_of(axes)) == pytest.approx(np.degrees(forest.w.max()))


def test_many_clusters_have_different_colors():
    """Eight clusters; a height above all merges cuts none, and a warning says so."""
    centres = np.stack(np.divmod(np.arange(8), 4), axis=1) * 9.0
    points = (centres[:, None] + np.random.default_rng(2).random((8, 5, 2))).reshape(-1, 2)
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    axes = forest.plot_dendrogram(leaves=40, height=4)
    colors = [to_hex(x) for x in axes.collections[0].get_edgecolors()]
    of_cluster = forest.cut_at(4)
    counts = [*np.bincount(of_cluster) - 1, 7]  # links of each cluster, and of all in ink
    assert sorted(Counter(colors).values()) == sorted(counts)
    with pytest.warns(boruvka.GraphWarning, match=r"height=100\.0 is not below the highest merge, weight 8"):
        forest.plot_dendrogram(height=100)


@pytest.mark.parametrize(
    ("leaves", "min_size", "components"),
    [(2, 1, 1), (3, 1, 1), (30, 1, 15), (30, 3, 15), (87, 1, 43), (88, 1, 44), (400, 1, 44)],
)
def test_the_largest_components_are_drawn(leaves, min_size, components):
    """The links of each component are its last merges; no leaf has vertices of two components."""
    rng, sizes = np.random.default_rng(0), [5] * 20 + [100] + [4] * 20 + [1] * 3
    starts = np.cumsum(sizes) - sizes
    edges = [
        (s + rng.integers(0, k), s + k) for s, size in zip(starts, sizes, strict=True) for k in range(1, size)
    ]
    u, v = np.transpose(edges)
    forest = boruvka.minimum_spanning_forest((u, v, rng.random(u.size), sum(sizes)))
    if components == len(sizes):
        axes = forest.plot_dendrogram(leaves=leaves, min_size=min_size)
    else:
        left = f"{44 - components} of 44 components, the smallest, are not drawn; leaves=88 draws all"
        with pytest.warns(boruvka.GraphWarning, match=left):
            axes = forest.plot_dendrogram(leaves=leaves, min_size=min_size)
        assert f"without {44 - components} of 44 components" in axes.get_title(loc="left")
    ticks = axes.get_xticklabels() if leaves <= 100 else axes.get_yticklabels()
    labels = [tick.get_text() for tick in ticks]
    drawn = [int(label[1:-1]) if label.startswith("(") else 1 for label in labels]
    inside = sum(sorted(sizes)[-components:])
    assert len(labels) == min(leaves, inside) or min_size > 1
    assert len(heights_of(axes)) == len(labels) - components
    assert sum(drawn) == inside or (min_size > 1 and sum(drawn) < inside)


def test_names_and_long_chains():
    forest = boruvka.minimum_spanning_forest([("a", "b", 2), ("b", "<c>", 5)], backend="interpreted")
    axes = forest.plot_dendrogram()
    assert {label.get_text() for label in axes.get_xticklabels()} == {"a", "b", "<c>"}
    n = 50_000  # deeper than Python recurses
    chain = boruvka.minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.arange(1, n)))
    axes = chain.plot_dendrogram(leaves=100)
    assert heights_of(axes) == list(range(n - 99, n))
    assert 0 < axes.get_ylim()[0] < n - 99  # empty space below the merges is cut off


def test_many_leaves_are_below_each_other():
    points = np.random.default_rng(2).random((300, 3))
    names = [f"S{i}" for i in range(300)]
    tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points, names=names))
    axes = tree.plot_dendrogram(leaves=300, height=0.1)
    assert {label.get_text() for label in axes.get_yticklabels()} == set(names)
    paths = [path for collection in axes.collections for path in collection.get_paths()]
    assert sorted(float(path.vertices[1, 0]) for path in paths) == sorted(tree.w.tolist())
    assert axes.lines[-1].get_xdata()[0] == 0.1
    axes.figure.canvas.draw()
    boxes = np.array([label.get_window_extent().extents[[1, 3]] for label in axes.get_yticklabels()])
    boxes = boxes[np.argsort(boxes[:, 0])]
    assert (boxes[1:, 0] > boxes[:-1, 1] - 3).all()  # lines of text, which have room above letters


def test_components_are_beside_each_other():
    edges = [("a", "b", 2), ("b", "c", 5), ("d", "e", 3), ("f", "f", 1)]
    forest = boruvka.minimum_spanning_forest(edges)
    axes = forest.plot_dendrogram(height=2)
    assert heights_of(axes) == [2, 3, 5]
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert sorted(labels) == list("abcdef")
    assert abs(labels.index("d") - labels.index("e")) == 1
    assert axes.get_ylim()[1] > 5
    nothing = boruvka.minimum_spanning_forest(([], [], [], 4), backend="interpreted").plot_dendrogram()
    assert heights_of(nothing) == []
    assert len(nothing.get_xticklabels()) == 4


@pytest.mark.parametrize("leaves", [60, 20])
@pytest.mark.needs("pandas")
def test_colors_of_leaves(forest, leaves):
    pandas = pytest.importorskip("pandas")
    sectors = pandas.Series(["x"] * 20 + ["y"] * 25 + ["z"] * 15, name="sector").sample(
        frac=1, random_state=1
    )
    axes = forest.plot_dendrogram(leaves=leaves, height=1, colors=sectors)
    assert len({tuple(color) for color in axes.collections[0].get_edgecolors()}) == 1  # colors are sectors
    colors = [to_hex(handle.get_facecolor()[0]) for handle in axes.figure.legends[0].legend_handles]
    drawn = shares(axes)
    found = Counter(tuple(drawn[x].get(color, 0) for color in colors) for x in range(leaves))
    clusters = forest.cut(leaves)
    counts = [Counter(sectors.sort_index()[clusters == k]) for k in range(leaves)]
    assert found == Counter(tuple(round(c[x] / c.total(), 9) for x in "yxz") for c in counts)
    (legend,) = axes.figure.legends
    assert legend.get_title().get_text() == "sector"
    assert [text.get_text() for text in legend.get_texts()] == ["y (25)", "x (20)", "z (15)"]
    values = np.where(np.arange(60) % 7, np.arange(60.0), np.nan)
    numbers = forest.plot_dendrogram(leaves=leaves, colors=values)
    scale = ScalarMappable(Normalize(1, 59), colormaps["viridis"].with_extremes(bad="lightgrey"))
    medians = [values[clusters == k] for k in range(leaves)]
    medians = [np.sort(x[~np.isnan(x)]) for x in medians]
    medians = [x[(x.size - 1) // 2] if x.size else np.nan for x in medians]
    expected = Counter(to_hex(scale.to_rgba(x)) for x in medians if x == x)
    found = Counter(color for bars in shares(numbers).values() for color in bars)
    assert found.total() == leaves
    assert expected <= found
    with pytest.raises(GraphError, match="colors"):
        forest.plot_dendrogram(colors=["x"])


def shares(axes):
    """Return the share of each color at each leaf."""
    found = defaultdict(dict)
    for bar in axes.patches:
        leaf = round(bar.get_x() + bar.get_width() / 2)
        found[leaf][to_hex(bar.get_facecolor())] = round(-bar.get_height() / STRIP, 9)
    return found


@pytest.mark.parametrize("min_size", [2, 5, 60])
def test_outliers_are_no_leaves(min_size):
    """Merges of two clusters of the size, found by sets, and the leaves that they join."""
    points = np.random.default_rng(5).normal(size=(90, 2)) ** 3
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    cluster_of, heights, leaves = [frozenset([i]) for i in range(90)], [], []
    inner = set()  # clusters in which such a merge is
    for edge in np.argsort(forest.w, kind="stable"):
        a, b = (cluster_of[x[edge]] for x in (forest.u, forest.v))
        if min(len(a), len(b)) >= min_size:
            heights.append(forest.w[edge])
            leaves += [len(x) for x in (a, b) if x not in inner]
            inner.add(a | b)
        elif a in inner or b in inner:
            inner.add(a | b)
        for i in a | b:
            cluster_of[i] = a | b
    axes = forest.plot_dendrogram(leaves=90, min_size=min_size, colors=["x"] * 90)
    assert heights_of(axes)[-len(heights) or 90 :] == heights
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert sorted(labels) == sorted(f"({size})" for size in leaves or [90])
    assert axes.figure.legends[0].get_texts()[0].get_text() == "x (90)"
    late = 90 - (sum(leaves) or 90)
    expected = f"without {late} of 90, which join in groups of fewer than {min_size}" if late else ""
    assert axes.get_title(loc="left") == expected


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("leaves", [8, 60])
def test_the_axis_of_similarities_falls(points, leaves):
    """SciPy has the same links and leaves for 1 minus the similarities; some similarities are negative."""
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import pdist

    distances = pdist(points)
    u, v = np.triu_indices(60, 1)
    forest = boruvka.minimum_spanning_forest((u, v, 1 - distances), maximum=True)
    axes = forest.plot_dendrogram(leaves=leaves, height=0.5)
    linkage = hierarchy.linkage(distances, "single")
    expected = hierarchy.dendrogram(linkage, p=leaves, truncate_mode="lastp", no_plot=True)
    assert heights_of(axes) == pytest.approx(sorted(1 - d[1] for d in expected["dcoord"]))
    assert [label.get_text() for label in axes.get_xticklabels()] == expected["ivl"]
    bottom, top = axes.get_ylim()
    assert top < min(heights_of(axes)) < 0 < max(heights_of(axes)) < bottom
    assert axes.lines[-1].get_ydata()[0] == 0.5
    colors = {to_hex(x) for x in axes.collections[0].get_edgecolors()} - {INK}
    clusters = np.count_nonzero(np.bincount(forest.cut_at(0.5)) > 1)
    assert leaves < 60 or len(colors) == clusters
    with pytest.warns(boruvka.GraphWarning, match=r"height=-9\.0 is not above the lowest merge, weight -1"):
        forest.plot_dendrogram(height=-9)


def test_what_has_no_dendrogram(forest):
    for graph in (([0, 1], [1, 2], [5, -1], 4), ([], [], [], 1)):
        with pytest.raises(GraphError, match=r"needs distances|at least two"):
            boruvka.minimum_spanning_forest(graph, backend="interpreted").plot_dendrogram()
    for leaves in (1, 501, "many"):
        with pytest.raises(OptionError, match="leaves must be an integer from 2 to 500"):
            forest.plot_dendrogram(leaves=leaves)
    with pytest.raises(OptionError, match="height must be a number"):
        forest.plot_dendrogram(height=-1)


@pytest.mark.filterwarnings("ignore:height=0.95 is not below")
def test_the_axis_shows_the_merges_and_the_line():
    """Where merges are far from 0, they fill the axis, unless a line is far from them."""
    w = np.linspace(0.86, 0.878, 19)
    forest = boruvka.minimum_spanning_forest((np.arange(19), np.arange(1, 20), w))
    for height in None, 0.35, 0.85, 0.87, 0.95:
        axes = forest.plot_dendrogram(height=height)
        low, high = axes.get_ylim()
        shown = [*w, height or w[0]]
        assert low < min(shown) < max(shown) < high
        if height != 0.35:
            assert max(shown) - min(shown) > 0.8 * (high - low)
    assert forest.plot_dendrogram(height=0.35).get_ylim()[0] == 0


@pytest.mark.parametrize("leaves", [4, 150])
def test_the_axis_names_the_column_of_weights(leaves):
    pandas = pytest.importorskip("pandas")
    u = np.arange(200)
    frame = pandas.DataFrame({"from": u, "to": u + 1, "score $x$": u + 1.5})
    graph = boruvka.as_graph(frame, weight="score $x$")
    axes = boruvka.minimum_spanning_forest(graph, maximum=True).plot_dendrogram(leaves=leaves)
    label = axes.get_xlabel() if leaves > 100 else axes.get_ylabel()
    assert label == "score $x$ at which clusters merge"
    axes = boruvka.minimum_spanning_forest(([0, 1], [1, 2], [3, 4])).plot_dendrogram()
    assert axes.get_ylabel() == "weight at which clusters merge"
