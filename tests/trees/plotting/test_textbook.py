"""Drawings of small graphs: no edge hides another, and what is chosen and dropped is shown."""

import itertools

import networkx
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from scipy.spatial.distance import pdist

import boruvka
from boruvka.trees.plotting.animation import NEW, GrowingMap, State, frames
from boruvka.trees.plotting.curves import SAMPLES, drawn_once, edge_curves
from boruvka.trees.plotting.style import new_figure
from boruvka.trees.plotting.textbook import BESIDE, COLORS, Textbook, _weight_places, drawing_of

EDGES = [("Brno", "a", 4), ("Brno", "b", 4), ("a", "b", 2.5), ("b", "c", 7), ("b", "c", 6), ("c", "c", 1)]
LINE = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])


def solved(graph):
    return boruvka.minimum_spanning_forest(graph, backend="interpreted")


def book_of(forest, coordinates=None, system=None):
    book = drawing_of(forest, coordinates, system)
    assert isinstance(book, Textbook)
    return book


def distance(curve, point):
    return np.hypot(*(curve - point).T).min()


def test_weights_of_short_edges_leave_room_for_arrows():
    points = np.array([[0, 0], [0.2, 0], [3, 0]])
    curves = edge_curves(points, np.array([0, 1, 2]), np.array([1, 2, 2]), 0.1)
    short, long, loop = _weight_places(points, curves, 0.1, np.full(3, 0.05))
    assert abs(short[1]) == pytest.approx(BESIDE * 0.1)
    assert 0 < short[0] < 0.2
    assert distance(curves[1], long) == distance(curves[2], loop) == pytest.approx(0, abs=1e-12)


def test_no_edge_passes_a_third_vertex():
    u, v = np.array([0, 0, 1, 0, 3]), np.array([1, 2, 3, 3, 2])
    curves = edge_curves(LINE, u, v, 0.1)
    for curve, a, b in zip(curves, u, v, strict=True):
        assert curve.shape == (SAMPLES, 2)
        np.testing.assert_allclose(curve[[0, -1]], LINE[[a, b]], atol=1e-12)
        assert min(distance(curve, LINE[x]) for x in set(range(4)) - {a, b}) >= 0.1
    assert np.ptp(curves[[0, 4], :, 1]) == 0  # nothing hides these


@pytest.mark.parametrize("seed", range(5))
def test_dots_of_laid_out_graphs_are_free(seed):
    textbook = book_of(solved(boruvka.generators.random(14, 25, seed=seed)))
    radius = textbook.dot / 2 * textbook.point
    hidden = sum(
        distance(curve, textbook.positions.points[x]) < radius
        for curve, a, b in zip(textbook.curves, textbook.u, textbook.v, strict=True)
        for x in set(range(14)) - {a, b}
    )
    assert hidden == 0
    places = textbook.places
    assert all(distance(np.delete(places, k, axis=0), place) > radius / 2 for k, place in enumerate(places))
    assert all(distance(textbook.positions.points, place) > radius for place in places)


