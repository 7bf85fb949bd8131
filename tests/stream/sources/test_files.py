import bz2
import gzip
import io
import lzma
import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka.errors import FormatError
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.stream import minimum_spanning_forest, verify
from boruvka.stream.sources import files
from boruvka.stream.sources.files import ChunkedFileSource
from boruvka.stream.sources.source import ReadAhead
from tests.strategies import graphs
from tests.stream.helpers import assert_equal, random_graph, write_text


def edges_of(source):
    rows = [rows for chunk in range(source.chunks) for rows in source.read(chunk)]
    return [np.concatenate([getattr(row, name) for row in rows]).tolist() for name in "uvw"]


@given(graphs(max_edges=40, dtypes=[np.dtype(np.int64), np.dtype(np.float64)]), st.integers(1, 60))
def test_parts_in_order_are_the_file(tmp_path, graph, size):
    for name in "graph.gr", "graph.npz":
        path = tmp_path / name
        if name == "graph.gr" and graph.dtype.kind == "f":
            continue
        boruvka.write(graph, path)
        size *= 8 if name.endswith("npz") else 1  # an edge is 24 bytes there, behind 700 bytes of headers
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "CHUNK_BYTES", size)
            source = ChunkedFileSource(InputFile(path), Options())
            assert source.chunks == max(1, os.path.getsize(path) // size)
            assert edges_of(source) == [getattr(graph, name).tolist() for name in "uvw"]
        assert (source.n, source.size) == (graph.n, os.path.getsize(path))


def test_errors_in_a_chunk_name_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "CHUNK_BYTES", 64)
    path = write_text(tmp_path / "a.txt", random_graph(30, 100))
    source = ChunkedFileSource(InputFile(path), Options(n=29))
    with pytest.raises(FormatError, match=r"a\.txt:\d+: expected ids from 0 to 28"):
        edges_of(source)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the system does not tell the memory")
def test_the_file_does_not_stay_in_memory(tmp_path):
    def mapped():
        with open("/proc/self/status") as file:
            return 1024 * int(next(line for line in file if line.startswith("RssFile")).split()[1])

    path = tmp_path / "a.el"
    path.write_bytes(b"100000 200000 300000\n" * (1 << 21))
    source = ChunkedFileSource(InputFile(path), Options())
    before = mapped()
    for chunk in np.random.default_rng(1).permutation(source.chunks).tolist():
        assert sum(rows.w.size for rows in source.read(chunk)) > 1 << 17
    assert mapped() < before + source.size / 16  # also not what the system maps beside a chunk


def test_identity_changes_with_the_file(tmp_path):
    path = write_text(tmp_path / "a.txt", random_graph(30, 100))
    before = ChunkedFileSource(InputFile(path), Options()).identity()
    assert ChunkedFileSource(InputFile(path), Options()).identity() == before
    os.utime(path, (1, 1))
    assert ChunkedFileSource(InputFile(path), Options()).identity() != before


def text(graph, end="\n"):
    rows = zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    return [f"{u} {v} {w}{end}" for u, v, w in rows]


COMPRESSIONS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("ending", COMPRESSIONS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_compressed_text(tmp_path, tiny_limits, no_threads_left, ending, end):
    """Comments are longer than a piece, before the first edge and among edges; the last line has no end."""
    lines = text(random_graph(20, 120), end)
    comments = ["# " + "x" * 50 + end] * 3
    content = "".join(comments + lines[:60] + comments + lines[60:]).rstrip()
    path = tmp_path / f"a.txt.{ending}"
    path.write_bytes(COMPRESSIONS[ending](content.encode()))
    found = minimum_spanning_forest(path)
    assert_equal(found, boruvka.minimum_spanning_forest(boruvka.read(path)))
    assert verify(path, found)


def test_stream(tiny_limits, no_threads_left):
    content = "".join(text(random_graph(20, 120))).encode()
    expected = boruvka.minimum_spanning_forest(boruvka.read(io.BytesIO(content), format="edges"))
    assert_equal(minimum_spanning_forest(io.BytesIO(content), format="edges"), expected)


def test_formats_that_are_read_whole(no_threads_left):
    with pytest.raises(FormatError, match="'metis' cannot be read in chunks; convert it first"):
        minimum_spanning_forest(io.BytesIO(b"2 1 1\n2 1\n1 1\n"), format="metis")


@pytest.mark.parametrize("line", [1, 2, 50, 119])
def test_errors_name_the_line(tmp_path, tiny_limits, no_threads_left, line):
    lines = text(random_graph(20, 120))
    lines[line] = "1 2 x\n"
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("".join(lines).encode()))
    with pytest.raises(FormatError, match=rf"a\.txt\.gz:{line + 1}: "):
        minimum_spanning_forest(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("matrix", "0,1,2,3\n1,0,3,4\n2,3,0,5\n3,4,5,0\n"),
        ("tsplib", "NAME: a\nTYPE: TSP\nDIMENSION: 3\n"),
    ],
)
def test_compressed_tables_that_hold_another_format(tmp_path, name, content):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(content.encode()))
    with pytest.raises(FormatError, match=f"'{name}' cannot be read in chunks; convert it first"):
        minimum_spanning_forest(path)


def test_cut_off_data(tmp_path, tiny_limits, no_threads_left):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress("".join(text(random_graph(20, 2000))).encode())[:-100])
    with pytest.raises(FormatError, match="data is cut off"):
        minimum_spanning_forest(path)


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_thread_ends_when_it_is_closed(no_threads_left, taken):
    """Whichever piece it makes: also the last one."""
    ahead = ReadAhead(iter([b"a", b"b", b"c"]))
    pieces = iter(ahead)
    for _ in range(taken):
        next(pieces)
    ahead.close()


def test_text_goes_on_after_its_head(tmp_path, tiny_limits):
    """The head of a format whose lines are never cut off is read by a reader of its own, which ends."""
    graph = boruvka.generators.random(60, 200, seed=1, dtype="int64")
    for name in ("graph.gr.gz", "graph.el.gz"):
        boruvka.write(graph, tmp_path / name)
        found = minimum_spanning_forest(tmp_path / name)
        assert_equal(found, boruvka.minimum_spanning_forest(graph))
