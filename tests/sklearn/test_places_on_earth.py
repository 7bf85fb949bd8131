"""Latitudes and longitudes: warnings, errors that say what to write, and maps of the tree."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

from sklearn.cluster import HDBSCAN as Other
from sklearn.metrics.pairwise import haversine_distances

from boruvka import Graph, GraphError, GraphTypeError, GraphWarning, OptionError
from boruvka.sklearn import HDBSCAN, SingleLinkage

RNG = np.random.default_rng(0)
CENTERS = np.array([[60.0, 10.0], [61.0, 12.0], [60.5, 11.0]])[np.arange(150) % 3]
DEGREES = pd.DataFrame(CENTERS + RNG.normal(size=(150, 2)) * [0.1, 0.2], columns=["Lat", "lng"])


def test_degrees_in_a_plane():
    with pytest.warns(GraphWarning, match=r"'Lat', 'lng' .*'great_circle', degrees=True"):
        Graph.from_points(DEGREES)
    for estimator in HDBSCAN(), HDBSCAN(metric="l2"), SingleLinkage(2, metric="cityblock"):
        with pytest.warns(
            GraphWarning, match=r"metric='haversine' and numpy.radians\(X\[\['Lat', 'lng'\]\]\)"
        ):
            estimator.fit(DEGREES)
    sky = DEGREES.set_axis(["DEC", "RA"], axis=1)
    with pytest.warns(GraphWarning, match=r"'DEC', 'RA' .*'haversine', degrees=True"):
        Graph.from_points(sky)
    HDBSCAN().fit(DEGREES.to_numpy())
    HDBSCAN().fit(DEGREES.rename(columns={"lng": "height"}))
    Graph.from_points(np.radians(DEGREES), "great_circle")


def test_longitude_first():
    radians = np.radians(DEGREES[["lng", "Lat"]])
    with pytest.raises(GraphError, match=r"first column is the latitude.*write X\[\['Lat', 'lng'\]\]"):
        HDBSCAN(metric="haversine").fit(radians)
    with pytest.raises(GraphError, match=r"first column is the latitude.*write points\[\['Lat', 'lng'\]\]"):
        Graph.from_points(radians, "great_circle")
    with pytest.raises(GraphError, match=r"first column is the latitude.*write points\[\['DEC', 'RA'\]\]"):
        Graph.from_points(radians.set_axis(["RA", "DEC"], axis=1), "haversine")


@pytest.mark.parametrize("estimator", [HDBSCAN(), SingleLinkage(2)])
def test_kilometres(estimator):
    with pytest.raises(OptionError, match=r"'haversine' here: .*6371.0088.*numpy.radians\(X\[\['lat', 'lon'"):
        estimator.set_params(metric="great_circle").fit(DEGREES)


def test_map_of_the_tree():
    """Clusters are those of scikit-learn, distances its own, and vertices lie at longitude and latitude."""
    points = np.radians(DEGREES)
    model = HDBSCAN(20, metric="haversine", cluster_selection_epsilon=5 / 6371.0088).fit(points)
    other = Other(20, metric="haversine", cluster_selection_epsilon=5 / 6371.0088, copy=True).fit(points)
    pairs = set(zip(model.labels_.tolist(), other.labels_.tolist(), strict=True))
    assert len(pairs) == len(dict(pairs)) == len(set(other.labels_.tolist()))
    tree = model.minimum_spanning_tree_
    lengths = haversine_distances(points)[tree.u, tree.v]
    assert (lengths <= tree.w * (1 + 1e-9)).all()
    assert tree.graph.system == "lonlat"
    np.testing.assert_allclose(tree.graph.coordinates, DEGREES[["lng", "Lat"]])
    axes = tree.plot(colors=model.labels_)
    (dots,) = (x.get_offsets() for x in axes.collections if len(x.get_offsets()) == 150)
    np.testing.assert_allclose(dots, DEGREES[["lng", "Lat"]])


def test_points_of_a_plane():
    points = DEGREES.to_numpy().copy()
    points[3] = np.nan
    tree = HDBSCAN(20).fit(points).minimum_spanning_tree_
    assert tree.graph.system == "xy"
    np.testing.assert_array_equal(tree.graph.coordinates, points)
    tree.plot()
    more = np.column_stack([points, points])[4:]
    assert HDBSCAN(20).fit(more).minimum_spanning_tree_.graph.coordinates is None
    distances = np.abs(np.subtract.outer(*[np.arange(9.0)] * 2))
    assert HDBSCAN(3, metric="precomputed").fit(distances).minimum_spanning_tree_.graph.coordinates is None


def test_a_map():
    geopandas = pytest.importorskip("geopandas")
    X = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(DEGREES.lng, DEGREES.Lat), crs=4326)
    with pytest.raises(
        GraphTypeError, match=r"write X.get_coordinates\(\) .*get_coordinates\(\)\[\['y', 'x'\]\]"
    ):
        HDBSCAN().fit(X)
    of_map = HDBSCAN(20, metric="haversine").fit(np.radians(X.get_coordinates()[["y", "x"]]))
    expected = HDBSCAN(20, metric="haversine").fit(np.radians(DEGREES))
    assert of_map.labels_.tolist() == expected.labels_.tolist()


def test_records_and_ids():
    records = np.radians(DEGREES).to_records(index=False)
    fit = HDBSCAN(20, metric="haversine").fit
    assert fit(records).labels_.tolist() == fit(np.radians(DEGREES)).labels_.tolist()
    ids = pd.DataFrame({"x": np.linspace(0, 1, 150), "source_id": 2**60 + np.arange(150)})
    with (
        pytest.warns(GraphWarning, match="looks like ids"),
        pytest.raises(GraphError, match=r"X\['source_id'\] is an integer .*, or leave the column out if"),
    ):
        HDBSCAN(20).fit(ids)


def test_kilometres_for_angles():
    """They are above all distances, which are radians; all points would be one cluster."""
    points, says = np.radians(DEGREES.to_numpy()), "is 50, above all distances, .* kilometres / 6371.0088"
    with pytest.warns(GraphWarning, match=f"distance_threshold {says}"):
        SingleLinkage(None, distance_threshold=50, metric="haversine").fit(points)
    with pytest.warns(GraphWarning, match=f"cluster_selection_epsilon {says}"):
        HDBSCAN(20, metric="haversine", cluster_selection_epsilon=50).fit(points)
    with pytest.warns(GraphWarning, match=f"cut_distance {says}"):
        HDBSCAN(20, metric="haversine").fit(points).dbscan_clustering(50)
    with pytest.raises(OptionError, match=r"degrees: write metric='haversine', and numpy.radians\(X\)"):
        HDBSCAN(degrees=True)
