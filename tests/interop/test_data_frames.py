import datetime

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, GraphWarning, OptionError
from boruvka.interop.data_frames import graph_from

from .graphs import graphs, minimum_spanning_forest, same

pl = pytest.importorskip("polars")

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
frames = pytest.mark.parametrize("library", LIBRARIES)


@frames
@given(graph=graphs())
def test_there_and_back(library, graph):
    forest = minimum_spanning_forest(graph)
    frame = getattr(forest, f"to_{library}")()
    assert type(frame) is (pa.Table if library == "arrow" else LIBRARIES[library])
    columns = {"edge": forest.edges, "source": forest.u, "target": forest.v, "weight": forest.w}
    assert list(frame.column_names if library == "arrow" else frame.columns) == list(columns)
    for name, array in columns.items():
        column = frame[name].to_numpy()
        assert column.dtype == array.dtype
        assert column.tolist() == array.tolist()
    assert same(forest, minimum_spanning_forest(graph_from(frame, n=graph.n)))


@frames
@pytest.mark.parametrize("w", [np.nextafter(np.longdouble(1), 2), np.uint64(2**64 - 1)])
def test_only_long_doubles_are_rounded_where_they_must_be(library, w):
    forest = minimum_spanning_forest(([0], [1], np.array([w])))
    (found,) = getattr(forest, f"to_{library}")()["weight"].to_numpy()
    is_rounded = w.dtype == np.longdouble and library != "pandas"
    assert found.dtype == (np.float64 if is_rounded else w.dtype)
    assert found == w.astype(found.dtype)


@frames
def test_columns_of_any_name(library):
    frame = LIBRARIES[library]({"length": [5, 2**62 + 1], "here": [0, 1], "there": [1, 2]})
    graph = graph_from(frame, source="here", target="there", n=5)
    assert (graph.n, graph.u.tolist(), graph.v.tolist()) == (5, [0, 1], [1, 2])
    assert graph.w.tolist() == [5, 2**62 + 1]


@frames
@pytest.mark.parametrize(
    ("columns", "chosen", "message"),
    [
        (["u", "v", "w_km"], {"weight": "w km"}, r"no column 'w km': did you mean w_km\?; the columns are"),
        (["u", "v", "km"], {"weight": "w"}, r"there is no column 'w'; the columns are 'u', 'v', 'km'"),
        (
            ["u", "v", "km"],
            {},
            "no column of weights among the columns 'u', 'v', 'km', by their names; write boruvka.as_graph",
        ),
        (["u", "v", "w", "cost"], {}, "more than one column may hold weights"),
        (
            ["u", "v", "i", "j", "w"],
            {},
            "cannot tell the ends of edges among the columns 'u', 'v', 'i', 'j', 'w'",
        ),
        (["a", "target", "w"], {"source": "a"}, "cannot tell the ends of edges"),
        (["id", "Z", "y", "x"], {}, r"points are boruvka\.Graph\.from_points\(frame\)"),
        (["geometry", "km"], {}, r"lines are those of a geopandas\.GeoDataFrame, or of a file"),
    ],
)
def test_columns_that_are_not_known(library, columns, chosen, message):
    with pytest.raises(OptionError, match=message):
        graph_from(LIBRARIES[library]({name: [0] for name in columns}), **chosen)


@frames
@pytest.mark.parametrize(
    ("u", "v", "w", "message"),
    [
        ([0, 1], [1, 2], [1.5, None], r"edge 1 \(1, 2\) has the weight NaN"),
        (["bob", "alice"], ["eve", "bob"], [1.5, None], r"edge 1 \('alice', 'bob'\) has the weight NaN"),
        ([0, 1], [1, None], [1.5, 2.5], r"v\[1\] = nan is not a vertex"),
    ],
)
def test_missing_values_are_an_error(library, u, v, w, message):
    with pytest.raises(GraphError, match=message):
        graph_from(LIBRARIES[library]({"u": u, "v": v, "w": w}))


def test_nullable_columns_of_pandas():
    frame = pd.DataFrame({"u": [0, 1], "v": [1, 2], "w": [2**53 + 1, 1]}, dtype="Int64")
    assert graph_from(frame).w.tolist() == [2**53 + 1, 1]
    frame.loc[1, "w"] = pd.NA
    with pytest.raises((GraphError, GraphTypeError), match=r"NaN|edge 1"):  # as the version of pandas has it
        graph_from(frame)


def test_something_else_is_an_error():
    expected = "expected a frame of pandas or polars, an Arrow table or a DuckDB relation, got list"
    with pytest.raises(GraphTypeError, match=expected):
        graph_from([1, 2])


