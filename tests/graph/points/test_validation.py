"""Every metric refuses the same points with the same error: at every size and through every entrance."""

import datetime as dt
import re
import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn.metrics.pairwise import haversine_distances

from boruvka import (
    Graph,
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    minimum_spanning_forest,
    verify,
)
from boruvka.cli.main import main
from boruvka.formats.points import read_points
from boruvka.graph import distances
from boruvka.graph.axis_names import space_units
from boruvka.graph.exact import inexact
from boruvka.graph.graph import DistanceGraph
from boruvka.graph.labels import in_memory
from boruvka.graph.points import point_index
from boruvka.graph.points.validation import LARGEST, check_points, warn_of_columns
from tests.graph.conftest import interpreted

__all__ = ["interpreted"]

SIZES = 5, point_index.PAYS_FROM + 1
"""Numbers of points for which all distances are computed, and for which a kd-tree is searched."""
ON_SPHERE = "great_circle", "haversine"
SQUARING = "euclidean", "squared_euclidean", *ON_SPHERE
NOT_FINITE = [np.nan, np.inf, -np.inf]


def first_difference(a, b):
    return abs(a[0] - b[0])


def good_points(metric, n):
    rng = np.random.default_rng(n)
    return rng.uniform(0.1, 1.5, (n, 2 if metric in ON_SPHERE else 3))


@st.composite
def bad_points(draw, metric):
    """Draw points that a metric must refuse, and a part of the message."""
    n = draw(st.sampled_from(SIZES))
    points = good_points(metric, n)
    i, q = draw(st.integers(0, n - 1)), draw(st.integers(0, points.shape[1] - 1))
    kinds = ["not finite", "masked", "None"]
    kinds += ["large"] if metric in METRICS and getattr(distances, metric) in LARGEST else []
    kinds += ["close"] if metric in SQUARING else []
    kinds += ["short", "no direction"] if metric in ("cosine", "correlation") else []
    kinds += ["degrees"] if metric in ON_SPHERE else []
    kinds += ["rounded"] if metric not in (*ON_SPHERE, "hamming", None) else []
    match draw(st.sampled_from(kinds)):
        case "not finite":
            points[i, q] = draw(st.sampled_from(NOT_FINITE))
            return points, f"coordinate {q} of point {i} is {points[i, q]}: NaN and inf are not coordinates"
        case "masked":
            mask = np.zeros(points.shape, bool)
            mask[i, q] = True
            return np.ma.masked_array(points, mask), f"[{i}, {q}] is masked"
        case "None":
            points = points.astype(object)
            points[i, q] = None
            return points, f"coordinate {q} of point {i} is None"
        case "large":
            points[i, q] = draw(st.sampled_from([-1.001, 1.001])) * LARGEST[getattr(distances, metric)]
            return points, f"coordinate {q} of point {i} is {points[i, q]}: distances of coordinates beyond"
        case "close":
            return points * draw(st.sampled_from([1e-141, 1e-200, 1e-300])), "whose square underflows"
        case "short":
            points[i] *= draw(st.sampled_from([1e-141, 1e-200, 1e-300]))
            return points, f"point {i} has the extent"
        case "no direction":
            points[i] = 0.0 if metric == "cosine" else 0.1  # of which three have another mean
            return points, f"point {i} is {'zero' if metric == 'cosine' else 'constant'} and has no"
        case "degrees":
            points[i, 0] = 14.4
            return points, f"point {i} is (14.4,"
        case "rounded":
            whole = (points * 100).astype(np.int64)
            whole[i, q] = draw(st.sampled_from([-1, 1])) * (2**53 + 1)
            return whole, f"coordinate {q} of point {i} is {whole[i, q]}: float64 would round it"


METRICS = sorted(distances.__all__)
metrics = st.sampled_from([*METRICS, first_difference])


@settings(max_examples=300)
@given(metric=metrics, data=st.data())
def test_bad_points_are_refused_by_every_metric_at_every_size(metric, data):
    points, message = data.draw(bad_points(metric if isinstance(metric, str) else None))
    with pytest.raises((GraphError, GraphTypeError), match=re.escape(message)):
        Graph.from_points(points, metric)


@given(metric=st.sampled_from(["euclidean", "cosine"]), data=st.data())
def test_nearest_neighbors_refuse_the_same_points(metric, data):
    points, message = data.draw(bad_points(metric))
    with pytest.raises((GraphError, GraphTypeError), match=re.escape(message)):
        Graph.from_points_approximately(points, metric, n_neighbors=2, ann_index="exact")


@given(metric=metrics, make=st.sampled_from(["SingleLinkage", "HDBSCAN"]), data=st.data())
def test_estimators_refuse_the_same_points(metric, make, data):
    pytest.importorskip("sklearn")
    import boruvka.sklearn

    points, message = data.draw(bad_points(metric if isinstance(metric, str) else None))
    if points.dtype == object:  # of which scikit-learn makes NaN
        message = "is nan: NaN and inf"
    if make == "HDBSCAN" and "NaN and inf" in message:
        return  # which it labels
    if metric == "cosine" and message.endswith("is zero and has no"):
        return  # scikit-learn defines the cosine of a zero vector as 0
    if metric == "great_circle":  # which scikit-learn does not have
        return
    name = "sqeuclidean" if metric == "squared_euclidean" else metric
    with pytest.raises(GraphError, match=re.escape(message)):
        getattr(boruvka.sklearn, make)(metric=name).fit(points)


@given(metric=metrics, data=st.data())
def test_points_that_change_later_are_refused(metric, data):
    """Verification looks again, and so does the index, which NaN would lead astray."""
    bad, message = data.draw(bad_points(metric if isinstance(metric, str) else None))
    if type(bad) is not np.ndarray or bad.dtype != np.float64:
        return
    points = good_points(metric, len(bad))
    graph = Graph.from_points(points, metric)
    points[:] = bad
    with pytest.raises(GraphError, match=re.escape(message)):
        verify(graph, np.arange(graph.n - 1))
    if graph.pairs.search_metric is not None:
        with pytest.raises(GraphError, match=re.escape(message)):
            minimum_spanning_forest(graph, algorithm="kd-tree-boruvka")
    with pytest.raises(GraphError, match=re.escape(message)):
        minimum_spanning_forest(graph)


