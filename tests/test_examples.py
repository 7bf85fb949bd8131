"""Every example in the documentation is a file that runs, and the documents hold it word for word."""

import doctest
import importlib
import pkgutil
import runpy
from pathlib import Path

import pytest

import boruvka

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_readme_shows_the_examples(path):
    code = path.read_text().partition('"""\n\n')[2]
    assert f"```python\n{code}```" in (ROOT / "README.md").read_text()


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
