import gzip
import io
import threading

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boruvka
from boruvka.errors import FileError, FormatError, GraphError, GraphTypeError, OptionError
from boruvka.stream import bottleneck_filter, minimum_spanning_forest
from tests.strategies import FLOATS, INTEGERS, graphs
from tests.stream.helpers import assert_equal, assert_same, random_graph, write_parquet, write_text

NARROW = INTEGERS + FLOATS[:-1]
CASES = {
    "graph": graphs(dtypes=NARROW),
    "maximum": st.booleans(),
    "threads": st.integers(1, 3),
    "large": st.sampled_from([0.0, 0.9, 2.0]),
}


def check(graph, path, maximum, threads, large):
    assume(graph.m)
    write_parquet(path, graph, row_group_size=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottleneck_filter, "LARGE", large)
        found = minimum_spanning_forest(path, maximum=maximum, threads=threads, n=graph.n)
    assert_same(found, graph, maximum)


@given(**CASES)
def test_all_types(tmp_path, tiny_limits, interpreted, graph, maximum, threads, large):
    check(graph, tmp_path / "edges.parquet", maximum, threads, large)


@pytest.mark.long
@given(**CASES)
def test_all_types_compiled(tmp_path, tiny_limits, graph, maximum, threads, large):
    check(graph, tmp_path / "edges.parquet", maximum, threads, large)


@pytest.mark.long
@given(
    graphs(max_vertices=200, max_edges=300, dtypes=[np.dtype(np.int64), np.dtype(np.float64)]),
    st.booleans(),
    st.integers(1, 7),
    st.sampled_from([0.0, 2.0]),
)
def test_iterators_of_larger_graphs(tiny_limits, graph, maximum, size, large):
    """The number of vertices is unknown, and grows."""
    u, v, w = graph.u, graph.v, graph.w
    batches = ((u[i : i + size], v[i : i + size], w[i : i + size]) for i in range(0, graph.m, size))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bottleneck_filter, "LARGE", large)
        found = minimum_spanning_forest(batches, maximum=maximum)
    if graph.m:
        assert_same(found, boruvka.Graph.from_edges(u, v, w), maximum)


def adversarial():
    rng = np.random.default_rng(3)
    n, m = 64, 700
    u, v = rng.integers(0, n, (2, m))
    apart = u // 8 * 8 + v % 8
    rising = np.arange(m)
    yield "descending", u, v, rising[::-1]
    yield "ascending", u, v, rising
    yield "all equal", u, v, np.full(m, 7)
    yield "sawtooth", u, v, rising % 50
    yield "components", u, apart, rng.integers(0, 100, m)
    yield "components, all equal", u, apart, np.zeros(m, np.int64)
    yield "path", np.arange(m), np.arange(1, m + 1), rising[::-1]
    yield "loops", u, u, rising


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize(
    ("u", "v", "w"), [case[1:] for case in adversarial()], ids=[c[0] for c in adversarial()]
)
def test_adversarial_orders(tmp_path, tiny_limits, monkeypatch, u, v, w, maximum):
    monkeypatch.setattr("boruvka.stream.memory.MemoryBudget.max_pending", lambda *_: 40)
    graph = boruvka.Graph.from_edges(u, v, w)
    path = write_parquet(tmp_path / "edges.parquet", graph, row_group_size=30)
    assert_same(minimum_spanning_forest(path, maximum=maximum, threads=2), graph, maximum)


