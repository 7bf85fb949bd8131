"""What `import boruvka` loads."""

import subprocess
import sys


def test_import_is_light():
    code = "import boruvka, boruvka.cli, boruvka.generators, sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("numba", "scipy", "polars", "pandas", "networkx", "zstandard", "rich", "sklearn"):
        assert f"'{heavy}'" not in loaded
