import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest

from boruvka.kernels.make import kernel_cache
from boruvka.kernels.make.kernel_cache import Code, cache_folder, identity_of, read, write

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
        env={**os.environ, "BORUVKA_JIT": "1", "BORUVKA_CACHE_DIR": str(cache), **environment},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def kernels(cache):
    return {path: path.lstat().st_mtime_ns for path in Path(cache).rglob("*.kernel")}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A cache with the kernels of the program."""
    folder = tmp_path_factory.mktemp("compiled")
    run(COMPILE, folder)
    return folder


@pytest.fixture
def cache(compiled, tmp_path):
    return shutil.copytree(compiled, tmp_path / "cache")


@pytest.mark.needs("numba")
def test_a_new_process_finds_kernels_and_compiles_damaged_ones_again(cache):
    first = kernels(cache)
    assert first
    run(COMPILE, cache)
    assert kernels(cache) == first
    for path in first:
        path.write_bytes(flip_a_byte(path.read_bytes()))
    run(COMPILE, cache)
    assert kernels(cache).keys() == first.keys()
    assert all(read(path) is not None for path in first)


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


def closure_over(value):
    def kernel(i, a):
        a[i] = value(a[i]) if callable(value) else value

    return kernel


TABLE, CHANGED = np.arange(5000), np.where(np.arange(5000) == 2500, -1, np.arange(5000))


@pytest.mark.parametrize(
    ("function", "other", "same"),
    [
        (caller, with_globals(caller, unrelated=3), True),
        (caller, with_globals(caller, callee=lambda x: x + 2), False),
        (constant_one, with_globals(constant_one, ONE=np.uint64(2)), False),
        (constant_one, with_globals(constant_one, ONE=np.uint32(1)), False),
        (closure_over(callee), closure_over(lambda x: x + 2), False),
        (closure_over(TABLE), closure_over(TABLE.copy()), True),
        (closure_over(TABLE), closure_over(CHANGED), False),
    ],
)
def test_a_kernel_is_identified_by_all_that_is_compiled_into_it(function, other, same):
    assert (identity_of(function) == identity_of(other)) is same
    assert identity_of(closure_over(object())) is None


MODULE = """
from enum import IntEnum
SCALE = {scale}
class Kind(IntEnum):
    ONE = {kind}
class Plain:
    pass
"""


def distance_of(attribute, **values):
    """Make a distance that uses an attribute of a module of the user."""
    module = ModuleType("settings_of_the_user")
    exec(MODULE.format(**{"kind": 1, "scale": 2, **values}), vars(module))
    parent = ModuleType("package_of_the_user")
    parent.settings = module
    known = {"settings": module, "package": parent, **vars(module), "__name__": "user"}
    exec(f"def distance(a, b):\n    return {attribute}", known)
    return known["distance"]


@pytest.mark.parametrize("attribute", ["settings.SCALE", "package.settings.SCALE", "SCALE"])
def test_attributes_of_modules_of_the_user_identify_a_kernel(attribute):
    assert identity_of(distance_of(attribute)) == identity_of(distance_of(attribute))
    assert identity_of(distance_of(attribute)) != identity_of(distance_of(attribute, scale=3))


@pytest.mark.parametrize("attribute", ["Kind.ONE", "settings.Kind.ONE"])
def test_the_members_of_enumerations_identify_a_kernel(attribute):
    assert identity_of(distance_of(attribute)) == identity_of(distance_of(attribute))
    assert identity_of(distance_of(attribute)) != identity_of(distance_of(attribute, kind=3))


def test_classes_of_the_user_have_no_identity():
    assert identity_of(distance_of("Plain")) is None


def test_the_identity_is_that_of_another_process():
    code = (
        "from boruvka.kernels.make.kernel_cache import identity_of\n"
        "from boruvka.operators import boruvka_round, edges\n"
        "print(identity_of(boruvka_round.propose(edges.read_input)).hex())"
    )
    assert run(code, "unused") == run(code, "unused", PYTHONHASHSEED="7")


def age(path):
    """Make a file, a folder, or a symbolic link older than the time for which kernels are kept."""
    os.utime(path, (0, 0), follow_symlinks=False)


def old_kernel(path):
    """Write a kernel that was not used for a long time."""
    write(path, Code((), b"\xc3"))
    age(path)
    return path


def listing(folder):
    """Return all paths in a folder, with the content of files and the targets of links."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


@pytest.mark.needs("numba")
def test_kernels_that_were_long_not_used_are_removed(cache):
    (folder,) = cache.iterdir()
    young = kernels(cache)
    old = old_kernel(folder / "old.kernel")
    other = cache / f"{kernel_cache.FOLDER}cpython-38"
    other.mkdir(mode=0o700)
    (other / kernel_cache.MARK).touch()
    old_of_another_python = old_kernel(other / "old.kernel")
    kernel_cache.prune.__wrapped__(cache)
    assert not old.exists()
    assert not old_of_another_python.exists()
    assert kernels(cache) == young
    assert (folder / kernel_cache.MARK).exists()


