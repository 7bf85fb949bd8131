import numpy as np
import pytest

import boruvka
from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.trees.plotting.coordinates import distances_between, forest_layout, place_vertices
from boruvka.trees.selected_edges import SelectedEdges


@pytest.fixture
def forest():
    return boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 7, 3]), backend="interpreted")


def test_names():
    edges = [("Brno", "Praha", 205), ("Brno", "Zlín", 97)]
    named = boruvka.minimum_spanning_forest(edges, backend="interpreted")
    by_name = {"Zlín": (5, 6), "Brno": (1, 2), "Praha": (3, 4)}
    assert place_vertices(named, by_name).points.tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(GraphError, match="Ostrava"):
        place_vertices(named, {"Ostrava": (5, 6)})
    with pytest.raises(GraphError, match=r"1 vertices .* the first is 'Zlín'"):
        place_vertices(named, {"Brno": (1, 2), "Praha": (3, 4)})


def test_a_first_column_of_names_need_not_be_called_so():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    forest = boruvka.minimum_spanning_forest(
        [("Brno", "Praha", 2), ("Brno", "Zlín", 9)], backend="interpreted"
    )
    frame = {"town": ["Zlín", "Brno", "Praha"], "x": [5, 1, 3], "y": [6, 2, 4]}
    for table in pandas.DataFrame(frame), polars.DataFrame(frame):
        assert place_vertices(forest, table).points.tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(GraphError, match="the column 'town' has names of vertices, in another order"):
        place_vertices(forest, pandas.DataFrame(frame)[["x", "y", "town"]])


def test_a_vertex_without_edges_needs_no_coordinates():
    forest = boruvka.minimum_spanning_forest(([0], [1], [5], 3), backend="interpreted")
    places = place_vertices(forest, {0: (1, 2), 1: (3, 4)})
    assert np.isnan(places.points[2]).all()
    assert places.box.tolist() == [[1, 2], [3, 4]]


def test_systems(forest):
    degrees = np.array([[59.0, 10], [60, 11], [61, 12], [60, 13]])
    places = place_vertices(forest, degrees, "latlon")
    np.testing.assert_array_equal(places.points, degrees[:, ::-1])
    assert places.aspect == pytest.approx(2)  # at 60 degrees
    millionths = np.round(1e6 * degrees[:, ::-1]).astype(int)
    assert place_vertices(forest, millionths, "lonlat").aspect == pytest.approx(2)
    assert place_vertices(forest, degrees).aspect == 1


def test_points_of_a_graph_are_its_coordinates():
    points = np.array([[0, 0], [3, 4], [6, 0]])
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    assert place_vertices(forest).points.tolist() == points.tolist()
    solid = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(np.eye(3)))
    assert place_vertices(solid).points.tolist() == np.eye(3)[:, :2].tolist()
    globe = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points / 10, "haversine"))
    assert place_vertices(globe).points == pytest.approx(np.degrees(points / 10)[:, ::-1])
    assert globe.graph.system == "lonlat"


@pytest.mark.parametrize(
    ("coordinates", "error", "message"),
    [
        (np.zeros((3, 2)), GraphError, "one row for each of the 4 vertices, these have 3"),
        (np.zeros((4, 4)), GraphError, r"two columns, x and y, not the shape \(4, 4\)"),
        (np.array([["a", "b"]] * 4), GraphTypeError, "must be numbers"),
        ([[1, 2], [3]], GraphTypeError, "coordinates cannot be read as an array"),
        ([[1, 2], [1e308, 2], [1, 2], [-1e308, 0]], GraphError, "of 1e\\+308 are too large to draw"),
        ([[1, 2], [np.nan, 2], [1, 2], [1, np.inf]], GraphError, "2 vertices .* the first is 1"),
    ],
)
def test_wrong_coordinates(forest, coordinates, error, message):
    with pytest.raises(error, match=message):
        place_vertices(forest, coordinates)


def random_tree(n, seed):
    rng = np.random.default_rng(seed)
    v = np.arange(1, n, dtype=np.uint32)
    return (rng.random(n - 1) * v).astype(np.uint32), v


def least_distance(places):
    """Return the smallest distance of two vertices."""
    distances = distances_between(places, places)
    np.fill_diagonal(distances, np.inf)
    return distances.min()


