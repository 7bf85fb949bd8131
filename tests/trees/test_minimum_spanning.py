import itertools
import re
import threading
import time
import warnings
from functools import partial

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
import boruvka.graph.exact
from boruvka import Graph, GraphError, GraphWarning, OptionError, generators, minimum_spanning_forest
from boruvka.algorithms.registry import edge_list_algorithms
from tests import oracles
from tests.strategies import FLOATS, graphs

DEFAULTS = ("filter-boruvka", "boruvka", "block-boruvka", "kruskal")
QUADRATIC = ("component-edge-contraction", "component-star-contraction", "dense")
LITERATURE = tuple(sorted(set(edge_list_algorithms()) - {*DEFAULTS, *QUADRATIC}))
KEYS_32, KEYS_64 = [np.dtype(np.float32)], [np.dtype(np.float64), np.dtype(np.int64)]
"""Types whose keys hold the index, and types whose keys may have no room for it."""

long = pytest.mark.long


def long_params(*values):
    return [pytest.param(value, marks=long) for value in values]


@given(graph=graphs(max_vertices=5, max_edges=8))
def test_no_set_of_edges_is_lighter(graph):
    forest = minimum_spanning_forest(graph)
    with np.errstate(invalid="ignore"):
        lightest = oracles.lightest_by_enumeration(graph.n, graph.u, graph.v, graph.w)
    if graph.w.dtype.kind in "iu":
        assert forest.weight == lightest
    else:
        assert forest.weight == pytest.approx(float(lightest), rel=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("algorithm", "dtype"),
    [("auto", "float64")] + [pytest.param(a, d, marks=long) for a in DEFAULTS for d in ("int32", "float64")],
)
@given(data=st.data())
def test_total_is_that_of_networkx(algorithm, dtype, data):
    graph = data.draw(graphs(max_vertices=40, max_edges=300, dtypes=[np.dtype(dtype)]))
    finite = np.isfinite(graph.w)
    graph = Graph(graph.n, graph.u[finite], graph.v[finite], graph.w[finite])
    other = nx.MultiGraph()
    other.add_nodes_from(range(graph.n))
    edges = zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    other.add_weighted_edges_from(edges)
    tree = nx.minimum_spanning_edges(other, keys=False, data=True)
    total = boruvka.graph.exact.exact_sum(np.array([d["weight"] for *_, d in tree], graph.w.dtype))
    assert minimum_spanning_forest(graph, algorithm=algorithm).weight == total


LARGE = {
    "random": partial(generators.random, 20_000, 180_000),
    "kronecker": partial(generators.kronecker, 14, 16),
    "grid": partial(generators.grid, 400, 400, drop_probability=0.1),
    "shuffled grid": partial(generators.grid, 400, 400, drop_probability=0.1, shuffle=True),
    "star": partial(generators.star, 100_000),
    "path": partial(generators.path, 100_000),
}
"""Graphs on which several threads really meet."""


def solved_by_scipy(name, dtype):
    """Make a large graph with weights of a type; find the size and the weight of its forest by SciPy."""
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    shape, random = LARGE[name](seed=1), np.random.default_rng(7)
    if dtype.startswith("f"):
        w = 0.5 + random.random(shape.m).astype(dtype)
    else:
        w = random.integers(1, 100 if dtype == "int8" else 2**50, shape.m).astype(dtype)
    graph = Graph(shape.n, shape.u, shape.v, w)
    order = np.lexsort((w, np.maximum(graph.u, graph.v), np.minimum(graph.u, graph.v)))
    ends = graph.u[order].astype(np.int32), graph.v[order].astype(np.int32)
    low, high = np.minimum(*ends), np.maximum(*ends)
    first = np.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])] & (low != high)
    lightest = sparse.coo_array(
        (w[order][first].astype(float), (low[first], high[first])), shape=(graph.n, graph.n)
    )
    tree = minimum_spanning_tree(lightest.tocsr())
    return graph, tree.nnz, tree.sum()


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize(
    "dtype", ["float64", *(pytest.param(t, marks=long) for t in ("float32", "int64", "int8"))]
)
def test_large_graphs_agree_with_scipy(name, dtype):
    graph, edges, weight = solved_by_scipy(name, dtype)
    expected = minimum_spanning_forest(graph, threads=1)
    assert expected.edges.size == edges
    assert expected.weight == pytest.approx(weight, rel=1e-12)
    assert boruvka.verify(graph, expected)
    for algorithm, threads in itertools.product(DEFAULTS, (1, 2, 3)):
        answer = minimum_spanning_forest(graph, algorithm=algorithm, threads=threads)
        np.testing.assert_array_equal(answer.edges, expected.edges, f"{algorithm} on {threads} threads")
        assert answer.weight == expected.weight