@pytest.mark.parametrize("metric", METRICS)
def test_files_are_refused_too(metric, tmp_path, capsys):
    points = good_points(metric, 5)
    np.save(tmp_path / "good.npy", points)
    points[3, 1] = np.nan
    np.save(tmp_path / "bad.npy", points)
    bad, options = str(tmp_path / "bad.npy"), ["--points", "--metric", metric]
    for arguments in (["solve", bad], ["verify", bad, str(tmp_path / "good.npy")]):
        assert main([*arguments, *options]) == 2
        assert "row 3: 'nan' is not a finite number in column '1'" in capsys.readouterr().err
    assert main(["info", bad, *options]) == 0
    assert "1 of 5 points lack a coordinate" in capsys.readouterr().err


def test_the_command_line_refuses_the_same_points(tmp_path, capsys):
    points = good_points("cosine", 5)
    points[3] = 0
    np.save(tmp_path / "points.npy", points)
    assert main(["solve", str(tmp_path / "points.npy"), "--points", "--metric", "cosine"]) == 2
    assert "point 3 is zero and has no direction" in capsys.readouterr().err


def test_changed_points_give_no_distance_0():
    """Also where the points are not checked again, as between a check and a solve."""
    for bad in (np.array([np.nan, 1.0]), np.array([np.inf, 1.0])):
        for metric in (distances.cosine, distances.correlation):
            with np.errstate(all="ignore"):
                assert np.isnan(metric(bad, np.array([1.0, 2.0])))


# Types and shapes


@pytest.mark.parametrize("metric", ["euclidean", "hamming", "manhattan"])
@pytest.mark.usefixtures("interpreted")
def test_booleans_are_0_and_1(metric):
    points = np.array([[True, False], [True, True], [False, True]])
    graph = Graph.from_points(points, metric)
    np.testing.assert_array_equal(graph.w, Graph.from_points(points.astype(np.uint8), metric).w)


@pytest.mark.needs("numba")
@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i4", "u4", "u8", ">i2", ">u8", "f2", "f4", ">f4"])
@pytest.mark.usefixtures("interpreted")
def test_functions_get_differences_that_do_not_wrap(dtype):
    points = np.array([[1, 2], [100, 7], [3, 90]], dtype)
    graph = Graph.from_points(points, lambda a, b: abs(float(a[0]) - float(b[0])))
    assert graph.points.dtype == ("f8" if "f" in dtype else "u8" if "u8" in dtype else "i8")
    if dtype not in ("u8", ">u8"):
        assert Graph.from_points(points, first_difference).w.tolist() == [99, 2, 97]


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_float32_distances_do_not_overflow():
    points = np.array([[0.0], [1e30], [3e30]], np.float32)
    w = Graph.from_points(points, lambda a, b: (a[0] - b[0]) ** 2).w
    np.testing.assert_allclose(w, [1e60, 9e60, 4e60], rtol=1e-6)
    np.testing.assert_allclose(Graph.from_points(points, "sqeuclidean").w, w)


@pytest.mark.usefixtures("interpreted")
def test_layouts_that_are_legal():
    points = np.arange(12.0).reshape(4, 3)
    expected = Graph.from_points(points).w
    read_only = points.copy()
    read_only.flags.writeable = False
    strided = np.zeros((8, 6))
    strided[::2, ::2] = points
    layouts = [np.asfortranarray(points), read_only, strided[::2, ::2], points.tolist(), points.astype(">f8")]
    layouts += [np.ma.masked_array(points)]
    for layout in layouts:
        np.testing.assert_array_equal(Graph.from_points(layout).w, expected)


@pytest.mark.parametrize("points", [[], np.empty((0, 3)), np.empty((0, 2), object), [[1.0, 2.0]], [5]])
@pytest.mark.usefixtures("interpreted")
def test_no_point_and_one_point(points):
    for metric in METRICS:
        if metric in ON_SPHERE or (metric == "correlation" and np.size(points) == 1):
            continue
        graph = Graph.from_points(points, metric)
        assert graph.n == len(points)
        assert minimum_spanning_forest(graph, backend="interpreted").edges.size == 0
        assert verify(graph, [])


@pytest.mark.usefixtures("interpreted")
def test_points_without_coordinates():
    for metric in METRICS:
        points = np.empty((3, 0))
        if metric in ("cosine", "correlation", *ON_SPHERE):
            with pytest.raises(GraphError, match=r"no direction|no correlation|shape"):
                Graph.from_points(points, metric)
        else:
            assert Graph.from_points(points, metric).w.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1.0, None]], "coordinate 1 of point 0 is None: expected a number"),
        ([1, "a", 2.0], "points are integers or floats of at most 64 bits"),
        (np.array([1, "a"], object), "point 1 is 'a': expected"),
        (np.array([[1, 2]], object), r"dtype object: convert them, as numpy.asarray\(points, float\)"),
        (np.array(["2020-01-01"], "M8[D]"), "dtype datetime64"),
        (np.array([1j]), "dtype complex128"),
        (np.zeros(2, np.longdouble), "at most 64 bits"),
    ],
)
def test_what_is_no_number_is_named(points, message):
    with pytest.raises(GraphTypeError, match=message):
        Graph.from_points(points)


def test_missing_values_of_pandas():
    frame = pd.DataFrame({"x": pd.array([1, 2], "Int64"), "y": pd.array([1, None], "Int64")})
    with pytest.raises(GraphError, match=r"the column 'y' is nan in the row 1; 1 of 2 rows"):
        Graph.from_points(frame)


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(2**53 - 2, 2**53 + 3), min_size=1))
def test_integers_that_float64_rounds(values):
    expected = [int(float(x)) != x for x in values]
    found = inexact(np.array(values), np.dtype(float))
    assert (found is None and not any(expected)) or found.tolist() == expected