def crossings(places, u, v):
    """Count pairs of edges without a common end that cross."""
    a, b = places[u], places[v]

    def side(p, q, r):
        return np.sign((q - p)[:, None, 0] * (r[None] - p[:, None])[..., 1]
                       - (q - p)[:, None, 1] * (r[None] - p[:, None])[..., 0])  # fmt: skip

    crossing = (side(a, b, a) * side(a, b, b) < 0) & ((side(a, b, a) * side(a, b, b) < 0).T)
    shared = (u[:, None] == u) | (u[:, None] == v) | (v[:, None] == u) | (v[:, None] == v)
    return int((crossing & ~shared).sum()) // 2


@pytest.mark.parametrize("seed", range(3))
def test_a_tree_is_legible(seed):
    u, v = random_tree(120, seed)
    places = forest_layout(120, u, v)
    lengths = np.hypot(*(places[u] - places[v]).T)
    assert 0.3 < lengths.min() <= lengths.max() < 2.5
    assert least_distance(places) > 0.05  # no two vertices on one place
    assert crossings(places, u, v) <= 6  # a random drawing has hundreds
    np.testing.assert_array_equal(places, forest_layout(120, u, v))


def test_a_planar_graph_is_laid_out_without_crossings():
    """The graph of the textbook of Cormen et al.; crossings are counted by Shapely."""
    shapely = pytest.importorskip("shapely")
    pairs = ["ab", "bc", "cd", "de", "ef", "fg", "gh", "ha", "bh", "hi", "ig", "ic", "cf", "df"]
    u, v = np.array([["abcdefghi".index(x) for x in pair] for pair in pairs]).T
    places = forest_layout(9, u, v)
    lines = [shapely.LineString(places[[a, b]]) for a, b in zip(u, v, strict=True)]
    assert not any(a.crosses(b) for a in lines for b in lines)
    assert all(
        line.distance(shapely.Point(places[x])) > 0.1
        for line, ends in zip(lines, zip(u, v, strict=True), strict=True)
        for x in set(range(9)) - {*ends}
    )


def test_distances():
    random = np.random.default_rng(3)
    a, b = random.random((5, 2)), random.random((7, 2))
    expected = [[np.hypot(x - z, y - t) for z, t in b] for x, y in a]
    np.testing.assert_allclose(distances_between(a, b), expected)


def test_trees_stay_apart():
    u, v = (np.array([0, 1, 3, 6], np.uint32), np.array([1, 2, 4, 7], np.uint32))
    places = forest_layout(9, u, v)
    for first, second in (([0, 1, 2], [3, 4]), ([0, 1, 2], [6, 7]), ([3, 4], [6, 7]), ([5], [8])):
        gaps = np.hypot(*(places[first][:, None] - places[second][None]).transpose(2, 0, 1))
        assert gaps.min() > 0.5
    lengths = np.hypot(*(places[u] - places[v]).T)
    assert np.ptp(places, axis=0).max() < 4 * lengths.mean()  # and close


def test_no_vertices_and_no_edges():
    nothing = np.empty(0, np.uint32)
    assert forest_layout(0, nothing, nothing).shape == (0, 2)
    assert np.isfinite(forest_layout(5, nothing, nothing)).all()


def test_large_forests_are_drawn_in_rays():
    """Few edges cross, no two vertices of a tree are on one place, and a long path is a line."""
    u, v = random_tree(1500, 4)
    places = forest_layout(1500, u, v)
    assert crossings(places, u, v) < 40  # a random drawing has hundreds of thousands
    assert least_distance(places) > 1e-3
    path = np.arange(20_000, dtype=np.uint32)
    places = forest_layout(20_000, path[:-1], path[1:])
    assert np.ptp(places[:, 1]) < 1e-6 * np.ptp(places[:, 0])
    np.testing.assert_allclose(np.hypot(*(places[1:] - places[:-1]).T), 1)


def test_many_large_trees():
    u, v = random_tree(3000, 5)
    kept = np.arange(u.size) % 3 > 0
    places = forest_layout(3000, u[kept], v[kept])
    assert np.isfinite(places).all()
    assert least_distance(places) > 1e-6


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_a_cycle_is_laid_out_as_a_polygon(n):
    cycle = np.arange(n)
    points = forest_layout(n, cycle, (cycle + 1) % n)
    sides = np.linalg.norm(points - np.roll(points, -1, axis=0), axis=1)
    radii = np.linalg.norm(points - points.mean(axis=0), axis=1)
    assert np.ptp(sides) < 0.1 * sides.mean()
    assert np.ptp(radii) < 0.1 * radii.mean()
    path = forest_layout(n, cycle[:-1], cycle[1:])
    assert np.linalg.matrix_rank(path - path[0], tol=1e-6) == 1


