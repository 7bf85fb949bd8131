import gzip
import io
import itertools
import subprocess
import sys

import numpy as np
import pytest

import boruvka
from boruvka.errors import FileError, OptionError
from boruvka.stream import memory, one_pass
from boruvka.stream.memory import (
    MemoryBudget,
    available_memory,
    parse_memory,
    used_memory,
)
from boruvka.stream.sources.open import open_source
from tests.stream.helpers import random_graph, write_parquet, write_text

polars = pytest.importorskip("polars")


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (1000, 1000),
        ("1000", 1000),
        ("2G", 2 << 30),
        ("1.5GiB", 3 << 29),
        ("800 MB", 800 << 20),
        (" 3k ", 3072),
        (None, None),
    ],
)
def test_amounts(text, size):
    assert parse_memory(text) == size


@pytest.mark.parametrize(
    "text", ["", "much", "-2G", "0", 0, -1, True, 1.5, "2X", "G", "9" * 400, "9" * 400 + "G", 2**63]
)
def test_no_amounts(text):
    with pytest.raises(OptionError, match="memory must be an amount such as 2G or 800M"):
        parse_memory(text)


def budget(memory, has_names=False):
    return MemoryBudget("g", memory << 20, 50 << 20, 1 << 16, has_names=has_names)


def test_amounts_in_errors_are_written_as_they_were_given():
    with pytest.raises(FileError, match=r"more than 1\.0G: pass at least memory='1\.\dG'"):
        budget(1024).max_pending(1 << 24)


def test_more_memory_lets_more_edges_wait():
    sizes = [budget(m).max_pending(1 << 20) for m in (250, 300, 1000, 9000)]
    assert sizes == sorted(sizes)
    assert sizes[0] > 1 << 19
    assert sizes[-1] == 3 << 20


def test_too_little_memory_says_how_much_is_enough():
    with pytest.raises(
        FileError,
        match=r"g: a forest of 1,048,576 vertices needs about (\d+)M .* the 50M that the process uses",
    ) as refused:
        budget(100).max_pending(1 << 20)
    least = int(str(refused.value).rpartition("memory='")[2].rstrip("M'"))
    assert budget(least).max_pending(1 << 20) >= 1 << 19


def test_what_a_refused_pass_holds_does_not_count(tmp_path, monkeypatch):
    (tmp_path / "edges.csv").write_text("".join(f"{k},{k + 1},1\n" for k in range(99)))
    sizes = itertools.count(50 << 20, 50 << 20)  # each call finds more memory in use
    monkeypatch.setattr(memory, "used_memory", lambda: next(sizes))
    with pytest.raises(FileError, match=r"of 100 vertices needs .* the 50M that the process uses"):
        one_pass.minimum_spanning_forest(tmp_path / "edges.csv", memory="1M")


def test_memory_of_this_process():
    assert 1 << 20 < used_memory() < available_memory()


def test_names_need_memory():
    numbers, names = (budget(320, has_names).max_pending(1 << 20) for has_names in (False, True))
    assert numbers > names > 1 << 19


def test_memory_of_a_verification():
    with pytest.raises(FileError, match=r"g: the check of a forest of 1,048,576 vertices needs about (\d+)M"):
        budget(100).check_room_to_verify(1 << 20)
    budget(200).check_room_to_verify(1 << 20)
    with pytest.raises(FileError, match="pass at least memory="):
        budget(200, has_names=True).check_room_to_verify(1 << 20)


FIRST_MEMORY = """
import re, sys
import numpy as np
from boruvka.errors import FileError
from boruvka.stream import minimum_spanning_forest
from boruvka.stream.memory import free_memory_at_once
free_memory_at_once()
edges = np.random.default_rng(1).integers(0, 1000, (30, 3, 10_000))
minimum_spanning_forest(map(tuple, edges))  # the kernels of the filter, which slow readers do without
for path in sys.argv[1:]:
    minimum_spanning_forest(path, memory="8G")  # libraries are imported, and kernels compiled
    try:
        minimum_spanning_forest(path, memory="1M")
    except FileError as error:
        message = str(error)
    memory = re.search("that the process uses already, .* memory='(.*)'", message)[1]
    for _ in range(3):  # what the process holds after a pass does not count
        assert minimum_spanning_forest(path, memory=memory).n == 300_000
"""


