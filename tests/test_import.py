"""The modules that `import boruvka` loads."""

import subprocess
import sys

import pytest

import boruvka
from boruvka.kernels import library

HEAVY = (
    "numba",
    "scipy",
    "polars",
    "pandas",
    "networkx",
    "igraph",
    "zstandard",
    "sklearn",
    "dask",
    "pyspark",
    "pyarrow",
    "matplotlib",
    "IPython",
)


@pytest.mark.parametrize(
    ("code", "libraries"),
    [
        ("import boruvka, boruvka.cli, boruvka.generators", HEAVY),
        # Modules with the names of libraries hide neither.
        ("import boruvka.dask, boruvka.spark", ("dask", "distributed", "pyspark", "pyarrow")),
        (
            "import boruvka; boruvka.minimum_spanning_forest(([0, 1], [1, 2], [5, 7]))._repr_html_()",
            ("matplotlib", "rich", "IPython", "PIL"),
        ),
    ],
    ids=["package", "engines", "small solve"],
)
def test_libraries_are_imported_when_they_are_used(code, libraries):
    loaded = run(f"{code}; import sys; print(sorted(sys.modules))")
    assert [library for library in libraries if f"'{library}'" in loaded] == []


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_is_light():
    code = "import boruvka, boruvka.cli, boruvka.generators, sys; print(sorted(sys.modules))"
    loaded = run(code)
    for heavy in HEAVY:
        assert f"'{heavy}'" not in loaded


def test_names_of_the_package():
    shown = run("import boruvka; print(*dir(boruvka))").split()
    assert shown == sorted([*boruvka.__all__, "__version__"])
    code = "import boruvka.stream; print(*dir(boruvka)); [getattr(boruvka, name) for name in dir(boruvka)]"
    assert run(code).split() == sorted([*shown, "stream"])


def test_submodules_are_not_imported_by_their_names():
    """A look at an attribute raises no error of a missing library, and does not start MPI."""
    code = (
        "import boruvka, sys; before = set(sys.modules)\n"
        "names = (*boruvka._SUBMODULES, 'nothing', 'cli', '__wrapped__')\n"
        "print([hasattr(boruvka, name) for name in names])\n"
        "print(set(sys.modules) - before)"
    )
    count = len(boruvka._SUBMODULES) + 3
    assert run(code).splitlines() == [str([False] * count), "set()"]
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        boruvka.nothing  # noqa: B018
    for name in "HDBSCAN", "SingleLinkage":
        with pytest.raises(AttributeError, match=f"write from boruvka.sklearn import {name}"):
            getattr(boruvka, name)
    code = "import boruvka\ntry: boruvka.distributed\nexcept AttributeError as error: print(error)"
    for name, instead in [
        ("minimum_spanning_tree", r"minimum_spanning_forest\(graph\)"),
        ("maximum_spanning_forest", "maximum=True"),
        ("kruskal", 'algorithm="kruskal"'),
        ("from_correlations", r"Graph.from_distances\(matrix, correlations=True\)"),
        ("mst", r"minimum_spanning_forest\(graph\)"),
        ("load", r"boruvka.read\(path\)"),
        ("from_networkx", r"boruvka.as_graph\(x\)"),
    ]:
        with pytest.raises(AttributeError, match=instead):
            getattr(boruvka, name)
    forest = boruvka.minimum_spanning_forest([("a", "b", 1)])
    for owner, name, instead in [
        (forest, "total_weight", "; write forest.weight"),
        (forest, "kruskal", r"; write forest.steps\(algorithm\)"),
        (forest, "cycle", r"; write numpy.append\(forest.path\(u, v\), e\) for the cycle"),
        (forest, "remove_edge", r"removed=\[\(u, v\)\]\)"),
        (boruvka.Graph, "from_networkx", r"; write boruvka.as_graph\(x\)"),
        (forest.graph, "nodes", "; write graph.n"),
        (forest.graph, "nothing", "'EdgeListGraph' object has no attribute 'nothing'$"),
        (forest, "_repr_png_", "'_repr_png_'$"),
    ]:
        with pytest.raises(AttributeError, match=instead):
            getattr(owner, name)
    assert run(code) == "boruvka.distributed is not imported yet: write import boruvka.distributed\n"


def test_a_warm_solve_and_its_verification_load_no_library(tmp_path):
    graph = boruvka.generators.grid(20, 20, dtype="int64")
    boruvka.write(graph, tmp_path / "roads.gr.gz")
    boruvka.write(boruvka.minimum_spanning_forest(graph), tmp_path / "forest.csv")
    code = (
        "import sys; from boruvka.cli.main import main\n"
        "assert main(['solve', 'roads.gr.gz']) == 0\n"
        "assert main(['verify', 'roads.gr.gz', 'forest.csv']) == 0\n"
        "print(sorted(sys.modules))"
    )
    for _ in range(2):  # the first may compile
        command = [sys.executable, "-c", code]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    # LLVM loads what was compiled here, where the package has no machine code.
    for heavy in (*HEAVY, *(["llvmlite"] if library.installed() else [])):
        assert f"'{heavy}'" not in ran.stdout
