import os
import pickle
from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boruvka
from boruvka import stream
from boruvka.errors import FileError, FormatError, GraphError, GraphTypeError, GraphWarning, OptionError
from boruvka.stream import bottleneck_filter
from boruvka.stream.remote import driver, frame_forest
from boruvka.stream.remote.frame_forest import FrameForest
from boruvka.stream.remote.names import NamesRequest, names_of_part
from boruvka.stream.remote.reading import ColumnNames, Digest
from boruvka.stream.remote.tasks import run_task
from lab.threads_engine import Threads
from tests.graph.conftest import interpreted
from tests.strategies import FLOATS, INTEGERS, graphs
from tests.stream.remote.helpers import (
    COLUMNS,
    Tables,
    assert_same_edges,
    graph_of,
    random_table,
    solve,
    split,
    tiny_limits,
)

pytestmark = pytest.mark.needs("polars")

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
        patch.setattr(bottleneck_filter, "LARGE", large)
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
    monkeypatch.setattr(driver, "LIGHT_PER_VERTEX", 2.0)
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
    """EdgeBatch in any order give the same edges, also if they change places when they are read again."""
    table = random_table(distinct=4).append_column("row", pa.array(np.arange(700) * 3 - 5))
    graph, rng = graph_of(table), np.random.default_rng(2)
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    columns = ColumnNames("u", "v", "w", "row")
    shuffled = Shuffling([part.take(rng.permutation(part.num_rows)) for part in split(table, 4)])
    solved = driver.minimum_spanning_forest(shuffled, columns, maximum=maximum)
    assert solved.forest.edges.tolist() == (expected.edges * 3 - 5).tolist()
    with pytest.raises(GraphError, match=r"the rows changed, or came in another order.*name a column"):
        driver.minimum_spanning_forest(shuffled, COLUMNS, maximum=maximum)
    twice = table.set_column(3, "row", pa.array(np.zeros(700, np.int64)))
    with pytest.raises(GraphError, match="two edges have the index 0: indices must be unique"):
        solve(split(twice, 2), columns)


class Shuffling(Tables):
    """Parts whose rows come in another order each time."""

    name = "shuffling"

    def __init__(self, tables):
        super().__init__(tables)
        self._rng = np.random.default_rng(5)

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
    """They are numbered as in memory: in the order in which they first appear as u, then as v."""
    table = random_table()
    named = pa.table(
        {"u": names_of(kind, table["u"].to_pylist()), "v": names_of(kind, table["v"].to_pylist())}
    )
    named = named.append_column("w", table["w"])
    graph = boruvka.Graph.from_edges(*(table[end].to_numpy() for end in "uvw"), names=True)
    found, expected = solve(split(named, 3), batch=30, names=True), boruvka.minimum_spanning_forest(graph)
    edges, plain = found.edges, named.take(expected.edges)
    assert edges["edge"].to_pylist() == expected.edges.tolist()
    assert edges.select("uvw").to_pylist() == plain.to_pylist()
    assert_same_edges(found, graph)
    assert found.forest.labels.tolist() == expected.labels.tolist()
    names = names_of(kind, graph.names.tolist())
    assert found.forest.graph.names.tolist() == names.to_pylist()
    clusters = found.clusters([3])
    assert clusters["vertex"].to_pylist() == names.to_pylist()
    first = {label: vertex for vertex, label in reversed(list(enumerate(expected.cut_at(3).tolist())))}
    of_cluster = [first[label] for label in expected.cut_at(3).tolist()]
    assert clusters["cluster_3"].to_pylist() == names.take(of_cluster).to_pylist()


