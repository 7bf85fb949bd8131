"""The machine code that a wheel holds: the list of kernels, and libraries that are built, found and used."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from boruvka.graph.connected_components import label_components
from boruvka.kernels import library
from boruvka.kernels.definitions import definition_of
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.library import V2, V3, Library, digest_of_sources, symbol_of
from boruvka.kernels.make import kernel_list
from boruvka.kernels.make.linker import system_linker
from tests.kernels.warm_solve import modules_of_a_warm_solve

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="libraries are built for Linux")
in_wheel = pytest.mark.skipif(library.installed() is None, reason="this is no installed wheel")


def test_every_definition_in_the_list_stands_for_what_it_describes():
    texts = kernel_list.definitions()
    assert texts == sorted(set(texts))
    for text in texts:
        _, function, kinds, atomic = kernel_list.parse(text)
        assert definition_of(function, kinds, atomic) == text
    assert len({symbol_of(text) for text in texts}) == len(texts)


def test_what_has_no_name_in_the_package_has_no_definition():
    def of_the_user(x):
        return x

    def made_of(value):
        def function():
            return value

        function.__module__ = "boruvka.graph.distances"
        return function

    assert definition_of(of_the_user, ("int64",), False) is None
    assert definition_of(made_of(of_the_user), (), False) is None
    assert definition_of(made_of(np.zeros(3)), (), False) is None
    assert definition_of(made_of(3), (), False) != definition_of(made_of(4), (), False)
    assert definition_of(made_of(3), (), False) != definition_of(made_of(3), (), True)
    assert definition_of(made_of(3), ("int64",), False) != definition_of(made_of(3), ("uint64",), False)


FEW = "connected_components:_label", "text.lines.kernels:parse_rows", "team_loops:team"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with libraries of a few kernels, for all levels of this machine."""
    pytest.importorskip("numba")
    from boruvka.kernels.make import build_library

    made = tmp_path_factory.mktemp("libraries")
    texts = [text for text in kernel_list.definitions() if any(name in text for name in FEW)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_list, "definitions", lambda: texts)
        done = []
        paths = build_library.build(library.levels(), made, lambda k, of: done.append((k, of)))
    assert done[-1] == (len(texts), len(texts))
    assert [path.stem for path in paths] == library.levels()
    return made


@pytest.fixture
def installed(monkeypatch):
    """Look for libraries again, in a folder of the test."""

    def look_in(folder):
        monkeypatch.delenv(library.JIT_VARIABLE, raising=False)
        monkeypatch.setattr(library, "FOLDER", folder)
        return library.installed.__wrapped__()

    return look_in


@on_linux
def test_a_library_holds_the_kernels_of_the_list(folder):
    for level in library.levels():
        built = Library(folder / f"{level}.so")
        assert built.sources == digest_of_sources()
        (text,) = (text for text in kernel_list.definitions() if FEW[2] in text)
        found = built.find(text)
        assert found.results == ("uint64",)
        assert found.entry
        assert built.find(text.replace("team_loops", "team_hoops")) is None


@on_linux
def test_the_best_library_is_used_unless_it_is_of_other_sources(folder, tmp_path, installed, monkeypatch):
    best, *_ = library.levels()
    assert installed(folder).sources == digest_of_sources()
    assert installed(tmp_path) is None
    (tmp_path / f"{best}.so").write_bytes(b"garbage")
    assert installed(tmp_path) is None
    monkeypatch.setattr(library, "digest_of_sources", lambda: b"other")
    in_checkout = (library.PACKAGE_FOLDER.parents[1] / "pyproject.toml").exists()
    assert (installed(folder) is None) is in_checkout
    monkeypatch.setenv(library.JIT_VARIABLE, "1")
    monkeypatch.setattr(library, "FOLDER", folder)
    assert library.installed.__wrapped__() is None


@on_linux
def test_a_kernel_comes_from_the_library(folder, monkeypatch):
    monkeypatch.setattr(library, "installed", lambda: Library(folder / f"{library.levels()[0]}.so"))
    from boruvka.graph import connected_components

    kernel = Kernel(connected_components._label.__wrapped__)
    u, v = np.array([[0, 3], [1, 4]], np.uint32)
    code, _ = kernel.prepare(np.arange(5, dtype=np.uint64), u, v)
    assert code.results == ()
    assert label_components(5, u, v).tolist() == [0, 0, 1, 2, 2]


def test_levels(monkeypatch):
    monkeypatch.setattr(library.sys, "platform", "linux")
    monkeypatch.setattr(library.platform, "machine", lambda: "x86_64")
    for flags, levels in ((V3, ["x86_64-v3", "x86_64-v2"]), (V2, ["x86_64-v2"]), (V2 - {"ssse3"}, [])):
        monkeypatch.setattr(library, "_processor_flags", lambda flags=flags: flags | {"fpu"})
        assert library.levels() == levels
    monkeypatch.setattr(library.platform, "machine", lambda: "aarch64")
    assert library.levels() == ["aarch64"]
    monkeypatch.setattr(library.sys, "platform", "darwin")
    assert library.levels() == []


def test_the_digest_is_of_names_and_contents(tmp_path):
    (tmp_path / "a").mkdir()
    digests = set()
    for name, content in (("a/x.py", "1"), ("a/x.py", "2"), ("y.py", "2"), ("a/y.py", "")):
        path = tmp_path / name
        path.write_text(content)
        digests.add(digest_of_sources(tmp_path))
    (tmp_path / "notes.txt").touch()
    digests.add(digest_of_sources(tmp_path))
    assert len(digests) == 4


@on_linux
def test_the_linker(monkeypatch):
    here = os.uname().machine
    there = "aarch64" if here == "x86_64" else "x86_64"
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "ld" else None)
    assert system_linker(f"{here}-v3") == ["/usr/bin/ld"]
    assert system_linker(there) is None
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert system_linker(there) == [f"/usr/bin/{there}-linux-gnu-ld"]


@in_wheel
def test_a_solve_imports_no_compiler():
    assert modules_of_a_warm_solve("numba", "llvmlite", "boruvka.kernels.make") == []
    graph = "boruvka.generators.random(100_000, 300_000, seed=1)"
    for algorithm in "boruvka", "filter-boruvka":
        assert modules_of_a_warm_solve("numba", "llvmlite", graph=graph, algorithm=algorithm) == []


def test_kernels_are_recorded(tmp_path):
    code = (
        "import numpy as np\n"
        "from boruvka.graph.connected_components import label_components\n"
        "label_components(2, *np.array([[0], [1]], np.uint32))"
    )
    environment = {**os.environ, library.RECORD_VARIABLE: str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    (recorded,) = tmp_path.iterdir()
    (text,) = recorded.read_text().splitlines()
    assert "connected_components:_label" in text
    assert text in kernel_list.definitions()


def test_the_list_needs_no_optional_library():
    """A wheel is built where NumPy and Numba alone are installed."""
    hidden = "scipy polars zstandard sklearn click platformdirs pandas pyarrow networkx mpi4py matplotlib"
    code = (
        "import sys\n"
        f"for name in {hidden.split()!r}: sys.modules[name] = None\n"
        "from boruvka.kernels.make import kernel_list\n"
        "print(len([kernel_list.parse(text) for text in kernel_list.definitions()]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(ran.stdout) == len(kernel_list.definitions()) > 500
