"""What experiments share: the race, roads, counters, the command."""

import mmap
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import experiments.__main__ as every
from boruvka import Graph, generators, minimum_spanning_forest, write
from boruvka.bench.graphs import graph_of
from boruvka.bench.schemes import KBest
from boruvka.errors import FileError, GraphError, MissingExtraError, OptionError
from experiments.common import roads
from experiments.common.counters import PAGE_FAULTS, Event, Unavailable, counting
from experiments.common.experiment import Experiment, Findings, Request, Setting
from experiments.common.race import Contestant, race, same_edges

ROOT = Path(__file__).parents[2]
GRAPH = generators.random(200, 900, seed=3)


def test_who_is_wrong_or_fails_is_reported_and_the_others_go_on():
    other = generators.random(200, 900, seed=4)
    contestants = [
        Contestant("right", "kruskal"),
        Contestant("wrong", "kruskal", solves=other),
        Contestant("unknown", "magic"),
        Contestant("picky", "kruskal", options={"mood": 1}),
        Contestant("faulty", "kruskal", options=3),
    ]
    result = race("graph", GRAPH, contestants, Setting(quick=True))
    errors = {entry.contestant: entry.error for entry in result.entries}
    assert errors["right"] == ""
    assert errors["wrong"] == "wrong: other edges than those of the forest"
    assert errors["unknown"].startswith("unknown algorithm 'magic'")
    assert errors["picky"].startswith("kruskal has no option 'mood'")
    assert errors["faulty"].startswith("AttributeError: ")
    for entry in result.entries:
        assert bool(entry.error) == (entry.seconds is None) == (not entry.rounds)
    assert (result.n, result.m, result.forest_edges) == (200, 900, 199)


def test_runs_are_made_until_the_scheme_has_enough():
    scheme = KBest(runs=4, best=2, within=1e9, most=4)
    (entry,) = race("graph", GRAPH, [Contestant("a", "boruvka")], Setting(scheme=scheme)).entries
    assert len(entry.samples) == 4
    assert entry.converged
    assert entry.solves > 1  # so short a solve is repeated within a run


def test_same_edges_in_two_forms_of_a_graph():
    array = np.array([[0, 3, 1, 0], [3, 0, 2, 7], [1, 2, 0, 5], [0, 7, 5, 0]], np.int32)
    graph = Graph.from_dense(np.triu(array))
    forest = minimum_spanning_forest(graph)
    assert same_edges(forest, forest)
    assert same_edges(minimum_spanning_forest(array), forest)
    array[0, 2] = array[2, 0] = 4
    assert not same_edges(minimum_spanning_forest(array), forest)
    assert not same_edges(minimum_spanning_forest(graph, maximum=True), forest)


@pytest.mark.parametrize("name", ["NY", "FLA", "USA"])
def test_a_grid_is_like_the_network(name):
    network = roads.NETWORKS[name]
    smaller = network.n // 200_000 + 1
    graph = graph_of(roads.grid_like(network, smaller))
    assert graph.n == pytest.approx(network.n / smaller, rel=0.01)
    assert graph.m == pytest.approx(network.arcs / 2 / smaller, rel=0.01)


