import os

import numpy as np
import pytest

import boruvka
from boruvka.errors import FileError, GraphError
from boruvka.stream import minimum_spanning_forest, solve
from boruvka.stream.checkpoint import Checkpoint
from boruvka.stream.edges import Edges
from boruvka.stream.growing_forest import GrowingForest
from boruvka.stream.numbering import Numbering
from boruvka.stream.passing import Passed
from tests.stream.helpers import assert_equal, random_graph, write_parquet


class Killed(Exception):
    """What stands for the end of the process."""


@pytest.fixture
def stopped(tmp_path, tiny_limits, monkeypatch):
    """Stop a pass after some checkpoints; return its file and the checkpoint."""
    monkeypatch.setattr(solve, "SECONDS_BETWEEN_CHECKPOINTS", -1.0)
    graph = random_graph(40, 300)
    path = write_parquet(tmp_path / "edges.parquet", graph, row_group_size=20, write_statistics=False)
    save, saves = solve.Checkpoint.save, []

    def save_some(*arguments):
        save(*arguments)
        saves.append(1)
        if len(saves) == 5:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(solve.Checkpoint, "save", save_some)
        with pytest.raises(Killed):
            minimum_spanning_forest(path, checkpoint=tmp_path / "state", threads=2)
    return path, tmp_path / "state"


def test_pass_goes_on(stopped):
    path, folder = stopped
    assert os.listdir(folder) == ["boruvka.checkpoint"]
    found = minimum_spanning_forest(path, checkpoint=folder)
    assert_equal(found, boruvka.minimum_spanning_forest(boruvka.read(path)))
    assert os.listdir(folder) == []


def test_weights_of_dropped_edges_are_checked_later(tmp_path):
    """Of integers that were dropped before, when it is known that other weights are fractions."""
    edges = Edges(np.arange(3), np.arange(3, dtype=np.uint32), np.arange(1, 4, dtype=np.uint32), np.arange(3))
    forest, resumed = GrowingForest(4, False, lambda n: 9), GrowingForest(4, False, lambda n: 9)
    forest.add(edges, 4, np.array([0, 2**53 + 1]))
    forest.settle()
    checkpoint = Checkpoint(tmp_path, "the same")
    checkpoint.save(forest, Numbering(None), Passed.nothing(2))
    checkpoint.load(resumed, Numbering(None), Passed.nothing(2))
    with pytest.raises(GraphError, match="9007199254740993 has no exact float64"):
        resumed.add(Edges.none(np.uint32, np.float64), 4, np.empty(0))


def test_damage_is_noticed(stopped):
    """Any byte may change, and any part may be missing: also those before the arrays."""
    path, folder = stopped
    file = folder / "boruvka.checkpoint"
    content = file.read_bytes()
    places = [*range(0, 220, 9), len(content) // 2, len(content) - 1]
    damaged = [content[:k] + bytes([content[k] ^ 1]) + content[k + 1 :] for k in places]
    for wrong in [*damaged, content[:-1], content[:30], b"", content + b"x"]:
        file.write_bytes(wrong)
        with pytest.raises(FileError, match=r"boruvka\.checkpoint cannot be gone on with: it is damaged"):
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
