"""The choice of the columns of edges, and what their names mean."""

import re
import warnings
from contextlib import nullcontext

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import GraphError, GraphWarning, OptionError, as_graph, minimum_spanning_forest, read, stream
from boruvka.interop.column_names import known_ends

pl = pytest.importorskip("polars")

ROADS = pl.DataFrame(
    {
        "id": [1, 2, 3, 4, 5],
        "source": [0, 1, 2, 0, 1],
        "target": [1, 2, 3, 2, 3],
        "cost": [1, -1, 2, 4, -1],
        "reverse_cost": [1, 3, -1, 4, -1],
    }
)
SAYS = (
    "of 5 rows with costs of both directions, 1 have a negative 'cost', and the weight 'reverse_cost'; "
    "1 are left out, as both costs are negative: the road is closed"
)
FRAMES = {
    "polars": lambda frame: frame,
    "polars, lazy": pl.DataFrame.lazy,
    "pandas": pl.DataFrame.to_pandas,
    "arrow": pl.DataFrame.to_arrow,
    "duckdb": lambda frame: pytest.importorskip("duckdb").from_arrow(frame.to_arrow()),
}
FILES = {
    "csv": pl.DataFrame.write_csv,
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
}


def check(load, frame, **options):
    """Check that a warning about a frame or file of pgRouting comes, and points at this file."""
    with pytest.warns(GraphWarning, match=SAYS) as seen:
        graph = load(frame, **options)
    assert [warning.filename for warning in seen] == [__file__]
    assert graph.w.tolist() == [1, 3, 2, 4]
    assert minimum_spanning_forest(graph).weight == 6


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float32])
def test_negative_costs_of_frames(library, dtype):
    check(as_graph, FRAMES[library](ROADS.cast({"cost": dtype})))
    check(as_graph, FRAMES[library](ROADS), weight="cost")
    named = ROADS.with_columns(pl.col("source", "target").cast(pl.String))
    check(as_graph, FRAMES[library](named), missing="drop")


@pytest.mark.parametrize("ending", FILES)
def test_negative_costs_of_files(ending, tmp_path):
    path = tmp_path / f"roads.{ending}"
    FILES[ending](ROADS, path)
    check(read, path)
    check(read, path, missing="drop")
    check(read, path, columns=("source", "target", "cost"), names=True)


@pytest.mark.parametrize(
    "frame",
    [
        ROADS.drop("reverse_cost"),
        ROADS.with_columns(reverse_cost="cost").filter(pl.col("cost") > 0),
        ROADS.with_columns(pl.col("cost").abs(), reverse_cost=-1),
        ROADS.rename({"cost": "weight"}),
        ROADS.with_columns(pl.col("cost").abs().cast(pl.UInt8), reverse_cost=None),
    ],
)
def test_other_tables_are_silent(frame, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        as_graph(frame)
        frame.write_csv(tmp_path / "roads.csv")
        read(tmp_path / "roads.csv")


def test_either_column_may_be_the_weight():
    with pytest.warns(GraphWarning, match="1 have a negative 'reverse_cost', and the weight 'cost'"):
        graph = as_graph(ROADS, weight="reverse_cost")
    assert graph.w.tolist() == [1, 3, 2, 4]


def test_another_cost_of_the_other_direction_does_not_count():
    frame = pl.DataFrame({"u": [0, 1], "v": [1, 2], "cost": [1, 2], "reverse_cost": [1, 3]})
    with pytest.warns(GraphWarning, match="^of 2 rows .*, 1 have another 'reverse_cost', which does"):
        assert as_graph(frame).w.tolist() == [1, 2]


def test_rows_of_roads_are_those_of_the_frame():
    with pytest.warns(GraphWarning):
        forest = minimum_spanning_forest(as_graph(ROADS))
    assert forest.to_polars(columns=["id"])["id"].to_list() == [1, 2, 3]
    with pytest.warns(GraphWarning):
        forest = minimum_spanning_forest(as_graph(ROADS[::-1]))
    assert sorted(forest.to_polars(columns=["id"])["id"].to_list()) == [1, 2, 3]


def test_a_negative_cost_beside_texts_is_an_error():
    with pytest.raises(GraphError, match="'cost' is negative, and 'reverse_cost' holds no numbers"):
        as_graph(ROADS.cast({"reverse_cost": pl.String}))


COST = st.sampled_from([-1, 0, 1, 2, 2.5, 2**53, None])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), COST, COST), min_size=1, max_size=6),
    st.sampled_from([*FRAMES, *FILES]),
    st.booleans(),
    st.booleans(),
)
def test_roads_have_the_cost_of_a_direction_that_is_open(tmp_path_factory, rows, entrance, has_names, filled):
    """All entrances give the same edges; a weight that is not there is filled in, or its row is left out."""
    how = {"default": 7} if filled else {"missing": "drop"}
    expected = []
    for u, v, cost, back in rows:
        cost = 7 if cost is None and filled else cost
        if cost is not None and (cost >= 0 or (back is not None and back >= 0)):
            expected.append((u, v, cost if cost >= 0 else back))
    frame = pl.DataFrame(rows, ["u", "v", "cost", "reverse_cost"], orient="row", strict=False).cast(
        {"cost": pl.Float64, "reverse_cost": pl.Float64}
    )
    if has_names:
        frame = frame.cast({"u": pl.String, "v": pl.String})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        if entrance in FRAMES:
            graph = as_graph(FRAMES[entrance](frame), **how)
        else:
            path = tmp_path_factory.getbasetemp() / f"roads.{entrance}"
            FILES[entrance](frame, path)
            graph = read(path, names=has_names, **how)
    ends = [[int(end) for end in graph.name_of(ends).tolist()] for ends in (graph.u, graph.v)]
    assert list(zip(*ends, graph.w.tolist(), strict=True)) == expected


