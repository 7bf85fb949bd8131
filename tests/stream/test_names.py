"""Vertex names of streamed edges: the forest is that found in memory, with the same numbers and names."""

import copy
import gzip
import io
import itertools
import os
import pickle
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
import boruvka.formats
from boruvka.errors import FileError, FormatError, GraphError, OptionError
from boruvka.formats.edge_file import NamedEdgeBatch
from boruvka.formats.edge_table import EdgeTable
from boruvka.stream import (
    minimum_spanning_forest,
    numbering,
    one_pass,
    remove_checkpoint,
    streamed_graph,
    verify,
)
from boruvka.stream.memory import MemoryBudget
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources import files, parquet
from tests.stream.helpers import assert_equal, random_graph

pl = pytest.importorskip("polars")

GRAPH = random_graph(40, 150)
STRINGS = np.array([f"{'long ' * (k % 4)}name {k * 7919 % 97}" for k in range(97)], object)
NUMBERS = np.arange(97) * 123_456_789_012 - 10**12
KINDS = {"strings": STRINGS, "integers": NUMBERS, "unsigned": NUMBERS.astype(np.uint64) + 2**63}


@pytest.fixture
def tiny_blocks(tiny_limits, monkeypatch):
    """Let few names be many blocks in a file."""
    monkeypatch.setattr(numbering, "BATCH_NAMES", 3)
    monkeypatch.setattr(numbering, "BYTES_IN_MEMORY", 10)
    monkeypatch.setattr(parquet, "NAMED_ROWS_AT_ONCE", 7)
    monkeypatch.setattr(files, "BATCH_BYTES", 300)  # each is read by polars, which takes 5 ms to begin


def frame(names, graph=GRAPH):
    return pl.DataFrame({"u": names[graph.u], "v": names[graph.v], "w": graph.w})


def assert_same_names(found, graph, maximum=False):
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    assert_equal(found, expected)
    assert found.graph.names.dtype == expected.graph.names.dtype
    assert found.graph.names.tolist() == expected.graph.names.tolist()
    for ends in found.u, found.v:
        assert found.graph.name_of(ends).tolist() == expected.graph.name_of(ends).tolist()


def batches(rows):
    return ((part["u"].to_list(), part["v"].to_list(), part["w"].to_numpy()) for part in rows.iter_slices(8))


TABLES = {
    "polars": lambda rows: rows,
    "categories": lambda rows: rows.with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "lazy": lambda rows: rows.lazy(),
    "arrow": lambda rows: rows.to_arrow(),
    "reader": lambda rows: rows.to_arrow().to_reader(7),
    "pandas": lambda rows: rows.to_pandas(),
    "iterator": batches,
}


@pytest.mark.parametrize("names", KINDS)
@pytest.mark.parametrize("kind", TABLES)
def test_tables(tiny_blocks, no_threads_left, kind, names):
    rows = frame(KINDS[names])
    expected = boruvka.Graph.from_edges(rows["u"], rows["v"], GRAPH.w, names=True)
    assert_same_names(minimum_spanning_forest(TABLES[kind](rows), names=True), expected)


@pytest.mark.parametrize(
    ("ending", "names"),
    [*itertools.product(["csv", "parquet"], KINDS), ("tsv", "strings"), ("csv.gz", "strings")],
)
def test_files(tmp_path, tiny_blocks, ending, names):
    path = tmp_path / f"edges.{ending}"
    rows = frame(KINDS[names])
    if ending == "parquet":
        rows.write_parquet(path, row_group_size=40)
    else:
        text = rows.write_csv(separator="\t" if ending == "tsv" else ",").encode()
        path.write_bytes(gzip.compress(text) if ending == "csv.gz" else text)
    for maximum in False, True:
        found = minimum_spanning_forest(path, names=True, maximum=maximum, threads=2)
        assert_same_names(found, boruvka.read(path, names=True), maximum)


def test_standard_input_and_edge_lists(tiny_blocks):
    rows = frame(np.array([f"v{k}" for k in range(97)], object))
    text = rows.write_csv(include_header=False, separator=" ").encode()
    expected = boruvka.read(io.BytesIO(text), format="edges")
    assert_same_names(minimum_spanning_forest(io.BytesIO(text), format="edges"), expected)