def test_names_that_only_columns_of_objects_hold():
    """A lone surrogate, which no encoding of text has."""
    forest = minimum_spanning_forest([("\ud800", "b", 1), ("b", "c", 2)])
    for frame, column in (
        (forest.to_pandas(), "source"), (forest.to_nodes(), "vertex"), (forest.clusters([1]), "vertex")
    ):  # fmt: skip
        assert frame[column].tolist()[0] == "\ud800"


def distances_with_labels(n=40):
    points = np.random.default_rng(6).random((n, 3))
    labels = [f"S{i}" for i in range(n)]
    return pd.DataFrame(np.linalg.norm(points[:, None] - points, axis=-1), labels, labels)


def test_square_frames_of_polars_are_matrices():
    frame = distances_with_labels()
    expected = minimum_spanning_forest(graph_from(frame)).to_pandas()
    plain = pl.DataFrame(frame.to_numpy(), schema=list(frame.columns))
    for table in plain, plain.select(pl.Series("", list(frame.index)), pl.all()):
        graph = graph_from(table)
        assert graph.names.tolist() == list(frame.columns)
        assert minimum_spanning_forest(graph).to_pandas().equals(expected)
    with pytest.raises(OptionError, match=r"cannot tell .* a matrix boruvka.Graph.from_distances"):
        graph_from(pl.DataFrame(np.eye(3), schema=list("ABC")))


def test_square_frames_with_gaps():
    frame = distances_with_labels(6)
    frame.iloc[0, 1] = frame.iloc[1, 0] = np.nan
    with pytest.raises(GraphError, match=r"entry \(0, 1\) of the matrix is NaN"):
        graph_from(frame)
    with pytest.warns(GraphWarning, match="2 entries of the matrix are NaN, and no edges"):
        graph = graph_from(frame, missing="drop")
    assert (graph.n, graph.m, graph.names.tolist()) == (6, 28, list(frame.columns))
    filled = graph_from(frame, default=0.25)
    assert filled.w.tolist() == graph_from(frame.fillna(0.25)).w.tolist()


def test_advice_for_prices_and_for_a_matrix_with_a_missing_name():
    prices = pd.DataFrame(np.ones((3, 2)), pd.date_range("2024-01-01", periods=3), ["COST", "B"])
    with pytest.raises(OptionError, match=r"rolling_forests\(frame, len\(frame\) - 1, prices=True\)\[0\]"):
        boruvka.minimum_spanning_forest(prices)
    matrix = pd.DataFrame(np.ones((2, 2)), ["FR", np.nan], ["FR", "NA"])
    with pytest.raises(OptionError, match="keep_default_na=False"):
        boruvka.minimum_spanning_arborescence(matrix)


def test_messages_list_a_few_of_many_columns():
    frame = pd.DataFrame(np.zeros((3, 121)), columns=[f"S{i}" for i in range(121)])
    listed = "'S0', 'S1', 'S2', 'S3', 'S4' and 116 others"
    with pytest.raises(
        OptionError,
        match=rf"among the columns {listed}; .*from_points.*rolling_forests\(frame",
    ):
        graph_from(frame)
    with pytest.raises(OptionError, match=f"no column 'x'; the columns are {listed}"):
        graph_from(frame, weight="x")


@pytest.mark.parametrize("kind", ["pandas", "polars", "array", "iterator", "tuples"])
def test_names_of_records_without_a_pair(kind):
    """They are vertices of their own, numbered in the order of the list, as those of NetworkX are."""
    ids = [f"crm:{k}" for k in range(9)]
    pairs = [("crm:7", "crm:2", 0.5), ("crm:2", "crm:5", 0.25), ("crm:5", "crm:7", 1.0)]
    expected = nx.Graph()
    expected.add_nodes_from(ids)
    expected.add_weighted_edges_from(pairs)
    frame = pd.DataFrame(pairs, columns=["from", "to", "weight"])
    names = {
        "pandas": pd.Series(ids, range(5, 14)),
        "polars": pl.Series(ids),
        "array": np.array(ids),
        "iterator": iter(ids),
        "tuples": ids,
    }[kind]
    graph = boruvka.as_graph(
        pairs if kind == "tuples" else frame, names=names, n=9 if kind == "array" else None
    )
    assert graph.names.tolist() == ids
    found = boruvka.minimum_spanning_forest(graph)
    assert found.n_components == nx.number_connected_components(expected)
    ends = zip(graph.name_of(found.u), graph.name_of(found.v), strict=True)
    assert set(map(frozenset, ends)) == set(map(frozenset, nx.minimum_spanning_edges(expected, data=False)))


