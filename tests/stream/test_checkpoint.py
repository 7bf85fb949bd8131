import errno
import gzip
import json
import os
import re
import signal
import stat
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

import boruvka
from boruvka.errors import FileError, GraphError, GraphWarning
from boruvka.stream import minimum_spanning_forest, one_pass, remove_checkpoint
from boruvka.stream.checkpoint import Checkpoint
from boruvka.stream.edge_pass import PassProgress, StreamedForest
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources import files
from boruvka.stream.sources.files import ChunkedFileSource
from tests.oracles import kruskal
from tests.stream.helpers import assert_equal, random_graph, write_parquet, write_text


class Killed(Exception):
    """What stands for the end of the process."""


@pytest.fixture
def stopped(tmp_path, tiny_limits, monkeypatch):
    """Stop a pass after some checkpoints; return its file and the checkpoint."""
    monkeypatch.setattr(one_pass, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    graph = random_graph(40, 300)
    path = write_parquet(tmp_path / "edges.parquet", graph, row_group_size=20, write_statistics=False)
    save, saves = one_pass.Checkpoint.save, []

    def save_some(*arguments):
        save(*arguments)
        saves.append(1)
        if len(saves) == 5:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(one_pass.Checkpoint, "save", save_some)
        with pytest.raises(Killed):
            minimum_spanning_forest(path, checkpoint=tmp_path / "state", threads=2)
    return path, tmp_path / "state"


def test_pass_goes_on(stopped):
    path, folder = stopped
    assert os.listdir(folder) == ["boruvka.checkpoint"]
    found = minimum_spanning_forest(path, checkpoint=folder)
    assert_equal(found, boruvka.minimum_spanning_forest(boruvka.read(path)))
    assert os.listdir(folder) == ["boruvka.checkpoint"]


def write_many_names(path):
    """Write a csv of words with ties, parallel edges, loops, and a gap in each tenth row."""
    graph = random_graph(40, 300, distinct=9)
    rows = zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    lines = (f"é{u},{'' if k % 10 == 9 else chr(0x4E00 + v)},{w}\n" for k, (u, v, w) in enumerate(rows))
    path.write_bytes(("u,v,w\n" + "".join(lines)).encode())
    return path


@pytest.fixture
def expected(tmp_path):
    """Find the forest of `write_many_names` with pandas and Kruskal's algorithm, as rows of names."""
    pandas = pytest.importorskip("pandas")
    rows = pandas.read_csv(write_many_names(tmp_path / "edges.csv")).dropna()
    numbers = {name: k for k, name in enumerate(pandas.unique(rows[["u", "v"]].to_numpy().ravel()))}
    u, v = (rows[ends].map(numbers).to_numpy() for ends in "uv")
    edges = kruskal(len(numbers), u, v, rows["w"].to_numpy())
    return edges, rows.iloc[edges].to_numpy().tolist()


@pytest.mark.filterwarnings("ignore:.*rows:boruvka.GraphWarning")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("stop", [1, 3, 50])
def test_text_with_names_goes_on(tmp_path, tiny_limits, monkeypatch, expected, stop, threads):
    """What was read is not read again, the first event says so, and the forest is that of one pass."""
    monkeypatch.setattr(one_pass, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    monkeypatch.setattr(files, "BATCH_BYTES", 120)  # each is read by polars, which takes 5 ms to begin
    folder, reads, events = tmp_path / "state", [], []
    read, size = ChunkedFileSource.read, (tmp_path / "edges.csv").stat().st_size

    def counted(source, chunk):
        reads.append(chunk)
        return read(source, chunk)

    def solve(stop):
        def on_event(event):
            events.append(event)
            if len(events) == stop:
                raise Killed

        return minimum_spanning_forest(
            tmp_path / "edges.csv", checkpoint=folder, threads=threads, missing="drop", progress=on_event
        )

    monkeypatch.setattr(ChunkedFileSource, "read", counted)
    with pytest.raises(Killed):
        solve(stop)
    has_state, first_reads = (folder / "boruvka.checkpoint").exists(), len(reads)
    reads.clear(), events.clear()
    found = solve(0)
    edges = [
        [found.graph.name_of(u), found.graph.name_of(v), w]
        for u, v, w in zip(found.u.tolist(), found.v.tolist(), found.w.tolist(), strict=True)
    ]
    assert (found.edges.tolist(), edges) == expected
    assert len(set(reads)) == len(reads) <= size // 120 - (first_reads - 2 * threads - 4)
    if has_state:
        match = re.fullmatch(r"resumed at (\d+) of about (\d+) edges", events[0].detail)
        assert 0 < int(match[1]) < 270
        assert 200 < int(match[2]) < 350
        assert 0 < events[0].done <= events[1].done <= events[-1].done <= events[-1].total == size


def test_a_message_says_where_a_solve_resumes(stopped, tmp_path):
    """Also of a number of edges that is known, and of compressed text, which has to be decompressed again."""
    path, folder = stopped
    events = []
    minimum_spanning_forest(path, checkpoint=folder, progress=events.append)
    done = int(re.fullmatch(r"resumed at (\d+) of 300 edges", events[0].detail)[1])
    assert 0 < done < 300
    assert events[0].done == events[0].total * done // 300
    minimum_spanning_forest(path, checkpoint=folder, progress=events.append)
    assert events[-1].detail == "resumed at 300 of 300 edges"


@pytest.mark.filterwarnings("ignore:.* is compressed:boruvka.GraphWarning")
def test_compressed_text_is_read_from_its_beginning(tmp_path, tiny_limits, monkeypatch):
    monkeypatch.setattr(one_pass, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    graph, path, events = random_graph(40, 300), tmp_path / "edges.el.gz", []
    path.write_bytes(gzip.compress(write_text(tmp_path / "edges.el", graph).read_bytes()))

    def stop(event):
        events.append(event)
        if len(events) == 30:
            raise Killed

    with pytest.raises(Killed):
        minimum_spanning_forest(path, checkpoint=tmp_path / "state", progress=stop)
    found = minimum_spanning_forest(path, checkpoint=tmp_path / "state", progress=events.append)
    assert_equal(found, boruvka.minimum_spanning_forest(graph))
    assert re.fullmatch(r"resumed at \d+ of about \d+ edges; .* is decompressed again.*", events[30].detail)
    assert events[30].done == 0
    assert events[-1].done == events[-1].total


KILLED = """
import os, sys, threading
from boruvka.stream import minimum_spanning_forest, one_pass
from boruvka.stream.sources import files
from tests.stream.limits import TINY_LIMITS
for module, name, value in TINY_LIMITS:
    setattr(module, name, value)
files.BATCH_BYTES = 120
one_pass.SECONDS_BETWEEN_CHECKPOINTS = -1.0
killer = threading.Timer(float(sys.argv[3]), os.kill, (os.getpid(), 9))
def begin(event):
    if not killer.ident:
        killer.start()
path, folder = sys.argv[1:3]
found = minimum_spanning_forest(path, checkpoint=folder, missing="drop", threads=2, progress=begin)
print(found.edges.tolist(), flush=True)
os._exit(0)
"""


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*rows:boruvka.GraphWarning")
def test_a_process_is_killed_again_and_again(tmp_path, expected):
    """At any time, also while files of the checkpoint are written."""
    path, folder, kills = tmp_path / "edges.csv", tmp_path / "state", 0
    for k in range(100):
        line = [sys.executable, "-c", KILLED, str(path), str(folder), str(0.005 * (k % 9))]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.stdout:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        kills += 1
    assert 1 < kills < 99
    assert json.loads(done.stdout) == expected[0]


def test_state_stays_until_it_is_removed(stopped, monkeypatch):
    """The same call returns the same forest without reading an edge."""
    path, folder = stopped
    expected = minimum_spanning_forest(path, checkpoint=folder)
    with monkeypatch.context() as patch:
        patch.setattr("boruvka.stream.sources.parquet.ParquetSource.read", None)
        assert_equal(minimum_spanning_forest(path, checkpoint=folder), expected)
    remove_checkpoint(folder)
    remove_checkpoint(folder)
    remove_checkpoint(folder / "none")
    assert os.listdir(folder) == []


def write_names(path):
    """Write edges whose vertices have names, so that a pass has both files."""
    path.write_text("u,v,w\n" + "".join(f"v{k % 7},v{k * k % 11},{k % 5}\n" for k in range(60)))
    return path


MAGIC = {"boruvka.checkpoint": b"boruvka checkpoint 8\n", "boruvka.names": b"boruvka names 1\n"}
FOREIGN = {
    "text": lambda path, kept: path.write_text("a thesis"),
    "empty": lambda path, kept: path.touch(),
    "part of a begin": lambda path, kept: path.write_bytes(MAGIC[path.name][:-2]),
    "of another version": lambda path, kept: path.write_bytes(b"boruvka checkpoint 5\n{}"),
    "link": lambda path, kept: path.symlink_to(kept / "thesis"),
    "link to the begin of a state": lambda path, kept: path.symlink_to(kept / path.name),
    "link to nothing": lambda path, kept: path.symlink_to(kept / "none"),
    "folder": lambda path, kept: path.mkdir(),
    "pipe": lambda path, kept: os.mkfifo(path),
}


def contents(folder):
    """Return all there is in a folder, links not followed."""
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = os.lstat(path).st_mode
        found[str(path.relative_to(folder))] = mode, path.read_bytes() if stat.S_ISREG(mode) else None
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
@pytest.mark.parametrize("name", MAGIC)
@pytest.mark.parametrize("kind", FOREIGN)
def test_files_of_others_are_left_as_they_are(tmp_path, name, kind):
    kept, folder = tmp_path / "kept", tmp_path / "state"
    kept.mkdir()
    folder.mkdir()
    (kept / "thesis").write_text("a thesis")
    for other, magic in MAGIC.items():
        (kept / other).write_bytes(magic + b"and more")
    FOREIGN[kind](folder / name, kept)
    path = write_names(tmp_path / "edges.csv")
    before = contents(tmp_path)
    for use in lambda: minimum_spanning_forest(path, checkpoint=folder), lambda: remove_checkpoint(folder):
        with pytest.raises(
            FileError, match=rf"{name}: this is not a file of a checkpoint.* pass another folder"
        ):
            use()
        assert contents(tmp_path) == before


def test_files_beside_a_checkpoint_stay(tmp_path):
    """Only complete files of a checkpoint, and temporary ones of killed processes, are ours."""
    folder = tmp_path / "state"
    (folder / "folder").mkdir(parents=True)
    for name, magic in MAGIC.items():
        for other in f"{name}.bak", f"x{name}", f"folder/{name}", f".{name}.tmp", ".boruvka-0123456g.tmp":
            (folder / other).write_bytes(magic)
    (folder / f".boruvka-{0:016x}.tmp").write_text("a thesis")
    (folder / f".boruvka-{1:016x}.tmp").symlink_to(folder / f"{name}.bak")
    (folder / f".boruvka-{2:016x}.tmp").touch()
    (folder / f".boruvka-{3:016x}.tmp").mkdir()
    before = contents(tmp_path / "state")
    for k, magic in enumerate(MAGIC.values(), 10):
        (folder / f".boruvka-{k:016x}.tmp").write_bytes(magic + b"left by a process that was killed")
    path = write_names(tmp_path / "edges.csv")
    found = minimum_spanning_forest(path, checkpoint=folder)
    assert set(contents(folder)) == set(before) | set(MAGIC)
    remove_checkpoint(folder)
    assert contents(folder) == before
    assert found.graph.names.tolist() == boruvka.read(path).names.tolist()


def test_names_without_a_state_are_ours(tmp_path):
    """A process that was killed before its first state leaves them."""
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "boruvka.names").write_bytes(MAGIC["boruvka.names"] + b"rest")
    path = write_names(tmp_path / "edges.csv")
    assert_equal(
        minimum_spanning_forest(path, checkpoint=folder),
        boruvka.minimum_spanning_forest(boruvka.read(path)),
    )


def test_a_folder_is_for_one_pass_at_a_time(tmp_path):
    pytest.importorskip("fcntl")
    path = write_names(tmp_path / "edges.csv")
    with closing(Checkpoint(tmp_path, "one", "")):
        for use in (
            lambda: minimum_spanning_forest(path, checkpoint=tmp_path),
            lambda: remove_checkpoint(tmp_path),
        ):
            with pytest.raises(FileError, match="another pass uses this folder"):
                use()
    minimum_spanning_forest(path, checkpoint=tmp_path)


def test_an_error_while_a_state_is_written_leaves_the_one_before(stopped, monkeypatch):
    path, folder = stopped
    before = contents(folder)

    def fail(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for name in "fsync", "replace":
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(FileError, match="No space left"):
                minimum_spanning_forest(path, checkpoint=folder)
        assert contents(folder) == before


def test_weights_of_dropped_edges_are_checked_later(tmp_path):
    """Of integers that were dropped before, when it is known that other weights are fractions."""
    edges = IndexedEdges(
        np.arange(3), np.arange(3, dtype=np.uint32), np.arange(1, 4, dtype=np.uint32), np.arange(3)
    )
    forest, resumed = StreamedForest(4, False, lambda n: 9), StreamedForest(4, False, lambda n: 9)
    forest.add(edges, 4, np.array([0, 2**53 + 1]))
    forest.merge_pending()
    checkpoint = Checkpoint(tmp_path, "the same", "")
    checkpoint.save(forest, Numbering(None), PassProgress.nothing(2))
    checkpoint.close()
    checkpoint.load(resumed, Numbering(None), PassProgress.nothing(2))
    with pytest.raises(GraphError, match="9007199254740993 has no exact float64"):
        resumed.add(IndexedEdges.none(np.uint32, np.float64), 4, np.empty(0))


def test_damage_is_noticed(stopped):
    """Any byte may change, and any part may be missing: also those before the arrays."""
    path, folder = stopped
    file = folder / "boruvka.checkpoint"
    content = file.read_bytes()
    places = [*range(0, 220, 9), len(content) // 2, len(content) - 1]
    damaged = [content[:k] + bytes([content[k] ^ 1]) + content[k + 1 :] for k in places]
    for wrong in [*damaged, content[:-1], content[:30], content[:21], b"", content + b"x"]:
        file.write_bytes(wrong)
        is_ours = wrong.startswith(MAGIC["boruvka.checkpoint"])
        message = "cannot be resumed: it is damaged" if is_ours else "this is not a file of a checkpoint"
        with pytest.raises(FileError, match=rf"boruvka\.checkpoint:? {message}"):
            minimum_spanning_forest(path, checkpoint=folder)


def test_other_input_or_options(stopped, tmp_path):
    path, folder = stopped
    for options in {"maximum": True}, {"n": 50}, {"columns": ("v", "u", "w")}:
        with pytest.raises(FileError, match="the options are others than before; remove it"):
            minimum_spanning_forest(path, checkpoint=folder, **options)
    os.utime(path, (1, 1))
    with pytest.raises(FileError, match="the input was changed since"):
        minimum_spanning_forest(path, checkpoint=folder)
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file: File exists"):
        minimum_spanning_forest(path, checkpoint=tmp_path / "file")


def test_a_checkpoint_that_saves_no_time_says_so(tmp_path, recwarn):
    """Compressed text is read from its beginning again."""
    packed = tmp_path / "edges.el.gz"
    packed.write_bytes(gzip.compress(b"0 1 5\n1 2 3\n"))
    with pytest.warns(
        GraphWarning, match=r"is compressed.* saves hardly any time; decompress it first$"
    ) as seen:
        minimum_spanning_forest(packed, checkpoint=tmp_path / "packed")
    assert [warning.filename for warning in seen] == [__file__]
    recwarn.clear()
    plain = tmp_path / "edges.el"
    plain.write_text("0 1 5\n1 2 3\n")
    for path in plain, write_names(tmp_path / "edges.csv"):
        minimum_spanning_forest(path, checkpoint=tmp_path / path.suffix)
    assert not recwarn