def test_auto_chooses_what_pays():
    def chosen(graph):
        return minimum_spanning_forest(graph, threads=2).algorithm

    assert chosen(generators.random(1_000, 5_000)) == chosen(generators.path(100_000)) == "kruskal"
    assert chosen(generators.grid(1100, 1100)) == "boruvka"
    assert chosen(generators.grid(1100, 1100, shuffle=True)) == "block-boruvka"
    assert chosen(generators.random(500_000, 600_000)) == "kruskal"
    assert chosen(generators.random(10_000, 600_000, dtype="float64")) == "filter-boruvka"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "magic"}, "unknown algorithm 'magic'; there are block-boruvka"),
        ({"algorithm": np.zeros(2)}, r"unknown algorithm array\(\[0., 0.\]\)"),
        ({"backend": "abacus"}, "unknown backend 'abacus'; there are threads"),
        ({"threads": 0}, "threads must be an integer from 1 to 1024, got 0"),
        ({"threads": -3}, "threads must be an integer from 1 to 1024, got -3"),
        ({"threads": 1.5}, "threads must be an integer from 1 to 1024, got 1.5"),
        ({"threads": "many"}, "threads must be an integer from 1 to 1024, got 'many'"),
        ({"maximun": True}, "tuple has no option 'maximun' here: did you mean maximum"),
        ({"coordinates": True}, "tuple has no option 'coordinates' here; it takes names, n"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        minimum_spanning_forest(([0], [1], [1]), **options)


def test_the_gil_is_released_and_two_solves_run_at_once():
    graph = generators.random(200_000, 1_800_000, seed=1)
    expected = minimum_spanning_forest(graph).edges
    answers, ticks = [], []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    def solve():
        answers.append(minimum_spanning_forest(graph, threads=2).edges)

    clock, solvers = threading.Thread(target=tick), [threading.Thread(target=solve) for _ in range(4)]
    clock.start()
    for solver in solvers:
        solver.start()
    for solver in solvers:
        solver.join()
    done.set()
    clock.join()
    assert len(answers) == 4
    for answer in answers:
        np.testing.assert_array_equal(answer, expected)
    assert len(ticks) > 5


def test_the_input_is_left_alone():
    u, v, w = np.array([0, 1, 2], np.uint32), np.array([1, 2, 0], np.uint32), np.array([3.0, 1.0, 2.0])
    copies = u.copy(), v.copy(), w.copy()
    minimum_spanning_forest((u, v, w))
    for array, copy in zip((u, v, w), copies, strict=True):
        np.testing.assert_array_equal(array, copy)
        assert array.flags.writeable


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_minus_zero_is_zero(dtype):
    graph = Graph(2, [0, 0], [1, 1], np.array([0.0, -0.0], dtype))
    assert minimum_spanning_forest(graph).edges.tolist() == [0]
    assert minimum_spanning_forest(graph, maximum=True).edges.tolist() == [0]


def test_gaps_between_ids_are_pointed_out():
    rng = np.random.default_rng(1)
    ids = rng.choice(10**7, 500, replace=False)
    third = rng.choice(9000, 3000, replace=False).reshape(2, -1)
    for u, v in rng.choice(ids, (2, 800)), np.array([[0, 0], [5000, 1]]), third, np.array([[0], [9]]):
        w, n, count = np.ones(u.size), max(*u, *v) + 1, len({*u.tolist(), *v.tolist()})
        expected = rf"only {count:,} of {n:,} vertices have an edge.*: names=True numbers .*, n={n} takes all"
        with pytest.warns(GraphWarning, match=expected) as caught:
            assert minimum_spanning_forest((u, v, w)).n == n
        assert len(caught) == 1
        assert minimum_spanning_forest((u, v, w, n)).n == boruvka.as_graph((u, v, w), n=n).n == n
        assert boruvka.as_graph((u, v, w), names=True).n == count
    minimum_spanning_forest((np.arange(2500), np.arange(2500, 5000) * 2, np.ones(2500)))  # 1 of 2 has one


CORRELATIONS = np.corrcoef(np.random.default_rng(5).normal(size=(6, 40)))
"""Of six series; some are negative."""


@pytest.mark.parametrize("kind", ["array", "distances", "gaps", "file", "labels", "batch"])
def test_correlations_taken_for_distances(kind, tmp_path):
    """The maximum tree is that of distances; the other warns."""
    matrix, options = CORRELATIONS.copy(), {}
    if kind == "gaps":
        matrix[0, 1] = matrix[1, 0] = np.nan
        options["missing"] = "drop"
    solve = minimum_spanning_forest
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "batch":
            matrix = matrix[None]
            solve = boruvka.minimum_spanning_forests
        elif kind == "file":
            np.savetxt(tmp_path / "rho.csv", matrix, delimiter=",")
            matrix = boruvka.read(tmp_path / "rho.csv")
        elif kind == "labels":
            pandas = pytest.importorskip("pandas")
            matrix = pandas.DataFrame(matrix, list("abcdef"), list("abcdef"))
        elif kind != "array":
            matrix = boruvka.Graph.from_distances(matrix, **options)
    message = r"the diagonal is 1: these look like correlations.* pass maximum=True, or distances"
    with pytest.warns(GraphWarning, match=message):
        solve(matrix)
    found = solve(matrix, maximum=True)
    if kind != "gaps":
        expected = boruvka.Graph.from_distances(np.sqrt(2 * (1 - CORRELATIONS).clip(0)))
        expected = minimum_spanning_forest(expected)
        found = found if kind != "batch" else found[0]
        pairs = [set(map(frozenset, zip(f.u.tolist(), f.v.tolist(), strict=True))) for f in (found, expected)]
        assert pairs[0] == pairs[1]


@pytest.mark.filterwarnings("ignore:.*(are NaN, and no edges|read as a matrix|gaps)")
@pytest.mark.parametrize("flat", [0, 2, 4])
@pytest.mark.parametrize("kind", ["drop", "default", "batch", "file", "empty diagonal"])
def test_correlations_with_a_constant_series_are_no_distances(kind, flat, tmp_path):
    """A constant series has no correlation with itself either: NaN is on the diagonal, as in pandas."""
    pandas = pytest.importorskip("pandas")
    values = np.random.default_rng(0).normal(size=(300, 5))
    values[:, 1] += 2 * values[:, 3]
    values[:, flat] = 1
    graph = pandas.DataFrame(values, columns=list("ABCDE")).corr()
    assert np.isnan(graph.iloc[flat, flat])
    solve, sign = minimum_spanning_forest, "the diagonal is 1"
    if kind == "batch":
        graph, solve = [graph, graph], partial(boruvka.minimum_spanning_forests, missing="drop")
    elif kind == "file":
        graph.to_csv(tmp_path / "rho.csv")
        graph = boruvka.read(tmp_path / "rho.csv")
    elif kind == "empty diagonal":
        sign = "some weights are negative"
        known = graph.dropna(how="all").dropna(axis=1, how="all")
        graph = boruvka.Graph.from_distances(known - np.eye(4))
    else:
        how = {"default": 0} if kind == "default" else {"missing": "drop"}
        graph = boruvka.Graph.from_distances(graph, **how)
    with pytest.warns(GraphWarning, match=f"{sign}: these look like correlations"):
        solve(graph)


@pytest.mark.parametrize("kind", ["covariances", "information", "counts"])
def test_similarities_with_a_positive_diagonal_are_no_distances(kind):
    """Covariances of series that all correlate, mutual information, and counts of common items."""
    pandas = pytest.importorskip("pandas")
    values = np.random.default_rng(1).normal(size=(30, 5)) * [1, 2, 3, 4, 5]
    matrix = np.abs(np.cov(values.T)) if kind == "covariances" else np.log1p(np.abs(np.cov(values.T)))
    if kind == "counts":
        matrix = (values > 0).T.astype(int) @ (values > 0)
    message = "the diagonal is positive, and not 0: .*maximum=True"
    with pytest.warns(GraphWarning, match=message):
        minimum_spanning_forest(boruvka.Graph.from_distances(matrix))
    with pytest.warns(GraphWarning, match=message):
        boruvka.minimum_spanning_forests([matrix, matrix])
    if kind == "covariances":
        expected = np.sqrt(2 - 2 * np.abs(np.corrcoef(values.T)))
        for given in matrix, pandas.DataFrame(matrix):
            with pytest.warns(GraphWarning, match="in place of 1: they are taken for covariances"):
                found = boruvka.Graph.from_distances(given, correlations=True)
            assert found.w == pytest.approx(expected[found.u, found.v])
        with pytest.warns(GraphWarning, match="in place of 1: they are taken for covariances"):
            batch = boruvka.minimum_spanning_forests([matrix, np.corrcoef(values.T)], correlations=True)
        assert batch[0].w == pytest.approx(expected[batch[0].u, batch[0].v])
        matrix[0, 0] = 1e-9
        for x in matrix, matrix - np.diag(np.diag(matrix)):
            with pytest.raises(GraphError, match="not covariances: are they distances"):
                boruvka.Graph.from_distances(x, correlations=True)
        matrix[0, 0] = 0
        with pytest.raises(GraphError, match="the variance of row 0, from 0, is 0"):
            boruvka.Graph.from_distances(matrix, correlations=True)
        other = matrix.copy()
        other[0, 1] *= 2
        with pytest.raises(GraphError, match=r"correlations\[0, 1\] is .* of correlations is symmetric$"):
            boruvka.Graph.from_distances(other, correlations=True)
        matrix[0, 0] = 1
    for diagonal in 0, 99, np.inf:  # which fill a diagonal that does not matter
        filled = matrix.astype(float)
        np.fill_diagonal(filled, diagonal)
        minimum_spanning_forest(boruvka.Graph.from_distances(filled))  # no warning


def test_matrices_of_nullable_types():
    correlations = pytest.importorskip("pandas").DataFrame(CORRELATIONS)
    graph = boruvka.Graph.from_distances(correlations.convert_dtypes(), correlations=True, names="ABCDEF")
    assert graph.w.tolist() == boruvka.Graph.from_distances(correlations, correlations=True).w.tolist()
    assert graph.names.tolist() == list("ABCDEF")


@pytest.mark.needs("scipy")
@pytest.mark.filterwarnings(
    "ignore:.*(are NaN, and no edges|pairs have no distance|is filled from the other)"
)
def test_distances_of_correlations(tmp_path):
    """Against single linkage of SciPy; of a frame, its halves, the condensed form and a file."""
    pandas = pytest.importorskip("pandas")
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    names = list("ABCDEF")
    distances = np.sqrt(2 * (1 - CORRELATIONS).clip(0))
    heights = linkage(squareform(distances, checks=False), "single")[:, 2]
    frame = pandas.DataFrame(CORRELATIONS, names, names)
    path = tmp_path / "rho.csv"
    frame.to_csv(path)
    upper = np.triu(CORRELATIONS)
    condensed = squareform(CORRELATIONS, checks=False)
    given = [boruvka.Graph.from_distances(x, correlations=True) for x in (frame, upper, condensed)]
    for graph in *given, boruvka.read(path, correlations=True):
        forest = minimum_spanning_forest(graph)
        assert np.sort(forest.w) == pytest.approx(heights)
        assert forest.linkage()[:, 2] == pytest.approx(heights)
        found = forest.to_pandas()["correlation"]
        assert found.tolist() == pytest.approx(CORRELATIONS[forest.u, forest.v], rel=0, abs=1e-15)
    with_own_weights = given[2].with_weights(given[2].w)
    assert "correlation" not in minimum_spanning_forest(with_own_weights).to_pandas()
    frame.iloc[2] = frame.iloc[:, 2] = np.nan
    frame.to_csv(path)
    others = np.delete(np.delete(distances, 2, 0), 2, 1)
    expected = linkage(squareform(others, checks=False), "single")[:, 2].sum()
    dropped = boruvka.Graph.from_distances(frame, correlations=True, missing="drop")
    for graph in dropped, boruvka.read(path, correlations=True):
        assert minimum_spanning_forest(graph).weight == pytest.approx(expected)
    gap = boruvka.Graph.from_distances([0.5, np.nan, -1], correlations=True, default=0)
    assert gap.w.tolist() == pytest.approx([1, np.sqrt(2), 2])
    wrong = type(frame)({"A": [1, 1.5], "B": [1.5, 1]}, ["A", "B"])
    for numbers, ends in ([0.5, 1.5, 0], "1"), (wrong, "'A' and 'B'"):
        message = re.escape(f"1.5 is no correlation: these are from -1 to 1 (see {ends})")
        with pytest.raises(boruvka.GraphError, match=message):
            boruvka.Graph.from_distances(numbers, correlations=True)
    np.savetxt(tmp_path / "cov.csv", 0.81 * CORRELATIONS, delimiter=",")
    with pytest.warns(GraphWarning, match=r"diagonal of the correlations has 0\.81 .*covariances"):
        covariances = boruvka.read(tmp_path / "cov.csv", correlations=True)
    assert minimum_spanning_forest(covariances).linkage()[:, 2] == pytest.approx(heights)
    with pytest.raises(boruvka.GraphError, match=r"is NaN; .*pass missing=.drop. to Graph.from_distances"):
        boruvka.Graph.from_distances(frame, correlations=True)
    edges = boruvka.read(path, correlations=True)
    for graph in *given, dropped, edges:
        with pytest.raises(OptionError, match=r"joins those that correlate least: leave out maximum=True"):
            minimum_spanning_forest(graph, maximum=True)
    with pytest.raises(OptionError, match="contradict each other"):
        boruvka.read(path, correlations=True, zero_is_no_edge=True)
    with pytest.raises(OptionError, match=r"does not take correlations; it takes"):
        boruvka.read(path, format="csv", correlations=True)


@pytest.mark.parametrize("ending", ["csv", "parquet", "graphml", "gexf", "gml", "networkx", "igraph"])
def test_edges_have_correlations(ending, tmp_path):
    """Beside the weight, wherever it is, and the tree is read back."""
    pandas, networkx = pytest.importorskip("pandas"), pytest.importorskip("networkx")
    frame = pandas.DataFrame(CORRELATIONS, list("ABCDEF"), list("ABCDEF"))
    graph = boruvka.Graph.from_distances(frame, correlations=True)
    forest, path = minimum_spanning_forest(graph), tmp_path / f"tree.{ending}"
    ends = (graph.name_of(x).tolist() for x in (forest.u, forest.v))
    expected = {frozenset(pair): frame.loc[pair] for pair in zip(*ends, strict=True)}
    if ending == "igraph":
        pytest.importorskip("igraph")
        edges = forest.to_igraph()
        found = {frozenset(edges.vs[list(e.tuple)]["name"]): e["correlation"] for e in edges.es}
    elif ending in ("csv", "parquet"):
        boruvka.write(forest, path)
        table = getattr(pandas, f"read_{ending}")(path)
        found = {frozenset((row.source, row.target)): row.correlation for row in table.itertuples()}
    else:
        edges = forest.to_networkx()
        if ending != "networkx":
            boruvka.write(forest, path)
            edges = getattr(networkx, f"read_{ending}")(path)
        found = {frozenset((u, v)): data["correlation"] for u, v, data in edges.edges(data=True)}
    assert found == pytest.approx(expected)
    if path.exists():
        assert boruvka.formats.read_forest(path, graph).tolist() == forest.edges.tolist()
        assert boruvka.read(path).w.tolist() == forest.w.tolist()


@pytest.mark.filterwarnings("ignore:.*are NaN, and no edges")
def test_batches_of_correlations():
    """Each tree is the tree of `Graph.from_distances`; in an array, frames, or of several sizes."""
    gap = CORRELATIONS.copy()
    gap[1, 3] = gap[3, 1] = np.nan
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame(x, list("ABCDEF"), list("ABCDEF")) for x in (CORRELATIONS, gap)]
    for matrices in np.stack([CORRELATIONS, gap]), frames, [CORRELATIONS[:4, :4], gap]:
        batch = boruvka.minimum_spanning_forests(matrices, correlations=True, missing="drop")
        for matrix, forest in zip(matrices, batch, strict=True):
            graph = boruvka.Graph.from_distances(matrix, correlations=True, missing="drop")
            assert forest.edges.tolist() == minimum_spanning_forest(graph).edges.tolist()
            assert forest.weight == minimum_spanning_forest(graph).weight
        single = pandas.concat([forest.to_pandas() for forest in batch])["correlation"]
        assert batch.to_pandas()["correlation"].tolist() == single.tolist()
    with pytest.raises(OptionError, match="null_value is for distances"):
        boruvka.minimum_spanning_forests(frames, correlations=True, null_value=0)
    with pytest.raises(OptionError, match="leave out maximum=True"):
        boruvka.minimum_spanning_forests([CORRELATIONS[:4, :4], gap], correlations=True, maximum=True)
    with pytest.raises(OptionError, match="leave out maximum=True"):
        boruvka.rolling_forests(CORRELATIONS, 3, maximum=True)
    polars = pytest.importorskip("polars")
    for k in 3, 4:  # rounded, so that they differ from their transpose, and without labels
        rounded = CORRELATIONS[:k, :k] + np.triu(np.full((k, k), 1e-17 + 1e-16), 1)
        batch = boruvka.minimum_spanning_forests([polars.DataFrame(rounded)] * 2, correlations=True)
        assert batch.w.tolist() == [*boruvka.minimum_spanning_forests([rounded], correlations=True).w] * 2
    for edges, offsets in ((([0], [1], [0.5]), [0, 1]), ([[(0, 1, 0.5)]], None)):
        with pytest.raises(OptionError, match="correlations=True is for square matrices"):
            boruvka.minimum_spanning_forests(edges, offsets, correlations=True)


