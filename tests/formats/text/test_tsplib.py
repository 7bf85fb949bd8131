"""TSPLIB: distances that a plain program computes from the text of the standard."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph
from boruvka.formats import read
from tests.formats.helpers import assert_malformed

quick = settings(max_examples=30)


def nint(x):
    return int(x + 0.5)


def geo(a, b):
    def radians(x):
        degrees = int(x)
        return 3.141592 * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0

    (x1, y1), (x2, y2) = (map(radians, place) for place in (a, b))
    q1, q2, q3 = math.cos(y1 - y2), math.cos(x1 - x2), math.cos(x1 + x2)
    return int(6378.388 * math.acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0)


def att(a, b):
    exact = math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) / 10.0)
    rounded = nint(exact)
    return rounded + 1 if rounded < exact else rounded


def differences(a, b):
    return [abs(x - y) for x, y in zip(a, b, strict=True)]


def length(a, b):
    return math.sqrt(sum(x * x for x in differences(a, b)))


DISTANCES = {
    "EUC_2D": lambda a, b: nint(length(a, b)),
    "EUC_3D": lambda a, b: nint(length(a, b)),
    "CEIL_2D": lambda a, b: math.ceil(length(a, b)),
    "MAN_2D": lambda a, b: nint(sum(differences(a, b))),
    "MAN_3D": lambda a, b: nint(sum(differences(a, b))),
    "MAX_2D": lambda a, b: max(map(nint, differences(a, b))),
    "MAX_3D": lambda a, b: max(map(nint, differences(a, b))),
    "ATT": att,
    "GEO": geo,
}
TRIANGLES = {
    "UPPER_ROW": lambda n: [(i, j) for i in range(n) for j in range(i + 1, n)],
    "LOWER_ROW": lambda n: [(i, j) for i in range(n) for j in range(i)],
    "UPPER_DIAG_ROW": lambda n: [(i, j) for i in range(n) for j in range(i, n)],
    "LOWER_DIAG_ROW": lambda n: [(i, j) for i in range(n) for j in range(i + 1)],
    "UPPER_COL": lambda n: [(i, j) for j in range(n) for i in range(j)],
    "LOWER_COL": lambda n: [(i, j) for j in range(n) for i in range(j + 1, n)],
    "UPPER_DIAG_COL": lambda n: [(i, j) for j in range(n) for i in range(j + 1)],
    "LOWER_DIAG_COL": lambda n: [(i, j) for j in range(n) for i in range(j, n)],
    "FULL_MATRIX": lambda n: list(itertools.product(range(n), repeat=2)),
}


def matrix_of(graph):
    matrix = np.zeros((graph.n, graph.n), graph.w.dtype)
    assert graph.m == graph.n * (graph.n - 1) // 2
    assert (graph.u < graph.v).all()
    matrix[graph.u, graph.v] = matrix[graph.v, graph.u] = graph.w
    return matrix.tolist()


@pytest.mark.parametrize("kind", DISTANCES)
@quick
@given(data=st.data())
def test_distances_of_places(kind, data, tmp_path):
    if kind == "GEO":
        place = st.tuples(st.integers(-89, 89), st.integers(-179, 179)).flatmap(
            lambda whole: st.tuples(*(st.integers(0, 59).map(lambda m, d=d: d + m / 100) for d in whole))
        )
    else:
        coordinate = st.one_of(st.integers(-999, 999), st.floats(-1e6, 1e6, width=32))
        place = st.tuples(*[coordinate] * (3 if kind.endswith("3D") else 2))
    places = data.draw(st.lists(place, min_size=1, max_size=7, unique=True))
    rows = [(i, *map(repr, place)) for i, place in enumerate(places, 1)]
    text = "\n".join(" ".join(map(str, row)) for row in data.draw(st.permutations(rows)))
    path = tmp_path / "a.tsp"
    path.write_text(
        f"NAME : a\nTYPE: TSP\nDIMENSION : {len(rows)}\nEDGE_WEIGHT_TYPE : {kind}\n"
        f"NODE_COORD_SECTION\n{text}\nEOF\n"
    )
    graph = read(path)
    expected = [[DISTANCES[kind](a, b) if a != b else 0 for b in places] for a in places]
    assert (graph.n, graph.first_id, matrix_of(graph)) == (len(places), 1, expected)
    if not kind.endswith("3D"):
        assert graph.coordinates.shape == (graph.n, 2)


@pytest.mark.parametrize("form", TRIANGLES)
@quick
@given(data=st.data())
def test_matrices(form, data, tmp_path):
    n = data.draw(st.integers(1, 6))
    upper = {pair: data.draw(st.integers(0, 99)) for pair in itertools.combinations(range(n), 2)}
    words = [str(upper.get((min(i, j), max(i, j)), 0)) for i, j in TRIANGLES[form](n)]
    text = "".join(word + data.draw(st.sampled_from([" ", "\n", "   ", " \n\n "])) for word in words)
    path = tmp_path / "a.tsp"
    path.write_text(
        f"NAME: a\nCOMMENT: 1 2 3\nDIMENSION: {n}\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {form}\n"
        f"DISPLAY_DATA_TYPE: NO_DISPLAY\nEDGE_WEIGHT_SECTION\n{text}\nEOF"
    )
    graph = read(path)
    matrix = [[upper.get((min(i, j), max(i, j)), 0) for j in range(n)] for i in range(n)]
    assert (graph.n, graph.first_id, matrix_of(graph)) == (n, 1, matrix)


ULYSSES16 = """
 1 38.24 20.42
 2 39.57 26.15
 3 40.56 25.32
 4 36.26 23.12
 5 33.48 10.54
 6 37.56 12.19
 7 38.42 13.11
 8 37.52 20.44
 9 41.23 9.10
 10 41.17 13.05
 11 36.08 -5.21
 12 38.47 15.13
 13 38.15 15.35
 14 37.51 15.17
 15 35.49 14.32
 16 39.36 19.56
 EOF