def test_a_road_is_one_edge(tmp_path):
    arcs = "a 1 2 5\na 2 1 5\na 2 3 9\na 3 2 8\na 1 2 5\n"
    path = tmp_path / "USA-road-d.COL.gr"
    path.write_text(f"p sp 3 5\n{arcs}")
    graph = roads.read_roads(path)
    edges = sorted(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    assert edges == [(0, 1, 5), (1, 2, 8), (1, 2, 9)]
    assert (graph.n, graph.w.dtype) == (3, np.int32)
    path.write_text(f"p sp 2 1\na 1 2 {2**40}\n")
    assert roads.read_roads(path).w.tolist() == [2**40]


def test_files_take_the_place_of_grids(tmp_path, monkeypatch):
    monkeypatch.setenv("BORUVKA_DATA", str(tmp_path))
    (tmp_path / "roads").mkdir()
    kept, given, other = (
        tmp_path / name for name in ("roads/USA-road-d.FLA.gr", "USA-road-d.NY.gr", "rome.gr")
    )
    for path in kept, given, other:
        write(GRAPH, path)

    def found(setting):
        return {
            road.name: (road.title.partition(" ")[2].partition(":")[0], road.is_grid)
            for road in roads.roads_of(("NY", "FLA"), setting)
        }

    quick = Setting(quick=True, roads=(given, other))
    assert found(quick) == {"NY": (given.name, False), "FLA": ("grid", True), "rome": (other.name, False)}
    assert found(Setting(roads=(given,))) == {"NY": (given.name, False), "FLA": (kept.name, False)}
    again = tmp_path / "USA-road-t.NY.gr"
    with pytest.raises(OptionError, match="are both of NY"):
        found(Setting(quick=True, roads=(given, again)))


def test_networks_that_do_not_fit_are_left_out(monkeypatch):
    monkeypatch.setattr("experiments.common.race.memory", lambda: 10**9)
    assert set(roads.left_out(("NY", "USA"))) == {"USA"}
    found = list(roads.roads_of(("NY", "USA"), Setting(quick=True)))
    assert [road.name for road in found] == ["NY"]
    remark = roads.remarks_on(found, ("NY", "USA"))[1]
    assert remark == "USA left out: needs about 10 GiB of memory, there are 1"


def test_new_york(data):
    graph = roads.read_roads(data / "roads" / "USA-road-d.NY.gr.gz")
    assert graph.n == roads.NETWORKS["NY"].n
    assert 365_050 <= graph.m <= roads.NETWORKS["NY"].arcs // 2
    assert minimum_spanning_forest(graph).weight == 261159288


def touch(pages):
    """Write to new pages, so that each of them faults."""
    with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(pages):
            memory[page * mmap.PAGESIZE] = 1


@pytest.mark.parametrize("where", ["here", "in a new thread", "in an old thread"])
def test_events_are_counted_on_every_thread(where):
    wake = threading.Event()
    thread = threading.Thread(target=lambda: (wake.wait(), touch(500)))
    if where == "in an old thread":
        thread.start()
    try:
        with counting(PAGE_FAULTS) as counter:
            before = counter.read()
            wake.set()
            if where == "here":
                touch(500)
            else:
                if where == "in a new thread":
                    thread.start()
                thread.join()
            assert 500 <= counter.read() - before < 50_000
    except Unavailable as reason:
        wake.set()
        pytest.skip(str(reason))


def test_what_cannot_be_counted_is_said():
    with pytest.raises(Unavailable, match=r"dreams cannot be counted: "), counting(Event("dreams", 77, 0)):
        pass


def measure_nothing(setting):
    return Findings({"document": "none"}, {}, {"rows": [{"threads": count} for count in setting.threads]})


def experiment(measure=measure_nothing, **arguments):
    return Experiment("nothing", "Nothing.", "document 0", measure, lambda findings: None, **arguments)


@pytest.mark.parametrize(
    ("threads", "cores", "asked", "expected"),
    [
        ((1, 2, 4, 8), 3, (), (1, 2, 3, 4)),
        ((1, 2, 4, 8), 2, (8, 16), (8, 16)),
        ((), 6, (), (6,)),
        (None, 6, (), (6,)),
    ],
)
def test_numbers_of_threads(threads, cores, asked, expected, monkeypatch):
    monkeypatch.setattr("experiments.common.experiment.processors", lambda: cores)
    setting = experiment(threads=threads).setting(Request(threads=asked), lambda done, doing: None)
    assert setting.threads == expected


def test_seconds_are_those_of_the_scheme():
    scheme = experiment().setting(Request(seconds=3.0), lambda done, doing: None).scheme
    assert scheme == KBest(seconds=3.0)


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (GraphError("bad"), 2), (MemoryError(), 2)]
)
def test_earlier_results_stay_until_all_is_measured(error, code, tmp_path, capsys):
    def fail(setting):
        raise error

    assert experiment().main(["-o", str(tmp_path)]) == 0
    before = (tmp_path / "nothing.json").read_bytes()
    (tmp_path / "nothing.svg").write_text("")
    assert experiment(fail).main(["-o", str(tmp_path)]) == code
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nothing.json", "nothing.svg"]
    assert (tmp_path / "nothing.json").read_bytes() == before
    assert capsys.readouterr().err
    assert experiment().main(["-o", str(tmp_path)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["nothing.json"]  # there is nothing to draw


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threads", "0"], "--threads"),
        (["--threads", "two"], "--threads"),
        (["--seconds", "0"], "--seconds"),
        (["--road", "missing.gr"], "missing.gr"),
        (["--figure-format", "gif"], "--figure-format"),
        (["-o", f"{__file__}/results"], "results: Not a directory"),
    ],
)
def test_bad_usage(arguments, message, tmp_path, capsys):
    if "-o" not in arguments:
        arguments = [*arguments, "-o", str(tmp_path)]
    assert experiment(threads=(1,), roads=True).main(arguments) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert list(tmp_path.iterdir()) == []


def test_options_are_there_where_they_apply(tmp_path, capsys):
    assert experiment().main(["--threads", "1"]) == 2
    assert experiment().main(["--road", __file__]) == 2
    assert "No such option" in capsys.readouterr().err


def test_matplotlib_is_named_where_it_is_missing(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[plot\]"):
        experiment().run(Request(output=tmp_path / "results"))
    assert list(tmp_path.iterdir()) == []


def test_one_that_fails_does_not_stop_the_others(monkeypatch, tmp_path, capsys):
    def fail(setting):
        raise FileError("gone")

    order = {"a": experiment(fail), "b": experiment()}
    monkeypatch.setattr(every, "NAMES", tuple(order))
    monkeypatch.setattr(every, "experiment_named", order.get)
    assert every.run((), quick=True, output=tmp_path) == 1
    assert "error: nothing: gone" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["nothing.json"]
    assert every.run(("b",), quick=True, output=tmp_path) == 0


def test_one_command_runs_those_that_are_named(tmp_path):
    names = ["cmu_rounds", "minho_load_imbalance"]
    command = [sys.executable, "-m", "experiments", *names, "--quick", "-o", str(tmp_path)]
    process = subprocess.run(
        [*command, "--figure-format", "png"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stderr == ""
    assert "fewest rounds" in process.stdout
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(f"{name}.{ending}" for name in names for ending in ("json", "png"))
    process = subprocess.run([*command[:3], "magic"], cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 2
    assert process.stderr.startswith("error: unknown experiment 'magic'; there are cmu_breakdown, ")


@pytest.mark.parametrize("name", every.NAMES)
def test_every_file_is_an_experiment_of_its_name(name):
    found = every.experiment_named(name)
    assert found.name == name
    assert found.about.split("\n")[1] == ""
    assert f"`{name}.py`" in (ROOT / "experiments" / "README.md").read_text()
