"""One rule for every container: integers are vertices unless names=True; names are numbered in order."""

import contextlib
import datetime
import decimal
import io
from collections import deque

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import boruvka.stream
import boruvka.trees.segmentation
from boruvka import (
    FormatError,
    Graph,
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    as_graph,
    minimum_spanning_forest,
    read,
)
from boruvka.graph.columns import read_column

pl = pytest.importorskip("polars")

U, V, W = [5, 3, 7], [3, 7, 1], [2, 1, 4]
NAMES = [5, 3, 7, 1]
NUMPY = ["i1", "u1", ">i2", "i4", "u4", "i8", "u8", "f8", "O"]
COLUMNS = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "deque": deque,
    "memoryview": lambda x: memoryview(np.array(x)),
    **{f"NumPy {t}": lambda x, t=t: np.array(x, t) for t in NUMPY},
    "NumPy, every other": lambda x: np.repeat(x, 2)[::2],
    "pandas": pd.Series,
    "pandas Int64": lambda x: pd.Series(x, dtype="Int64"),
    "pandas UInt8": lambda x: pd.Series(x, dtype="UInt8"),
    "pandas objects": lambda x: pd.Series(x, dtype=object),
    "pandas categories": lambda x: pd.Series(x).astype("category"),
    "pandas Arrow": lambda x: pd.Series(pa.array(x), dtype="int64[pyarrow]"),
    "pandas array": pd.array,
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars UInt8": lambda x: pl.Series(x, dtype=pl.UInt8),
    "polars Int128": lambda x: pl.Series(x, dtype=pl.Int128),
    "polars Decimal": lambda x: pl.Series(x, dtype=pl.Decimal(10, 0)),
    "polars Object": lambda x: pl.Series(x, dtype=pl.Object),
    "Arrow": pa.array,
    "Arrow chunks": lambda x: pa.chunked_array([x[:1], x[1:]]),
    "Arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "Arrow decimals": lambda x: pa.array([decimal.Decimal(y) for y in x], pa.decimal128(10, 0)),
}
FRAMES = {
    "pandas": pd.DataFrame,
    "pandas Int64": lambda x: pd.DataFrame(x, dtype="Int64"),
    "pandas objects": lambda x: pd.DataFrame(x, dtype=object),
    "polars": pl.DataFrame,
    "polars lazy": lambda x: pl.LazyFrame(x),
    "polars Int128": lambda x: pl.DataFrame(x, schema=dict.fromkeys(x, pl.Int128)),
    "Arrow": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
    "DuckDB": lambda x: duckdb.from_arrow(pa.table(x)),
    "DuckDB hugeint": lambda x: duckdb.from_arrow(pa.table(x)).project("u::hugeint u, v::hugeint v, w"),
}
ROWS = {
    "list": lambda x: list(zip(*x, strict=True)),
    "lists": lambda x: [*map(list, zip(*x, strict=True)), [5, 3, 9]],
    "iterator": lambda x: zip(*x, strict=True),
    "array": lambda x: np.array([*zip(*x, strict=True), (5, 3, 9)]),
    "floats": lambda x: np.array([*zip(*x, strict=True), (5, 3, 9)], float),
}
EVERYTHING = {
    **{f"columns: {k}": lambda c=c: (c(U), c(V), W) for k, c in COLUMNS.items()},
    **{f"frame: {k}": lambda c=c: c({"u": U, "v": V, "w": W}) for k, c in FRAMES.items()},
    **{f"rows: {k}": lambda c=c: c((U, V, W)) for k, c in ROWS.items()},
    "edge index": lambda: (np.array([U, V]), np.array(W)),
}


