import math
import os
import struct
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from boruvka.errors import BackendError, BoruvkaError, MissingExtraError
from boruvka.kernels import library
from boruvka.kernels import team_loops as loops
from boruvka.kernels.kernel import Kernel, KernelError, kernel
from boruvka.kernels.kernel_arguments import pack
from boruvka.kernels.library import Loaded
from boruvka.kernels.make import jit, kernel_cache
from boruvka.kernels.make.kernel_cache import Code
from tests.kernels.warm_solve import modules_of_a_warm_solve

Pair = namedtuple("Pair", "first second")


def add_all(into, arrays, pair, number):
    """Add up what all kinds of arguments hold; return as many kinds of results."""
    total = number
    for i in range(arrays[1].shape[0]):
        total += arrays[0][i] + arrays[1][i] + arrays[2][i] + arrays[3][i]
    into[0] = total
    return total, pair.first[1, 2], pair.second, number > 1, np.uint64(7)


def check_add_all(compiled):
    into, matrix = np.zeros(1), np.arange(12.0).reshape(3, 4)
    fortran, strided = np.asfortranarray(matrix), np.arange(10, dtype=np.int8)[::3]
    read_only = np.arange(5, dtype=np.uint16)
    read_only.flags.writeable = False
    packed = np.zeros(4, np.dtype([("x", "u1"), ("y", "<i4")]))
    packed["y"] = [1, -2, 3, -4]
    assert not packed["y"].flags.aligned
    arrays = np.ones(4, np.float32), strided, read_only, packed["y"]
    for inner, number in ((matrix, 2), (fortran, np.float64(0.5))):
        results = compiled(into, arrays, Pair(inner, -3), number)
        assert results == (into[0], 6.0, -3, number > 1, 7)
        assert into[0] == 4 + 18 + 6 - 2 + number
        assert type(results[3]) is bool


@pytest.mark.needs("numba")
def test_all_kinds_of_arguments_and_results():
    check_add_all(Kernel(add_all))


@pytest.mark.needs("numba")
def test_numbers_of_all_types():
    def double(x):
        return x + x

    compiled = Kernel(double)
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"):
        x = np.dtype(dtype).type(100 if dtype == "u1" else 60)
        assert compiled(x) == 2 * int(x)
    assert compiled(-4) == -8
    assert compiled(2**63) == 0  # an unsigned number, modulo 2**64
    assert compiled(True) == compiled(np.True_) == 2
    assert compiled(0.25) == 0.5
    with pytest.raises(TypeError, match="a kernel takes arrays, numbers and tuples of them, not"):
        compiled("x")


@pytest.mark.needs("numba")
def test_types_of_results():
    assert Kernel(lambda a: a[0] > 0).result_types(np.ones(1)) == ("boolean",)
    assert Kernel(lambda a: None).result_types(np.ones(1)) == ()
    assert Kernel(lambda a: a[0]).result_types(np.ones(1, np.uint16)) == ("uint16",)


@pytest.mark.needs("numba")
def test_code_that_cannot_be_loaded_is_started_by_numba(monkeypatch):
    assert jit.load("x", Code(("int64",), b"garbage")) == Loaded(("int64",), None, None)
    monkeypatch.setattr(jit, "load", lambda name, code: Loaded(code.results, None, None))
    check_add_all(Kernel(add_all))


WIDE_RELOCATIONS = {62: {1: "R_X86_64_64", 24: "R_X86_64_PC64"}, 183: {257: "R_AARCH64_ABS64", 260: "PREL64"}}
"""Relocations of 64 bits by machine: 62 is x86-64, 183 AArch64 (their ELF supplements)."""


def relocations(code):
    """List the machine of an object file of ELF, and the types of its relocations."""
    machine, sections = struct.unpack_from("<18xH20xQ", code)
    size, count = struct.unpack_from("<58xHH", code)
    types = []
    for at in range(sections, sections + size * count, size):
        kind, offset, length = struct.unpack_from("<4xI16xQQ", code, at)
        if kind == 4:  # with addends, 24 bytes each
            types += [struct.unpack_from("<8xI", code, at)[0] for at in range(offset, offset + length, 24)]
    return machine, types