def test_integers_that_numpy_rounds():
    with pytest.raises(GraphError, match=r"points\[1, 0\] is an integer that float64 would round"):
        Graph.from_points([[0.5, 1], [2**53 + 1, 2]])
    assert Graph.from_points([[0.5, 1.0], [2**60, 2.0**70]]).n == 2


@pytest.mark.usefixtures("interpreted")
def test_differences_of_large_integers_are_exact_where_they_are_hamming():
    assert Graph.from_points([[2**60], [2**60 + 1]], "hamming").w.tolist() == [1]


# Distances that are not numbers


def undefined(a, b):
    return np.nan if a + b == 7 else 1.0


def negative(a, b):
    return -1.0 if a + b == 7 else 1.0


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_a_distance_that_is_nan_is_refused_wherever_it_is_computed():
    graph = Graph.from_points([1, 3, 4, 1], undefined)
    message = "the distance of points 1 and 2 is NaN"
    for use in (
        lambda: graph.w,
        lambda: verify(graph, [0, 1, 2]),
        lambda: minimum_spanning_forest(graph, algorithm="kruskal", backend="interpreted"),
        lambda: minimum_spanning_forest(graph, algorithm="dense", backend="interpreted"),
    ):
        with pytest.raises(GraphError, match=message):
            use()


@pytest.mark.needs("numba")
@pytest.mark.parametrize("metric", [undefined, negative])
@pytest.mark.parametrize("samples", [1, 2])
@pytest.mark.usefixtures("interpreted")
def test_core_distances_are_of_distances(metric, samples):
    graph = Graph.from_points([1, 3, 4, 1], metric, min_samples=samples)
    with pytest.raises(GraphError, match="the distance of points 1 and 2 is NaN or negative"):
        minimum_spanning_forest(graph, backend="interpreted")


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_a_negative_weight_is_a_weight():
    graph = Graph.from_points([1, 3, 4, 1], negative)
    assert minimum_spanning_forest(graph, backend="interpreted").weight == 1.0


def test_estimators_name_pairs_without_a_distance():
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN, SingleLinkage

    points = np.array([[1.0], [3.0], [4.0], [1.0]])
    for make in HDBSCAN(min_cluster_size=2), SingleLinkage():
        with pytest.raises(GraphError, match="the distance of points 1 and 2 is nan"):
            make.set_params(metric=lambda a, b: undefined(a[0], b[0])).fit(points)
        with pytest.raises(GraphError, match="the distance of points 0 and 1 is inf"):
            make.set_params(metric="minkowski", metric_params={"p": 4}).fit(points * 1e100)
    with pytest.raises(GraphError, match=r"Negative values .* distance of 1 and 2 is -1.0"):
        HDBSCAN(min_cluster_size=2, metric=lambda a, b: negative(a[0], b[0])).fit(points)


def test_masked_neighbours_are_refused():
    indices, weights = np.array([[1], [0]]), np.ma.masked_equal([[1.0], [2.0]], 2)
    with pytest.raises(GraphError, match=r"distances\[1, 0\] is masked"):
        Graph.from_neighbor_lists(indices, weights)
    with pytest.raises(GraphError, match=r"indices\[1, 0\] is masked"):
        Graph.from_neighbor_lists(np.ma.masked_equal(indices, 0), weights.data)
    with pytest.raises(GraphError, match=r"distances\[1\] is masked"):
        Graph.from_distances(np.ma.masked_equal([1.0, 2.0, 3.0], 2))


@pytest.mark.usefixtures("interpreted")
def test_core_distances_that_overflow_at_every_size():
    graph = DistanceGraph(np.array([[0.0], [1e9], [3e9]]), "euclidean", 2, core_factor=1e300)
    with pytest.raises(GraphError, match=r"core distances times 1e\+300 overflow"):
        minimum_spanning_forest(graph, algorithm="dense", backend="interpreted")


# Core distances of 1


@pytest.mark.parametrize("n", [50, 3_100])
def test_the_first_core_distance_is_0(n, tmp_path):
    points = np.random.default_rng(n).random((n, 2))
    graph = Graph.from_points(points, min_samples=1)
    assert graph.core_distances.tolist() == [0] * n
    again = Graph.from_points(points, min_samples=1)
    forest = minimum_spanning_forest(again)
    assert forest.edges.tolist() == minimum_spanning_forest(Graph.from_points(points)).edges.tolist()
    assert verify(graph, forest)
    np.save(tmp_path / "points.npy", points)
    arguments = ["solve", str(tmp_path / "points.npy"), "--points", "--min-samples", "1", "--verify"]
    assert main(arguments) == 0


@pytest.mark.parametrize("n", [50, 3_100])
def test_an_estimator_with_one_sample(n):
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN

    points = np.random.default_rng(n).random((n, 2))
    assert HDBSCAN(min_samples=1).fit(points).labels_.size == n


def test_good_points_are_good():
    for metric in METRICS:
        check_points(good_points(metric, 40), getattr(distances, metric))


