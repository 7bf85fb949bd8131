import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import boruvka.compile
from boruvka import generators, minimum_spanning_forest

SOLVE = "import boruvka; boruvka.minimum_spanning_forest(([0], [1], [1.0]), threads=1)"


def run(code, cache, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BORUVKA_CACHE_DIR": str(cache), **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def kernels(cache):
    return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*.nbc")}


def test_a_new_process_finds_the_kernels_and_leaves_no_file(tmp_path):
    run(SOLVE, tmp_path)
    first = kernels(tmp_path)
    assert first
    run(SOLVE, tmp_path)
    assert kernels(tmp_path) == first


def test_the_folder_changes_with_any_source(tmp_path):
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c.py").write_text("y = 1")
    digest = boruvka.compile.sources_digest.__wrapped__
    before = digest(tmp_path)
    assert digest(tmp_path) == before
    (tmp_path / "b" / "c.py").write_text("y = 2")
    assert digest(tmp_path) != before
    assert boruvka.compile.sources_digest() in str(boruvka.compile.cache_folder())


def test_damaged_kernels_are_compiled_again(tmp_path):
    run(SOLVE, tmp_path)
    for path in kernels(tmp_path):
        path.write_bytes(b"garbage")
    run(SOLVE, tmp_path)
    assert all(path.read_bytes() != b"garbage" for path in kernels(tmp_path))


def test_it_works_without_a_cache(tmp_path):
    file = tmp_path / "file"
    file.touch()
    run(SOLVE, file)
    assert file.is_file()


def test_kernels_count_no_references():
    """With reference counting, operators that index inside a branch run up to 30 times slower."""
    from boruvka.backends import threads

    graph = generators.random(30_000, 300_000, dtype="float64")
    for count in (1, 2):
        minimum_spanning_forest(graph, algorithm="filter-boruvka", threads=count)
    compiled = []
    original = boruvka.compile.jit

    def remember(function, name=None):
        compiled.append(original(function, name))
        compiled[-1]._cache = __import__("numba").core.caching.NullCache()
        return compiled[-1]

    launchers = [
        launcher
        for launcher in vars(threads).values()
        if hasattr(launcher, "cache_clear") and launcher not in (threads._pool, threads._compiled)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "jit", remember)
        for launcher in launchers:
            launcher.cache_clear()
        for count in (1, 2):
            minimum_spanning_forest(graph, algorithm="filter-boruvka", threads=count)
    for launcher in launchers:
        launcher.cache_clear()
    assert len(compiled) > 10
    for dispatcher in compiled:
        for code in dispatcher.inspect_llvm().values():
            assert "NRT_incref" not in code


def test_atomics_touch_one_element():
    """An operand wider than the array would reach into the neighbours of the element."""
    from boruvka.backends import get_backend
    from boruvka.operators import claim_given
    from boruvka.order import order_of

    n = 50_000
    w = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, n)
    order = order_of(w)
    assert order.wide
    ends = np.arange(2 * n, dtype=np.uint32)
    first = np.full(2 * n, 2**32 - 1, np.uint32)
    best = np.repeat((w ^ np.int64(-(2**63))).view(np.uint64), 2)
    edges = ends[::2].copy(), ends[1::2].copy(), order.bits, order.packing
    get_backend("threads", 2).for_each(claim_given, n, *edges, best, np.uint64(0), first)
    np.testing.assert_array_equal(first, np.repeat(np.arange(n), 2))


def test_import_is_light():
    code = "import boruvka, boruvka.cli, boruvka.generators, sys; print(sorted(sys.modules))"
    loaded = run(code, "unused")
    for heavy in ("numba", "scipy", "polars", "pandas", "networkx", "zstandard", "rich"):
        assert f"'{heavy}'" not in loaded


def test_kernels_take_any_width_of_index():
    """Keys, indices and ids of 64 bits, which only graphs too large for a test would need."""
    from boruvka.algorithms import ALGORITHMS
    from boruvka.backends import get_backend
    from boruvka.graph import Graph
    from boruvka.order import order_of
    from boruvka.rounds import Journal

    small = generators.random(300, 2_000, seed=2)
    for algorithm in ALGORITHMS.values():
        answers = []
        for index_bits in (None, 33, 40):
            order = order_of(small.w, index_bits=index_bits)
            backend = get_backend("threads", 2)
            answers.append(algorithm.run(small, order, backend, Journal()))
        for answer in answers[1:]:
            np.testing.assert_array_equal(answer, answers[0])
        wide = object.__new__(Graph)
        for name, value in (("n", small.n), ("w", small.w)):
            object.__setattr__(wide, name, value)
        for name in "uv":
            object.__setattr__(wide, name, getattr(small, name).astype(np.uint64))
        got = algorithm.run(wide, order_of(small.w), get_backend("threads", 2), Journal())
        np.testing.assert_array_equal(got, answers[0])