def test_names_in_the_order_of_an_index(tiny_limits):
    """Where a column has the indices, names first appear in the order of these, wherever the rows are."""
    table = random_table(m=200)
    named = pa.table(
        {
            "u": names_of("string", table["u"].to_pylist()),
            "v": names_of("string", table["v"].to_pylist()),
            "w": table["w"],
            "row": pa.array(np.arange(200) * 7 - 300),
        }
    )
    graph = boruvka.Graph.from_edges(named["u"].to_pylist(), named["v"].to_pylist(), table["w"].to_numpy())
    shuffled = named.take(np.random.default_rng(3).permutation(200))
    found = solve(split(shuffled, 3), ColumnNames("u", "v", "w", "row"), batch=20)
    assert found.forest.graph.names.tolist() == graph.names.tolist()
    expected = boruvka.minimum_spanning_forest(graph)
    assert found.forest.edges.tolist() == (expected.edges * 7 - 300).tolist()
    assert found.forest.u.tolist() == expected.u.tolist()


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge")
@given(graphs(dtypes=[np.dtype(np.int64)]), st.integers(1, 4), st.booleans())
def test_integers_are_vertices_unless_they_are_names(interpreted, graph, parts, names):
    """Whatever the number of edges: as of a graph in memory, and of a stream."""
    assume(graph.m)
    table = pa.table({"u": graph.u, "v": graph.v, "w": graph.w})
    expected = boruvka.Graph.from_edges(graph.u, graph.v, graph.w, names=names or None)
    forests = [
        solve(split(table, parts), names=names or None).forest,
        stream.minimum_spanning_forest(table.to_reader(2), names=names or None),
    ]
    for forest in forests:
        assert_same_numbers(forest, boruvka.minimum_spanning_forest(expected))


def assert_same_numbers(found, expected):
    """Check numbers, labels and names of vertices."""
    assert (found.n, found.graph.m) == (expected.n, expected.graph.m)
    for name in "edges", "u", "v", "labels":
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
    names, expected_names = found.graph.names, expected.graph.names
    assert (names is None) == (expected_names is None)
    assert names is None or (names.dtype, names.tolist()) == (expected_names.dtype, expected_names.tolist())


def test_large_and_negative_ids():
    far = pa.table({"u": [0, 1], "v": [1, 1 << 21], "w": [1, 2]})
    assert solve([far]).forest.n == solve([far], names=False).forest.n == (1 << 21) + 1
    assert solve([far], names=True).forest.graph.names.tolist() == [0, 1, 1 << 21]
    assert solve([far], n=1 << 22).forest.n == 1 << 22
    for end, wrong in (-5, "-5"), (1 << 32, "4294967296"):
        with pytest.raises(GraphError, match=rf"^{wrong} is not a vertex: .* pass names=True"):
            solve([pa.table({"u": [0], "v": [end], "w": [1]})])


CHANGES = {
    "weight": lambda table: table.set_column(2, "w", pa.array([*table["w"].to_pylist()[:-1], 99])),
    "end": lambda table: table.set_column(1, "v", pa.array([*table["v"].to_pylist()[:-1], 9])),
    "other name": lambda table: table.set_column(1, "v", pa.array([*table["v"].to_pylist()[:-1], 11])),
    "ends of two edges": lambda table: table.set_column(0, "u", table["u"].take([1, 0, 2, 3, 4, 5])),
    "index": lambda table: table.set_column(3, "row", pa.array([7, 1, 2, 3, 4, 5])),
    "indices of two edges": lambda table: table.set_column(3, "row", table["row"].take([1, 0, 2, 3, 4, 5])),
    "one edge less": lambda table: table.slice(1),
    "one edge more": lambda table: pa.concat_tables([table, table.slice(0, 1)]),
    "a copy instead": lambda table: pa.concat_tables([table.slice(0, 5), table.slice(0, 1)]),
}


class Changing(Tables):
    """One part, which changes in some passes."""

    def __init__(self, table, changed, passes):
        super().__init__([table])
        self.passes, self._changed, self._changed_in = 0, changed, passes

    def map(self, task, shared):
        table = self._changed if self.passes in self._changed_in else self._tables[0]
        self.passes += 1
        yield 0, run_task(task, 0, lambda columns: iter([("part 0", table.to_batches()[0])]), shared)


@pytest.mark.parametrize("names", [None, True])
@pytest.mark.parametrize("edge", [None, "row"])
@pytest.mark.parametrize("change", CHANGES)
def test_rows_that_change_between_passes(tiny_limits, change, edge, names):
    """Weights, ends, names, indices: an error on every path, in whichever pass they change."""
    if edge is None and change.startswith("ind"):
        pytest.skip("the column is not read")
    rows = {"u": [0, 1, 2, 3, 4, 5], "v": [1, 2, 3, 4, 5, 0], "w": [3, 1, 4, 1, 5, 9], "row": range(6)}
    table = pa.table(rows)
    changed = CHANGES[change](table).combine_chunks()
    passes, columns = 3 if names is None else 4, ColumnNames("u", "v", "w", edge)
    for changed_in in [*([k] for k in range(passes)), *(range(k, passes) for k in range(1, passes))]:
        engine = Changing(table, changed, changed_in)
        with pytest.raises((GraphError, FormatError), match=r"the rows changed|other ids than before"):
            driver.minimum_spanning_forest(engine, columns, names=names, n=None if names else 12)
    engine = Changing(table, changed, [])
    driver.minimum_spanning_forest(engine, columns, names=names)
    assert engine.passes == passes


