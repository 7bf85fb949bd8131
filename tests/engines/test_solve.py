import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boruvka
from boruvka.engines import parquet
from boruvka.engines import solve as engines_solve
from boruvka.engines.reading import Columns
from boruvka.engines.threads import Threads
from boruvka.errors import FileError, FormatError, GraphError, GraphTypeError, OptionError
from boruvka.stream import guard
from tests.engines.helpers import (
    COLUMNS,
    assert_same_edges,
    graph_of,
    random_table,
    solve,
    split,
    tiny_limits,
)
from tests.graph.conftest import interpreted
from tests.strategies import FLOATS, INTEGERS, graphs

__all__ = ["interpreted", "tiny_limits"]

CASES = {
    "graph": graphs(dtypes=INTEGERS + FLOATS[:-1]),
    "maximum": st.booleans(),
    "parts": st.integers(1, 4),
    "large": st.sampled_from([0.0, 0.9, 2.0]),
}


def check(graph, maximum, parts, large):
    assume(graph.m)
    table = pa.table({"u": graph.u, "v": graph.v, "w": graph.w})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "LARGE", large)
        found = solve(split(table, parts), maximum=maximum, n=graph.n)
    assert_same_edges(found, graph, maximum)


@given(**CASES)
def test_all_types(tiny_limits, interpreted, graph, maximum, parts, large):
    check(graph, maximum, parts, large)


