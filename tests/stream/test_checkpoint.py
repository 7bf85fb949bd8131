import os

import pytest

import boruvka
from boruvka.errors import FileError
from boruvka.stream import minimum_spanning_forest, solve
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
