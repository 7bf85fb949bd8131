"""The structure of the package: which package may import which, and no circles among modules."""

import ast
import re
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter import cli as import_linter

ROOT = Path(__file__).parents[1]


def modules_named_in(path, modules):
    """Return the modules that strings of a file name, docstrings left out: "boruvka.x.y" or "x.y"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            parts = node.value.removeprefix("boruvka.").split(".")
            starts = (".".join(["boruvka", *parts[:k]]) for k in range(len(parts), 0, -1))
            found |= {name for name in starts if name in modules and "." in node.value}
    return found


@pytest.fixture(scope="module")
def imports():
    """Return the modules that each module imports at any time, also for types, or names in a string."""
    graph, found = grimp.build_graph("boruvka", cache_dir=None), {}
    for module in graph.modules - {"boruvka"}:
        path = ROOT / "src" / module.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        found[module] = graph.find_modules_directly_imported_by(module) - {"boruvka"}
        # A registry names the package that it is in, to find the modules beside it.
        others = {name for name in graph.modules if not f"{module}.".startswith(f"{name}.")}
        found[module] |= modules_named_in(path, others)
    return found


def test_imports_point_one_way():
    """The layers are in pyproject.toml."""
    assert import_linter.lint_imports(str(ROOT / "pyproject.toml"), cache_dir=None) == 0


def test_no_modules_import_each_other(imports):
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of modules: {' <- '.join(error.args[1])}")


def test_imports_for_types_and_names_in_strings_point_one_way_too(imports):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    rank = {room: k for k, layer in enumerate(layers) for room in layer.split(" | ")} | {"__main__": -1}
    for module, found in imports.items():
        room = module.split(".")[1]
        for other in (name.split(".")[1] for name in found):
            assert room == other or rank[room] < rank[other], (module, other)


def test_private_numba_is_used_in_one_file():
    private = ("numba.core", "numba.np", "numba.cpython", "numba._", "_nrt")
    files = {
        path.name
        for path in (ROOT / "src").rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in private)
    }
    assert files == {"numba_compiler.py"}


@pytest.mark.parametrize(
    ("names", "module"),
    [
        (
            ("numba.cuda", "numba_cuda", "from numba import config", "from numba import cuda", "from cuda"),
            "compiler.py",
        ),
        (("import cupy", 'require("cupy"'), "arrays.py"),
    ],
)
def test_gpu_packages_are_used_in_one_module(names, module):
    files = {
        path.name
        for path in (ROOT / "src").rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in names)
    }
    assert files == {module}


def imported_by(folder):
    """Return the first two parts of the names of all modules that the files of a folder import."""
    lines = re.findall(
        r"^\s*(?:from|import) (\w+(?:\.\w+)?)",
        "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py")),
        re.MULTILINE,
    )
    return set(lines)


def test_the_lab_is_outside_the_package_and_its_harness_knows_no_measurement():
    assert not any(name.split(".")[0] == "lab" for name in imported_by("src"))
    assert {name for name in imported_by("lab/harness") if name.startswith("lab")} == {"lab.harness"}