FRAME = pd.DataFrame({"x": [1.0, np.nan, 3, 4], "y": [1, 2, 3, np.nan], "kind": list("abcd")}, list("pqrs"))


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            FRAME[["x"]].astype(str).iloc[:1],
            "has '1.0' in the row 'p', which is no number: write points.astype(float) for numbers",
        ),
        (
            FRAME[["x", "kind"]],
            "the column 'kind' has 'a' in the row 'p', which is no number: write points.select_dtypes",
        ),
        (
            FRAME[["kind", "x"]].rename(columns={"kind": "id"}).assign(id=["a", "a", "a", "c"]),
            "write points.set_index('id').select_dtypes('number') for",
        ),
        (
            FRAME[["x", "y"]],
            "the column 'x' is nan in the row 'q'; 2 of 4 rows have such gaps: write points[numpy.isfinite",
        ),
        (FRAME[["x"]].astype("Int64"), "the column 'x' is nan in the row 'q'; 1 of 4 rows have such gaps"),
        (
            FRAME[["x", "y"]].replace(4, np.inf),
            "write points[numpy.isfinite(points.astype(float)).all(axis=1)] for",
        ),
        (polars.DataFrame({"x": [1.0, 2, 4], "kind": list("abc")}), "the column 'kind' has 'a' in the row 0"),
        (polars.DataFrame({"x": [1.0, None, 4]}), "is nan in the row 1; 1 of 3 rows have such gaps"),
        (polars.DataFrame({"x": [1.0, 2, 4], "y": [None, np.inf, 0]}), "2 of 3 rows have such gaps"),
        (polars.DataFrame({"x": [[1.0, 2], [4, 5]]}), "'x' has a list or an array in each row"),
        (FRAME[["x"]].assign(x=[np.arange(200.0)] * 4), "write numpy.stack(points['x']) for"),
        (polars.DataFrame({"a": ["p", "q"], "x": [[1.0], [4]]}), "write numpy.stack(points['x']) for"),
        (pd.Series([[1, 2], [4, 5]]), "points has a list or an array in each row"),
        (pd.DataFrame({"x": [{}, "a"], "y": [1, 2]}), "the column 'x' has {} in the row 0"),
        (pd.DataFrame({"ra": [dt.time(10, 45)], "z": [1]}), "'ra' has datetime.time(10, 45) in the row 0"),
    ],
)
def test_errors_about_frames_say_what_to_write(frame, message):
    with pytest.raises((GraphError, GraphTypeError), match=re.escape(message)) as caught:
        Graph.from_points(frame)
    advice = re.search("write (.*) for", str(caught.value))[1]
    changed = eval(advice, {"points": frame, "numpy": np, "polars": polars})
    changed = pd.DataFrame(np.asarray(changed))
    assert changed.shape[0]
    numbers = changed[np.isfinite(changed.astype(float)).all(axis=1)]
    assert Graph.from_points(numbers.to_numpy(float)).n == len(numbers)


@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["0,5", "7,1", "7"], "'income' has '0,5' in the row 0, which is no number"),
        (["20000", "unknown", "3"], "'income' has 'unknown' in the row 1"),
        ([None, "01", "02"], "'income' has '01' in the row 1"),
    ],
)
def test_coordinates_that_are_texts(library, values, message):
    with pytest.raises(GraphTypeError, match=f"{message}.* for the columns of numbers, or convert its texts"):
        Graph.from_points(library.DataFrame({"income": values, "y": [1.0, 2, 3]}))
    named = pd.DataFrame({"x": ["01", "02", "03"], "y": [1.0, 2, 3]})
    with pytest.raises(GraphTypeError, match=r"write points.set_index\('x'\)"):
        Graph.from_points(named)


@pytest.mark.parametrize("library", [pd, polars])
def test_columns_of_different_scales(library):
    columns = {"income": [2e4, 9e5, 1e5, 5e4, 3e5] * 2, "visits": [1, 4, 2, 5, 3] * 2}
    message = r"'income' spreads .* times as far as 'visits': write sklearn.preprocessing.scale\(points"
    for dtype in float, np.float32, int:
        with pytest.warns(GraphWarning, match=message):
            Graph.from_points(library.DataFrame({name: np.array(x, dtype) for name, x in columns.items()}))
    for metric in "cosine", "canberra":
        Graph.from_points(library.DataFrame(columns), metric)
    Graph.from_points(library.DataFrame(columns).to_numpy())
    with pytest.raises(GraphError, match="is inf in the row 0"):  # no warning of NumPy comes before
        Graph.from_points(library.DataFrame({"income": [np.inf, *range(9)]}))
    Graph.from_points(library.DataFrame({**columns, "income": range(0, 1000, 100), "none": [5] * 10}))


@pytest.mark.parametrize("library", [pd, polars, None])
def test_axes_in_different_units(library, tmp_path):
    """A slab may be flat, but one axis of three alone does not spread far, and names have one unit."""
    x = np.random.default_rng(0).permutation(60.0 * np.arange(30).repeat(2)).reshape(20, 3)

    def make(x_name="x [kpc]", **factors):
        columns = {name: x[:, k] * factors.get(name[0], 1) for k, name in enumerate([x_name, "y", "z [kpc]"])}
        if library is not None:
            return Graph.from_points(library.DataFrame(columns))
        pd.DataFrame(columns).to_csv(tmp_path / "x.csv", index=False)
        return Graph.from_points(read_points(tmp_path / "x.csv"))

    make(z=1e-6)
    make(z=50)
    with pytest.warns(
        GraphWarning, match=r"'z \[kpc\]' spreads \d,?\d+ times as far as '.*': are their units equal"
    ):
        make(z=1000)
    for x_name in "x [Mpc]", "x_kpc_h":
        with pytest.warns(GraphWarning, match=r"x.*, 'z \[kpc\]' have different units by their names"):
            make(x_name)
    assert not space_units([f"{name} (standard deviations)" for name in ("x [kpc]", "y_Mpc", "z")])


@pytest.mark.parametrize("library", [pd.DataFrame, polars.DataFrame])
def test_scaled_columns_are_no_degrees(library):
    x = np.random.default_rng(0).normal(size=(30, 2)) * [1, 0.1] + [0.5, 0]
    with pytest.warns(GraphWarning, match="count as x and y of a plane"):
        Graph.from_points(library(dict(zip(["ra", "dec"], x.T, strict=True))))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    Graph.from_points(library(dict(zip(["ra", "dec"], x.T, strict=True))))


@pytest.mark.parametrize("kind", ["lazy", "Arrow", "DuckDB"])
def test_tables_of_points_with_ids(kind):
    duckdb = pytest.importorskip("duckdb")
    table = polars.DataFrame({"id": ["K1", "K2", "K3"], "x": [0.0, 3, 1], "y": [0.0, 4, 1]})
    arrow = table.to_arrow()
    table = {"lazy": table.lazy(), "Arrow": arrow, "DuckDB": duckdb.from_arrow(arrow)}[kind]
    for make in Graph.from_points, partial(Graph.from_points_approximately, ann_index="exact", n_neighbors=2):
        with pytest.warns(GraphWarning, match="the column 'id' holds the names"):
            graph = make(table)
        assert graph.names.tolist() == ["K1", "K2", "K3"]
        assert graph.w.tolist() == [5, 2**0.5, 13**0.5]


