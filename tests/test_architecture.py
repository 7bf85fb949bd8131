"""The structure of the package: which package may import which, and no circles among modules."""

import ast
import re
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


ROOMS_WITHOUT_LAZY_CIRCLES = ("csgraph", "generators", "graph", "networkx_backend", "sklearn")


def names_of_modules_in(path):
    """Return what a file imports at any time, and the strings that name a module, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            left_out |= set(ast.walk(node))
        elif isinstance(node, ast.Expr):
            left_out.add(node.value)
    names = set()
    for node in set(ast.walk(tree)) - left_out:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
    return names


def test_no_modules_name_each_other_even_in_functions_or_strings():
    source, modules = ROOT / "src", {}
    for path in (source / "boruvka").rglob("*.py"):
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name.split(".")[1:2] and name.split(".")[1] in ROOMS_WITHOUT_LAZY_CIRCLES:
            modules[name] = path
    assert len(modules) > 40
    named = {name: names_of_modules_in(path) & modules.keys() - {name} for name, path in modules.items()}
    # A package does not use what it is imported for: ``from package import module``.
    packages = {name for name, path in modules.items() if path.name == "__init__.py" and not named[name]}
    try:
        TopologicalSorter({name: found - packages for name, found in named.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of modules: {' <- '.join(error.args[1])}")


def test_no_rooms_import_each_other_even_for_types():
    graph = grimp.build_graph("boruvka", cache_dir=None)
    rooms = {}
    for module in graph.modules - {"boruvka"}:
        imported = rooms.setdefault(module.split(".")[1], set())
        imported |= {
            name.split(".")[1] for name in graph.find_modules_directly_imported_by(module) if "." in name
        }
    for room, imported in rooms.items():
        imported.discard(room)
    try:
        TopologicalSorter(rooms).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of rooms: {' <- '.join(error.args[1])}")


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