@pytest.mark.parametrize("kind", [pd.Series, pl.Series, pa.array, list, np.array, iter, "objects"])
@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_integer_names_of_records(kind, library):
    """Ends are looked up among them, also where they could be positions, or have gaps."""
    rng = np.random.default_rng(4)
    for ids in rng.permutation(np.arange(1, 81)), rng.choice(10**6, 80, replace=False):
        u, v = rng.choice(ids, (2, 40))
        expected = nx.Graph()
        expected.add_nodes_from(ids.tolist())
        expected.add_edges_from(zip(u.tolist(), v.tolist(), strict=True))
        names = np.array(ids.tolist(), object) if kind == "objects" else kind(ids.tolist())
        frame = library({"left_id": u, "right_id": v, "km": np.arange(40.0)})
        graph = boruvka.as_graph(frame, weight="km", names=names)
        assert graph.names.tolist() == ids.tolist()
        labels = boruvka.minimum_spanning_forest(graph).labels
        found = {frozenset(ids[labels == label].tolist()) for label in set(labels.tolist())}
        assert found == set(map(frozenset, nx.connected_components(expected)))


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_errors_fill_in_columns(library):
    for columns, call in (
        ({"customer": ["a"], "product": ["b"], "qty": [3]}, "source=..., target=..., weight=...)"),
        ({"id1": [1], "id2": [2], "score": [0.5]}, "source='id1', target='id2', weight='score')"),
        ({"a": [1], "b": [[2]], "c": [None]}, "source=..., target=..., weight=...)"),
    ):
        with pytest.raises(OptionError) as caught:
            boruvka.as_graph(library(columns))
        assert f"write boruvka.as_graph(frame, {call}" in str(caught.value)
    with pytest.raises(OptionError, match=r"write boruvka.as_graph\(frame, source=..., target=..., weight="):
        boruvka.as_graph(pd.DataFrame([[1, 2, "x"]], columns=["a", "a", 5]))


def test_integer_ends_that_may_be_names():
    u, v, w, names = [1, 2], [2, 3], [1, 1], [1, 2, 3, 4]
    with pytest.raises(GraphError, match=r"if they are positions, write n=4; if names, .*as_graph\(pandas"):
        Graph.from_edges(u, v, w, names=names)
    with pytest.raises(GraphError, match="if they are positions, write n=4"):
        boruvka.as_graph([(1, 2, 1)], names=names)
    assert Graph.from_edges(u, v, w, n=4, names=names).u.tolist() == u
    assert Graph.from_edges(u, v, w, names=range(4)).u.tolist() == u
    assert Graph.from_edges(u, v, w, names=list("abcd")).u.tolist() == u
    assert Graph.from_edges(u, v, w, names=[9, 8, 7, 6]).u.tolist() == u
    by_name = boruvka.as_graph(pd.DataFrame({"u": u, "v": v, "w": w}), names=names)
    assert (by_name.u.tolist(), by_name.v.tolist()) == ([0, 1], [1, 2])
    texts = boruvka.as_graph(pd.DataFrame({"u": u, "v": v, "w": w}), names=list("abcd"))
    assert texts.u.tolist() == u
    with pytest.raises(GraphError, match=r"v\[1\] = 3 is not in names=, which"):
        boruvka.as_graph(pd.DataFrame({"u": u, "v": v, "w": w}), names=[1, 2])


def test_names_of_records_that_do_not_suit():
    frame = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "weight": [1, 2]})
    for names, message in (
        ("ab", r"v\[1\] = 'c' is not in names=, which lacks 1 of the 2 names in v"),
        ("abcc", "vertices 2 and 3 have the same name 'c'"),
        (None, "list all vertices, also those without an edge, by names="),
    ):
        with pytest.raises(ValueError, match=message):
            boruvka.as_graph(frame, names=names and list(names), n=None if names else 5)
    with pytest.raises(GraphError, match="one name for each of the 5 vertices, got 4"):
        boruvka.as_graph(frame, names=list("abcd"), n=5)


def test_updated_forests_keep_the_names_of_columns():
    frame = pd.DataFrame([("A", "B", 1), ("B", "C", 2)], columns=["from", "to", "km"])
    forest = boruvka.minimum_spanning_forest(boruvka.as_graph(frame, weight="km"))
    for updated in forest.update([("C", "D", 3)]), forest.update([("C", "D", 3)]).update([("D", "E", 3)]):
        assert list(updated.to_pandas()) == ["edge", "from", "to", "km"]


