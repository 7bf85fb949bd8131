"""The CUDA backend: on Numba's simulator, or on a GPU if ``NUMBA_ENABLE_CUDASIM=0`` is set."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("numba")
from hypothesis import given
from hypothesis import strategies as st

from boruvka import generators, minimum_spanning_forest
from boruvka.algorithms.registry import edge_list_algorithms
from lab.gpu import ALGORITHMS as GPU_ALGORITHMS
from tests import oracles
from tests.conftest import set_small_limits
from tests.strategies import SLOW, graphs

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
@SLOW
@pytest.mark.usefixtures("small")
def test_edges_are_those_of_kruskal(algorithm, graph, maximum):
    check_edges(graph, algorithm, maximum)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", GPU_ALGORITHMS)
@given(graph=graphs(), maximum=st.booleans())
@SLOW
@pytest.mark.usefixtures("small")
def test_edges_of_all_gpu_algorithms(algorithm, graph, maximum):
    check_edges(graph, algorithm, maximum)


@pytest.mark.long
@pytest.mark.parametrize("algorithm", sorted({*edge_list_algorithms()} - {*GPU_ALGORITHMS, "dense"}))
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


def test_kernels_are_made_while_another_thread_runs_one(monkeypatch):
    from boruvka.backends.cuda import kernels

    monkeypatch.setattr(kernels, "cuda", None)  # the simulator puts an object without `jit` here meanwhile
    for make in (kernels.for_each_kernel, kernels.mark_kernel, kernels.visit_kernel):
        make.__wrapped__(lambda i: i)
    kernels.for_each_block_kernel.__wrapped__(lambda i: i, 0)
    kernels.sum_before_kernel.__wrapped__()


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