@pytest.mark.parametrize("count", [2, 3, 12, 30])
def test_parallel_edges_are_different_arcs(count):
    u, v = np.arange(count) % 2, 1 - np.arange(count) % 2  # both directions
    middles = edge_curves(LINE, u, v, 0.1)[:, SAMPLES // 2]
    gaps = np.abs(middles[:, None, 1] - middles[None, :, 1]) + np.eye(count)
    assert gaps.min() > 0.1


def test_loops_are_apart_from_edges_and_each_other():
    u, v = np.array([1, 1, 1, 1, 3]), np.array([1, 0, 2, 1, 3])
    curves = edge_curves(LINE, u, v, 0.1)
    for loop in (0, 3, 4):
        np.testing.assert_allclose(curves[loop, [0, -1]], LINE[u[[loop, loop]]])
        far = curves[loop, SAMPLES // 4 : -SAMPLES // 4]
        others = np.concatenate([LINE, *np.delete(curves, loop, axis=0)])
        assert min(distance(others, point) for point in far) > 0.05
    assert np.isfinite(_weight_places(LINE, curves, 0.1, np.zeros(5))).all()


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_chosen_edges(seed, maximum):
    """As a search through all edges of the graph finds them, with many equal weights."""
    rng = np.random.default_rng(seed)
    u, v, w = *rng.integers(0, 20, (2, 60)), rng.integers(0, 4, 60)
    forest = boruvka.minimum_spanning_forest((u, v, w, 20), maximum=maximum, backend="interpreted")
    book, drawn = book_of(forest), drawn_once(u, v, w, forest.edges, forest.edges[:0])
    for number in range(1, int(forest.edge_rounds.max()) + 1):
        before = forest.edge_rounds < number
        labels = solved((forest.u[before], forest.v[before], forest.w[before], 20)).labels
        best = {}
        for edge in range(60):
            for end in (u[edge], v[edge]) if labels[u[edge]] != labels[v[edge]] else ():
                key = (-w[edge] if maximum else w[edge], edge)
                best[labels[end]] = min(best.get(labels[end], key), key)
        found = book.chosen_edges(number, labels)
        ends = [book.u[edge] if is_first else book.v[edge] for edge, is_first in found]
        chosen = {labels[end]: drawn[edge] for end, (edge, _) in zip(ends, found, strict=True)}
        assert chosen == {component: edge for component, (_, edge) in best.items()}


def drawn(forest, number, before, labels, **where):
    figure = new_figure(4, 3)
    figure.set_layout_engine("none")
    state = State(number, np.array(before), np.array(labels), np.zeros(forest.n, int))
    book_of(forest, **where).draw(figure, state)
    figure.canvas.draw()
    return figure.axes[0]


def test_texts_of_a_grid_can_be_read():
    """Where vertices are far from each other, dots and texts are larger, and weights have fewer digits."""
    drawing = drawing_of(solved(boruvka.generators.grid(5, 6, seed=3)), None, None)
    assert min(drawing.font, 0.45 * drawing.dot) > 10
    assert max(map(len, drawing.weights)) <= 8
    weights = [float(text) for text in drawing.weights]
    np.testing.assert_allclose(weights, drawing.w, rtol=5e-4)


def test_names_weights_choices_and_dropped_edges():
    ax = drawn(solved(EDGES), 1, [0, 1, 2, 3], [0, 0, 0, 0])
    words = [text.get_text() for text in ax.texts]
    assert [word for word in words if word] == [
        "4.0",
        "4.0",
        "2.5",
        "7.0",
        "6.0",
        "1.0",
        "Brno",
        "a",
        "b",
        "c",
    ]
    assert words.count("") == 4  # arrows of four components
    assert [text.get_weight() for text in ax.texts[:6]] == [
        "bold",
        "normal",
        "bold",
        "normal",
        "bold",
        "normal",
    ]
    edges, dots = ax.collections
    paths = zip(edges.get_paths(), edges.get_linestyles(), strict=True)
    dashed = [len(path.vertices) // SAMPLES for path, (_, dashes) in paths if dashes is not None]
    struck = [line for line in ax.lines if line.get_marker() == "_"]
    assert dashed == [len(struck)] == [3]
    assert len(dots.get_offsets()) == 4


def test_symmetric_matrices_and_long_names():
    """Copies in the other direction are not drawn, others are."""
    u, v, w = [0, 1, 1, 2, 1, 0, 2], [1, 0, 2, 1, 0, 1, 2], [5, 5, 7, 7, 6, 5, 1]
    forest, (u, v, w) = solved((u, v, w)), map(np.array, (u, v, w))
    assert drawn_once(u, v, w, forest.edges, forest.edges[:0]).tolist() == [0, 2, 4, 5, 6]
    assert book_of(forest).u.tolist() == u[[0, 2, 4, 5, 6]].tolist()
    ax = drawn(solved([("Brno", "Praha", 205.25), ("Praha", "Brno", 205.25)]), 1, [0, 1], [0, 0])
    names = [text for text in ax.texts if text.get_text() in ("Brno", "Praha")]
    assert all(abs(text.get_position()[1]) > 0.1 for text in names)
    assert sum(text.get_text() == "205.25" for text in ax.texts) == 1


def test_coordinates_of_the_graph():
    forest = solved(boruvka.generators.geometric(20, degree=4, seed=1))
    np.testing.assert_array_equal(book_of(forest).positions.points, forest.graph.coordinates)


def test_frames():
    first, last = frames(book_of(solved(EDGES)))
    for frame, is_there in (first, False), (last, True):
        pixels = np.asarray(frame.image.convert("RGB")).reshape(-1, 3)
        distances = np.abs(pixels - 255 * np.array(to_rgb(NEW))).sum(axis=1)
        assert (distances.min() < 20) == is_there
    assert last.caption == "Round 1: 3 edges added, 1 component, the largest has 4 vertices; weight 12.5"


def test_vertices_without_places():
    """They have no edge but a loop, which is not drawn."""
    forest = solved([("a", "b", 1), ("c", "c", 2)])
    ax = drawn(forest, 0, [0, 1, 2], [0, 1, 2], coordinates={"a": (0, 50), "b": (1, 51)}, system="lonlat")
    assert [text.get_text() for text in ax.texts] == ["1", "a", "b"]


@pytest.mark.parametrize("n", [1, 2])
def test_no_edges(n):
    assert [frame.cells for frame in frames(book_of(solved(([], [], [], n))))] == [(0, n, 1)]


def test_which_graphs_are_small(tmp_path):
    path = tmp_path / "rounds.html"
    for graph, small in [
        ((np.arange(59), np.arange(1, 60), np.ones(59)), True),
        ((np.arange(60), np.arange(1, 61), np.ones(60)), False),
        ((np.zeros(181, int), np.ones(181, int), np.ones(181)), False),
        (boruvka.Graph.from_points([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]), False),
    ]:
        forest = solved(graph) if isinstance(graph, tuple) else boruvka.minimum_spanning_forest(graph)
        forest.animate(path)
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert (Textbook.drawn in text, GrowingMap.drawn in text) == (small, not small)


def test_colors_of_components_differ():
    rgb = np.array([to_rgb(color) for color in COLORS])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    cone = linear @ np.array([[0.4122, 0.2119, 0.0883], [0.5363, 0.6807, 0.2817], [0.0514, 0.1074, 0.6300]])
    lab = np.cbrt(cone) @ np.array(
        [[0.2105, 1.9780, 0.0259], [0.7936, -2.4286, 0.7828], [-0.0041, 0.4506, -0.8087]]
    )
    assert len(lab) >= 12
    assert pdist(lab).min() > 0.08  # in Oklab


CLRS = [
    ("A", "B", 4), ("B", "C", 8), ("C", "D", 7), ("D", "E", 9), ("E", "F", 10), ("F", "G", 2), ("G", "H", 1),
    ("H", "A", 8), ("B", "H", 11), ("H", "I", 7), ("I", "G", 6), ("I", "C", 2), ("C", "F", 4), ("D", "F", 14),
]  # fmt: skip
TOWNS = "Praha", "Brno", "Ostrava", "Plzeň", "Liberec", "Olomouc", "Budějovice", "Hradec K.", "Pardubice"


def test_names_cover_no_name_no_weight_and_no_dot():
    towns = dict(zip("ABCDEFGHI", TOWNS, strict=True))
    book = book_of(solved([(towns[a], towns[b], w) for a, b, w in CLRS]))
    figure = new_figure(*book.figure_size)
    figure.set_layout_engine("none")
    book.draw(figure, next(book.states()))
    figure.canvas.draw()
    (ax,) = figure.axes
    texts = [text for text in ax.texts if text.get_text()]
    boxes = [text.get_window_extent() for text in texts]
    dots = ax.transData.transform(ax.collections[-1].get_offsets())
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert not any(box.contains(*dot) for box in boxes for dot in dots)
    width, height = ax.figure.canvas.get_width_height()
    assert all(min(box.x0, box.y0) >= 0 and box.x1 <= width and box.y1 <= height for box in boxes)


def test_weights_are_apart_and_arrows_are_wider_than_lines_in_many_edges():
    book = book_of(solved(networkx.karate_club_graph()))
    _, first, *_, last = book.states()
    figure = new_figure(*book.figure_size)
    figure.set_layout_engine("none")
    book.draw(figure, first)
    heads = [text.arrow_patch for text in figure.axes[0].texts if not text.get_text()]
    assert len(heads) == 34  # every vertex chooses
    assert all(0.4 * head.get_mutation_scale() > 3 * book.widths[-1] for head in heads)
    figure.clear()
    book.draw(figure, last)
    figure.draw_without_rendering()
    texts = [text for text in figure.axes[0].texts if text.get_zorder() == 5]
    assert len(texts) == 33
    boxes = [text.get_window_extent() for text in texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
