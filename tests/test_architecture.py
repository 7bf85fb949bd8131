"""The structure of the package: which package may import which, and no circles among modules."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter import cli as import_linter

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def imports():
    """Return the modules that each module imports, those for type checkers left out."""
    graph = grimp.build_graph("boruvka", exclude_type_checking_imports=True, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_imports_point_one_way():
    """The layers are in pyproject.toml."""
    assert import_linter.lint_imports(str(ROOT / "pyproject.toml"), cache_dir=None) == 0


def test_no_modules_import_each_other(imports):
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_private_numba_is_used_in_one_file():
    private = ("numba.core", "numba.np", "numba.cpython", "numba._", "_nrt")
    files = {
        path.name
        for path in (ROOT / "src").rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in private)
    }
    assert files == {"numba_compiler.py"}


def test_gpu_packages_are_used_in_one_folder():
    gpu = ("import cupy", "numba.cuda", "from numba import cuda", "numba_cuda", "from cuda")
    folders = {
        path.parent.name
        for path in (ROOT / "src").rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in gpu)
    }
    assert folders == {"cuda"}
