import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

import boruvka.backends.kernel_cache
from boruvka import generators, minimum_spanning_forest
from boruvka.backends.kernel_cache import NotIdentifiableError, identity_of

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


def constant_one(i, a):
    a[i] = ONE


def callee(x):
    return x + 1


def caller(i, a):
    a[i] = callee(a[i])


ONE = np.uint64(1)


def with_globals(function, **values):
    """Copy a function with other globals."""
    return FunctionType(function.__code__, {**function.__globals__, **values}, function.__name__)


def test_a_kernel_is_identified_by_all_that_is_compiled_into_it():
    def other_callee(x):
        return x + 2

    assert identity_of(caller) == identity_of(with_globals(caller, unrelated=3))
    assert identity_of(caller) != identity_of(with_globals(caller, callee=other_callee))
    assert identity_of(constant_one) != identity_of(with_globals(constant_one, ONE=np.uint64(2)))
    assert identity_of(constant_one) != identity_of(with_globals(constant_one, ONE=np.uint32(1)))

    def closure_over(value):
        def kernel(i, a):
            a[i] = value(a[i]) if callable(value) else value

        return kernel

    assert identity_of(closure_over(callee)) != identity_of(closure_over(other_callee))
    table = np.arange(5000)
    assert identity_of(closure_over(table)) == identity_of(closure_over(table.copy()))
    table_too = table.copy()
    table_too[2500] = -1
    assert identity_of(closure_over(table)) != identity_of(closure_over(table_too))
    with pytest.raises(NotIdentifiableError, match="type object is compiled"):
        identity_of(closure_over(object()))


def test_the_identity_is_that_of_another_process():
    code = (
        "from boruvka.backends.kernel_cache import identity_of\n"
        "from boruvka.operators.boruvka_round import propose_input\n"
        "print(identity_of(propose_input).hex())"
    )
    assert run(code, "unused") == run(code, "unused", PYTHONHASHSEED="7")


def test_what_was_long_not_used_is_removed(tmp_path):
    run(SOLVE, tmp_path)
    (folder,) = tmp_path.iterdir()
    old, other = folder / "old.nbc", tmp_path / "other-version"
    old.touch()
    other.mkdir()
    (other / "kernel.nbc").touch()
    young = kernels(tmp_path)
    for path in (old, other):
        os.utime(path, (0, 0))
    run(SOLVE, tmp_path)
    assert not old.exists()
    assert not other.exists()
    assert kernels(tmp_path).keys() == {path for path in young if path.parent == folder and path != old}


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
    from boruvka.backends import thread_kernels

    graph = generators.random(30_000, 300_000, dtype="float64")
    for count in (1, 2):
        minimum_spanning_forest(graph, algorithm="filter-boruvka", threads=count)
    compiled = []
    original = boruvka.backends.kernel_cache.jit

    def remember(function, name=None):
        compiled.append(original(function, name))
        compiled[-1]._cache = __import__("numba").core.caching.NullCache()
        return compiled[-1]

    launchers = [
        launcher
        for launcher in vars(thread_kernels).values()
        if hasattr(launcher, "cache_clear") and launcher is not thread_kernels.compilable
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread_kernels, "jit", remember)
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
    from boruvka.operators.boruvka_round import break_tie_input
    from boruvka.operators.sort_keys import sort_keys_of

    n = 50_000
    w = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, n)
    order = sort_keys_of(w)
    assert order.wide
    ends = np.arange(2 * n, dtype=np.uint32)
    first = np.full(2 * n, 2**32 - 1, np.uint32)
    best = np.repeat((w ^ np.int64(-(2**63))).view(np.uint64), 2)
    edges = ends[::2].copy(), ends[1::2].copy(), order.bits, order.packing
    get_backend("threads", 2).for_each(break_tie_input, n, *edges, best, np.uint64(0), first)
    np.testing.assert_array_equal(first, np.repeat(np.arange(n), 2))


def test_import_is_light():
    code = "import boruvka, boruvka.cli, boruvka.generators, sys; print(sorted(sys.modules))"
    loaded = run(code, "unused")
    for heavy in ("numba", "scipy", "polars", "pandas", "networkx", "zstandard", "rich"):
        assert f"'{heavy}'" not in loaded


def test_kernels_take_any_width_of_index():
    """Keys, indices and ids of 64 bits, which only graphs too large for a test would need."""
    from boruvka.algorithms.building_blocks.edge_list import EdgeList
    from boruvka.algorithms.registry import ALGORITHMS
    from boruvka.backends import get_backend
    from boruvka.forest.round_log import RoundLog
    from boruvka.operators.sort_keys import sort_keys_of

    small = generators.random(300, 2_000, seed=2)
    for algorithm in ALGORITHMS.values():
        answers = []
        for index_bits in (None, 33, 40):
            keys = sort_keys_of(small.w, index_bits=index_bits)
            edges = EdgeList(small.n, small.u, small.v, keys)
            answers.append(algorithm.run(edges, get_backend("threads", 2), RoundLog()))
        for answer in answers[1:]:
            np.testing.assert_array_equal(answer, answers[0])
        ends = small.u.astype(np.uint64), small.v.astype(np.uint64)
        wide = EdgeList(small.n, *ends, sort_keys_of(small.w))
        got = algorithm.run(wide, get_backend("threads", 2), RoundLog())
        np.testing.assert_array_equal(got, answers[0])
