"""Machine code that is loaded without LLVM, and what is left to LLVM."""

import math
import platform
import sys

import numpy as np
import pytest

from boruvka.errors import BackendError
from boruvka.kernels import kernel_cache, position_independent
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_arguments import pack
from tests.kernels.warm_solve import modules_of_a_warm_solve

elf_on_x86 = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="machine code has another form here"
)
TABLE = np.arange(100.0) ** 2


def choose(a, case):
    """Use a table of constants and, for the cases, a table of jumps."""
    if case == 0:
        return TABLE[a[0]]
    if case == 1:
        return 0.1
    if case == 2:
        return TABLE[a[1]] + 0.2
    if case == 3:
        return a[0] / 3
    if case == 4:
        return -TABLE[a[1]]
    return 0.7


def exponential(x):
    return math.exp(x)


def compiled(function, *arguments):
    from boruvka.kernels import numba_compiler

    kinds = []
    pack(arguments, kinds, [])
    return numba_compiler.compile_kernel(function, tuple(kinds), False)


@elf_on_x86
def test_code_with_constants_and_jumps_runs_anywhere():
    assert compiled(choose, np.array([7, 9]), 1).entry is not None
    kernel = Kernel(choose, "choose")
    a = np.array([7, 9])
    assert [kernel(a, case) for case in range(6)] == [choose(a, case) for case in range(6)]


def test_code_that_calls_the_c_library_is_left_to_llvm():
    assert compiled(exponential, 0.5).entry is None
    assert Kernel(exponential, "exponential")(0.5) == math.exp(0.5)


def test_object_code_of_other_systems_is_left_to_llvm():
    mach_o, windows = b"\xcf\xfa\xed\xfe" + bytes(60), b"\x64\x86" + bytes(60)
    assert position_independent.link_object(mach_o) is position_independent.link_object(windows) is None
    aarch64 = b"\x7fELF\x02\x01" + bytes(10) + (1).to_bytes(2, "little") + (183).to_bytes(2, "little")
    assert position_independent.link_object(aarch64 + bytes(44)) is None


@elf_on_x86
def test_memory_that_cannot_be_executed(monkeypatch):
    from boruvka.kernels import kernel

    monkeypatch.setattr(kernel, "PROTECTION", -1)
    with pytest.raises(BackendError, match="only backend='interpreted' runs here"):
        kernel._load("x", kernel_cache.Code((), b"\xc3", 0))


@elf_on_x86
def test_a_warm_solve_does_not_import_llvm():
    assert modules_of_a_warm_solve("llvmlite") == []
    graph = "boruvka.generators.random(100_000, 300_000, seed=1)"
    for algorithm in "boruvka", "filter-boruvka":
        assert modules_of_a_warm_solve("llvmlite", graph=graph, algorithm=algorithm) == []