def add_belongings_of_others(base, folder, outside):
    """Put old files and folders beside and into a cache, which might be taken for kernels in some way."""
    real = old_kernel(outside / "real.kernel").read_bytes()
    for name in ("thesis.tex", "x.kernel", ".bashrc", "boruvka-kernels-notes.txt", "old.kernel.bak"):
        (base / name).write_bytes(real)
    for name in ("thesis", "other-version", "cpython-310-kernels", f"{kernel_cache.FOLDER}of-others"):
        (base / name / "deep").mkdir(parents=True)
        (base / name / "x.kernel").write_bytes(real)  # not in a marked folder
        (base / name / "deep" / "y.kernel").write_bytes(real)
    (base / f"{kernel_cache.FOLDER}link").symlink_to(outside, target_is_directory=True)
    (base / f"{kernel_cache.FOLDER}broken").symlink_to(outside / "nowhere")
    marked_elsewhere = base / f"{kernel_cache.FOLDER}marked-by-a-link"
    marked_elsewhere.mkdir(mode=0o700)
    (marked_elsewhere / kernel_cache.MARK).symlink_to(outside / kernel_cache.MARK)
    (marked_elsewhere / "x.kernel").write_bytes(real)
    writable = base / f"{kernel_cache.FOLDER}shared"
    writable.mkdir()
    (writable / kernel_cache.MARK).touch()
    (writable / "x.kernel").write_bytes(real)
    writable.chmod(0o777)

    (folder / "notes.txt").write_bytes(real)  # in our own folder, too
    (folder / "linux-6.1.kernel").write_bytes(b"the kernel of an operating system")
    (folder / "empty.kernel").touch()
    (folder / "folder.kernel").mkdir()
    (folder / "folder.kernel" / "x.kernel").write_bytes(real)
    (folder / "deep").mkdir()
    (folder / "deep" / "x.kernel").write_bytes(real)
    (folder / "link.kernel").symlink_to(outside / "real.kernel")
    (folder / "link-to-folder.kernel").symlink_to(outside, target_is_directory=True)
    for root in (base, outside):
        for path in sorted(root.rglob("*"), reverse=True):
            age(path)
        age(root)


def test_nothing_of_others_is_removed(tmp_path):
    base, outside = tmp_path / "home", tmp_path / "outside"
    outside.mkdir(mode=0o700)
    (outside / kernel_cache.MARK).touch()
    folder = base / f"{kernel_cache.FOLDER}{sys.implementation.cache_tag}"
    folder.mkdir(parents=True, mode=0o700)
    (folder / kernel_cache.MARK).touch()
    add_belongings_of_others(base, folder, outside)
    before = listing(tmp_path)
    ours = old_kernel(folder / "ours.kernel")
    kernel_cache.prune.__wrapped__(base)
    assert not ours.exists()  # it did remove what it may
    assert listing(tmp_path) == before


@pytest.mark.needs("numba")
def test_a_compile_leaves_a_home_folder_as_it_was(tmp_path):
    outside = tmp_path / "outside"
    base = tmp_path / "home"
    base.mkdir()
    outside.mkdir()
    own = base / f"{kernel_cache.FOLDER}{sys.implementation.cache_tag}"
    run("from boruvka.kernels.make.kernel_cache import cache_folder\nassert cache_folder()", base)
    add_belongings_of_others(base, own, outside)
    before = listing(tmp_path)
    run(COMPILE, base)
    assert kernels(own).keys() - {tmp_path / "home" / name for name in before}
    after = listing(tmp_path)
    assert {name: after.get(name) for name in before} == before


def test_a_folder_is_used_only_if_we_created_it_and_only_we_can_write_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BORUVKA_CACHE_DIR", str(tmp_path))
    folder = tmp_path / f"{kernel_cache.FOLDER}{sys.implementation.cache_tag}"
    folder.mkdir(mode=0o700)
    (folder / "of others").touch()
    assert cache_folder.__wrapped__() is None
    assert listing(folder) == {"of others": b""}
    (folder / "of others").unlink()
    assert cache_folder.__wrapped__() == folder
    assert listing(folder) == {kernel_cache.MARK: kernel_cache.MARK_TEXT}
    for mode in (0o770, 0o707, 0o777, 0o700):
        folder.chmod(mode)
        assert (cache_folder.__wrapped__() is None) == (mode != 0o700)
    elsewhere = folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(elsewhere, target_is_directory=True)
    assert cache_folder.__wrapped__() is None
    (elsewhere / kernel_cache.MARK).unlink()
    assert cache_folder.__wrapped__() is None
    folder.unlink()
    elsewhere.rename(folder).chmod(0o777)
    assert cache_folder.__wrapped__() is None
    assert listing(folder) == {}  # no mark is written where the folder is not used


def test_a_kernel_is_not_read_under_the_name_of_another(tmp_path):
    one, two = tmp_path / "one.kernel", tmp_path / "two.kernel"
    write(one, Code((), b"\xc3"))
    shutil.copy(one, two)
    assert read(one) is not None
    assert read(two) is None


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


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("BORUVKA_CACHE_DIR", str(file))
    assert cache_folder.__wrapped__() is None
    write(tmp_path / "nowhere" / "x.kernel", Code((), b""))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.needs("numba")
@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes")
def test_a_full_folder_does_no_harm(tmp_path):
    run("import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n" + COMPILE, tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [kernel_cache.MARK]


@pytest.mark.long
def test_processes_that_start_at_once_agree(tmp_path):
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SOLVE],
            env={**os.environ, "BORUVKA_JIT": "1", "BORUVKA_CACHE_DIR": str(tmp_path)},
            stdout=subprocess.PIPE,
        )
        for _ in range(8)
    ]
    answers = {process.communicate()[0] for process in started}
    assert len(answers) == 1
    assert all(process.returncode == 0 for process in started)
    assert all(read(path) is not None for path in kernels(tmp_path))
    before = kernels(tmp_path)
    assert run(SOLVE, tmp_path).encode() in answers
    assert kernels(tmp_path) == before
