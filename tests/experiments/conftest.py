"""Committed results, and quick runs of experiments, each made once."""

import functools
import json
from pathlib import Path

import pytest

from boruvka.bench.decode import decoded
from experiments.__main__ import EXPERIMENTS
from experiments.common.experiment import RESULTS, Request


@functools.cache
def committed(name):
    """Read the committed results of an experiment: the record, and its graphs."""
    record = json.loads((RESULTS / f"{name}.json").read_text())
    return record, decoded(tuple[EXPERIMENTS[name].graph_type, ...], record["graphs"], "graphs")


@pytest.fixture(scope="session")
def quick(tmp_path_factory):
    """Return a function that makes a quick run, and reads what it wrote."""
    folder = tmp_path_factory.mktemp("results")

    @functools.cache
    def run(name):
        EXPERIMENTS[name].run(Request(quick=True, output=folder))
        text = (folder / f"{name}.json").read_text()
        assert str(folder) not in text
        assert str(Path.home()) not in text
        return Results(json.loads(text), folder / f"{name}.svg")

    return run


@pytest.fixture(params=["committed", pytest.param("quick", marks=pytest.mark.long)])
def results(request, quick):
    """Return a function that reads the results of an experiment: committed ones, or those of a quick run."""
    if request.param == "quick":
        return quick
    return lambda name: Results(committed(name)[0], RESULTS / f"{name}.svg")


class Results:
    """What a run wrote."""

    def __init__(self, record, figure):
        self.record, self.figure = record, figure

    def __getitem__(self, name):
        return self.record[name]

    @property
    def entries(self):
        return [(graph, entry) for graph in self.record["graphs"] for entry in graph["entries"]]