@pytest.mark.parametrize("days", [dt.date, dt.datetime, lambda *at: dt.datetime(*at) - dt.datetime.min])
@pytest.mark.parametrize("library", [pd, polars])
def test_dates_in_a_frame_are_no_coordinates(library, days):
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN, SingleLinkage

    frame = library.DataFrame({"x": [0.0, 1, 5], "day": [days(2024, 1, k) for k in (1, 2, 3)]})
    for read in Graph.from_points, HDBSCAN(2).fit, SingleLinkage().fit:
        with pytest.raises(GraphTypeError, match=r"the column 'day' has .*: write|'day' has dates or"):
            read(frame)


def test_a_matrix_of_distances_is_no_points():
    """As SciPy warns, of arrays and of frames; and not of a matrix that has another property."""
    pytest.importorskip("sklearn")
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import pdist, squareform

    from boruvka.sklearn import HDBSCAN, SingleLinkage

    distances = squareform(pdist(np.random.default_rng(1).random((9, 2))))
    names = [f"p{i}" for i in range(9)]
    other = distances + np.eye(9), distances * np.arange(1, 10), distances - 1, np.zeros((9, 9))
    with pytest.warns(match="looks suspiciously like an uncondensed distance matrix"):
        linkage(distances)
    for read, advice in (
        (Graph.from_points, r"write Graph\.from_distances\(points\)"),
        (HDBSCAN(2).fit, 'write metric="precomputed"'),
        (SingleLinkage().fit, 'write metric="precomputed"'),
    ):
        for points in distances, pd.DataFrame(distances, names, names):
            with pytest.warns(GraphWarning, match=f"rows are taken as points: {advice} if") as caught:
                read(points)
            assert len(caught) == 1
        for points in other:
            read(points)


@pytest.mark.parametrize("dtype", ["Float64", "Int64", "float64[pyarrow]", None])
def test_points_of_nullable_types(dtype):
    """Points have the numbers of plain types, and the advice on gaps works for nullable types, too."""
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1.0, 2, 4, 9], "b": [0, 1, 5, 7]})
    nullable = frame.convert_dtypes() if dtype is None else frame.astype({"a": dtype})
    graph = Graph.from_points(nullable)
    assert graph.points.tolist() == frame.to_numpy().tolist()
    assert graph.annotations.axes == ("a", "b")
    points = nullable.mask(frame == 2)
    with pytest.raises(GraphError, match="1 of 4 rows have such gaps") as caught:
        Graph.from_points(points)
    advice = re.search("write (.*) for the others", str(caught.value))[1]
    kept = eval(advice, {"points": points, "numpy": np})
    assert Graph.from_points(kept).points.tolist() == frame.drop(index=1).to_numpy().tolist()


@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize("at", [0, 2])
def test_ids_among_coordinates_are_pointed_out(library, at):
    """Of points, ids in the first column are names instead."""
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN, SingleLinkage

    columns = {"a": [0.0, 1, 5, 7], "b": [2.0, 1, 0, 3]}
    for ids in {"site_no": [11, 12, 13, 19]}, {"site_id": [-1.2, -0.1, 0.3, 1.0]}:  # the latter are scaled
        with pytest.warns(GraphWarning, match="is a coordinate, though it looks like ids"):
            Graph.from_points(library.DataFrame({**columns, **ids}))
    Graph.from_points(library.DataFrame({**columns, "mach_no": [0.5, 0.6, 0.7, 0.9]}))
    ids, same = {"customer_id": [11, 12, 13, 19]}, {"store_id": [1, 1, 2, 2]}
    frame = library.DataFrame({**ids, **columns} if at == 0 else {**columns, **ids})
    for read in Graph.from_points, HDBSCAN(2).fit, SingleLinkage().fit:
        message = "'customer_id' (is a coordinate|holds the names)"
        with pytest.warns(GraphWarning, match=message) as caught:
            read(frame)
        assert len(caught) == 1
        if advice := re.search(r"write (.*?) if they are, (.*?) if they", str(caught[0].message)):
            for call, count in (advice[1], 2), (advice[2], 3):
                changed = eval(call, {"X": frame, "points": frame})
                assert changed.shape == (4, count)
                read(changed)
        read(library.DataFrame({**columns, **same}))


@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize(
    ("columns", "metric", "message"),
    [
        (
            {"DE_deg": [1.0, -1], "RA_deg": [5.0, 6]},
            "haversine",
            "called degrees, and are taken as radians: write degrees=True",
        ),
        ({"dec": [1.0, -1], "ra": [0.01, 0.4]}, "haversine", "ra is at most 24 degrees: multiply it by 15"),
        ({"l": [350.0, 20], "b": [5.0, -6]}, "euclidean", "'b', 'l' count as x and y of a plane"),
        *(
            ({name: [1, 2], "x": [5.0, -6]}, "euclidean", f"the column '{name}' holds the names of points")
            for name in (
                "recno",
                "objid",
                "BESTOBJID",
                "haloid",
                "TARGETID",
                "SOURCE_ID",
                "Designation",
                "HIP",
            )
        ),
    ],
)
def test_columns_of_the_sky(library, columns, metric, message):
    with pytest.warns(GraphWarning, match=message) as caught:
        Graph.from_points(library.DataFrame(columns), metric)
    assert len(caught) == 1
    with warnings.catch_warnings(action="error"):  # those of colors, and of right ascensions in radians
        Graph.from_points(library.DataFrame({"ra": [-5.0, 3], "dec": [9.0, 8]}), degrees=True)  # no hours
        Graph.from_points(library.DataFrame({"L": [99.0, 1], "a": [1.0, 2], "b": [-1.0, 2]}))
        Graph.from_points(library.DataFrame({"dec": [1.0, -1], "ra": [5.0, 6]}), "haversine")


