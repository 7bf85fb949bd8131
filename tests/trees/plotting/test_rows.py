"""Labels of clusters among the values that pictures show."""

import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex

import boruvka
from boruvka.trees.plotting.map import color_categories
from boruvka.trees.plotting.rows import Rows, chosen_vertices, clusters_as_texts
from boruvka.trees.plotting.style import FAINT, OTHERS, PALETTE
from boruvka.trees.plotting.values import NO_CLUSTER, numbered_categories


@pytest.mark.parametrize(
    "labels",
    [[-1, 3, 3, 7, 3, 7], [-1, 0, 1, 0], [2, -1, 0, 1], [0, 0, -3, -2], [0, 0, 0, 1, 1, 0, 1], [-1, -1, -1]],
    ids=str,
)
def test_labels_of_clusters(labels):
    expected = [NO_CLUSTER.get(str(label), str(label)) for label in labels]
    assert clusters_as_texts(np.array(labels)).tolist() == expected


def test_categorical_labels():
    """Integers of a categorical column are categories, and -1 is noise."""
    graph = boruvka.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, 1, 1])
    for given, expected in (
        ([-1, 3, 7, 7], ["noise", "3", "7", "7"]),
        ([5, 2, None, 5], ["5", "2", None, "5"]),
    ):
        column = pd.Series(pd.Categorical(given))
        texts = Rows.of(boruvka.minimum_spanning_forest(graph)).values("colors", column)
        assert texts.tolist() == expected
        names, category, _ = numbered_categories(texts[[0, 1]], np.ones(2), column)
        assert names[category].tolist() == expected[:2]
        assert "-1" not in names


