import numpy as np
import pytest

import boruvka
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.backends import get_backend
from boruvka.bench.memory_traffic import Observed, Steps, bytes_of_steps
from boruvka.generators import kronecker, random
from boruvka.operators import boruvka_round as op


@pytest.fixture
def observed():
    round_log = Steps()
    round_log.begin("all", 1, 1)
    return Observed(get_backend("threads", 1), round_log), round_log


def test_bytes_of_a_loop_are_exact(observed):
    backend, round_log = observed
    parent, number = np.zeros(1000, np.uint32), np.zeros(1000, np.uint32)
    with round_log.step("rename"):
        backend.for_each(op.rename, 1000, parent, number)
    # All have one root: the parent is read three times, the number once, and written.
    assert round_log.bytes == [{"rename": 1000 * (3 * 4 + 2 * 4)}]


def test_bytes_of_offers(observed):
    backend, round_log = observed
    m = 3000
    end, link = np.arange(m, dtype=np.uint32) % 50, np.zeros(m, np.uint32)
    key, best = np.arange(m, dtype=np.uint64), np.zeros(80, np.uint64)
    with round_log.step("offer"):
        backend.scatter_min(
            op.propose_worklist, [(np.uint64(5), np.uint64(m))], best, 50, end, link, key, key, np.uint64(0)
        )
    # Minima are cleared; both ends and the key are read; the minimum of either end is read and written.
    assert round_log.bytes == [{"offer": 50 * 8 + (m - 5) * (4 + 4 + 8 + 2 * (8 + 8))}]
    assert best[:50].tolist() == [*range(50, 55), *range(5, 50)]


def test_bytes_of_what_is_emitted(observed):
    backend, round_log = observed
    m = 400
    end, link = np.zeros(m, np.uint32), np.arange(m, dtype=np.uint32) % 2
    key, number = np.arange(m, dtype=np.uint64), np.arange(2, dtype=np.uint32)
    work = [np.empty(m, dtype) for dtype in (np.uint32, np.uint32, np.uint64)]
    with round_log.step("contract"):
        kept = backend.emit(op.contract_worklist, backend.split(m), work, end, link, key, key, number)
    assert kept == [(0, m // 2)]
    # The key is its own name, and is read as both.
    assert round_log.bytes == [{"contract": m * (4 + 4 + 4 + 4 + 8 + 8) + m // 2 * 16}]


def test_bytes_of_what_is_sifted(observed):
    backend, round_log = observed
    m = 150
    end, link = np.zeros(m, np.uint32), np.ones(m, np.uint32)
    key = np.arange(m, dtype=np.uint64)
    work = [np.empty(m, dtype) for dtype in (np.uint32, np.uint32, np.uint64)]
    pivot = np.uint64(9), np.uint64(9)
    with round_log.step("select"):
        kept = backend.filter_emit(
            op.is_light_worklist, (key, key, *pivot), op.listed, backend.split(m), work, end, link, key, key
        )
    assert kept == [(0, 10)]
    assert work[2][:10].tolist() == list(range(10))
    assert round_log.bytes == [{"select": m * (8 + 8) + 10 * 2 * 16}]


def test_bytes_of_counts_numbers_and_members(observed):
    backend, round_log = observed
    parent, chosen = np.zeros(9, np.uint32), np.zeros(9, np.uint64)
    number = np.zeros(10, np.uint32)
    none = np.uint64(7)
    with round_log.step("count"):
        assert backend.count(op.is_growing_root, 9, parent, chosen, none) == 1
    with round_log.step("number"):
        assert backend.number(op.is_growing_root, 9, number, 0, parent, chosen, none) == 1
    with round_log.step("members"):
        backend.flatnonzero(np.array([True, False, True]))
    backend.for_each(op.rename, 9, parent, number)  # outside of steps
    assert round_log.bytes == [{"count": 9 * 12, "number": 9 * 12 + 4, "members": 3 + 16}]


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, "auto"])
@pytest.mark.parametrize("graph", [random(3000, 40_000), kronecker(9, 8, dtype="float64")], ids=str)
def test_the_steps_of_a_solve(graph, algorithm):
    forest = boruvka.minimum_spanning_forest(graph, algorithm=algorithm, threads=1)
    counted = bytes_of_steps(graph, algorithm)
    assert [list(steps) for steps in counted] == [list(r.seconds) for r in forest.rounds]
    assert all(sum(steps.values()) > 0 for steps in counted)
    everything = graph.m * (4 + 4 + graph.w.itemsize)  # is read, and more than once
    assert sum(count for steps in counted for count in steps.values()) > everything
