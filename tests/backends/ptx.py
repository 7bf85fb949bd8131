"""Compile every kernel that algorithms ask for to PTX, without a GPU: ``python -m tests.backends.ptx``.

Kernels are compiled for the types of their arguments when they are launched, and not run; what the
algorithms get is what the interpreted backend finds. Prints a line for each kernel.
"""

import os
import re
import sys
from types import SimpleNamespace

os.environ["NUMBA_ENABLE_CUDASIM"] = "0"

import numpy as np
from cuda import pathfinder
from numba import cuda
from numba.cuda import cuda_paths, dispatcher
from numba.cuda.cudadrv import nvrtc

HOPPER = "90"
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
ARRAYS = ["arange", "argsort", "asarray", "ascontiguousarray", "cumsum", "ndarray", "searchsorted"]
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


def stand_in_for_the_gpu():
    """Let Numba compile for a GPU that is not there, and NumPy take the place of CuPy."""
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))
    nvrtc.get_arch_option = lambda major, minor, *rest: f"compute_{major}{minor}"
    cuda.is_available = lambda: True
    cuda_paths._get_nvrtc_path = lambda: None  # 200 MB that only CUDA C++ needs
    empty = np.ones  # so that marks that nobody makes count something
    arrays = {name: getattr(np, name) for name in ARRAYS}
    sys.modules["cupy"] = SimpleNamespace(**arrays, empty=empty, zeros=np.zeros, asnumpy=np.asarray)


def compiler(backend, can_link):
    """Compile kernels where others are started, and look at what they would be given."""
    seen = set()

    def start(kernel, blocks, threads, *arguments):
        words, kinds = [], []
        for x in arguments:
            backend._pack(x, words, kinds)
        if (kernel, str(kinds)) in seen:
            return
        seen.add((kernel, str(kinds)))
        entry, ptx = kernel.compile(tuple(map(backend._type_of, arguments)), HOPPER)
        assert ".target sm_90" in ptx
        assert "call.uni" not in ptx, f"a call is left in {kernel._name}"
        assert "__local_depot" not in ptx, f"an array or a tuple of {kernel._name} is not in registers"
        parameters = re.findall(r"\.param \.(\w+)", ptx.partition(f".entry {entry}(")[2].partition(")")[0])
        assert [BYTES[kind] for kind in parameters] == [word.nbytes for word in words]
        code = backend.link(ptx, HOPPER) if can_link else b""
        print(kernel._name, len(ptx), len(code), flush=True)

    return start


def check_that_code_is_kept(backend, start):
    """Start a kernel, and start it anew as another process would, without a compiler."""
    from boruvka.algorithms.building_blocks.union_find import alone

    loaded, started = [], []

    class Module:
        def load(self, code):
            loaded.append(code)

        def get_function(self, entry):
            return lambda grid, block, words: started.append((entry, grid, block, len(words)))

    backend.xp.cuda = SimpleNamespace(
        function=SimpleNamespace(Module=Module),
        Device=lambda: SimpleNamespace(compute_capability=HOPPER),
        runtime=SimpleNamespace(getDevice=lambda: 0),
    )
    array = np.zeros(5, np.uint32)
    link = backend.link
    for _ in range(2):
        kernel = backend._each(alone)
        for _ in range(2):
            start(kernel, 1, 32, np.uint64(0), np.uint64(5), (array,))
        backend._each.cache_clear()
        backend.link = None  # from here on there is no compiler
    backend.link = link
    assert len(loaded) == 2
    assert loaded[0] == loaded[1] != b""
    assert started == 4 * [(started[0][0], (1,), (32,), 2 + 7)]
    assert "run" in started[0][0]


def can_load(library):
    try:
        pathfinder.load_nvidia_dynamic_lib(library)
    except pathfinder.DynamicLibNotFoundError:
        return False
    return True


def main():
    if not can_load("nvvm"):
        print("libnvvm is not installed", file=sys.stderr)
        sys.exit(1)
    stand_in_for_the_gpu()
    from boruvka import generators
    from boruvka.algorithms import filter_boruvka
    from boruvka.algorithms.building_blocks import radix_sort as radix
    from boruvka.algorithms.registry import ALGORITHMS as KNOWN
    from boruvka.backends.cuda import backend as backend
    from boruvka.backends.interpreted import Interpreted
    from boruvka.forest.round_log import RoundLog
    from boruvka.operators.sort_keys import sort_keys_of

    backend._pointer = lambda x: x.ctypes.data
    start, can_link = backend._Kernel.start, can_load("nvJitLink")
    if can_link:
        check_that_code_is_kept(backend, start)
    backend._Kernel.start = compiler(backend, can_link)
    gpu, host = backend.Cuda(), Interpreted()

    class Both:
        """Let both do everything; only what the host finds counts."""

        has_caches = False

        def __getattr__(self, name):
            method = getattr(host, name)

            def both(*arguments):
                with np.errstate(all="ignore"):
                    getattr(gpu, name)(*map(copied, arguments))
                return method(*arguments)

            return method if name in ("empty", "zeros", "empty_worklist", "split") else both

    def copied(x):
        if isinstance(x, np.ndarray):
            return x.copy()
        return [copied(y) for y in x] if isinstance(x, list) else x

    filter_boruvka.FEW, filter_boruvka.DENSE, radix.DIGIT_BITS = 5, 1.5, 3
    for name in sys.argv[1:] or ALGORITHMS:
        for bits in (None, 40) if name in WITH_WIDE_KEYS else (None,):
            graph = generators.random(20, 60, seed=1, dtype="float32")
            KNOWN[name].run(graph, sort_keys_of(graph.w, index_bits=bits), Both(), RoundLog())


if __name__ == "__main__":
    main()
