import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from boruvka.backends.kernel_cache import NotIdentifiableError, identity_of

COMPILE = (
    "import numpy as np\n"
    "from boruvka.graph.connected_components import label_components\n"
    "assert label_components(2, *np.array([[0], [1]], np.uint32)).tolist() == [0, 0]"
)
"""A program with one small kernel."""


def run(code, cache, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BORUVKA_CACHE_DIR": str(cache), **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def kernels(cache):
    return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*.nbc")}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A cache with the kernels of the program."""
    folder = tmp_path_factory.mktemp("compiled")
    run(COMPILE, folder)
    return folder


@pytest.fixture
def cache(compiled, tmp_path):
    return shutil.copytree(compiled, tmp_path / "cache")


def test_a_new_process_finds_the_kernels_and_leaves_no_file(cache):
    first = kernels(cache)
    assert first
    run(COMPILE, cache)
    assert kernels(cache) == first


def constant_one(i, a):
    a[i] = ONE


def callee(x):
    return x + 1


def caller(i, a):
    a[i] = callee(a[i])


ONE = np.uint64(1)


def with_globals(function, **values):
    """Copy a function with other globals."""
    return FunctionType(function.__code__, {**function.__globals__, **values}, function.__name__)


def test_a_kernel_is_identified_by_all_that_is_compiled_into_it():
    def other_callee(x):
        return x + 2

    assert identity_of(caller) == identity_of(with_globals(caller, unrelated=3))
    assert identity_of(caller) != identity_of(with_globals(caller, callee=other_callee))
    assert identity_of(constant_one) != identity_of(with_globals(constant_one, ONE=np.uint64(2)))
    assert identity_of(constant_one) != identity_of(with_globals(constant_one, ONE=np.uint32(1)))

    def closure_over(value):
        def kernel(i, a):
            a[i] = value(a[i]) if callable(value) else value

        return kernel

    assert identity_of(closure_over(callee)) != identity_of(closure_over(other_callee))
    table = np.arange(5000)
    assert identity_of(closure_over(table)) == identity_of(closure_over(table.copy()))
    table_too = table.copy()
    table_too[2500] = -1
    assert identity_of(closure_over(table)) != identity_of(closure_over(table_too))
    with pytest.raises(NotIdentifiableError, match="type object is compiled"):
        identity_of(closure_over(object()))


def test_the_identity_is_that_of_another_process():
    code = (
        "from boruvka.backends.kernel_cache import identity_of\n"
        "from boruvka.operators.boruvka_round import propose_input\n"
        "print(identity_of(propose_input).hex())"
    )
    assert run(code, "unused") == run(code, "unused", PYTHONHASHSEED="7")


def test_what_was_long_not_used_is_removed(cache):
    (folder,) = cache.iterdir()
    old, other = folder / "old.nbc", cache / "other-version"
    old.touch()
    other.mkdir()
    (other / "kernel.nbc").touch()
    young = kernels(cache)
    for path in (old, other):
        os.utime(path, (0, 0))
    run(COMPILE, cache)
    assert not old.exists()
    assert not other.exists()
    assert kernels(cache).keys() == {path for path in young if path.parent == folder and path != old}


def test_damaged_kernels_are_compiled_again(cache):
    for path in kernels(cache):
        path.write_bytes(b"garbage")
    run(COMPILE, cache)
    assert all(path.read_bytes() != b"garbage" for path in kernels(cache))


def test_it_works_without_a_cache(tmp_path):
    file = tmp_path / "file"
    file.touch()
    run(COMPILE, file)
    assert file.is_file()
