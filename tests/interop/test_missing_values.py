"""Rows without an end or a weight: in frames and in files, they are counted, left out, or filled in."""

import decimal
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka.stream
from boruvka import (
    BoruvkaError,
    FormatError,
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    as_graph,
    minimum_spanning_forest,
    read,
)
from tests.oracles import kruskal

pl = pytest.importorskip("polars")

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
ROWS = {
    "from": ["a", "b", None, "c", "a", "b"],
    "to": ["b", None, "c", "a", "d", "d"],
    "distance": [1.5, 2.5, 3.5, None, None, 0.5],
    "note": [10, 11, 12, 13, 14, 15],
}
SAYS = r"2 rows have no end and 2 rows have no weight; missing='drop' leaves them out$"
libraries = pytest.mark.parametrize("library", LIBRARIES)


def listed(frame):
    """List the rows of a frame of any of the libraries."""
    frame = frame.to_pandas() if isinstance(frame, pa.Table) else frame
    return list(frame.itertuples(index=False, name=None)) if isinstance(frame, pd.DataFrame) else frame.rows()


@libraries
def test_all_are_counted(library):
    with pytest.raises(GraphError, match=SAYS):
        as_graph(LIBRARIES[library](ROWS))
    rows = {"from": ["a", "b"], "to": ["b", "c"]} | {"distance": [1, None]}
    with pytest.raises(
        GraphError, match="1 row has no weight; missing='drop' leaves them out, default=1 gives"
    ):
        as_graph(LIBRARIES[library](rows))


@libraries
def test_rows_are_left_out_or_filled_in(library):
    frame = LIBRARIES[library](ROWS)
    with pytest.warns(GraphWarning, match=r"4 of 6 rows are left out: 2 rows .* end and 2 rows .* weight"):
        graph = as_graph(frame, missing="drop")
    assert (graph.m, graph.names.tolist()) == (2, ["a", "b", "d"])
    with pytest.warns(GraphWarning, match="2 of 6 rows are left out: 2 rows have no end"):
        graph = as_graph(frame, missing="drop", default=7)
    assert graph.w.tolist() == [1.5, 7, 7, 0.5]
    with pytest.raises(GraphError, match="2 rows have no end; missing='drop' leaves them out"):
        as_graph(frame, default=7)


@libraries
def test_forest_has_the_words_of_the_frame(library):
    """Names of columns, other columns of the right rows, and in pandas the index."""
    frame = LIBRARIES[library](ROWS)
    if library == "pandas":
        frame.index = list("PQRSTU")
    with pytest.warns(GraphWarning):
        forest = minimum_spanning_forest(as_graph(frame, missing="drop", default=7))
    expected = [(0, "a", "b", 1.5, 10), (1, "c", "a", 7.0, 13), (3, "b", "d", 0.5, 15)]
    for convert in forest.to_pandas, forest.to_polars, forest.to_arrow:
        found = convert(["note"])
        names = found.column_names if isinstance(found, pa.Table) else list(found.columns)
        assert names == ["edge", "from", "to", "distance", "note"]
        assert listed(found) == expected
    if library == "pandas":
        assert frame.loc[forest.to_pandas().index, "note"].tolist() == [10, 13, 15]
    with pytest.raises(OptionError, match="there is no column 'colour'; the columns are 'from', 'to', 'dist"):
        forest.to_pandas(["colour"])


def test_more_columns_need_a_frame():
    with pytest.raises(OptionError, match="the graph was not made from one"):
        minimum_spanning_forest(([0], [1], [2])).to_polars("note")