@pytest.mark.parametrize(
    "text",
    [
        'u,v,w\n"a,b",c,1\n# "comment\nc,"d """,2\n' + '"d ""","a,b",3\n' * 9 + "c,x,4\n" * 9,
        "u,v,w\n" + "a , b,1\n b,c\t,2\n" * 9,
        "# boruvka names=integers\nu,v,w\n" + "7,12,1\n12,-9,2\n" * 9,
        "# boruvka names=integers\nu,v,w\n" + "7,12,1\n12,-9,2\n" * 9 + "07,7,3\n",
        "# boruvka names=strings\nu,v,w\n" + "7,12,1\n12,-9,2\n" * 9,
        "u,v,w\na,a,1\n",
        "u,v,w\n" + "a,b,1\nb,c,2.5\n" * 9,
        "u,v,w\n" + f"a,b,1\nb,c,{2**63 + 9}\n" * 9,
    ],
)
def test_texts(tmp_path, tiny_blocks, text):
    """Quotes hold delimiters and quotes; blanks are dropped; names that look like integers."""
    path = tmp_path / "edges.csv"
    path.write_text(text)
    assert_same_names(minimum_spanning_forest(path), boruvka.read(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u,v,w\n" + "a,b,1\n" * 30 + "a,,1\n", r"edges\.csv:32: 1 row has no end"),
        ("u,v,w\n" + "a,b,1\n" * 30 + "a,c,x\n", r"edges\.csv:32: expected a number as weight"),
        ("u,v,w\n" + "a,b,1\n" * 30 + "a,c\n", r"edges\.csv:32: expected 'u,v,w' between commas"),
        ("u,v,w\n" + "a,b,1\n" * 30 + 'a,"c,1\n', r"edges\.csv:32: "),
        ("u,v,w\n" + "a,b,1\n" * 30 + '" a","c",1\n', r"edges\.csv:32: remove the blanks beside the quotes"),
        ("u,v\n" + "a,b\n" * 30, r"edges\.csv:1: there is no column of weights"),
    ],
)
def test_errors_name_the_line(tmp_path, tiny_blocks, no_threads_left, text, message):
    path = tmp_path / "edges.csv"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        minimum_spanning_forest(path)


def test_errors_of_parquet_name_the_rows(tmp_path, tiny_blocks):
    path = tmp_path / "edges.parquet"
    rows = {"u": ["a"] * 20, "v": ["b"] * 19 + [None], "w": [1.0] * 20}
    pl.DataFrame(rows).write_parquet(path)
    with pytest.raises(
        FormatError, match=r"edges\.parquet, rows from 14 on: row 5 has no value in column 'v'"
    ):
        minimum_spanning_forest(path)
    pl.DataFrame({**rows, "v": ["b"] * 20, "w": [*[1.0] * 19, float("nan")]}).write_parquet(path)
    with pytest.raises(FormatError, match=r"rows from 14 on: edge 5 \('a', 'b'\) has the weight NaN"):
        minimum_spanning_forest(path)
    pl.DataFrame({**rows, "v": [1] * 20}).write_parquet(path)
    with pytest.raises(FormatError, match=r"expected strings, or integers .* found String and Int64"):
        minimum_spanning_forest(path)
    with pytest.raises(OptionError, match="names are numbered as they appear: leave out n"):
        minimum_spanning_forest(path, n=5)


def test_batches_of_other_kinds():
    named, numbered = (["a"], ["b"], [1]), ([0], [1], [1])
    for wrong, message in [
        ([named, numbered], "batch 1 of list: some ends are names, others numbers"),
        ([numbered, named], "batch 1 of list: some ends are names, others numbers"),
        (
            [([("a", 1)], [("b", 2)], [1])],
            "batch 0 of list: names of vertices in a stream are all strings",
        ),
        ([named, (["a"], ["b"], [float("nan")])], r"batch 1 of list: edge 0 \('a', 'b'\) has the weight NaN"),
        ([named, (["a"], [None], [1])], "batch 1 of list: "),
    ]:
        with pytest.raises(FormatError, match=message):
            minimum_spanning_forest(wrong)
    with pytest.raises(FormatError, match="batch 1 of list: names are Int64, but those before are String"):
        minimum_spanning_forest([named, numbered], names=True)
    mixed = [([2**63], [5], [1]), ([5], [7], [2])]
    first = (np.array(mixed[0][0], np.uint64), np.array(mixed[0][1], np.uint64), [1])
    assert minimum_spanning_forest([first, mixed[1]], names=True).graph.names.tolist() == [2**63, 5, 7]