@pytest.mark.parametrize("scale", [100, np.array([1, 2, 3, 4, 0.5, 7])])
def test_covariances_taken_for_distances(scale):
    """Also correlations in percent."""
    covariances = np.outer(np.sqrt(scale), np.sqrt(scale)) * CORRELATIONS
    with pytest.warns(
        GraphWarning, match="some weights are negative: these look like .* covariances"
    ) as told:
        minimum_spanning_forest(boruvka.Graph.from_distances(covariances))
    advice = str(told[0].message)  # where variances differ, a maximum tree joins the series that vary most
    assert "Graph.from_distances(matrix, correlations=True)" in advice
    assert ("maximum=True" in advice) == np.isscalar(scale)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        minimum_spanning_forest(boruvka.Graph.from_distances(covariances), maximum=True)
        boruvka.minimum_spanning_forests([covariances], maximum=True)
    texts = ["these look like covariances, of which the largest" in str(each.message) for each in told]
    assert texts == [True, True] * (not np.isscalar(scale))


@pytest.mark.filterwarnings("ignore:.*are NaN, and no edges")
def test_correlations_of_two_rows():
    """Of a series that begins in the last two rows; with more rows, or equal series, there is no warning."""
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame(np.random.default_rng(2).normal(size=(30, 6)), columns=list("ABCDEF"))
    rows["B"] = rows["B"].where(rows.index > 27)
    months = pandas.period_range("2024-01", periods=2, freq="M")
    matrices = dict(zip(months, (rows.corr(min_periods=9), rows.corr()), strict=True))
    options = {"correlations": True, "missing": "drop"}
    with pytest.warns(GraphWarning, match=r"all correlations of 'B' are 1 or -1.* pass min_periods"):
        boruvka.Graph.from_distances(rows.corr(), **options)
    with pytest.warns(
        GraphWarning, match=r"correlations of 'B' in graphs\[Period\('2024-02', 'M'\)\] are 1 or -1"
    ):
        batch = boruvka.minimum_spanning_forests(matrices, **options)
    assert batch["2024-02"].edges.tolist() == batch[months[1]].edges.tolist() == batch[1].edges.tolist()
    with pytest.raises(boruvka.GraphError, match=r"graphs\[Period\('2024-01', 'M'\)\]\['A', 'B'\] is"):
        boruvka.minimum_spanning_forests({months[0]: matrices[months[0]]}, correlations=True)
    equal = pandas.DataFrame(dict.fromkeys("ABCDEF", rows["A"])).corr()
    boruvka.Graph.from_distances(equal, correlations=True)


