"""Events of long work, and bars on terminals and in notebooks."""

import gzip
import signal
import sys
import threading
import time
import types

import numpy as np
import pytest

import boruvka
from boruvka.errors import OptionError
from boruvka.formats.text.lines import edges as edge_lines
from boruvka.runtime import progress
from boruvka.runtime.progress import Progress, ProgressBar, is_listening, listening, report
from tests.cli.terminal import terminal


@pytest.fixture
def graph():
    rng = np.random.default_rng(1)
    return boruvka.Graph(300, *rng.integers(0, 300, (2, 2000)), rng.integers(0, 99, 2000))


def check(events, phase, unit):
    """Check that the events of a phase rise to their total; return what was done at each."""
    here = [event for event in events if event.phase == phase]
    assert here
    assert {event.unit for event in here} == {unit}
    done = [event.done for event in here]
    assert done == sorted(done)
    assert here[-1].done == here[-1].total
    return done


@pytest.mark.parametrize("algorithm", ["boruvka", "filter-boruvka", "kruskal", "star-contraction", "prim"])
def test_solve(graph, algorithm):
    events = []
    boruvka.minimum_spanning_forest(graph, algorithm=algorithm, backend="interpreted", progress=events.append)
    check(events, "solve", "components")
    assert events[0].round_edges <= graph.m
    assert events[-1] == Progress("solve", 300, 300, "components", 0)
    phase, done, total, *_ = events[-1]
    assert (phase, done, total) == ("solve", 300, 300)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "gr", "npz", "parquet"])
def test_read_and_write(graph, tmp_path, ending, monkeypatch):
    monkeypatch.setattr(edge_lines, "_CHUNK_BYTES", 1000)
    events, path = [], tmp_path / f"a.{ending}"
    boruvka.write(graph, path, progress=events.append)
    check(events, "write", "edges")
    boruvka.read(path, progress=events.append)
    done = check(events, "read", "bytes")
    assert done[0] == 0
    assert done[-1] == path.stat().st_size
    if ending in ("csv", "gr"):
        assert len(set(done)) > 5


def test_a_text_that_is_decompressed_meanwhile(tmp_path, monkeypatch):
    monkeypatch.setattr(edge_lines, "_ARRIVING_CHUNK_BYTES", 1000)
    monkeypatch.setattr("boruvka.formats.files._ARRIVING_BYTES", 1000)
    monkeypatch.setattr("boruvka.formats.files.processors", lambda: 2)
    path, events = tmp_path / "a.csv.gz", []
    path.write_bytes(gzip.compress(b"0,1,5\n" * 2000))
    assert boruvka.read(path, progress=events.append).m == 2000
    assert len(set(check(events, "read", "bytes"))) > 5


def test_verify(graph):
    events = []
    forest = boruvka.minimum_spanning_forest(graph)
    assert boruvka.verify(graph, forest, progress=events.append)
    assert check(events, "verify", "edges")[-1] == graph.m


@pytest.mark.parametrize("error", [ValueError("stop"), KeyboardInterrupt()])
def test_what_a_listener_raises_ends_the_work(graph, tmp_path, error):
    def stop(event):
        raise error

    path = tmp_path / "a.csv"
    boruvka.write(graph, path)
    before = path.read_bytes()
    for work in (
        lambda: boruvka.minimum_spanning_forest(graph, progress=stop),
        lambda: boruvka.read(path, progress=stop),
        lambda: boruvka.write(graph, path, progress=stop),
        lambda: boruvka.verify(graph, [0], progress=stop),
    ):
        with pytest.raises(type(error)) as raised:
            work()
        assert raised.value is error
        assert not is_listening()
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert boruvka.minimum_spanning_forest(graph).n_components >= 1


def test_an_error_while_chunks_are_parsed(graph, tmp_path, monkeypatch):
    monkeypatch.setattr(edge_lines, "_CHUNK_BYTES", 100)
    path = tmp_path / "a.csv"
    boruvka.write(graph, path)

    def stop(event):
        if event.done:
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        boruvka.read(path, progress=stop)
    assert boruvka.read(path).m == graph.m


def test_an_interrupt_ends_the_work(graph):
    with pytest.raises(KeyboardInterrupt):
        boruvka.minimum_spanning_forest(graph, progress=lambda event: signal.raise_signal(signal.SIGINT))


def test_listeners():
    outer, inner = [], []
    with listening(outer.append):
        report("a", 1)
        with listening(inner.append):
            report("b", 2, 3)
        with listening(False):
            report("c", 4)
    report("d", 5)
    assert [event.phase for event in outer] == ["a", "c"]
    assert inner == [Progress("b", 2, 3)]
    with pytest.raises(
        OptionError, match="progress must be True, False or a function of an event, got 'yes'"
    ):
        boruvka.minimum_spanning_forest(([0], [1], [5]), progress="yes")


def test_a_listener_may_solve(graph):
    phases = []

    def listen(event):
        phases.append(event.phase)
        assert not is_listening()
        boruvka.minimum_spanning_forest(([0], [1], [5]))

    boruvka.minimum_spanning_forest(graph, progress=listen)
    assert set(phases) == {"solve"}


def test_other_threads_are_not_heard():
    heard = []
    with listening(heard.append):
        thread = threading.Thread(target=report, args=("a", 1))
        thread.start()
        thread.join()
    assert heard == []


def test_nothing_is_drawn_but_on_a_terminal(graph, capsys, monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0)
    boruvka.minimum_spanning_forest(graph, progress=True)
    assert capsys.readouterr() == ("", "")


def test_short_work_draws_nothing(graph, monkeypatch):
    with terminal(monkeypatch) as drawn:
        monkeypatch.setattr(progress, "DELAY", 60)
        boruvka.minimum_spanning_forest(graph, progress=True)
    assert drawn == b""


def test_a_bar_is_removed_at_the_end(monkeypatch):
    with terminal(monkeypatch) as drawn:
        bar = ProgressBar()
        bar(Progress("solve", 25, 100, "components", 1_000_000))
        while b"\r" not in drawn:
            time.sleep(0.001)
        bar.stop()
    *lines, last, after = drawn.decode().split("\r")
    assert lines[0].startswith("solve  [#####---------------]  25%  1,000,000 edges left  0 s ")
    assert {len(line) for line in (*lines, last)} == {99}
    assert (last.strip(), after) == ("", "")


def test_a_bar_in_a_notebook(monkeypatch, capsys):
    """A notebook replaces a line after a carriage return, although its standard error is not a terminal."""
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setattr(progress, "DELAY", 0)
    with listening(True):
        report("read", 1, 2)
        while not (drawn := capsys.readouterr().err):
            time.sleep(0.001)
    assert drawn.startswith("read  [##########----------]  50%  0 s ")


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Progress("read", 5e8, 1e9, "bytes"), "[##########----------]  50%  500.0 MB  250.0 MB/s  2 s"),
        (Progress("read", 1234, None, "edges"), "1,234 edges  617 edges/s  2 s"),
        (Progress("read", 1, 1, detail="kruskal"), "[####################] 100%  kruskal  2 s"),
    ],
)
def test_texts_of_a_bar(event, text):
    bar = ProgressBar()
    bar(Progress("read", 0))
    bar(event)
    assert bar.text(seconds=2) == f"read  {text}"
