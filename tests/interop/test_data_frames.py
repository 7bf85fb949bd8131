import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings

from boruvka import Graph, GraphError, GraphTypeError, OptionError
from boruvka.interop.data_frames import graph_from

from .graphs import graphs, minimum_spanning_forest, same

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
frames = pytest.mark.parametrize("library", LIBRARIES)


def to(library, forest):
    return getattr(forest, f"to_{library}")()


@frames
@given(graph=graphs())
@settings(deadline=None, max_examples=12)
def test_there_and_back(library, graph):
    forest = minimum_spanning_forest(graph)
    frame = to(library, forest)
    assert isinstance(frame, (pd.DataFrame, pl.DataFrame, pa.Table))
    for name, array in {"edge": forest.edges, "u": forest.u, "v": forest.v, "w": forest.w}.items():
        column = frame[name].to_numpy()
        assert column.dtype == array.dtype
        assert column.tolist() == array.tolist()
    assert same(forest, minimum_spanning_forest(graph_from(frame, n=graph.n)))


@frames
def test_columns_and_rows(library):
    frame = to(library, minimum_spanning_forest(Graph(4, [0, 1, 2], [1, 2, 0], [5, 0, 2])))
    assert list(frame.column_names if library == "arrow" else frame.columns) == ["edge", "u", "v", "w"]
    assert frame.shape == (2, 4)
    assert to(library, minimum_spanning_forest(Graph(0, [], [], []))).shape == (0, 4)


@frames
def test_integers_are_not_rounded(library):
    forest = minimum_spanning_forest(([0], [1], np.array([2**64 - 1], np.uint64)))
    assert to(library, forest)["w"].to_numpy().tolist() == [2**64 - 1]


@frames
def test_long_doubles_are_rounded_where_they_must_be(library):
    w = np.array([np.nextafter(np.longdouble(1), 2)])
    column = to(library, minimum_spanning_forest(([0], [1], w)))["w"].to_numpy()
    assert column.dtype == (np.longdouble if library == "pandas" else np.float64)
    assert column[0] == w.astype(column.dtype)[0]


@frames
def test_columns_of_any_name(library):
    frame = LIBRARIES[library]({"length": [5, 2**62 + 1], "from": [0, 1], "to": [1, 2]})
    graph = graph_from(frame, u="from", v="to", w="length", n=5)
    assert (graph.n, graph.u.tolist(), graph.v.tolist(), graph.w.tolist()) == (
        5,
        [0, 1],
        [1, 2],
        [5, 2**62 + 1],
    )
    assert graph_from(frame, "from", "to", "length").n == 3


@frames
def test_a_column_that_is_not_there(library):
    frame = LIBRARIES[library]({"u": [0], "v": [1], "km": [2]})
    with pytest.raises(OptionError, match=r"there is no column 'w'; the columns are 'u', 'v', 'km'"):
        graph_from(frame, w="w")
    with pytest.raises(OptionError, match=r"cannot tell the weights among the columns 'u', 'v', 'km'; write"):
        graph_from(frame)
    with pytest.raises(OptionError, match=r"cannot tell the ends of edges among the columns 'u', 'v', 'km'"):
        graph_from(LIBRARIES[library]({"u": [0], "v": [1], "km": [2], "i": [0], "j": [0]}), w="km")
    with pytest.raises(OptionError, match=r"for lines write frame\.to_file\('lines\.gpkg'\) and"):
        graph_from(LIBRARIES[library]({"geometry": ["LINESTRING (0 0, 1 1)"], "km": [2]}))


@frames
def test_missing_values_are_an_error(library):
    make = LIBRARIES[library]
    with pytest.raises(GraphError, match=r"edge 1 \(1, 2\) has the weight NaN"):
        graph_from(make({"u": [0, 1], "v": [1, 2], "w": [1.5, None]}))
    with pytest.raises(GraphError, match=r"edge 1 \('alice', 'bob'\) has the weight NaN"):
        graph_from(make({"u": ["bob", "alice"], "v": ["eve", "bob"], "w": [1.5, None]}))
    with pytest.raises(GraphError, match=r"edge 1 \(1000, 7\) has the weight NaN"):
        graph_from(make({"u": [7, 1000], "v": [5, 7], "w": [1.5, None]}), names=True)
    with pytest.raises(GraphError, match=r"v\[1\] = nan is not a vertex"):
        graph_from(make({"u": [0, 1], "v": [1, None], "w": [1.5, 2.5]}))


def test_nullable_columns_of_pandas():
    frame = pd.DataFrame({"u": [0, 1], "v": [1, 2], "w": [2**53 + 1, 1]}, dtype="Int64")
    assert graph_from(frame).w.tolist() == [2**53 + 1, 1]
    frame.loc[1, "w"] = pd.NA
    with pytest.raises((GraphError, GraphTypeError), match=r"NaN|object"):  # as the version of pandas has it
        graph_from(frame)


def test_something_else_is_an_error():
    expected = "expected a frame of pandas or polars, an Arrow table or a DuckDB relation, got list"
    with pytest.raises(GraphTypeError, match=expected):
        graph_from([1, 2])