def test_dense_matrices_of_correlations_with_gaps():
    """As `Graph.from_dense` reads them, where the gaps have the value 0 of no edge."""
    gap = CORRELATIONS.copy()
    gap[1, 3] = gap[3, 1] = np.nan
    with pytest.warns(GraphWarning, match="2 entries of the matrix are NaN"):
        graph = boruvka.Graph.from_dense(gap, missing="drop")
    with pytest.warns(GraphWarning, match="the diagonal is 1: these look like correlations or"):
        minimum_spanning_forest(graph)


def test_what_is_not_taken_for_correlations():
    """Equal weights, networks with loops, negated correlations, integers and distances above 1."""
    network = (CORRELATIONS > 0.1).astype(float)
    distances = boruvka.Graph.from_distances(CORRELATIONS * 20 - 19 * np.eye(6))
    for graph in np.ones((6, 6)), network, -CORRELATIONS, np.eye(6, dtype=int), distances:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            minimum_spanning_forest(graph)
            minimum_spanning_forest(graph, maximum=True)
    counts = (np.random.default_rng(0).random((20, 6)) < np.arange(3, 9) / 10).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minimum_spanning_forest(counts.T @ counts, maximum=True)


@pytest.mark.parametrize("names", [None, True, "texts"])
def test_two_integers_may_be_indices_or_ends(names):
    u, v, w = [0, 1, 2, 0, 3], [1, 2, 3, 3, 4], [1, 2, 3, 4, 5]
    graph = Graph.from_edges(u, v, w, names=True if names else None)
    graph = graph.with_names("abcde") if names == "texts" else graph
    if names == "texts":
        assert minimum_spanning_forest(graph, required=[3, 2]).edges.tolist() == [0, 2, 3, 4]
        return
    for pair in (1, 2), [1, 2], [3, 2]:
        with pytest.warns(boruvka.GraphWarning, match=r"are indices of edges, not .*=\[\(.*numpy.array"):
            found = minimum_spanning_forest(graph, required=pair)
        assert set(pair) <= set(found.edges.tolist())
    assert minimum_spanning_forest(graph, required=np.array([3, 2])).edges.tolist() == [0, 2, 3, 4]
    assert minimum_spanning_forest(graph, excluded=[2, 4]).n_components == 2  # no edge joins 2 and 4


