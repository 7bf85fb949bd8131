import subprocess
import sys

import numpy as np
import pytest

from boruvka import generators, minimum_spanning_forest
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import ALGORITHMS, edge_list_algorithms
from boruvka.backends import get_backend, threads
from boruvka.kernels.kernel_arguments import pack
from boruvka.kernels.kernel_functions import store_columns
from boruvka.operators import boruvka_round
from boruvka.operators.edges import InputEdges, read_input
from boruvka.operators.sort_keys import sort_keys_of
from boruvka.runtime.round_log import RoundLog


def test_atomics_touch_one_element():
    """An operand wider than the array would reach into the neighbours of the element."""
    n = 50_000
    w = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, n)
    order = sort_keys_of(w)
    assert order.keys_lack_index
    ends = np.arange(2 * n, dtype=np.uint32)
    first = np.full(2 * n, 2**32 - 1, np.uint32)
    best = np.repeat((w ^ np.int64(-(2**63))).view(np.uint64), 2)
    edges = InputEdges(ends[::2].copy(), ends[1::2].copy(), order.bits, order.packing)
    break_tie = boruvka_round.break_tie(read_input)
    get_backend("threads", 2).for_each(break_tie, n, edges, best, np.uint64(0), first)
    np.testing.assert_array_equal(first, np.repeat(np.arange(n), 2))


@pytest.mark.parametrize("backend", ["interpreted", pytest.param("threads", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", edge_list_algorithms())
def test_any_width_of_index_is_taken(name, backend):
    """Keys, indices and ids of 64 bits, which only graphs too large for a test would need."""
    small = generators.random(*((60, 200) if backend == "interpreted" else (300, 2_000)), seed=2)
    algorithm, answers, runs_on = ALGORITHMS[name], [], get_backend(backend, 2)
    for index_bits in (None, 33, 40):
        keys = sort_keys_of(small.w, index_bits=index_bits)
        edges = EdgeList(small.n, small.u, small.v, keys)
        answers.append(algorithm.run(edges, runs_on, RoundLog()))
    for answer in answers[1:]:
        np.testing.assert_array_equal(answer, answers[0])
    ends = small.u.astype(np.uint64), small.v.astype(np.uint64)
    wide = EdgeList(small.n, *ends, sort_keys_of(small.w))
    got = algorithm.run(wide, runs_on, RoundLog())
    np.testing.assert_array_equal(got, answers[0])


@pytest.mark.needs("numba")
@pytest.mark.parametrize("name", ["contract", "propose", "hook"])
def test_kernels_count_no_references(name):
    """With reference counting, operators that index inside a branch run up to 30 times slower."""
    from boruvka.kernels.make import numba_compiler

    zero, ends, keys = np.uint64(0), np.zeros(4, np.uint32), np.zeros(4, np.uint64)
    edges = InputEdges(ends, ends, *sort_keys_of(np.ones(4))[:2])
    arguments = {
        "contract": (zero, (ends, ends, keys, keys), edges, ends),
        "propose": (keys, edges, zero),
        "hook": (edges, keys, zero, zero, ends),
    }[name]
    operator = getattr(boruvka_round, name)(read_input)
    made = {
        "contract": lambda: threads.emit_loop(operator, store_columns(1, 4), True),
        "propose": lambda: threads.scatter_min_loop(operator, True),
        "hook": lambda: threads.for_each_loop(operator, True),
    }[name]()
    kinds = []
    pack((zero, zero, *arguments), kinds, [])
    module, _ = numba_compiler.linked(made.function, tuple(kinds), True)
    code = numba_compiler.optimised(module, numba_compiler.Target.host())
    assert "define" in str(code)
    assert "NRT_incref" not in str(code)


WITHOUT_MACHINE_CODE = """
import sys
from boruvka import generators, minimum_spanning_forest
from boruvka.kernels import library, team
from boruvka.kernels.make import jit

library.installed = lambda: None
jit.load = lambda name, code: library.Loaded(code.results, None, None)
graph = generators.random(20_000, 600_000, seed=3)
for name in sys.argv[1:]:
    print(*minimum_spanning_forest(graph, algorithm=name, threads=3).edges)
assert not team.runs_machine_code()
"""


@pytest.mark.long
def test_a_system_that_runs_no_new_machine_code():
    """Numba starts all kernels, on the calling thread."""
    names = "filter-boruvka", "kruskal", "csr-contraction"
    graph = generators.random(20_000, 600_000, seed=3)
    expected = " ".join(map(str, minimum_spanning_forest(graph).edges))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MACHINE_CODE, *names], capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [expected] * 3, done.stderr