def test_digest_is_of_rows_in_order_unless_they_have_indices():
    u, v, w = np.arange(3), np.arange(3) + 7, np.array([0.5, -0.0, 2])

    def value(*columns):
        digest = Digest(False)
        digest.add(*columns)
        return digest.value

    rows = np.array([2, 0, 1])
    index = np.arange(3)
    assert value(index, u, v, w) == value(index[rows], u[rows], v[rows], w[rows])
    assert value(index, u, v, w) != value(index, u[rows], v[rows], w[rows])
    assert value(index[:1], u[:1], u[:1], u[:1]) != 0
    assert value(index, u, v, w) != value(index, v, u, w)
    parts = [Digest(False) for _ in range(2)]
    parts[0].add(index[:1], u[:1], v[:1], w[:1])
    parts[1].add(index[1:], u[1:], v[1:], w[1:])
    assert sum(part.value for part in parts) % 2**64 == value(index, u, v, w)


def test_names_travel_once():
    """Arrow groups in chunks that share a buffer, which is pickled with each of them."""
    table = pa.table({"u": [f"{k:020}" for k in range(100_000)], "v": ["a"] * 100_000, "w": range(100_000)})

    def read(columns):
        return (("part", batch) for batch in table.select(columns).to_batches(max_chunksize=10_000))

    found = names_of_part(0, read, NamesRequest(ColumnNames("u", "v", "w"), are_integers=False))
    assert found.num_rows == 100_002
    assert len(pickle.dumps(found, 5)) < 1.1 * found.nbytes


def test_same_hash(monkeypatch):
    monkeypatch.setattr("boruvka.stream.remote.names.as_keys", lambda ids: np.zeros(ids.size, np.uint64))
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
        here = sizes.filter(pa.compute.equal(sizes["height"], threshold))
        assert dict(zip(here["cluster"].to_pylist(), here["size"].to_pylist(), strict=True)) == {
            x: smallest.count(x) for x in smallest
        }
    with pytest.raises(OptionError, match="the height 1 is there twice"):
        found.clusters([1, 1])
    with pytest.raises(OptionError, match="height"):
        found.clusters([float("nan")])


def test_no_edges():
    table = random_table().slice(0, 0)
    found = solve([table, table], n=3)
    assert (len(found), found.weight, found.n_components, found.edges.num_rows) == (0, 0, 3, 0)
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
    with pytest.raises(GraphError, match="partition 1: weights are float32, but in partition 0 float64"):
        solve([random_table(seed=1, w=np.float64), fractions])


ROW = {"u": [0, 1], "v": [1, 2], "w": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("changed", "options", "error", "message"),
    [
        ({"w": [1.0, None]}, {}, FormatError, "part 0: row 1 has no value in column 'w'"),
        (
            {"u": ["a", None], "v": ["b", "c"]},
            {},
            FormatError,
            "part 0: row 1 has no value in column 'u'",
        ),
        ({"w": [1.0, float("nan")]}, {}, FormatError, "part 0: row 1 has the weight NaN"),
        (
            {"w": ["a", "b"]},
            {},
            FormatError,
            "part 0: expected numbers of at most 64 bits in column 'w', found String",
        ),
        (
            {"w": [True, False]},
            {},
            FormatError,
            "expected numbers of at most 64 bits in column 'w', found Boolean",
        ),
        ({"u": [0.5, 1]}, {}, FormatError, "ids must be integers or names, but column 'u' holds Float64"),
        ({"u": ["a", "b"]}, {}, GraphError, "columns 'u' and 'v' hold ids of different types"),
        ({}, {"n": 2}, GraphError, "2 is not a vertex: the graph has n = 2 vertices, from 0"),
        ({}, {"n": 3, "names": True}, OptionError, "these ids are names"),
        ({"u": ["a", "b"], "v": ["b", "c"]}, {"names": False}, GraphError, "leave out names=False"),
        ({"u": pa.array([2**63, 1], pa.uint64()), "v": [-1, 1]}, {}, GraphTypeError, "ids of another type"),
    ],
)
def test_errors(changed, options, error, message):
    with pytest.raises(error, match=message):
        solve([pa.table(ROW | changed)], **options)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"u": ["001", "X"], "v": ["1", "y"]}, "'001' and '1' are two vertices, but one number"),
        ({"u": ["x", "y"], "v": ["X", "z"]}, "'X' and 'x' are two vertices, but differ"),
        ({"u": [1, 2], "v": [2, 3]}, "vertex 0 has no edge, and vertices 1 to 3 have.*names=True"),
    ],
)
def test_warnings_of_ids(changed, message):
    with pytest.warns(GraphWarning, match=message):
        solve([pa.table(ROW | changed)])


