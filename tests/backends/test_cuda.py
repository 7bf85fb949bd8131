"""The CUDA backend: on Numba's simulator, or on a GPU if ``NUMBA_ENABLE_CUDASIM=0`` is set."""

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.gpu import ON_GPU
from boruvka import generators, minimum_spanning_forest
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.backends import get_backend
from boruvka.backends.protocol import size_of
from boruvka.operators.atomics import atomic_min
from boruvka.operators.sort_keys import U64
from tests import oracles
from tests.conftest import set_small_limits
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("quick_turns")


@pytest.fixture
def small(monkeypatch):
    """Let small graphs go through filters, blocks and digits as large ones do."""
    set_small_limits(monkeypatch, room=0)


@pytest.fixture
def gpu():
    return get_backend("cuda", 1)


@pytest.fixture
def host():
    return get_backend("interpreted", 1)


@pytest.mark.parametrize("algorithm", ON_GPU)
@given(graph=graphs(), maximum=st.booleans())
@settings(max_examples=25)
@pytest.mark.usefixtures("small")
def test_edges_are_those_of_kruskal(algorithm, graph, maximum):
    forest = minimum_spanning_forest(graph, maximum=maximum, algorithm=algorithm, backend="cuda")
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert forest.edges.dtype == np.int64
    assert forest.backend == "cuda"


@pytest.mark.parametrize("algorithm", sorted({*ALGORITHMS} - {*ON_GPU, "dense"}))
@pytest.mark.usefixtures("small")
def test_other_algorithms_run_too(algorithm):
    graph = generators.random(9, 25, seed=2, weights="few", dtype="int8")
    forest = minimum_spanning_forest(graph, algorithm=algorithm, backend="cuda")
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("algorithm", ON_GPU)
def test_graphs_without_edges(algorithm, n):
    forest = minimum_spanning_forest(([], [], [], n), algorithm=algorithm, backend="cuda")
    assert forest.edges.tolist() == []
    assert forest.components == n


def test_auto_leaves_blocks_to_caches():
    graph = generators.grid(5, 5, seed=1)
    assert minimum_spanning_forest(graph).algorithm == "block-boruvka"
    assert minimum_spanning_forest(graph, backend="cuda").algorithm == "boruvka"


def test_a_path_of_equal_weights_takes_no_quadratic_time():
    n = 300
    ids = np.arange(n - 1)
    forest = minimum_spanning_forest((ids, ids + 1, np.zeros(n - 1), n), algorithm="boruvka", backend="cuda")
    assert forest.edges.size == n - 1
    assert len(forest.rounds) == 1


# Primitives, against the interpreted backend


def thirds(i, values):
    """Keep elements that are divisible by three."""
    return values[i] % U64(3) == U64(0), values[i] + U64(1), U64(i)


def is_even(i, values):
    return values[i] % U64(2) == U64(0)


def by_last_digit(i, values):
    return values[i] != U64(7), values[i] % U64(10), values[i], U64(i)


def in_one_group(i, values):
    return values[i] != U64(7), U64(0), values[i], U64(i)


def maximum_of(a, b, offset):
    return max(a, b) + offset


def offer_value(i, values, into):
    atomic_min(into, values[i] % U64(into.size), values[i])


numbers = st.lists(st.integers(0, 99), max_size=70).map(lambda values: np.array(values, np.uint64))
parts = settings(max_examples=40)


def both(run, values):
    """Let both backends do the same, and compare what they return and what they wrote."""
    for answers in zip(*(run(get_backend(name, 1), values.copy()) for name in TWINS), strict=True):
        np.testing.assert_array_equal(*map(np.asarray, answers))


TWINS = ("cuda", "interpreted")


@given(values=numbers)
@parts
def test_elements_are_kept_in_order(values):
    def run(backend, values):
        there = backend.to_device(values)
        for segments in (
            backend.split(values.size),
            [(U64(0), U64(values.size // 3)), (U64(values.size // 2), U64(values.size))],
        ):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            kept = size_of(backend.emit(thirds, segments, into, there))
            yield from (kept, *(backend.to_host(array[:kept]) for array in into))
            into = backend.empty_worklist(values.size, (np.uint64,))
            kept = size_of(backend.filter_emit(is_even, (there,), thirds, segments, into, there))
            yield from (kept, backend.to_host(into[0][:kept]))
        number = backend.zeros(values.size, np.uint32)
        yield backend.number(is_even, values.size, number, 5, there)
        yield backend.to_host(number)
        yield backend.to_host(backend.flatnonzero(there != 0))

    both(run, values)


@given(values=numbers)
@parts
def test_groups_lie_together_and_in_order(values):
    def run(backend, values):
        there = backend.to_device(values)
        for groups, operator in ((10, by_last_digit), (300, by_last_digit), (1, in_one_group)):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            begins = backend.to_host(backend.emit_grouped(operator, values.size, into, groups, there))
            yield begins
            yield from (backend.to_host(array[: int(begins[-1])]) for array in into)

    both(run, values)


@given(values=numbers, seed=st.integers(0, 9))
@parts
def test_sums_and_scans(values, seed):
    def run(backend, values):
        there = backend.to_device(values)
        yield backend.count(is_even, values.size, there)
        lowest = backend.empty(7, np.uint64)
        backend.scatter_min(offer_value, backend.split(values.size), lowest, 5, there)
        yield backend.to_host(lowest[:5])
        starts = backend.to_device(np.random.default_rng(seed).random(values.size) < 0.1)
        if values.size:
            backend.segmented_scan(maximum_of, there, starts, U64(0))
        yield backend.to_host(there)
        yield backend.exclusive_sum(there)
        yield backend.to_host(there)

    both(run, values)


def test_every_kernel_compiles_for_a_gpu(tmp_path):
    """Compile to PTX for sm_90: needs NVIDIA's compiler for LLVM's code, but no GPU."""
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba_cuda is not installed: pip install numba-cuda nvidia-nvvm")
    done = subprocess.run(
        [sys.executable, "-m", "tests.backends.ptx"],
        env={**os.environ, "BORUVKA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "libnvvm" in done.stderr or "libdevice" in done.stderr:
        pytest.skip("NVIDIA's compiler for LLVM's code is not installed: pip install nvidia-nvvm")
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(done.stdout.splitlines()) > 80


def test_the_benchmark_runs(tmp_path, monkeypatch):
    from benchmarks import gpu as benchmark

    result = tmp_path / "gpu.json"
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--quick", "--output", str(result)])
    monkeypatch.setattr(benchmark, "ON_GPU", ("boruvka", "filter-boruvka"))
    assert benchmark.main() == 0
    found = json.loads(result.read_text())
    assert all(row["equal"] for row in found["checked"])
    row = found["measured"]["random"]
    assert row["equal"]
    assert row["starts"]["count"] > 10
    assert set(row["steps"]) >= {"offer", "hook", "contract"}