@pytest.mark.parametrize("number", [-1, 999, 10**6, 2**31 - 1, 2**63 - 1])
@pytest.mark.parametrize("kind", ["array", "frame", "square", "condensed"])
def test_numbers_that_may_mean_no_edge(kind, number):
    a = np.array([[0, 4, 0, 2], [4, 0, 7, 0], [0, 7, 0, 3], [2, 0, 3, 0]])
    filled = np.where((a == 0) & ~np.eye(4, dtype=bool), number, a)
    graph = {
        "array": lambda: filled,
        "frame": lambda: pytest.importorskip("pandas").DataFrame(filled, list("abcd"), list("abcd")),
        "square": lambda: Graph.from_distances(filled),
        "condensed": lambda: Graph.from_distances(filled[np.triu_indices(4, 1)]),
    }[kind]
    entries = 2 if kind == "condensed" else 4
    with pytest.warns(
        GraphWarning, match=f"^{entries} entries of the matrix are {number}.*null_value={number}"
    ):
        minimum_spanning_forest(graph())
    assert minimum_spanning_forest(Graph.from_dense(filled, null_value=number)).weight == 9
    minimum_spanning_forest(np.where(a == 0, 998, a))  # warns of nothing


@pytest.mark.parametrize(
    "make",
    [lambda a: a, Graph.from_dense, lambda a: {i: dict(enumerate(row)) for i, row in enumerate(a.tolist())}],
)
def test_a_typing_error_in_a_small_matrix(make):
    a = np.array([[0, 7, 1, 5], [7, 0, 8, 9], [11, 8, 0, 3], [5, 9, 3, 0]])
    with pytest.warns(
        GraphWarning, match=r"entry \(0, 2\) of the matrix is 1.*, but \(2, 0\) is 11.* 1 of 6 pairs"
    ):
        assert minimum_spanning_forest(make(a)).weight == 11