def test_errors_between_parts():
    one, other = pa.table(ROW), pa.table(ROW | {"u": ["a", "b"], "v": ["b", "c"]})
    with pytest.raises(GraphTypeError, match="some parts have ids of another type than others"):
        solve([one, other])


@pytest.mark.parametrize("threads", [1, 3])
def test_parquet(tmp_path, tiny_limits, monkeypatch, threads):
    monkeypatch.setattr(frame_forest, "ROWS_OF_PART", 100)
    table = random_table()
    for k in range(3):
        pq.write_table(table.slice(k * 250, 250), tmp_path / f"{k}.parquet", row_group_size=40)
    found = frame_forest.ParquetParts.of(tmp_path, (None, None, None))
    assert [(part.first, part.last) for part in found.parts[:4]] == [(0, 2), (2, 4), (4, 7), (0, 2)]
    solved = driver.minimum_spanning_forest(
        Threads(found.parts, threads), found.columns, **found.known(None, None)
    )
    expected = boruvka.minimum_spanning_forest(graph_of(table))
    assert solved.forest.edges.tolist() == expected.edges.tolist()
    assert (found.largest, found.n) == (49, None)


@pytest.mark.parametrize("names", [None, True])
def test_parquet_that_changes(tmp_path, tiny_limits, names):
    """A file that is written again between passes, of the same size and with the same rows but one."""
    path, table = tmp_path / "edges.parquet", random_table()
    pq.write_table(table, path)
    found = frame_forest.ParquetParts.of(path, (None, None, None))
    pq.write_table(table.set_column(2, "w", pa.array([*table["w"].to_pylist()[:-1], 0])), path)
    os.utime(path, ns=(1, 1))
    with pytest.raises(FormatError, match=r"edges\.parquet: the file changed while it was read"):
        driver.minimum_spanning_forest(Threads(found.parts, 1), found.columns, **found.known(None, names))


def test_parquet_of_integers_that_are_names(tmp_path):
    """The metadata of a file of ours say so, as for `boruvka.read`."""
    graph = boruvka.Graph.from_edges([10**12, 5], [5, 7], [1, 2], names=True)
    boruvka.write(graph, tmp_path / "g.parquet")
    found = frame_forest.ParquetParts.of(tmp_path / "g.parquet", (None, None, None))
    solved = driver.minimum_spanning_forest(Threads(found.parts, 1), found.columns, **found.known(None, None))
    assert solved.names.to_pylist() == boruvka.read(tmp_path / "g.parquet").names.tolist()
    boruvka.write(boruvka.Graph.from_edges([0, 1], [1, 2], [1, 2]).with_first_id(1), tmp_path / "g.parquet")
    found = frame_forest.ParquetParts.of(tmp_path / "g.parquet", (None, None, None), names=True)
    solved = driver.minimum_spanning_forest(Threads(found.parts, 1), found.columns, **found.known(None, True))
    assert solved.names.to_pylist() == [1, 2, 3]
    found = frame_forest.ParquetParts.of(tmp_path / "g.parquet", (None, None, None))  # else numbers from 1
    solved = driver.minimum_spanning_forest(Threads(found.parts, 1), found.columns, **found.known(None, None))
    forest = frame_forest.FrameForest(solved, found.columns, pa.Table.to_pydict)
    assert forest.edges == {"edge": [0, 1], "source": [1, 2], "target": [2, 3], "weight": [1, 2]}
    assert forest.sizes([1])["cluster"] == [1, 3]


