import json
from pathlib import Path

from boruvka.bench import machine


def test_the_description_contains_nothing_of_the_owner():
    text = json.dumps([machine.describe(), machine.versions()])
    assert {"cores", "system"} <= set(machine.describe())
    assert {"python", "boruvka", "numpy", "numba"} <= set(machine.versions())
    assert set(machine.describe()) <= {"processor", "cores", "caches", "memory", "system"}
    for path in Path.home(), Path.cwd():
        assert str(path) not in text


def test_caches(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "_CACHES", tmp_path)
    caches = [
        ("1", "Data", "48K"),
        ("1", "Instruction", "32K"),
        ("2", "Unified", "1280K"),
        ("3", "Unified", "36864K"),
    ]
    for i, cache in enumerate(caches):
        (tmp_path / f"index{i}").mkdir()
        for name, text in zip(("level", "type", "size"), cache, strict=True):
            (tmp_path / f"index{i}" / name).write_text(text + "\n")
    assert machine.describe()["caches"] == "L1 48K, L2 1.25M, L3 36M"
