"""Compile every kernel that algorithms ask for to PTX, without a GPU: ``python -m tests.backends.ptx``.

Kernels are compiled for the types of their arguments when they are launched, and not run; what the
algorithms get is what the interpreted backend finds. Prints a line for each kernel.
"""

import os
import sys
from types import SimpleNamespace

os.environ["NUMBA_ENABLE_CUDASIM"] = "0"
os.environ["NUMBA_CUDA_DEFAULT_PTX_CC"] = "9.0"

import numpy as np
from numba import cuda
from numba.cuda import cuda_paths, dispatcher
from numba.cuda.cudadrv import nvrtc

HOPPER = (9, 0)
ALGORITHMS = [
    "filter-boruvka",
    "boruvka",
    "csr-contraction",
    "colour-contraction",
    "scan-split",
    "edge-contraction",
    "star-contraction",
    "component-edge-contraction",
]
WITH_WIDE_KEYS = ["filter-boruvka", "edge-contraction"]
ARRAYS = ["arange", "argsort", "asarray", "ascontiguousarray", "cumsum", "searchsorted"]
seen = set()
device_jit = cuda.jit


class Kernel:
    """A kernel that is compiled where others are launched."""

    def __init__(self, function):
        self.function = function

    def __getitem__(self, grid):
        return self.launch

    def launch(self, *arguments):
        from numba import typeof

        types = tuple(typeof(x) for x in arguments)
        if (self.function, types) in seen:
            return
        seen.add((self.function, types))
        code, _ = cuda.compile(self.function, types, device=False, abi="numba", cc=HOPPER)
        assert ".target sm_90" in code
        assert "call.uni" not in code, f"a call is left in {name_of(self.function)}"
        print(name_of(self.function), len(code), flush=True)


def name_of(function):
    """Name a kernel by what it runs."""
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    names = [x.py_func.__qualname__ for x in held if hasattr(x, "py_func")]
    return f"{function.__qualname__.split('.')[0]}: {', '.join(names)}"


def stand_in_for_the_gpu():
    """Let Numba compile for a GPU that is not there, and NumPy take the place of CuPy."""
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=HOPPER)
    cuda.is_available = lambda: True
    cuda_paths._get_nvrtc_path = lambda: None  # 200 MB that only CUDA C++ needs
    nvrtc.get_arch_option = lambda major, minor, *rest: f"compute_{major}{minor}"
    cuda.jit = lambda *given, **options: Kernel(*given) if given else device_jit(**options)
    sys.modules["cupy"] = SimpleNamespace(
        **{name: getattr(np, name) for name in ARRAYS},
        zeros=np.zeros,
        empty=np.ones,  # so that marks that nobody makes count something
        asnumpy=np.asarray,
        ndarray=(),
    )


def main():
    stand_in_for_the_gpu()
    from boruvka import generators
    from boruvka.algorithms import ALGORITHMS as KNOWN
    from boruvka.algorithms import filter_boruvka, radix
    from boruvka.backends.cuda import Cuda
    from boruvka.backends.interpreted import Interpreted
    from boruvka.order import order_of
    from boruvka.rounds import Journal

    gpu, host = Cuda(), Interpreted()

    class Both:
        """Let both do everything; only what the host finds counts."""

        has_caches = False

        def __getattr__(self, name):
            method = getattr(host, name)

            def both(*arguments):
                with np.errstate(all="ignore"):
                    getattr(gpu, name)(*map(copied, arguments))
                return method(*arguments)

            return method if name in ("empty", "zeros", "room", "split") else both

    def copied(x):
        if isinstance(x, np.ndarray):
            return x.copy()
        return [copied(y) for y in x] if isinstance(x, list) else x

    filter_boruvka.FEW, filter_boruvka.DENSE, radix.DIGIT_BITS = 5, 1.5, 3
    for name in sys.argv[1:] or ALGORITHMS:
        for bits in (None, 40) if name in WITH_WIDE_KEYS else (None,):
            graph = generators.random(20, 60, seed=1, dtype="float32")
            KNOWN[name].run(graph, order_of(graph.w, index_bits=bits), Both(), Journal())


if __name__ == "__main__":
    main()
