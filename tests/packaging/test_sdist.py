"""The sdist holds what git tracks, and nothing else that lies in the folder."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
STRAY = [
    "graph.npz", "forest.csv", "forest.npz", "roads.gr", "docs/graph.npz", "tests/graph.csv",
    "lab/graph.gr.gz", "lab/results/minho_scaling.svg", "data/graph.csv", "shared/README.md",
    "site/index.html", ".venv/lib/module.py", "tests/__pycache__/a.cpython-311.pyc",
]  # fmt: skip
"""What the quick start, the tests and builds leave behind."""


@pytest.fixture(scope="module")
def tracked():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is not a git repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).exists())


def test_sdist_holds_what_git_tracks(tracked, tmp_path):
    copy = tmp_path / "copy"
    for name in tracked:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    for name in STRAY:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("stray")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist"], cwd=copy, check=True)
    [sdist] = (copy / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = sorted(name.partition("/")[2] for name in archive.getnames())
    assert held == sorted([*tracked, "PKG-INFO"])
