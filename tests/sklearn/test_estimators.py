"""The estimators obey scikit-learn's rules, and their errors say what to do."""

import importlib
import pathlib
import re
import sys

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

import duckdb
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from boruvka import GraphError, GraphTypeError, GraphWarning, MissingExtraError, OptionError
from boruvka.errors import without_warnings
from boruvka.sklearn import HDBSCAN, SingleLinkage

SHUFFLES = "it shuffles points, whose order numbers clusters"


def expected_failures(estimator):
    if estimator.metric != "precomputed":
        return {f"check_sample_weight_equivalence_on_{kind}_data": SHUFFLES for kind in ("dense", "sparse")}
    return {
        "check_sample_weight_equivalence_on_dense_data": SHUFFLES,
        "check_estimators_nan_inf": "an infinite distance is as if it were not given",
        "check_clustering": "the check clusters points",
    }


@parametrize_with_checks([HDBSCAN()], expected_failed_checks=expected_failures)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_check_of_weights_without_its_shuffle(kind, monkeypatch):
    monkeypatch.setattr(estimator_checks, "shuffle", lambda *arrays, random_state: arrays)
    getattr(estimator_checks, f"check_sample_weight_equivalence_on_{kind}_data")("HDBSCAN", HDBSCAN())


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("core_dist_n_jobs", "write n_jobs (of the hdbscan library? Its min_samples is 1 less"),
        ("gen_min_span_tree", "leave it out"),
        ("cluster_selection_epsilon_max", "leave it out"),
        ("min_cluter_size", "did you mean min_cluster_size?"),
        ("eps", "write cluster_selection_epsilon=5, or dbscan_clustering(5) of the fit"),
    ],
)
def test_parameters_that_are_not_here(name, advice):
    with pytest.raises(OptionError, match=re.escape(f"HDBSCAN has no parameter {name}: {advice}")):
        HDBSCAN(**{name: 5})


def test_all_parameters_that_are_not_here_are_in_one_error():
    says = "jobs: write n_jobs; p: write metric='minkowski', metric_params={'p': 2}; memory: leave"
    with pytest.raises(OptionError, match=re.escape(says)):
        HDBSCAN(min_samples=3, core_dist_n_jobs=2, p=2, memory=None)
    points = np.random.default_rng(0).random((40, 2))
    same = HDBSCAN(metric="minkowski", metric_params={"p": 2}).fit(points).labels_  # as the error says
    assert same.tolist() == HDBSCAN().fit(points).labels_.tolist()
    for name, value, says in [
        ("max_cluster_size", 0, "for no limit write None"),
        ("algorithm", "boruvka_kdtree", "is 'kd_tree' here: best left out"),
        ("algorithm", "generic", "is 'brute' here: best left out"),
        ("min_samples", [2, 10], "one number, fit_many takes several"),
        ("min_cluster_size", np.arange(2, 4), "one number, compare_min_cluster_sizes of a fit"),
    ]:
        with pytest.raises(OptionError, match=says):
            HDBSCAN(**{name: value}).fit(points)
    model = HDBSCAN().fit(points)
    assert not hasattr(model, "generate_prediction_data")
    with pytest.raises(AttributeError, match="write model"):
        model.single_linkage_tree_.get_clusters(0.5)
    with pytest.raises(OptionError, match="no parameter select_clusters: selected clusters are colored"):
        model.condensed_tree_.plot(select_clusters=True)


@pytest.mark.long
@parametrize_with_checks(
    [SingleLinkage(), SingleLinkage(metric="precomputed"), HDBSCAN(metric="precomputed")],
    expected_failed_checks=expected_failures,
)
def test_checks_of_scikit_learn_of_the_other_estimators(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (SingleLinkage(None), "give either n_clusters or distance_threshold"),
        (SingleLinkage(5), "n_clusters must be an integer from 1 to 4, got 5"),
        (HDBSCAN(1), "min_cluster_size must be an integer 2 or more, got 1"),
        (HDBSCAN(min_samples=5), "min_samples is 5, more than the 4 points$"),
        (HDBSCAN(5), "min_samples is 5, more than the 4 points, by default min_cluster_size: pass a smaller"),
        (HDBSCAN(alpha=0), "alpha must be a number"),
        (HDBSCAN(cluster_selection_method="best"), "must be one of eom, leaf"),
        (
            HDBSCAN(metric="euclid"),
            "metric must be one of .*, matching, .*, precomputed, .*; got .*: did you mean euclidean?",
        ),
        (SingleLinkage(metric="L1"), "did you mean l1?"),
        (SingleLinkage(metric="squared_euclidean"), "did you mean sqeuclidean?"),
        (HDBSCAN(metric="precompute"), "did you mean precomputed?"),
    ],
    ids=str,
)
def test_wrong_options(estimator, message):
    with pytest.raises(OptionError, match=message):
        estimator.fit(np.eye(4))


@pytest.mark.parametrize("estimator", [SingleLinkage(metric="precomputed"), HDBSCAN(metric="precomputed")])
@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_wrong_distances(estimator, convert):
    with pytest.raises(GraphError, match="a square matrix"):
        estimator.fit(convert(np.ones((5, 4))))
    with pytest.raises(GraphError, match=r"write scipy.spatial.distance.squareform\(X\)"):
        estimator.fit(np.ones(10))
    with pytest.raises(GraphError, match="distances are numbers from 0"):
        estimator.fit(convert(np.full((5, 5), -1.0)))


def test_a_large_integer_is_named_by_its_place():
    with pytest.raises(GraphError, match=r"X\[1, 0\] is an integer that float64 would round: subtract"):
        HDBSCAN().fit([[1, 0.5], [2**53 + 1, 0.5]])


