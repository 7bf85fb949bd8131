"""Quick runs of experiments, each made once where a test asks for it."""

import functools
import json
from pathlib import Path

import pytest

from experiments.__main__ import experiment_named


@pytest.fixture(scope="session")
def found(tmp_path_factory):
    """Return a function that runs an experiment by name, and reads what it wrote."""
    folder = tmp_path_factory.mktemp("results")

    @functools.cache
    def run(name):
        assert experiment_named(name).main(["--quick", "--output", str(folder)]) == 0
        text = (folder / f"{name}.json").read_text()
        assert str(folder) not in text
        assert str(Path.home()) not in text
        return Found(json.loads(text), folder / f"{name}.svg")

    return run


class Found:
    """What an experiment wrote."""

    def __init__(self, record, figure):
        self.record, self.figure = record, figure

    def __getitem__(self, name):
        return self.record[name]

    @property
    def entries(self):
        return [(graph, entry) for graph in self.record["graphs"] for entry in graph["entries"]]
