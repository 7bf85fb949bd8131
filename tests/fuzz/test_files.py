"""Mutated files of every format: each is a graph or points, or an error of this package.

`tests.fuzz.file_worker` reads them in processes with limits on memory and on the time of a file, so that an
abort or a hang is seen, with its seed.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.files import BOMBS, SLOW, VALID, write_files

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
"""Files that were once neither read nor refused."""
SEEDS, MANY_SEEDS, LONG = 300, 150_000, 40
"""Seeds of the default test, and of each process of the long one, which takes at most so many seconds."""
MEMORY = 2 << 30
"""Bytes that a process may add, unless the file is a bomb."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("valid")
    write_files(folder)
    return folder


def start(valid, cases, first, last, folder, seconds=600):
    """Start a process that tries seeds from first to last - 1, as `tests.fuzz.file_worker` says."""
    folder.mkdir()
    (folder / "state").write_bytes(struct.pack("<q", last))
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    arguments = valid, cases, folder / "state", first, last, MEMORY, seconds
    with open(folder / "output", "w") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.file_worker", *map(str, arguments)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": path, "POLARS_MAX_THREADS": "2", "RUST_BACKTRACE": "0"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def failure(process, folder):
    """Wait for a process; return what is wrong, with the seed, or an empty string."""
    code, output = process.wait(), (folder / "output").read_text()
    (seed,) = struct.unpack("<q", (folder / "state").read_bytes())
    errors = re.findall(r"^seed .*?(?=^thread|^seed|\Z)", output, re.MULTILINE | re.DOTALL)
    return f"exit code {code} at seed {seed}: {''.join(errors) or output[-2000:]}" if code else ""


def write_bombs(names, folder):
    for name in names:
        (folder / f"bomb-{name}").write_bytes(BOMBS[name]())


@pytest.mark.long
def test_cases_bombs_and_mutated_files(files, tmp_path):
    """Bombs, which expand, are refused, or read within limits."""
    cases, folder = tmp_path / "cases", tmp_path / "worker"
    shutil.copytree(CASES, cases)
    write_bombs({*BOMBS} - {*SLOW}, cases)
    count = len([*cases.iterdir()])
    assert failure(start(files, cases, -count, SEEDS, folder), folder) == ""
    assert f"{count + SEEDS} tries" in (folder / "output").read_text()


@pytest.mark.long
def test_many_mutated_files(files, tmp_path):
    """Two processes try seeds until their time is over."""
    started = []
    for k in range(2):
        first = SEEDS + k * MANY_SEEDS
        folder = tmp_path / f"worker-{k}"
        started.append((start(files, CASES, first, first + MANY_SEEDS, folder, seconds=LONG), folder))
    assert [failure(*process) for process in started] == ["", ""]


@pytest.mark.long
def test_slow_bombs(tmp_path):
    bombs, valid, folder = tmp_path / "bombs", tmp_path / "valid", tmp_path / "worker"
    bombs.mkdir()
    write_bombs(SLOW, bombs)
    valid.mkdir()
    for name, content in VALID.items():
        (valid / name).write_bytes(content)
    assert failure(start(valid, bombs, -len(SLOW), 0, folder), folder) == ""
    assert f"{len(SLOW)} tries" in (folder / "output").read_text()