@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize(
    ("columns", "metric", "message"),
    [
        ({"RA (deg)": [350.0, 1], "Dec (deg)": [60.0, 61]}, "haversine", "count as x and y of a plane"),
        ({"RAJ2000": [350.0, 1], "DEJ2000": [60.0, 61], "w": [1.0, 2]}, "haversine", "of a plane"),
        ({"Lon [deg]": [350.0, 1], "lat_deg": [60.0, 61]}, "great_circle", "count as x and y of a plane"),
    ],
)
def test_columns_that_are_called_as_others(library, columns, metric, message):
    frame = library.DataFrame(columns)
    with pytest.warns(GraphWarning, match=message) as caught:
        Graph.from_points(frame)
    says = str(caught[0].message)
    assert f"'{metric}', degrees=True), or points.to_numpy()" in says
    assert ("if all columns count; then replace RAJ2000 by ((RAJ2000 - 355.5 + 180) % 360" in says) == (
        "w" in columns
    )
    Graph.from_points(frame.to_numpy())


@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize(
    "columns",
    [
        "x [kpc/h],y [kpc/h],z [kpc/h]",
        "pos_x,pos_y,pos_z",
        "GroupPos_0,GroupPos_1,GroupPos_2",
        "CentreOfPotential_x,CentreOfPotential_y,CentreOfPotential_z",
        "PosX,PosY,PosZ",
        "x_com,y_com,z_com",
        "xc,yc,zc",
    ],
)
def test_places_in_space_are_taken_alone(library, columns, tmp_path):
    rng = np.random.default_rng(1)
    places, text = rng.random((20, 3)), ",".join(["id", columns, "mass", "vx"])
    rows = np.column_stack([np.arange(20)[::-1], places, 9 * rng.random((20, 2))])
    np.savetxt(tmp_path / "p.csv", rows, delimiter=",", header=text, comments="")
    frame = library.DataFrame(dict(zip(text.split(","), rows.T, strict=True)))
    frame = frame.astype({"id": int}) if library is pd else frame.cast({"id": polars.Int64})
    with warnings.catch_warnings(record=True, action="always") as caught:
        graph = Graph.from_points(frame)
    says = [str(each.message) for each in caught]
    assert "'id' holds the names" in says[0]
    assert "are 'mass', 'vx', and are left out: write points.to_numpy" in says[1]
    assert len(says) == 2  # none of units
    assert graph.names.tolist() == [*range(20)][::-1]
    assert graph.w.tolist() == pytest.approx(pdist(places))
    assert read_points(tmp_path / "p.csv").columns == (*columns.split(","),)
    with pytest.warns(GraphWarning, match="'mass', and are coordinates, too: write X"):
        warn_of_columns("X", frame[[*columns.split(","), "mass"]], distances.euclidean)


@pytest.mark.parametrize("columns", [["pos_0", "pos_1", "pos_2", "pos_3"], ["acc_x", "acc_y", "acc_z", "t"]])
def test_other_families_of_columns_are_all_taken(columns):
    assert (
        Graph.from_points(pd.DataFrame([[1.0, 2, 3, 4], [5, 1, 0, 9]], columns=columns)).points.shape[1] == 4
    )


RECORDS = np.array(
    [(2**60 + k, b"ab", ra, dec, 0.5) for k, (dec, ra) in enumerate([(1, 2), (4, 6), (3, 359)])],
    [("source_id", ">i8"), ("type", "S2"), ("ra", ">f8"), ("dec", ">f4"), ("z", ">f8")],
)
"""Fields as in FITS, whose numbers begin with their highest byte."""


@pytest.mark.parametrize("kind", [np.asarray, np.ma.asarray, lambda x: x.view(np.recarray)])
@pytest.mark.filterwarnings("ignore:.*(holds the names|takes the columns|is at most 24)")
def test_structured_arrays_are_frames(kind):
    graph = Graph.from_points(kind(RECORDS), degrees=True)
    angles = np.radians(np.stack([RECORDS["dec"], RECORDS["ra"]], axis=1))
    np.testing.assert_allclose(graph.w, haversine_distances(angles)[np.triu_indices(3, 1)], rtol=1e-12)
    assert graph.names.tolist() == [2**60, 2**60 + 1, 2**60 + 2]
    assert Graph.from_points(kind(RECORDS)[["z", "ra"]]).w.tolist() == [4, 357, 353]
    with pytest.raises(GraphTypeError, match="column 'type' has 'ab' in the row 0, which is no number"):
        Graph.from_points(kind(RECORDS)[["z", "type"]])
    vectors = np.zeros(3, [("pos", ">f4", 3), ("mass", float)])
    with pytest.raises(GraphTypeError, match=r"'pos' has a list or an array in each row.*numpy\.stack"):
        Graph.from_points(kind(vectors))


def test_masked_fields():
    masked = np.ma.array(RECORDS[["ra", "dec"]])
    masked.mask["ra"][1] = True
    with pytest.raises(GraphError, match="the column 'ra' is nan in the row 1; 1 of 3 rows"):
        Graph.from_points(masked, degrees=True)
    names = np.ma.array(RECORDS[["type", "z"]])
    names.mask["type"][1] = True
    assert in_memory(names)["type"].isna().tolist() == [False, True, False]


def test_layouts_that_are_not_rows():
    with pytest.warns(GraphWarning, match=r"points are 3 rows of 400 coordinates: write numpy\.transpose"):
        Graph.from_points(tuple(np.zeros((3, 400))), box=1)
    with pytest.raises(GraphTypeError, match=r"column 'RA' has texts, '23:00:05\.2': write degrees=True"):
        Graph.from_points(pd.DataFrame({"RA": ["23:00:05.2"], "x": [1]}))


DEGREES = [[41.2691666666666667, 10.6845833333333333], [-59.6844444444444444, 161.265], [80, 350]]
NORTH, EAST = zip(*DEGREES, strict=True)
EAST_AS_TEXTS = ["0 42 44.3", "10h45m03.6s", "23:20:00"]
GALACTIC = ["10 41 04.5", "161:15:54", "350d0m0s"]