@pytest.mark.parametrize("make", EVERYTHING.values(), ids=EVERYTHING)
def test_integers_are_vertices_unless_they_are_names(make):
    for options in {}, {"names": False}, {"names": None}:
        graph = as_graph(make(), **options)
        assert (graph.n, graph.names) == (8, None)
        assert (graph.u.tolist()[:3], graph.v.tolist()[:3]) == (U, V)
    assert as_graph(make(), n=9).n == as_graph(make(), n=9, names=False).n == 9
    named = as_graph(make(), names=True)
    assert named.names.tolist() == NAMES
    assert (named.u.tolist()[:3], named.v.tolist()[:3]) == ([0, 1, 2], [1, 2, 3])
    with pytest.raises(OptionError, match="leave out n"):
        as_graph(make(), names=True, n=9)
    assert as_graph(make(), names="abcdefgh").names.tolist() == list("abcdefgh")


STRINGS = {
    "list": list,
    "NumPy": np.array,
    "NumPy objects": lambda x: np.array(x, object),
    "pandas": pd.Series,
    "pandas objects": lambda x: pd.Series(x, dtype=object),
    "pandas string": lambda x: pd.Series(x, dtype="string"),
    "pandas categories": lambda x: pd.Series(x).astype("category"),
    "polars": pl.Series,
    "polars categories": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars Enum": lambda x: pl.Series(x, dtype=pl.Enum(["a", "b", "c", "1"])),
    "Arrow": pa.array,
    "Arrow large": lambda x: pa.array(x, pa.large_string()),
    "Arrow view": lambda x: pa.array(x, pa.string_view()),
    "Arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
}


@pytest.mark.parametrize("make", STRINGS.values(), ids=STRINGS)
def test_strings_are_names_in_the_order_of_u_then_of_v(make):
    u, v = make(["c", "1", "c"]), make(["a", "c", "b"])
    for options in {}, {"names": True}:
        graph = as_graph((u, v, W), **options)
        assert graph.names.tolist() == ["c", "1", "a", "b"]
        assert minimum_spanning_forest(graph).bottleneck(u, v).edges.tolist() == [0, 1, 2]
    with pytest.raises(GraphTypeError, match=r"u\[0\] = 'c' is not a vertex: ids are integers"):
        as_graph((u, v, W), names=False)


DAYS = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
MISSING = {
    "dates": DAYS[0],
    "datetimes": datetime.datetime(2020, 1, 1),
    "bytes": b"a",
    "decimals": decimal.Decimal("1.5"),
    "strings": "a",
    "integers": 1,
    "floats": 1.0,
}


@pytest.mark.parametrize("value", MISSING.values(), ids=MISSING)
@pytest.mark.parametrize("names", [True, None])
def test_a_missing_end_is_an_error(value, names):
    held = {"u": [value, None], "v": [value, value], "w": [1, 2]}
    makers = [pa.table, pl.DataFrame, pl.LazyFrame, pd.DataFrame]
    makers += [lambda x: tuple(x.values()), lambda x: tuple(np.array(y, object) for y in x.values())]
    for make in makers:
        with pytest.raises(GraphError, match=r"u\[1\] (is missing|= nan is not a vertex)"):
            as_graph(make(held), names=names)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")], ids=str)
@pytest.mark.parametrize("make", [list, lambda x: np.array(x, object), lambda x: pd.Series(x, dtype=object)])
def test_everything_that_means_missing(make, missing):
    for other in "a", 3:
        with pytest.raises(GraphError, match=r"v\[1\] (is missing|= nan is not a vertex)"):
            as_graph((make([other, other]), make([other, missing]), [1, 2]))
    with pytest.raises((GraphError, GraphTypeError), match="edge 1"):
        as_graph((["a", "b"], ["b", "c"], make([1, missing])))


@pytest.mark.parametrize("dtype", ["string", "Int64", "Float64"])
def test_missing_in_nullable_columns_of_pandas(dtype):
    column = pd.Series([1, None]).astype(dtype)
    with pytest.raises(GraphError, match=r"u\[1\] (is missing|= nan is not a vertex)"):
        as_graph((column, column, [1, 2]))


