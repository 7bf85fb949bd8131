"""What `import boruvka` loads."""

import subprocess
import sys

import boruvka

HEAVY = (
    "numba",
    "scipy",
    "polars",
    "pandas",
    "networkx",
    "zstandard",
    "rich",
    "sklearn",
    "dask",
    "pyspark",
    "pyarrow",
    "matplotlib",
    "IPython",
)


def test_import_is_light():
    code = "import boruvka, boruvka.cli, boruvka.generators, sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in HEAVY:
        assert f"'{heavy}'" not in loaded


def test_engines_are_imported_when_they_are_used():
    """Our modules have the names of the libraries, and hide neither."""
    code = "import boruvka, sys; boruvka.dask, boruvka.spark; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for library in ("dask", "distributed", "pyspark", "pyarrow"):
        assert f"'{library}'" not in loaded


def test_a_small_solve_loads_nothing_to_draw_with():
    code = (
        "import boruvka, sys; boruvka.minimum_spanning_forest(([0, 1], [1, 2], [5, 7]))._repr_html_(); "
        "print(sorted(sys.modules))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for library in ("matplotlib", "rich", "IPython", "PIL"):
        assert f"'{library}'" not in loaded


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
    for heavy in (*HEAVY, "llvmlite"):
        assert f"'{heavy}'" not in ran.stdout