@pytest.mark.filterwarnings("ignore:.*(is read as|takes the columns)")
@pytest.mark.parametrize("library", [pd, polars])
@pytest.mark.parametrize(
    ("columns", "metric", "length"),
    [
        ({"lat": NORTH, "lon": EAST}, "great_circle", 6371.0088),
        ({"RA": EAST, "z": [1, 2, 3], "Dec": NORTH}, "haversine", 1),
        ({"RA": EAST_AS_TEXTS, "Dec": NORTH}, "haversine", 1),
        ({"GLON": GALACTIC, "GLAT": NORTH}, "haversine", 1),
        ({"l": EAST, "b": NORTH}, "haversine", 1),
        ({"alpha": EAST, "delta": NORTH}, "haversine", 1),
        *(
            ({east: EAST, north: NORTH}, "haversine", 1)
            for east, north in [
                ("RA_1", "DEC_1"),
                ("gaia_ra", "gaia_dec"),
                ("MEAN_FIBER_RA", "MEAN_FIBER_DEC"),
                ("ra_x", "decl"),
                ("R.A.", "Dec."),
                ("RA_fk5", "DE_fk5"),
                ("coord_ra", "coord_dec"),
                ("TARGET_RA", "TARGET_DEC"),
                ("lII", "bII"),
            ]
        ),
        (
            {"kind": ["p", "q", "p"], "_RA": EAST, "_DE": NORTH, "RA": ["1 2 3"] * 3, "DE": "1 1 1"},
            "haversine",
            1,
        ),
        (
            {
                "RAh": [0, 10, 23],
                "RAm": [42, 45, 20],
                "RAs": [44.3, 3.6, 0],
                "DE-": ["+", "-", ""],
                "DEd": [41, 59, 80],
                "DEm": [16, 41, 0],
                "DEs": [9.0, 4.0, 0.0],
            },
            "haversine",
            1,
        ),
        (None, "great_circle", 6371.0088),
    ],
)
def test_degrees(library, columns, metric, length):
    graph = Graph.from_points(DEGREES if columns is None else library.DataFrame(columns), degrees=True)
    latitude, longitude = np.radians(DEGREES).T
    x = np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)]
    )
    i, j = np.triu_indices(3, 1)
    np.testing.assert_allclose(graph.w, length * np.arccos((x.T @ x)[i, j]), rtol=1e-12)
    assert graph.annotations.pairs.distance.__name__ == metric


CDS = {
    "RAh": ["05", "05"],
    "RAm": ["35", "36"],
    "RAs": ["17.3", "10"],
    "DE-": ["-", "-"],
    "DEd": ["05", "06"],
    "DEm": ["23", "20"],
    "DEs": ["28", "30"],
}
"""Parts of two angles, as tables of the CDS have them."""


