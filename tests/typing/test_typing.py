"""What type checkers know of the public names, as a strict user sees it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import boruvka

HERE = Path(__file__).parent
SOURCE = Path(boruvka.__file__).parents[1]
WRONG = {
    "boruvka.minimum_spaning_forest(([0], [1], [2]))": "attr-defined",
    "boruvka.verify(boruvka.Graph(2, [0], [1], [2]), [0], thread=2)": "call-arg",
    "boruvka.minimum_spanning_forest(([0], [1], [2]), thread=2)": "call-arg",
    "boruvka.minimum_spanning_forest(([0], [1], [2]), missing=True)": "arg-type",
    "boruvka.steiner_tree(([0], [1], [2]), [0], wieght='cost')": "call-arg",
    "boruvka.rolling_forests([[1, 2], [2, 1]], 2, maximal=True)": "call-arg",
    "boruvka.stream.minimum_spanning_forest('edges.csv', colums='a,b,c')": "call-arg",
    "boruvka.minimum_spanning_forest(([0], [1], [2])).update([], wieght='km')": "call-arg",
    "boruvka.minimum_spanning_forest(([0], [1], [2])).total_weight": "attr-defined",
    "boruvka.Graph(3, [0], [1])": "call-arg",
    "boruvka.minimum_spanning_forest(([0], [1], [2])).edges.append(3)": "attr-defined",
    "boruvka.verify(boruvka.Graph(2, [0], [1], [2]), [0]).okay": "attr-defined",
}
"""Mistakes, and the codes of mypy's errors."""


def mypy(folder, *files):
    pytest.importorskip("mypy")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--config-file",
        os.devnull,
    ]
    cache = ["--cache-dir", str(folder / "cache")]
    env = {**os.environ, "MYPYPATH": str(SOURCE)}
    return subprocess.run([*command, *cache, *files], env=env, cwd=folder, capture_output=True, text=True)


def test_the_package_says_that_it_is_typed():
    assert (Path(boruvka.__file__).parent / "py.typed").exists()


@pytest.mark.long
def test_mypy_accepts_a_strict_program_and_finds_mistakes(tmp_path):
    program = shutil.copy(HERE / "program.py", tmp_path)
    wrong = tmp_path / "wrong.py"
    wrong.write_text("\n".join(["import boruvka.stream", *WRONG]) + "\n")
    result = mypy(tmp_path, program, wrong)
    errors = [line for line in result.stdout.splitlines() if ": error:" in line]
    found = [(Path(line.split(":")[0]).name, line.rpartition("[")[2][:-1]) for line in errors]
    assert found == [("wrong.py", code) for code in WRONG.values()], result.stdout + result.stderr


@pytest.mark.long
def test_pyright_accepts_the_strict_program_and_finds_mistakes(tmp_path):
    pytest.importorskip("basedpyright")  # pyright with a Node.js of its own
    shutil.copy(HERE / "program.py", tmp_path)
    (tmp_path / "wrong.py").write_text("\n".join(["import boruvka.stream", *WRONG]) + "\n")
    rules = {"include": ["*.py"], "typeCheckingMode": "strict", "extraPaths": [str(SOURCE)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(rules))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    errors = [
        (Path(found["file"]).name, found["range"]["start"]["line"])
        for found in json.loads(result.stdout)["generalDiagnostics"]
        if found["severity"] == "error"
    ]
    assert sorted(set(errors)) == [("wrong.py", 1 + k) for k in range(len(WRONG))], result.stdout