@pytest.mark.parametrize("make", [pa.table, pl.DataFrame, pd.DataFrame])
@pytest.mark.parametrize("held", [DAYS, [b"x", b"y", b"z"], [decimal.Decimal(k) / 2 for k in (1, 2, 3)]])
def test_names_of_tables_are_python_objects(make, held):
    graph = as_graph(make({"u": held[:2], "v": held[1:], "w": [1, 2]}))
    assert graph.names.tolist() == held
    assert minimum_spanning_forest(graph).path(held[0], held[2]).tolist() == [0, 1]


NANOSECONDS = np.array([0, 1, 2], "M8[ns]")


@pytest.mark.parametrize("make", [lambda x: x, pd.Series, pl.Series, pa.array])
@pytest.mark.parametrize("times", [NANOSECONDS, NANOSECONDS - NANOSECONDS[:1]], ids=["times", "durations"])
def test_nanoseconds_are_told_apart(make, times):
    graph = as_graph((make(times[:2]), make(times[1:]), [1, 2]))
    assert graph.n == 3
    assert minimum_spanning_forest(graph).path(*graph.names[[0, 2]]).tolist() == [0, 1]


def test_times_of_day_are_not_rounded():
    exact, rounded = pl.Series([1000, 2000]).cast(pl.Time), pl.Series([1, 2]).cast(pl.Time)
    for convert in lambda x: x, pl.Series.to_arrow:
        assert as_graph((convert(exact), convert(exact[::-1]), [1, 2])).n == 2
        with pytest.raises(GraphTypeError, match="no nanoseconds"):
            as_graph((convert(rounded), convert(rounded), [1, 2]))


NO_ENDS = [
    pl.Series([[1], [2]]),
    pl.Series([{"a": 1}, {"a": 2}]),
    pa.array([[1], [2]]),
    pa.array([{"a": 1}, {"a": 2}]),
    np.array([1j, 2]),
    np.array([(1, 2.0)] * 2, "i4,f8"),
    pl.Series([True, False]),
    pa.array([True, False]),
    pd.array([True, False]),
    [True, False],
    [[1], [2]],
    "ab",
    {1, 2},
    {1: 2},
    pl.DataFrame({"a": [1, 2]}),
    pd.DataFrame({"a": [1, 2]}),
    pl.col("u"),
    [2**64, 1],
    [-1, 1],
    [0.5, 1],
    [float("inf"), 1],
    pl.Series([2**100, 1], dtype=pl.Int128),
    np.ma.masked_array([0, 1], [True, False]),
]


@pytest.mark.parametrize("column", NO_ENDS, ids=range(len(NO_ENDS)))
def test_what_are_no_ends(column):
    with pytest.raises((GraphError, GraphTypeError)):
        as_graph((column, [0, 1], [1, 2]))


def test_floats_that_are_whole_are_vertices():
    graph = as_graph(([0.0, 2.0], np.array([1.0, -0.0]), [1, 2]))
    assert (graph.u.tolist(), graph.v.tolist()) == ([0, 2], [1, 0])
    assert as_graph(([0.5, 2.0], [-0.0, 0.0], [1, 2]), names=True).names.tolist() == [0.5, 2.0, 0.0]


@pytest.mark.parametrize("make", [list, lambda x: np.array(x, object), lambda x: pd.Series(x, dtype=object)])
def test_integers_of_any_size_are_names(make):
    large = [2**64, 2**53 + 1, -1]
    graph = as_graph((make(large), make([*large[1:], 2**53]), [1, 2, 3]), names=True)
    assert graph.names.tolist() == [2**64, 2**53 + 1, -1, 2**53]
    mixed = as_graph((make([2**53 + 1, 0.5]), make([0.5, 2**53]), [1, 2]), names=True)
    assert mixed.names.tolist() == [2**53 + 1, 0.5, 2**53]