def test_types_of_parts_do_not_depend_on_what_was_kept(tmp_path, tiny_limits):
    """Fractions of which no edge is in the forest still make all weights fractions."""
    light = "".join(f"{i} {i + 1} 1\n" for i in range(40))
    heavy = "".join(f"{i} {i + 2} 9.5\n" for i in range(38))
    for name, text in ("a.txt", light + heavy), ("b.txt", heavy + light):
        (tmp_path / name).write_text(text)
        assert_same(minimum_spanning_forest(tmp_path / name), boruvka.read(tmp_path / name))
    (tmp_path / "a.txt").write_text(light + "0 5 1e30\n" + "5 6 9007199254740993\n")
    with pytest.raises(FormatError, match=r"a\.txt: .*9007199254740993 has no exact float64"):
        minimum_spanning_forest(tmp_path / "a.txt")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("dropped", "other", "maximum", "message"),
    [
        (2**53 + 1, 1e30, False, "9007199254740993 has no exact float64"),
        (-3, 2**63, True, "no 64-bit integer type holds both"),
    ],
)
def test_weights_of_dropped_edges_are_checked(order, dropped, other, maximum, message):
    """The filter drops the edge of a weight before, or after, it is known which types the others have."""
    path = [(range(40), range(1, 41), np.full(40, 1))]
    batches = [([5], [6], [dropped]), ([0], [5], np.array([other]))][::order]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boruvka.stream.memory.MemoryBudget.max_pending", lambda *_: 4)
        with pytest.raises(FormatError, match=message):
            minimum_spanning_forest(path + batches, maximum=maximum, threads=1)


def test_heavy_row_groups_are_not_skipped_if_their_weights_may_not_fit(tmp_path, tiny_limits):
    polars = pytest.importorskip("polars")
    path = [(i, i + 1, 1.0) for i in range(40)]
    for name, rows in ("a", path), ("b", [(5, 6, 2**53 + 1), (7, 8, 2**53 + 2)]):
        u, v, w = map(np.array, zip(*rows, strict=True))
        polars.DataFrame({"u": u, "v": v, "w": w}).write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(FormatError, match="9007199254740993 has no exact float64"):
        minimum_spanning_forest(tmp_path, n=41, threads=1)


def test_unsigned_and_signed_weights(tmp_path, tiny_limits):
    large = 2**63 + 5
    lines = [f"{i} {i + 1} {i}\n" for i in range(20)] + [f"{i} {i + 1} {large}\n" for i in range(20, 40)]
    for name, text in ("a.txt", lines), ("b.txt", lines[::-1]):
        (tmp_path / name).write_text("".join(text))
        graph = boruvka.read(tmp_path / name)
        assert graph.dtype == np.uint64
        assert_same(minimum_spanning_forest(tmp_path / name, maximum=True), graph, True)
    (tmp_path / "a.txt").write_text("".join(lines) + "0 9 -1\n")
    with pytest.raises(FormatError, match=r"a\.txt: no 64-bit integer type holds both"):
        minimum_spanning_forest(tmp_path / "a.txt")


def test_huge_ids_are_refused_before_memory_is_taken():
    """A vertex that comes late needs more memory than there is."""
    batches = [([0, 1], [1, 2], [1, 2]), ([0], [4_000_000_000], [1])]
    with pytest.raises(FileError, match=r"list: a forest of 4,000,000,001 .* pass at least memory='\d+.\dG'"):
        minimum_spanning_forest(batches, memory="8G")
    with pytest.raises(FormatError, match="batch 0 of list: the vertex 5000000000 needs more than 32 bits"):
        minimum_spanning_forest([([0], [5_000_000_000], [1])])


def test_stated_number_of_vertices(tmp_path):
    graph = random_graph(20, 100)
    path = write_parquet(tmp_path / "edges.parquet", graph)
    assert minimum_spanning_forest(path, n=30).n_components == 11
    with pytest.raises(FormatError, match="19 is not a vertex: the graph has n = 19 vertices"):
        minimum_spanning_forest(path, n=19)


def test_forest_and_its_graph(tmp_path):
    graph = random_graph(30, 200)
    forest = minimum_spanning_forest(write_text(tmp_path / "a.txt", graph))
    expected = boruvka.minimum_spanning_forest(graph)
    assert (forest.algorithm, forest.maximum) == ("stream", False)
    assert forest.weight == expected.weight
    assert forest.labels.tolist() == expected.labels.tolist()
    outside = np.setdiff1d(np.arange(graph.m), forest.edges)[:1]
    with pytest.raises(GraphError, match=r"a\.txt were streamed.*boruvka\.stream\.verify"):
        forest.graph.take(outside)


