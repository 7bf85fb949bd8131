"""Every example in the documentation is a file that runs, and the documents hold it word for word."""

import doctest
import importlib
import pkgutil
import re
import runpy
import sys
from pathlib import Path

import pytest

import boruvka

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path), "--quick"])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_the_segmentation_example_writes_where_it_is_told(capsys, monkeypatch, tmp_path):
    path = tmp_path / "regions.png"
    example = ROOT / "examples" / "segmentation.py"
    monkeypatch.setattr(sys, "argv", [str(example), "--quick", "-o", str(path)])
    runpy.run_path(str(example), run_name="__main__")
    assert path.read_bytes().startswith(b"\x89PNG")
    score = re.search(r"scikit-image \d+; F-score of pairs (\S+)", capsys.readouterr().out)[1]
    assert float(score) > 0.75  # measured: 0.92


@pytest.mark.parametrize("name", ["library.py", "interop.py", "ranks.py"])
def test_the_readme_shows_the_examples(name):
    code = (ROOT / "examples" / name).read_text().partition('"""\n\n')[2]
    assert f"```python\n{code}```" in (ROOT / "README.md").read_text()


def test_the_readme_shows_the_heart_of_the_segmentation_example():
    example = (ROOT / "examples" / "segmentation.py").read_text()
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    block = next(block for block in blocks if "pixel_graph" in block)
    assert all(part.strip() in example for part in block.split("\n\n"))


def test_ci_runs_the_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    command = next(line for line in script.splitlines() if "pytest" in line)
    assert f"```sh\n{command}\n```" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    "name",
    [m.name for m in pkgutil.walk_packages(boruvka.__path__, "boruvka.") if not m.name.endswith("__main__")],
)
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), extraglobs=vars(boruvka))
    assert result.failed == 0