@pytest.mark.parametrize("names", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_first_memory_that_is_named_is_enough(tmp_path, names):
    """Although it is only known at the end of a file how many vertices there are; also for further calls."""
    ids = np.arange(300_000)
    u, v = (polars.Series(ends) for ends in (ids, np.roll(ids, 7)))
    if names:
        u, v = (ends.cast(polars.String) + " is a name" for ends in (u, v))
    rows = polars.DataFrame({"u": u, "v": v, "w": ids})
    content = rows.write_csv().encode()
    (tmp_path / "edges.csv").write_bytes(content)
    (tmp_path / "edges.csv.gz").write_bytes(gzip.compress(content, 1))
    rows.write_parquet(tmp_path / "edges.parquet", statistics=False)
    line = [sys.executable, "-c", FIRST_MEMORY, *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, str])
def test_count_of_vertices(monkeypatch, dtype):
    monkeypatch.setattr(one_pass, "SMALLEST", 1 << 10)
    rng = np.random.default_rng(1)
    for n in 0, 5, 1000, 1024, 1025, 200_000:
        ends = rng.integers(0, max(n, 1), (2, 3 * n))
        if n:
            ends[:, : (n + 1) // 2] = rng.permutation(2 * ((n + 1) // 2)).reshape(2, -1) % n
        batches = ((*(e.astype(dtype) for e in part), part[0]) for part in np.array_split(ends, 9, axis=1))
        count = one_pass.count_vertices(open_source(batches, {"names": True}))
        assert count == n if n < 1024 else 0.95 * n < count < 1.1 * n
    source = open_source([([0, 7], [3, 4], [1, 1])], {})
    assert one_pass.count_vertices(source) == 8


GRAPH = random_graph(60, 600)


@pytest.fixture
def free(monkeypatch):
    """Set the memory that is free."""
    return lambda size: monkeypatch.setattr(memory, "available_memory", lambda: size)


def test_parquet_by_its_rows(tmp_path, free):
    path = write_parquet(tmp_path / "a.parquet", GRAPH)
    for size, is_larger in (
        (memory.BYTES_OF_READ_EDGE * 600 - 1, True),
        (memory.BYTES_OF_READ_EDGE * 600, False),
    ):
        free(size)
        assert memory.is_larger_than_memory(path, None) is is_larger


def test_text_by_its_size(tmp_path, free):
    path = write_text(tmp_path / "a.txt", GRAPH)
    compressed = tmp_path / "a.txt.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    for file, factor in (path, memory.BYTES_OF_TEXT), (compressed, memory.BYTES_OF_TEXT * memory.EXPANSION):
        size = file.stat().st_size
        for limit, is_larger in (int(factor * size) - 1, True), (int(factor * size) + 1, False):
            free(limit)
            assert memory.is_larger_than_memory(file, "edges") is is_larger


def test_files_that_are_read_whole_in_any_case(tmp_path, free):
    free(10)
    boruvka.write(GRAPH, tmp_path / "a.mtx")
    assert not memory.is_larger_than_memory(tmp_path / "a.mtx", None)
    assert not memory.is_larger_than_memory(tmp_path / "missing.csv", None)
    assert not memory.is_larger_than_memory(tmp_path, None)
    assert not memory.is_larger_than_memory(io.BytesIO(b"0 1 2\n"), "edges")


def test_small_files_are_not_opened(tmp_path, free):
    free(1 << 30)
    (tmp_path / "a.parquet").write_bytes(b"no Parquet")
    assert not memory.is_larger_than_memory(tmp_path / "a.parquet", None)


def test_folders_and_patterns(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", GRAPH)
    assert memory.names_several_files(tmp_path)
    assert memory.names_several_files(tmp_path / "*.parquet")
    assert not memory.names_several_files(path)
    assert not memory.names_several_files(tmp_path / "missing.parquet")
    assert not memory.names_several_files(io.BytesIO())