PAIRS = {
    ("left_id", "right_id"): "similarity",
    ("id1", "id2"): "score",
    ("unique_id_l", "unique_id_r"): "match_probability",
    ("source", "target"): "similarity",
    ("leftId", "rightId"): "distance",
    ("ltable_record", "rtable_record"): "w",
    ("Creditor", "Debtor"): "Amount",
    ("lender", "borrower"): "exposure",
}


@pytest.mark.parametrize(("ends", "weight"), PAIRS.items())
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 2, 0), (2, 3, 1, 0)])
def test_columns_of_pairs_of_records(ends, weight, order, tmp_path):
    """Names tell the ends in any order; of similarities, errors say what to write."""
    columns = {
        ends[0]: ["r1", "r2", "r3"],
        ends[1]: ["r2", "r3", "r1"],
        weight: [0.5, 0.25, 1.0],
        "block": ["x", "x", "y"],
    }
    frame = pl.DataFrame(columns).select(pl.nth(*order))
    frame.write_csv(path := tmp_path / "pairs.csv")
    graphs = []
    for load, table in (as_graph, frame), (read, path):
        if weight in ("distance", "w", "Amount", "exposure"):
            graphs.append(load(table))
            continue
        with pytest.raises(ValueError, match=r"write boruvka|pass columns") as caught:
            load(table)
        advice = str(caught.value)
        assert "large values are near: pass maximum=True to minimum_spanning_forest" in advice
        call = re.search(r"write boruvka\.(as_graph\(.*?\))|edges: pass (columns=\(.*?\))", advice)
        text = call[1] or f"read(path, {call[2]})"
        graphs.append(eval(text, {"as_graph": as_graph, "read": read, "frame": frame, "path": path}))
    for graph in graphs:
        assert graph.w.tolist() == [0.5, 0.25, 1.0]
        assert graph.name_of(graph.u).tolist() == columns[ends[0]]
        assert graph.name_of(graph.v).tolist() == columns[ends[1]]


@pytest.mark.parametrize(("more", "weight"), [({}, 1.5), ({"km": [4, 5, 6]}, 1.5), ({"w": [4, 5, 6]}, 11)])
def test_similarities_are_found_for_a_maximum_forest(more, weight):
    score = {"match_probability": [0.5, 0.25, 1.0], **more}
    for make in pl.DataFrame, pytest.importorskip("pandas").DataFrame:
        frame = make({"left_id": ["x", "y", "z"], "right_id": ["y", "z", "x"], **score})
        assert minimum_spanning_forest(frame, maximum=True).weight == weight
        with (
            pytest.raises(OptionError, match="weight='match_probability'")
            if "w" not in more
            else nullcontext()
        ):
            minimum_spanning_forest(frame)


@pytest.mark.parametrize("names", ["a_x b_x w", "id1 id2 left_id right_id w", "id_l id_r id_l w", "1 2 w"])
def test_other_columns_are_no_ends(names):
    assert known_ends(names.split()) is None


@pytest.mark.parametrize("weight", ["score", "Correlation", "km"])
def test_similarities_need_a_maximum_forest(weight, tmp_path):
    """A minimum forest of a column that is called as similarities is announced, whatever the entrance."""
    frame = pl.DataFrame({"a": ["x", "y", "z"], "b": ["y", "z", "x"], weight: [0.5, 0.25, 1.0]})
    frame.write_csv(path := tmp_path / "pairs.csv")
    pairs = networkx.Graph([("x", "y", {weight: 0.5}), ("y", "z", {weight: 0.25}), ("z", "x", {weight: 1.0})])
    columns = {"source": "a", "target": "b", "weight": weight}
    solves = [
        lambda **how: minimum_spanning_forest(frame, **columns, **how),
        lambda **how: minimum_spanning_forest(as_graph(pairs, weight=weight), **how),
        lambda **how: minimum_spanning_forest(read(path, columns=("a", "b", weight)), **how),
        lambda **how: stream.minimum_spanning_forest(path, columns=("a", "b", weight), **how),
    ]
    for solve in solves:
        says = pytest.warns(GraphWarning, match=f"column '{weight}': .*pass maximum=True, or rename")
        with nullcontext() if weight == "km" else says:
            assert solve().weight == 0.75
        assert solve(maximum=True).weight == 1.5
