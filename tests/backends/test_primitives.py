"""The primitives of all backends, against the interpreted ones; and what the interpreted ones return."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boruvka.backends import get_backend
from boruvka.backends.primitives import Backend, Segments
from boruvka.backends.threads import Threads
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators.sort_keys import U64
from tests.conftest import small_tuning
from tests.graph.conftest import run_as_python

pytestmark = [pytest.mark.needs("numba"), pytest.mark.usefixtures("quick_turns")]


BACKENDS = [
    pytest.param(("cuda", 1, 0), marks=pytest.mark.needs("numba")),
    ("threads", 1, 0),
    ("threads", 3, 0),
    ("threads", 3, 100),
]


@pytest.fixture(params=BACKENDS, ids=str)
def backend(request, monkeypatch):
    """Return a backend. Kernels of threads run as Python: solves test compiled ones."""
    name, threads, private_minima = request.param
    monkeypatch.setattr(Kernel, "__call__", run_as_python)
    if name == "threads":
        return Threads(threads, small_tuning(private_minima))
    from boruvka.backends.cuda.backend import Cuda

    return Cuda(threads, small_tuning(private_minima))


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
    for i in range(begins[x], begins[x + U64(1)]):
        sums[x] += values[i]


def sum_block(block, own, values, sums):
    for i in range(4):
        own[i] = values[4 * int(block) + i]
    sums[block] = own.sum()


def add_previous(i, values):
    if i:
        values[i] += values[i - U64(1)]


numbers = st.lists(st.integers(0, 99), max_size=70).map(lambda values: np.array(values, np.uint64))


def on_both(run, backend, values):
    """Run on a backend and on the interpreted one, and compare what they return and write."""
    runs = (run(each, values.copy()) for each in (backend, Backend()))
    for answers in zip(*runs, strict=True):
        np.testing.assert_array_equal(*map(np.asarray, answers))


def elements(backend, segments, column):
    """Copy the elements of a column to the host."""
    host = backend.to_host(column)
    return np.concatenate([host[int(first) : int(last)] for first, last in segments.pairs])


@pytest.mark.parametrize("name", ["threads", pytest.param("cuda", marks=pytest.mark.needs("numba"))])
def test_every_loop_is_compiled(name):
    """A primitive that a backend does not override would be interpreted, and slow."""
    backend_class = type(get_backend(name, 1))
    loops = {"for_each", "for_each_block", "for_each_in_order", "emit", "filter_emit", "emit_grouped"}
    loops |= {"number", "count", "flatnonzero", "argsort", "segmented_scan"}
    assert loops <= vars(backend_class).keys()


@given(values=numbers)
@example(values=np.arange(70, dtype=np.uint64))
def test_emitted_elements_keep_their_order(backend, values):
    def run(backend, values):
        there = backend.to_device(values)
        third, half, size = (U64(x) for x in (values.size // 3, values.size // 2, values.size))
        for segments in (backend.positions(values.size), Segments.of((0, third), (half, size))):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            kept = backend.emit(keep_thirds, segments, into, there)
            yield from (kept.size, *(elements(backend, kept, column) for column in into))
            into = backend.empty_worklist(values.size, (np.uint64,))
            kept = backend.filter_emit((is_even, (there,)), keep_thirds, segments, into, there)
            yield elements(backend, kept, into[0])
        number = backend.zeros(values.size, np.uint32)
        yield backend.number(is_even, values.size, number, 5, there)
        yield backend.to_host(number)
        yield backend.to_host(backend.flatnonzero(there != 0))

    on_both(run, backend, values)


@given(values=numbers)
@example(values=np.arange(70, dtype=np.uint64))
def test_groups_are_contiguous_and_in_order(backend, values):
    def run(backend, values):
        there = backend.to_device(values)
        for groups, operator in ((10, by_last_digit), (300, by_last_digit), (1, in_one_group)):
            into = backend.empty_worklist(values.size, (np.uint64, np.uint32))
            begins = backend.to_host(backend.emit_grouped(operator, values.size, into, groups, there))
            yield begins
            yield from (backend.to_host(array[: int(begins[-1])]) for array in into)

    on_both(run, backend, values)


@given(values=numbers, seed=st.integers(0, 9))
@example(values=np.arange(70, dtype=np.uint64)[::-1], seed=0)  # a carry past a start would be larger
def test_sums_and_scans(backend, values, seed):
    def run(backend, values):
        there = backend.to_device(values)
        yield backend.count(is_even, values.size, there)
        lowest = backend.empty(7, np.uint64)
        backend.scatter_min(propose_value, backend.positions(values.size), lowest, 5, there)
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

    on_both(run, backend, values)


@pytest.mark.parametrize("size", [0, 40])
def test_loops_over_rows_and_blocks_and_in_order(backend, size):
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

    on_both(run, backend, np.arange(size, dtype=np.uint64))


def test_interpreted_sums_and_scans():
    """The interpreted primitives are the reference, and these are checked by hand."""
    values, starts = np.array([3, 1, 4, 1, 5], np.uint64), np.array([1, 0, 0, 1, 0], bool)
    scanned = values.copy()
    Backend().segmented_scan(maximum_of, scanned, starts, U64(0))
    assert scanned.tolist() == [3, 3, 4, 1, 5]
    assert Backend().exclusive_sum(values) == 14
    assert values.tolist() == [0, 3, 4, 8, 9]