@pytest.mark.parametrize(
    "values",
    [
        [-1, 0, 2, 0],  # there is no 1
        [-4, 0, 1, 0],
        [1, 1, 1, 0, 0, 0],  # not in the order of their first rows: counts, perhaps
        [0, 1, 2, 3],  # ids
        [0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        [2019, 2020, 2020],
        [],
    ],
    ids=str,
)
def test_other_numbers(values):
    values = np.array(values)
    assert clusters_as_texts(values) is values


def test_a_frame_in_place_of_a_column():
    tree = boruvka.minimum_spanning_forest([("a", "b", 1), ("b", "c", 2)])
    frame = pytest.importorskip("pandas").DataFrame({"Symbol": list("cab"), "sector": list("xyx"), "cap": 1})
    with pytest.raises(boruvka.GraphError, match=r"as colors=frame\.set_index\('Name'\)\['Value'\]"):
        tree.plot(colors=frame)


def test_rows_that_are_not_drawn_decide_colors_too():
    texts, ones = np.array([*"bbaca", None], object), np.ones(6)
    colors, entries = color_categories(texts, ones)
    own, shown = color_categories(texts, ones, np.array([1, 1, 0, 1, 0, 0], bool))
    assert own.tolist() == colors.tolist()
    assert shown == [(colors[0], "b (2)"), (colors[3], "c (1)")]
    assert len(entries) == 4


def test_more_clusters_than_colors():
    """Those without a color are told from noise; rows that are not finite are counted apart."""
    labels = np.r_[np.repeat(np.arange(26), np.arange(30, 56)), [-1] * 90, [-2] * 3, [-3] * 5]
    colors, entries = color_categories(clusters_as_texts(labels), np.ones(labels.size))
    legend = {text: color for color, text in entries}
    assert legend["noise (90)"] == FAINT
    assert legend["infinite coordinate (3)"] == legend["missing coordinate (5)"] not in (FAINT, OTHERS)
    assert legend[f"7 others ({sum(range(30, 37))})"] == OTHERS != FAINT
    order = sorted(map(str, range(16, 26))) + sorted(map(str, range(7, 16)))  # the most frequent first
    assert [colors[labels == int(label)][0] for label in order] == list(PALETTE[:19])
    assert set(colors[labels == -1]) == {FAINT}
    assert set(colors[(labels >= 0) & (labels < 7)]) == {OTHERS}


def test_more_clusters_than_colors_in_the_condensed_tree():
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN

    rng = np.random.default_rng(1)
    centers = np.stack(np.divmod(np.repeat(np.arange(25), np.arange(20, 45)), 5), axis=1) * 30
    points = np.vstack(
        [centers + rng.normal(size=centers.shape), rng.uniform(0, 150, (300, 2)), [[np.nan, 0]] * 4]
    )
    model = HDBSCAN(12).fit(points)
    labels, tree = model.labels_, model.condensed_tree_
    assert labels.max() >= 22
    colors, _ = color_categories(clusters_as_texts(labels), np.ones(labels.size))
    columns = next(x for x in tree.plot().collections if isinstance(x, PolyCollection))
    faces = list(map(to_hex, columns.get_facecolors()))
    of_tree = {label: faces[c] for c, label in enumerate(tree.label.tolist()) if label >= 0}
    assert of_tree == {label: colors[labels == label][0] for label in range(labels.max() + 1)}
    assert OTHERS in of_tree.values()


def test_clusters_have_the_colors_of_the_condensed_tree(tmp_path):
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN

    rng = np.random.default_rng(0)
    centers = np.stack(np.divmod(np.arange(12), 4), axis=1) * 15
    points = np.vstack(
        [centers[np.arange(360) % 12] + rng.normal(size=(360, 2)), rng.uniform(0, 60, (20, 2))]
    )
    model = HDBSCAN(12).fit(points)
    assert set(model.labels_) == set(range(-1, 12))
    axes = model.minimum_spanning_tree_.plot(points, colors=model.labels_)
    dots = next(x for x in axes.collections if isinstance(x, PathCollection) and len(x.get_offsets()) == 380)
    colors = list(map(to_hex, dots.get_facecolors()))
    of_labels = dict(zip(model.labels_.tolist(), colors, strict=True))
    assert len(set(of_labels.values())) == 13
    assert [of_labels[label] for label in model.labels_.tolist()] == colors
    assert of_labels.pop(-1) == FAINT
    assert "noise" in "".join(text.get_text() for text in axes.figure.legends[0].get_texts())
    tree = model.condensed_tree_
    (columns,) = (x for x in tree.plot().collections if isinstance(x, PolyCollection))
    faces = list(map(to_hex, columns.get_facecolors()))
    assert {label: faces[c] for c, label in enumerate(tree.label.tolist()) if label >= 0} == of_labels
    model.minimum_spanning_tree_.to_html(tmp_path / "a.html", colors=model.labels_)
    assert '"noise"' in (tmp_path / "a.html").read_text()


@pytest.mark.parametrize("collapse", [False, True])
def test_clusters_of_one_strain_are_one_grey_category(tmp_path, collapse):
    """In a column of `Forest.clusters`, and labels of `Forest.cut_at`, in maps and pages."""
    profiles = [[1, 1, 1], [1, 1, 2], [9, 8, 7], [1, 1, 1], [5, 5, 5], [5, 5, 5], [7, 7, 7]]
    graph = boruvka.Graph.from_profiles(profiles, names=list("abcdefg"), collapse=collapse)
    forest = boruvka.minimum_spanning_forest(graph)
    clusters = forest.clusters([1]).iloc[:, [0, -1]]
    clusters = clusters.set_index(clusters.columns[0])["cluster_1"]
    for colors, names in (clusters, ("a", "e")), (forest.cut_at(1), ("0", "2")):
        legend = forest.plot(colors=colors).figure.legends[0]
        texts = [text.get_text() for text in legend.get_texts()]
        assert sorted(texts) == [f"{names[0]} (3)", f"{names[1]} (2)", "singletons (2)"]
        (grey,) = (h for h, text in zip(legend.legend_handles, texts, strict=True) if "single" in text)
        assert to_hex(grey.get_facecolor()[0]) == FAINT
    forest.to_html(tmp_path / "a.html", metadata=clusters.to_frame(), colors="cluster_1")
    assert '"texts": ["a", "e", "singletons"]' in (tmp_path / "a.html").read_text()
    country = clusters.rename("country")
    assert len(forest.plot(colors=country).figure.legends[0].get_texts()) == 4


def test_cuts_of_a_forest_are_categories():
    forest = boruvka.minimum_spanning_forest((np.arange(29), np.arange(1, 30), np.arange(29)))
    legend = forest.plot(colors=forest.cut(3)).figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["0 (28)", "singletons (2)"]


GALACTIC = pd.DataFrame({"GLON": [300.0, 355, 5], "GLAT": [0.0, -5, 7]})


@pytest.mark.parametrize(
    ("points", "options", "only", "expected"),
    [
        ([[0, 0, 0], [1, 5, 10], [2, 9, 11]], {}, "z=0..10", [1, 1, 0]),
        ([[0, 0, 0], [1, 5, 10], [2, 9, 11]], {"box": 12}, "Y = 8..1", [1, 0, 1]),
        ([[0, 0, 0], [1, 5, 10], [2, 9, 11]], {}, "z=..10, y=3..", [0, 1, 0]),
        ([[0, 0, 0], [1, 5, 10], [2, 9, 11]], {}, "x=0..1,y=9..", "the tree has none of these vertices"),
        (pd.DataFrame({"x [1,2]": [1, 2, 4], "y": [3, 8, 1]}), {}, "x [1,2]=2..,y=0..5", [0, 0, 1]),
        (
            pd.DataFrame({"ra": [359.0, 5, 40], "dec": [0.0, 1, 7]}),
            {"degrees": True},
            "ra=350..10",
            [1, 1, 0],
        ),
        (pd.DataFrame({"x [Mpc]": [1, 2, 4], "mass": [3, 8, 1]}), {}, "mass=2..", [1, 1, 0]),
        ([[0, 0], [1, 5], [2, 9]], {"names": ["z=1..2", "b", "c"]}, "z=1..2", [1, 0, 0]),
        ([[0, 0], [1, 5], [2, 9]], {}, "z=0-10", r"the coordinates are x, y: write only='y=0..10'"),
        ([[0, 0], [0.1, 0.5]], {"metric": "haversine"}, "lon=-1..10", [1, 0]),
        (pd.DataFrame({"mag": [2, 1], "l": [9.0, 95], "b": [-9.0, 9]}), {"degrees": True}, "b=0..", [0, 1]),
        (
            pd.DataFrame({"mag": [2, 1], "l": [9.0, 95], "b": [-9.0, 9]}),
            {"degrees": True},
            "mag=0..",
            "are b, l: write only='l=0..10'",
        ),
        (GALACTIC, {"degrees": True}, "GLON=350..10", [0, 1, 1]),
        (
            GALACTIC,
            {"degrees": True},
            "ra=350..10",
            "the coordinates are GLAT, GLON: write only='GLON=0..10'",
        ),
        (GALACTIC, {"degrees": True}, "GLAT=80..", "only='GLAT=80..' has no vertex: GLAT is from -5 to 7"),
        (GALACTIC.to_numpy(), {}, "x<15", "the coordinates are x, y: write only='y=0..10'"),
    ],
)
def test_ranges_of_coordinates(points, options, only, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points, **options))
    if isinstance(expected, list):
        assert chosen_vertices(forest, only).tolist() == [bool(x) for x in expected]
    else:
        with pytest.raises(boruvka.BoruvkaError, match=expected):
            chosen_vertices(forest, only)


def test_positions_that_are_names_of_other_vertices():
    """A frame that was sorted has integers as names, which are positions of other rows."""
    frame = pd.DataFrame({"x": [100.0, 200, 300, 400, 0, 1, 2, 3], "y": 0.0}).iloc[::-1]
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(frame)).prune(longest=2)
    ends = np.union1d(forest.u, forest.v)
    with pytest.warns(boruvka.GraphWarning, match="0 edges join .* names, and 3 at these positions: .*mask"):
        assert np.flatnonzero(chosen_vertices(forest, ends)).tolist() == [4, 5, 6, 7]
    with warnings.catch_warnings(action="error"):
        for only in forest.degrees > 0, frame.index[ends], [4, 5], [0], frame.index:
            chosen_vertices(forest, only)