@pytest.mark.parametrize(
    ("source", "options", "error", "message"),
    [
        (7, {}, GraphTypeError, "expected a file, a folder of Parquet files, a table, or an iterator"),
        ("missing.parquet", {}, FileError, "missing.parquet: No such file"),
        ([], {"memory": "much"}, OptionError, "memory must be an amount such as 2G or 800M, got 'much'"),
        ([], {"memory": 1}, FileError, "needs about .* more than 1M: pass at least memory="),
        ([], {"threads": 0}, OptionError, "threads"),
        ([], {"one_based": True}, OptionError, "one_based: batches of edges take only columns, default, "),
        ([], {"checkpoint": "x"}, GraphError, "checkpoint is for files: list cannot be read again"),
    ],
)
def test_errors(source, options, error, message):
    with pytest.raises(error, match=message):
        minimum_spanning_forest(source, **options)


def write_as(path, graph, seed):
    """Write a graph as Parquet of small row groups, or as text."""
    if path.suffix == ".parquet":
        return write_parquet(path, graph, row_group_size=1 + seed % 13, write_statistics=seed % 3 > 0)
    return write_text(path, graph)


@pytest.mark.long
def test_many_random_graphs(tmp_path, tiny_limits):
    """Of all types of weights, in Parquet and, where text keeps the type, in text; on two threads."""
    for seed in range(400):
        rng = np.random.default_rng(seed)
        dtype = NARROW[seed % len(NARROW)]
        n, m = int(rng.integers(1, 30)), int(rng.integers(1, 90))
        graph = random_graph(n, m, seed, dtype, distinct=int(rng.choice([2, 5, 100])))
        as_text = dtype == np.int64 and seed % 2
        path = write_as(tmp_path / ("a.txt" if as_text else "a.parquet"), graph, seed)
        maximum = bool(rng.integers(2))
        found = minimum_spanning_forest(path, n=graph.n, maximum=maximum, threads=2)
        assert_equal(found, boruvka.minimum_spanning_forest(graph, maximum=maximum))


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_progress(tmp_path, tiny_limits, compress):
    """Bytes of standard input are counted too, and of compressed text those of the file."""
    content = compress(write_text(tmp_path / "a.txt", random_graph(20, 120)).read_bytes())
    events = []
    minimum_spanning_forest(io.BytesIO(content), format="edges", progress=events.append)
    assert events[-1][:4] == ("solve", len(content), None, "bytes")
    assert "120 edges, " in events[-1].detail
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress((tmp_path / "a.txt").read_bytes()))
    minimum_spanning_forest(tmp_path / "a.txt.gz", progress=events.append)
    assert events[-1].total == events[-1].done > 0


def test_progress_that_raises_ends_the_pass(tmp_path, tiny_limits):
    path = write_text(tmp_path / "a.txt", random_graph(20, 120))

    def stop(event):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimum_spanning_forest(path, progress=stop)
    assert not any("boruvka input" in thread.name for thread in threading.enumerate())


@pytest.mark.parametrize("kind", ["csv", "parquet", "folder", "frame"])
def test_a_vertex_0_without_an_edge(tmp_path, kind):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"u": [1, 2, 3], "v": [2, 3, 4], "w": [5, 6, 7]})
    path = tmp_path / f"edges.{kind}"
    path.mkdir() if kind == "folder" else None
    {"csv": frame.write_csv, "folder": lambda x: frame.write_parquet(x / "0.parquet")}.get(
        kind, frame.write_parquet
    )(path)
    source = frame if kind == "frame" else path
    with pytest.warns(boruvka.GraphWarning, match="^vertex 0 has no edge, and vertices 1 to 4 have"):
        assert minimum_spanning_forest(source).n_components == 2
    assert minimum_spanning_forest(source, n=5).n_components == 2  # without a warning
    assert minimum_spanning_forest(source, names=True).n_components == 1