@pytest.mark.parametrize("estimator", [SingleLinkage(), HDBSCAN(), SingleLinkage(metric="precomputed")])
def test_paths_and_frames_without_an_index(estimator):
    for path in "a.csv", pathlib.Path("a.csv"):
        with pytest.raises(
            TypeError, match=r"X is 'a.csv', no array: pandas.read_csv\('a.csv', index_col=0\) reads"
        ):
            estimator.fit(path)
    if estimator.metric == "precomputed":
        frame = pd.DataFrame(1 - np.eye(3), list("abc"), list("abc"))
        with pytest.raises(GraphError, match=r"write frame.set_index\('index'\)"):
            estimator.fit(frame.reset_index())
        estimator.fit(frame.reset_index().set_index("index"))


TABLES = {
    "polars": lambda frame: frame,
    "lazy": lambda frame: frame.lazy(),
    "Arrow": lambda frame: frame.to_arrow(),
    "DuckDB": lambda frame: duckdb.from_arrow(frame.to_arrow()),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.needs("pyarrow")
def test_points_of_tables(kind):
    polars, points = pytest.importorskip("polars"), np.random.default_rng(0).random((40, 2))
    table = TABLES[kind](polars.DataFrame(points, schema=["p", "q"]))
    np.testing.assert_array_equal(SingleLinkage().fit(table).linkage_, SingleLinkage().fit(points).linkage_)
    model, expected = HDBSCAN(3).fit(table), HDBSCAN(3).fit(points)
    assert model.labels_.tolist() == expected.labels_.tolist()
    assert model.feature_names_in_.tolist() == ["p", "q"]
    assert model.predict(table).tolist() == expected.predict(points).tolist()


def test_without_scikit_learn(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("boruvka.sklearn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[sklearn\]"):
        importlib.import_module("boruvka.sklearn")


@pytest.mark.parametrize("kind", [complex, object])
def test_complex_points_are_refused(kind):
    points = np.array([[np.complex128(1 + 2j), 2], [3, 4], [5, 6]], dtype=kind)
    for estimator in SingleLinkage(), HDBSCAN(), SingleLinkage(metric="precomputed"):
        with pytest.raises((ValueError, TypeError), match=r"[Cc]omplex"):
            estimator.fit(points)


@pytest.mark.parametrize("estimator", [SingleLinkage(), HDBSCAN(2)], ids=str)
def test_digits_in_texts_are_no_coordinates(estimator):
    """As for `Graph.from_points`: they may be postcodes, which would decide alone."""
    frame = pd.DataFrame({"age": [30, 40, 50], "plz": ["01067", "99999", "01067"]})
    of_polars = pytest.importorskip("polars").from_pandas(frame)
    for x in frame, frame.astype({"plz": object}), frame.astype({"plz": "category"}), of_polars:
        with pytest.raises(
            GraphTypeError, match="the column 'plz' has '01067' in the row 0, which is no num"
        ):
            estimator.fit(x)
    with pytest.raises(GraphTypeError, match=r"X has texts: write X.astype\(float\)"):
        estimator.fit(frame.to_numpy())


@pytest.mark.parametrize(
    "estimator", [SingleLinkage(), HDBSCAN(2), HDBSCAN(2, metric="precomputed")], ids=str
)
def test_times_are_no_coordinates(estimator):
    for kind in "m8[s]", "M8[ns]":
        points = np.zeros((4, 4)).astype(kind)
        frame = pd.DataFrame(np.zeros((4, 4)))
        frame[2] = pd.Series(points[0])
        for x in points, pd.DataFrame(points), frame, np.array([list(row) for row in points], object):
            with pytest.raises(GraphTypeError, match="has dates or spans of time"):
                estimator.fit(x)
    if estimator.metric != "precomputed":
        estimator.fit(np.eye(4))
    if hasattr(estimator, "predict"):
        with pytest.raises(GraphTypeError, match="X has dates or spans of time"):
            estimator.predict(points)


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("read", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_names_are_no_coordinates(read, metric, tmp_path):
    """Neither is the index of a filtered frame that was stored, nor a first column of ids; as of arrays."""
    library = importlib.import_module("pyarrow.parquet" if read == "pyarrow" else read)
    how = {"min_cluster_size": 3, "metric": metric}
    points = np.random.default_rng(1).random((12, 2))
    points = pairwise_distances(points) if metric == "precomputed" else points
    labels = list(range(20, 32))
    frame = pd.DataFrame(points, labels, labels if metric == "precomputed" else ["temp", "hum"])
    frame.set_axis(list(map(str, frame.columns)), axis=1).to_parquet(tmp_path / "a.parquet")
    expected = HDBSCAN(**how).fit(points)
    table = getattr(library, "read_table" if read == "pyarrow" else "read_parquet")(tmp_path / "a.parquet")
    model = HDBSCAN(**how).fit(table)
    assert model.labels_.tolist() == expected.labels_.tolist()
    assert model.minimum_spanning_tree_.graph.names.tolist() == labels
    linkage = SingleLinkage(metric=metric).fit(table).linkage_
    np.testing.assert_array_equal(linkage, SingleLinkage(metric=metric).fit(points).linkage_)
    if metric == "euclidean":
        with_ids = frame.assign(sensor_id=labels)[["sensor_id", "temp", "hum"]]
        with pytest.warns(GraphWarning, match=r"'sensor_id' holds the names of points \(X.set_index"):
            of_ids = HDBSCAN(**how).fit(with_ids)
        assert of_ids.minimum_spanning_tree_.graph.names.tolist() == labels
        for fitted, new in (model, table), (of_ids, with_ids), (of_ids, frame):
            with without_warnings():
                assert fitted.predict(new).tolist() == expected.predict(points).tolist()