@pytest.mark.needs("numba")
@pytest.mark.skipif(sys.platform != "linux", reason="the object file is not of ELF")
def test_code_and_its_constants_may_be_loaded_far_apart():
    """The loader of LLVM aborts, or makes wrong code, if a distance needs more bits than it has.

    This happened after many others had been loaded, in processes with much memory.
    """

    def polynomial(x):
        return (x * 0.3 + 0.7) ** 3

    for function, argument in ((polynomial, np.float64(0)), (loops.team, np.uint64(0))):
        kinds = []
        pack([argument] * function.__code__.co_argcount, kinds, [])
        machine, types = relocations(jit._compile(function, tuple(kinds), False).object_code)
        assert types
        assert {*types} <= WIDE_RELOCATIONS[machine].keys()


def test_without_numba_an_error_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.delenv(library.RECORD_VARIABLE)  # no package calls this kernel with these types
    monkeypatch.setattr(jit, "find_spec", lambda name: None)
    needed = 'Numba, which compiles it, is not installed; install it with: pip install "boruvka\\[jit\\]"'
    with pytest.raises(MissingExtraError, match=f"of a function that is not part of boruvka, and {needed}"):
        Kernel(add_all)(1)
    monkeypatch.setattr(library, "installed", lambda: None)
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    with pytest.raises(MissingExtraError, match=f"no machine code for this system, and {needed}"):
        Kernel(loops.team)(1)
    for level in library.levels():
        (tmp_path / f"{level}.so").touch()
        with pytest.raises(
            MissingExtraError, match=f"code in this checkout was made of other sources, and {needed}"
        ):
            Kernel(loops.team)(1)
    monkeypatch.setattr(library, "installed", lambda: library)
    monkeypatch.setattr(library, "find", lambda definition: None)
    with pytest.raises(MissingExtraError, match="no machine code of team for arguments of these types"):
        Kernel(loops.team)(1)


@pytest.mark.needs("numba")
def test_numba_that_compiles_nothing(monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: None)
    monkeypatch.setattr("numba.config.DISABLE_JIT", True)
    with pytest.raises(BackendError, match="compiles nothing while NUMBA_DISABLE_JIT is set: unset it"):
        Kernel(add_all)(1)


def sqrt(x):
    return math.sqrt(x)


@pytest.mark.needs("numba")
def test_an_attribute_with_the_name_of_the_function():
    assert Kernel(sqrt)(9.0) == 3


@pytest.mark.needs("numba")
def test_an_exception_in_compiled_code():
    @kernel
    def fail(x):
        if x > 3:
            raise ValueError("too large")
        return x

    assert fail(2) == 2
    with pytest.raises(KernelError, match="a compiled function raised an exception") as caught:
        fail(4)
    assert isinstance(caught.value, BoruvkaError)


@pytest.mark.needs("numba")
def test_threads_call_a_kernel_at_once():
    @kernel
    def sum_of(a):
        total = 0
        for i in range(a.size):
            total += a[i]
        return total

    arrays = [np.full(1000, k) for k in range(64)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(sum_of, arrays)) == [1000 * k for k in range(64)]


@pytest.mark.needs("numba")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_calls_and_loads_kernels():
    @kernel
    def double(a):
        return 2 * a[0]

    assert double(np.array([4])) == 8
    child = os.fork()
    if not child:
        right = double(np.array([5])) == 10 and double(np.array([2.5])) == 5
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_warm_solve_imports_no_compiler():
    assert modules_of_a_warm_solve("numba", "scipy", "pandas", "networkx") == []


@pytest.mark.needs("numba")
def test_without_a_cache(monkeypatch):
    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: None)
    check_add_all(Kernel(add_all))
