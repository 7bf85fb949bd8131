import json
from importlib.util import find_spec
from typing import NamedTuple

import pytest

from boruvka.cli.main import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys):
    """Run a command in this process."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        result = Result(code, *capsys.readouterr())
        if "polars is not installed" in result.err and find_spec("polars") is None:
            pytest.skip("needs polars")
        return result

    return run


@pytest.fixture
def run_json(run):
    """Run a command with --json; check that it prints one object and nothing else."""

    def run_json(*arguments):
        result = run(*arguments, "--json")
        assert (result.code, result.err, result.out.count("\n")) == (0, "", 1)
        report = json.loads(result.out)
        assert report.pop("warnings") == []
        return report

    return run_json


@pytest.fixture
def refuse(run):
    """Run a command that must fail with exit code 2 and a message."""

    def refuse(message, *arguments):
        result = run(*arguments)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert "Traceback" not in result.err

    return refuse


@pytest.fixture
def graph_file(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\n0,1,4\n1,2,3\n2,0,5\n3,4,-7\n")
    return path
