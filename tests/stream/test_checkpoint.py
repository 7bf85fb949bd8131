import errno
import gzip
import os
import stat
import sys
from contextlib import closing

import numpy as np
import pytest

import boruvka
from boruvka.errors import FileError, GraphError, GraphWarning
from boruvka.stream import minimum_spanning_forest, one_pass, remove_checkpoint
from boruvka.stream.checkpoint import Checkpoint
from boruvka.stream.edge_pass import PassProgress
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.numbering import Numbering
from boruvka.stream.streamed_forest import StreamedForest
from tests.stream.helpers import assert_equal, random_graph, write_parquet

pytestmark = pytest.mark.filterwarnings(
    "ignore:.* can only be read from beginning to end:boruvka.GraphWarning"
)


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


MAGIC = {"boruvka.checkpoint": b"boruvka checkpoint 7\n", "boruvka.names": b"boruvka names 1\n"}
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
    with closing(Checkpoint(tmp_path, "one")):
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
    checkpoint = Checkpoint(tmp_path, "the same")
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
        with pytest.raises(FileError, match="of another input, or of other options; remove it"):
            minimum_spanning_forest(path, checkpoint=folder, **options)
    os.utime(path, (1, 1))
    with pytest.raises(FileError, match="of another input"):
        minimum_spanning_forest(path, checkpoint=folder)
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="file: File exists"):
        minimum_spanning_forest(path, checkpoint=tmp_path / "file")


def test_a_checkpoint_that_saves_no_time_says_so(tmp_path, recwarn):
    """Text with names, and compressed text, is read from its beginning again."""
    names = write_names(tmp_path / "edges.csv")
    packed = tmp_path / "edges.el.gz"
    packed.write_bytes(gzip.compress(b"0 1 5\n1 2 3\n"))
    for path in names, packed:
        with pytest.warns(GraphWarning, match=r"saves hardly any time.* boruvka convert") as seen:
            minimum_spanning_forest(path, checkpoint=tmp_path / path.name[-2:])
        assert [warning.filename for warning in seen] == [__file__]
    recwarn.clear()
    plain = tmp_path / "edges.el"
    plain.write_text("0 1 5\n1 2 3\n")
    minimum_spanning_forest(plain, checkpoint=tmp_path / "plain")
    minimum_spanning_forest(names)
    assert not recwarn
