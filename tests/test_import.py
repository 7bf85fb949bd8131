"""What `import boruvka` loads."""

import subprocess
import sys

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
