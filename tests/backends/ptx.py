"""Compile kernels to PTX for Hopper, without a GPU: ``python -m tests.backends.ptx [ALGORITHM...]``.

Algorithms run on the interpreted backend, and the CUDA backend repeats each call with NumPy arrays that
have the attributes of CuPy's. The launcher finds their types, compiles, and prepares what each launch passes;
only the launch itself is left out. Prints the name of each kernel and the size of its PTX.
"""

import os
import re
import sys
from types import SimpleNamespace

os.environ["NUMBA_ENABLE_CUDASIM"] = "0"


import numpy as np
from cuda import pathfinder
from numba import cuda
from numba.cuda import codegen, cuda_paths, dispatcher
from numba.cuda.cudadrv import nvrtc

CAPABILITY = (9, 0)
ALGORITHMS = [
    "filter-boruvka",
    "boruvka",
    "csr-contraction",
    "colour-contraction",
    "scan-split",
    "edge-contraction",
    "star-contraction",
    "component-edge-contraction",
    "block-boruvka",
]
WITH_WIDE_KEYS = ["filter-boruvka", "edge-contraction"]
CUPY = ["arange", "argsort", "asarray", "ascontiguousarray", "cumsum", "searchsorted", "zeros"]
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


class DeviceArray:
    """A NumPy array with the attributes of one of CuPy."""

    def __init__(self, array):
        self.array = array
        self.dtype, self.size, self.ndim = array.dtype, array.size, array.ndim
        self.shape, self.strides = array.shape, array.strides
        self.data = SimpleNamespace(ptr=array.ctypes.data)


def on_device(x):
    """Replace the arrays in an argument."""
    if isinstance(x, np.ndarray):
        return DeviceArray(x)
    if isinstance(x, tuple):
        return x._make(map(on_device, x)) if hasattr(x, "_make") else tuple(map(on_device, x))
    return x


def stand_in_for_the_gpu():
    """Replace what Numba asks of the driver, and CuPy by NumPy."""
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
    dispatcher._Kernel.bind = lambda kernel: None
    codegen.CUDACodeLibrary._ensure_cc = lambda library, cc: CAPABILITY
    nvrtc.get_arch_option = lambda major, minor, *rest: f"compute_{major}{minor}"
    cuda.is_available = lambda: True
    cuda_paths._get_nvrtc_path = lambda: None  # 200 MB that only CUDA C++ needs
    numpy = {name: getattr(np, name) for name in CUPY}
    driver = SimpleNamespace(runtime=SimpleNamespace(getDevice=lambda: 0))
    # Ones, not zeros: the counts that no kernel writes are then positive.
    sys.modules["cupy"] = SimpleNamespace(**numpy, empty=np.ones, asnumpy=np.asarray, cuda=driver)


def check_launches(compiler, launcher):
    """Check each kernel when it is first launched with arguments of some types; return those checked."""
    checked, libraries = {}, []

    def load(kernel, arguments, described):
        libraries.append(compiler.compiled(kernel, launcher._without_data(arguments)).library)
        return SimpleNamespace(ptr=len(libraries) - 1)

    def start(pointer, blocks, threads, words):
        library = libraries[pointer]
        if library in checked:
            return
        checked[library] = ptx = library.get_asm_str()
        declared = ptx.partition(".visible .entry ")[2].partition(")")[0]
        assert ".target sm_90" in ptx
        assert "call.uni" not in ptx, f"a call is left in {library.name}"
        assert "__local_depot" not in ptx, f"an array or a tuple of {library.name} is not in registers"
        parameters = re.findall(r"\.param \.(\w+)", declared)
        assert len(parameters) == len(words), library.name
        for kind, word in zip(parameters, words, strict=True):
            assert 0 <= word < 1 << 8 * BYTES[kind], library.name
        print(library.name, len(ptx), flush=True)

    launcher.load, launcher.start = load, start
    return checked


class BothBackends:
    """Do everything on both; return what the interpreted backend returns."""

    is_cpu = False

    def __init__(self, interpreted, gpu):
        self.interpreted, self.gpu, self.tuning = interpreted, gpu, gpu.tuning

    def __getattr__(self, name):
        method = getattr(self.interpreted, name)

        def both(*arguments):
            with np.errstate(all="ignore"):
                getattr(self.gpu, name)(*map(copy, arguments))
            return method(*arguments)

        return method if name in ("empty", "zeros", "empty_worklist", "split") else both


def copy(x):
    if isinstance(x, np.ndarray):
        return x.copy()
    return [copy(y) for y in x] if isinstance(x, list) else x


def main(algorithms):
    if not algorithms:
        algorithms = ALGORITHMS
    try:
        pathfinder.load_nvidia_dynamic_lib("nvvm")
    except pathfinder.DynamicLibNotFoundError:
        print("libnvvm is not installed", file=sys.stderr)
        return 1
    stand_in_for_the_gpu()
    from boruvka import generators
    from boruvka.algorithms.building_blocks.edge_list import EdgeList
    from boruvka.algorithms.registry import ALGORITHMS as REGISTRY
    from boruvka.backends.cuda import backend, compiler, launcher
    from boruvka.backends.primitives import Backend
    from boruvka.backends.tuning import Tuning
    from boruvka.operators.sort_keys import sort_keys_of
    from boruvka.runtime.round_log import RoundLog
    from boruvka.stream.bottleneck_filter import DeviceFilter, build_filter
    from boruvka.stream.indexed_edges import IndexedEdges

    checked, launch = check_launches(compiler, launcher), launcher.launch
    backend.launch = lambda *arguments: launch(*map(on_device, arguments))
    tuning = Tuning(filter_pays_on_gpu_from=5, filter_pays_at_degree=1.5, radix_digit_bits=3)
    both = BothBackends(Backend(), backend.Cuda(1, tuning))
    graph = generators.random(20, 60, seed=1, dtype="float32")
    for name in algorithms:
        for index_bits in (None, 40) if name in WITH_WIDE_KEYS else (None,):
            keys = sort_keys_of(graph.w, index_bits=index_bits)
            edges = EdgeList(graph.n, graph.u, graph.v, keys)
            REGISTRY[name].run(edges, both, RoundLog())
    path = np.arange(19, dtype=np.uint32)
    edge_filter = build_filter(
        IndexedEdges(np.arange(19), path, path + np.uint32(1), graph.w[:19]), graph.n, False
    )
    DeviceFilter.of(edge_filter).surviving(19, graph.u, graph.v, graph.w, graph.n)
    print(len(checked), "kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