def test_lone_surrogates_are_names():
    forest = minimum_spanning_forest([("\ud800", "a", 1), ("a", "\udfff", 2)])
    assert forest.path("\ud800", "\udfff").tolist() == [0, 1]
    assert forest.to_pandas()["source"].tolist() == ["\ud800", "a"]
    for convert in forest.to_polars, forest.to_arrow:
        with pytest.raises(GraphTypeError, match="no type that it can hold"):
            convert()


@pytest.mark.parametrize(
    "names", [[1, "a", (2, 3)], ["a", 1, 2.5], [np.datetime64(0, "ns"), np.int8(3), 1]], ids=str
)
def test_names_of_several_types_have_no_column(names):
    forest = minimum_spanning_forest(Graph(3, [0, 1], [1, 2], [1, 2]).with_names(names))
    assert forest.to_pandas()["source"].tolist() == names[:2]
    for convert in forest.to_polars, forest.to_arrow:
        with pytest.raises(GraphTypeError, match=r"with_names\(map\(str, graph.names\)\)"):
            convert()
    strings = minimum_spanning_forest(forest.graph.with_names(map(str, forest.graph.names)))
    assert strings.to_polars()["source"].to_list() == [str(x) for x in names[:2]]


WEIGHTS = [
    decimal.Decimal("NaN"),
    decimal.Decimal("sNaN"),
    1j,
    None,
    np.array([1, 2]),
    [1],
    {"w": 1},
    "1",
    2**64,
]


@pytest.mark.parametrize("weight", WEIGHTS, ids=repr)
@pytest.mark.parametrize("make", [list, lambda x: pd.Series(x, dtype=object)])
def test_what_are_no_weights(make, weight):
    with pytest.raises((GraphError, GraphTypeError)):
        as_graph(([0, 1], [1, 2], make([weight, 1])))


DECIMALS = {
    "polars": as_graph,
    "pandas": lambda frame: as_graph(frame.to_pandas()),
    "pandas of Arrow": lambda frame: as_graph(frame.to_pandas(use_pyarrow_extension_array=True)),
    "Arrow": lambda frame: as_graph(frame.to_arrow()),
    "rows": lambda frame: as_graph(frame.rows()),
    "a default": lambda frame: as_graph(frame, default=7.5),
    "a stream": boruvka.stream.minimum_spanning_forest,
    "Parquet": lambda frame: read_written(frame.write_parquet, "parquet"),
    "Parquet, drop": lambda frame: read_written(frame.write_parquet, "parquet", missing="drop"),
    "Arrow file": lambda frame: read_written(frame.write_ipc, "arrow"),
}


def read_written(write, name, **options):
    write(file := io.BytesIO())
    file.seek(0)
    return read(file, format=name, **options)


@pytest.mark.parametrize("load", DECIMALS.values(), ids=DECIMALS)
@pytest.mark.parametrize("texts", [["1.25", "-3.10", "0.10"], ["1234567890123.45", "1.00", "9.99"]])
def test_decimals_that_float64_holds_are_weights(load, texts):
    """Against the numbers that Python reads; a frame whose decimals it would round is an error."""
    ends = {"u": [0, 1, 2], "v": [1, 2, 3]}
    for places, digits in (2, 18), (10, 38):
        graph = load(pl.DataFrame({**ends, "w": pl.Series(texts).cast(pl.Decimal(digits, places))}))
        assert (graph.w.dtype, graph.w.tolist()) == (np.float64, [float(text) for text in texts])
    texts = [*texts[:2], "1234567890123456.78"]
    with pytest.raises((GraphTypeError, FormatError), match=r"cast\(polars.Float64\) or CAST\(... AS DOUBLE"):
        load(pl.DataFrame({**ends, "w": pl.Series(texts).cast(pl.Decimal(38, 2))}))