def test_updates_by_frames(recwarn):
    """New rows may have gaps; they are told from the rows of the first frame by the numbers of the edges."""
    frame = pd.DataFrame({"from": list("abca"), "to": list("bcad"), "km": [9.0, 1, 2, 3], "tx": [7, 8, 9, 6]})
    forest = boruvka.minimum_spanning_forest(frame, weight="km")
    new = pd.DataFrame({"from": ["d", "x"], "to": ["e", None], "km": [None, 4.0], "tx": [5, 4]})
    larger = forest.update(new, missing="drop", default=1)
    both = pd.concat([frame, new], ignore_index=True).fillna({"km": 1})
    found = larger.to_pandas()
    assert found.index.tolist() == found["edge"].tolist() == [1, 2, 3, 4]
    assert found[["from", "to", "km"]].equals(both.loc[found.index, ["from", "to", "km"]])
    assert not [x for x in recwarn if "numbers of the edges" in str(x.message)]
    assert larger.to_pandas("tx")["tx"].tolist() == [8, 9, 6, 5]
    for updated in forest, larger:
        with pytest.raises(OptionError, match="no column 'km', as the first table has: write weight="):
            updated.update(new.drop(columns="km"))
    renamed = new.rename(columns={"km": "w"})[:1].fillna(2)
    assert forest.update(renamed, weight="w").weight == forest.weight + 2
    with pytest.raises(OptionError, match="no option 'mising'"):
        forest.update(new, mising="drop")
    labelled = boruvka.minimum_spanning_forest(frame.set_axis([5, 4, 1, 0]), weight="km")
    with pytest.warns(GraphWarning, match="the index has the numbers of the edges"):
        assert labelled.update([("d", "e", 1)]).to_pandas().index.tolist() == [1, 2, 3, 4]


@pytest.mark.filterwarnings("ignore:.* rows are left out")
@pytest.mark.filterwarnings("ignore:.* new edges join vertices that an edge joins already")
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
@pytest.mark.parametrize("labels", ["numbers", "different", "equal"])
def test_columns_of_all_frames_after_updates(make, labels):
    """A number in each row tells it, with rows left out, and edges removed and renumbered."""
    rng, tables, parts = np.random.default_rng(3), [], []
    for k in range(4):
        u, v = rng.integers(0, 9, (2, 8)).astype(str).tolist()
        v[k] = None
        days = [datetime.datetime(2024, 1, int(day)) for day in rng.integers(1, 31, 8)]
        part = {
            "u": u,
            "v": v,
            "w": rng.integers(1, 9, 8).tolist(),
            "tx": [2**60 + 8 * k + i for i in range(8)],
        }
        parts.append(pd.DataFrame(part | {"day": days}))
        if labels != "numbers":
            parts[k].index = parts[k]["tx"] % 2**60 if labels == "different" else [1] * 8
        tables.append(parts[k] if make is pd.DataFrame else make(part | {"day": days}))
    forest = boruvka.minimum_spanning_forest(boruvka.as_graph(tables[0], missing="drop"))
    for table in tables[1:]:
        forest = forest.update(table, missing="drop")
    forest = forest.update(removed=forest.edges[::2])
    both = pd.concat(parts).set_index("tx", drop=False)
    for found in forest, boruvka.minimum_spanning_forest(forest.graph.compacted()):
        frame = found.to_pandas(["tx", "day"])
        rows = both.loc[frame["tx"]]
        for name in "u", "v", "w", "day":
            assert frame[name].tolist() == rows[name].tolist()
        assert found.to_polars(["tx"])["tx"].to_list() == frame["tx"].tolist()
        if make is pd.DataFrame:
            joined = pd.concat(parts, ignore_index=labels != "different")
            assert joined.loc[frame.index, "tx"].tolist() == frame["tx"].tolist()
            of_rows = pd.Series(joined["tx"] % 2 == 0, index=joined.index)
            left = found.update(removed=of_rows).to_pandas(["tx"])["tx"]
            assert (left % 2).all()


@pytest.mark.parametrize("library", [pd, pl])
def test_updates_by_edges_without_a_column(library):
    frame = {"u": ["a", "b"], "v": ["b", "c"], "w": [1, 2], "tx": [2**60 + 1, 5], "day": [1.5, 2]}
    forest = boruvka.minimum_spanning_forest(library.DataFrame(frame)).update([("c", "d", 3)])
    forest = forest.update(pl.DataFrame({"u": ["d"], "v": ["e"], "w": [4], "tx": [2**60 + 3]}))
    table = forest.to_polars(["tx", "day"])
    assert table["tx"].to_list() == [2**60 + 1, 5, None, 2**60 + 3]
    assert table["day"].to_list() == [1.5, 2, None, None] if library is pl else [1.5, 2, np.nan, np.nan]
    assert forest.to_pandas(["tx"])["tx"].astype("Int64").tolist() == [2**60 + 1, 5, pd.NA, 2**60 + 3]
    assert isinstance(forest.clusters([2]), library.DataFrame)
    with pytest.raises(OptionError, match="there is no column 'ty'"):
        forest.to_pandas(["ty"])


def test_datasets_of_arrow():
    dataset = pytest.importorskip("pyarrow.dataset")
    table = pa.table({"from": ["a", "b"], "to": ["b", "c"], "km": [2, 3], "tx": [7, 8]})
    forest = boruvka.minimum_spanning_forest(dataset.dataset(table), weight="km")
    assert forest.to_arrow(["tx"])["tx"].to_pylist() == [7, 8]