def test_parquet_of_ours_states_its_vertices(tmp_path):
    boruvka.write(boruvka.Graph(9, [0], [1], [2]), tmp_path / "g.parquet")
    found = frame_forest.ParquetParts.of(tmp_path / "g.parquet", (None, None, None))
    assert (found.largest, found.n) == (1, 9)


def test_errors_of_parquet(tmp_path):
    with pytest.raises(FileError, match=r"none\.parquet: No such file"):
        frame_forest.ParquetParts.of(tmp_path / "none.parquet", (None, None, None))
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(
        FormatError, match=r"text\.parquet: cannot be read as Parquet.*dask.dataframe.read_csv"
    ):
        frame_forest.ParquetParts.of(tmp_path / "text.parquet", (None, None, None))
    pq.write_table(pa.table(ROW), tmp_path / "g.parquet")
    with pytest.raises(OptionError, match="there is no column 'x'; the columns are 'u', 'v', 'w'"):
        frame_forest.ParquetParts.of(tmp_path / "g.parquet", (None, None, "x"))


@pytest.mark.parametrize("how", [{"missing": "drop"}, {"missing": "drop", "default": 4}, {"default": 2}])
@pytest.mark.parametrize("kind", ["numbers", "floats", "names"])
def test_gaps(tiny_limits, tmp_path, monkeypatch, how, kind):
    """Rows are left out, and weights filled in, as in memory; the user is told so once."""
    rng = np.random.default_rng(4)
    ends = rng.integers(0, 20, (2, 90)).tolist()
    u, v = ([f"v{x}" for x in end] if kind == "names" else end for end in ends)
    w = rng.integers(0, 9, 90).tolist()
    for k in range(0, 90, 7):
        w[k] = None
    if "missing" in how:
        u[5] = v[8] = v[7] = None
    table = pa.table({"u": u, "v": v, "w": w})
    if kind == "floats":
        table = table.cast(pa.schema([(name, pa.float64()) for name in "uvw"]))
    path = tmp_path / "edges.parquet"
    pq.write_table(table, path, row_group_size=11)
    monkeypatch.setattr(frame_forest, "ROWS_OF_PART", 22)
    warned = pytest.warns(GraphWarning) if "missing" in how else nullcontext([])
    with warned as expected:
        graph = boruvka.as_graph(table, **how)
    forest = boruvka.minimum_spanning_forest(graph)
    found = frame_forest.ParquetParts.of(path, (None, None, None), **how) if kind != "floats" else None
    for use in (
        lambda: solve(split(table, 4), ColumnNames("u", "v", "w", **how)),
        lambda: FrameForest(
            driver.minimum_spanning_forest(Threads(found.parts, 2), found.columns, **found.known(None, None)),
            found.columns,
            None,
        ),
    )[: 1 if kind == "floats" else 2]:
        with pytest.warns(GraphWarning) if expected else nullcontext([]) as said:
            result = use().forest
        assert [str(one.message) for one in said] == [str(one.message) for one in expected]
        assert result.edges.tolist() == forest.edges.tolist()
        assert result.graph.name_of(result.u).tolist() == graph.name_of(forest.u).tolist()
        assert (result.w.tolist(), result.n, result.graph.m) == (forest.w.tolist(), graph.n, graph.m)


def test_names_in_buffers_that_are_not_aligned():
    """Arrow warns of them for each batch: Dask leaves texts in the buffer that it received."""
    texts = pa.array(["a", "bc", "d"])
    buffers = [
        None if each is None else pa.py_buffer(b"-" + each.to_pybytes()).slice(1) for each in texts.buffers()
    ]
    moved = pa.Array.from_buffers(texts.type, len(texts), buffers)
    assert moved.buffers()[1].address % 4
    batch = pa.record_batch({"u": moved, "v": moved, "w": [1, 2, 3]})
    found = names_of_part(0, lambda columns: [("part 0", batch)], NamesRequest(COLUMNS, are_integers=False))
    assert sorted(filter(None, found["id"].to_pylist())) == texts.to_pylist()
    assert not any(buffer.address % 8 for buffer in found["id"].chunk(0).buffers() if buffer is not None)
