import numpy as np
import pytest

import boruvka
from boruvka.algorithms.registry import EDGE_LIST_ALGORITHMS
from boruvka.backends import get_backend
from boruvka.bench import memory_traffic
from boruvka.bench.memory_traffic import TrafficBackend, TrafficLog, bytes_of_steps
from boruvka.generators import kronecker, random
from boruvka.operators import boruvka_round as op
from boruvka.operators import filtering


@pytest.fixture
def counting():
    log = TrafficLog()
    log.begin("all", 1, 1)
    return TrafficBackend(get_backend("interpreted", 1), log), log


def test_bytes_of_a_loop_are_exact(counting):
    backend, log = counting
    parent, number = np.zeros(1000, np.uint32), np.zeros(1000, np.uint32)
    with log.step("rename"):
        backend.for_each(op.relabel_to_root, 1000, parent, number)
    # All have one root: the parent is read three times, the number once, and written.
    assert log.bytes == [{"rename": 1000 * (3 * 4 + 2 * 4)}]


def test_bytes_of_minima(counting):
    backend, log = counting
    m = 3000
    end, link = np.arange(m, dtype=np.uint32) % 50, np.zeros(m, np.uint32)
    key, best = np.arange(m, dtype=np.uint64), np.zeros(80, np.uint64)
    with log.step("offer"):
        backend.scatter_min(
            op.propose_worklist, [(np.uint64(5), np.uint64(m))], best, 50, end, link, key, key, np.uint64(0)
        )
    # Minima are cleared; both ends and the key are read; the minimum of either end is read and written.
    assert log.bytes == [{"offer": 50 * 8 + (m - 5) * (4 + 4 + 8 + 2 * (8 + 8))}]
    assert best[:50].tolist() == [*range(50, 55), *range(5, 50)]


def test_bytes_of_emitted_elements(counting):
    backend, log = counting
    m = 400
    end, link = np.zeros(m, np.uint32), np.arange(m, dtype=np.uint32) % 2
    key, number = np.arange(m, dtype=np.uint64), np.arange(2, dtype=np.uint32)
    work = [np.empty(m, dtype) for dtype in (np.uint32, np.uint32, np.uint64)]
    with log.step("contract"):
        kept = backend.emit(op.contract_worklist, backend.split(m), work, end, link, key, key, number)
    assert kept == [(0, m // 2)]
    # The key is its own name, and is read as both.
    assert log.bytes == [{"contract": m * (4 + 4 + 4 + 4 + 8 + 8) + m // 2 * 16}]


def test_bytes_of_filtered_elements(counting):
    backend, log = counting
    m = 150
    end, link = np.zeros(m, np.uint32), np.ones(m, np.uint32)
    key = np.arange(m, dtype=np.uint64)
    work = [np.empty(m, dtype) for dtype in (np.uint32, np.uint32, np.uint64)]
    pivot = np.uint64(9), np.uint64(9)
    with log.step("select"):
        kept = backend.filter_emit(
            filtering.is_light_worklist,
            (key, key, *pivot),
            op.emit_worklist,
            backend.split(m),
            work,
            end,
            link,
            key,
            key,
        )
    assert kept == [(0, 10)]
    assert work[2][:10].tolist() == list(range(10))
    assert log.bytes == [{"select": m * (8 + 8) + 10 * 2 * 16}]


def test_bytes_of_counts_numbers_and_members(counting):
    backend, log = counting
    parent, chosen = np.zeros(9, np.uint32), np.zeros(9, np.uint64)
    number = np.zeros(10, np.uint32)
    none = np.uint64(7)
    with log.step("count"):
        assert backend.count(op.is_growing_root, 9, parent, chosen, none) == 1
    with log.step("number"):
        assert backend.number(op.is_growing_root, 9, number, 0, parent, chosen, none) == 1
    with log.step("members"):
        backend.flatnonzero(np.array([True, False, True]))
    backend.for_each(op.relabel_to_root, 9, parent, number)  # outside of steps
    assert log.bytes == [{"count": 9 * 12, "number": 9 * 12 + 4, "members": 3 + 16}]


def check_steps(graph, algorithm, backend):
    forest = boruvka.minimum_spanning_forest(graph, algorithm=algorithm, backend=backend, threads=1)
    counted = bytes_of_steps(graph, algorithm)
    assert [list(steps) for steps in counted] == [list(r.seconds) for r in forest.rounds]
    assert all(sum(steps.values()) > 0 for steps in counted)
    everything = graph.m * (4 + 4 + graph.w.itemsize)  # is read, and more than once
    assert sum(count for steps in counted for count in steps.values()) > everything


@pytest.mark.parametrize("algorithm", [*EDGE_LIST_ALGORITHMS, "auto"])
def test_the_steps_of_a_solve(algorithm, monkeypatch):
    monkeypatch.setattr(memory_traffic, "get_backend", lambda name, threads: get_backend("interpreted", 1))
    check_steps(random(50, 400), algorithm, "interpreted")


@pytest.mark.long
@pytest.mark.parametrize("algorithm", [*EDGE_LIST_ALGORITHMS, "auto"])
def test_the_steps_of_a_solve_on_threads(algorithm):
    check_steps(random(3000, 40_000), algorithm, "threads")


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ["filter-boruvka", "block-boruvka"])
def test_the_steps_of_a_solve_with_64_bit_keys(algorithm):
    check_steps(kronecker(9, 8, dtype="float64"), algorithm, "threads")
