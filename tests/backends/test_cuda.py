"""The CUDA backend: on Numba's simulator, or on a GPU if ``NUMBA_ENABLE_CUDASIM=0`` is set."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boruvka import generators, minimum_spanning_forest
from boruvka.algorithms.registry import EDGE_LIST_ALGORITHMS
from boruvka.backends import get_backend
from boruvka.backends.primitives import size_of
from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators.sort_keys import U64
from lab.gpu import ALGORITHMS as GPU_ALGORITHMS
from tests import oracles
from tests.conftest import set_small_limits
from tests.strategies import graphs

pytestmark = pytest.mark.usefixtures("quick_turns")
DEFAULT = ("boruvka", "filter-boruvka")


@pytest.fixture
def small(monkeypatch):
    """Let small graphs go through filters, blocks and digits as large ones do."""
    set_small_limits(monkeypatch, room=0)


def check_edges(graph, algorithm, maximum=False):
    forest = minimum_spanning_forest(graph, maximum=maximum, algorithm=algorithm, backend="cuda")
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert forest.edges.dtype == np.int64
    assert forest.backend == "cuda"


@pytest.mark.parametrize("algorithm", DEFAULT)
@given(graph=graphs(), maximum=st.booleans())
@settings(max_examples=6)
@pytest.mark.usefixtures("small")
def test_edges_are_those_of_kruskal(algorithm, graph, maximum):
    check_edges(graph, algorithm, maximum)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", GPU_ALGORITHMS)
@given(graph=graphs(), maximum=st.booleans())
@settings(max_examples=15)
@pytest.mark.usefixtures("small")
def test_edges_of_all_gpu_algorithms(algorithm, graph, maximum):
    check_edges(graph, algorithm, maximum)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", sorted({*EDGE_LIST_ALGORITHMS} - {*GPU_ALGORITHMS, "dense"}))
@pytest.mark.usefixtures("small")
def test_edges_of_the_other_algorithms(algorithm):
    check_edges(generators.random(9, 25, seed=2, weights="integers_8", dtype="int8"), algorithm)


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize("algorithm", GPU_ALGORITHMS)
def test_graphs_without_edges(algorithm, n):
    forest = minimum_spanning_forest(([], [], [], n), algorithm=algorithm, backend="cuda")
    assert forest.edges.tolist() == []
    assert forest.n_components == n


def test_auto_sorts_no_edges_without_caches():
    graph = generators.path(20)
    assert minimum_spanning_forest(graph, backend="interpreted").algorithm == "kruskal"
    assert minimum_spanning_forest(graph, backend="cuda").algorithm == "boruvka"


def test_a_path_of_equal_weights_takes_one_round():
    n = 300
    ids = np.arange(n - 1)
    forest = minimum_spanning_forest((ids, ids + 1, np.zeros(n - 1), n), algorithm="boruvka", backend="cuda")
    assert forest.edges.size == n - 1
    assert len(forest.rounds) == 1


# Primitives, against the interpreted backend


def keep_thirds(i, values):
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


def propose_value(i, values, into):
    atomic_min(into, values[i] % U64(into.size), values[i])


def sum_row(x, begins, values, sums):
    sums[x] = U64(0)
    for i in range(begins[x], begins[x + 1]):
        sums[x] += values[i]


def sum_block(block, own, values, sums):
    for i in range(4):
        own[i] = values[4 * int(block) + i]
    sums[block] = own.sum()


def add_previous(i, values):
    if i:
        values[i] += values[i - U64(1)]


numbers = st.lists(st.integers(0, 99), max_size=70).map(lambda values: np.array(values, np.uint64))
few_examples = settings(max_examples=8)


def on_both(run, values):
    """Run on both backends, and compare what they return and write."""
    runs = (run(get_backend(name, 1), values.copy()) for name in ("cuda", "interpreted"))
    for answers in zip(*runs, strict=True):
        np.testing.assert_array_equal(*map(np.asarray, answers))


@given(values=numbers)
@example(values=np.arange(70, dtype=np.uint64))
@few_examples
def test_emitted_elements_keep_their_order(values):
    def run(backend, values):
        there = backend.to_device(values)
        for segments in (
            backend.split(values.size),
            [(U64(0), U64(values.size // 3)), (U64(values.size // 2), U64(values.size))],
        ):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            kept = size_of(backend.emit(keep_thirds, segments, into, there))
            yield from (kept, *(backend.to_host(array[:kept]) for array in into))
            into = backend.empty_worklist(values.size, (np.uint64,))
            kept = size_of(backend.filter_emit(is_even, (there,), keep_thirds, segments, into, there))
            yield from (kept, backend.to_host(into[0][:kept]))
        number = backend.zeros(values.size, np.uint32)
        yield backend.number(is_even, values.size, number, 5, there)
        yield backend.to_host(number)
        yield backend.to_host(backend.flatnonzero(there != 0))

    on_both(run, values)


@given(values=numbers)
@example(values=np.arange(70, dtype=np.uint64))
@few_examples
def test_groups_are_contiguous_and_in_order(values):
    def run(backend, values):
        there = backend.to_device(values)
        for groups, operator in ((10, by_last_digit), (300, by_last_digit), (1, in_one_group)):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            begins = backend.to_host(backend.emit_grouped(operator, values.size, into, groups, there))
            yield begins
            yield from (backend.to_host(array[: int(begins[-1])]) for array in into)

    on_both(run, values)


@given(values=numbers, seed=st.integers(0, 9))
@example(values=np.arange(70, dtype=np.uint64)[::-1], seed=0)  # a carry past a start would be larger
@few_examples
def test_sums_and_scans(values, seed):
    def run(backend, values):
        there = backend.to_device(values)
        yield backend.count(is_even, values.size, there)
        lowest = backend.empty(7, np.uint64)
        backend.scatter_min(propose_value, backend.split(values.size), lowest, 5, there)
        yield backend.to_host(lowest[:5])
        starts = backend.to_device(np.random.default_rng(seed).random(values.size) < 0.1)
        if values.size:
            backend.segmented_scan(maximum_of, there, starts, U64(0))
        yield backend.to_host(there)
        yield backend.exclusive_sum(there)
        yield backend.to_host(there)
        yield backend.to_host(backend.argsort(there // U64(3)))
        backend.sort(there)
        yield backend.to_host(there)

    on_both(run, values)


@pytest.mark.parametrize("size", [0, 40])
def test_loops_over_rows_and_blocks_and_in_order(size):
    def run(backend, values):
        there = backend.to_device(values)
        begins = backend.to_device(np.array([0, 0, size // 4, size], np.uint64))
        sums = backend.zeros(3, np.uint64)
        backend.for_each_row(sum_row, begins, there, sums)
        yield backend.to_host(sums)
        sums = backend.zeros(size // 4, np.uint64)
        if size:
            backend.for_each_block(sum_block, size // 4, [(4, np.uint64)], there, sums)
        yield backend.to_host(sums)
        backend.for_each_in_order(add_previous, size, there)
        yield backend.to_host(there)

    on_both(run, np.arange(size, dtype=np.uint64))


# Without a GPU


@pytest.mark.long
def test_kernels_compile_for_a_gpu():
    """Compile to PTX for sm_90, which needs NVIDIA's compiler for LLVM's code, but no GPU."""
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba_cuda is not installed: pip install numba-cuda nvidia-nvvm")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.backends.ptx"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "libnvvm" in done.stderr or "libdevice" in done.stderr:
        pytest.skip("NVIDIA's compiler for LLVM's code is not installed: pip install nvidia-nvvm")
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(done.stdout.splitlines()) > 80