@pytest.mark.parametrize(
    ("points", "metric", "message"),
    [
        (
            [[100, 2], [3, 4]],
            None,
            r"point 0 is \(100\.0, 2\.0\), not a latitude from -90 to .*: remove .*, or exchange longi",
        ),
        ([[1, 2], [3, 4]], "euclidean", "degrees=True is for the metrics great_circle and haversine"),
        ([[1, 2, 3], [3, 4, 5]], None, r"takes two columns, latitude and longitude, .* degrees=True"),
        ([(1, 2), (3, "x")], None, "points are integers or floats"),
        (
            pd.DataFrame({"ra": ["1 2 3", "x"], "dec": [1, 2]}),
            None,
            "column 'ra' has 'x', which is not an angle",
        ),
        (
            pd.DataFrame({"ra": ["x", "y"], "dec": [1, 2]}),
            None,
            "column 'ra' has texts, 'x': convert them to",
        ),
        (
            pd.DataFrame({"w": [np.nan, 1, 1], "ra": [1, np.nan, 2], "dec": [1, 2, 3]}),
            None,
            r"the column 'ra' is nan in the row 1; 1 of 3 .*points\[numpy.isfinite\(points",
        ),
        (pd.DataFrame({"ra": ["1 2 x"], "dec": ["1 2 3"]}), None, "'ra' has '1 2 x', which is not an angle"),
        *(
            (pd.DataFrame({"ra": [1, 2], "dec": ["+12:00:00", x]}), None, f"'dec' has {x!r}, .* in one way")
            for x in (12.1, "12.1", " ")
        ),
        (
            pd.DataFrame({"ra": ["12:00:00"] * 2, "dec": ["12:00:00", np.nan]}, index=[5, 7]),
            None,
            r"'dec' is nan in the row 7; 1 of 2 .*points\[numpy.isfinite\(points",
        ),
        (
            polars.DataFrame({"ra": ["12:00:00"] * 2, "dec": ["12:00:00", None]}),
            None,
            r"'dec' is nan in the row 1; 1 of 2 .*points.filter\(polars.all_horizontal",
        ),
        (
            pd.DataFrame({"ra": ["1.5", "  ", "2"], "dec": [1, 2, 3]}),
            None,
            "the column 'ra' has texts, '  ': convert them to degrees",
        ),
        (pd.DataFrame({"lat": [1], "lon": [2], "ra": [3]}), None, "several columns .*'lat', 'lon', 'ra'"),
        (pd.DataFrame({"RAh": [1], "RAm": [2], "DEd": [3], "DEm": [4]}), None, "there is no column DE-"),
        *(
            (pd.DataFrame({**CDS, part: [CDS[part][0], blank]}), None, message)
            for blank in ("", " ", None, np.nan)
            for part, message in {
                "RAh": r"'\? 36 10', which is not",
                "RAm": r"'05 \? 10', which is not",
                "DEd": r"'- \? 20 30', which is not",
                "DEm": r"'- 06 \? 30', which is not",
            }.items()
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*(is read as|takes the columns)")
def test_degrees_that_are_refused(points, metric, message):
    with pytest.raises((GraphError, GraphTypeError, OptionError), match=message):
        Graph.from_points(points, metric, degrees=True)


@pytest.mark.filterwarnings("ignore:.*(is read as|takes the columns)")
@pytest.mark.parametrize("signs", [["-", "+"], [-1, 1], [-1.0, 1.0], ["-1", "1"]])
def test_parts_of_angles_with_other_names_and_signs(signs):
    frame = pd.DataFrame({**CDS, "DE-": signs}).rename(columns=str.lower)
    dec = [-(5 + 23 / 60 + 28 / 3600), 6 + 20 / 60 + 30 / 3600]
    np.testing.assert_allclose(Graph.from_points(frame, degrees=True).coordinates[:, 1], dec)
    frame = pd.DataFrame({**CDS, "DE-": signs, "des": [1, 2]})  # another column than DEs
    np.testing.assert_allclose(Graph.from_points(frame, degrees=True).coordinates[:, 1], dec)


@pytest.mark.filterwarnings("ignore:.*is read as")
def test_parts_of_angles_without_seconds():
    with pytest.warns(GraphWarning, match="1 of 2 rows have no RAs: their seconds count as 0"):
        graph = Graph.from_points(pd.DataFrame({**CDS, "RAs": [17.3, np.nan]}), degrees=True)
    places = [
        [-(5 + 23 / 60 + 28 / 3600), 15 * (5 + 35 / 60 + 17.3 / 3600)],
        [-(6 + 20 / 60 + 30 / 3600), 84],
    ]
    assert graph.w.tolist() == pytest.approx([haversine_distances(np.radians(places))[0, 1]])


@pytest.mark.parametrize("degrees", [False, True])
@pytest.mark.parametrize(
    ("columns", "is_said"), [("ab", True), (("lat_a", "b"), False), ("yx", False), ((0, 1), False)]
)
def test_which_column_is_the_latitude(columns, is_said, degrees):
    frame = pd.DataFrame([[0.1, 0.7], [0.2, 0.9]], columns=list(columns))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = Graph.from_points(frame, "haversine", degrees=degrees)
    says = (
        "a is taken as the latitude, and b as the longitude: write points[['b', 'a']].to_numpy() if they are"
    )
    assert [str(each.message).startswith(says) for each in caught] == [True] * is_said
    angles = np.radians(frame) if degrees else frame.to_numpy()
    assert graph.w.tolist() == pytest.approx([haversine_distances(angles)[0, 1]])


@pytest.mark.parametrize(
    ("column", "is_said"),
    [
        ([1, -999, 400, -999], True),
        ([*range(400, 420), -999], True),
        ([*range(400, 418), -999], False),
        ([1.5, -99, 10, -99], True),
        ([1, -999, 4, 5], False),
        ([-90, -99, 4, -99], False),
        ([-999] * 4, False),
        ([*range(90), -99], True),
        ([*range(-1, 300), -99, -99], False),
        ([1, -998, 4, -998], False),
    ],
)
def test_numbers_that_stand_for_missing_values(column, is_said):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Graph.from_points(np.column_stack([range(len(column)), column]))
    what = f"coordinate 1 is {min(column)} in {column.count(min(column))} of {len(column)} points"
    says = f"{what}, far below all others: leave them out (in files by null_v"
    assert [says in str(each.message) for each in caught] == [True] * is_said
    if is_said:
        with pytest.warns(
            GraphWarning, match=rf"'b' is {min(column)} .* write points.replace\({min(column)}, numpy"
        ):
            Graph.from_points(pd.DataFrame({"a": range(len(column)), "b": column}))
        points = polars.DataFrame({"a": range(len(column)), "b": column})
        with pytest.warns(GraphWarning, match=r"write (points\.filter\(.*\)\)) if") as caught:
            Graph.from_points(points)
        advice = re.search(r"write (.*) if it", str(caught[0].message))[1]
        kept = eval(advice, {"points": points, "polars": polars})
        assert len(kept) == len(column) - column.count(min(column))
    if is_said and max(column) < 100:  # also before degrees are converted
        with pytest.warns(GraphWarning, match=r"'ra' is -99 .* write points.replace\(-99, numpy"):
            Graph.from_points(pd.DataFrame({"dec": 0, "ra": column}), degrees=True)


def test_texts_beside_columns_of_the_sky():
    frame = pd.DataFrame({"RAJ2000": [1.0, 2], "DEJ2000": [3.0, 4], "type": ["a", "a"]})
    with (
        pytest.warns(GraphWarning, match="of a plane"),
        pytest.raises(GraphTypeError, match="write points with degrees=True for the columns of numbers"),
    ):
        Graph.from_points(frame)


@pytest.mark.parametrize("library", [pd.DataFrame, polars.DataFrame, pa.table])
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"ra": [0.1, 6], "dec": [0.1, 0.2]},
            r"look like radians: write .*degrees=True\) if in degrees; write .*'haversine'\) if in radians",
        ),
        (
            {"ra": [20.0, 3], "dec": [41.0, 0.2]},
            r"if it has hours; write .*'ra'\]\]\.to_numpy\(\), 'haversine', degrees=True\) if in degrees",
        ),
        ({"ra_rad": [20.0, 3], "dec_rad": [41.0, 0.2]}, "are called radians, and are taken as degrees"),
    ],
)
def test_degrees_that_look_like_another_unit(library, columns, message):
    with pytest.warns(GraphWarning, match=message):
        graph = Graph.from_points(library(columns), degrees=True)
    latitude, longitude = np.radians([*columns.values()][::-1])
    assert graph.w.tolist() == pytest.approx(haversine_distances(np.stack([latitude, longitude], 1))[0, 1:])


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"x": ["1.5", "-2e3"], "y": [1, 2]}),
            "column 'x' has '1.5' in the row 0, which is no number: write",
        ),
        (pd.DataFrame(index=range(3)), "points have no column of coordinates"),
        (pd.DataFrame({"RAh": [1], "DEd": [1]}), "parts of angles: write degrees=True"),
    ],
)
def test_tables_without_coordinates(frame, message):
    with pytest.raises((GraphError, GraphTypeError), match=message):
        Graph.from_points(frame)
