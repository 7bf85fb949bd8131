"""Square matrices of distances: empty halves are filled, rounding is taken, other asymmetry is refused."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, GraphWarning
from boruvka.graph import matrix as distance_matrix

estimators = pytest.importorskip("boruvka.sklearn", exc_type=ImportError)
HDBSCAN, SingleLinkage = estimators.HDBSCAN, estimators.SingleLinkage
EMPTY = [0, np.nan, np.inf]


def by_graph(matrix):
    return boruvka.minimum_spanning_forest(Graph.from_distances(matrix)).weight


def by_frame(matrix):
    names = [f"p{i}" for i in range(len(matrix))]
    return by_graph(pd.DataFrame(matrix, names, names))


def by_batch(matrix):
    return boruvka.minimum_spanning_forests(np.stack([np.zeros_like(matrix), matrix])).weight[1]


def by_single_linkage(matrix):
    return SingleLinkage(1, metric="precomputed").fit(matrix).distances_.sum()


def by_hdbscan(matrix):
    model = HDBSCAN(metric="precomputed", min_samples=1, min_cluster_size=2).fit(matrix)
    return model.single_linkage_tree_.linkage[:, 2].sum()


ENTRANCES = [by_graph, by_frame, by_batch, by_single_linkage, by_hdbscan]


def random_distances(n, seed=0, dtype=np.float64):
    upper = np.triu(np.random.default_rng(seed).integers(1, 100, (n, n)), 1)
    return (upper + upper.T).astype(dtype)


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("dtype", ["f4", "f8", "u2", "i8", ">f8"])
@pytest.mark.parametrize("half", ["lower", "upper"])
def test_an_empty_half_is_filled(entrance, dtype, half):
    whole = random_distances(7, dtype=dtype)
    kept = np.triu(np.ones((7, 7), bool)) if half == "upper" else np.tri(7, dtype=bool)
    for empty in EMPTY if whole.dtype.kind == "f" else [0]:
        triangle = np.where(kept, whole, np.array(empty, dtype))
        before = triangle.copy()
        other = "upper" if half == "lower" else "lower"
        with pytest.warns(GraphWarning, match=f"the {other} half of .* is empty, and is filled") as seen:
            assert entrance(triangle) == entrance(whole)
        assert [warning.filename for warning in seen] == [__file__]
        np.testing.assert_array_equal(triangle, before)


@given(
    st.integers(2, 6),
    st.integers(0, 2**32),
    st.sampled_from(["i4", "u8", "f4", "f8"]),
    st.sampled_from(ENTRANCES),
)
def test_any_other_asymmetry_is_refused(n, seed, dtype, entrance):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 5, (n, n)).astype(dtype)
    np.fill_diagonal(matrix, 0)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if matrix[i, j] != matrix[j, i]]
    halves = matrix[np.triu_indices(n, 1)], matrix.T[np.triu_indices(n, 1)]
    if not pairs:
        entrance(matrix)
    elif not all(half.any() for half in halves):
        with pytest.warns(GraphWarning, match="is filled from the other"):
            entrance(matrix)
    else:
        i, j = pairs[0]
        message = rf"\[{i}, {j}\] is {matrix[i, j]}\S* but \S+\[{j}, {i}\] is {matrix[j, i]}"
        with pytest.raises(GraphError, match=message):
            entrance(matrix)


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rounding_is_taken_and_the_lighter_counts(entrance, dtype):
    """Correlations of equal and of nearly equal series differ by rounding, their roots by much more."""
    rng = np.random.default_rng(1)
    series = rng.normal(size=(90, 60))
    for k in range(10):
        series[k + 10] = series[k]
        series[k + 20] = series[k] + 10.0 ** (-k - 1) * rng.normal(size=60)
    correlation = np.corrcoef(series, dtype=dtype)
    noise = rng.integers(-2, 3, correlation.shape) * np.finfo(dtype).eps / 2
    distances = np.sqrt(2 - 2 * np.clip(correlation + noise, -1, 1)).astype(dtype)
    np.fill_diagonal(distances, 0)
    assert (distances != distances.T).any()
    lighter = np.minimum(distances, distances.T)
    assert entrance(distances) == entrance(lighter)


@pytest.mark.parametrize("entrance", [by_single_linkage, by_hdbscan])
@pytest.mark.parametrize("form", [list, lambda a: a.astype(object), lambda a: a.astype(str), pd.DataFrame])
def test_rounding_in_other_forms(entrance, form):
    distances = random_distances(9) / 7
    distances[2, 5] = np.nextafter(distances[2, 5], 0)
    entrance(form(distances))
    distances[2, 5] += 1
    with pytest.raises(GraphError, match=r"X\[2, 5\] is"):
        entrance(form(distances))


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(
    ("one", "other", "dtype"),
    [
        (7, 7 + 1e-5, "f8"),
        (7, 7 + 1e-4, "f4"),
        (1e-3, 2e-3, "f8"),
        (5, np.inf, "f8"),
        (2**60, 2**60 + 1, "i8"),
        (1, 50, "f8"),
    ],
)
@pytest.mark.parametrize("largest", [100, 1e9, np.inf])
def test_what_is_no_rounding(entrance, one, other, dtype, largest):
    """Also beside very large distances, which stand for missing ones."""
    if entrance in (by_single_linkage, by_hdbscan) and one == 2**60:
        one, other = 2**50, 2**50 + 1
    matrix = random_distances(30, dtype=dtype)
    if dtype != "i8":
        matrix[matrix > 50] = largest
    matrix[3, 9], matrix[9, 3] = one, other
    with pytest.raises(GraphError, match=r"\[3, 9\] is .* but \S+\[9, 3\] is"):
        entrance(matrix)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_rounding_does_not_overflow(scale):
    matrix = random_distances(12) / 1000 * scale
    matrix[2, 5] *= 1 + 1e-15
    by_graph(matrix)
    matrix[2, 5] *= 2
    with pytest.raises(GraphError, match=r"distances\[2, 5\]"):
        by_graph(matrix)


@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, lambda a: np.repeat(a, 2, axis=1)[:, ::2]])
def test_the_first_pair_of_many_tiles_is_named(layout):
    matrix = layout(random_distances(2 * distance_matrix.TILE + 9))
    by_graph(matrix)
    for i, j in [(300, 301), (17, 500), (18, 20)]:
        matrix[i, j] = 0.5
    with pytest.raises(GraphError, match=r"distances\[17, 500\] is 0\.5, but distances\[500, 17\]"):
        by_graph(matrix)


def test_equal_points_are_no_empty_half():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [entrance(np.zeros((4, 4))) for entrance in ENTRANCES] == [0] * 5
        assert by_graph(np.zeros((1, 1))) == 0
        assert by_graph(np.array([[0.0, 5], [5, 0]])) == 5


def test_many_matrices_are_one_warning():
    stack = np.stack([np.triu(random_distances(5, seed)) for seed in range(30)])
    with pytest.warns(GraphWarning, match=r"the lower half of graphs\[0\] \(and of 29 more\)") as seen:
        filled = boruvka.minimum_spanning_forests(stack)
    assert len(seen) == 1
    assert filled.weight.tolist() == [by_graph(random_distances(5, seed)) for seed in range(30)]


def test_missing_entries_of_matrices_are_symmetric_too():
    stack = random_distances(5)[None].copy()
    stack[0, 1, 3] = stack[0, 3, 1] = np.nan
    with pytest.warns(GraphWarning, match="2 entries of the matrix are NaN, and no edges"):
        boruvka.minimum_spanning_forests(stack, missing="drop")
    with pytest.raises(
        GraphError, match=r"graphs\[0\]\[1, 3\] is NaN; where that means no edge: missing='drop'"
    ):
        boruvka.minimum_spanning_forests(stack)
    stack[0, 3, 1] = 4
    with pytest.raises(GraphError, match=r"graphs\[0\]\[1, 3\] is nan, but graphs\[0\]\[3, 1\] is 4\.0"):
        boruvka.minimum_spanning_forests(stack)


def test_labels_of_rows_and_columns_are_the_same():
    matrix = random_distances(3)
    for labels in (list("abc"), list("cab")), ([0, 1, 2], [2, 0, 1]), ([2, 0, 1], [0, 1, 2]):
        frame = pd.DataFrame(matrix, *labels)
        for entrance in by_graph, by_single_linkage, by_hdbscan, Graph.from_dense:
            with pytest.raises(GraphError, match=r"row 0 has the label .* write frame"):
                entrance(frame)


def test_a_triangle_is_an_adjacency_matrix():
    assert Graph.from_dense(np.triu(random_distances(6))).m == 15


def test_what_is_no_matrix_says_what_to_write():
    frame = pd.DataFrame([[0.0, 2, 7], [2, 0, 4], [7, 4, 0]], [1, 2, 3], [1, 2, 3])
    read = pd.read_csv(io.StringIO(frame.to_csv()))
    for make in Graph.from_distances, Graph.from_dense, boruvka.as_graph:
        with pytest.raises(GraphError, match=r"write frame.set_index\('Unnamed: 0'\), or pandas.read_csv"):
            make(read)
    assert Graph.from_distances(read.set_index("Unnamed: 0")).names.tolist() == [1, 2, 3]
    missing = pd.read_csv(io.StringIO(",a,NA\na,0,1\nNA,1,0"))
    with pytest.raises(GraphError, match=r"write frame.set_index\('Unnamed: 0'\)"):
        Graph.from_distances(missing)
    with pytest.raises(GraphError, match=r"row 1 has the label nan, column 1 'NA': .*keep_default_na"):
        Graph.from_distances(missing.set_index("Unnamed: 0"))
    doubled = pytest.importorskip("polars").DataFrame({"": ["a", ""], "a": [0, 1], "_duplicated_0": [1, 0]})
    with pytest.raises(GraphError, match=r"write frame.drop\(''\)"):
        Graph.from_distances(doubled)
    assert Graph.from_distances(doubled.drop("")).n == 2
    with pytest.raises(
        GraphTypeError, match=r"distances is 'd.csv', no array: boruvka.read\('d.csv'\) reads"
    ):
        Graph.from_distances("d.csv")


@pytest.mark.parametrize("is_condensed", [False, True])
def test_distances_below_minus_1(is_condensed):
    """As of a slip in arithmetic. Smaller ones may be correlations, or come from rounding."""
    distances = np.abs(np.subtract.outer(*[np.arange(5.0)] * 2))
    pairs = np.triu_indices(5, 1) if is_condensed else ...
    with pytest.warns(GraphWarning, match="the smallest distance is -2.*: is it a slip"):
        Graph.from_distances((distances - 3 + 1 * np.eye(5))[pairs])
    Graph.from_distances(np.where(distances == 1, -1e-15, distances)[pairs])