def test_costs_that_are_decimals_close_roads():
    frame = pl.DataFrame({"source": [0, 1], "target": [1, 2], "cost": ["2.5", "-1"], "reverse_cost": [3, 4]})
    frame = frame.with_columns(pl.col("cost").cast(pl.Decimal(9, 2)))
    for each in frame, frame.to_pandas(), frame.to_arrow():
        with pytest.warns(GraphWarning, match="have a negative 'cost'"):
            assert as_graph(each).w.tolist() == [2.5, 4]


def test_weights_of_objects_are_exact():
    for column in pd.Series([2**53 + 1, 3], dtype=object), pl.Series([2**53 + 1, 3], dtype=pl.Int128):
        assert as_graph(([0, 1], [1, 2], column)).w.tolist() == [2**53 + 1, 3]


def test_names_that_are_no_names():
    graph = Graph(2, [0], [1], [1])
    for names in 5, None, iter([["a"], ["b"]]):
        with pytest.raises((GraphError, GraphTypeError)):
            minimum_spanning_forest(graph.with_names(names)).path("a", "b")
    assert graph.with_names(pa.array(["a", "b"])).names.tolist() == ["a", "b"]


def test_a_column_that_is_twice_in_a_frame():
    frame = pd.DataFrame([[0, 1, 2, 3]], columns=["a", "a", "v", "w"])
    with pytest.raises(OptionError, match="two columns have the name 'a'"):
        as_graph(frame, source="a", target="v", weight="w")


EMPTY = [[], (), np.array([]), pl.Series([], dtype=pl.String), pa.array([]), pd.Series([])]


@pytest.mark.parametrize("values", EMPTY, ids=range(len(EMPTY)))
def test_no_edges(values):
    assert as_graph((values, values, values), n=3).n == 3
    assert as_graph((values, values, values), names=True).names.tolist() == []
    assert len(read_column("u", values)) == 0


BIG = 2**53
"""The next integer has no exact float64."""


def installed(name):
    """Import a module of the package, or skip the test where its extra is missing."""
    return pytest.importorskip(f"boruvka.{name}", exc_type=boruvka.MissingExtraError)


@pytest.mark.parametrize(
    "use",
    [
        lambda: boruvka.Graph.from_dense([[0.5, BIG + 1], [0, 0]]),
        lambda: boruvka.Graph.from_distances([[0.0, BIG + 1], [BIG + 1, 0]]),
        lambda: boruvka.Graph.from_distances([2**64 - 1, -1, 3]),
        lambda: boruvka.Graph.from_neighbor_lists([[1], [0]], [[BIG + 1], [0.5]]),
        lambda: boruvka.Graph.from_points([[BIG + 1, 0.5], [1, 2]]),
        lambda: boruvka.Graph.from_points(pd.DataFrame({"a": [BIG + 1, 1], "b": [0.5, 2]})),
        lambda: boruvka.Graph.from_points(pl.DataFrame({"a": [BIG + 1, 1], "b": [0.5, 2]})),
        lambda: installed("csgraph").minimum_spanning_tree([[0.5, BIG + 1], [0, 0]]),
        lambda: boruvka.trees.segmentation.pixel_graph([[BIG + 1, 0.5], [1, 2]]),
        lambda: installed("sklearn").SingleLinkage().fit([[BIG + 1, 0.5], [1, 2]]),
        lambda: installed("sklearn").HDBSCAN().fit(pd.DataFrame({"a": [BIG + 1, 1], "b": [0.5, 2]})),
    ],
)
def test_integers_beside_floats_are_never_rounded(use):
    with pytest.raises(GraphError, match="is an integer that float64 would round"):
        use()


def test_integers_beside_floats_that_float64_holds_are_taken():
    matrix = [[0, BIG, 0.5], [0, 0, 0], [0, 0, 0]]
    assert boruvka.Graph.from_dense(matrix).w.tolist() == [BIG, 0.5]


