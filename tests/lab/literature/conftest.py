"""Committed results, and quick runs of experiments, each made once."""

import functools
from pathlib import Path

import pytest

from lab.harness.results import RESULTS, Record
from lab.literature.command import EXPERIMENTS
from lab.literature.experiment import Setting


@pytest.fixture(scope="session")
def quick(tmp_path_factory):
    """Return a function that makes a quick run, and reads what it wrote."""
    folder = tmp_path_factory.mktemp("results")

    @functools.cache
    def run(name):
        EXPERIMENTS[name].run(Setting(quick=True), folder)
        text = (folder / f"{name}.json").read_text()
        assert str(folder) not in text
        assert str(Path.home()) not in text
        return Record.read(folder / f"{name}.json"), folder / f"{name}.svg"

    return run


@pytest.fixture(params=["committed", pytest.param("quick", marks=pytest.mark.long)])
def results(request, quick):
    """Return a function that reads the results of an experiment: committed ones, or those of a quick run."""
    if request.param == "quick":
        return lambda name: quick(name)[0]
    return lambda name: Record.read(RESULTS / f"{name}.json")
