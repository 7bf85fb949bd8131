import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest

from boruvka.backends import kernel_cache
from boruvka.backends.kernel_cache import Code, NotIdentifiableError, cache_folder, identity_of, read, write

COMPILE = (
    "import numpy as np\n"
    "from boruvka.graph.connected_components import label_components\n"
    "assert label_components(2, *np.array([[0], [1]], np.uint32)).tolist() == [0, 0]"
)
"""A program with one small kernel."""
SOLVE = (
    "import boruvka\n"
    "graph = boruvka.generators.random(30_000, 100_000, seed=3)\n"
    "print(boruvka.minimum_spanning_forest(graph, threads=2).edges.tolist())"
)
"""A program with many kernels."""


def run(code, cache, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "BORUVKA_CACHE_DIR": str(cache), **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def kernels(cache):
    return {path: path.stat().st_mtime_ns for path in Path(cache).rglob("*.kernel")}


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
    old, other = folder / "old.kernel", cache / "other-version"
    old.touch()
    other.mkdir()
    (other / "x.kernel").touch()
    young = kernels(cache)
    for path in (old, other):
        os.utime(path, (0, 0))
    kernel_cache.prune.__wrapped__(folder)
    assert not old.exists()
    assert not other.exists()
    assert kernels(cache).keys() == {path for path in young if path.parent == folder and path != old}


def flip_a_byte(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("damage", [lambda x: b"garbage", lambda x: x[:-1], lambda x: b"", flip_a_byte])
def test_damaged_kernels_are_not_read(tmp_path, damage):
    path, code = tmp_path / "x.kernel", Code(("int64", "boolean"), bytes(range(256)))
    write(path, code)
    assert read(path) == code
    path.write_bytes(damage(path.read_bytes()))
    assert read(path) is None
    write(path, code)
    assert read(path) == code
    assert read(tmp_path / "y.kernel") is None


def test_damaged_kernels_are_compiled_again(cache):
    for path in kernels(cache):
        path.write_bytes(flip_a_byte(path.read_bytes()))
    run(COMPILE, cache)
    assert all(read(path) is not None for path in kernels(cache))


def test_a_folder_that_others_can_write_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setenv("BORUVKA_CACHE_DIR", str(tmp_path))
    folder = cache_folder.__wrapped__()
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o777 == 0o700
    for mode in (0o770, 0o707, 0o777):
        folder.chmod(mode)
        assert cache_folder.__wrapped__() is None
    folder.chmod(0o755)
    assert cache_folder.__wrapped__() == folder


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("BORUVKA_CACHE_DIR", str(file))
    assert cache_folder.__wrapped__() is None
    write(tmp_path / "nowhere" / "x.kernel", Code((), b""))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes")
def test_a_full_folder_does_no_harm(tmp_path):
    run("import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n" + COMPILE, tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.long
def test_processes_that_start_at_once_agree(tmp_path):
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SOLVE],
            env={**os.environ, "BORUVKA_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
        )
        for _ in range(20)
    ]
    answers = {process.communicate()[0] for process in started}
    assert len(answers) == 1
    assert all(process.returncode == 0 for process in started)
    assert all(read(path) is not None for path in kernels(tmp_path))
    before = kernels(tmp_path)
    assert run(SOLVE, tmp_path).encode() in answers
    assert kernels(tmp_path) == before