@libraries
@given(data=st.data())
def test_left_out_rows_leave_the_forest_of_the_others(library, data):
    ends, weights = st.none() | st.sampled_from("abcdef"), st.none() | st.integers(0, 5).map(float)
    rows = data.draw(st.lists(st.tuples(ends, ends, weights), min_size=1, max_size=12))
    u, v, w = map(list, zip(*rows, strict=True))
    types = {"u": pl.String, "v": pl.String, "w": pl.Float64}
    frame = pl.DataFrame({"u": u, "v": v, "w": w}, types)
    made = {"pandas": frame.to_pandas, "arrow": frame.to_arrow, "polars": lambda: frame}[library]()
    kept = [row for row in rows if None not in row]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        forest = minimum_spanning_forest(as_graph(made, missing="drop"))
    number = {
        name: i for i, name in enumerate(dict.fromkeys([row[0] for row in kept] + [row[1] for row in kept]))
    }
    numbered = [np.array([number[row[k]] for row in kept], int) for k in (0, 1)]
    expected = kruskal(len(number), *numbered, np.array([row[2] for row in kept]))
    assert forest.edges.tolist() == expected


def test_large_integers_stay_exact():
    frame = pl.DataFrame({"u": [2**60 + 1, None, 3], "v": [2**60 + 3, 4, 5], "w": [1, 2, None]})
    with pytest.warns(GraphWarning, match="1 of 3 rows are left out: 1 row has no end"):
        graph = as_graph(frame, missing="drop", default=2**62 + 1, names=True)
    assert graph.names.tolist() == [2**60 + 1, 3, 2**60 + 3, 5]
    assert graph.w.tolist() == [1, 2**62 + 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "keep"}, "missing must be one of error, drop; got 'keep'"),
        ({"default": "7"}, "default must be a number below 2.*, got '7'"),
        ({"default": 2**63}, "default must be a number below 2.*, got 9223372036854775808"),
        ({"default": float("nan")}, "default must be a number below 2.*, got nan"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(OptionError, match=message):
        as_graph(pd.DataFrame(ROWS), **options)


# Files

TEXT = "from,to,distance,note\na,b,1.5,x\nb,,2.5,x\n,c,3.5,x\nc,a,,x\na,d,nan,x\nb,d,0.5,x\n"


@pytest.fixture(params=["csv", "tsv", "parquet", "arrow"])
def file(request, tmp_path):
    """Make a file of the rows."""
    path, frame = tmp_path / f"graph.{request.param}", pl.DataFrame(ROWS)
    if request.param in ("csv", "tsv"):
        path.write_text(TEXT.replace(",", "\t") if request.param == "tsv" else TEXT)
    elif request.param == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_ipc(path)
    return path


def test_files(file):
    with pytest.raises(FormatError, match=r"missing='drop' leaves"):
        read(file)
    with pytest.warns(GraphWarning, match=r"4 of 6 rows are left out: 2 rows .* end and 2 rows .* weight"):
        graph = read(file, missing="drop")
    assert (graph.m, graph.names.tolist()) == (2, ["a", "b", "d"])
    with pytest.warns(GraphWarning, match="2 of 6 rows are left out: 2 rows have no end"):
        graph = read(file, missing="drop", default=7)
    assert graph.w.tolist() == [1.5, 7, 7, 0.5]
    with pytest.warns(GraphWarning, match="2 of 6 rows"):
        graph = read(file, missing="drop", unweighted=True)
    assert graph.w.tolist() == [1, 1, 1, 1]
    with pytest.raises(FormatError, match="2 rows have no end; missing='drop' leaves them out"):
        read(file, default=7)


def test_all_in_a_text_are_counted(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text(TEXT.replace("nan", ""))
    with pytest.raises(FormatError, match=rf"graph\.csv:3: {SAYS}"):
        read(path)


@pytest.mark.parametrize(
    ("text", "options", "ends", "w"),
    [
        ("u,v,w\n0,1,5\n1,2,\n,3,4\n", {"missing": "drop"}, [(0, 1)], [5]),
        (
            "u,v,w\n1,2,5\n2,3,NA\n",
            {"default": 2**62 + 1, "one_based": True},
            [(0, 1), (1, 2)],
            [5, 2**62 + 1],
        ),
        ("u,v,w\n1,2,5\n2,3,\n", {"default": 0.5, "n": 9}, [(1, 2), (2, 3)], [5, 0.5]),
        ("1,2,18446744073709551615\n2,3,\n", {"missing": "drop"}, [(1, 2)], [2**64 - 1]),
    ],
)
def test_numbers_in_a_text(tmp_path, text, options, ends, w):
    path = tmp_path / "graph.csv"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        graph = read(path, **options)
    assert list(zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == ends
    assert graph.w.tolist() == w
    assert graph.n == options.get("n", 1 + max(map(max, ends)))


def test_a_wrong_number_is_no_missing_one(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\na,b,\na,c,heavy\n")
    with pytest.raises(FormatError, match=r"graph\.csv:3: expected a number as weight, found 'a,c,heavy'"):
        read(path, missing="drop")


def test_other_formats_refuse(tmp_path):
    path = tmp_path / "graph.gr"
    path.write_text("p sp 2 1\na 1 2 5\n")
    with pytest.raises(OptionError, match=r"the format 'dimacs' does not take missing; .* is for edges, csv"):
        read(path, missing="drop")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.gr", "p sp 2 1\na 1 2 {}\n"),
        ("a.col", "p edge 2 1\ne 1 2 {}\n"),
        ("a.stp", "33D32945 STP File\nSECTION Graph\nNodes 2\nEdges 1\nE 1 2 {}\nEND\n"),
        ("a.graph", "2 1 1\n2 {0}\n1 {0}\n"),
        ("a.dl", "dl n=2 format=edgelist1 data:\n1 2 {}\n"),
        ("a.inp", "[PIPES]\n1 a b {}\n"),
        ("a.csv", "u,v,w\n0,1,{}\n"),
    ],
)
@pytest.mark.parametrize("text", ["NA", "nan"])
def test_missing_is_advised_where_it_is_taken(tmp_path, name, content, text):
    path = tmp_path / name
    path.write_text(content.format(text))
    for use in read, boruvka.stream.minimum_spanning_forest:
        with pytest.raises(FormatError) as caught:
            use(path)
        assert ("missing='drop'" in str(caught.value)) == (name == "a.csv")


def test_default_of_graphml(tmp_path):
    networkx = pytest.importorskip("networkx")
    g = networkx.Graph()
    g.add_edge("a", "b", weight=3)
    g.add_edge("b", "c")
    g.add_edge("c", "d")
    networkx.write_graphml(g, tmp_path / "graph.graphml")
    with pytest.raises(FormatError, match="has no attribute 'weight'; 2 edges have none; pass default=1 for"):
        read(tmp_path / "graph.graphml")
    assert read(tmp_path / "graph.graphml", default=0.5).w.tolist() == [3, 0.5, 0.5]
    with pytest.raises(OptionError, match=r"default must be a number below 2.*, got nan"):
        read(tmp_path / "graph.graphml", default=float("nan"))
    networkx.write_graphml(networkx.path_graph(3), tmp_path / "graph.graphml")
    assert read(tmp_path / "graph.graphml", default=7).w.tolist() == [7, 7]


def test_clusters():
    """A table of the clusters at several heights, of the library that the graph came from."""
    rows = {"u": ["a", "b", "d"], "v": ["b", "c", "c"], "w": [1.5, 2.0, 7.0]}
    expected = [("a", "a", "a"), ("b", "a", "a"), ("d", "d", "d"), ("c", "c", "a")]
    for make in LIBRARIES.values():
        found = minimum_spanning_forest(make(rows)).clusters([1.5, 5])
        assert type(found) is type(make(rows))
        assert listed(found) == expected
    found = minimum_spanning_forest(([0, 1], [1, 2], [1, 5])).clusters([2])
    assert listed(found) == [(0, 0), (1, 0), (2, 2)]
    assert list(found.columns) == ["vertex", "cluster_2"]
    with pytest.raises(OptionError, match="the height 2 is there twice"):
        minimum_spanning_forest(([0, 1], [1, 2], [1, 5])).clusters([2, 2])


@pytest.mark.parametrize("dtype", ["Float32", "Float64", "float64[pyarrow]"])
def test_a_nan_that_is_not_na_is_missing(dtype):
    w = pd.Series([0, 1, 2], dtype=dtype) / pd.Series([0, 1, 1], dtype=dtype)
    frame = pd.DataFrame({"u": [0, 1, 2], "v": [1, 2, 0], "w": w})
    with pytest.warns(GraphWarning, match="1 row has no weight"):
        assert as_graph(frame, missing="drop").w.tolist() == [1, 2]
    assert as_graph(frame, default=7).w.tolist() == [7, 1, 2]


BLANK = {
    "left_id": ["a", "", "c", " \t", "e"],
    "right_id": ["b", "b", "d", "d", None],
    "distance": [1, 2, 1, 2, 3],
}
OF_TEXTS = {
    **LIBRARIES,
    "pandas, objects": lambda rows: pd.DataFrame(rows, dtype=object),
    "pandas, categories": lambda rows: pd.DataFrame(rows).astype({"left_id": "category"}),
    "polars, categories": lambda rows: pl.DataFrame(rows).cast({"left_id": pl.Categorical}),
    "lazy": pl.LazyFrame,
    "reader": lambda rows: pa.table(rows).to_reader(),
    "duckdb": lambda rows: pytest.importorskip("duckdb").from_arrow(pa.table(rows)),
    **dict.fromkeys(["parquet", "arrow file", "stream", "batches"]),
}


@pytest.mark.parametrize("times", [1, 600])
@pytest.mark.parametrize("kind", OF_TEXTS)
def test_a_blank_text_is_no_end(kind, times, tmp_path):
    """In frames and files of columns, as in CSV; it does not join the records that lack an id."""
    rows = {name: values * times for name, values in BLANK.items()}
    pl.DataFrame(rows).write_parquet(tmp_path / "a.parquet")
    pl.DataFrame(rows).write_ipc(tmp_path / "a.arrow")

    def forest(**how):
        if kind == "stream":
            return boruvka.stream.minimum_spanning_forest(tmp_path / "a.parquet", **how)
        if kind == "batches":
            return boruvka.stream.minimum_spanning_forest([pd.DataFrame(rows)], **how)
        if OF_TEXTS[kind] is None:
            return minimum_spanning_forest(
                read(tmp_path / f"a.{kind.split()[0].removesuffix('file')}", **how)
            )
        return minimum_spanning_forest(OF_TEXTS[kind](rows), **how)

    with pytest.raises(BoruvkaError, match=r"no value|two ends"):
        forest()
    with pytest.warns(GraphWarning, match=f"{3 * times:,} rows have no end"):
        found = forest(missing="drop")
    assert found.graph.names.tolist() == list("acbd")
    assert found.n_components == 2


def test_blank_texts_are_counted_and_not_written(tmp_path):
    says = (
        r"u\[1\] is blank: an edge has two ends; in all, 3 rows have no end; missing='drop' leaves them out"
    )
    with pytest.raises(GraphError, match=says):
        as_graph(pd.DataFrame(BLANK))
    with pytest.raises(GraphError, match=r"v\[0\] is blank"):
        as_graph([("a", "", 1)])
    with pytest.raises(FormatError, match="a blank name would be read as a missing end"):
        boruvka.write(boruvka.Graph(2, [0], [1], [3]).with_names(["", "b"]), tmp_path / "a.parquet")


# Defaults are exact, or refused

MAKE = {
    "polars": lambda values, kind: pl.DataFrame({"u": U, "v": V, "w": pl.Series(values, dtype=kind)}),
    "arrow": lambda values, kind: MAKE["polars"](values, kind).to_arrow(),
    "pandas, nullable": lambda values, kind: pd.DataFrame({"u": U, "v": V, "w": pd.array(values, str(kind))}),
    "pandas, of Arrow": lambda values, kind: pl.DataFrame(
        {"u": U, "v": V, "w": pl.Series(values, dtype=kind)}
    ).to_pandas(use_pyarrow_extension_array=True),
    "pandas, objects": lambda values, kind: pd.DataFrame(
        {"u": U, "v": V, "w": pd.Series(values, dtype=object)}
    ),
    "duckdb": lambda values, kind: pytest.importorskip("duckdb").from_arrow(MAKE["arrow"](values, kind)),
}
U, V = [0, 1, 2], [1, 2, 3]
KINDS = {
    pl.Int8: [1, -128, 127],
    pl.UInt8: [0, 255],
    pl.Int32: [-(2**31), 2**24 + 1],
    pl.Int64: [2**53 + 1, -(2**63), 5],
    pl.UInt64: [2**64 - 1, 2**53, 5],
    pl.Float32: [0.5, float(np.float32(0.1)), 2.0**30],
    pl.Float64: [0.1, 1e300, -0.0],
}
DEFAULTS = 7, -1, 300, 0.5, 0.1, 7.0, 2**53 + 1, 2**62 + 1, -(2**62), np.float32(0.1), np.int8(-3)


@pytest.mark.parametrize("library", MAKE)
@given(data=st.data())
def test_default_is_exact_or_refused(library, data):
    kind = data.draw(st.sampled_from(list(KINDS)))
    values = data.draw(st.lists(st.none() | st.sampled_from(KINDS[kind]), min_size=3, max_size=3))
    default = data.draw(st.sampled_from(DEFAULTS))
    try:
        w = as_graph(MAKE[library](values, kind), default=default).w
    except (GraphError, OptionError):
        assert not_exact_in_one_type([default if value is None else value for value in values])
        return
    assert w.tolist() == [default if value is None else value for value in values]  # Python is exact


def not_exact_in_one_type(values):
    has_fractions = any(isinstance(x, float | np.floating) and x != int(x) for x in values)
    integers = [int(x) for x in values if x == int(x)]
    if has_fractions or any(isinstance(x, float) for x in values):
        return any(int(float(x)) != x for x in integers)
    return min(integers) < 0 and max(integers) >= 2**63


@pytest.mark.parametrize("default", [7, 0.5, 2**60 + 1])
def test_default_of_columns_without_a_type(default, tmp_path):
    frame = pl.DataFrame({"u": [0, 1], "v": [1, 2], "w": [None, None]})
    frame.write_parquet(tmp_path / "graph.parquet")
    frame.write_ipc(tmp_path / "graph.arrow")
    for missing in "error", "drop":
        options = {"default": default, "missing": missing}
        found = [as_graph(each, **options) for each in (frame, frame.to_arrow())]
        found += [read(tmp_path / f"graph.{ending}", **options) for ending in ("parquet", "arrow")]
        for graph in found:
            assert graph.w.tolist() == [default, default]


@pytest.mark.parametrize(
    "column",
    [
        pd.array([True, None, False], "boolean"),
        pd.Series([True, None, False], dtype=object),
        pd.Series(["1", None, "a"]),
        pd.to_datetime(pd.Series(["2026-01-01", None, None])),
        pd.Series([decimal.Decimal("0.1"), None, decimal.Decimal(2) / 3]),
        pd.Series([1j, None, 2]),
        pd.Categorical(["a", None, "b"]),
    ],
)
def test_default_of_columns_that_hold_no_weights(column):
    """The error is the same as without a gap, or one of this package in any case."""
    frame = pd.DataFrame({"u": U, "v": V, "w": column})
    with pytest.raises((GraphError, GraphTypeError)):
        as_graph(frame, default=7)


@pytest.mark.parametrize(
    "default",
    [np.timedelta64(1, "s"), 1j, np.complex64(1), 10**400, float("inf"), True, "1", np.longdouble("0.1")],
)
def test_defaults_that_are_no_numbers(default):
    with pytest.raises(OptionError, match="default must be a number below"):
        as_graph(pl.DataFrame({"u": [0], "v": [1], "w": [None]}), default=default)


def test_warnings_point_at_the_caller():
    """Whatever the entrance."""
    frame = pl.DataFrame({"u": [0, 1], "v": [1, None], "w": [1, 2]})
    for each in frame, frame.to_pandas(), frame.to_arrow():
        with pytest.warns(GraphWarning, match="1 of 2 rows are left out: 1 row has no end") as seen:
            as_graph(each, missing="drop")
        assert [warning.filename for warning in seen] == [__file__]


@pytest.mark.parametrize("text", ["1_0", "٣", "b", "0x10"])
@pytest.mark.parametrize("library", [pd, pl])
def test_texts_that_are_no_numbers(library, text):
    with pytest.raises(GraphTypeError, match="expected an integer or a float"):
        as_graph(library.DataFrame({"u": [0, 1], "v": [1, 2], "w": [text, "1"]}), missing="drop")


@pytest.mark.parametrize("library", [pd, pl])
def test_texts_beyond_the_range_of_floats(library):
    with pytest.raises(GraphError, match="-1e999 is beyond the range of float64"):
        as_graph(library.DataFrame({"u": [0, 1], "v": [1, 2], "w": ["-1e999", "1"]}), missing="drop")


@pytest.mark.parametrize("library", [pd, pl])
def test_texts_with_decimal_commas(library):
    frame = library.DataFrame({"u": [0, 1, 2], "v": [1, 2, 3], "w": ["1,5", "-", "1.234,25"]})
    with pytest.warns(GraphWarning, match="the weights: numbers have a decimal comma: 1,5 is read as 1.5"):
        assert as_graph(frame, default=0).w.tolist() == [1.5, 0, 1234.25]
    doubtful = library.DataFrame({"u": [0], "v": [1], "w": ["1,234"]})
    with pytest.raises(GraphError, match=r"the weights: '1,234' may be 1234 or 1.234: write"):
        as_graph(doubtful, missing="drop")


@pytest.mark.filterwarnings("ignore:1 of 3 rows are left out")
@pytest.mark.parametrize(("dtype", "digits"), [(np.float64, 53), (np.float32, 24)])
def test_float_ids_that_may_be_rounded(dtype, digits):
    """pandas makes floats of ids where one is missing: two ids become one from 2**53 on."""
    how = {"missing": "drop", "names": True}
    frame = pd.DataFrame({"u": np.array([2**digits, 1, np.nan], dtype), "v": [2, 3, 4], "w": [1, 2, 3]})
    known = {"missing": "drop", "names": [2**digits, 1, 2, 3]}
    message = rf"u\[0\] = {2**digits} is a float, and such floats round integers from 2\*\*{digits} on"
    for make, options in (as_graph, how), (as_graph, known), (boruvka.stream.minimum_spanning_forest, how):
        with pytest.raises((GraphError, FormatError), match=message) as error:
            make(frame, **options)
        assert "no end" not in str(error.value)
    with pytest.raises(GraphError, match=r"names\[0\] = .* is a float"):
        boruvka.Graph.from_edges([0], [1], [1], names=frame["u"].to_numpy()[:2])
    frame.loc[0, "u"] = 2**digits - 1
    assert as_graph(frame, **how).names[0] == 2**digits - 1


def test_remedies_for_large_integers_and_kept_columns():
    with pytest.raises(GraphError, match="pass names=True if ids are names"):
        as_graph(pd.DataFrame({"u": [2**60], "v": [1], "w": [1]}))
    with pytest.raises(OptionError, match=r"no option 'keep' here: it is for files; forest\.to_pandas"):
        minimum_spanning_forest(pd.DataFrame({"u": [0], "v": [1], "w": [1]}), keep=["w"])