def least_distance_to_others(points, u, v):
    """The least distance of a leaf from points of edges that are not its own, by points on the edges."""
    least = np.inf
    for edge, (a, b) in enumerate(zip(u, v, strict=True)):
        (leaf,) = {a, b} & {x for x in (a, b) if sum(x in ends for ends in zip(u, v, strict=True)) == 1} or {
            None
        }
        others = [k for k in range(len(u)) if k != edge]
        if leaf is not None:
            share = np.linspace(0, 1, 50)[:, None, None]
            on_edges = (1 - share) * points[np.take(u, others)] + share * points[np.take(v, others)]
            least = min(least, np.linalg.norm(on_edges - points[leaf], axis=2).min())
    return least


def test_leaves_do_not_lie_on_other_edges(monkeypatch):
    """A vertex with leaves, and with neighbors that have leaves."""
    u, v, n = [], [], 1
    for _ in range(5):
        u, v, hub, n = [*u, 0], [*v, n], n, n + 1
        u, v, n = u + [hub] * 6, [*v, *range(n, n + 6)], n + 6
    u, v, n = u + [0] * 6, [*v, *range(n, n + 6)], n + 6
    found = forest_layout(n, np.array(u), np.array(v))
    monkeypatch.setattr("boruvka.trees.plotting.coordinates.CLEARANCE", 0)
    before = forest_layout(n, np.array(u), np.array(v))
    assert least_distance_to_others(found, u, v) > 0.15 > least_distance_to_others(before, u, v)


@pytest.mark.parametrize(("n", "shown"), [(90, "weight"), (90, "log"), (1200, "weight")])
def test_edges_are_as_long_as_their_weights(n, shown):
    """Also where the points have coordinates of their own; trees do not cross each other."""
    u, v = random_tree(n, 7)
    w = np.random.default_rng(n).integers(5, 60, n - 1)
    kept = np.arange(n - 1) % 30 > 0  # several trees
    graph = boruvka.Graph.from_edges(u[kept], v[kept], w[kept], n=n)
    forest = boruvka.minimum_spanning_forest(graph.with_coordinates(np.zeros((n, 2))), backend="interpreted")
    places = place_vertices(forest, shown)
    lengths = np.hypot(*(places.points[forest.u] - places.points[forest.v]).T)
    expected = forest.w if shown == "weight" else np.log(1 + forest.w)
    np.testing.assert_allclose(lengths / lengths[0], expected / expected[0])
    assert places.is_layout
    boxes = [places.points[forest.labels == k] for k in range(forest.n_components)]
    ends = np.array([[box.min(axis=0), box.max(axis=0)] for box in boxes])
    apart = (ends[:, None, 0] > ends[:, 1]).any(axis=2)
    assert (apart | apart.T | np.eye(len(boxes), dtype=bool)).all()


def test_edges_of_weight_0_are_short():
    forest = boruvka.minimum_spanning_forest([("a", "b", 0), ("b", "c", 2), ("c", "d", 0)])
    points = place_vertices(forest, "weight").points
    lengths = np.hypot(*(points[forest.u] - points[forest.v]).T)
    np.testing.assert_allclose(lengths / lengths[1], [1 / 300, 1, 1 / 300])
    equal = boruvka.minimum_spanning_forest([("a", "b", 0), ("b", "c", 0)])
    assert np.isfinite(place_vertices(equal, "log").points).all()
    assert place_vertices(boruvka.minimum_spanning_forest([], n=2), "log").points.shape == (2, 2)


@pytest.mark.parametrize("wrong", ["maximum", "cycle", -1, np.inf])
def test_lengths_are_for_distances(wrong):
    last = wrong if isinstance(wrong, float | int) else 1
    edges = [("a", "b", 1), ("b", "c", 1), ("a", "c", 1), ("c", "d", last)]
    tree = boruvka.minimum_spanning_forest(edges, maximum=wrong == "maximum")
    tree = SelectedEdges(tree.graph, np.arange(4)) if wrong == "cycle" else tree  # as a comparison is drawn
    with pytest.raises(OptionError, match="coordinates='log' is for minimum forests of finite weights"):
        place_vertices(tree, "log")
    with pytest.raises(GraphTypeError, match="coordinates are x and y, weight or log"):
        place_vertices(tree, "lengths")
