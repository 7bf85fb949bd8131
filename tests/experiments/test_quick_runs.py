"""Every experiment runs on tiny graphs, and all answers agree."""

import pytest

import boruvka
from boruvka import distributed
from experiments.__main__ import EXPERIMENTS
from experiments.common.experiment import Race
from experiments.common.rank_results import PARTS
from experiments.common.ranks import ExperimentOnRanks

TIMED = [name for name, experiment in EXPERIMENTS.items() if isinstance(experiment, Race)]

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_quick_run(quick, name):
    results = quick(name)
    assert (results["experiment"], results["quick"]) == (name, True)
    assert results["machine"]["cores"]
    assert results["versions"]["boruvka"] == boruvka.__version__
    assert results["scheme"]["name"] == "k-best"
    assert any(results["tables"].values()) or results["remarks"]
    assert bool(any(results["tables"].values())) == (
        results.figure.exists() and "<svg" in results.figure.read_text()
    )
    for rows in results["tables"].values():
        assert len({tuple(row) for row in rows}) <= 1


@pytest.mark.parametrize("name", TIMED)
def test_all_answers_agree_and_all_samples_are_kept(quick, name):
    results = quick(name)
    assert results.entries
    for graph, entry in results.entries:
        assert (entry["error"], len(entry["samples"])) == ("", results["scheme"]["runs"])
        assert entry["seconds"] == min(entry["samples"]) > 0
        assert entry["contestant"] in results["parameters"]["contestants"]
        spent = sum(step["seconds"] for round_ in entry["rounds"] for step in round_["steps"])
        assert 0 < spent <= entry["seconds"]
        assert graph["forest_edges"] < graph["n"]


@pytest.mark.parametrize(
    "name", ["ethz_baseline", "ethz_strong_scaling", "ethz_weak_scaling", "ethz_breakdown"]
)
def test_all_strategies_find_the_same_forest_on_ranks(quick, name):
    assert isinstance(EXPERIMENTS[name], ExperimentOnRanks)
    results = quick(name)
    strategies = [f"{kind}, {merge}" for kind, merge in distributed.STRATEGIES]
    found = [(e["contestant"], e["ranks"]) for _, e in results.entries if "ranks" in e]
    assert found == [(strategy, ranks) for ranks in (1, 2) for strategy in strategies]
    assert results["ranks"] == [1, 2]
    for _, entry in results.entries:
        assert (entry["error"], len(entry["samples"])) == ("", results["scheme"]["runs"])
        assert entry["seconds"] == min(entry["samples"]) > 0
        if "ranks" in entry:
            assert len(entry["parts"]) == len(entry["samples"])
            assert all(seconds > 0 for run in entry["parts"] for seconds in run.values())
            assert {part for run in entry["parts"] for part in run} <= set(PARTS)
    for ranks in (1, 2):
        default = [e["contestant"] for _, e in results.entries if e.get("ranks") == ranks and e["default"]]
        assert len(default) == 1
    assert len({e["contestant"] for _, e in results.entries if e.get("published")}) == 7
