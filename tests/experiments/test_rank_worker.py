"""Jobs on a single rank, in this process."""

import json
from dataclasses import asdict, replace

import pytest

from boruvka.bench.contestant_run import Reference
from boruvka.bench.graphs import graph_of

pytest.importorskip("mpi4py")
from experiments.common import rank_worker

GRAPH = "random:n=300,m=1500,seed=1"
STRATEGY = ("edges", "filter-boruvka", False)
SCHEME = {"name": "confidence", "runs": 3, "most": 4, "within": 1e-9}


@pytest.fixture(scope="module")
def reference():
    return Reference.of(GRAPH, graph_of(GRAPH))


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Return a function that runs a job with one strategy."""
    monkeypatch.setattr(rank_worker, "EVERY", [STRATEGY])

    def run(reference, **job):
        path, result = tmp_path / "job.json", tmp_path / "result.json"
        path.write_text(json.dumps({"graph": GRAPH, "reference": asdict(reference), **job}))
        rank_worker.main(str(path), str(result))
        (row,) = json.loads(result.read_text())
        return row

    return run


def test_a_race_stops_when_the_scheme_has_enough(run, reference):
    entry = run(reference, job="race", scheme=SCHEME)
    assert (entry["contestant"], entry["ranks"], entry["error"]) == ("edges, filter-boruvka", 1, "")
    assert (entry["default"], entry["published"], entry["converged"]) == (True, False, False)
    assert len(entry["samples"]) == len(entry["parts"]) == 4
    assert entry["seconds"] == pytest.approx(sum(entry["samples"]) / 4)


def test_counts(run, reference):
    row = run(reference, job="count")
    assert (row["strategy"], row["default"], row["messages"], row["bytes sent"]) == (
        "edges, filter-boruvka", True, 0, 0,
    )  # fmt: skip
    assert row["bytes of arrays"] > 0


def test_wrong_edges(run, reference):
    wrong = replace(reference, fingerprint=1)
    entry = run(wrong, job="race", scheme=SCHEME)
    assert (entry["error"], entry["samples"]) == ("wrong: other edges than those of the forest", [])
    with pytest.raises(rank_worker.Failure, match="wrong: other edges"):
        run(wrong, job="count")


def test_errors_that_are_not_the_same_on_all_ranks_end_the_job(run, reference):
    with pytest.raises(KeyError, match="dream"):
        run(reference, job="dream")