@pytest.mark.parametrize("most", [50_000, 10])
@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("0{}", "'0.*' and '.*' are two vertices, but one number"),
        ("{}.0", "'.*.0' and '.*' are two vertices, but one number"),
        ("{}a ", "are two vertices, but differ by blanks"),
        ("NA", "'NA' is the name of a vertex"),
    ],
)
def test_warnings_of_names_also_of_a_sample(monkeypatch, most, other, message):
    """Of more names than are compared, the sample has both of a pair."""
    monkeypatch.setattr(streamed_graph, "MOST_COMPARED", most)
    w = range(60)
    batches = [
        ([f"{k}{'A' * ('a' in other)}" for k in w], ["hub"] * 60, w),
        ([other.format(k) for k in w], ["hub"] * 60, w),
    ]
    with pytest.warns(boruvka.GraphWarning, match=message):
        minimum_spanning_forest(batches)


NAMES = st.text(max_size=3).filter(lambda name: name.strip(" \t\n\r\v\f"))  # blank ones are missing ends


@pytest.mark.filterwarnings("ignore:.* is the name of a vertex")
@given(
    st.lists(st.tuples(*[NAMES] * 2, st.integers(0, 9)), min_size=1, max_size=30),
    st.integers(1, 5),
    st.booleans(),
)
def test_any_strings(tiny_blocks, edges, size, maximum):
    u, v, w = (list(column) for column in zip(*edges, strict=True))
    parts = (tuple(column[i : i + size] for column in (u, v, w)) for i in range(0, len(w), size))
    found = minimum_spanning_forest(parts, maximum=maximum)
    assert_same_names(found, boruvka.Graph.from_edges(u, v, w), maximum)


@pytest.mark.parametrize("names", KINDS)
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "npz"])
def test_files_of_forests_are_those_of_forests_in_memory(tmp_path, tiny_blocks, ending, names):
    if ending == "arrow" and names != "strings":
        pytest.skip("Arrow files hold no integers as names")
    source = tmp_path / "edges.parquet"
    frame(KINDS[names]).write_parquet(source)
    boruvka.write(boruvka.minimum_spanning_forest(boruvka.read(source, names=True)), tmp_path / f"a.{ending}")
    boruvka.write(minimum_spanning_forest(source, names=True), tmp_path / f"b.{ending}")
    a, b = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    if ending == "arrow":  # bytes between its buffers are not defined
        a, b = (pa.ipc.open_file(path).read_all() for path in (a, b))
        assert a.equals(b, check_metadata=True)
    else:
        assert a.read_bytes() == b.read_bytes()


def test_names_that_do_not_fit_the_memory(tmp_path):
    rows = [(["a"], ["b" * 1000], [1])]
    forest = minimum_spanning_forest(rows, memory="4G")
    forest.graph.stored_names.check_room = partial(MemoryBudget("rows", 1000, 0, 0).check_room_for_names, 2)
    with pytest.raises(FileError, match=r"all 2 names of vertices need .* or write the forest as csv"):
        forest.graph.names  # noqa: B018
    with pytest.raises(FileError, match="all 2 names of vertices need"):
        boruvka.write(forest, tmp_path / "forest.npz")
    boruvka.write(forest, tmp_path / "forest.csv")
    assert forest.graph.name_of(0) == "a"
    assert forest.graph.name_of([[0, 1]]).tolist() == [["a", "b" * 1000]]


def test_copies_have_the_names(tiny_blocks):
    forest = minimum_spanning_forest(frame(STRINGS))
    for other in pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest):
        assert other.graph.names.tolist() == forest.graph.names.tolist()
    renamed = forest.graph.with_names(range(forest.n))
    assert renamed.name_of(3) == 3