def test_a_file_is_no_column(tmp_path):
    """Text files have a method ``detach``, as tensors have, and are of no use after it."""
    path = tmp_path / "ends"
    path.write_text("1\n")
    with path.open() as file:
        with contextlib.suppress(boruvka.BoruvkaError):
            boruvka.Graph.from_edges(file, [1], [3])
        file.seek(0)
        assert file.read() == "1\n"
    frame = pl.DataFrame({"": [0, 1], "u": [5, 6], "v": [1, 2], "w": [1, 2]})
    assert boruvka.as_graph(frame, source="").u.tolist() == [0, 1]  # not the column of the usual name


GRAPH = boruvka.as_graph([(0, 1, 1), (1, 2, 2), (2, 0, 3)])
FOREST = boruvka.minimum_spanning_forest(GRAPH)


@pytest.mark.parametrize("one", [True, np.True_])
@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda x: Graph.from_edges([0, x, 2], [1, 2, 0], [1, 2, 3]), r"u\[1\] = .* ids are integers"),
        (lambda x: Graph(3, [0, 1, 2], [0.0, x, 2], [1, 2, 3]), r"v\[1\] = .* ids are integers"),
        (lambda x: boruvka.as_graph([(0, 1, x), (1, 2, 3)]), "the weight of edge 0 is .* not booleans"),
        (lambda x: boruvka.as_graph(iter([(0, 1, 2.5), (1, 2, x)])), "the weight of edge 1 is .* not bool"),
        (lambda x: boruvka.as_graph(([0, 1], [1, 2], (2.5, x))), "the weight of edge 1 is .* not booleans"),
        (lambda x: boruvka.as_graph({0: {1: x}, 1: {2: 7}}), "the weight of edge 0 is .* not booleans"),
        (lambda x: Graph.from_distances([1, 2.5, x]), "distances has booleans among numbers"),
        (lambda x: Graph.from_distances([[0, x], [1, 0]]), "distances has booleans among numbers"),
        (lambda x: Graph.from_dense(((0, x), (1, 0))), "the matrix has booleans among numbers"),
        (lambda x: Graph.from_neighbor_lists([[1], [x]], [[1], [2]]), "indices has booleans among numbers"),
        (lambda x: Graph.from_neighbor_lists([[1], [0]], [[x], [2]]), "distances has booleans among"),
        (lambda x: boruvka.minimum_spanning_forest(GRAPH, required=[0, x]), "required has booleans among"),
        (lambda x: FOREST.bottleneck([0, x], [1, 2]), "us has booleans among numbers"),
        (lambda x: boruvka.verify(GRAPH, [0, x]), "the forest has booleans among numbers"),
        (lambda x: boruvka.IncrementalForest().insert([0, x], [1, 2], [1, 2]), "u has booleans among"),
        (lambda x: boruvka.minimum_spanning_forests(([0], [1], [2]), [0, x]), "offsets has booleans among"),
    ],
)
def test_a_boolean_among_numbers(one, use, message):
    with pytest.raises(GraphTypeError, match=message):
        use(one)


def test_booleans_alone():
    for booleans in ([True, False], [np.True_, np.False_], [True, np.False_]):
        with pytest.raises(GraphTypeError, match="weights are booleans"):
            Graph.from_edges([0, 1], [1, 2], booleans)
        with pytest.raises(GraphTypeError, match="u must hold integers, this one has dtype bool"):
            Graph.from_edges(booleans, [1, 2], [1, 2])


@pytest.mark.parametrize("make", [Graph.from_dense, Graph.from_distances, Graph.from_points])
def test_arrays_that_are_not_aligned(make):
    """They are copied, so that no kernel is compiled for them."""
    rows = np.ones((3, 3)) - np.eye(3) * (make != Graph.from_points)
    packed = np.ndarray(rows.shape, rows.dtype, b"-" + rows.tobytes(), offset=1)
    assert not packed.flags.aligned
    forest, expected = minimum_spanning_forest(make(packed)), minimum_spanning_forest(make(rows))
    assert (forest.edges.tolist(), forest.weight) == (expected.edges.tolist(), expected.weight)