@pytest.mark.long
@given(**CASES)
def test_all_types_compiled(tiny_limits, graph, maximum, parts, large):
    check(graph, maximum, parts, large)


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "equal", "two components"])
def test_orders_of_weights(tiny_limits, monkeypatch, order, maximum):
    monkeypatch.setattr(engines_solve, "LIGHT_PER_VERTEX", 2.0)
    table = random_table(distinct=10_000)
    w = np.sort(table["w"].to_numpy())
    if order == "two components":
        u = table["u"].to_numpy()
        table = table.set_column(1, "v", pa.array(table["v"].to_numpy() // 2 * 2 + u % 2))
    elif order != "random":
        w = {"ascending": w, "descending": w[::-1], "equal": np.full(w.size, 7)}[order]
        table = table.set_column(2, "w", pa.array(w))
    found = solve(split(table, 5), maximum=maximum)
    assert_same_edges(found, graph_of(table), maximum)
    if order in ("random", "equal"):
        assert found.received < table.num_rows * 12 / 2
    assert found.sent > 0


@pytest.mark.parametrize("maximum", [False, True])
def test_index_column(tiny_limits, maximum):
    """Rows in any order give the same edges, also if they change places when they are read again."""
    table = random_table(distinct=4).append_column("row", pa.array(np.arange(700) * 3 - 5))
    graph, rng = graph_of(table), np.random.default_rng(2)
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    columns = Columns("u", "v", "w", "row")
    shuffled = Shuffling([part.take(rng.permutation(part.num_rows)) for part in split(table, 4)])
    solved = engines_solve.minimum_spanning_forest(shuffled, columns, list, maximum=maximum)
    assert solved.forest.edges.tolist() == (expected.edges * 3 - 5).tolist()
    with pytest.raises(GraphError, match=r"the rows changed, or came in another order.*name a column"):
        engines_solve.minimum_spanning_forest(shuffled, COLUMNS, list, maximum=maximum)
    twice = table.set_column(3, "row", pa.array(np.zeros(700, np.int64)))
    with pytest.raises(GraphError, match="two edges have the index 0: indices must be unique"):
        solve(split(twice, 2), columns)


class Shuffling:
    """Parts whose rows come in another order each time."""

    name = "shuffling"

    def __init__(self, tables):
        self.parts, self._tables, self._rng = len(tables), tables, np.random.default_rng(5)

    def map(self, task, shared):
        for part, table in enumerate(self._tables):
            rows = table.take(self._rng.permutation(table.num_rows))
            batches = [(f"part {part}", batch) for batch in rows.to_batches()]
            yield part, task(part, lambda _, batches=batches: iter(batches), shared)


def names_of(kind, numbers):
    """Return names that are sorted as their numbers are."""
    match kind:
        case "string":
            return pa.array([f"record {x:03}" for x in numbers])
        case "category":
            return pa.array([f"record {x:03}" for x in numbers]).dictionary_encode()
        case "category of integers":
            return pa.array(np.asarray(numbers) - 20).dictionary_encode()
        case "binary":
            return pa.array([bytes([x % 256]) for x in numbers], pa.binary())
        case "date":
            return pa.array(np.asarray(numbers).astype("M8[D]"))
        case "negative":
            return pa.array(np.asarray(numbers) - 20)
        case "sparse":
            return pa.array(np.asarray(numbers) * 10**14)
        case "unsigned":
            return pa.array(np.asarray(numbers, np.uint64) + np.uint64(2**63))


@pytest.mark.parametrize(
    "kind", ["string", "category", "category of integers", "binary", "date", "negative", "sparse", "unsigned"]
)
def test_names(tiny_limits, kind):
    table = random_table()
    occurring = np.unique(np.concatenate([table["u"].to_numpy(), table["v"].to_numpy()]))
    named = pa.table(
        {"u": names_of(kind, table["u"].to_pylist()), "v": names_of(kind, table["v"].to_pylist())}
    )
    named = named.append_column("w", table["w"])
    found, expected = solve(split(named, 3), batch=30), boruvka.minimum_spanning_forest(graph_of(table))
    edges, plain = found.edges, named.take(expected.edges)
    assert edges["edge"].to_pylist() == expected.edges.tolist()
    assert edges.select("uvw").to_pylist() == plain.to_pylist()
    assert found.forest.n == len(occurring)
    assert sorted(found.forest.graph.names.tolist()) == found.forest.graph.names.tolist()
    clusters = found.clusters([3])
    assert clusters["vertex"].to_pylist() == names_of(kind, occurring).to_pylist()


def test_names_are_asked_for():
    table = random_table(n=20, m=40)
    assert solve(split(table, 2)).forest.graph.names is None
    found = solve(split(table, 2), names=True)
    ids = {*table["u"].to_pylist(), *table["v"].to_pylist()}
    assert found.forest.graph.names.tolist() == sorted(ids)
    far = pa.table({"u": [0, 1], "v": [1, 1 << 21], "w": [1, 2]})
    assert solve([far]).forest.n == 3
    assert solve([far], names=False).forest.n == (1 << 21) + 1
    assert solve([far], n=1 << 22).forest.n == 1 << 22


def test_same_hash(monkeypatch):
    monkeypatch.setattr("boruvka.engines.names.as_keys", lambda ids: np.zeros(ids.size, np.uint64))
    table = pa.table({"u": ["a"], "v": ["b"], "w": [1]})
    with pytest.raises(GraphError, match="the ids 'a' and 'b' have the same hash"):
        solve([table])


def test_clusters(tiny_limits):
    """They are the components of the graph of all edges up to the threshold."""
    table = random_table(n=300, m=400, distinct=1000)
    found = solve(split(table, 3), maximum=True)
    thresholds = [999.5, 700, -1]
    clusters, sizes = found.clusters(thresholds), found.sizes(thresholds)
    assert clusters.column_names == ["vertex", "cluster_999_5", "cluster_700", "cluster_minus_1"]
    for threshold, name in zip(thresholds, clusters.column_names[1:], strict=True):
        kept = table.filter(pa.compute.greater_equal(table["w"], threshold))
        labels = boruvka.minimum_spanning_forest(graph_of(kept, n=300)).labels
        smallest = [int(np.flatnonzero(labels == label)[0]) for label in labels]
        assert clusters[name].to_pylist() == smallest
        here = sizes.filter(pa.compute.equal(sizes["threshold"], threshold))
        assert dict(zip(here["cluster"].to_pylist(), here["size"].to_pylist(), strict=True)) == {
            x: smallest.count(x) for x in smallest
        }
    with pytest.raises(OptionError, match="the threshold 1 is there twice"):
        found.clusters([1, 1])
    with pytest.raises(OptionError, match="height"):
        found.clusters([float("nan")])


def test_no_edges():
    table = random_table().slice(0, 0)
    found = solve([table, table], n=3)
    assert (len(found), found.weight, found.components, found.edges.num_rows) == (0, 0, 3, 0)
    assert found.clusters([1])["cluster_1"].to_pylist() == [0, 1, 2]
    assert solve([]).forest.n == 0


def test_only_loops(tiny_limits):
    table = pa.table({"u": np.arange(40), "v": np.arange(40), "w": np.arange(40)})
    assert_same_edges(solve(split(table, 3)), graph_of(table))


def test_types_of_parts(tiny_limits):
    """Integers in one part and fractions in another are fractions."""
    whole, fractions = random_table(seed=1), random_table(seed=2, w=np.float32)
    found = solve([whole, fractions])
    both = pa.table({name: np.concatenate([whole[name], fractions[name]]) for name in "uvw"})
    assert both["w"].type == pa.float64()
    assert_same_edges(found, graph_of(both))


ROW = {"u": [0, 1], "v": [1, 2], "w": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("changed", "options", "error", "message"),
    [
        ({"w": [1.0, None]}, {}, FormatError, "part 0: row 1 of them has no value in column 'w'"),
        (
            {"u": ["a", None], "v": ["b", "c"]},
            {},
            FormatError,
            "part 0: row 1 of them has no value in column 'u'",
        ),
        ({"w": [1.0, float("nan")]}, {}, FormatError, "part 0: row 1 of them has the weight NaN"),
        ({"w": ["a", "b"]}, {}, FormatError, "part 0: expected numbers in column 'w', found string"),
        ({"w": [True, False]}, {}, FormatError, "expected numbers in column 'w', found bool"),
        ({"u": [0.5, 1]}, {}, FormatError, "ids must be integers or names, but column 'u' holds double"),
        ({"u": ["a", "b"]}, {}, GraphError, "columns 'u' and 'v' hold ids of different types"),
        ({}, {"n": 2}, GraphError, "2 is not a vertex: the graph has n = 2 vertices, from 0"),
        ({}, {"n": 3, "names": True}, OptionError, "these ids are names"),
        ({"u": [-1, 1]}, {"names": False}, GraphError, "not numbers: allow names"),
        ({"u": pa.array([2**63, 1], pa.uint64()), "v": [-1, 1]}, {}, GraphTypeError, "ids of another type"),
    ],
)
def test_errors(changed, options, error, message):
    with pytest.raises(error, match=message):
        solve([pa.table(ROW | changed)], **options)


def test_errors_between_parts():
    one, other = pa.table(ROW), pa.table(ROW | {"u": ["a", "b"], "v": ["b", "c"]})
    with pytest.raises(GraphTypeError, match="some parts have ids of another type than others"):
        solve([one, other])


@pytest.mark.parametrize("threads", [1, 3])
def test_parquet(tmp_path, tiny_limits, monkeypatch, threads):
    monkeypatch.setattr(parquet, "ROWS_OF_PART", 100)
    table = random_table()
    for k in range(3):
        pq.write_table(table.slice(k * 250, 250), tmp_path / f"{k}.parquet", row_group_size=40)
    found = parquet.ParquetParts.of(tmp_path, (None, None, None))
    assert [(part.first, part.last) for part in found.parts[:4]] == [(0, 2), (2, 4), (4, 7), (0, 2)]
    solved = engines_solve.minimum_spanning_forest(
        Threads(found.parts, threads), found.columns, list, largest=found.largest, is_stable=True
    )
    expected = boruvka.minimum_spanning_forest(graph_of(table))
    assert solved.forest.edges.tolist() == expected.edges.tolist()
    assert (found.largest, found.n) == (49, None)


def test_parquet_of_ours_states_its_vertices(tmp_path):
    boruvka.write(boruvka.Graph(9, [0], [1], [2]), tmp_path / "g.parquet")
    found = parquet.ParquetParts.of(tmp_path / "g.parquet", (None, None, None))
    assert (found.largest, found.n) == (1, 9)


def test_errors_of_parquet(tmp_path):
    with pytest.raises(FileError, match=r"none\.parquet: No such file"):
        parquet.ParquetParts.of(tmp_path / "none.parquet", (None, None, None))
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(FormatError, match=r"text\.parquet: cannot be read as Parquet"):
        parquet.ParquetParts.of(tmp_path / "text.parquet", (None, None, None))
    pq.write_table(pa.table(ROW), tmp_path / "g.parquet")
    with pytest.raises(OptionError, match="there is no column 'x'; the columns are 'u', 'v', 'w'"):
        parquet.ParquetParts.of(tmp_path / "g.parquet", (None, None, "x"))