class Killed(Exception):
    """What stands for the end of the process."""


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("names", KINDS)
def test_checkpoints(tmp_path, tiny_blocks, monkeypatch, ending, names):
    """A pass that is stopped again and again ends with the same forest; damaged names are noticed."""
    monkeypatch.setattr(one_pass, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    path, folder, rows = tmp_path / f"edges.{ending}", tmp_path / "state", frame(KINDS[names])
    rows.write_csv(path) if ending == "csv" else rows.write_parquet(path, row_group_size=20, statistics=False)
    save, saves = one_pass.Checkpoint.save, []

    def save_some(*arguments):
        save(*arguments)
        saves.append(1)
        if len(saves) % 4 == 0:
            raise Killed

    monkeypatch.setattr(one_pass.Checkpoint, "save", save_some)
    kills = 0
    while True:
        try:
            found = minimum_spanning_forest(path, names=True, checkpoint=folder, threads=2)
            break
        except Killed:
            kills += 1
            stored = folder / "boruvka.names"
            content = stored.read_bytes()
            for place, message in (50, r"its file boruvka\.names is damaged"), (5, "this is not a file of a"):
                stored.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
                with pytest.raises(FileError, match=message):
                    minimum_spanning_forest(path, names=True, checkpoint=folder)
            stored.write_bytes(content + b"what was written after the state")
    assert kills > 1
    expected = boruvka.read(path, names=True)
    monkeypatch.setattr(one_pass.Checkpoint, "save", save)
    again = minimum_spanning_forest(path, names=True, checkpoint=folder)
    remove_checkpoint(folder)
    assert os.listdir(folder) == []
    for forest in found, again:  # they still have their names
        assert_same_names(forest, expected)


@pytest.mark.parametrize("names", KINDS)
def test_verification(tmp_path, tiny_blocks, names):
    """Forests in memory and in files; messages are the same as from the check in memory."""
    path, graph = tmp_path / "edges.parquet", boruvka.Graph.from_edges(*frame(KINDS[names]), names=True)
    frame(KINDS[names]).write_parquet(path)
    right = boruvka.minimum_spanning_forest(graph)
    for forest in right, minimum_spanning_forest(path, names=True):
        assert verify(path, forest, names=True) == boruvka.verify(graph, forest)
    for ending in "csv", "parquet":
        boruvka.write(right, tmp_path / f"forest.{ending}")
        table = boruvka.formats.read_forest_edges(tmp_path / f"forest.{ending}")
        assert verify(path, table, names=True)
    outside = np.setdiff1d(np.flatnonzero(graph.u != graph.v), right.edges)
    for k in 0, 3, right.edges.size - 1:
        for edges in np.delete(right.edges, k), np.sort(np.append(np.delete(right.edges, k), outside[k])):
            claim = EdgeTable(graph.n, graph.u[edges], graph.v[edges], graph.w[edges], edges, graph.names)
            assert verify(path, claim, names=True) == boruvka.verify(graph, edges)


def test_verification_of_other_names(tiny_blocks):
    named, numbered = [(["a", "b"], ["b", "c"], [1, 2])], [([7, 5], [5, 6], [1, 2])]
    of_names, of_numbers = (boruvka.Graph.from_edges(*rows[0]) for rows in (named, numbered))
    forests = [boruvka.minimum_spanning_forest(graph) for graph in (of_names, of_numbers)]
    with pytest.raises(GraphError, match="the vertices of list have names, but the forest has none"):
        verify(named, forests[1])
    with pytest.raises(GraphError, match="the forest names its vertices, but the graph does not"):
        verify(numbered, forests[0])
    with pytest.raises(GraphError, match="the forest has the vertex 'a', which the graph does not have"):
        verify(numbered, forests[0], names=True)
    as_names = boruvka.minimum_spanning_forest(boruvka.Graph.from_edges(*numbered[0], names=True))
    assert verify(numbered, as_names)
    assert verify([*numbered, ([8], [8], [0])], as_names, names=True)
    assert verify([*numbered, ([8], [9], [0])], as_names, names=True).message == (
        "edge 2 (8, 9) joins two trees: the forest does not span"
    )


def test_integers_that_the_type_of_those_before_does_not_hold():
    numbering, small = Numbering(), pl.Series([1, 2])
    numbering.number(NamedEdgeBatch(small, small, np.ones(2), where="here"), 0)
    same = small.cast(pl.UInt64)
    assert numbering.number(NamedEdgeBatch(same, same, np.ones(2), where="here"), 2).u.tolist() == [0, 1]
    large = pl.Series([2**63], dtype=pl.UInt64)
    with pytest.raises(FormatError, match="there: names are UInt64, but those before are Int64"):
        numbering.number(NamedEdgeBatch(large, large, np.ones(1), where="there"), 4)


def test_gaps_are_counted_in_the_rows_read_so_far(tmp_path, no_threads_left):
    path = tmp_path / "edges.csv.gz"
    path.write_bytes(gzip.compress(b"u,v,w\na,b,1\na,,1\nb,,2\n"))
    with pytest.raises(
        FormatError, match=r"csv\.gz:3: 2 rows have no end in the rows read so far; missing='drop'"
    ):
        minimum_spanning_forest(path)
