"""What GPU kernels are passed, and how they are kept; the driver and the compiler are stand-ins."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

pytest.importorskip("numba")

from boruvka.backends.cuda import compiler, launcher
from boruvka.kernels.make import kernel_cache


class Pair(NamedTuple):
    first: object
    second: object


def array(shape, dtype):
    """An array with the attributes of one of CuPy."""
    there = np.empty(shape, dtype)
    names = ("size", "shape", "strides", "dtype", "ndim")
    return SimpleNamespace(**{name: getattr(there, name) for name in names}, data=SimpleNamespace(ptr=4096))


def described(*arguments):
    words = []
    return launcher.describe(arguments, words), words


@pytest.mark.parametrize(
    ("scalar", "word"),
    [
        (True, 1),
        (np.bool_(True), 1),
        (-1, 2**64 - 1),
        (2**63, 2**63),
        (np.uint64(2**64 - 1), 2**64 - 1),
        (np.int32(-2), 2**32 - 2),
        (np.int8(-128), 128),
        (1.0, 0x3FF0000000000000),
        (np.float32(1), 0x3F800000),
    ],
)
def test_scalars_are_passed_as_their_bits(scalar, word):
    key, words = described(scalar)
    assert words == [word]
    assert key == (tuple, type(scalar))


def test_arrays_are_passed_as_the_struct_of_numba():
    assert described(array(5, np.uint32))[1] == [0, 0, 5, 4, 4096, 5, 4]
    assert described(array((2, 3), np.int64))[1] == [0, 0, 6, 8, 4096, 2, 3, 24, 8]


def test_types_are_told_apart_and_sizes_are_not():
    u32, u64 = array(5, np.uint32), array(5, np.uint64)
    assert described(u32)[0] == described(array(9, np.uint32))[0]
    arguments = [
        (u32,),
        (u64,),
        (array((5, 1), np.uint32),),
        ((u32,),),
        (Pair(u32, u64),),
        ((u32, u64),),
        (5,),
    ]
    assert len({described(*each)[0] for each in arguments}) == len(arguments)


def test_kernels_are_compiled_once_and_kept(monkeypatch, tmp_path):
    class Module:
        def load(self, machine_code):
            self.machine_code = machine_code

        def get_function(self, name):
            return name, self.machine_code

    compiled = []

    def compile_once(kernel, examples):
        compiled.append(examples)
        library = SimpleNamespace(get_cubin=lambda: SimpleNamespace(code=b"\x7fELF\ncode"))
        return SimpleNamespace(entry_name="entry", library=library)

    monkeypatch.setattr(kernel_cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compiler, "compiled", compile_once)
    monkeypatch.setattr(compiler, "identity", lambda: "numba-cuda 1.0")
    device = SimpleNamespace(compute_capability="90")
    cuda = SimpleNamespace(Device=lambda: device, function=SimpleNamespace(Module=Module))
    monkeypatch.setattr(launcher, "xp", SimpleNamespace(cuda=cuda))
    kernel = SimpleNamespace(py_func=lambda i: i)

    def load(described):
        assert launcher.load(kernel, (1,), described) == ("entry", b"\x7fELF\ncode")
        return len(compiled)

    assert [load("int"), load("int"), load("float")] == [1, 1, 2]
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert load("int") == 3
    device.compute_capability = "100"
    assert load("int") == 4
    assert load("int") == 4


def test_arguments_are_typed_without_their_data():
    found = launcher._without_data((array((2, 3), np.float32), Pair(np.uint8(3), array(4, bool))))
    assert found[0].shape == (0, 0)
    assert found[0].dtype == np.float32
    assert isinstance(found[1], Pair)
    assert found[1].first == 3
    assert found[1].second.dtype == bool