"""
OPTIMAL_TOUR = [1, 14, 13, 12, 7, 6, 15, 5, 11, 9, 10, 16, 3, 2, 4, 8]


def test_the_published_length_of_the_optimal_tour_of_ulysses16(tmp_path):
    path = tmp_path / "ulysses16.tsp"
    head = "NAME: ulysses16.tsp\nTYPE: TSP\nCOMMENT: Odyssey of Ulysses (Groetschel/Padberg)\nDIMENSION: 16\n"
    path.write_text(head + "EDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION" + ULYSSES16)
    matrix = matrix_of(read(path))
    tour = itertools.pairwise([*OPTIMAL_TOUR, 1])
    assert sum(matrix[a - 1][b - 1] for a, b in tour) == 6859


def test_places_are_degrees(tmp_path):
    path = tmp_path / "a.tsp"
    path.write_text(
        "DIMENSION: 1\r\nEDGE_WEIGHT_TYPE: GEO\r\nNODE_COORD_SECTION\r\n1 16.30 -96.15\r\nEOF\r\n"
    )
    graph = read(path)
    assert graph.system == "lonlat"
    np.testing.assert_allclose(graph.coordinates, [[-96.25, 16.5]], rtol=1e-5)


def test_places_far_apart_have_exact_weights(tmp_path):
    path = tmp_path / "a.tsp"
    path.write_text(f"DIMENSION: 2\nEDGE_WEIGHT_TYPE: MAN_2D\nNODE_COORD_SECTION\n1 0 0\n2 {2**40} 1e0\n")
    assert read(path).w.tolist() == [2**40 + 1]


HEAD = "NAME: a\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
PLACES = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (
            HEAD + "LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2\nEOF\n",
            5,
            "expected 3 numbers in the section, found 2",
        ),
        (
            HEAD + "LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n3 4\nEOF\n",
            5,
            "expected 3 numbers in the section, found 4",
        ),
        (HEAD + "LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n3x\nEOF\n", 7, "expected numbers, found '3x'"),
        (
            HEAD + "FUNCTION\nEDGE_WEIGHT_SECTION\n1 2 3\n",
            4,
            "EDGE_WEIGHT_FORMAT: FULL_MATRIX, or a triangle",
        ),
        (HEAD + "FULL_MATRIX\n", 4, "expected EDGE_WEIGHT_SECTION, found the end of the file"),
        (
            HEAD + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 5\n2 4 0\n",
            5,
            "the matrix[2, 3] is 5, but the matrix[3, 2] is 4: a matrix of distances is symmetric",
        ),
        (PLACES + "1 0 0\n2 1 1\nEOF\n", 3, "expected 9 numbers in the section, found 6"),
        (
            PLACES + "1 0 0\n2 1 1\n3 3 -inf\n",
            3,
            "expected the numbers 1 to 3 of nodes, each once, and where",
        ),
        (PLACES + "1 0 0\n2 1 1\n2 3 3\n", 3, "expected the numbers 1 to 3 of nodes, each once"),
        (PLACES + "1 0 0\n2 1 1\n3 3 -\n", 6, "expected numbers, found '3 3 -'"),
        (PLACES.replace("EUC_2D", "XRAY1"), 2, "expected EDGE_WEIGHT_TYPE: EXPLICIT, EUC_2D"),
        (PLACES.replace("3", "0"), 1, "expected DIMENSION: the number of nodes, found 'DIMENSION: 0'"),
        (PLACES.replace("DIMENSION: 3\n", ""), 2, "expected DIMENSION: the number of nodes"),
        ("DIMENSION: 9999999999\n" + HEAD[21:] + "LOWER_ROW\nEDGE_WEIGHT_SECTION\n1\n", 4, "found 1"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.tsp", content), line, message)


def test_an_empty_half_is_filled(tmp_path):
    path = tmp_path / "a.tsp"
    path.write_text(HEAD + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n0 0 5\n0 0 0\n")
    with pytest.warns(boruvka.errors.GraphWarning, match="the lower half"):
        assert isinstance(graph := read(path), Graph)
    assert boruvka.minimum_spanning_forest(graph).weight == 3
